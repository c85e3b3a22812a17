"""Areas of effect: the cells of a board in a sphere, a cone, a cube, a line, or around a space.

A cell is in an area if its center lies in the shape or on its edge; or by another `Fill` if half of it or any
of it does, judged by points spread over the cell. Points and lengths are in 64ths of a
cell, directions are vectors; the answers are exact. Hexes are measured in their true proportions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from enfilade.geometry.board.base import CELL, Board, Box, Cell, Point
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.shapes import corners_of
from enfilade.runtime.time_budget import checkpoint

Fill = Literal["center", "half", "touch"]
"""How much of a cell must be in a shape for the cell to be in the area."""

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


def sphere(
    board: Board, origin: Point, radius: int, fill: Fill = "center", among: Mask | None = None
) -> Mask:
    """Return the cells within a radius of a point, the point's own cell included. Also for cylinders.

    `among` are the only cells to test, in all these functions.
    """
    across, down, unit = _scale(board)

    def is_in(x: int, y: int) -> bool:
        return across * x * x + down * y * y <= unit * radius * radius

    return _cells(board, origin, radius, is_in, fill=fill, among=among)


def cone(
    board: Board,
    origin: Point,
    toward: Point,
    length: int,
    fill: Fill = "center",
    among: Mask | None = None,
) -> Mask:
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

    return _cells(board, origin, 2 * length, is_in, fill=fill, among=among)


def line(
    board: Board,
    origin: Point,
    toward: Point,
    length: int,
    width: int,
    fill: Fill = "center",
    among: Mask | None = None,
) -> Mask:
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

    return _cells(board, origin, length + width, is_in, fill=fill, among=among)


def cube(
    board: Board, origin: Point, toward: Point, edge: int, fill: Fill = "center", among: Mask | None = None
) -> Mask:
    """Return the cells of a cube with its origin in the middle of a face, along the board's nearest axis."""
    _way(board, toward)
    is_across = abs(toward[0]) >= abs(toward[1])
    sign = 1 if toward[0 if is_across else 1] > 0 else -1

    def is_in(x: int, y: int) -> bool:
        along, aside = (x, y) if is_across else (y, x)
        return 0 <= sign * along <= edge and 2 * abs(aside) <= edge

    return _cells(board, origin, 2 * edge, is_in, fill=fill, among=among)


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


def around_box(board: Board, box: Box, distance: int, fill: Fill = "center") -> Mask:
    """Return the cells whose center is within a distance of a box, those in the box included."""
    left, top, right, bottom = box
    across, down, unit = _scale(board)

    def is_in(x: int, y: int) -> bool:
        dx, dy = max(0, left - x, x - right), max(0, top - y, y - bottom)
        return across * dx * dx + down * dy * dy <= unit * distance * distance

    far = distance + max(right - left, bottom - top)
    return _cells(board, (0, 0), far, is_in, ((left + right) // 2, (top + bottom) // 2), fill)


def _way(board: Board, toward: Point) -> int:
    """Return the square of a vector's length, in the scaled units of a board."""
    across, down, _ = _scale(board)
    way = across * toward[0] ** 2 + down * toward[1] ** 2
    if not way:
        raise ValueError("An area with a direction needs a vector with a length.")
    return way


def _cells(
    board: Board,
    origin: Point,
    far: int,
    is_in: _Test,
    middle: Point | None = None,
    fill: Fill = "center",
    among: Mask | None = None,
) -> Mask:
    """Return the cells near a point of which enough passes a test of offsets from the origin."""
    if fill != "center":
        is_in = _filled(board, is_in, fill)
    (x, y), around = origin, middle or origin
    if among is not None:
        centers = [(cell, board.center(cell)) for cell in among]
        return Mask.of([cell for cell, (cx, cy) in centers if is_in(cx - x, cy - y)], board.rows)
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


def _filled(board: Board, is_in: _Test, fill: Fill) -> _Test:
    """Return the test of a cell's center that asks how much of the cell is in a shape."""
    spread = _spread(board, is_closed=fill == "touch")
    least = 1 if fill == "touch" else (len(spread) + 1) // 2

    def is_filled(x: int, y: int) -> bool:
        return sum([is_in(x + dx, y + dy) for dx, dy in spread]) >= least

    return is_filled


_PARTS = 4
"""Each triangle between the center of a cell and a side is cut into this many rows of smaller ones."""


@lru_cache(maxsize=16)
def _spread(board: Board, *, is_closed: bool) -> tuple[Point, ...]:
    """Return points spread over a cell, from its center: the corners of small triangles, or their middles."""
    x, y = board.center((0, 0))
    ends = board.corners((0, 0)) if isinstance(board, HexBoard) else corners_of((0, 0, CELL, CELL))
    corners = [(cx - x, cy - y) for cx, cy in ends]
    sides = zip(corners, (*corners[1:], corners[0]), strict=True)
    shares = list(_corners_of_parts() if is_closed else _middles_of_parts())
    unit = _PARTS * 32 / 31 if is_closed else 3 * _PARTS  # a shape that meets a cell at its edge is not in it
    return tuple(
        dict.fromkeys(
            (round((a * ax + b * bx) / unit), round((a * ay + b * by) / unit))
            for (ax, ay), (bx, by) in sides
            for a, b in shares
        )
    )


def _corners_of_parts() -> Iterator[Point]:
    """Yield the shares of two corners in each point of a lattice over a triangle, in parts."""
    yield from ((a, b) for a in range(_PARTS + 1) for b in range(_PARTS + 1 - a))


def _middles_of_parts() -> Iterator[Point]:
    """Yield the shares of two corners in the middle of each small triangle, in thirds of a part."""
    for row in range(_PARTS):
        for place in range(_PARTS - row):
            yield 3 * row + 1, 3 * place + 1
            if row + place < _PARTS - 1:
                yield 3 * row + 2, 3 * place + 2
