"""Threat: the cells that enemies can reach, or attack after a move, for one enemy or all together."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.footprint import index_offsets
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import PaddedGrid, mask_in_range
from enfilade.geometry.kernel import fields
from enfilade.geometry.kernel.python_fields import MAX_COST, NO_END, NO_STEP
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph, check_budget
from enfilade.runtime.lazy import lazy


class Attacker(NamedTuple):
    """An enemy: its cell, the points it may spend on moving, and the reach of its attack in cells.

    A reach of 0 is its own cell only, as for a gnome.
    """

    at: Cell
    budget: int
    reach: int = 1


class Threat:
    """The number of enemies that threaten each cell."""

    def __init__(self, grid: PaddedGrid, counts: array[int]) -> None:
        self._grid, self._counts = grid, counts

    def __getitem__(self, cell: Cell) -> int:
        """Return the number of enemies that threaten a cell on the board."""
        return self._counts[self._grid.index(cell)]

    @lazy
    def cells(self) -> Mask:
        """The cells that any enemy threatens."""
        return mask_in_range(self._grid, self._counts, 1, NO_STEP)

    @lazy
    def counts(self) -> dict[Cell, int]:
        """The count of each threatened cell."""
        return {cell: self[cell] for cell in self.cells}


def threat(graph: MovementGraph, attackers: Sequence[Attacker], lanes: bytes) -> Threat:
    """Return how many enemies can attack each cell after a move.

    Args:
        graph: the graph they move on; they share it and its mover, which has one state and never jumps.
        attackers: the enemies.
        lanes: the lanes of an attack, from `attack_lanes`; walls that stop movement stop attacks too.

    Raises ValueError for a mover of several states or with jumps, lanes of another board, an attacker off the
    board, or a budget or reach that is not an integer from 0 up.
    """
    if not graph.is_plain:
        raise ValueError("Threat needs a mover whose facing does not matter, and that does not jump.")
    if len(lanes) != graph.grid.size:
        raise ValueError("The attack lanes were built for another board.")
    moves = []
    for attacker in attackers:
        if not graph.mover.footprint.fits(graph.board, attacker.at):
            raise ValueError(f"An attacker at {attacker.at} is not on the board.")
        check_budget(attacker.budget)
        if not isinstance(attacker.reach, int) or attacker.reach < 0:
            raise ValueError(f"The reach of an attack is an integer from 0 up, not {attacker.reach!r}.")
        moves.append((graph.grid.index(attacker.at), min(attacker.budget, MAX_COST), attacker.reach))
    filled = index_offsets(graph.board, graph.mover.footprint)
    footprint = array("i", [offset for offsets in filled for offset in offsets])
    counts = fields.threat(graph.prepared, graph.flags, graph.board.columns, footprint, lanes, moves)
    return Threat(graph.grid, counts)


def reached_by_any(graph: MovementGraph, movers: Sequence[tuple[Cell, int]]) -> Mask:
    """Return the cells that `Field.reach` has for any of some movers: with one search for each, but no more.

    A mover is its cell and the points it may spend; it may start on a cell that is closed to others. Raises
    ValueError for a mover off the board, or a budget that is not an integer from 0 up.
    """
    if not graph.is_plain or len(graph.mover.footprint.offsets) > 1:
        found = Mask((0,) * graph.board.rows)
        for at, budget in movers:
            found |= Field(graph, at, budget, may_start_closed=True).reach
        return found
    moves = []
    for at, budget in movers:
        if at not in graph.board:
            raise ValueError(f"A mover at {at} is not on the board.")
        check_budget(budget)
        moves.append((graph.grid.index(at), min(budget, MAX_COST), 0))
    flags = graph.flags.translate(_MAY_END)
    lanes, own_cell = bytes(graph.grid.size), array("i", [0] * 4)
    counts = fields.threat(graph.prepared, flags, graph.board.columns, own_cell, lanes, moves)
    return mask_in_range(graph.grid, counts, 1, NO_STEP)


_MAY_END = bytes(flag & ~NO_END for flag in range(256))
"""Flags of cells without the ban to end there: a reach has the cells that a move may pass too."""
