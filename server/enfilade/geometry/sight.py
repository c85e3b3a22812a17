"""Lines of sight between points, and which cells a point sees, exactly.

The touching rule: a wall is closed, so a line that only touches it or its end is blocked, and walls that
meet are watertight. A box (what a token fills) is open, so a line may graze its edge or its corner; where
two boxes meet at a corner only, a line through that corner is blocked (rulings C-15 of Coup-de-Grace).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from enfilade.geometry.mask import Mask
from enfilade.geometry.square import SquareBoard, centre
from enfilade.geometry.units import Box, Point, Segment


@dataclass(frozen=True, slots=True)
class Blockers:
    """What can stop a line: walls are closed segments, boxes are open rectangles."""

    walls: Sequence[Segment] = ()
    boxes: Sequence[Box] = ()


@dataclass(frozen=True, slots=True)
class Blocked:
    """The first thing found that stops a line: the index of a wall, of a box, or of two boxes meeting."""

    wall: int | None = None
    box: int | None = None


def side_of(a: Point, b: Point, p: Point) -> int:
    """Twice the signed area of a, b, p: positive to the right of the way from a to b, 0 on its line."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def _spans_overlap(a: Point, b: Point, c: Point, d: Point) -> bool:
    return all(max(min(a[i], b[i]), min(c[i], d[i])) <= min(max(a[i], b[i]), max(c[i], d[i])) for i in (0, 1))


def touches(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two closed segments have a point in common."""
    if not _spans_overlap(a, b, c, d):
        return False
    s1, s2, s3, s4 = side_of(a, b, c), side_of(a, b, d), side_of(c, d, a), side_of(c, d, b)
    return not (s1 > 0 < s2 or s1 < 0 > s2 or s3 > 0 < s4 or s3 < 0 > s4)


def crosses(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments cross at a point inside both."""
    s1, s2 = side_of(a, b, c), side_of(a, b, d)
    s3, s4 = side_of(c, d, a), side_of(c, d, b)
    return (s1 > 0 > s2 or s1 < 0 < s2) and (s3 > 0 > s4 or s3 < 0 < s4)


def enters(a: Point, b: Point, box: Box) -> bool:
    """Whether a line between two points outside a box passes through its inside."""
    left, top, right, bottom = box
    return crosses(a, b, (left, top), (right, bottom)) or crosses(a, b, (left, bottom), (right, top))


def pinches(boxes: Collection[Box]) -> list[Point]:
    """The points where two boxes meet at a corner and nowhere else, which no line passes."""
    falling = {(right, bottom) for _, _, right, bottom in boxes} & {(x, y) for x, y, _, _ in boxes}
    rising = {(right, y) for _, y, right, _ in boxes} & {(x, bottom) for x, _, _, bottom in boxes}
    return sorted(falling | rising)


def blocked(a: Point, b: Point, blockers: Blockers) -> Blocked | None:
    """What stops the line from a to b, or None where it is clear.

    Boxes that contain a or b must be left out by the caller: nobody hides behind himself.
    """
    for i, (x1, y1, x2, y2) in enumerate(blockers.walls):
        if touches(a, b, (x1, y1), (x2, y2)):
            return Blocked(wall=i)
    for i, box in enumerate(blockers.boxes):
        if enters(a, b, box):
            return Blocked(box=i)
    for point in pinches(blockers.boxes):
        if touches(a, b, point, point):
            return Blocked()
    return None


def visible(board: SquareBoard, eye: Point, blockers: Blockers) -> Mask:
    """The cells whose centre a point sees; a box never hides its own cells from outside it."""
    cells = [
        (x, y)
        for y in range(board.rows)
        for x in range(board.columns)
        if _sees(eye, centre((x, y)), blockers)
    ]
    return Mask.of(cells, board.rows)


def _sees(eye: Point, point: Point, blockers: Blockers) -> bool:
    others = [box for box in blockers.boxes if not _holds(box, point) and not _holds(box, eye)]
    return blocked(eye, point, Blockers(blockers.walls, others)) is None


def _holds(box: Box, point: Point) -> bool:
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]
