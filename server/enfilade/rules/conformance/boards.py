"""Centers and corners of cells for a scene's grid."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from enfilade.geometry.board.base import Cell, Point
from enfilade.geometry.board.hex import HexBoard, Layout
from enfilade.geometry.board.square import SquareBoard
from enfilade.scene.model import Grid

UNIT = 64
"""64ths of a cell, or of an inch on a gridless board."""

_LAYOUTS: dict[str, Layout] = {
    "hex_odd_r": "odd_r",
    "hex_even_r": "even_r",
    "hex_odd_q": "odd_q",
    "hex_even_q": "even_q",
}


def center_of(grid: Grid) -> Callable[[Cell], Point]:
    """Return a function for the centers of cells, or of positions on a gridless board."""
    return _itself if grid.kind == "gridless" else _board(grid).center


def _itself(at: Cell) -> Point:
    return at


def corners(grid: Grid, cell: Cell) -> tuple[Point, ...]:
    """Return the corners of a cell, clockwise; those of a square inch without a grid."""
    if grid.kind in _LAYOUTS:
        return _hexes(grid).corners(cell)
    x, y = cell[0] * UNIT, cell[1] * UNIT
    return (x, y), (x + UNIT, y), (x + UNIT, y + UNIT), (x, y + UNIT)


@lru_cache(maxsize=64)
def _board(grid: Grid) -> SquareBoard | HexBoard:
    return _hexes(grid) if grid.kind in _LAYOUTS else SquareBoard(grid.columns, grid.rows)


def _hexes(grid: Grid) -> HexBoard:
    return HexBoard(grid.columns, grid.rows, _LAYOUTS[grid.kind])
