"""Shadows drawn on a board: the cell centers they cover, one row at a time, as bits of an integer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import repeat

from enfilade.geometry.board.base import Board, Cell, Point, Scanline
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.shapes import Block
from enfilade.geometry.sight.shadows import HalfPlane, Shadow, cross

HORIZON = 512
"""The number of sectors of the horizon in the search for hidden shadows."""

QUARTER = HORIZON // 4
UNLIMITED = 1 << 62


@dataclass(frozen=True, slots=True)
class Lattice:
    """Evenly spaced cells of a board: the k-th in line j is cell (first + stride k, top + step j).

    Its center is at (x + pitch k, y + drop j). A square board is one lattice, a hex board two.
    """

    first: int
    stride: int
    columns: int
    top: int
    step: int
    rows: int
    x: int
    y: int
    pitch: int
    drop: int

    @property
    def all_columns(self) -> int:
        """The bits of a whole line."""
        return (1 << self.columns) - 1

    def shifted(self, dx: int, dy: int) -> Lattice:
        """Return the same cells with another point of each in place of its center."""
        return replace(self, x=self.x + dx, y=self.y + dy)

    def cell(self, column: int, row: int) -> Cell:
        """Return the board's cell at a position in the lattice."""
        return (self.first + self.stride * column, self.top + self.step * row)

    def cell_with_center(self, point: Point) -> Cell | None:
        """Return the cell whose center is a point, or None."""
        column, beside = divmod(point[0] - self.x, self.pitch)
        row, below = divmod(point[1] - self.y, self.drop)
        is_there = not beside and not below and 0 <= column < self.columns and 0 <= row < self.rows
        return self.cell(column, row) if is_there else None

    def center(self, column: int, row: int) -> Point:
        """Return the point at a position in the lattice."""
        return (self.x + self.pitch * column, self.y + self.drop * row)

    def clip(self, block: Block) -> Block:
        """Return the lattice's lines and columns within a block of the board's cells; may be empty."""
        rows = _inside(block[0], block[1], self.top, self.step, self.rows)
        return (*rows, *_inside(block[2], block[3], self.first, self.stride, self.columns))

    def bits(self, blocks: Sequence[Block]) -> dict[int, int]:
        """Return the cells of some blocks as bits of the lattice's lines."""
        rows: dict[int, int] = {}
        for first, last, left, right in map(self.clip, blocks):
            for row in range(first, last + 1):
                rows[row] = rows.get(row, 0) | (1 << max(right + 1, left)) - (1 << left)
        return rows


def _inside(low: int, high: int, origin: int, step: int, count: int) -> tuple[int, int]:
    return max(0, -((origin - low) // step)), min(count - 1, (high - origin) // step)


@lru_cache(maxsize=64)
def lattices(board: Board) -> tuple[Lattice, ...]:
    """Return the lattices that make up a board."""
    groups: dict[tuple[int, ...], list[Scanline]] = {}
    for line in board.scanlines():
        groups.setdefault((line.first, line.stride, line.length, line.x, line.pitch), []).append(line)
    return tuple(_lattice(lines) for lines in groups.values())


def _lattice(lines: Sequence[Scanline]) -> Lattice:
    one, other = lines[0], lines[min(1, len(lines) - 1)]
    step, drop = (other.row - one.row or 1), (other.y - one.y or 1)
    return Lattice(
        one.first, one.stride, one.length, one.row, step, len(lines), one.x, one.y, one.pitch, drop
    )


class ShadowRaster:
    """The cells of a lattice that an eye does not see, built up shadow by shadow."""

    def __init__(self, lattice: Lattice, eye: Point, rows: Sequence[int] = ()) -> None:
        self.lattice, self.eye = lattice, eye
        self.rows = list(rows) or [0] * lattice.rows
        self._once = [0] * lattice.rows

    def add(self, row: int, bits: int, is_limited: bool) -> None:
        """Darken some cells of a row. A limited blocker darkens only those under a second one."""
        if is_limited:
            self._once[row], bits = self._once[row] | bits, self._once[row] & bits
        self.rows[row] |= bits

    def add_everything(self, is_limited: bool, own: Sequence[Block] = ()) -> None:
        """Darken every cell except those of some blocks."""
        lit = self.lattice.bits(own)
        for row in range(self.lattice.rows):
            self.add(row, self.lattice.all_columns & ~lit.get(row, 0), is_limited)

    def add_shadow(self, shadow: Shadow) -> None:
        """Darken the cells whose center is in a shadow."""
        first, last = _rows_met(self.lattice, self.eye, shadow)
        lows = [0] * (last - first + 1)
        highs = [self.lattice.columns - 1] * (last - first + 1)
        for plane in shadow.planes:
            lows, highs = _narrow(lows, highs, self.lattice, self.eye, plane, first)
        own = self.lattice.bits(shadow.own)
        for row, low, high in zip(range(first, last + 1), lows, highs, strict=True):
            if low <= high:
                bits = (2 << high) - (1 << low)
                self.add(row, bits & ~own[row] if row in own else bits, shadow.is_limited)

    def in_line(self, near: Point) -> Iterator[tuple[int, int]]:
        """Yield the (column, row) of every center on the line through the eye and a point relative to it.

        The line is vertical if the point is the eye itself.
        """
        lattice, (dx, dy) = self.lattice, near if near != (0, 0) else (0, 1)
        left = lattice.x - self.eye[0]
        for row in range(lattice.rows):
            y = lattice.y + lattice.drop * row - self.eye[1]
            if dy == y == 0:
                yield from ((column, row) for column in range(lattice.columns))
            elif dy and y * dx % dy == 0:
                column, rest = divmod(y * dx // dy - left, lattice.pitch)
                if rest == 0 and 0 <= column < lattice.columns:
                    yield (column, row)


def _rows_met(lattice: Lattice, eye: Point, shadow: Shadow) -> tuple[int, int]:
    """Return the first and last row with shadow: a wedge wholly above or below begins at its blocker."""
    first, last = 0, lattice.rows - 1
    offset = lattice.y - eye[1]
    if shadow.begins > 0:
        first = max(0, -((offset - shadow.begins) // lattice.drop))
    elif shadow.begins < 0:
        last = min(last, (shadow.begins - offset) // lattice.drop)
    return first, max(first - 1, last)


def _narrow(
    lows: list[int], highs: list[int], lattice: Lattice, eye: Point, plane: HalfPlane, first: int
) -> tuple[list[int], list[int]]:
    """Return the part of each row's run of columns inside one half-plane."""
    a, b, c = plane
    start = a * (lattice.x - eye[0]) + b * (lattice.y + lattice.drop * first - eye[1]) + c
    step, count = b * lattice.drop, len(lows)
    values = range(start, start + step * count, step) if step else repeat(start, count)
    width = lattice.pitch * abs(a)
    if a > 0:
        return [q if (q := -(v // width)) > low else low for v, low in zip(values, lows, strict=True)], highs
    if a < 0:
        return lows, [q if (q := v // width) < high else high for v, high in zip(values, highs, strict=True)]
    return [low if v >= 0 else lattice.columns for v, low in zip(values, lows, strict=True)], highs


def cull_hidden(shadows: Sequence[Shadow]) -> list[Shadow]:
    """Return the shadows without those that a fast test finds wholly inside others.

    The horizon is cut into sectors. A blocker that spans a whole sector hides everything in it beyond its
    own farthest corner. All numbers are integers, so every shadow left out is hidden.
    """
    spans = [_sectors(shadow) for shadow in shadows]
    depth = [UNLIMITED] * HORIZON
    for shadow, (first, last) in zip(shadows, spans, strict=True):
        if shadow.farthest:
            for sector in range(first + 1, last):
                if shadow.farthest < depth[sector % HORIZON]:
                    depth[sector % HORIZON] = shadow.farthest
    return [
        shadow
        for shadow, (first, last) in zip(shadows, spans, strict=True)
        if _is_seen(depth, first, last, shadow.nearest)
    ]


def _is_seen(depth: list[int], first: int, last: int, nearest: int) -> bool:
    return any(nearest <= depth[sector % HORIZON] for sector in range(first, last + 1))


def _sectors(shadow: Shadow) -> tuple[int, int]:
    """Return the first and last sector a wedge meets; the last may pass the end of the horizon."""
    if cross(shadow.right, shadow.left) == 0:
        return 0, 0
    first, last = _sector(*shadow.right), _sector(*shadow.left)
    return first, last if last >= first else last + HORIZON


def _sector(x: int, y: int) -> int:
    if y >= 0:
        return QUARTER + -x * QUARTER // (abs(x) + y)
    return 3 * QUARTER + x * QUARTER // (abs(x) - y)


def visible_mask(board: Board, cast_shadows: Sequence[ShadowRaster]) -> Mask:
    """Return the cells of a board that are not dark."""
    if _is_whole(cast_shadows):
        whole = cast_shadows[0].lattice.all_columns
        return Mask(tuple([whole ^ bits for bits in cast_shadows[0].rows]))
    rows = [0] * board.rows
    for dark in cast_shadows:
        lattice = dark.lattice
        for j, bits in enumerate(dark.rows):
            seen = lattice.all_columns ^ bits
            rows[lattice.top + lattice.step * j] |= spread(seen, lattice.stride) << lattice.first
    return Mask(tuple(rows))


def dark_rows(board: Board, cast_shadows: Sequence[ShadowRaster]) -> Sequence[int]:
    """Return the dark cells of a board, as an integer for each row."""
    if _is_whole(cast_shadows):
        return cast_shadows[0].rows
    whole = (1 << board.columns) - 1
    return [whole ^ bits for bits in visible_mask(board, cast_shadows).rows]


def _is_whole(cast_shadows: Sequence[ShadowRaster]) -> bool:
    """Return whether one lattice has all cells of its board: the boards of squares."""
    lattice = cast_shadows[0].lattice
    return len(cast_shadows) == 1 and lattice.stride == lattice.step == 1


def spread(bits: int, stride: int) -> int:
    """Return the bits with gaps between them: the k-th becomes the (stride * k)-th."""
    if stride == 1:
        return bits
    return int(("0" * (stride - 1)).join(f"{bits:b}"), 2)
