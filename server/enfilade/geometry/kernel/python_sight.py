"""Shadows on a board in Python: the reference for sight.c, and what answers where there is no C."""

from __future__ import annotations

from enfilade.geometry.board.square import box, centre
from enfilade.geometry.board.units import CELL, HALF, Cell, Point
from enfilade.geometry.kernel.python_cover import blocked_lines, clear_pairs
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.casting import add_thin, cast, edge_on, thin_ones
from enfilade.geometry.sight.raster import Darkness, Lattice
from enfilade.geometry.sight.shadows import Heights
from enfilade.geometry.sight.touching import Touching
from enfilade.time_budget import checkpoint

__all__ = ["blocked_lines", "cells_seen", "clear_pairs", "darkness"]


def darkness(lattice: Lattice, eye: Point, heights: Heights, blockers: Blockers) -> Darkness:
    """The cells of a lattice whose centre the eye does not see."""
    dark = Darkness(lattice, eye)
    holding = {number for number, body in enumerate(blockers.all_bodies) if body.holds(eye)}
    for shadow in cast(eye, heights, blockers, holding):
        checkpoint()
        dark.add_shadow(shadow)
    for thin in thin_ones(eye, blockers, edge_on(eye, blockers), holding):
        add_thin(dark, heights, thin)
    return dark


def cells_seen(columns: int, rows: int, opaque: bytes, cell: Cell) -> list[int]:
    """The cells of a square board whose centre a cell's centre sees past opaque ones, as bits of each row.

    Args:
        columns: of the board.
        rows: of the board.
        opaque: a byte a cell, row by row; 1 where no line of sight passes.
        cell: where the eye is.
    """
    cells = ((place % columns, place // columns) for place, is_opaque in enumerate(opaque) if is_opaque)
    grazing = Touching(pinch="passes")
    blockers = Blockers(boxes=[box(each) for each in cells], touching=grazing)
    lattice = Lattice(0, 1, columns, 0, 1, rows, HALF, HALF, CELL, CELL)
    dark = darkness(lattice, centre(cell), (0, 0), blockers)
    return [lattice.all_columns & ~row for row in dark.rows]
