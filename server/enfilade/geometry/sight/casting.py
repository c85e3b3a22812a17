"""All that darkens a board for one eye: shadows, and what lies in line with a wall seen from its end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from enfilade.geometry.board.bodies import Block
from enfilade.geometry.board.predicates import side_of, touches
from enfilade.geometry.board.units import Point
from enfilade.geometry.board.walls import Wall
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.intersections import meets_wall, runs_along
from enfilade.geometry.sight.raster import Darkness, unhidden
from enfilade.geometry.sight.shadows import Heights, Shadow, body_shadows, half_shadow, margins, wall_shadow
from enfilade.geometry.sight.touching import CLOSED
from enfilade.time_budget import checkpoint


class Thin(NamedTuple):
    """A wall or joint that the eye looks along: it hides only what lies in line with it."""

    wall: Wall
    meets: Callable[[Point, Point, Heights, Wall], Fraction | None]
    own: tuple[Block, ...] = ()


def cast(eye: Point, heights: Heights, blockers: Blockers, holding: Collection[int]) -> list[Shadow]:
    """The shadows that an eye meets, without those that others hide; `holding` bodies throw none."""
    walls = [wall for _, wall in blockers.walls_before(eye)]
    wall_slack, body_slack = blockers.touching.slacks
    shadows = list(_wall_shadows(eye, heights, walls, wall_slack))
    for number, body in enumerate(blockers.all_bodies):
        checkpoint()
        if number not in holding:
            shadows += body_shadows(eye, heights, body, body_slack)
    return unhidden(shadows)


def edge_on(eye: Point, blockers: Blockers) -> list[Wall]:
    """The walls that the eye looks along."""
    return [wall for _, wall in blockers.walls_before(eye) if _is_in_line(eye, wall)]


def thin_ones(eye: Point, blockers: Blockers, walls: Sequence[Wall], holding: Collection[int]) -> list[Thin]:
    """What throws no shadow but stops lines: the walls the eye looks along, and joints in line with it."""
    thin = [Thin(wall, _meets_closed) for wall in walls if blockers.touching.wall == "blocks"]
    for wall, (a, b), is_seam in blockers.joints:
        if a not in holding and b not in holding and _is_in_line(eye, wall):
            own = blockers.all_bodies[a].cells + blockers.all_bodies[b].cells
            thin.append(Thin(wall, runs_along if is_seam else _meets_closed, own))
    return thin


def _wall_shadows(eye: Point, heights: Heights, walls: Sequence[Wall], slack: int) -> Iterator[Shadow]:
    for wall in walls:
        checkpoint()
        side = side_of(wall.line[:2], wall.line[2:], eye)
        if side and (wall.one_way == "both" or (side < 0) == (wall.one_way == "left")):
            shadow = wall_shadow(eye, heights, wall, slack)
            if shadow is not None:
                yield shadow


def _is_in_line(eye: Point, wall: Wall) -> bool:
    return side_of(wall.line[:2], wall.line[2:], eye) == 0


def _meets_closed(a: Point, b: Point, heights: Heights, wall: Wall) -> Fraction | None:
    return meets_wall(a, b, heights, wall, CLOSED)


def add_thin(dark: Darkness, heights: Heights, thin: Thin) -> None:
    """Darken what a thin wall or joint hides; an eye that stands on a wall sees nothing past it."""
    wall, is_limited = thin.wall, thin.wall.sight == "limited"
    if thin.meets is not runs_along and _stands_on(dark.eye, heights, wall):
        if wall.one_way == "both":
            dark.add_everything(is_limited, thin.own)
        elif wall.line[:2] != wall.line[2:]:
            dark.add_shadow(half_shadow(dark.eye, wall))
        return
    own = dark.lattice.bits(thin.own)
    for column, row in dark.in_line(_direction(dark.eye, wall)):
        centre = dark.lattice.centre(column, row)
        if thin.meets(dark.eye, centre, heights, wall) is not None:
            dark.add(row, 1 << column & ~own.get(row, 0), is_limited)


def _stands_on(eye: Point, heights: Heights, wall: Wall) -> bool:
    on_line = touches(eye, eye, wall.line[:2], wall.line[2:])
    return on_line and all(at_eye >= 0 for at_eye, _ in margins(wall, heights))


def _direction(eye: Point, wall: Wall) -> Point:
    """The way from an eye along a wall in line with it: to the farther of its ends."""
    x1, y1, x2, y2 = wall.line
    one, other = (x1 - eye[0], y1 - eye[1]), (x2 - eye[0], y2 - eye[1])
    return max(one, other, key=lambda way: abs(way[0]) + abs(way[1]))
