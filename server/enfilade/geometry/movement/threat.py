"""Threat: the cells that enemies can strike once they have moved, each enemy alone and all together."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from enfilade.geometry.board.base import Board
from enfilade.geometry.board.footprint import place_offsets
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import Places, mask_of, places_of
from enfilade.geometry.board.units import Cell
from enfilade.geometry.kernel import fields
from enfilade.geometry.kernel.python_fields import MOST, NO_STEP
from enfilade.geometry.movement.graph import Ground


class Striker(NamedTuple):
    """An enemy: where it stands, the points it may spend moving, and how many cells its blow carries.

    A reach of 0 is the own case only, as for a gnome.
    """

    at: Cell
    budget: int
    reach: int = 1


def blows(board: Board, barred: bytes, corners: bool = True) -> bytes:
    """The lanes a blow may go along from each place: to every cell that touches, but not through walls."""
    places = places_of(board)
    table = bytearray(places.size)
    around = [
        sum(1 << lane for lane in board.touching((column, row), corners))
        for row in (0, 1)
        for column in (0, 1)
    ]
    for row in range(board.rows):
        for column in range(board.columns):
            place = places.of((column, row))
            table[place] = around[2 * (row & 1) + (column & 1)] & ~barred[place]
    return bytes(table)


class Threat:
    """How many enemies threaten each cell."""

    def __init__(self, places: Places, counts: array[int]) -> None:
        self._places, self._counts = places, counts

    def __getitem__(self, cell: Cell) -> int:
        """How many enemies threaten a cell on the board."""
        return self._counts[self._places.of(cell)]

    @cached_property
    def cells(self) -> Mask:
        """The cells that any of them threatens."""
        return mask_of(self._places, self._counts, 1, NO_STEP)

    @cached_property
    def counts(self) -> dict[Cell, int]:
        """The count of each cell that any of them threatens."""
        return {cell: self[cell] for cell in self.cells}


def threat(ground: Ground, strikers: Sequence[Striker], blows: bytes) -> Threat:
    """How many of some enemies can reach each cell with a blow once they have moved.

    Args:
        ground: what they move over; they share it and its mover, who has one state.
        strikers: the enemies; for one alone, give one.
        blows: where a blow may go, from `blows`; walls that stop movement stop blows too.

    Raises ValueError for a gait of several states, a striker off the board, or blows of another board.
    """
    if ground.gait.states != 1:
        raise ValueError("Threat is worked out for movers whose facing does not matter.")
    if len(blows) != ground.places.size:
        raise ValueError("The blows were made for another board.")
    moves = []
    for striker in strikers:
        if not ground.mover.footprint.fits(ground.board, striker.at):
            raise ValueError(f"A striker at {striker.at} does not stand on the board.")
        moves.append((ground.places.of(striker.at), min(striker.budget, MOST), striker.reach))
    filled = place_offsets(ground.board, ground.mover.footprint)
    footprint = array("i", [offset for offsets in filled for offset in offsets])
    counts = fields.threat(ground.links, ground.flags, ground.board.columns, footprint, blows, moves)
    return Threat(ground.places, counts)
