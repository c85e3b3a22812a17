"""Sight the slow and plain way, one line a cell: what the shadow raster is held against."""

from enfilade.geometry.lines import holds
from enfilade.geometry.mask import Mask
from enfilade.geometry.sight import Blockers, blocked
from enfilade.geometry.square import SquareBoard, centre
from enfilade.geometry.units import Point


def visible_line_by_line(board: SquareBoard, eye: Point, blockers: Blockers) -> Mask:
    cells = [(x, y) for y in range(board.rows) for x in range(board.columns)]
    return Mask.of([cell for cell in cells if sees(eye, centre(cell), blockers)], board.rows)


def sees(eye: Point, point: Point, blockers: Blockers) -> bool:
    others = [box for box in blockers.boxes if not holds(box, point) and not holds(box, eye)]
    return blocked(eye, point, Blockers(blockers.walls, others)) is None
