"""Limits of map files; a scene made from a file stays within the limits of the wire contract."""

from __future__ import annotations

FILE_BYTES = 64 * 1024 * 1024
"""Largest file, picture included."""

PICTURE_SIDE = 16_384
"""Greatest width and height of a picture in pixels: the largest texture of common graphics cards."""

PICTURE_PIXELS = 120_000_000
"""Largest number of pixels of a picture; a browser needs 4 bytes for each."""

PIXELS_PER_CELL = 8
"""Smallest width of a cell on a picture."""

TOKEN_PICTURE_BYTES = 512 * 1024
TOKEN_PICTURE_SIDE = 1_024
"""Greatest width and height of a unit's picture in pixels. The board page scales pictures down."""

VALUES = 1_000_000
"""Largest number of entries of lists and objects, in total."""

NESTING = 64
"""Greatest depth of nested lists and objects."""

WHOLE_NUMBER = 2**53
"""Largest integer that every program reads alike."""

CELLS_A_SIDE = 500
OUTLINE_NUMBERS = 20_000
"""Largest number of coordinates in the outlines of a scene's regions, two for each corner."""
TERRAIN_CELLS = 250_000
"""Largest number of cells of all regions of a scene, each cell counted once for each region."""
WALLS = 10_000
TOKENS = 500
SIDES_OF_TOKEN = 8
WAYPOINTS = 63
"""The places that a token may pass before its own."""
"""Greatest width and depth of a token, in cells."""

ELEVATION = 10_000
"""Greatest elevation of a token, up or down, in 64ths of a cell."""

HIT_POINTS = 1_000_000

NAME_LETTERS = 200
UNITS_LETTERS = 20
KEY_LETTERS = 64
"""Longest key in a token's profile."""
