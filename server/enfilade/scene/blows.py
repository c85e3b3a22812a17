"""The blows of an act on several units: a volley, an area, the clashes of a secret round.

The facts of an entry are those of one attack. A page that shows an attack as it happens needs each of several: who
struck whom, the dice, the result, and the loss. They are found among the explanations of any game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from enfilade.scene.events import AnyEvent, DiceRolled, Explained

_KEPT = ("act", "weapon", "needed", "result", "is_hit", "damage", "dealt", "hit_points", "hits", "negated")
"""What is kept of an explanation. An earlier one of the same attack counts, except for `needed` and `hits`."""

_LOSSES = ("damage", "dealt", "hit_points")
_RESULTS = ("result", "is_hit", "dealt")


def blows_of(events: Iterable[AnyEvent], facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the blows among events; an empty list if the facts of their entry tell all of it: a single attack."""
    found = [blow for blow in _blows(events) if not blow.keys().isdisjoint(_RESULTS)]
    is_told = {(blow["token"], blow["target"]) for blow in found} <= {
        (facts.get("token"), facts.get("target"))
    }
    return [] if is_told else found


def _blows(events: Iterable[AnyEvent]) -> Iterator[dict[str, Any]]:
    """Yield each blow; one without a result was declared alone."""
    blow: dict[str, Any] = {}
    several: Mapping[str, dict[str, Any]] = {}
    rolls: list[dict[str, Any]] = []
    for event in events:
        if isinstance(event, DiceRolled):
            rolls.append({"die": event.die, "faces": list(event.faces)})
        if not isinstance(event, Explained):
            continue
        facts = event.facts
        if members := facts.get("caught") or facts.get("targets"):
            yield from _ended(blow, several, rolls)
            blow, rolls = {}, []
            several = _on_each(facts, members)
        elif struck := several.get(facts.get("target") or facts.get("token", "")):
            _tell(struck, facts)
        elif facts.get("target"):
            is_same = blow and "result" not in blow and blow["target"] == facts["target"]
            if not is_same:
                yield from _ended(blow, several, rolls)
                blow, several, rolls = {"token": facts.get("token", ""), "target": facts["target"]}, {}, []
            _tell(blow, facts)
        elif several:
            for one in several.values():
                one |= {"needed": facts["needed"]} if "needed" in facts else {}
        elif blow and facts.get("token", blow["token"]) == blow["token"]:
            # What is said of one unit alone, such as its wounds, is what it suffers itself.
            _tell(blow, facts if "token" not in facts else {**facts, **dict.fromkeys(_LOSSES)})
    yield from _ended(blow, several, rolls)


def _on_each(facts: Mapping[str, Any], members: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return a blow on each member of a group, by one of those who strike together, in turn."""
    strikers = facts.get("archers") or [facts.get("token", "")]
    return {key: {"token": strikers[i % len(strikers)], "target": key} for i, key in enumerate(members)}


def _ended(
    blow: dict[str, Any], several: Mapping[str, dict[str, Any]], rolls: Sequence[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield what was struck, with its dice; those of a volley are shown once, with its first blow."""
    if blow:
        yield {**blow, "rolls": list(rolls)}
    is_told = any("result" in one for one in several.values())
    for i, one in enumerate(several.values()):
        yield {**({"result": "miss"} if rolls or is_told else {}), **one, "rolls": [] if i else list(rolls)}


def _tell(blow: dict[str, Any], facts: Mapping[str, Any]) -> None:
    """Add to a blow what an explanation says of it. An outcome by its difference names a band."""
    said = {key: facts[key] for key in _KEPT if facts.get(key) not in (None, "")}
    if "difference" in facts:
        said["result"] = facts["band"]
    blow |= {key: value for key, value in said.items() if key not in blow or key in ("needed", "hits")}
