"""Lines of sight, and the two bands of a ranged weapon (KOV-014 to KOV-018, KOV-058, KOV-066)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple

from enfilade.geometry.board.base import Cell, Point, Segment
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.shapes import box_body
from enfilade.geometry.board.square import box
from enfilade.geometry.sight.line_of_sight import seen_by_any, visible
from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_scene, recent_by_size
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.kit.board import Hiding, best_line, blocker_of, blockers_of, hiding_terrain
from enfilade.rules.ruleset import Blocker, Sight
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import FEET, Battlefield, battlefield
from enfilade.rulesets.knights_of_valour.equipment import Weapon
from enfilade.rulesets.knights_of_valour.profiles import Creature, read_creature
from enfilade.scene.model import Scene, Token

STRENGTH_FEET = 5
"""What a point of Strength adds to both ranges, in feet (KOV-014)."""

Band = Literal["close", "maximum", "beyond"]


class Ranges(NamedTuple):
    """The effective ranges of a weapon in feet (KOV-014, KOV-015)."""

    close: int
    maximum: int

    def band(self, distance: int) -> Band:
        """Return the band of a distance in feet (KOV-066)."""
        if distance > self.maximum or self.maximum == 0:
            return "beyond"
        return "close" if distance <= self.close else "maximum"


def effective_ranges(weapon: Weapon, strength: int, is_inches: bool = False) -> Ranges:
    """Return a weapon's ranges changed by Strength, at least 0 (KOV-014 to KOV-016).

    With `is_inches` each figure is inches on the map, of 5 feet each (C-1).
    """
    scale = FEET if is_inches else 1
    changed = (reach + STRENGTH_FEET * strength for reach in (weapon.close, weapon.maximum))
    close, maximum = (scale * max(0, feet) for feet in changed)
    return Ranges(close, maximum)


def ranges_of(scene: Scene, creature: Creature, weapon: Weapon) -> Ranges:
    """Return the effective ranges of a creature's weapon at this table."""
    is_inches = setting(scene, house_rules.FIVE_MEANS) == "inches"
    return effective_ranges(weapon, creature.profile.strength, is_inches)


def _hiding(battle: Battlefield, without: Collection[str]) -> Hiding:
    """Return what hides beside walls: terrain and, by a house rule, creatures between (C-22)."""
    hiding = hiding_terrain(battle.scene.terrain)
    if not is_on(battle.scene, house_rules.CREATURES_BLOCK):
        return hiding
    others = [one for one in battle.units if one.id not in without]
    places = [(one.id, one.name, one.token.at) for one in others if one.token.at is not None]
    return _with_creatures(hiding, tuple(places))


@recent_by_size
def _with_creatures(hiding: Hiding, others: tuple[tuple[str, str, Cell], ...]) -> Hiding:
    """Return terrain and creatures, each with its ID, its name and its square."""
    return Hiding(
        [*hiding.bodies, *(box_body(box(at)) for _, _, at in others)],
        [*hiding.blockers, *(Blocker("token", token, name) for token, name, _ in others)],
    )


def _ends(scene: Scene, board_center: Point, cell: Cell) -> tuple[Point, ...]:
    if setting(scene, house_rules.SIGHT_LINE) == "center to center":
        return (board_center,)
    left, top, right, bottom = box(cell)
    return (board_center, (left, top), (right, top), (right, bottom), (left, bottom))


class SightLine(NamedTuple):
    """A line of sight between two creatures: its ends, its blocker, and the point where that is."""

    segment: Segment
    blocker: Blocker | None = None
    at: Point | None = None


def sight_line(scene: Scene, viewer: Creature, target: Creature) -> SightLine | None:
    """Return the line of sight between two creatures; None if one is off the board (KOV-058, C-22)."""
    battle = battlefield(scene)
    start, end = viewer.token.at, target.token.at
    if start is None or end is None or start not in battle.board or end not in battle.board:
        return None
    hiding = _hiding(battle, (viewer.id, target.id))
    eyes = _ends(scene, battle.board.center(start), start)
    points = _ends(scene, battle.board.center(end), end)
    segment, stop = best_line(blockers_of(scene.walls, hiding), eyes, points)
    if stop is None:
        return SightLine(segment)
    return SightLine(segment, blocker_of(stop, scene.walls, hiding), stop.at)


def sight(scene: Scene, viewer: Token, target: Token) -> Sight:
    """Return the line of sight between two tokens, its blocker and the distance (KOV-058)."""
    one, other = read_creature(viewer), read_creature(target)
    line = sight_line(scene, one, other) if one.id != other.id else None
    if line is None or viewer.at is None or target.at is None:
        return Sight()
    feet = battlefield(scene).feet_between(one, other)
    why = localize("knights_of_valour.unseen", blocker=line.blocker.name) if line.blocker else ""
    return Sight(
        is_seen=line.blocker is None,
        why=why,
        distance=localize("knights_of_valour.feet", count=feet),
        line=line.segment,
        at=line.at,
        blocker=line.blocker,
    )


@per_scene
def seen_cells(scene: Scene, token_id: str) -> Mask:
    """Return the squares whose center a creature sees from its own; none off the board."""
    battle, creature = battlefield(scene), read_creature(scene.token(token_id))
    at = creature.token.at
    if at is None or at not in battle.board:
        return Mask.of((), battle.board.rows)
    blockers = blockers_of(scene.walls, _hiding(battle, (creature.id,)))
    return visible(battle.board, battle.board.center(at), blockers)


def seen_by_any_of(scene: Scene, wanted: Mapping[Creature, Mask]) -> Mask:
    """Return the `seen_cells` of some creatures together, of those wanted of each."""
    battle = battlefield(scene)
    if is_on(scene, house_rules.CREATURES_BLOCK):  # each has others between
        found = Mask((0,) * battle.board.rows)
        for creature, cells in wanted.items():
            found |= seen_cells(scene, creature.id) & cells
        return found
    at = {one: one.token.at for one in wanted}
    viewers = [(battle.board.center(place), wanted[one]) for one, place in at.items() if place is not None]
    return seen_by_any(battle.board, viewers, blockers_of(scene.walls, _hiding(battle, ())))
