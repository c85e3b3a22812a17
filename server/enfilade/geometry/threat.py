"""Threat: the cells that enemies can strike once they have moved, each enemy alone and all together."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from enfilade.geometry.board import Board
from enfilade.geometry.footprint import place_offsets
from enfilade.geometry.ground import Ground
from enfilade.geometry.kernel import fields
from enfilade.geometry.kernel.python_fields import MOST, NO_STEP
from enfilade.geometry.mask import Mask
from enfilade.geometry.places import mask_below, places_of
from enfilade.geometry.units import Cell


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


def threat(ground: Ground, strikers: Sequence[Striker], blows: bytes) -> dict[Cell, int]:
    """How many of some enemies threaten each cell; cells nobody threatens are left out.

    Args:
        ground: what they move over; they share it and its mover, who has one state.
        strikers: the enemies.
        blows: where a blow may go, from `blows`; walls that stop movement stop blows too.

    Raises ValueError for a gait of several states, or a striker off the board.
    """
    counts = _counts(ground, strikers, blows)
    places = ground.places
    return {places.cell(place): counts[place] for place in places.on_board() if counts[place]}


def threatened(ground: Ground, striker: Striker, blows: bytes) -> Mask:
    """The cells that one enemy can reach and then strike."""
    counts = _counts(ground, [striker], blows)
    untouched = array("H", [NO_STEP if count == 0 else 0 for count in counts])
    return mask_below(ground.places, untouched, NO_STEP)


def _counts(ground: Ground, strikers: Iterable[Striker], blows: bytes) -> array[int]:
    if ground.gait.states != 1:
        raise ValueError("Threat is worked out for movers whose facing does not matter.")
    moves = []
    for striker in strikers:
        if striker.at not in ground.board:
            raise ValueError(f"{striker.at} is not on the board.")
        moves.append((ground.places.of(striker.at), min(striker.budget, MOST), striker.reach))
    filled = place_offsets(ground.board, ground.mover.footprint)
    footprint = array("i", [offset for offsets in filled for offset in offsets])
    return fields.threat(ground.links, ground.flags, ground.board.columns, footprint, blows, moves)
