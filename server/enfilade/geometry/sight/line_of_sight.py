"""Lines of sight between points, the cells that a point sees, and field of view past opaque cells. Exact.

By default a wall is closed: a line that only touches it or its end is blocked, so walls that meet are
watertight. A body is open: a line may graze its edge or its corner. If two boxes meet at a corner only, a
line through that corner is blocked (ruling C-15 of Coup-de-Grace). `TouchRule` holds the alternatives.
Sight is symmetric except for one-way walls and walls with a threshold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from enfilade.geometry.board.base import Board
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.square import SquareBoard
from enfilade.geometry.board.units import Cell, Point, Segment
from enfilade.geometry.kernel import sight
from enfilade.geometry.sight.blockers import LEVEL, Blockers, Heights, check_line_ends
from enfilade.geometry.sight.intersections import Intersection, body_intersections, wall_intersections
from enfilade.geometry.sight.raster import lattices, visible_mask
from enfilade.time_budget import checkpoint


@dataclass(frozen=True, slots=True)
class Obstruction:
    """The first blocker on a line, by its number among the blockers: a wall, a box or a body.

    None of the three is set if two bodies stop the line together, at a corner or along an edge. `at` is the
    point, rounded to a 64th: for drawing, not for rules.
    """

    wall: int | None = None
    box: int | None = None
    body: int | None = None
    at: Point | None = field(default=None, compare=False)


def first_obstruction(a: Point, b: Point, blockers: Blockers, heights: Heights = LEVEL) -> Obstruction | None:
    """Return the first obstruction on the line from a to b, or None if the line is clear.

    Bodies that contain a or b stop nothing: a token does not hide itself. Raises ValueError for points that
    are not integers.
    """
    check_line_ends((a, b), heights)
    first = _first_intersection(a, b, blockers, heights)
    return _obstruction(a, b, first, len(blockers.boxes)) if first else None


def _first_intersection(a: Point, b: Point, blockers: Blockers, heights: Heights) -> Intersection | None:
    checkpoint()
    hits = [*wall_intersections(a, b, heights, blockers), *body_intersections(a, b, heights, blockers)]
    return min(hits, key=lambda one: one.fraction, default=None)


def _obstruction(a: Point, b: Point, hit: Intersection, boxes: int) -> Obstruction:
    at = (round(a[0] + hit.fraction * (b[0] - a[0])), round(a[1] + hit.fraction * (b[1] - a[1])))
    if hit.wall is not None or hit.body is None:
        return Obstruction(wall=hit.wall, at=at)
    return Obstruction(box=hit.body, at=at) if hit.body < boxes else Obstruction(body=hit.body - boxes, at=at)


class SightLine(NamedTuple):
    """A line of sight and its first obstruction, None if the line is clear."""

    line: Segment
    obstruction: Obstruction | None


def best_sight_line(
    eyes: Sequence[Point], points: Sequence[Point], blockers: Blockers, heights: Heights = LEVEL
) -> SightLine:
    """Return the first clear line from any eye to any point, or the blocked line that gets farthest.

    Runs in Python with either kernel, one pair at a time; a line is clear exactly if the kernel says so.
    Raises ValueError if there are no eyes or no points, or if one is not given in integers.
    """
    check_line_ends((*eyes, *points), heights)
    best: tuple[Intersection, Point, Point] | None = None
    for a, b in product(eyes, points):
        hit = _first_intersection(a, b, blockers, heights)
        if hit is None:
            return SightLine((*a, *b), None)
        if best is None or hit.fraction > best[0].fraction:
            best = (hit, a, b)
    if best is None:
        raise ValueError("A line of sight needs an eye and a point.")
    hit, a, b = best
    return SightLine((*a, *b), _obstruction(a, b, hit, len(blockers.boxes)))


def visible(board: Board, eye: Point, blockers: Blockers, heights: Heights = LEVEL) -> Mask:
    """Return the cells whose center a point sees.

    A body never hides its own cells from outside, and hides nothing from an eye inside it. Raises
    ValueError if the eye is not given in integers.
    """
    check_line_ends((eye,), heights)
    checkpoint()
    return visible_mask(
        board, [sight.cast_shadows(lattice, eye, heights, blockers) for lattice in lattices(board)]
    )


class OpaqueCells:
    """Field of view on a square board with opaque cells, as in a roguelike dungeon of blocks.

    Exact, center to center and symmetric; faster than `visible` on a board without walls. A line may graze
    an opaque square, also between two that meet at a corner. A cell never hides itself, so the face of a
    block is visible and the cells behind it are not. Build a new value when the cells change. For rulesets
    on block dungeons; no ruleset of the server has one yet.

    Raises ValueError for cells off the board.
    """

    def __init__(self, board: SquareBoard, cells: Mask) -> None:
        self.board = board
        flags = bytearray(board.columns * board.rows)
        for column, row in cells:
            if (column, row) not in board:
                raise ValueError(f"The opaque cell {(column, row)} is not on the board.")
            flags[row * board.columns + column] = 1
        self._flags = bytes(flags)

    def visible_from(self, cell: Cell) -> Mask:
        """Return the cells that a cell sees. Raises ValueError if the cell is off the board."""
        if cell not in self.board:
            raise ValueError(f"The cell {cell} is not on the board.")
        return Mask(tuple(sight.field_of_view(self.board.columns, self.board.rows, self._flags, cell)))
