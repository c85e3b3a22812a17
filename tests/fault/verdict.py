"""What an ordeal comes to, in one line."""

from __future__ import annotations

from dataclasses import dataclass, replace

SLOW = "slow"
"""What went wrong that hangs on how quick the machine is."""


@dataclass(frozen=True)
class Verdict:
    """How often each wrong thing happened (never, where all is well), and how often in each broken build."""

    ordeal: str
    wrong: dict[str, int]
    caught: dict[str, int]
    figures: dict[str, object]

    @property
    def passes(self) -> bool:
        """Whether nothing went wrong, and every broken build was caught."""
        return not any(self.wrong.values()) and all(self.caught.values())

    def untimed(self) -> Verdict:
        """The same where nothing fails for being slow: that is told among the figures."""
        wrong = {name: count for name, count in self.wrong.items() if name != SLOW}
        timed = {name: count for name, count in self.wrong.items() if name == SLOW}
        return replace(self, wrong=wrong, figures={**self.figures, **timed})

    def __str__(self) -> str:
        parts = [f"{name}={value}" for name, value in {**self.figures, **self.wrong}.items()]
        controls = [f"{name}={count}" for name, count in self.caught.items()]
        verdict = "PASS" if self.passes else "FAIL"
        return f"torture: {self.ordeal} {verdict} {' '.join(parts)} caught: {' '.join(controls)}"
