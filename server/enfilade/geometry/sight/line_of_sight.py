"""Lines of sight between points, the cells that a point sees, and field of view past opaque cells. Exact.

By default a wall is closed: a line that only touches it or its end is blocked, so walls that meet are
watertight. A body is open: a line may graze its edge or its corner. If two boxes meet at a corner only, a
line through that corner is blocked (ruling C-15 of Coup-de-Grace). `TouchRule` holds the alternatives.
Sight is symmetric except for one-way walls and walls with a threshold. A point sees itself: a wall that it
stands on does not hide the eye's own cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from enfilade.geometry.board.base import Board, Cell, Point, Segment
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.square import SquareBoard
from enfilade.geometry.kernel import sight
from enfilade.geometry.kernel.python_sight import Hit, Viewer
from enfilade.geometry.sight.blockers import LEVEL, Blockers, Heights, check_line_ends
from enfilade.geometry.sight.raster import lattices, visible_mask
from enfilade.runtime.time_budget import checkpoint


@dataclass(frozen=True, slots=True)
class Obstruction:
    """The first blocker on a line, by its number among the blockers: a wall, a box or a body.

    None of the three is set if two bodies stop the line together, at a corner or along an edge. `at` is the
    point, rounded to a 64th: for drawing, not for rules; it is worked out when it is asked for.
    """

    wall: int | None = None
    box: int | None = None
    body: int | None = None
    hit: tuple[Point, Point, Hit] | None = field(default=None, compare=False, repr=False)

    @property
    def at(self) -> Point | None:
        """The point where the blocker stops the line."""
        if self.hit is None:
            return None
        (x, y), (end_x, end_y), hit = self.hit
        return (_part_of_way(x, end_x, hit), _part_of_way(y, end_y, hit))


def first_obstruction(a: Point, b: Point, blockers: Blockers, heights: Heights = LEVEL) -> Obstruction | None:
    """Return the first obstruction on the line from a to b, or None if the line is clear.

    Bodies that contain a or b stop nothing: a token does not hide itself. Raises ValueError for points that
    are not integers.
    """
    return first_obstructions(a, [b], blockers, heights)[0]


def first_obstructions(
    eye: Point, points: Sequence[Point], blockers: Blockers, heights: Heights = LEVEL
) -> list[Obstruction | None]:
    """Return the first obstruction on the line to each point, as `first_obstruction` does for one."""
    check_line_ends((eye, *points), heights)
    checkpoint()
    hits, boxes = sight.first_hits(eye, points, blockers, heights), len(blockers.boxes)
    found: list[Obstruction | None] = []
    for point, hit in zip(points, hits, strict=True):
        checkpoint()
        if hit is not None and point == eye:
            found.append(_obstruction_of_itself(eye, blockers, heights))
        else:
            found.append(hit and _obstruction(eye, point, hit, boxes))
    return found


def _obstruction_of_itself(eye: Point, blockers: Blockers, heights: Heights) -> Obstruction | None:
    """Return what hides a point from itself, at another height: no wall, but a body that it touches."""
    bodies = blockers.without_walls
    (hit,) = sight.first_hits(eye, [eye], bodies, heights)
    return hit and _obstruction(eye, eye, hit, len(bodies.boxes))


def _obstruction(a: Point, b: Point, hit: Hit, boxes: int) -> Obstruction:
    found = (a, b, hit)
    if hit.wall >= 0 or hit.body < 0:
        return Obstruction(hit.wall if hit.wall >= 0 else None, None, None, found)
    if hit.body < boxes:
        return Obstruction(None, hit.body, None, found)
    return Obstruction(None, None, hit.body - boxes, found)


def _part_of_way(start: int, end: int, hit: Hit) -> int:
    """Return the coordinate of a hit, rounded to a whole number; a half to the even one."""
    whole, rest = divmod((end - start) * hit.over, hit.under)
    whole += start
    return whole + (2 * rest > hit.under or (2 * rest == hit.under and whole & 1))


class SightLine(NamedTuple):
    """A line of sight and its first obstruction, None if the line is clear."""

    line: Segment
    obstruction: Obstruction | None


def best_sight_line(
    eyes: Sequence[Point], points: Sequence[Point], blockers: Blockers, heights: Heights = LEVEL
) -> SightLine:
    """Return the first clear line from any eye to any point, or the blocked line that gets farthest.

    Raises ValueError if there are no eyes or no points, or if one is not given in integers.
    """
    check_line_ends((*eyes, *points), heights)
    best: tuple[Hit, Point, Point] | None = None
    for eye in eyes:
        checkpoint()
        for point, hit in zip(points, sight.first_hits(eye, points, blockers, heights), strict=True):
            if hit is None or (point == eye and not _obstruction_of_itself(eye, blockers, heights)):
                return SightLine((*eye, *point), None)
            if best is None or hit.over * best[0].under > best[0].over * hit.under:
                best = (hit, eye, point)
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
    seen = visible_mask(
        board, [sight.cast_shadows(lattice, eye, heights, blockers) for lattice in lattices(board)]
    )
    own = _own_cell(board, eye, seen, blockers, heights)
    return seen | Mask.of(own, board.rows) if own else seen


def _own_cell(
    board: Board,
    eye: Point,
    seen: Mask,
    blockers: Blockers,
    heights: Heights,
) -> list[Cell]:
    """Return the cell whose center an eye is at, if it is not seen for a wall through it alone."""
    centered = [lattice.cell_with_center(eye) for lattice in lattices(board)]
    hidden = [cell for cell in centered if cell is not None and cell not in seen]
    return hidden if hidden and _obstruction_of_itself(eye, blockers, heights) is None else []


def seen_by_any(
    board: Board, viewers: Sequence[Viewer], blockers: Blockers, heights: Heights = LEVEL
) -> Mask:
    """Return the wanted cells that at least one eye sees; faster than `visible` for each eye.

    A viewer is an eye and the mask of the cells to test from there. Raises ValueError if an eye is not
    given in integers.
    """
    return seen_by_each(board, [viewers], blockers, heights)[0]


def seen_by_each(
    board: Board, parties: Sequence[Sequence[Viewer]], blockers: Blockers, heights: Heights = LEVEL
) -> list[Mask]:
    """Return the `seen_by_any` of each of some parties of viewers, worked out at once."""
    check_line_ends([eye for viewers in parties for eye, _ in viewers], heights)
    checkpoint()
    found, parts = sight.seen_by_each(board, parties, blockers, heights), lattices(board)
    masks = []
    for viewers, rows in zip(parties, found, strict=True):
        seen, own = Mask(rows), list[Cell]()
        for eye, wanted in viewers:
            checkpoint()
            for lattice in parts:
                cell = lattice.cell_with_center(eye)
                if cell is not None and cell in wanted and cell not in seen:
                    own += _own_cell(board, eye, seen, blockers, heights)
        masks.append(seen | Mask.of(own, board.rows) if own else seen)
    return masks


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
