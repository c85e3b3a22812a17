"""The steps and attacks that walls bar: tables to build once for a set of walls.

A step is the line between the centers of two adjacent cells. It is barred if it touches a wall, even at the
wall's end: walls are closed, as they are for sight.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from itertools import chain
from operator import attrgetter

from enfilade.geometry.board.base import LANES, Board
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import grid_of
from enfilade.geometry.board.shapes import WallShape
from enfilade.geometry.kernel import fields
from enfilade.runtime.time_budget import checkpoint

_SIDES = {"both": 0, "left": 1, "right": 2}
_line, _side = attrgetter("line"), attrgetter("one_way")


def barred_steps(board: Board, walls: tuple[WallShape, ...]) -> bytes:
    """Return, for each index of a board, the lanes that walls bar, as bits.

    On squares the diagonal lanes are always included, even if diagonals are illegal.
    """
    grid = grid_of(board)
    checkpoint()
    closed_walls = [wall for wall in walls if wall.stops_movement and not wall.is_open]
    checkpoint()
    ends = array("i", [*chain.from_iterable(map(_line, closed_walls))])
    table = array("i", bytes(ends.itemsize * 5 * len(closed_walls)))
    for column in range(4):
        table[column::5] = ends[column::4]
    checkpoint()
    sides = [*map(_side, closed_walls)]
    if sides.count("both") < len(sides):  # rare; for both sides the table has 0 already
        table[4::5] = array("i", [_SIDES[side] for side in sides])
    return bytes(fields.barred_lanes(_scanlines(board), table, _steps_of(board), grid.stride, grid.size))


@lru_cache(maxsize=64)
def _scanlines(board: Board) -> array[int]:
    """Return the scanlines of a board as numbers, the upper ones first."""
    return array("i", chain.from_iterable(sorted(board.scanlines(), key=lambda line: tuple(line)[5])))


@lru_cache(maxsize=64)
def _steps_of(board: Board) -> array[int]:
    """Return, for each parity of (row, column) and each lane, the step in board units; (0, 0) is none."""
    steps = array("i", bytes(4 * 4 * 2 * len(LANES)))
    for row in (0, 1):
        for column in (0, 1):
            x, y = board.center((column, row))
            for lane in board.adjacent_lanes((column, row)):
                there = board.center((column + LANES[lane][0], row + LANES[lane][1]))
                entry = 2 * (len(LANES) * (2 * row + column) + lane)
                steps[entry], steps[entry + 1] = there[0] - x, there[1] - y
    return steps


def attack_lanes(board: Board, barred: bytes, corners: bool = True) -> bytes:
    """Return the lanes of an attack from each index: to every adjacent cell, but not through walls.

    Raises ValueError if `barred` was built for another board.
    """
    grid = grid_of(board)
    if len(barred) != grid.size:
        raise ValueError("The table of barred steps was built for another board.")
    # All at once, as large integers with a byte for each cell.
    lanes = int.from_bytes(_lanes_around(board, corners))
    return (lanes & ~int.from_bytes(barred)).to_bytes(grid.size)


@lru_cache(maxsize=64)
def _lanes_around(board: Board, corners: bool) -> bytes:
    """Return the lanes to all adjacent cells, for each index of a board without walls."""
    table, grid = bytearray(grid_of(board).size), grid_of(board)
    around = [
        sum(1 << lane for lane in board.adjacent_lanes((column, row), corners))
        for row in (0, 1)
        for column in (0, 1)
    ]
    for row in range(board.rows):
        even, odd = around[2 * (row & 1) : 2 * (row & 1) + 2]
        first = grid.index((0, row))
        table[first : first + board.columns] = (bytes((even, odd)) * (board.columns // 2 + 1))[
            : board.columns
        ]
    return bytes(table)


class LaneMasks:
    """The cells that have each lane, so that the lanes from many cells are followed at once.

    `lanes` has the lanes of each index as bits, as from `attack_lanes`.
    """

    def __init__(self, board: Board, lanes: bytes) -> None:
        self._whole = (1 << board.columns) - 1
        grid, known = grid_of(board), dict[bytes, tuple[int, ...]]()
        self._rows: list[tuple[int, ...]] = []
        for row in range(board.rows):
            checkpoint()
            first = grid.index((0, row))
            # Most rows have no walls, and so the same lanes.
            entries = lanes[first : first + board.columns][::-1]
            if entries not in known:
                known[entries] = tuple([int(entries.translate(digits), 2) for digits in _DIGITS])
            self._rows.append(known[entries])

    def follow(self, cells: Mask) -> Mask:
        """Return the cells on the board to which a lane leads from any of some cells."""
        checkpoint()
        found = [0] * (len(self._rows) + 2)
        for row, bits in enumerate(cells.rows):
            if not bits:
                continue
            for (dx, dy), having in zip(LANES, self._rows[row], strict=True):
                moving = bits & having
                found[row + dy + 1] |= moving << 1 if dx > 0 else moving >> 1 if dx < 0 else moving
        return Mask(tuple([bits & self._whole for bits in found[1:-1]]))


_DIGITS = [bytes(48 + (entry >> lane & 1) for entry in range(256)) for lane in range(len(LANES))]
"""For each lane, the digit "1" for each entry of a table that has the lane and "0" for each other."""
