"""The going: what a board's cells are like for somebody who moves over them, and how a big body meets it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from enfilade.geometry.board.base import LANES, Board
from enfilade.geometry.board.footprint import ONE_CELL, Footprint, place_offsets
from enfilade.geometry.board.padded_grid import Places, places_of
from enfilade.geometry.board.units import Cell
from enfilade.geometry.movement.step_costs import Gait

NO_CELLS: Mapping[Cell, int] = {}


@dataclass(frozen=True)
class Going:
    """What moving over each cell costs and where it may lead. Tables are made with `places.paint`.

    Attributes:
        enter: what entering a cell multiplies a step by; 0 is closed.
        leave: what leaving a cell multiplies a step (or a turn) by; 0 holds fast.
        barred: the steps walls bar, from `barriers`.
        enter_toll: points that entering a cell adds.
        leave_toll: points that leaving a cell adds.
        heights: how high cells lie, in 64ths of a cell; 0 where nothing is said.
        stops: cells where a move must stop once it enters: zones of control.
        no_end: cells a move may pass but not end on: those of friends.
    """

    enter: array[int]
    leave: array[int]
    barred: bytes
    enter_toll: Mapping[Cell, int] = field(default_factory=dict)
    leave_toll: Mapping[Cell, int] = field(default_factory=dict)
    heights: Mapping[Cell, int] = field(default_factory=dict)
    stops: Iterable[Cell] = ()
    no_end: Iterable[Cell] = ()


@dataclass(frozen=True)
class Mover:
    """Who moves.

    Attributes:
        footprint: the cells it fills; the cell it moves by is the one it stands at.
        gait: how its steps are counted; None counts them as the board does.
        open_corners: how many of the two cells beside a diagonal step must be open: 0 squeezes between
            two blocked squares, 1 round a corner, 2 round none.
        climb: the points a step up (or, negative, down) by so many 64ths adds, or None where it is too
            high; without it heights do not matter.
    """

    footprint: Footprint = ONE_CELL
    gait: Gait | None = None
    open_corners: int = 0
    climb: Callable[[int], int | None] | None = None


def under_footprint(board: Board, going: Going, footprint: Footprint) -> Going:
    """The going as a big body meets it, at the cell it stands at.

    It may stand only where all of it fits on open cells with no wall between them. The dearest of its
    cells counts, the highest one bears it, and what bars, stops or forbids one cell does so for the body.
    """
    if len(footprint.offsets) == 1:
        return going
    body = _Body(board, footprint)
    enter, leave = body.dearest(going.enter), body.dearest(going.leave)
    barred = bytearray(len(going.barred))
    for place, filled in body.standing():
        barred[place] = body.barred(going.barred, filled)
        if not all(going.enter[p] for p in filled) or body.is_cut(going.barred, filled):
            enter[place] = 0
    return replace(
        going,
        enter=enter,
        leave=leave,
        barred=bytes(barred),
        enter_toll=body.highest(going.enter_toll),
        leave_toll=body.highest(going.leave_toll),
        heights=body.highest(going.heights),
        stops=body.highest(dict.fromkeys(going.stops, 1)),
        no_end=body.highest(dict.fromkeys(going.no_end, 1)),
    )


class _Body:
    """A footprint on a board: where it can stand, and what it fills there."""

    def __init__(self, board: Board, footprint: Footprint) -> None:
        self.board, self.footprint = board, footprint
        self.places: Places = places_of(board)
        self._filled = place_offsets(board, footprint)

    def standing(self) -> Iterator[tuple[int, list[int]]]:
        """Each place where the whole body is on the board, with the places it fills."""
        for row in range(self.board.rows):
            for column in range(self.board.columns):
                if self.footprint.fits(self.board, (column, row)):
                    place = self.places.of((column, row))
                    yield place, [place + o for o in self._filled[2 * (row & 1) + (column & 1)]]

    def dearest(self, table: array[int]) -> array[int]:
        """The greatest entry under the body; 0 where it does not fit."""
        found = array("H", bytes(2 * len(table)))
        for place, filled in self.standing():
            found[place] = max(table[p] for p in filled)
        return found

    def highest(self, values: Mapping[Cell, int]) -> dict[Cell, int]:
        """The greatest value under the body, where anything is under it."""
        if not values:
            return {}
        found = {}
        for place, filled in self.standing():
            known = [values[cell] for p in filled if (cell := self.places.cell(p)) in values]
            if known:
                found[self.places.cell(place)] = max(known if len(known) == len(filled) else [*known, 0])
        return found

    def barred(self, table: bytes, filled: list[int]) -> int:
        """The lanes barred for any cell under the body."""
        bits = 0
        for place in filled:
            bits |= table[place]
        return bits

    def is_cut(self, table: bytes, filled: list[int]) -> bool:
        """Whether a wall runs between two cells under the body."""
        own = set(filled)
        return any(
            table[place] >> lane & 1 and place + offset in own
            for place in filled
            if table[place]
            for lane, offset in enumerate(self.places.lanes)
        )


def lane_to(a: Cell, b: Cell) -> int:
    """The lane from a cell to one of the eight round it."""
    return LANES.index((b[0] - a[0], b[1] - a[1]))
