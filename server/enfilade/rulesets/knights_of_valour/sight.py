"""Lines of sight, and the two bands of a ranged weapon (KOV-014 to KOV-018, KOV-058, KOV-066)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.shapes import Body, box_body
from enfilade.geometry.board.square import box
from enfilade.geometry.board.units import Cell, Point, Segment
from enfilade.geometry.sight.blockers import CLOSED
from enfilade.geometry.sight.line_of_sight import Obstruction, best_sight_line, visible
from enfilade.i18n import localize
from enfilade.rules.cache import FEW, MANY, MAPS, board_weight, identity_cache, map_weight
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.ruleset import Blocker, Sight
from enfilade.rules.walls import opaque_walls, wall_blockers
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import FEET, Battlefield, battlefield
from enfilade.rulesets.knights_of_valour.equipment import Weapon
from enfilade.rulesets.knights_of_valour.profiles import Creature, read_creature
from enfilade.scene.model import Scene, Terrain, Token, Wall

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


@identity_cache(MAPS, map_weight)
def _hiding(terrain: tuple[Terrain, ...]) -> list[tuple[Body, Terrain]]:
    return [(box_body(box(cell)), patch) for patch in terrain if patch.blocks_sight for cell in patch.cells]


def _bodies(battle: Battlefield, without: Collection[str]) -> list[tuple[Body, Terrain | Creature]]:
    """Return the bodies that block a line: terrain and, by a house rule, creatures between (C-22)."""
    found: list[tuple[Body, Terrain | Creature]] = [*_hiding(battle.scene.terrain)]
    if is_on(battle.scene, house_rules.CREATURES_BLOCK):
        others = [one for one in battle.creatures if one.id not in without]
        found += [(box_body(box(one.token.at)), one) for one in others if one.token.at is not None]
    return found


def _ends(scene: Scene, board_center: Point, cell: Cell) -> list[Point]:
    if setting(scene, house_rules.SIGHT_LINE) == "center to center":
        return [board_center]
    left, top, right, bottom = box(cell)
    return [board_center, (left, top), (right, top), (right, bottom), (left, bottom)]


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
    return _line_between(scene, viewer.id, start, target.id, end)


@identity_cache(MANY, lambda scene, *_: board_weight(scene.grid))
def _line_between(scene: Scene, viewer: str, start: Cell, target: str, end: Cell) -> SightLine:
    battle = battlefield(scene)
    bodies = _bodies(battle, (viewer, target))
    blockers = wall_blockers(scene.walls, CLOSED).with_bodies((), [body for body, _ in bodies])
    eyes = _ends(scene, battle.board.center(start), start)
    points = _ends(scene, battle.board.center(end), end)
    segment, stop = best_sight_line(eyes, points, blockers)
    if stop is None:
        return SightLine(segment)
    blocker = _blocker(stop, opaque_walls(scene.walls), [thing for _, thing in bodies])
    return SightLine(segment, blocker, stop.at)


def _blocker(stop: Obstruction, walls: Sequence[Wall], things: Sequence[Terrain | Creature]) -> Blocker:
    if stop.wall is not None:
        wall = walls[stop.wall]
        if wall.door == "door":
            return Blocker("door", wall.id, localize("knights_of_valour.blocker_door"))
        return Blocker("wall", wall.id, localize("knights_of_valour.blocker_wall"))
    if stop.body is None:
        return Blocker("corner", "", localize("knights_of_valour.blocker_corner"))
    thing = things[stop.body]
    return Blocker("terrain" if isinstance(thing, Terrain) else "token", thing.id, thing.name)


def sight(scene: Scene, viewer: Token, target: Token) -> Sight:
    """Return the line of sight between two tokens, its blocker and the distance (KOV-058)."""
    one, other = read_creature(viewer), read_creature(target)
    line = sight_line(scene, one, other) if one.id != other.id else None
    if line is None or viewer.at is None or target.at is None:
        return Sight()
    feet = battlefield(scene).distance(viewer.at, target.at)
    why = localize("knights_of_valour.unseen", blocker=line.blocker.name) if line.blocker else ""
    return Sight(
        is_seen=line.blocker is None,
        why=why,
        distance=localize("knights_of_valour.feet", count=feet),
        line=line.segment,
        at=line.at,
        blocker=line.blocker,
    )


@identity_cache(FEW)
def seen_cells(scene: Scene, token_id: str) -> Mask:
    """Return the squares whose center a creature sees from its own; none off the board."""
    battle, creature = battlefield(scene), read_creature(scene.token(token_id))
    at = creature.token.at
    if at is None or at not in battle.board:
        return Mask.of((), battle.board.rows)
    bodies = _bodies(battle, (creature.id,))
    blockers = wall_blockers(scene.walls, CLOSED).with_bodies((), [body for body, _ in bodies])
    return visible(battle.board, battle.board.center(at), blockers)
