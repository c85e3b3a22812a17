"""Shadows and blocked lines in Python: the reference for the C kernel, and the engine if there is no C.

For blocked lines, the blockers are first reduced to those near the band that contains all lines to a target,
and the wall that stopped the last line is tried first on the next. Lines are tested one by one only if some
walls or bodies do not stop every line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import chain
from operator import and_
from typing import NamedTuple

from enfilade.geometry.board.base import CELL, HALF, Board, Box, Cell, Point, Segment
from enfilade.geometry.board.bitboard import bitboard
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.predicates import crosses, misses, overlaps, touches
from enfilade.geometry.board.shapes import Body, corners_of
from enfilade.geometry.board.square import box, center
from enfilade.geometry.sight.blockers import Blockers, Heights, Joint, TouchRule, check_line_ends
from enfilade.geometry.sight.casting import add_edge_on, edge_on_blockers, edge_on_walls, find_shadows
from enfilade.geometry.sight.intersections import body_intersections, wall_intersections
from enfilade.geometry.sight.raster import Lattice, ShadowRaster, dark_rows, lattices, visible_mask
from enfilade.runtime.time_budget import checkpoint

Points = Sequence[Point]

Rows = list[int]
"""Cells as one integer for each row, as in a mask."""

Viewer = tuple[Point, Mask]
"""An eye, and the cells to test from there."""


class Hit(NamedTuple):
    """The first blocker of a line: the fraction of its length as two integers, the wall and the body.

    A number of -1 is none; two bodies that stop a line together have none.
    """

    over: int
    under: int
    wall: int
    body: int


def cast_shadows(lattice: Lattice, eye: Point, heights: Heights, blockers: Blockers) -> ShadowRaster:
    """Return the cells of a lattice whose center the eye does not see."""
    dark = ShadowRaster(lattice, eye)
    around_eye = {number for number, body in enumerate(blockers.all_bodies) if body.contains(eye)}
    for shadow in find_shadows(eye, heights, blockers, around_eye):
        checkpoint()
        dark.add_shadow(shadow)
    for blocker in edge_on_blockers(eye, blockers, edge_on_walls(eye, blockers), around_eye):
        add_edge_on(dark, heights, blocker)
    return dark


def blocked_cells(
    board: Board,
    eyes: Points,
    offsets: Points,
    layers: Sequence[Sequence[Blockers]],
    heights: Heights,
    cast: Callable[[Lattice, Point, Heights, Blockers], ShadowRaster] = cast_shadows,
) -> list[list[Rows]]:
    """Return for each layer, and each number of lines from 1 on, the cells to which so many are blocked.

    So many are blocked from each of the eyes. A cell has one line for each offset, to the point that lies so
    far from its center. Each offset has layers of its own; the blockers of a layer stop lines with those of
    the layers before. `cast` draws one lattice.
    """
    each = [_blocked_from(board, eye, offsets, layers, heights, cast) for eye in eyes]
    return [
        [[reduce(and_, row) for row in zip(*rows, strict=True)] for rows in zip(*of_layer, strict=True)]
        for of_layer in zip(*each, strict=True)
    ]


def _blocked_from(
    board: Board,
    eye: Point,
    offsets: Points,
    layers: Sequence[Sequence[Blockers]],
    heights: Heights,
    cast: Callable[[Lattice, Point, Heights, Blockers], ShadowRaster],
) -> list[list[Rows]]:
    """Return the `blocked_cells` of one eye."""
    bits = bitboard(board)
    found = [[bits.all] + [0] * len(offsets) for _ in layers[0]]
    for offset, present in zip(offsets, layers, strict=True):
        shifted, blocked = [lattice.shifted(*offset) for lattice in lattices(board)], 0
        for blockers, least in zip(present, found, strict=True):
            checkpoint()
            blocked |= bits.of_rows(
                dark_rows(board, [cast(each, eye, heights, blockers) for each in shifted])
            )
            for count in range(len(offsets), 0, -1):
                least[count] |= least[count - 1] & blocked
    return [[list(bits.mask(cells).rows) for cells in least[1:]] for least in found]


def field_of_view(columns: int, rows: int, opaque: bytes, cell: Cell) -> list[int]:
    """Return the cells of a square board whose center a cell's center sees past opaque cells, as row bits.

    Args:
        columns: the width of the board.
        rows: the height of the board.
        opaque: one byte per cell, row by row; 1 is opaque.
        cell: the cell of the eye.
    """
    cells = ((index % columns, index // columns) for index, is_opaque in enumerate(opaque) if is_opaque)
    blockers = Blockers(boxes=[box(each) for each in cells], touch_rule=TouchRule(corner="passes"))
    lattice = Lattice(0, 1, columns, 0, 1, rows, HALF, HALF, CELL, CELL)
    dark = cast_shadows(lattice, center(cell), (0, 0), blockers)
    return [lattice.all_columns & ~row for row in dark.rows]


def blocked_lines(
    attacker: Points, targets: Sequence[Points], blockers: Blockers, heights: Heights
) -> list[list[int]]:
    """Return, for each target, two numbers for each of the attacker's points.

    They count the lines to the target's points that a wall blocks, and those that only a body blocks. Raises
    ValueError for points that are not integers.
    """
    check_line_ends(chain(attacker, chain.from_iterable(targets)), heights)
    if blockers.are_plain and attacker:
        near = _NearBlockers(blockers)
        return [list(near.count(attacker, target)) for target in targets]
    return [list(_count_one_by_one(attacker, target, blockers, heights)) for target in targets]


def any_clear(pairs: Sequence[tuple[Points, Points]], blockers: Blockers, heights: Heights) -> list[bool]:
    """Return, for each pair of eyes and points, whether a line from any eye to any point is clear.

    No eye of a pair is among its points. Raises ValueError for points that are not integers.
    """
    counts = [blocked_lines(eyes, [points], blockers, heights)[0] for eyes, points in pairs]
    return [sum(count) < len(eyes) * len(points) for count, (eyes, points) in zip(counts, pairs, strict=True)]


def first_hits(start: Point, ends: Points, blockers: Blockers, heights: Heights) -> list[Hit | None]:
    """Return the first hit of the line from a point to each of some others; None if the line is clear.

    Raises ValueError for points that are not integers.
    """
    check_line_ends((start, *ends), heights)
    return [_first_hit(start, end, blockers, heights) for end in ends]


def _first_hit(start: Point, end: Point, blockers: Blockers, heights: Heights) -> Hit | None:
    checkpoint()
    hits = [
        *wall_intersections(start, end, heights, blockers),
        *body_intersections(start, end, heights, blockers),
    ]
    first = min(hits, key=lambda one: one.fraction, default=None)
    if first is None:
        return None
    wall, body = (-1 if number is None else number for number in (first.wall, first.body))
    return Hit(*first.fraction.as_integer_ratio(), wall, body)


def seen_by_each(
    board: Board, parties: Sequence[Sequence[Viewer]], blockers: Blockers, heights: Heights
) -> list[tuple[int, ...]]:
    """Return the `seen_by_any` of each of some parties of viewers."""
    return [seen_by_any(board, viewers, blockers, heights) for viewers in parties]


def seen_by_any(
    board: Board, viewers: Sequence[Viewer], blockers: Blockers, heights: Heights
) -> tuple[int, ...]:
    """Return the wanted cells that at least one eye sees, as the rows of a mask."""
    rows = [0] * board.rows
    for eye, wanted in viewers:
        checkpoint()
        if any(wanted.rows):
            dark = [cast_shadows(lattice, eye, heights, blockers) for lattice in lattices(board)]
            for row, bits in enumerate((visible_mask(board, dark) & wanted).rows):
                rows[row] |= bits
    return tuple(rows)


def clear_pairs(
    points: Points,
    blockers: Blockers,
    heights: Heights,
    clear: bytearray,
    changed: Sequence[Box] | None = None,
) -> None:
    """Set whether the line from each point to each other is clear: 1 or 0 in row `from`, column `to`.

    With `changed` boxes only the pairs whose line meets one are tested again; the rest of `clear` stays.
    """
    for i, a in enumerate(points):
        for j, b in enumerate(points):
            if changed is None or any(not misses(a, b, corners_of(box), 0) for box in changed):
                hits = chain(
                    wall_intersections(a, b, heights, blockers), body_intersections(a, b, heights, blockers)
                )
                clear[i * len(points) + j] = not any(hits)


def _count_one_by_one(
    attacker: Points, target: Points, blockers: Blockers, heights: Heights
) -> Iterator[int]:
    for eye in attacker:
        checkpoint()
        past = [point for point in target if not any(wall_intersections(eye, point, heights, blockers))]
        yield len(target) - len(past)
        yield sum(any(body_intersections(eye, point, heights, blockers)) for point in past)


class _NearBlockers:
    """Plain blockers with their bounds, to find those that some lines may meet."""

    def __init__(self, blockers: Blockers) -> None:
        self.blockers = blockers
        self.slack = blockers.touch_rule.slacks[1]
        self.meets = touches if blockers.touch_rule.wall == "blocks" else crosses
        self.walls = [wall.line for wall in blockers.all_walls]
        self.bounds = [(*body.bounds, body) for body in blockers.all_bodies]

    def count(self, attacker: Points, target: Points) -> Iterator[int]:
        """Yield two numbers for each of the attacker's points; see `blocked_lines`."""
        if not target:
            yield from [0, 0] * len(attacker)
            return
        walls, bodies, joints = self._near([*attacker, *target])
        for eye in attacker:
            checkpoint()
            past = [point for point in target if not self._walls_stop(eye, point, walls)]
            yield len(target) - len(past)
            yield sum(self._bodies_stop(eye, point, bodies, joints) for point in past)

    def _near(self, points: Points) -> tuple[list[Segment], list[Body], list[Joint]]:
        """Return the walls, bodies and joints that lines between the points may meet."""
        left, right = min(x for x, _ in points), max(x for x, _ in points)
        top, bottom = min(y for _, y in points), max(y for _, y in points)
        band = _Band(points)
        walls = [
            line
            for line in self.walls
            if not (
                line[0] < left > line[2]
                or line[0] > right < line[2]
                or line[1] < top > line[3]
                or line[1] > bottom < line[3]
            )
            and band.meets_segment(*line)
        ]
        bodies = [
            body
            for low, up, high, down, body in self.bounds
            if low <= right
            and high >= left
            and up <= bottom
            and down >= top
            and band.meets([corner for part in body.parts for corner in part])
        ]
        joints = [joint for joint in self.blockers.joints if band.meets_segment(*joint.wall.line)]
        return walls, bodies, joints

    def _walls_stop(self, a: Point, b: Point, near: list[Segment]) -> bool:
        for i, (x1, y1, x2, y2) in enumerate(near):
            if self.meets(a, b, (x1, y1), (x2, y2)):
                near[0], near[i] = near[i], near[0]
                return True
        return False

    def _bodies_stop(self, a: Point, b: Point, near: Sequence[Body], joints: Sequence[Joint]) -> bool:
        for body in near:
            is_missed = all(misses(a, b, part, self.slack) for part in body.parts)
            if not is_missed and not body.contains(a) and not body.contains(b):
                return True
        return any(self._joint_stops(a, b, joint) for joint in joints)

    def _joint_stops(self, a: Point, b: Point, joint: Joint) -> bool:
        line = joint.wall.line
        meets = overlaps if joint.is_seam else touches
        if not meets(a, b, line[:2], line[2:]):
            return False
        return not any(self.blockers.all_bodies[i].contains(end) for i in joint.bodies for end in (a, b))


class _Band:
    """A band around the line from the first to the last of some points that contains all of them."""

    def __init__(self, points: Points) -> None:
        (self.x, self.y), (x, y) = points[0], points[-1]
        self.dx, self.dy = x - self.x, y - self.y
        sides = self._sides(points)
        self.low, self.high = min(sides), max(sides)

    def _sides(self, points: Points) -> list[int]:
        return [self.dx * (y - self.y) - self.dy * (x - self.x) for x, y in points]

    def meets(self, corners: Points) -> bool:
        """Return whether a shape with these corners may reach into the band."""
        sides = self._sides(corners)
        return max(sides) >= self.low and min(sides) <= self.high

    def meets_segment(self, x1: int, y1: int, x2: int, y2: int) -> bool:
        """Return whether a segment may reach into the band."""
        one = self.dx * (y1 - self.y) - self.dy * (x1 - self.x)
        other = self.dx * (y2 - self.y) - self.dy * (x2 - self.x)
        return not (one < self.low > other or one > self.high < other)
