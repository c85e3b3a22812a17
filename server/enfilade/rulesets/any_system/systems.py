"""Systems: their words for cover, and whether they know flanking and reactions (ANY-011 to ANY-016)."""

from __future__ import annotations

from typing import NamedTuple

from enfilade.geometry.board.square import Diagonals
from enfilade.i18n import localize
from enfilade.rules.battle.corners import Covered
from enfilade.rules.house_rules import setting
from enfilade.rulesets.any_system import house_rules
from enfilade.scene.model import Scene


class System(NamedTuple):
    """A system's words: the cover of 1 to 4 quarters blocked by walls, and that of any blocked by creatures.

    `flanks` and `provokes` say whether it knows flanking and opportunity attacks.
    """

    quarters: tuple[str, ...]
    creature: str
    diagonals: Diagonals = Diagonals.EQUIDISTANT
    flanks: bool = False
    provokes: bool = False


def _cover(*names: str) -> tuple[str, ...]:
    """Return the texts of some kinds of cover; two names stand for two quarters each."""
    found = [localize(f"any_system.cover_{name}") for name in names]
    return tuple(found if len(found) > 2 else [found[0], *found, found[-1]])


HALF, STANDARD = _cover("half", "three_quarters"), _cover("standard_pf2e", "greater_pf2e")
HALF_5 = _cover("half_dnd5e", "three_quarters_dnd5e")
LIGHT = _cover("light_swade", "medium_swade", "heavy_swade", "near_total_swade")
SYSTEMS: dict[str, System] = {
    "other": System(HALF, HALF[0]),
    "dnd5e": System(HALF_5, HALF_5[0], provokes=True),
    "pf2e": System(STANDARD, localize("any_system.cover_lesser_pf2e"), Diagonals.ALTERNATING_1, flanks=True),
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


def cover_name(scene: Scene, covered: Covered) -> str:
    """Return what a system calls the cover of a target; empty without any."""
    system = system_of(scene)
    if covered.is_total:
        return localize("any_system.total")
    if covered.walls:
        return system.quarters[covered.walls - 1]
    return system.creature if covered.bodies else ""
