"""The most that a map file may hold; a scene made from it keeps within the limits of the wire contract."""

from __future__ import annotations

from enfilade.geometry.board.units import CELL

FILE_BYTES = 64 * 1024 * 1024
"""The largest file, picture included."""

VALUES = 1_000_000
"""The most entries of lists and objects, in all."""

NESTING = 64
"""How deep lists and objects may lie in one another."""

WHOLE_NUMBER = 2**53
"""The largest whole number that every program reads alike."""

CELLS_A_SIDE = 500
OUTLINE_NUMBERS = 20_000
"""The most numbers in the outlines of a scene's regions, two to a corner."""
TERRAIN_CELLS = 250_000
"""The most cells that the regions of a scene may cover together, each counted for every region it lies in."""
WALLS = 10_000
TOKENS = 500
SIDES_OF_TOKEN = 8
"""The widest and deepest token, in cells."""

REACH = CELLS_A_SIDE * CELL
"""The furthest a point may lie from the board's corner, in 64ths of a cell."""

ELEVATION = 10_000
"""The highest and the lowest a token may be, in 64ths of a cell."""

NAME_LETTERS = 200
UNITS_LETTERS = 20
KEY_LETTERS = 64
"""The longest key in a token's profile."""
