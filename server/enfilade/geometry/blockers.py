"""What can stop a line of sight: walls, the bodies of tokens and blocks, and what touching them means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal

from enfilade.geometry.edges import shared_edges
from enfilade.geometry.hex import HexBoard
from enfilade.geometry.lines import side_of
from enfilade.geometry.units import CELL, HALF, Box, Cell, Corners, Point, Segment
from enfilade.geometry.walls import Wall

Touch = Literal["blocks", "passes"]
Proportions = tuple[int, int]
"""The squares of a board's true length across and down, for one unit each; at least 1 is the smaller."""

SQUARE: Proportions = (1, 1)
POINTY_HEXES: Proportions = (3, 4)
FLAT_HEXES: Proportions = (4, 3)

Block = tuple[int, int, int, int]
"""(first row, last row, first column, last column) of some cells."""


@dataclass(frozen=True, slots=True)
class Touching:
    """What becomes of a line that only touches: every table plays it so, preview and resolution alike.

    Attributes:
        wall: a line that touches a wall or its end; "passes" opens the joints of walls too.
        body: a line that grazes the edge or corner of a token.
        pinch: a line through the point where two tokens' boxes meet at their corners (ruling C-15).
        seam: a line that runs along the edge two tokens share.
    """

    wall: Touch = "blocks"
    body: Touch = "passes"
    pinch: Touch = "blocks"
    seam: Touch = "passes"


@dataclass(frozen=True, slots=True)
class Body:
    """What a token or a block of stone fills: convex parts, each with its corners clockwise.

    A body hides neither itself from others nor others from itself. `cells` are the cells whose centre it
    holds. `bottom` and `top` are heights in 64ths of a cell; None reaches without end.
    """

    parts: tuple[Corners, ...]
    cells: tuple[Block, ...]
    seams: tuple[Segment, ...] = ()
    bottom: int | None = None
    top: int | None = None

    def holds(self, point: Point) -> bool:
        """Whether a point lies inside it; the seams between its parts are inside."""
        return any(_is_inside(part, point) for part in self.parts) or any(
            _is_on(seam, point) for seam in self.seams
        )


def _is_inside(corners: Corners, point: Point) -> bool:
    return all(side_of(corners[i - 1], corners[i], point) > 0 for i in range(len(corners)))


def _is_on(seam: Segment, point: Point) -> bool:
    (x1, y1, x2, y2), (x, y) = seam, point
    level = min(x1, x2) <= x <= max(x1, x2) and min(y1, y2) <= y <= max(y1, y2)
    return level and side_of((x1, y1), (x2, y2), point) == 0


@dataclass(frozen=True)
class Blockers:
    """Everything that may stop a line on one board, and the touching rule.

    A plain segment among the walls is a wall that stops every line; a plain box stands for the body that
    fills it on a square board, from the ground to the sky. `proportions` are for thresholds only.
    """

    walls: Sequence[Segment | Wall] = ()
    boxes: Sequence[Box] = ()
    bodies: Sequence[Body] = ()
    touching: Touching = field(default_factory=Touching)
    proportions: Proportions = SQUARE

    @cached_property
    def standing_walls(self) -> list[Wall]:
        """All the walls as walls, in order."""
        return [wall if isinstance(wall, Wall) else Wall(wall) for wall in self.walls]

    @cached_property
    def all_bodies(self) -> list[Body]:
        """The boxes as bodies, in order, and then the bodies."""
        return [*map(box_body, self.boxes), *self.bodies]

    def walls_before(self, eye: Point) -> Iterator[tuple[int, Wall]]:
        """The walls that may stop lines from an eye, with their numbers: not those it sees through."""
        for number, wall in enumerate(self.standing_walls):
            if wall.sight != "none" and not wall.is_open and not self._is_seen_through(eye, wall):
                yield number, wall

    def _is_seen_through(self, eye: Point, wall: Wall) -> bool:
        if wall.sight not in ("proximity", "distance") or wall.threshold <= 0:
            return False
        apart = _square_distance(eye, wall.line, self.proportions)
        limit = wall.threshold * wall.threshold * min(self.proportions)
        return apart < limit if wall.sight == "proximity" else apart > limit


def _square_distance(point: Point, segment: Segment, proportions: Proportions) -> Fraction:
    """The square of the distance from a point to a segment, in the board's proportions."""
    (across, down), (x1, y1, x2, y2) = proportions, segment
    vx, vy, px, py = x2 - x1, y2 - y1, point[0] - x1, point[1] - y1
    length = across * vx * vx + down * vy * vy
    along = max(0, min(length, across * vx * px + down * vy * py))
    part = Fraction(along, length or 1)
    return across * (px - part * vx) ** 2 + down * (py - part * vy) ** 2


def box_body(box: Box, bottom: int | None = None, top: int | None = None) -> Body:
    """The body that fills a box on a square board."""
    left, upper, right, lower = box
    corners = ((left, upper), (right, upper), (right, lower), (left, lower))
    first_row, last_row = (upper + HALF) // CELL, (lower + HALF - 1) // CELL - 1
    first_column, last_column = (left + HALF) // CELL, (right + HALF - 1) // CELL - 1
    return Body((corners,), ((first_row, last_row, first_column, last_column),), (), bottom, top)


def hex_body(board: HexBoard, cells: Sequence[Cell], bottom: int | None = None, top: int | None = None) -> Body:
    """The body of whatever fills some hexes: one hex, a hexon, several."""
    parts = tuple(board.corners(cell) for cell in cells)
    blocks = tuple((row, row, column, column) for column, row in cells)
    seams = tuple(seam for seam, _, _ in shared_edges(parts))
    return Body(parts, blocks, seams, bottom, top)
