"""Areas of effect: their origins, the squares they fill, and who is in them (SRD-103, SRD-166 to SRD-176)."""

from __future__ import annotations

import math
from typing import NamedTuple, cast

from enfilade.geometry.board.areas import Fill, around_box, cone, cube, line, sphere
from enfilade.geometry.board.base import CELL, HALF, Cell, Point
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.house_rules import setting
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.battlefield import contacts, cover, cover_of
from enfilade.rulesets.fifth_edition.profiles import Effect, read_creature
from enfilade.scene.model import Scene, Token

AT_POINT = ("sphere", "cylinder")
"""The shapes that are put at a corner of the grid."""


class Aimed(NamedTuple):
    """An effect as its caster aims it: at a creature, or at a square or toward it."""

    caster: Token
    effect: Effect
    target: Token | None = None
    at: Cell | None = None
    facing: int | None = None


def area_of(scene: Scene, aimed: Aimed, wanted: Mask | None = None) -> Mask:
    """Return the squares of an effect, or those of them that are wanted (SRD-166 to SRD-175).

    Squares in total cover from its origin are out.
    """
    spaces, (caster, effect, *_) = contacts(scene).screens.spaces, aimed
    size, board = round(effect.size * CELL / spaces.cell), spaces.board
    fill = cast("Fill", setting(scene, house_rules.AREA))
    if effect.shape == "emanation":
        is_round = setting(scene, house_rules.EMANATION) == "round" and not isinstance(board, HexBoard)
        near = around_box(board, spaces.box(caster), size, fill) if is_round else None
        near = near or spaces.within(caster, spaces.length(effect.size))
        return near - Mask.of(spaces.cells(caster), board.rows)
    origin, toward = aim(scene, aimed)
    match effect.shape:
        case "cone":
            found = cone(board, origin, toward, size, fill, wanted)
        case "line":
            width = round(effect.width * CELL / spaces.cell)
            found = line(board, origin, toward, size, width, fill, wanted)
        case "cube":
            found = cube(board, origin, toward, size, fill, wanted)
        case _:
            found = sphere(board, origin, size, fill, wanted)
    return contacts(scene).screens.clear_from(origin, found)


def aim(scene: Scene, aimed: Aimed) -> tuple[Point, Point]:
    """Return the origin of an effect and a vector along it (SRD-167, SRD-169 to SRD-174).

    A sphere and a cylinder have their origin at a corner of the square or of the target's space, or by a
    house rule in its middle; a cube with a range has one around it. Cones, lines and other cubes begin at
    the corner or the middle of a side of the caster's own space that faces where they are aimed. By the
    freest house rule a facing picks the corner or the middle of a side of the square, and none its middle.
    """
    screens, (caster, effect, target, at, _) = contacts(scene).screens, aimed
    spaces = screens.spaces
    here = spaces.center(caster)
    there = spaces.board.center(at) if at is not None else spaces.center(target or caster)
    is_cube = effect.shape == "cube" and bool(effect.range)
    if effect.shape in AT_POINT or is_cube:
        is_odd = is_cube and round(effect.size / spaces.cell) % 2  # around a square, else around a corner
        point = screens.near_side(here, there if is_odd else _origin(scene, aimed, there))
        half = round(effect.size * HALF / spaces.cell) if is_cube else 0
        return (point[0] - half, point[1]), (1, 0)
    half = max(caster.size) * CELL // 2
    across, down = there[0] - here[0], there[1] - here[1]
    if there == here:  # at the own square is to the east
        across = 2 * half
    origin = _edge(here, half, across, down)
    toward = here[0] + across - origin[0], here[1] + down - origin[1]
    return origin, toward if any(toward) else (across, down)


def _edge(middle: Point, half: int, across: float, down: float) -> Point:
    """Return the corner or the middle of a side of a space that is nearest to a direction (SRD-174)."""
    turn = round(math.atan2(down, across) * 4 / math.pi) * math.pi / 4
    return middle[0] + round(math.cos(turn)) * half, middle[1] + round(math.sin(turn)) * half


def _origin(scene: Scene, aimed: Aimed, middle: Point) -> Point:
    """Return the origin of a sphere: a corner, or the middle of a square, or any of its edge (SRD-169)."""
    spaces, choice = contacts(scene).screens.spaces, setting(scene, house_rules.ORIGIN)
    if choice == "corner":
        at = aimed.at
        return spaces.corner(at) if at is not None else spaces.outer_corner(aimed.target or aimed.caster)
    if choice == "center" or aimed.facing is None:
        return middle
    ahead = math.radians(aimed.facing)
    return _edge(middle, HALF, math.sin(ahead), -math.cos(ahead))


def caught_in(scene: Scene, aimed: Aimed) -> list[str]:
    """Return the creatures in an effect, each of which has a square in it (SRD-168, SRD-170, SRD-176)."""
    caster, effect, target, at, facing = aimed
    if effect.shape in ("single", "teleport"):
        return [target.id] if target else []
    return list(_caught(scene, caster.id, effect, target.id if target else "", at, facing))


@per_scene
def _caught(
    scene: Scene, caster_id: str, effect: Effect, target_id: str, at: Cell | None, facing: int | None
) -> list[str]:
    caster, target = scene.token(caster_id), scene.token(target_id) if target_id else None
    aimed = Aimed(caster, effect, target, at, facing)
    spaces = contacts(scene).screens.spaces
    cells = area_of(scene, aimed, spaces.filled)
    return [one.id for one in spaces.placed if _is_in(scene, aimed, cells, one)]


def catches(scene: Scene, aimed: Aimed, one: Token) -> bool:
    """Return whether a creature on the board is in an effect, without a look at others."""
    if aimed.effect.shape in ("single", "teleport"):
        return aimed.target is not None and aimed.target.id == one.id
    spaces = contacts(scene).screens.spaces
    own = Mask.of([cell for cell in spaces.cells(one) if cell in spaces.board], spaces.board.rows)
    return _is_in(scene, aimed, area_of(scene, aimed, own), one)


def _is_in(scene: Scene, aimed: Aimed, cells: Mask, one: Token) -> bool:
    """Return whether a creature is in an effect that fills some cells (SRD-168, SRD-170)."""
    spaces, effect = contacts(scene).screens.spaces, aimed.effect
    top = effect.height * spaces.grid.distance / spaces.cell if effect.shape == "cylinder" else None
    return (
        any(cell in cells for cell in spaces.cells(one))
        and "out" not in read_creature(one).states
        and not (effect.spares_allies and scene.are_allies(aimed.caster, one))
        and (top is None or one.elevation < top)
    )


def cover_from(scene: Scene, aimed: Aimed, one: str) -> str:
    """Return the cover of a creature from the origin of an effect (SRD-103)."""
    screens, token = contacts(scene).screens, scene.token(one)
    if aimed.effect.shape in ("emanation", "single"):
        return cover(scene, aimed.caster, token) if one != aimed.caster.id else ""
    return cover_of(screens.covered_from(aim(scene, aimed)[0], HALF, token))
