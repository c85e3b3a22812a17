"""Which steps walls bar: worked out once for a set of walls, and kept until they change.

A step is the line between the centres of two neighbouring cells. It is barred where it touches a wall,
even at the wall's end: walls are closed, as they are for sight.
"""

from __future__ import annotations

from array import array
from functools import lru_cache

from enfilade.geometry.board.base import LANES, Board
from enfilade.geometry.board.padded_grid import places_of
from enfilade.geometry.board.walls import Wall
from enfilade.geometry.kernel import fields

_SIDES = {"both": 0, "left": 1, "right": 2}


@lru_cache(maxsize=32)
def barriers(board: Board, walls: tuple[Wall, ...]) -> bytes:
    """For each place of a board the lanes that walls bar, as bits; diagonal lanes of squares always too."""
    places = places_of(board)
    lines = array("i", [number for line in board.scanlines() for number in line])
    standing = [wall for wall in walls if wall.stops_movement and not wall.is_open]
    table = array("i", [number for wall in standing for number in (*wall.line, _SIDES[wall.one_way])])
    return bytes(fields.barriers(lines, table, _steps_of(board), places.stride, places.size))


def _steps_of(board: Board) -> array[int]:
    """For each parity of (row, column) and each lane the step in the board's units; (0, 0) is none."""
    steps = array("i", bytes(4 * 4 * 2 * len(LANES)))
    for row in (0, 1):
        for column in (0, 1):
            x, y = board.centre((column, row))
            for lane in board.touching((column, row)):
                there = board.centre((column + LANES[lane][0], row + LANES[lane][1]))
                entry = 2 * (len(LANES) * (2 * row + column) + lane)
                steps[entry], steps[entry + 1] = there[0] - x, there[1] - y
    return steps
