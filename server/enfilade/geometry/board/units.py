"""The units and types of every shape.

One cell is 64 units wide, so corners and centers of cells are integers and every verdict is exact: no
rounding, the same on every machine. On a gridless board one inch is one cell.
"""

from __future__ import annotations

CELL = 64
HALF = CELL // 2

Cell = tuple[int, int]
"""(column, row), both counted from 0 at the top left."""

Point = tuple[int, int]
"""(x, y) in 64ths of a cell."""

Segment = tuple[int, int, int, int]
"""(x1, y1, x2, y2) in 64ths of a cell: a wall, or a line of sight."""

Box = tuple[int, int, int, int]
"""(left, top, right, bottom) in 64ths of a cell: the space of a token or an obstacle."""

Corners = tuple[Point, ...]
"""The corners of a convex shape, clockwise."""


def cell_name(cell: Cell) -> str:
    """Return the name of a cell as players say it: column letters and a row from 1. (2, 6) is C7."""
    letters, rest = "", cell[0] + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{cell[1] + 1}"
