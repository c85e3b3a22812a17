"""Modes of movement: what terrain costs a creature, and which speed it uses there (SRD-013 to SRD-022)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from enfilade.rules.sheets import Mode
from enfilade.rulesets.fifth_edition.profiles import Creature
from enfilade.scene.model import Terrain

WATER, GAP = "water", "gap"
"""The kinds of terrain in which one swims, and over which one flies or jumps."""
MODES: Mapping[str, Mode] = {
    WATER: "swim",
    "climb": "climb",
    **dict.fromkeys(("earth", "sand", "mud", "ice"), "burrow"),
}
"""The speed that a kind of terrain is for; one burrows through ground that is closed to others (SRD-021)."""
DIFFICULT = frozenset({"rubble", "undergrowth", "snow", "ice", "mud", "shallow", "slope", "furniture"})
"""The kinds of terrain that are difficult whatever they cost (SRD-017)."""


class Tread(NamedTuple):
    """The movement of a creature over the terrain of a scene, in feet; None is the terrain's own cost."""

    most: float
    cost: Callable[[Terrain], int] | None = None
    ceiling: Callable[[Terrain | None], float] | None = None


def tread_of(one: Creature, feet: float, terrain: Sequence[Terrain]) -> Tread:
    """Return how a creature moves that has so many feet of its Speed left.

    Another speed has as much less or more than the Speed as it is slower or faster: what was moved counts
    against all of them (SRD-013).
    """
    left = max(0, feet)
    if one.is_aloft:
        return Tread(left, _in_the_air)
    if not any(patch.kind in MODES or patch.kind in DIFFICULT or patch.cost > 2 for patch in terrain):
        return Tread(left)
    speeds = {mode: max(0, own + feet - one.speed) for mode, own in one.speeds.items()}

    def cost(patch: Terrain) -> int:
        mode = MODES.get(patch.kind)
        if not patch.cost:
            return int(mode == "burrow" and mode in speeds)
        is_difficult = patch.cost > 1 or patch.kind in DIFFICULT
        is_hard = mode in ("swim", "climb") and mode not in speeds  # SRD-018, SRD-019
        return 1 + is_difficult + is_hard

    def ceiling(patch: Terrain | None) -> float:
        is_special = patch is not None and (not patch.cost or patch.kind in (WATER, "climb"))
        return speeds.get(MODES.get(patch.kind, "walk"), left) if patch and is_special else left

    most = max([left, *[ceiling(patch) for patch in terrain]])
    has_other = any(ceiling(patch) != left for patch in terrain)
    return Tread(most, cost, ceiling if has_other else None)


def _in_the_air(patch: Terrain) -> int:
    """Return the cost of a cell for a flier: closed ground that is a gap or water is open to it (SRD-022)."""
    return int(patch.cost > 0 or patch.kind in (GAP, WATER))
