"""Bodies: what a token or a block of stone fills, on squares and on hexes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from enfilade.geometry.board.edges import shared_edges
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.predicates import side_of
from enfilade.geometry.board.units import CELL, HALF, Box, Cell, Corners, Point, Segment

Block = tuple[int, int, int, int]
"""(first row, last row, first column, last column) of some cells."""


@dataclass(frozen=True, slots=True)
class Body:
    """What a token or a block of stone fills: convex parts, each with at most eight corners, clockwise.

    A body hides neither itself from others nor others from itself. `cells` are the cells whose centre it
    holds. `bottom` and `top` are heights in 64ths of a cell; None reaches without end.
    """

    parts: tuple[Corners, ...]
    cells: tuple[Block, ...]
    seams: tuple[Segment, ...] = ()
    bottom: int | None = None
    top: int | None = None

    @property
    def bounds(self) -> Box:
        """The box round it."""
        across, down = zip(*(corner for part in self.parts for corner in part), strict=True)
        return (min(across), min(down), max(across), max(down))

    @property
    def centre(self) -> Point:
        """The middle of the box round it: of a hexon, the centre of its middle hex."""
        left, top, right, bottom = self.bounds
        return ((left + right) // 2, (top + bottom) // 2)

    def holds(self, point: Point) -> bool:
        """Whether a point lies inside one of its parts, or on the edge of two."""
        touched = 0
        for part in self.parts:
            least = min(side_of(part[i - 1], part[i], point) for i in range(len(part)))
            if least > 0:
                return True
            touched += least == 0
        return touched > 1


def corners_of(box: Box) -> Corners:
    """A box's corners, clockwise from the top left."""
    left, top, right, bottom = box
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def box_body(box: Box, bottom: int | None = None, top: int | None = None) -> Body:
    """The body that fills a box on a square board."""
    left, upper, right, lower = box
    first_row, last_row = (upper + HALF) // CELL, (lower + HALF - 1) // CELL - 1
    first_column, last_column = (left + HALF) // CELL, (right + HALF - 1) // CELL - 1
    return Body((corners_of(box),), ((first_row, last_row, first_column, last_column),), (), bottom, top)


def hex_body(
    board: HexBoard, cells: Sequence[Cell], bottom: int | None = None, top: int | None = None
) -> Body:
    """The body of whatever fills some hexes: one hex, a hexon, several."""
    parts = tuple(board.corners(cell) for cell in cells)
    blocks = tuple((row, row, column, column) for column, row in cells)
    seams = tuple(seam for seam, _, _ in shared_edges(parts))
    return Body(parts, blocks, seams, bottom, top)
