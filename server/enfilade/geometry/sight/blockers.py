"""Everything that can stop a line of sight: walls, bodies, the joints between bodies, and the touch rule."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from operator import itemgetter
from typing import Literal, NamedTuple, get_args

from enfilade.geometry.board.predicates import are_integers, shared_edges
from enfilade.geometry.board.shapes import Body, Wall, WallShape, box_body
from enfilade.geometry.board.units import Box, Point, Segment
from enfilade.geometry.sight.tables import BodyTables, WallTables, body_tables, wall_tables
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint

Touch = Literal["blocks", "passes"]

Proportions = tuple[int, int]
"""The squares of the true length of one unit across and down; the smaller is at least 1."""

SQUARE: Proportions = (1, 1)
POINTY_HEXES: Proportions = (3, 4)
FLAT_HEXES: Proportions = (4, 3)

Heights = tuple[int, int]
"""The heights of the eye and of its target, in 64ths of a cell."""

LEVEL: Heights = (0, 0)
"""Eye and target on the ground."""


NOT_INTEGERS = "Points and heights are integers, in 64ths of a cell."


def check_line_ends(points: Iterable[Point], heights: Heights) -> None:
    """Raise ValueError if an end of a line of sight is not given in integers."""
    if not are_integers(chain(heights, chain.from_iterable(points))):
        raise ValueError(NOT_INTEGERS)


@dataclass(frozen=True, slots=True)
class TouchRule:
    """The effect on a line that only touches a blocker: "blocks" or "passes".

    Attributes:
        wall: a line that touches a wall or its end; "passes" opens the joints of walls too.
        body: a line that grazes the edge or corner of a body.
        corner: a line through the point where the boxes of two bodies meet at their corners (ruling C-15
            of Coup-de-Grace).
        edge: a line along the edge that two bodies share.

    Raises ValueError for any other word.
    """

    wall: Touch = "blocks"
    body: Touch = "passes"
    corner: Touch = "blocks"
    edge: Touch = "passes"

    def __post_init__(self) -> None:
        if not {self.wall, self.body, self.corner, self.edge} <= set(get_args(Touch)):
            raise ValueError("A line that touches either 'blocks' or 'passes'.")

    @property
    def slacks(self) -> tuple[int, int]:
        """For walls and for bodies: 0 if touching stops a line, 1 if the line must go through."""
        return (0 if self.wall == "blocks" else 1, 0 if self.body == "blocks" else 1)


CLOSED = TouchRule()

_WALL_PROPERTIES = ("all_walls", "wall_tables")
_BODY_PROPERTIES = ("all_bodies", "body_tables", "joints")


class Joint(NamedTuple):
    """A point that no line passes or a seam that no line runs along, as a wall of both bodies' height.

    `bodies` are the numbers of the two bodies, or twice that of one. Neither hides anything inside itself.
    """

    wall: WallShape
    bodies: tuple[int, int]
    is_seam: bool


@dataclass(frozen=True)
class Blockers:
    """The walls and bodies that may stop a line on one board, and the touch rule.

    A plain segment among the walls is a wall that stops every line. A plain box is the body that fills it
    on a square board, at all heights. `proportions` matter only for the thresholds of walls.
    """

    walls: Sequence[Segment | WallShape] = ()
    boxes: Sequence[Box] = ()
    bodies: Sequence[Body] = ()
    touch_rule: TouchRule = field(default_factory=TouchRule)
    proportions: Proportions = SQUARE

    @lazy
    def all_walls(self) -> list[WallShape]:
        """The walls as `Wall` objects, in order."""
        return [Wall(wall) if isinstance(wall, tuple) else wall for wall in self.walls]

    @lazy
    def all_bodies(self) -> list[Body]:
        """The boxes as bodies, in order, followed by the bodies."""
        return [*map(box_body, self.boxes), *self.bodies]

    @lazy
    def joints(self) -> list[Joint]:
        """The joints between bodies that stop lines."""
        return list(_joints_of(self.all_bodies, self.touch_rule))

    @property
    def stop_every_eye(self) -> bool:
        """True if every wall is opaque to every eye."""
        return self.wall_tables.stop_every_eye

    @lazy
    def wall_tables(self) -> WallTables:
        """The walls as tables for the kernel."""
        return wall_tables(self.all_walls)

    @lazy
    def body_tables(self) -> BodyTables:
        """The bodies as tables for the kernel."""
        return body_tables(self.all_bodies)

    @lazy
    def are_plain(self) -> bool:
        """True if all walls and bodies stop every line that meets them, from every eye."""
        return self.stop_every_eye and not self.wall_tables.facts and not self.body_tables.heights

    @lazy
    def span(self) -> tuple[int, int]:
        """The least and the greatest number of all walls and bodies. Raises OverflowError beyond 32 bits."""
        spans = (*self.wall_tables.span, *self.body_tables.span)
        return min(spans), max(spans)

    @lazy
    def kernel_tables(self) -> dict[object, object]:
        """The forms in which the kernel has taken these blockers; only the kernel reads them."""
        return {}

    @lazy
    def without_walls(self) -> Blockers:
        """The same bodies alone, with their computed properties."""
        alone = replace(self, walls=())
        for name in _BODY_PROPERTIES:
            alone.__dict__[name] = getattr(self, name)
        return alone

    def with_tables(self) -> Blockers:
        """Compute the properties of the walls that `with_bodies` hands on, and return the blockers."""
        for name in _WALL_PROPERTIES:
            getattr(self, name)
        return self

    def with_bodies(self, boxes: Sequence[Box], bodies: Sequence[Body] = ()) -> Blockers:
        """Return the same walls with other bodies. Computed properties of the walls are kept."""
        moved = replace(self, boxes=boxes, bodies=bodies)
        for name in (*_WALL_PROPERTIES, "_by_left"):
            if name in self.__dict__:
                moved.__dict__[name] = self.__dict__[name]
        return moved

    def walls_before(self, eye: Point) -> Iterator[tuple[int, WallShape]]:
        """Yield the walls that may stop lines from an eye, with their numbers."""
        for number, wall in enumerate(self.all_walls):
            if wall.sight != "none" and not wall.is_open and not self._is_transparent(eye, wall):
                yield number, wall

    def walls_between(self, a: Point, b: Point) -> Iterator[tuple[int, WallShape]]:
        """Yield the `walls_before` a point that may meet its line to another, in the same order."""
        lefts, numbers, widest = self._by_left
        first, last = bisect_left(lefts, min(a[0], b[0]) - widest), bisect_right(lefts, max(a[0], b[0]))
        for number in sorted(numbers[first:last]):
            wall = self.all_walls[number]
            if wall.sight != "none" and not wall.is_open and not self._is_transparent(a, wall):
                yield number, wall

    @lazy
    def _by_left(self) -> tuple[list[int], list[int], int]:
        """The left ends of all walls in order, the walls' numbers, and the width of the widest."""
        lines = [wall.line for wall in self.all_walls]
        ordered = sorted([(min(x1, x2), number) for number, (x1, _, x2, _) in enumerate(lines)])
        widest = max([abs(x2 - x1) for x1, _, x2, _ in lines], default=0)
        return [left for left, _ in ordered], [number for _, number in ordered], widest

    def bodies_between(self, a: Point, b: Point) -> Iterator[tuple[int, Body]]:
        """Yield the bodies whose bounding box the box of a line meets, with their numbers, in order."""
        lefts, bounded, widest = self._bodies_by_left
        (left, right), (top, bottom) = sorted((a[0], b[0])), sorted((a[1], b[1]))
        first, last = bisect_left(lefts, left - widest), bisect_right(lefts, right)
        near = [
            (number, body)
            for (_, up, high, down), number, body in bounded[first:last]
            if high >= left and up <= bottom and down >= top
        ]
        yield from sorted(near, key=itemgetter(0))

    @lazy
    def _bodies_by_left(self) -> tuple[list[int], list[tuple[Box, int, Body]], int]:
        """The left ends of all bodies in order, the bodies with their bounds, and the width of the widest."""
        bounded = [(body.bounds, number, body) for number, body in enumerate(self.all_bodies)]
        bounded.sort(key=lambda one: one[:2])
        widest = max([high - low for (low, _, high, _), _, _ in bounded], default=0)
        return [box[0] for box, _, _ in bounded], bounded, widest

    def _is_transparent(self, eye: Point, wall: WallShape) -> bool:
        """Return whether the threshold of a wall makes it transparent to this eye."""
        if wall.sight not in ("proximity", "distance") or wall.threshold <= 0:
            return False
        distance = _square_distance(eye, wall.line, self.proportions)
        limit = wall.threshold * wall.threshold * min(self.proportions)
        return distance < limit if wall.sight == "proximity" else distance > limit


def _square_distance(point: Point, segment: Segment, proportions: Proportions) -> Fraction:
    """Return the square of the distance from a point to a segment, in the board's proportions."""
    (across, down), (x1, y1, x2, y2) = proportions, segment
    vx, vy, px, py = x2 - x1, y2 - y1, point[0] - x1, point[1] - y1
    length = across * vx * vx + down * vy * vy
    along = max(0, min(length, across * vx * px + down * vy * py))
    part = Fraction(along, length or 1)
    return across * (px - part * vx) ** 2 + down * (py - part * vy) ** 2


def _joints_of(bodies: Sequence[Body], rule: TouchRule) -> Iterator[Joint]:
    """Yield the joints that stop lines by the touch rule, and the seams within each body."""
    if rule.corner == "blocks":
        yield from _corner_joints(bodies)
    if rule.edge == "blocks":
        parts = [(part, number) for number, body in enumerate(bodies) for part in body.parts]
        for line, i, j in shared_edges([part for part, _ in parts]):
            if parts[i][1] != parts[j][1]:
                yield _joint(bodies, line, parts[i][1], parts[j][1], True)
    for number, body in enumerate(bodies):
        for line in body.seams:
            yield _joint(bodies, line, number, number, True)


def _corner_joints(bodies: Sequence[Body]) -> Iterator[Joint]:
    """Yield the points where the boxes of two bodies meet at a corner and nowhere else, in order."""
    boxes = [(part, number) for number, body in enumerate(bodies) for part in body.parts if len(part) == 4]
    upper_left: dict[Point, list[int]] = {}
    upper_right: dict[Point, list[int]] = {}
    for part, number in boxes:
        checkpoint()
        upper_left.setdefault(part[0], []).append(number)
        upper_right.setdefault(part[1], []).append(number)
    meetings = []
    for part, number in boxes:
        checkpoint()
        if part[2] in upper_left:
            meetings += [(0, part[2], number, other) for other in upper_left[part[2]]]
        if part[3] in upper_right:
            meetings += [(1, part[3], number, other) for other in upper_right[part[3]]]
    for _, point, a, b in sorted(meetings):
        checkpoint()
        yield _joint(bodies, point + point, a, b, False)


def _joint(bodies: Sequence[Body], line: Segment, a: int, b: int, is_seam: bool) -> Joint:
    bottoms = [body.bottom for body in (bodies[a], bodies[b]) if body.bottom is not None]
    tops = [body.top for body in (bodies[a], bodies[b]) if body.top is not None]
    wall = Wall(line, bottom=max(bottoms, default=None), top=min(tops, default=None))
    return Joint(wall, (a, b), is_seam)
