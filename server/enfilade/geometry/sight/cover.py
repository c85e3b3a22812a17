"""Cover: the number of blocked lines between an attacker and a target, by walls and by bodies.

The common rule on squares draws lines from each of the attacker's four corners to each of the target's.
Corners are inset by 2/64 of a cell, so that no line runs along the edge of a token's own square. A ruleset
decides which fraction means half cover or three-quarters cover.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from operator import add
from typing import NamedTuple

from enfilade.geometry.board.base import CELL, HALF, Board, Box, Cell, Point
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.shapes import Block, Body
from enfilade.geometry.kernel import sight
from enfilade.geometry.sight.blockers import LEVEL, Blockers, Heights, check_line_ends
from enfilade.geometry.sight.raster import Lattice, lattices, visible_mask
from enfilade.runtime.time_budget import checkpoint

INSET = 2
MAX_COVERS = 4_096


class Cover(NamedTuple):
    """The cover of a target against one attacker.

    Attributes:
        walls: for each of the attacker's points, the lines that a wall blocks.
        bodies: for each of them, the lines that a body blocks and no wall.
        lines: the lines from each point.
    """

    walls: tuple[int, ...]
    bodies: tuple[int, ...]
    lines: int

    @property
    def fraction(self) -> Fraction:
        """The blocked fraction of all lines; 0 if there are none."""
        return Fraction(sum(self.walls) + sum(self.bodies), len(self.walls) * self.lines or 1)

    @property
    def by_walls(self) -> Fraction:
        """The fraction of all lines that walls block."""
        return Fraction(sum(self.walls), len(self.walls) * self.lines or 1)

    @property
    def by_bodies(self) -> Fraction:
        """The fraction of all lines that bodies block and walls do not."""
        return self.fraction - self.by_walls

    @property
    def from_best_corner(self) -> Fraction:
        """The blocked fraction from the best point, for rules in which the attacker chooses a corner."""
        blocked = (a + b for a, b in zip(self.walls, self.bodies, strict=True))
        return Fraction(min(blocked, default=0), self.lines or 1)


def box_corners(box: Box, inset: int = INSET) -> tuple[Point, ...]:
    """Return the corners of a box on a square board, inset."""
    left, top, right, bottom = box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def hex_corners(board: HexBoard, cell: Cell) -> tuple[Point, ...]:
    """Return the corners of a hex, inset by a sixteenth of their distance from its center."""
    x, y = board.center(cell)
    return tuple((cx + (x - cx) // 16, cy + (y - cy) // 16) for cx, cy in board.corners(cell))


def cover(
    attacker: Sequence[Point], target: Sequence[Point], blockers: Blockers, heights: Heights = LEVEL
) -> Cover:
    """Return the cover of a target's points against an attacker's points.

    Give one point for lines from the attacker's center. A body that contains an end of a line does not block
    it, so neither token hides itself. Raises ValueError for points that are not integers.
    """
    # Plain rulesets ask for the same lines again in each check, offer and run of one answer.
    key = (tuple(attacker), tuple(target), _value(blockers), heights)
    found = _covers.get(key)
    if found is None:
        if len(_covers) >= MAX_COVERS:
            _covers.clear()
        found = _covers[key] = (covers(attacker, [target], blockers, heights)[0], blockers)
    return found[0]


_covers: dict[object, tuple[Cover, Blockers]] = {}
"""The covers of the last lines by value; each holds its blockers, so that no others get their identity."""


def _value(blockers: Blockers) -> object:
    if blockers.walls or blockers.bodies:
        return id(blockers)
    return (tuple(blockers.boxes), blockers.touch_rule, blockers.proportions)


def covers(
    attacker: Sequence[Point],
    targets: Sequence[Sequence[Point]],
    blockers: Blockers,
    heights: Heights = LEVEL,
) -> list[Cover]:
    """Return the cover of each target against one attacker; raises as `cover` does."""
    counts = sight.blocked_lines(attacker, targets, blockers, heights)
    return [
        Cover(tuple(count[0::2]), tuple(count[1::2]), len(target))
        for count, target in zip(counts, targets, strict=True)
    ]


def any_clear(
    pairs: Sequence[tuple[Sequence[Point], Sequence[Point]]], blockers: Blockers, heights: Heights = LEVEL
) -> list[bool]:
    """Return, for each pair of eyes and points, whether a line from any eye to any point is clear.

    No eye of a pair is among its points. Raises ValueError for points that are not integers.
    """
    return sight.any_clear(pairs, blockers, heights)


def lines_blocked(
    attacker: Sequence[Point],
    targets: Sequence[Sequence[Point]],
    blockers: Blockers,
    heights: Heights = LEVEL,
) -> list[list[int]]:
    """Return for each target two numbers for each of the attacker's points.

    They count the lines that a wall blocks, and those that only a body blocks: the same as `covers` gives,
    for those who ask for thousands of targets; raises as `cover` does.
    """
    return sight.blocked_lines(attacker, targets, blockers, heights)


def blocked_counts(
    attacker: Sequence[Point],
    targets: Sequence[Sequence[Point]],
    blockers: Blockers,
    heights: Heights = LEVEL,
) -> list[tuple[list[int], list[int]]]:
    """Return for each target the blocked lines from each of the attacker's points: by walls, and by anything.

    The same as `covers` gives, for those who ask for thousands of targets; raises as `cover` does.
    """
    counts = sight.blocked_lines(attacker, targets, blockers, heights)
    return [(count[0::2], [*map(add, count[0::2], count[1::2])]) for count in counts]


class BitCounter:
    """A count for every cell as binary digits: bit x of `digits[k][y]` is worth 2 ** k at (x, y)."""

    def __init__(self, rows: int) -> None:
        self.rows, self.digits = rows, [[0] * rows]

    def add(self, mask: Mask) -> None:
        """Add one to the count of each cell of a mask."""
        carry = list(mask.rows)
        for digit in self.digits:
            for row, bits in enumerate(carry):
                digit[row], carry[row] = digit[row] ^ bits, digit[row] & bits
        if any(carry):
            self.digits.append(carry)

    def at(self, cell: Cell) -> int:
        """Return the count of a cell."""
        column, row = cell
        return sum((digit[row] >> column & 1) << k for k, digit in enumerate(self.digits))

    def at_most(self, limit: int, whole_row: int) -> Mask:
        """Return the cells, of those in `whole_row`, with a count of at most `limit`."""
        rows = []
        for row in range(self.rows):
            less, same = (0, whole_row) if limit >> len(self.digits) == 0 else (whole_row, 0)
            for k in reversed(range(len(self.digits))):
                bits = self.digits[k][row]
                if limit >> k & 1:
                    less, same = less | same & ~bits, same & bits
                else:
                    same &= ~bits
            rows.append(less | same)
        return Mask(tuple(rows))


@dataclass(frozen=True, slots=True)
class CoverMap:
    """The lines from an attacker to every cell of a board, and the number of clear ones."""

    columns: int
    lines: int
    past_walls: BitCounter
    past_all: BitCounter

    def fraction(self, cell: Cell) -> Fraction:
        """Return the blocked fraction of the lines to a cell."""
        return Fraction(self.lines - self.past_all.at(cell), self.lines)

    def by_walls(self, cell: Cell) -> Fraction:
        """Return the fraction of the lines to a cell that walls block."""
        return Fraction(self.lines - self.past_walls.at(cell), self.lines)

    def by_bodies(self, cell: Cell) -> Fraction:
        """Return the fraction of the lines to a cell that bodies block and walls do not."""
        return self.fraction(cell) - self.by_walls(cell)

    def with_at_least(self, blocked: int) -> Mask:
        """Return the cells to which at least `blocked` lines are blocked."""
        if blocked > self.lines:
            return Mask((0,) * self.past_all.rows)
        return self.past_all.at_most(self.lines - blocked, (1 << self.columns) - 1)


def blocked_lines(
    board: Board, points: Sequence[Point], blockers: Blockers, heights: Heights = LEVEL
) -> list[Mask]:
    """Return for each number of lines from 1 on the cells to which at least that number is blocked.

    So many are blocked from each of the points. The lines end at the corners of each cell; walls and bodies
    count alike. Raises ValueError if a point is not given in integers, or if there is none.
    """
    return blocked_layers(board, points, (blockers,), heights)[0]


def blocked_layers(
    board: Board,
    points: Sequence[Point],
    layers: Sequence[Blockers],
    heights: Heights = LEVEL,
    *,
    to_centers: bool = False,
) -> list[list[Mask]]:
    """Return for each layer the `blocked_lines` of its blockers and those of the layers before it.

    So walls are looked at once for the lines past them, and for those past walls and bodies. A cell has one
    line, to its center, with `to_centers`.
    """
    if not points:
        raise ValueError("Blocked lines need at least one point.")
    check_line_ends(points, heights)
    offsets: list[Point] = [(0, 0)] if to_centers else _corner_offsets(board)
    partial = [_partial_bodies(board, layer) for layer in layers]
    shifted = [[lattice.shifted(*offset) for lattice in lattices(board)] for offset in offsets]
    present = [
        [_with_own_cells(layer, parts, there) for layer, parts in zip(layers, partial, strict=True)]
        for there in shifted
    ]
    found = sight.blocked_cells(board, points, offsets, present, heights)
    return [[Mask(tuple(rows)) for rows in of_layer] for of_layer in found]


def cover_map(
    board: Board, attacker: Sequence[Point], blockers: Blockers, heights: Heights = LEVEL
) -> CoverMap:
    """Return the cover that a target one cell in size has in every cell: the answers of `cover`, at once.

    Raises ValueError if the attacker has no points, or if one is not given in integers.
    """
    if not attacker:
        raise ValueError("A cover map needs at least one point of the attacker.")
    check_line_ends(attacker, heights)
    bare = blockers.with_bodies(())
    past_walls, past_all = BitCounter(board.rows), BitCounter(board.rows)
    offsets, partial = _corner_offsets(board), _partial_bodies(board, blockers)
    for offset in offsets:
        shifted = [lattice.shifted(*offset) for lattice in lattices(board)]
        with_bodies = _with_own_cells(blockers, partial, shifted)
        for eye in attacker:
            checkpoint()
            for counter, present in ((past_walls, bare), (past_all, with_bodies)):
                dark = [sight.cast_shadows(each, eye, heights, present) for each in shifted]
                counter.add(visible_mask(board, dark))
    return CoverMap(board.columns, len(attacker) * len(offsets), past_walls, past_all)


def _corner_offsets(board: Board) -> list[Point]:
    """Return the offsets from a cell's center to its inset corners."""
    if isinstance(board, HexBoard):
        x, y = board.center((0, 0))
        return [(cx - x, cy - y) for cx, cy in hex_corners(board, (0, 0))]
    corner = HALF - INSET
    return [(-corner, -corner), (corner, -corner), (corner, corner), (-corner, corner)]


def _partial_bodies(board: Board, blockers: Blockers) -> frozenset[int]:
    """Return the numbers of the bodies that may fill a part of a cell: most tokens fill whole cells."""
    return frozenset(i for i, body in enumerate(blockers.all_bodies) if not _fills_whole_cells(board, body))


def _fills_whole_cells(board: Board, body: Body) -> bool:
    if isinstance(board, HexBoard):
        return body.parts == tuple(board.corners((column, row)) for row, _, column, _ in body.cells)
    if len(body.parts) != 1 or len(body.parts[0]) != 4:
        return False
    (left, top), _, (right, bottom), _ = body.parts[0]
    is_box = body.parts[0] == ((left, top), (right, top), (right, bottom), (left, bottom))
    return is_box and not (left % CELL or top % CELL or right % CELL or bottom % CELL)


def _with_own_cells(blockers: Blockers, partial: Collection[int], shifted: Sequence[Lattice]) -> Blockers:
    """Return the blockers with each body's own cells those whose shifted point it contains.

    A body never hides the points that it contains. Lines end at a corner here, and a body that fills a part
    of a cell may contain its center and not its corner, or its corner and not its center.
    """
    if not partial:
        return blockers
    bodies = [
        replace(body, cells=tuple(_own_blocks(body, shifted))) if number in partial else body
        for number, body in enumerate(blockers.all_bodies)
    ]
    return blockers.with_bodies((), bodies)


def _own_blocks(body: Body, shifted: Sequence[Lattice]) -> Iterator[Block]:
    """Yield the cells of the board whose shifted point a body contains."""
    left, top, right, bottom = body.bounds
    for lattice in shifted:
        first, last = (top - lattice.y) // lattice.drop + 1, (bottom - lattice.y - 1) // lattice.drop
        lines = range(max(0, first), min(lattice.rows - 1, last) + 1)
        columns = range((left - lattice.x) // lattice.pitch + 1, (right - lattice.x - 1) // lattice.pitch + 1)
        for k, j in product(columns, lines):
            if body.contains(lattice.center(k, j)):
                column, row = lattice.cell(k, j)
                yield (row, row, column, column)
