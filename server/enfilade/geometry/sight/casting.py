"""Everything that darkens a board for one eye: shadows, and the cells in line with a wall seen edge-on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from enfilade.geometry.board.base import Point
from enfilade.geometry.board.predicates import side_of, touches
from enfilade.geometry.board.shapes import Block, WallShape
from enfilade.geometry.sight.blockers import CLOSED, Blockers, Heights
from enfilade.geometry.sight.intersections import meets_wall, runs_along
from enfilade.geometry.sight.raster import ShadowRaster, cull_hidden
from enfilade.geometry.sight.shadows import Shadow, body_shadows, half_shadow, margins, wall_shadow
from enfilade.runtime.time_budget import checkpoint


class EdgeOnBlocker(NamedTuple):
    """A wall or joint that the eye looks along: it hides only the cells in line with it."""

    wall: WallShape
    meets: Callable[[Point, Point, Heights, WallShape], Fraction | None]
    own: tuple[Block, ...] = ()


def find_shadows(
    eye: Point, heights: Heights, blockers: Blockers, around_eye: Collection[int]
) -> list[Shadow]:
    """Return the shadows that an eye meets, without those hidden by others.

    The bodies numbered in `around_eye` contain the eye and cast none.
    """
    walls = [wall for _, wall in blockers.walls_before(eye)]
    wall_slack, body_slack = blockers.touch_rule.slacks
    shadows = list(_wall_shadows(eye, heights, walls, wall_slack))
    for number, body in enumerate(blockers.all_bodies):
        checkpoint()
        if number not in around_eye:
            shadows += body_shadows(eye, heights, body, body_slack)
    return cull_hidden(shadows)


def edge_on_walls(eye: Point, blockers: Blockers) -> list[WallShape]:
    """Return the walls that the eye looks along."""
    return [wall for _, wall in blockers.walls_before(eye) if _is_in_line(eye, wall)]


def edge_on_blockers(
    eye: Point, blockers: Blockers, walls: Sequence[WallShape], around_eye: Collection[int]
) -> list[EdgeOnBlocker]:
    """Return the walls that the eye looks along and the joints in line with it: they cast no shadow."""
    found = [EdgeOnBlocker(wall, _meets_closed) for wall in walls if blockers.touch_rule.wall == "blocks"]
    for wall, (a, b), is_seam in blockers.joints:
        if a not in around_eye and b not in around_eye and _is_in_line(eye, wall):
            own = blockers.all_bodies[a].cells + blockers.all_bodies[b].cells
            found.append(EdgeOnBlocker(wall, runs_along if is_seam else _meets_closed, own))
    return found


def _wall_shadows(eye: Point, heights: Heights, walls: Sequence[WallShape], slack: int) -> Iterator[Shadow]:
    for wall in walls:
        checkpoint()
        side = side_of(wall.line[:2], wall.line[2:], eye)
        if side and (wall.one_way == "both" or (side < 0) == (wall.one_way == "left")):
            shadow = wall_shadow(eye, heights, wall, slack)
            if shadow is not None:
                yield shadow


def _is_in_line(eye: Point, wall: WallShape) -> bool:
    return side_of(wall.line[:2], wall.line[2:], eye) == 0


def _meets_closed(a: Point, b: Point, heights: Heights, wall: WallShape) -> Fraction | None:
    return meets_wall(a, b, heights, wall, CLOSED)


def add_edge_on(dark: ShadowRaster, heights: Heights, blocker: EdgeOnBlocker) -> None:
    """Darken the cells behind a blocker seen edge-on. An eye that stands on a wall sees nothing past it."""
    wall, is_limited = blocker.wall, blocker.wall.sight == "limited"
    if blocker.meets is not runs_along and _stands_on(dark.eye, heights, wall):
        if wall.one_way == "both":
            dark.add_everything(is_limited, blocker.own)
        elif wall.line[:2] != wall.line[2:]:
            dark.add_shadow(half_shadow(dark.eye, wall))
        return
    own = dark.lattice.bits(blocker.own)
    for column, row in dark.in_line(_direction(dark.eye, wall)):
        center = dark.lattice.center(column, row)
        if blocker.meets(dark.eye, center, heights, wall) is not None:
            dark.add(row, 1 << column & ~own.get(row, 0), is_limited)


def _stands_on(eye: Point, heights: Heights, wall: WallShape) -> bool:
    on_line = touches(eye, eye, wall.line[:2], wall.line[2:])
    return on_line and all(at_eye >= 0 for at_eye, _ in margins(wall, heights))


def _direction(eye: Point, wall: WallShape) -> Point:
    """Return the direction from an eye along a wall in line with it, to the farther of its ends."""
    x1, y1, x2, y2 = wall.line
    one, other = (x1 - eye[0], y1 - eye[1]), (x2 - eye[0], y2 - eye[1])
    return max(one, other, key=lambda way: abs(way[0]) + abs(way[1]))
