"""Shadows drawn on a board: which cell centres they cover, a row at a time, as bits of a whole number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import repeat

from enfilade.geometry.board.base import Board, Scanline
from enfilade.geometry.board.bodies import Block
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Cell, Point
from enfilade.geometry.sight.shadows import HalfPlane, Shadow, cross

HORIZON = 512
"""Into how many sectors the horizon is cut when looking for what is hidden by something nearer."""

QUARTER = HORIZON // 4
UNLIMITED = 1 << 62


@dataclass(frozen=True, slots=True)
class Lattice:
    """Evenly spaced cells of a board: the k-th in line j is cell (first + stride k, top + step j).

    Its centre is at (x + pitch k, y + drop j). A square board is one lattice, a hex board two.
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
        """The same cells with another point of each in place of its centre."""
        return replace(self, x=self.x + dx, y=self.y + dy)

    def cell(self, column: int, row: int) -> Cell:
        """The board's cell at a place of the lattice."""
        return (self.first + self.stride * column, self.top + self.step * row)

    def centre(self, column: int, row: int) -> Point:
        """The point at a place of the lattice."""
        return (self.x + self.pitch * column, self.y + self.drop * row)

    def clip(self, block: Block) -> Block:
        """The lattice's lines and columns within a block of the board's cells; may be empty."""
        rows = _inside(block[0], block[1], self.top, self.step, self.rows)
        return (*rows, *_inside(block[2], block[3], self.first, self.stride, self.columns))

    def bits(self, blocks: Sequence[Block]) -> dict[int, int]:
        """The cells of some blocks as bits of the lattice's lines."""
        rows: dict[int, int] = {}
        for first, last, left, right in map(self.clip, blocks):
            for row in range(first, last + 1):
                rows[row] = rows.get(row, 0) | (1 << max(right + 1, left)) - (1 << left)
        return rows


def _inside(low: int, high: int, origin: int, step: int, count: int) -> tuple[int, int]:
    return max(0, -((origin - low) // step)), min(count - 1, (high - origin) // step)


@lru_cache(maxsize=64)
def lattices(board: Board) -> tuple[Lattice, ...]:
    """The lattices that together are a board."""
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


class Darkness:
    """The cells of a lattice that an eye does not see, built up shadow by shadow."""

    def __init__(self, lattice: Lattice, eye: Point, rows: Sequence[int] = ()) -> None:
        self.lattice, self.eye = lattice, eye
        self.rows = list(rows) or [0] * lattice.rows
        self._once = [0] * lattice.rows

    def add(self, row: int, bits: int, is_limited: bool) -> None:
        """Darken some cells of a row; by limited blockers, those alone that one had darkened before."""
        if is_limited:
            self._once[row], bits = self._once[row] | bits, self._once[row] & bits
        self.rows[row] |= bits

    def add_everything(self, is_limited: bool, own: Sequence[Block] = ()) -> None:
        """Darken every cell but those of some blocks."""
        lit = self.lattice.bits(own)
        for row in range(self.lattice.rows):
            self.add(row, self.lattice.all_columns & ~lit.get(row, 0), is_limited)

    def add_shadow(self, shadow: Shadow) -> None:
        """Darken the cells whose centre is in a shadow."""
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
        """The (column, row) of every centre on the line through the eye and a point beside it.

        Where the point is the eye itself, any line does.
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
    """The first and last row that can hold shadow: a wedge wholly above or below begins at its blocker."""
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
    """What is left of each row's run of columns inside one half-plane."""
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


def unhidden(shadows: Sequence[Shadow]) -> list[Shadow]:
    """The shadows without those that lie wholly inside others, as far as a quick look can tell.

    The horizon is cut into sectors. A blocker that spans a whole sector hides what lies in it farther off
    than its own farthest corner. Whole numbers again: what is left out is surely hidden.
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
    """The first and last sector a shadow's wedge meets; the last may pass the end of the horizon."""
    if cross(shadow.right, shadow.left) == 0:
        return 0, 0
    first, last = _sector(*shadow.right), _sector(*shadow.left)
    return first, last if last >= first else last + HORIZON


def _sector(x: int, y: int) -> int:
    if y >= 0:
        return QUARTER + -x * QUARTER // (abs(x) + y)
    return 3 * QUARTER + x * QUARTER // (abs(x) - y)


def lit(board: Board, darkness: Sequence[Darkness]) -> Mask:
    """The cells of a board that are not dark."""
    first = darkness[0]
    if len(darkness) == 1 and first.lattice.stride == first.lattice.step == 1:
        whole = first.lattice.all_columns
        return Mask(tuple([whole ^ bits for bits in first.rows]))
    rows = [0] * board.rows
    for dark in darkness:
        lattice = dark.lattice
        for j, bits in enumerate(dark.rows):
            seen = lattice.all_columns ^ bits
            rows[lattice.top + lattice.step * j] |= spread(seen, lattice.stride) << lattice.first
    return Mask(tuple(rows))


def spread(bits: int, stride: int) -> int:
    """Bits with gaps between them: the k-th becomes the (stride * k)-th."""
    if stride == 1:
        return bits
    return int(("0" * (stride - 1)).join(f"{bits:b}"), 2)
