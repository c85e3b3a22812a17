"""Areas of effect: the cells of a board in a sphere, a cone, a cube, a line, or around a space.

A cell is in an area if its center lies in the shape or on its edge. Points and lengths are in 64ths of a
cell, directions are vectors; the answers are exact. Hexes are measured in their true proportions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from enfilade.geometry.board.base import Board
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Box, Cell, Point
from enfilade.runtime.time_budget import checkpoint

_Test = Callable[[int, int], bool]
"""Returns whether an offset from the origin is in a shape, in the scaled units of its board."""


class _Scale(NamedTuple):
    """Squares of the true lengths of one unit across and down, in whole numbers of 1 / `unit`."""

    across: int
    down: int
    unit: int


_NEAR = 2
"""How far from a side a center may lie and still be inside, in 64ths of a cell."""


def _scale(board: Board) -> _Scale:
    if isinstance(board, HexBoard):
        return _Scale(3, 4, 3) if board.is_pointy else _Scale(4, 3, 3)
    return _Scale(1, 1, 1)


def sphere(board: Board, origin: Point, radius: int) -> Mask:
    """Return the cells within a radius of a point, the point's own cell included. Also for cylinders."""
    across, down, unit = _scale(board)

    def is_in(x: int, y: int) -> bool:
        return across * x * x + down * y * y <= unit * radius * radius

    return _cells(board, origin, radius, is_in)


def cone(board: Board, origin: Point, toward: Point, length: int) -> Mask:
    """Return the cells of a cone that is as wide as it is far from its origin, with a flat end.

    `toward` is a vector along its middle. Raises ValueError if it has no length.
    """
    across, down, unit = _scale(board)
    way = _way(board, toward)

    def is_in(x: int, y: int) -> bool:
        along = across * x * toward[0] + down * y * toward[1]
        aside = x * toward[1] - y * toward[0]
        # twice the distance aside is at most that along; the true area of a unit square is across * down
        return (
            along > 0
            and along * along <= unit * length * length * way
            and 4 * across * down * aside * aside <= along * along
        )

    return _cells(board, origin, 2 * length, is_in)


def line(board: Board, origin: Point, toward: Point, length: int, width: int) -> Mask:
    """Return the cells of a straight line from its origin. Raises ValueError for a vector without length."""
    across, down, unit = _scale(board)
    way = _way(board, toward)

    def is_in(x: int, y: int) -> bool:
        along = across * x * toward[0] + down * y * toward[1]
        aside = x * toward[1] - y * toward[0]
        return (
            along > 0
            and along * along <= unit * length * length * way
            and 4 * across * down * aside * aside <= unit * width * width * way
        )

    return _cells(board, origin, length + width, is_in)


def cube(board: Board, origin: Point, toward: Point, edge: int) -> Mask:
    """Return the cells of a cube with its origin in the middle of a face, along the board's nearest axis."""
    _way(board, toward)
    is_across = abs(toward[0]) >= abs(toward[1])
    sign = 1 if toward[0 if is_across else 1] > 0 else -1

    def is_in(x: int, y: int) -> bool:
        along, aside = (x, y) if is_across else (y, x)
        return 0 <= sign * along <= edge and 2 * abs(aside) <= edge

    return _cells(board, origin, 2 * edge, is_in)


def outlined(board: Board, outline: Sequence[Point]) -> Mask:
    """Return the cells whose center is inside an outline of straight sides, or as good as on one of them.

    Round shapes come as outlines too, with their corners rounded: hence the tolerance.
    """
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    middle = (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
    far = max(max(xs) - min(xs), max(ys) - min(ys)) // 2 + _NEAR
    return _cells(board, (0, 0), far, lambda x, y: is_inside(outline, (x, y)), middle)


def is_inside(outline: Sequence[Point], point: Point) -> bool:
    """Return whether a point is inside an outline, or at most a 32nd of a cell from one of its sides."""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if _is_near(ax, ay, bx, by, x, y):
            return True
        if (ay > y) != (by > y):
            # the side crosses the line of the point: to its right or not
            turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            inside ^= (turn > 0) == (by > ay)
    return inside


def _is_near(ax: int, ay: int, bx: int, by: int, x: int, y: int) -> bool:
    dx, dy = bx - ax, by - ay
    way, along = dx * dx + dy * dy, (x - ax) * dx + (y - ay) * dy
    if along <= 0 or along >= way:
        ends = (x - ax) ** 2 + (y - ay) ** 2, (x - bx) ** 2 + (y - by) ** 2
        return min(ends) <= _NEAR**2
    return (dx * (y - ay) - dy * (x - ax)) ** 2 <= _NEAR**2 * way


def around_box(board: Board, box: Box, distance: int) -> Mask:
    """Return the cells whose center is within a distance of a box, those in the box included."""
    left, top, right, bottom = box
    across, down, unit = _scale(board)

    def is_in(x: int, y: int) -> bool:
        dx, dy = max(0, left - x, x - right), max(0, top - y, y - bottom)
        return across * dx * dx + down * dy * dy <= unit * distance * distance

    far = distance + max(right - left, bottom - top)
    return _cells(board, (0, 0), far, is_in, ((left + right) // 2, (top + bottom) // 2))


def _way(board: Board, toward: Point) -> int:
    """Return the square of a vector's length, in the scaled units of a board."""
    across, down, _ = _scale(board)
    way = across * toward[0] ** 2 + down * toward[1] ** 2
    if not way:
        raise ValueError("An area with a direction needs a vector with a length.")
    return way


def _cells(board: Board, origin: Point, far: int, is_in: _Test, middle: Point | None = None) -> Mask:
    """Return the cells near a point whose centers pass a test of their offset from the origin."""
    (x, y), around = origin, middle or origin
    found: list[Cell] = []
    for scanline in board.scanlines():
        if abs(scanline.y - around[1]) > 2 * far:
            continue
        checkpoint()
        first = max(0, (around[0] - 2 * far - scanline.x) // scanline.pitch)
        last = min(scanline.length - 1, (around[0] + 2 * far - scanline.x) // scanline.pitch)
        found += [
            (scanline.first + scanline.stride * k, scanline.row)
            for k in range(first, last + 1)
            if is_in(scanline.x + scanline.pitch * k - x, scanline.y - y)
        ]
    return Mask.of(found, board.rows)
