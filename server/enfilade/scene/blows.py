"""The blows of an act on several units: a volley, an area, the clashes of a secret round.

The facts of an entry are those of one attack. A page that shows an attack needs each of several: who struck
whom, the dice, the result, and the loss. They are found among the explanations of any game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from enfilade.scene.events import AnyEvent, DiceRolled, Explained

_LOSSES = ("damage", "dealt", "hit_points")
_RESULTS = ("result", "is_hit", "dealt")
_LATEST = ("needed", "hits")
"""Of these the last explanation of a blow counts, of all others the first."""
_KEPT = ("act", "weapon", "needed", "result", "is_hit", *_LOSSES, "hits", "negated")


def blows_of(events: Iterable[AnyEvent], facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the blows among events; an empty list if the facts of their entry tell all: a single attack."""
    told = _Blows()
    for event in events:
        if isinstance(event, DiceRolled):
            told.rolls.append({"die": event.die, "faces": list(event.faces)})
        elif isinstance(event, Explained):
            told.add(event.facts)
    found = [blow for blow in told.all() if not blow.keys().isdisjoint(_RESULTS)]
    pairs = {(blow["token"], blow["target"]) for blow in found}
    return [] if pairs <= {(facts.get("token"), facts.get("target"))} else found


class _Blows:
    """Collects blows, one explanation after another."""

    def __init__(self) -> None:
        self.rolls: list[dict[str, Any]] = []
        self._ended: list[dict[str, Any]] = []
        self._blow: dict[str, Any] = {}
        self._several: dict[str, dict[str, Any]] = {}

    def add(self, facts: Mapping[str, Any]) -> None:
        """Begin what the facts declare, or add what they say of the blow that is under way."""
        members = facts.get("caught") or facts.get("targets")
        struck = self._several.get(facts.get("target") or facts.get("token", ""))
        if members:
            self._begin({}, _on_each(facts, members))
        elif struck:
            _tell(struck, facts)
        elif facts.get("target"):
            if "result" in self._blow or self._blow.get("target") != facts["target"]:
                self._begin({"token": facts.get("token", ""), "target": facts["target"]}, {})
            _tell(self._blow, facts)
        elif self._several:
            for one in self._several.values():
                one |= {key: facts[key] for key in ("needed",) if key in facts}
        elif facts.get("token", self._blow.get("token")) == self._blow.get("token"):
            # What is said of one unit alone, such as its wounds, is what it suffers itself.
            _tell(self._blow, {**facts, **dict.fromkeys(_LOSSES)} if "token" in facts else facts)

    def all(self) -> Iterator[dict[str, Any]]:
        """Yield each blow; one without a result was declared alone."""
        self._begin({}, {})
        yield from self._ended

    def _begin(self, blow: dict[str, Any], several: dict[str, dict[str, Any]]) -> None:
        """End what was under way, with its dice; those of a volley are shown once, with its first blow."""
        if self._blow.get("target"):
            self._ended.append({**self._blow, "rolls": self.rolls})
        is_shot = bool(self.rolls) or any("result" in one for one in self._several.values())
        for i, one in enumerate(self._several.values()):
            missed = {"result": "miss", "hits": 0} if is_shot else {}
            self._ended.append({**missed, **one, "rolls": [] if i else self.rolls})
        self._blow, self._several, self.rolls = blow, several, []


def _on_each(facts: Mapping[str, Any], members: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return a blow on each member of a group, by one of those who strike together, in turn."""
    strikers = facts.get("archers") or [facts.get("token", "")]
    return {key: {"token": strikers[i % len(strikers)], "target": key} for i, key in enumerate(members)}


def _tell(blow: dict[str, Any], facts: Mapping[str, Any]) -> None:
    """Add to a blow what an explanation says of it. An outcome by its difference names a band."""
    said = {key: facts[key] for key in _KEPT if facts.get(key) not in (None, "")}
    if "difference" in facts:
        said["result"] = facts["band"]
    blow |= {key: value for key, value in said.items() if key not in blow or key in _LATEST}
