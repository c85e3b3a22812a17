"""Facings and arcs: which points, and which cells of a board, lie in front, at the side or behind.

Angles are compass degrees, 0 up the board, clockwise. An arc is closed: its borders belong to it, the
point it starts from does not. Borders at multiples of 45 degrees on squares, and of 30 degrees on hexes,
are exact; any other angle is a fixed whole-number direction within a hundred-millionth of it.
"""

from __future__ import annotations

import math
from functools import lru_cache

from enfilade.geometry.board.base import Board, Scanline
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Point

_EIGHTHS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
_FINE = 1 << 26


def compass_vector(angle: int) -> Point:
    """A whole-number vector along a compass angle, x to the right and y down."""
    if angle % 45 == 0:
        return _EIGHTHS[angle // 45 % 8]
    turn = math.radians(angle % 360)
    return (round(math.sin(turn) * _FINE), round(-math.cos(turn) * _FINE))


def turn_between(a: int, b: int) -> int:
    """The smaller angle between two facings, 0 to 180 degrees."""
    turn = (a - b) % 360
    return min(turn, 360 - turn)


@lru_cache(maxsize=1_024)
def nearest_facing(angle: float, facings: tuple[int, ...]) -> int:
    """The facing a board allows that is nearest to an angle; the first clockwise of two equally near."""
    return min(facings, key=lambda facing: (min((facing - angle) % 360, (angle - facing) % 360), facing))


def is_in_arc(board: Board, at: Point, facing: int, width: int, point: Point) -> bool:
    """Whether a point lies in the arc `width` degrees wide round a facing."""
    x, y = point[0] - at[0], point[1] - at[1]
    if width >= 360 or (x, y) == (0, 0):
        return (x, y) != (0, 0)
    if width > 180:
        return not _is_between(board, facing + 180, 360 - width, x, y, strictly=1)
    return _is_between(board, facing, width, x, y, strictly=0)


def _is_between(board: Board, facing: int, width: int, x: int, y: int, strictly: int) -> bool:
    (lx, ly), (rx, ry) = _borders(board, facing, width)
    return lx * y - ly * x >= strictly and ry * x - rx * y >= strictly


def _borders(board: Board, facing: int, width: int) -> tuple[Point, Point]:
    if not 0 < width <= 180:
        raise ValueError(f"An arc is more than 0 degrees wide, not {width}.")
    left = facing - width // 2
    return board.direction(left % 360), board.direction((left + width) % 360)


def arc(board: Board, at: Point, facing: int, width: int) -> Mask:
    """The cells whose centre lies in the arc `width` degrees wide round a facing, from a point."""
    whole = full_mask(board)
    if width >= 360:
        return whole - _cells_at(board, at)
    if width > 180:
        return whole - _wedge(board, at, facing + 180, 360 - width, strictly=1) - _cells_at(board, at)
    return _wedge(board, at, facing, width, strictly=0) - _cells_at(board, at)


def full_mask(board: Board) -> Mask:
    """Every cell of a board."""
    return Mask(((1 << board.columns) - 1,) * board.rows)


def _cells_at(board: Board, at: Point) -> Mask:
    rows = [0] * board.rows
    for line in board.scanlines():
        k, rest = divmod(at[0] - line.x, line.pitch)
        if line.y == at[1] and not rest and 0 <= k < line.length:
            rows[line.row] |= 1 << line.first + line.stride * k
    return Mask(tuple(rows))


def _wedge(board: Board, at: Point, facing: int, width: int, strictly: int) -> Mask:
    (lx, ly), (rx, ry) = _borders(board, facing, width)
    rows = [0] * board.rows
    for line in board.scanlines():
        x, y = line.x - at[0], line.y - at[1]
        low, high = narrow(0, line.length - 1, lx * y - ly * x - strictly, -ly * line.pitch)
        low, high = narrow(low, high, ry * x - rx * y - strictly, ry * line.pitch)
        rows[line.row] |= scanline_bits(line, low, high)
    return Mask(tuple(rows))


def narrow(low: int, high: int, constant: int, slope: int) -> tuple[int, int]:
    """The part of low..high where constant + slope * k >= 0; empty (low > high) where there is none."""
    if slope > 0:
        return max(low, -(constant // slope)), high
    if slope < 0:
        return low, min(high, constant // -slope)
    return (low, high) if constant >= 0 else (1, 0)


def scanline_bits(line: Scanline, low: int, high: int) -> int:
    """The bits of a mask's row for the low-th to the high-th cell of a scanline."""
    if low > high:
        return 0
    ones = ((1 << line.stride * (high - low + 1)) - 1) // ((1 << line.stride) - 1)
    return ones << line.first + line.stride * low
