"""Facings and arcs: the points, and the cells of a board, in front of a facing, beside it or behind it.

Angles are compass degrees: 0 is up the board, clockwise. An arc is closed: it includes its borders and
excludes its origin. Borders at multiples of 45 degrees on squares, and of 30 degrees on hexes, are exact.
Any other angle is a fixed integer direction within a hundred-millionth of it.
"""

from __future__ import annotations

import math
from functools import lru_cache

from enfilade.geometry.board.base import Board, Point, Scanline
from enfilade.geometry.board.mask import Mask, full_mask
from enfilade.runtime.time_budget import checkpoint

_EIGHTHS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
_FINE = 1 << 26


def compass_vector(angle: int) -> Point:
    """Return an integer vector along a compass angle, x to the right and y down."""
    if angle % 45 == 0:
        return _EIGHTHS[angle // 45 % 8]
    return scaled_compass_vector(angle, 1.0, 1.0)


def scaled_compass_vector(angle: int, across: float, down: float) -> Point:
    """Return a long integer vector along a compass angle, on a board scaled so much in x and in y."""
    turn = math.radians(angle % 360)
    return (round(math.sin(turn) * across * _FINE), round(-math.cos(turn) * down * _FINE))


def angle_between(a: int, b: int) -> int:
    """Return the smaller angle between two facings, 0 to 180 degrees."""
    turn = (a - b) % 360
    return min(turn, 360 - turn)


@lru_cache(maxsize=1_024)
def nearest_facing(angle: float, facings: tuple[int, ...]) -> int:
    """Return the facing nearest to an angle; of two equally near, the lesser. Raises ValueError for none."""
    if not facings:
        raise ValueError("The nearest facing needs at least one facing.")
    if angle in facings:
        return facings[facings.index(angle)]
    return min(facings, key=lambda facing: (min((facing - angle) % 360, (angle - facing) % 360), facing))


def is_in_arc(board: Board, at: Point, facing: int, width: int, point: Point) -> bool:
    """Return whether a point lies in the arc `width` degrees wide around a facing; raises as `arc` does."""
    _check_arc(facing, width)
    x, y = point[0] - at[0], point[1] - at[1]
    if width >= 360 or (x, y) == (0, 0):
        return (x, y) != (0, 0)
    if width > 180:
        return not _is_between(board, facing + 180, 360 - width, x, y, strictly=1)
    return _is_between(board, facing, width, x, y, strictly=0)


def _check_arc(facing: int, width: int) -> None:
    if not isinstance(facing, int):
        raise ValueError(f"A facing is an integer number of degrees, not {facing!r}.")
    if not isinstance(width, int) or width <= 0:
        raise ValueError(f"The width of an arc is an integer above 0 degrees, not {width!r}.")


def _is_between(board: Board, facing: int, width: int, x: int, y: int, strictly: int) -> bool:
    (lx, ly), (rx, ry) = _borders(board, facing, width)
    return lx * y - ly * x >= strictly and ry * x - rx * y >= strictly


def _borders(board: Board, facing: int, width: int) -> tuple[Point, Point]:
    left = facing - width // 2
    return board.direction(left % 360), board.direction((left + width) % 360)


def arc(board: Board, at: Point, facing: int, width: int) -> Mask:
    """Return the cells whose center lies in the arc `width` degrees wide around a facing, from a point.

    Raises ValueError if the facing or the width is not an integer, or if the width is not above 0.
    """
    _check_arc(facing, width)
    whole = full_mask(board)
    if width >= 360:
        return whole - _cells_at(board, at)
    if width > 180:
        return whole - _wedge(board, at, facing + 180, 360 - width, strictly=1) - _cells_at(board, at)
    return _wedge(board, at, facing, width, strictly=0) - _cells_at(board, at)


@lru_cache(maxsize=16)
def _scanlines(board: Board) -> tuple[Scanline, ...]:
    return tuple(board.scanlines())


def _cells_at(board: Board, at: Point) -> Mask:
    checkpoint()
    rows = [0] * board.rows
    for line in _scanlines(board):
        k, rest = divmod(at[0] - line.x, line.pitch)
        if line.y == at[1] and not rest and 0 <= k < line.length:
            rows[line.row] |= 1 << line.first + line.stride * k
    return Mask(tuple(rows))


def _wedge(board: Board, at: Point, facing: int, width: int, strictly: int) -> Mask:
    (lx, ly), (rx, ry) = _borders(board, facing, width)
    rows = [0] * board.rows
    for line in _scanlines(board):
        checkpoint()
        x, y = line.x - at[0], line.y - at[1]
        low, high = narrow(0, line.length - 1, lx * y - ly * x - strictly, -ly * line.pitch)
        low, high = narrow(low, high, ry * x - rx * y - strictly, ry * line.pitch)
        rows[line.row] |= scanline_bits(line, low, high)
    return Mask(tuple(rows))


def narrow(low: int, high: int, constant: int, slope: int) -> tuple[int, int]:
    """Return the part of low..high with constant + slope * k >= 0; low > high if it is empty."""
    if slope > 0:
        return max(low, -(constant // slope)), high
    if slope < 0:
        return low, min(high, constant // -slope)
    return (low, high) if constant >= 0 else (1, 0)


def scanline_bits(line: Scanline, low: int, high: int) -> int:
    """Return the bits of a mask's row for the low-th to the high-th cell of a scanline."""
    if low > high:
        return 0
    if line.stride == 1:
        return (1 << line.first + high + 1) - (1 << line.first + low)
    ones = ((1 << line.stride * (high - low + 1)) - 1) // ((1 << line.stride) - 1)
    return ones << line.first + line.stride * low
