"""The cost of a step: by the state of the mover, and by the cells that it leaves and enters.

The state of a mover is its facing, or the number of diagonals so far. In each state a table gives, for each
direction clockwise as the board lists its steps, the points of a step and the state after it; another gives
the points of changing state on the spot. Terrain multiplies the points of a step and adds tolls, for one
cell or for a big body.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from enfilade.geometry.board.arcs import angle_between
from enfilade.geometry.board.base import LANES, Board, Cell
from enfilade.geometry.board.footprint import ONE_CELL, Footprint
from enfilade.geometry.board.padded_grid import build_table, grid_of
from enfilade.geometry.board.shapes import WallShape
from enfilade.geometry.board.square import Diagonals
from enfilade.geometry.kernel.python_fields import MAX_COST, MAX_STATES, NO_DIRECTION, NO_STEP
from enfilade.geometry.movement.barriers import barred_steps


@dataclass(frozen=True, slots=True)
class StepCosts:
    """The states of a mover.

    Attributes:
        points: for each state and each of eight directions the points of a step; None forbids it.
        next_states: for each state and direction the state after the step.
        turns: for each two states the points of a change on the spot; None forbids it.

    Raises ValueError if the tables do not match, a step is free, or a turn costs less than nothing.
    """

    points: tuple[tuple[int | None, ...], ...]
    next_states: tuple[tuple[int, ...], ...]
    turns: tuple[tuple[int | None, ...], ...]

    def __post_init__(self) -> None:
        count = self.states
        if not 1 <= count <= MAX_STATES:
            raise ValueError(f"Step costs have 1 to {MAX_STATES} states, not {count}.")
        if not _is_table(self.points, count, 8, range(1, MAX_COST + 1)):
            raise ValueError("Each state needs the points of a step in 8 directions, integers from 1 up.")
        if not _is_table(self.next_states, count, 8, range(count)):
            raise ValueError("Each state needs the next state after a step in 8 directions.")
        if not _is_table(self.turns, count, count, range(MAX_COST + 1)):
            raise ValueError("Each two states need the points of a turn, integers from 0 up.")

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.points)


def _is_table(rows: Sequence[Sequence[int | None]], height: int, width: int, values: range) -> bool:
    return len(rows) == height and all(
        len(row) == width and all(value is None or _is_integer_in(value, values) for value in row)
        for row in rows
    )


def _is_integer_in(value: int, values: range) -> bool:
    return isinstance(value, int) and value in values


@lru_cache(maxsize=64)
def default_step_costs(board: Board) -> StepCosts:
    """Return the board's own step costs: 1 point each; on squares, diagonals by the board's rule."""
    rule = getattr(board, "diagonals", None)
    if not isinstance(rule, Diagonals) or not rule.are_legal:
        return StepCosts(((1,) * 8,), ((0,) * 8,), ((None,),))
    straight, odd, even = rule.value
    first = (straight, odd) * 4
    if not rule.alternate:
        return StepCosts((first,), ((0,) * 8,), ((None,),))
    return StepCosts((first, (straight, even) * 4), ((0, 1) * 4, (1, 0) * 4), ((None, None), (None, None)))


def facing_step_costs(
    facings: Sequence[int],
    step: Callable[[int], int | None],
    turn: Callable[[int], int | None],
) -> StepCosts:
    """Return the costs of a mover that keeps its facing as it moves and pays for turns on the spot.

    Args:
        facings: the compass angles of the board's steps, clockwise, at most eight; state i faces the i-th.
        step: returns the points of a step, from its angle to the facing in degrees (0 to 180), or None.
        turn: returns the points of a turn on the spot, from its angle in degrees, or None.

    Raises ValueError for more than eight facings, or as `StepCosts` does.
    """
    count = len(facings)
    if not 1 <= count <= 8:
        raise ValueError(f"A mover has 1 to 8 facings, not {count}.")
    angles = [[angle_between(a, b) for b in facings] for a in facings]
    points = tuple(tuple(step(angle) for angle in row) + (None,) * (8 - count) for row in angles)
    next_states = tuple((state,) * 8 for state in range(count))
    return StepCosts(points, next_states, tuple(tuple(turn(angle) for angle in row) for row in angles))


@lru_cache(maxsize=64)
def direction_table(board: Board) -> bytes:
    """Return, for each parity of (row, column) and each lane, its number among the steps, clockwise."""
    table = bytearray([NO_DIRECTION]) * (4 * len(LANES))
    for row in (0, 1):
        for column in (0, 1):
            for number, lane in enumerate(board.lanes((column, row))):
                table[len(LANES) * (2 * row + column) + lane] = number
    return bytes(table)


def points_table(rows: Sequence[Sequence[int | None]]) -> array[int]:
    """Return points as a table for the kernel: 16 bits each, None as `NO_STEP`."""
    return array("H", [NO_STEP if points is None else points for row in rows for points in row])


class CellJump(NamedTuple):
    """A move from a cell over others, as by a leap: where it ends, in which state, and its points."""

    start: Cell
    state: int
    end: Cell
    next_state: int
    points: int


@dataclass(frozen=True)
class TerrainCost:
    """The cost of each cell of a board. Build the tables with `build_table`, or start from `open_terrain`.

    Attributes:
        enter: the factor on a step that enters a cell; 0 is closed.
        leave: the factor on a step (or turn) that leaves a cell; 0 holds the mover there.
        barred: the steps that walls bar, from `barred_steps`.
        enter_toll: points that entering a cell adds.
        leave_toll: points that leaving a cell adds.
        heights: the height of cells in 64ths of a cell; 0 by default.
        stops: cells where a move must stop after it enters: zones of control.
        no_end: cells that a move may pass but not end on: those of friends.
        jumps: moves over cells beside the steps, from 1 point up; one into a closed cell is impossible.
        steps: the factors of single steps, by the cell left and the lane, in place of the entered cell's: a
            big body may pay for what it newly covers alone.
    """

    enter: array[int]
    leave: array[int]
    barred: bytes
    enter_toll: Mapping[Cell, int] = field(default_factory=dict)
    leave_toll: Mapping[Cell, int] = field(default_factory=dict)
    heights: Mapping[Cell, int] = field(default_factory=dict)
    stops: Iterable[Cell] = ()
    no_end: Iterable[Cell] = ()
    jumps: Sequence[CellJump] = ()
    steps: Mapping[tuple[Cell, int], int] = field(default_factory=dict)


def open_terrain(board: Board, walls: Iterable[WallShape] = ()) -> TerrainCost:
    """Build a board without terrain: every step costs what the board counts, except through walls."""
    return TerrainCost(build_table(board, 1), build_table(board, 1), barred_steps(board, tuple(walls)))


@dataclass(frozen=True)
class Mover:
    """The properties of a mover that its steps depend on.

    Attributes:
        footprint: the cells it fills; it moves by the cell it stands at.
        step_costs: the cost of its steps; None is the board's own.
        open_corners: how many of the two cells beside a diagonal step must be open: 0 squeezes between two
            blocked squares, 1 goes around a corner, 2 around none.
        climb: returns the points that a step up (negative: down) adds, from its 64ths, or None if it is
            too high. Without it heights do not matter.

    Raises ValueError if `open_corners` is not 0, 1 or 2.
    """

    footprint: Footprint = ONE_CELL
    step_costs: StepCosts | None = None
    open_corners: int = 0
    climb: Callable[[int], int | None] | None = None

    def __post_init__(self) -> None:
        if self.open_corners not in (0, 1, 2):
            raise ValueError(f"A mover needs 0, 1 or 2 open corners, not {self.open_corners!r}.")


def under_footprint(board: Board, terrain: TerrainCost, footprint: Footprint) -> TerrainCost:
    """Return the terrain as a big body meets it, by the cell it stands at.

    The body stands only where all of it fits on open cells without a wall between them. The costliest of its
    cells counts and the highest one supports it. A cell that holds, stops or bars one cell of the body does
    so for the whole body. Raises ValueError for a big body on terrain with jumps.
    """
    if len(footprint.offsets) == 1:
        return terrain
    if terrain.jumps:
        raise ValueError("Only a mover of one cell jumps.")
    body = _Body(board, footprint)
    enter = body.max_cost(terrain.enter)
    for index in body.cut(terrain.barred):
        enter[index] = 0
    return replace(
        terrain,
        enter=enter,
        leave=body.max_cost(terrain.leave),
        barred=body.barred(terrain.barred),
        enter_toll=body.max_value(terrain.enter_toll),
        leave_toll=body.max_value(terrain.leave_toll),
        heights=body.max_value(terrain.heights),
        stops=body.touching(terrain.stops),
        no_end=body.touching(terrain.no_end),
    )


_PARITIES: tuple[Cell, ...] = ((0, 0), (1, 0), (0, 1), (1, 1))
"""The columns and rows by which cells differ, as hexes are stored; squares do not."""


class _Strip(NamedTuple):
    """Places of a body in one row, every second column: their indexes, and those of each cell under it."""

    parity: int
    places: slice
    filled: list[slice]


class _Body:
    """A footprint on a board, as it stands on whole strips of the board at once.

    What depends on the parity of a column and a row is listed in the order of `_PARITIES`.
    """

    def __init__(self, board: Board, footprint: Footprint) -> None:
        self._board, self._grid = board, grid_of(board)
        self._cells = [[(x - at[0], y - at[1]) for x, y in footprint.cells(board, at)] for at in _PARITIES]
        strips = [self._strip(row, column) for row in range(board.rows) for column in (0, 1)]
        self._strips = [strip for strip in strips if strip]

    def _strip(self, row: int, column: int) -> _Strip | None:
        """Return the places of a row from a column on where the whole body is on the board; None if none."""
        parity, board, grid = 2 * (row & 1) + column, self._board, self._grid
        columns, rows = zip(*self._cells[parity], strict=True)
        first, end = max(0, -min(columns)), min(board.columns, board.columns - max(columns))
        first += (first ^ column) & 1
        if first >= end or row + min(rows) < 0 or row + max(rows) >= board.rows:
            return None
        start = grid.index((first, row))
        places = slice(start, start + end - first, 2)
        shifts = [grid.stride * dy + dx for dx, dy in self._cells[parity]]
        return _Strip(parity, places, [slice(start + by, places.stop + by, 2) for by in shifts])

    def max_cost(self, table: array[int]) -> array[int]:
        """Return the greatest entry under the body; 0 if one of them is 0, or if the body does not fit."""
        found = array("H", bytes(2 * len(table)))
        for strip in self._strips:
            parts = [table[part] for part in strip.filled]
            most = parts[0]  # of most strips, which have one cost all over
            if most.count(most[0]) < len(most) or parts.count(most) < len(parts):
                under = zip(*parts, strict=True)
                most = array("H", [max(entries) if all(entries) else 0 for entries in under])
            found[strip.places] = most
        return found

    def max_value(self, values: Mapping[Cell, int]) -> dict[Cell, int]:
        """Return the greatest value under the body, for each position with one under it."""
        found = {}
        for at in self.touching(values):
            parity = 2 * (at[1] & 1) + (at[0] & 1)
            under = [values.get((at[0] + dx, at[1] + dy)) for dx, dy in self._cells[parity]]
            known = [value for value in under if value is not None]
            found[at] = max(known if len(known) == len(under) else [*known, 0])
        return found

    def touching(self, cells: Iterable[Cell]) -> list[Cell]:
        """Return the places of the body with one of some cells under it, row by row."""
        marks = bytearray(self._grid.size)
        for cell in cells:
            if cell in self._board:
                marks[self._grid.index(cell)] = 1
        if not any(marks):
            return []
        touched = self._joined(marks, [[None] * len(under) for under in self._cells])
        return [self._grid.cell(index) for index, mark in enumerate(touched) if mark]

    def barred(self, table: bytes) -> bytes:
        """Return the lanes barred for any cell under the body, as lanes of the cell it stands at.

        On hexes one direction is another lane in cells of another parity, so lanes are compared by their
        number, clockwise from north.
        """
        lanes = self._board.adjacent_lanes
        readings = [
            [_lanes_as(lanes((x + dx, y + dy)), lanes((x, y))) for dx, dy in cells]
            for (x, y), cells in zip(_PARITIES, self._cells, strict=True)
        ]
        return self._joined(table, readings)

    def cut(self, table: bytes) -> list[int]:
        """Return the indexes of the places where a wall runs between two cells under the body."""
        inner = [[_among(_lanes_into(cells, cell)) for cell in cells] for cells in self._cells]
        return [index for index, lanes in enumerate(self._joined(table, inner)) if lanes]

    def _joined(self, table: bytes | bytearray, readings: Sequence[Sequence[bytes | None]]) -> bytes:
        """Return the bits of all cells under the body, by its place.

        `readings` say what the entries of each cell mean, as for `bytes.translate`, by the place's parity.
        """
        found = bytearray(len(table))
        for strip in self._strips:
            bits = 0
            for part, reading in zip(strip.filled, readings[strip.parity], strict=True):
                bits |= int.from_bytes(table[part].translate(reading), "little")
            found[strip.places] = bits.to_bytes(len(found[strip.places]), "little")
        return bytes(found)


def _lanes_into(cells: Sequence[Cell], cell: Cell) -> int:
    """Return the lanes that lead from a cell to one of some cells, as bits."""
    return sum(1 << i for i, (dx, dy) in enumerate(LANES) if (cell[0] + dx, cell[1] + dy) in cells)


@lru_cache(maxsize=64)
def _lanes_as(lanes: Sequence[int], own: Sequence[int]) -> bytes:
    """Return for each entry of a table of steps the lanes of another cell in the same directions."""
    pairs = list(zip(lanes, own, strict=True))
    return bytes(sum(1 << to for lane, to in pairs if entry >> lane & 1) for entry in range(256))


@lru_cache(maxsize=256)
def _among(lanes: int) -> bytes:
    """Return for each entry of a table of steps those of its lanes that are among some."""
    return bytes(entry & lanes for entry in range(256))
