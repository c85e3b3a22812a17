"""Lines of sight between points, and which cells a point sees, exactly.

The touching rule: a wall is closed, so a line that only touches it or its end is blocked, and walls that
meet are watertight. A box (what a token fills) is open, so a line may graze its edge or its corner; where
two boxes meet at a corner only, a line through that corner is blocked (rulings C-15 of Coup-de-Grace).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from enfilade.geometry.lines import enters, holds, pinches, touches
from enfilade.geometry.mask import Mask
from enfilade.geometry.raster import Lattice, dark_rows, darken_ray
from enfilade.geometry.shadows import Rows, shadow_of_shape, shadow_of_wall
from enfilade.geometry.square import SquareBoard, centre
from enfilade.geometry.units import CELL, HALF, Box, Point, Segment


@dataclass(frozen=True, slots=True)
class Blockers:
    """What can stop a line: walls are closed segments, boxes are open rectangles."""

    walls: Sequence[Segment] = ()
    boxes: Sequence[Box] = ()


@dataclass(frozen=True, slots=True)
class Blocked:
    """The first thing found that stops a line: the index of a wall, of a box, or of two boxes meeting."""

    wall: int | None = None
    box: int | None = None


def blocked(a: Point, b: Point, blockers: Blockers) -> Blocked | None:
    """What stops the line from a to b, or None where it is clear.

    Boxes that contain a or b must be left out by the caller: nobody hides behind himself.
    """
    for i, (x1, y1, x2, y2) in enumerate(blockers.walls):
        if touches(a, b, (x1, y1), (x2, y2)):
            return Blocked(wall=i)
    for i, box in enumerate(blockers.boxes):
        if enters(a, b, box):
            return Blocked(box=i)
    for point in pinches(blockers.boxes):
        if touches(a, b, point, point):
            return Blocked()
    return None


def visible(board: SquareBoard, eye: Point, blockers: Blockers) -> Mask:
    """The cells whose centre a point sees; a box never hides its own cells from outside it.

    A box that holds the eye hides nothing: nobody hides behind himself.
    """
    lattice = Lattice(board.columns, board.rows)
    boxes = [box for box in blockers.boxes if not holds(box, eye)]
    shadows, rays = [shadow_of_shape(eye, corners_of(box), own_cells(box)) for box in boxes], []
    for wall in blockers.walls:
        shadow = shadow_of_wall(eye, wall)
        if shadow:
            shadows.append(shadow)
        else:
            rays.append(wall)
    rows = dark_rows(lattice, eye, shadows)
    for point in pinches(boxes):
        if point == eye:
            return _seen_from_a_pinch(board, eye, Blockers(blockers.walls, boxes))
        rays.append(point + point)
    for ray in rays:
        darken_ray(rows, lattice, eye, ray)
    return Mask(tuple(lattice.all_columns & ~row for row in rows))


def corners_of(box: Box) -> tuple[Point, ...]:
    """A box's corners, clockwise from the top left."""
    left, top, right, bottom = box
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def own_cells(box: Box) -> Rows:
    """The cells whose centre lies inside a box; the part off the left and top of the board is left out."""
    left, top, right, bottom = (
        max(0, (edge + HALF) // CELL) for edge in (box[0], box[1], box[2] - 1, box[3] - 1)
    )
    return (top, bottom, (1 << right) - (1 << min(left, right)))


def _seen_from_a_pinch(board: SquareBoard, eye: Point, blockers: Blockers) -> Mask:
    """From the point where two boxes meet only cells of those boxes can be seen: the rare case, by hand."""
    meeting = [box for box in blockers.boxes if eye in corners_of(box)]
    seen = []
    for cell in product(range(board.columns), range(board.rows)):
        if any(holds(box, centre(cell)) for box in meeting):
            others = [box for box in blockers.boxes if not holds(box, centre(cell))]
            if not blocked(eye, centre(cell), Blockers(blockers.walls, others)):
                seen.append(cell)
    return Mask.of(seen, board.rows)
