"""Terrain costs: what each cell of a board costs to enter and to leave, for one cell or for a big body."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from enfilade.geometry.board.base import Board
from enfilade.geometry.board.footprint import ONE_CELL, Footprint, index_offsets
from enfilade.geometry.board.padded_grid import build_table, grid_of
from enfilade.geometry.board.shapes import WallShape
from enfilade.geometry.board.units import Cell
from enfilade.geometry.movement.barriers import barred_steps
from enfilade.geometry.movement.step_costs import StepCosts


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
    enter, leave = body.max_cost(terrain.enter), body.max_cost(terrain.leave)
    barred = bytearray(len(terrain.barred))
    for index, filled in body.positions():
        barred[index] = body.barred_lanes(terrain.barred, index, filled)
        if body.is_cut(terrain.barred, filled):
            enter[index] = 0
    return replace(
        terrain,
        enter=enter,
        leave=leave,
        barred=bytes(barred),
        enter_toll=body.max_value(terrain.enter_toll),
        leave_toll=body.max_value(terrain.leave_toll),
        heights=body.max_value(terrain.heights),
        stops=body.max_value(dict.fromkeys(terrain.stops, 1)),
        no_end=body.max_value(dict.fromkeys(terrain.no_end, 1)),
    )


class _Body:
    """A footprint on a board: the positions where it fits, and the cells it fills there."""

    def __init__(self, board: Board, footprint: Footprint) -> None:
        self.board, self.footprint = board, footprint
        self.grid = grid_of(board)
        self._filled = index_offsets(board, footprint)
        self._lanes = [board.adjacent_lanes((column, row)) for row in (0, 1) for column in (0, 1)]

    def positions(self) -> Iterator[tuple[int, list[int]]]:
        """Yield each index where the whole body is on the board, with the indexes it fills."""
        for row in range(self.board.rows):
            for column in range(self.board.columns):
                if self.footprint.fits(self.board, (column, row)):
                    index = self.grid.index((column, row))
                    yield index, [index + offset for offset in self._filled[self._parity(index)]]

    def _parity(self, index: int) -> int:
        column, row = self.grid.cell(index)
        return 2 * (row & 1) + (column & 1)

    def max_cost(self, table: array[int]) -> array[int]:
        """Return the greatest entry under the body; 0 if one of them is 0, or if the body does not fit."""
        found = array("H", bytes(2 * len(table)))
        for index, filled in self.positions():
            entries = [table[i] for i in filled]
            found[index] = max(entries) if all(entries) else 0
        return found

    def max_value(self, values: Mapping[Cell, int]) -> dict[Cell, int]:
        """Return the greatest value under the body, for each position with one under it."""
        if not values:
            return {}
        found = {}
        for index, filled in self.positions():
            known = [values[cell] for i in filled if (cell := self.grid.cell(i)) in values]
            if known:
                found[self.grid.cell(index)] = max(known if len(known) == len(filled) else [*known, 0])
        return found

    def barred_lanes(self, table: bytes, index: int, filled: list[int]) -> int:
        """Return the lanes barred for any cell under the body, as lanes of the cell it stands at.

        On hexes one direction is another lane in cells of another parity, so lanes are compared by their
        number, clockwise from north.
        """
        bits, own_lanes = 0, self._lanes[self._parity(index)]
        for i in filled:
            if table[i]:
                lanes = zip(self._lanes[self._parity(i)], own_lanes, strict=True)
                bits |= sum(1 << own for lane, own in lanes if table[i] >> lane & 1)
        return bits

    def is_cut(self, table: bytes, filled: list[int]) -> bool:
        """Return whether a wall runs between two cells under the body."""
        own = set(filled)
        return any(
            table[index] >> lane & 1 and index + offset in own
            for index in filled
            if table[index]
            for lane, offset in enumerate(self.grid.lanes)
        )
