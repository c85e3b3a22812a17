"""The shadow a blocker throws from an eye: a wedge that starts at the blocker and never ends.

Seen from the eye, a convex blocker is no more than the line between the two corners at its rims, its
chord. A point is in shadow where it lies inside the wedge between the two rims and beyond the chord: three
half-planes, so that a row of cells is cut in one run. Everything here is relative to the eye.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from enfilade.geometry.units import Point, Segment

HalfPlane = tuple[int, int, int]
"""(a, b, c): the points with a x + b y + c >= 0."""

Rows = tuple[int, int, int]
"""(first row, row after the last, bits): the same cells in each of those rows."""

NO_ROWS: Rows = (0, 0, 0)


class Shadow(NamedTuple):
    """A wedge from its right rim to its left, as seen in a frame whose y points down the board.

    Attributes:
        right: where the chord begins; turning from it to `left` is a positive turn.
        left: where the chord ends.
        slack: 0 where touching the blocker is enough, 1 where its inside must be entered.
        own: the blocker's own cells, which it never hides.
        reach: the square of the distance to the blocker's farthest corner.
    """

    right: Point
    left: Point
    slack: int
    own: Rows
    reach: int


def cross(a: Point, b: Point) -> int:
    """The turn from one direction to another: positive clockwise on the screen."""
    return a[0] * b[1] - a[1] * b[0]


def shadow_of_wall(eye: Point, wall: Segment) -> Shadow | None:
    """The shadow of a closed segment; None where the eye looks along it and it has no breadth."""
    ax, ay, bx, by = wall[0] - eye[0], wall[1] - eye[1], wall[2] - eye[0], wall[3] - eye[1]
    turn = ax * by - ay * bx
    if turn == 0:
        return None
    reach = max(ax * ax + ay * ay, bx * bx + by * by)
    if turn > 0:
        return Shadow((ax, ay), (bx, by), 0, NO_ROWS, reach)
    return Shadow((bx, by), (ax, ay), 0, NO_ROWS, reach)


def shadow_of_shape(eye: Point, corners: Sequence[Point], own: Rows) -> Shadow:
    """The shadow of an open convex shape, its corners given clockwise; the eye is not inside it."""
    around = [(x - eye[0], y - eye[1]) for x, y in corners]
    facing = [cross(a, b) for a, b in zip(around, around[1:] + around[:1], strict=True)]
    edge = 0 if min(facing) < 0 else 1  # an eye on the shape's edge faces that edge alone
    near = [turn < edge for turn in facing]
    first = next(i for i in range(len(near)) if near[i] and not near[i - 1])
    last = next(i for i in range(len(near)) if not near[i] and near[i - 1])
    return Shadow(around[last], around[first], 1, own, max(x * x + y * y for x, y in around))


def half_planes(shadow: Shadow) -> Iterator[HalfPlane]:
    """The half-planes whose common part is the shadow."""
    (rx, ry), (lx, ly), slack = shadow.right, shadow.left, shadow.slack
    turn = rx * ly - ry * lx
    if turn:
        yield (-ry, rx, -slack)
        yield (ly, -lx, -slack)
    yield (ly - ry, rx - lx, -turn - slack)
