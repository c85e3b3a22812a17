"""Systems: their words for cover, and whether they know flanking and reactions (ANY-011 to ANY-016)."""

from __future__ import annotations

from typing import NamedTuple

from enfilade.geometry.board.square import Diagonals
from enfilade.i18n import localize
from enfilade.rules.battle.obstacles import Covered
from enfilade.rules.house_rules import setting
from enfilade.rules.ruleset import CoverLevel
from enfilade.rulesets.any_system import house_rules
from enfilade.scene.model import Scene


class CoverKind(NamedTuple):
    """A kind of cover: the system's word for it, its level, and what it adds to a defense."""

    name: str = ""
    level: CoverLevel = ""
    bonus: int | None = 0


class System(NamedTuple):
    """A system's cover: that of 1 to 4 quarters blocked by walls, and that of any blocked by creatures.

    `flanks` and `provokes` say whether it knows flanking and opportunity attacks.
    """

    quarters: tuple[CoverKind, ...]
    creature: CoverKind
    diagonals: Diagonals = Diagonals.EQUIDISTANT
    flanks: bool = False
    provokes: bool = False


def _kind(name: str, level: CoverLevel, bonus: int = 0) -> CoverKind:
    return CoverKind(localize(f"any_system.cover_{name}"), level, bonus)


TOTAL = CoverKind(localize("any_system.total"), "total", None)
HALF = 2 * (_kind("half", "half"),) + 2 * (_kind("three_quarters", "three_quarters"),)
HALF_5 = 2 * (_kind("half_dnd5e", "half", 2),) + 2 * (_kind("three_quarters_dnd5e", "three_quarters", 5),)
STANDARD = 2 * (_kind("standard_pf2e", "half", 2),) + 2 * (_kind("greater_pf2e", "three_quarters", 4),)
LESSER = _kind("lesser_pf2e", "lesser", 1)
LIGHT = (
    _kind("light_swade", "lesser", 2),
    _kind("medium_swade", "half", 4),
    _kind("heavy_swade", "three_quarters", 6),
    _kind("near_total_swade", "three_quarters", 8),
)
SYSTEMS: dict[str, System] = {
    "other": System(HALF, HALF[0]),
    "dnd5e": System(HALF_5, HALF_5[0], provokes=True),
    "pf2e": System(STANDARD, LESSER, Diagonals.ALTERNATING_1, flanks=True),
    "swade": System(LIGHT, LIGHT[0]),
}
_DIAGONALS = {
    "5-5-5": Diagonals.EQUIDISTANT,
    "5-10-5": Diagonals.ALTERNATING_1,
    "10-5-10": Diagonals.ALTERNATING_2,
    "5-10-10": Diagonals.RECTILINEAR,
    "none": Diagonals.ILLEGAL,
}


def system_of(scene: Scene) -> System:
    """Return the system of a table."""
    return SYSTEMS[str(setting(scene, house_rules.SYSTEM))]


def diagonals_of(scene: Scene) -> Diagonals:
    """Return how diagonal steps count."""
    chosen = str(setting(scene, house_rules.DIAGONALS))
    return _DIAGONALS.get(chosen, system_of(scene).diagonals)


def has_flanking(scene: Scene) -> bool:
    """Return whether flanking is shown."""
    chosen = setting(scene, house_rules.FLANKING)
    return system_of(scene).flanks if chosen == "as the system" else chosen == "yes"


def cover_kind(scene: Scene, covered: Covered) -> CoverKind:
    """Return the kind of a target's cover in a table's system (ANY-011 to ANY-013)."""
    system = system_of(scene)
    if covered.is_total:
        return TOTAL
    if covered.walls:
        return system.quarters[covered.walls - 1]
    return system.creature if covered.bodies else CoverKind()
