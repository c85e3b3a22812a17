"""Token buckets: what may be asked at once, and how fast the right to ask comes back."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Clock = Callable[[], float]
K = TypeVar("K", bound=Hashable)

_DUST = 1e-6
"""What adding fractions of seconds leaves over or short."""

MOST_KNOWN = 10_000
"""How many buckets of one kind are kept before the full ones, which are as good as new, are forgotten."""


@dataclass(frozen=True)
class Rate:
    """So much a second, and so much at once after a rest."""

    per_second: float
    burst: float

    def times(self, share: float) -> Rate:
        """The same for whoever speaks for several."""
        return Rate(self.per_second * share, self.burst * share)


@dataclass
class Bucket:
    """One bucket, full at first. It may be overdrawn, by what is known only afterwards."""

    rate: Rate
    clock: Clock
    _held: float = field(init=False)
    _as_of: float = field(init=False)

    def __post_init__(self) -> None:
        self._held, self._as_of = self.rate.burst, self.clock()

    @property
    def held(self) -> float:
        """What is in it now."""
        now, rate = self.clock(), self.rate
        held = self._held + (now - self._as_of) * rate.per_second
        self._held = held if held < rate.burst else rate.burst
        self._as_of = now
        return self._held

    @property
    def is_full(self) -> bool:
        """Whether it is as good as a new one."""
        return self.held >= self.rate.burst

    def wait(self, cost: float) -> float:
        """The seconds until so much may be taken; what is more than it ever holds, once it is full."""
        missing = min(cost, self.rate.burst) - self.held
        return missing / self.rate.per_second if missing > _DUST else 0.0

    def take(self, cost: float) -> None:
        """Takes so much, whether it is there or not."""
        self._held = self.held - cost


class Buckets(Generic[K]):
    """A bucket for each of many, of one rate."""

    def __init__(self, rate: Rate, clock: Clock) -> None:
        self._rate = rate
        self._clock = clock
        self._known: dict[K, Bucket] = {}

    def __len__(self) -> int:
        return len(self._known)

    def of(self, key: K) -> Bucket:
        """The bucket of one of them."""
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known = {known: one for known, one in self._known.items() if not one.is_full}
            self._known[key] = Bucket(self._rate, self._clock)
        return self._known[key]
