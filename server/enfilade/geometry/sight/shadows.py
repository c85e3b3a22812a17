"""The shadow of a blocker: a wedge that begins at the blocker and has no end.

Seen from the eye, a convex blocker is its chord: the line between the two corners at its rims. A point is
in shadow if it is inside the wedge between the two rims and beyond the chord. These are three half-planes,
so they cut a row of cells in one run. A blocker of limited height adds half-planes along its edges: behind
a low wall the shadow ends where the line of sight comes down over it.

Every half-plane is relative to the eye and has integer coefficients.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from enfilade.geometry.board.base import Corners, Point
from enfilade.geometry.board.shapes import Block, Body, WallShape
from enfilade.geometry.sight.blockers import Heights

HalfPlane = tuple[int, int, int]
"""(a, b, c): the points with a x + b y + c >= 0."""


class Shadow(NamedTuple):
    """A wedge from its right rim to its left, turning clockwise on the screen.

    Attributes:
        right: the corner at the rim where the wedge begins; `left` the one where it ends.
        planes: the half-planes whose intersection is the shadow.
        own: the blocker's own cells, which it never hides.
        nearest: a lower bound of the square of the distance to the shadow.
        farthest: the square of the distance to the blocker's farthest corner; 0 if the shadow has an end
            or does not hide on its own, so that it hides no other shadow.
        begins: the least distance of the shadow below the eye, negative above it; 0 if it is on both sides.
        is_limited: whether it takes two such shadows to hide a cell.
    """

    right: Point
    left: Point
    planes: tuple[HalfPlane, ...]
    own: tuple[Block, ...]
    nearest: int
    farthest: int
    begins: int = 0
    is_limited: bool = False


def wall_shadow(eye: Point, heights: Heights, wall: WallShape, slack: int) -> Shadow | None:
    """Return the shadow of a wall that the eye does not look along; None if the wall does not stop this eye.

    `slack` is 0 if touching the wall is enough, 1 if the line must cross it.
    """
    right, left, turn = _chord(eye, wall)
    face = (left[1] - right[1], right[0] - left[0], -turn)
    cuts = _height_cuts(wall, heights, [face], [face], 0)
    if cuts is None:
        return None
    is_limited = wall.sight == "limited"
    planes = (
        (-right[1], right[0], -slack),
        (left[1], -left[0], -slack),
        (face[0], face[1], -turn - slack),
        *cuts,
    )
    farthest = 0 if cuts or is_limited else max(_square(right), _square(left))
    nearest, begins = _nearest(right, left, turn), _begins((right[1], left[1]))
    return Shadow(right, left, planes, (), nearest, farthest, begins, is_limited)


def _chord(eye: Point, wall: WallShape) -> tuple[Point, Point, int]:
    x1, y1, x2, y2 = wall.line
    ax, ay, bx, by = x1 - eye[0], y1 - eye[1], x2 - eye[0], y2 - eye[1]
    turn = ax * by - ay * bx
    return ((ax, ay), (bx, by), turn) if turn > 0 else ((bx, by), (ax, ay), -turn)


def half_shadow(eye: Point, wall: WallShape) -> Shadow:
    """Return the shadow of a one-way wall for an eye that stands on it: the far side."""
    x1, y1, x2, y2 = wall.line
    a, b = (x1 - eye[0], y1 - eye[1]), (x2 - eye[0], y2 - eye[1])
    right, left = (b, a) if wall.one_way == "left" else (a, b)
    is_limited = wall.sight == "limited"
    return Shadow(right, left, (_tighten(_plane(right, left), 1),), (), 0, 0, 0, is_limited)


def body_shadows(eye: Point, heights: Heights, body: Body, slack: int) -> Iterator[Shadow]:
    """Yield the shadows of a body's parts; none if it is too low or too high for this line.

    A body hides other shadows only beyond all of it, because its own cells are never dark.
    """
    if body.top is not None and body.bottom is not None and body.top - body.bottom < slack:
        return
    corners = (corner for part in body.parts for corner in part)
    farthest = max((_square((x - eye[0], y - eye[1])) for x, y in corners), default=0)
    for part in body.parts:
        shadow = _part_shadow(eye, heights, body, part, slack)
        if shadow is not None:
            yield shadow._replace(farthest=farthest) if shadow.farthest else shadow


def _part_shadow(eye: Point, heights: Heights, body: Body, part: Corners, slack: int) -> Shadow | None:
    around = [(x - eye[0], y - eye[1]) for x, y in part]
    edges = list(zip(around, around[1:] + around[:1], strict=True))
    turns = [cross(a, b) for a, b in edges]
    if not slack and min(turns) == 0 and all(at_eye >= 0 for at_eye, _ in margins(body, heights)):
        return Shadow((0, 0), (0, 0), (), body.cells, 0, 0)  # the eye touches it: all is dark
    start, end = _near_side(turns)
    right, left = around[end], around[start]
    limit = 0 if slack else 1  # a closed body is entered by an edge that the eye touches, too
    near = [_plane(b, a) for (a, b), turn in zip(edges, turns, strict=True) if turn < limit]
    far = [_plane(a, b) for (a, b), turn in zip(edges, turns, strict=True) if turn > 0]
    cuts = _height_cuts(body, heights, near, far, slack)
    if cuts is None:
        return None
    faces = [_plane(right, left)] if slack else near
    planes = (*_wedge(right, left, slack), *(_tighten(face, slack) for face in faces), *cuts)
    nearest = _nearest(right, left, cross(right, left)) if slack else 0
    return Shadow(right, left, planes, body.cells, nearest, not cuts, _begins([y for _, y in around]))


def _begins(heights: Sequence[int]) -> int:
    low, high = min(heights), max(heights)
    return low if low > 0 else min(high, 0)


def _near_side(turns: Sequence[int]) -> tuple[int, int]:
    """Return the corners where the edges that face the eye begin and end; an eye on an edge faces that."""
    worst = 0 if min(turns) < 0 else 1
    near = [turn < worst for turn in turns]
    start = next(i for i in range(len(near)) if near[i] and not near[i - 1])
    end = next(i for i in range(len(near)) if not near[i] and near[i - 1])
    return start, end


def _height_cuts(
    blocker: WallShape | Body,
    heights: Heights,
    near: Sequence[HalfPlane],
    far: Sequence[HalfPlane],
    slack: int,
) -> list[HalfPlane] | None:
    """Return the half-planes by which a blocker's top and bottom cut its shadow; None if they leave nothing.

    A line from height h at the eye to height t at the point crosses an edge's line at the fraction
    n / (n + v) of its length, with n and v the distances of eye and point from that line. It is below the
    top there if (top - h) v + (top - t) n >= 0: a half-plane again. The near edges count for a line that
    passes the top on its way up, the far ones on its way down.
    """
    cuts: list[HalfPlane] = []
    if blocker.top is None and blocker.bottom is None:
        return cuts
    for at_eye, at_point in margins(blocker, heights):
        if at_eye < slack and at_point < slack:
            return None
        if at_eye < slack or at_point < slack:
            for a, b, c in near if at_eye > 0 else far:
                cuts.append((at_eye * a, at_eye * b, at_eye * c - at_point * c - slack))
    return cuts


def margins(blocker: WallShape | Body, heights: Heights) -> Iterator[tuple[int, int]]:
    """Yield the heights of eye and point below a blocker's top and above its bottom, if it has them."""
    eye, point = heights
    if blocker.top is not None:
        yield blocker.top - eye, blocker.top - point
    if blocker.bottom is not None:
        yield eye - blocker.bottom, point - blocker.bottom


def _wedge(right: Point, left: Point, slack: int) -> tuple[HalfPlane, ...]:
    if cross(right, left) == 0:  # an eye on the blocker's edge: half of everything
        return ()
    return ((-right[1], right[0], -slack), (left[1], -left[0], -slack))


def _plane(right: Point, left: Point) -> HalfPlane:
    """Return the half-plane beyond the line between two points that turns clockwise about the eye."""
    return (left[1] - right[1], right[0] - left[0], -cross(right, left))


def _tighten(plane: HalfPlane, slack: int) -> HalfPlane:
    return (plane[0], plane[1], plane[2] - slack)


def cross(a: Point, b: Point) -> int:
    """Return the cross product of two directions: positive if the turn is clockwise on the screen."""
    return a[0] * b[1] - a[1] * b[0]


def _square(point: Point) -> int:
    return point[0] * point[0] + point[1] * point[1]


def _nearest(right: Point, left: Point, turn: int) -> int:
    """Return the square of the distance to a chord, rounded down."""
    vx, vy = left[0] - right[0], left[1] - right[1]
    along = -(right[0] * vx + right[1] * vy)
    length = vx * vx + vy * vy
    if along <= 0:
        return _square(right)
    return _square(left) if along >= length else turn * turn // length
