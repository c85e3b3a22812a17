"""Shadows drawn on a board: which cell centres they cover, a row at a time, as bits of a whole number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

from enfilade.geometry.shadows import HalfPlane, Shadow, cross, half_planes
from enfilade.geometry.units import CELL, HALF, Point, Segment

QUARTER = 128
"""Into how many sectors each quarter of the horizon is cut when looking for what is hidden."""

UNLIMITED = 1 << 62


@dataclass(frozen=True, slots=True)
class Lattice:
    """Where a board's cell centres are: cell (i, j) at (left + CELL * i, top + drop * j)."""

    columns: int
    rows: int
    left: int = HALF
    top: int = HALF
    drop: int = CELL

    @property
    def all_columns(self) -> int:
        """The bits of a whole row."""
        return (1 << self.columns) - 1


def dark_rows(lattice: Lattice, eye: Point, shadows: Sequence[Shadow]) -> list[int]:
    """The cells whose centre is in any of the shadows, as one number a row."""
    rows = [0] * lattice.rows
    for shadow in unhidden(shadows):
        darken(rows, lattice, eye, shadow)
    return rows


def darken(rows: list[int], lattice: Lattice, eye: Point, shadow: Shadow) -> None:
    """Set the bits of the cells whose centre is in a shadow."""
    first, last = _rows_met(lattice, eye, shadow)
    lows, highs = [0] * (last - first + 1), [lattice.columns - 1] * (last - first + 1)
    for plane in half_planes(shadow):
        lows, highs = _clip(lows, highs, lattice, eye, plane, first)
    top, bottom, own = shadow.own
    for row, low, high in zip(range(first, last + 1), lows, highs, strict=True):
        if low <= high:
            bits = (2 << high) - (1 << low)
            rows[row] |= bits & ~own if top <= row < bottom else bits


def darken_ray(rows: list[int], lattice: Lattice, eye: Point, ray: Segment) -> None:
    """Set the bits of the cells whose centre lies in line with a wall seen from its end, or with a point.

    An eye on the wall itself sees nothing.
    """
    ax, ay, bx, by = ray[0] - eye[0], ray[1] - eye[1], ray[2] - eye[0], ray[3] - eye[1]
    if ax * bx + ay * by <= 0:
        rows[:] = [lattice.all_columns] * lattice.rows
        return
    near = (ax, ay) if abs(ax) + abs(ay) <= abs(bx) + abs(by) else (bx, by)
    for row in range(lattice.rows):
        for column in _columns_in_line(lattice, eye, row, near):
            rows[row] |= 1 << column


def _columns_in_line(lattice: Lattice, eye: Point, row: int, near: Point) -> Iterator[int]:
    left, y = lattice.left - eye[0], lattice.top + lattice.drop * row - eye[1]
    if near[1] == 0:
        if y == 0:
            yield from (i for i in range(lattice.columns) if (left + CELL * i) // near[0] >= 1)
    elif y // near[1] >= 1 and y * near[0] % near[1] == 0:
        column, rest = divmod(y * near[0] // near[1] - left, CELL)
        if rest == 0 and 0 <= column < lattice.columns:
            yield column


def _rows_met(lattice: Lattice, eye: Point, shadow: Shadow) -> tuple[int, int]:
    """The first and last row that can hold shadow: a wedge wholly above or below begins at its chord."""
    first, last = 0, lattice.rows - 1
    if cross(shadow.right, shadow.left):
        above, below = sorted((shadow.right[1], shadow.left[1]))
        offset = lattice.top - eye[1]
        if above >= 0:
            first = max(0, -((offset - above) // lattice.drop))
        elif below <= 0:
            last = min(last, (below - offset) // lattice.drop)
    return first, max(first - 1, last)


def _clip(
    lows: list[int], highs: list[int], lattice: Lattice, eye: Point, plane: HalfPlane, first: int
) -> tuple[list[int], list[int]]:
    """What is left of each row's run of columns inside one half-plane."""
    a, b, c = plane
    start = a * (lattice.left - eye[0]) + b * (lattice.top + lattice.drop * first - eye[1]) + c
    step, count = b * lattice.drop, len(lows)
    values = range(start, start + step * count, step) if step else repeat(start, count)
    width = CELL * abs(a)
    if a > 0:
        return [q if (q := -(v // width)) > low else low for v, low in zip(values, lows, strict=True)], highs
    if a < 0:
        return lows, [q if (q := v // width) < high else high for v, high in zip(values, highs, strict=True)]
    return [low if v >= 0 else lattice.columns for v, low in zip(values, lows, strict=True)], highs


def unhidden(shadows: Sequence[Shadow]) -> list[Shadow]:
    """The shadows without those that lie wholly inside others, as far as a quick look can tell.

    The horizon is cut into sectors. A blocker that spans a whole sector hides what lies in it farther off
    than its own farthest corner. Whole numbers again: what is left out is surely hidden.
    """
    spans = [_sectors(shadow) for shadow in shadows]
    depth = [UNLIMITED] * (4 * QUARTER)
    for shadow, (first, last) in zip(shadows, spans, strict=True):
        for sector in range(first + 1, last):
            if shadow.reach < depth[sector % (4 * QUARTER)]:
                depth[sector % (4 * QUARTER)] = shadow.reach
    return [
        shadow
        for shadow, (first, last) in zip(shadows, spans, strict=True)
        if _is_seen(depth, first, last, _nearest(shadow))
    ]


def _is_seen(depth: list[int], first: int, last: int, nearest: int) -> bool:
    return any(nearest <= depth[sector % (4 * QUARTER)] for sector in range(first, last + 1))


def _sectors(shadow: Shadow) -> tuple[int, int]:
    """The first and last sector a shadow's wedge meets; the last may pass the end of the horizon."""
    first, last = _sector(*shadow.right), _sector(*shadow.left)
    return first, last if last >= first else last + 4 * QUARTER


def _sector(x: int, y: int) -> int:
    if y >= 0:
        return QUARTER + -x * QUARTER // (abs(x) + y)
    return 3 * QUARTER + x * QUARTER // (abs(x) - y)


def _nearest(shadow: Shadow) -> int:
    """The square of the distance to a shadow's chord, rounded down."""
    (rx, ry), (lx, ly) = shadow.right, shadow.left
    vx, vy = lx - rx, ly - ry
    length, along = vx * vx + vy * vy, -(rx * vx + ry * vy)
    if along <= 0:
        return rx * rx + ry * ry
    if along >= length:
        return lx * lx + ly * ly
    turn = rx * ly - ry * lx
    return turn * turn // length
