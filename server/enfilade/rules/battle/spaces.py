"""Spaces: what tokens of every size fill on squares, on hexes and without a grid, and how far apart they are.

Diagonals count by a rule in which a straight step is 1. A length is in cells on a grid, and in 64ths of a
cell without one; `length` makes one of the map's units. On a map that counts in squares or hexes, profiles
count in feet, 5 to each. Heights are in the map's units; a creature is as high as it is wide.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import itemgetter

from enfilade.geometry.board.bitboard import bitboard
from enfilade.geometry.board.footprint import Footprint, block
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask, Run
from enfilade.geometry.board.shapes import Body, box_body, hex_body
from enfilade.geometry.board.square import Diagonals, SquareBoard
from enfilade.geometry.board.units import CELL, HALF, Box, Cell, Corners, Point
from enfilade.geometry.movement.round_bases import GridlessBoard, RoundBase, gap
from enfilade.geometry.sight.blockers import Heights
from enfilade.geometry.sight.cover import box_corners, hex_corners
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.kit.board import Board, board_of
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token

HEX_BODIES: dict[int, tuple[Cell, ...]] = {
    3: ((0, 0), (1, 0), (0, 1)),
    4: ((0, 0), (1, 0), (0, 1), (1, 1)),
    7: ((0, 0), (1, 0), (-1, 1), (0, 1), (1, 1), (-1, 2), (0, 2)),
    12: (
        *((0, 0), (1, 0), (2, 0), (-1, 1), (0, 1), (1, 1), (2, 1)),
        *((-1, 2), (0, 2), (1, 2), (-1, 3), (0, 3)),
    ),
}
"""Bodies of several hexes, as axial offsets from the first hex of their first row."""
COUNTED, FEET = ("squares", "hexes", "cells", "spaces"), 5
"""The units of maps that measure nothing, and the feet that one of them stands for."""
UNSORTED = 4
"""The searches for near tokens in a scene before they are sorted: advice makes many scenes for a few."""
HEXES_OF_SIZE = {2: 3, 3: 7, 4: 12}
"""How many hexes a body as wide as high fills, by its width; 2 by 2 may be 4 by a house rule."""


@lru_cache(maxsize=256)
def footprint_of(size: tuple[int, int], is_hex: bool, large_hexes: int = 3) -> Footprint:
    """Return the cells that a token of a size fills. `large_hexes` are those of a size of 2 by 2."""
    if not is_hex or size[0] != size[1] or size[0] not in HEXES_OF_SIZE:
        return block(*size)
    count = large_hexes if size[0] == 2 else HEXES_OF_SIZE[size[0]]
    return Footprint(HEX_BODIES[count])


class Spaces:
    """The spaces of the tokens of a scene; those of tokens off the board are asked for in vain."""

    def __init__(
        self, scene: Scene, diagonals: Diagonals, large_hexes: int, sums_heights: bool = False
    ) -> None:
        self.scene, self.grid = scene, scene.grid
        self.diagonals, self.large_hexes, self.sums_heights = diagonals, large_hexes, sums_heights
        self.is_gridless = scene.grid.kind == "gridless"
        self.board: Board = board_of(scene, diagonals)  # without a grid its cells are only the map's squares
        self._is_plain, self._asked = diagonals is Diagonals.EQUIDISTANT, 0
        self._cells: dict[str, tuple[Token, list[Cell]]] = {}
        self._parts: dict[str, tuple[Token, list[Corners]]] = {}
        self._part_at: dict[Cell, list[Corners]] = {}

    # Lengths

    def length(self, units: float) -> int:
        """Return a distance of a profile as a length, rounded down to whole cells on a grid."""
        return int(units * (CELL if self.is_gridless else 1) / self.cell + 1e-9)

    @lazy
    def cell(self) -> float:
        """Return how wide a cell is in the units of profiles."""
        return self.grid.distance * (FEET if self.grid.units.lower() in COUNTED else 1)

    def in_units(self, length: float) -> float:
        """Return a length in the units of the map."""
        return length * self.grid.distance / (CELL if self.is_gridless else 1)

    def in_feet(self, length: float) -> float:
        """Return a length in the units of profiles."""
        return length * self.cell / (CELL if self.is_gridless else 1)

    def text(self, length: int) -> str:
        """Return a length as people say it: "15 feet", "4.5 m"."""
        return f"{round(self.in_units(length), 1):g} {self.grid.units}"

    def height(self, units: float) -> int:
        """Return a height of the map in 64ths of a cell."""
        return round(units * CELL / self.grid.distance) if units else 0

    # Who stands where

    @lazy
    def placed(self) -> list[Token]:
        """Return the tokens that stand on the board."""
        if self.is_gridless:
            return self.scene.on_board()
        return [one for one in self.scene.tokens if one.at is not None and one.at in self.board]

    def is_placed(self, token: Token) -> bool:
        """Return whether a token stands on the board."""
        return token.at is not None and (self.is_gridless or token.at in self.board)

    def has_place(self, token: Token, at: Cell) -> bool:
        """Return whether all of a token would be on the board at a place."""
        if not self.is_gridless:
            return all(cell in self.board for cell in self.cells(token, at))
        base, board = self.base(token, at), self.gridless_board
        (x, y), radius = base.at, base.radius
        return radius <= x <= board.width - radius and radius <= y <= board.height - radius

    def footprint(self, token: Token) -> Footprint:
        """Return the cells that a token fills, as offsets from its own."""
        return footprint_of(token.size, isinstance(self.board, HexBoard), self.large_hexes)

    def cells(self, token: Token, at: Cell | None = None) -> list[Cell]:
        """Return the cells that a token fills on a grid, at its place or another; some may be off it."""
        if at is not None and at != token.at:
            return self.footprint(token).cells(self.board, at)
        found = self._cells.get(token.id)
        if found is None or found[0] is not token:
            checkpoint()
            assert token.at is not None
            is_one = token.size == (1, 1)
            cells = [token.at] if is_one else self.footprint(token).cells(self.board, token.at)
            found = self._cells[token.id] = token, cells
        return found[1]

    def runs(self, token: Token) -> Sequence[Run]:
        """Return the hexes that a token larger than one fills; elsewhere its size tells."""
        if max(token.size) == 1 or not isinstance(self.board, HexBoard) or not self.is_placed(token):
            return ()
        cells = [cell for cell in self.cells(token) if cell in self.board]
        return Mask.of(cells, self.board.rows).runs()

    def base(self, token: Token, at: Cell | None = None) -> RoundBase:
        """Return the base of a token without a grid, as wide as its smaller side."""
        place = at or token.at
        assert place is not None
        return RoundBase(place, min(token.size) * HALF)

    @lazy
    def gridless_board(self) -> GridlessBoard:
        """Return the board without a grid."""
        return GridlessBoard(self.grid.columns * CELL, self.grid.rows * CELL)

    # Distances

    def distance(self, one: Token, other: Token) -> int:
        """Return the length between two spaces: the greater of that along the ground and that in height.

        With `sums_heights` it is the sum of both.
        """
        checkpoint()  # asked in loops over all tokens
        across = self._across(one, other)
        if one.elevation == other.elevation:
            return across
        rise = self.rise(one, other)
        return across + rise if self.sums_heights else max(across, rise)

    def _across(self, one: Token, other: Token) -> int:
        if self.is_gridless:
            return gap(self.base(one), self.base(other))
        if isinstance(self.board, SquareBoard):
            (x, y), (to_x, to_y) = one.at or (0, 0), other.at or (0, 0)
            (width, height), (to_width, to_height) = one.size, other.size
            # `_between` twice, written out: a crowd asks for thousands
            across = to_x - x - width + 1 if to_x > x else x - to_x - to_width + 1
            down = to_y - y - height + 1 if to_y > y else y - to_y - to_height + 1
            if self._is_plain:
                return max(0, across, down)
            return self.board.diagonals.distance(max(0, across), max(0, down))
        return min(self.board.distance(a, b) for a in self.cells(one) for b in self.cells(other))

    def rise(self, one: Token, other: Token) -> int:
        """Return how far the lower of two tokens, from its top, is below the other."""
        if one.elevation == other.elevation:
            return 0
        low, high = sorted((one, other), key=lambda token: token.elevation)
        up = high.elevation - low.elevation
        cells = up / self.grid.distance - max(low.size) + (0 if self.is_gridless else 1)
        return max(0, int(cells * (CELL if self.is_gridless else 1) + 1e-9))

    def within(self, token: Token, length: int) -> Mask:
        """Return the cells at most so far from a token on a grid, its own among them."""
        checkpoint()  # asked in loops over all tokens
        if isinstance(self.board, SquareBoard):
            return self._box_within(token, length) if self._is_plain else self._square_within(token, length)
        own = [cell for cell in self.cells(token) if cell in self.board]
        bits = bitboard(self.board)
        return bits.mask(bits.within(bits.of(own), length))

    def _box_within(self, token: Token, length: int) -> Mask:
        """Return the cells of a square board within a length, where a diagonal step is as long as any."""
        (left, top), (width, height), board = token.at or (0, 0), token.size, self.board
        first, last = max(0, left - length), min(board.columns, left + width + length)
        upper, lower = max(0, top - length), min(board.rows, top + height + length)
        row = (1 << last) - (1 << first)
        return Mask((*(0,) * upper, *(row,) * (lower - upper), *(0,) * (board.rows - lower)))

    def _square_within(self, token: Token, length: int) -> Mask:
        assert isinstance(self.board, SquareBoard)
        (left, top), (width, height), rows = token.at or (0, 0), token.size, []
        for row in range(self.board.rows):
            down, across = _between(top, height, row, 1), length
            while across >= 0 and self.board.diagonals.distance(across, down) > length:
                across -= 1
            first, last = max(0, left - across), min(self.board.columns - 1, left + width - 1 + across)
            rows.append((1 << last + 1) - (1 << first) if across >= 0 and first <= last else 0)
        return Mask(tuple(rows))

    def near(self, token: Token, length: int) -> list[Token]:
        """Return the other tokens that may be within a length of one: quick, and never too few."""
        checkpoint()
        (x, y), unit = token.at or (0, 0), CELL if self.is_gridless else 1
        # Without a grid and on hexes a body reaches to both sides of its place.
        far = length + unit * max(token.size)
        self._asked += 1
        if self._asked <= UNSORTED:
            return [
                other
                for other in self.placed
                if other.id != token.id
                and other.at is not None
                and abs(x - other.at[0]) <= far + unit * max(other.size)
                and abs(y - other.at[1]) <= far + unit * max(other.size)
            ]
        lefts, spots, widest = self._spots
        first, last = bisect_left(lefts, x - far - widest), bisect_right(lefts, x + far + widest)
        found = [
            (number, other)
            for to_x, number, to_y, own, other in spots[first:last]
            if abs(x - to_x) <= far + own and abs(y - to_y) <= far + own and other.id != token.id
        ]
        if len(found) > 1:
            found.sort(key=itemgetter(0))
        return [other for _, other in found]

    def between(self, one: Token, other: Token, among: Sequence[Token]) -> list[Token]:
        """Return those of some tokens that a line between two may meet: quick, and never too few."""
        checkpoint()
        (x, y), (to_x, to_y), unit = one.at or (0, 0), other.at or (0, 0), CELL if self.is_gridless else 1
        far = unit * max(*one.size, *other.size)
        left, right = min(x, to_x) - far, max(x, to_x) + far
        top, bottom = min(y, to_y) - far, max(y, to_y) + far
        return [
            each
            for each in among
            if each.at is not None
            and left <= each.at[0] + unit * max(each.size)
            and each.at[0] - unit * max(each.size) <= right
            and top <= each.at[1] + unit * max(each.size)
            and each.at[1] - unit * max(each.size) <= bottom
        ]

    def near_each(self, lengths: Mapping[str, int]) -> list[tuple[Token, Token]]:
        """Return each token with a length, by ID, and each other that may be within it; never too few."""
        lefts, spots, widest = self._spots
        longest, found = max(lengths.values(), default=0), list[tuple[int, int, Token, Token]]()
        for place, (x, number, y, own, one) in enumerate(spots, 1):
            checkpoint()
            length = lengths.get(one.id, -1)
            last = bisect_right(lefts, x + longest + own + widest, place)
            for to_x, to_number, to_y, its_own, other in spots[place:last]:
                apart, its_length = max(to_x - x, abs(to_y - y)) - own - its_own, lengths.get(other.id, -1)
                if apart <= length >= 0:
                    found.append((number, to_number, one, other))
                if apart <= its_length >= 0:
                    found.append((to_number, number, other, one))
        found.sort(key=itemgetter(0, 1))
        return [(one, other) for _, _, one, other in found]

    @lazy
    def filled(self) -> Mask:
        """Return the cells of a grid that any token fills."""
        cells = [cell for one in self.placed for cell in self.cells(one) if cell in self.board]
        return Mask.of(cells, self.board.rows)

    @lazy
    def _spots(self) -> tuple[list[int], list[tuple[int, int, int, int, Token]], int]:
        """Return the columns of the tokens in order, the tokens with their spots, and the widest's width."""
        unit, spots = CELL if self.is_gridless else 1, []
        for number, one in enumerate(self.placed):
            x, y = one.at or (0, 0)
            spots.append((x, number, y, unit * max(one.size), one))
        spots.sort(key=itemgetter(0))
        return [spot[0] for spot in spots], spots, max([spot[3] for spot in spots], default=0)

    def places_touching(self, token: Token, cells: Mask) -> Mask:
        """Return the places at which a token on a grid fills any of some cells."""
        offsets = self.footprint(token).offsets
        if len(offsets) == 1:
            return cells
        back = [(-dx, -dy) for dx, dy in offsets]
        places = {self.board.shift(cell, offset) for cell in cells for offset in back}
        return Mask.of([place for place in places if place in self.board], self.board.rows)

    # Shapes for lines

    def parts(self, token: Token) -> list[Corners]:
        """Return the corners of each part of a space, inset so that no line runs along its edge."""
        if token.size == (1, 1) and not self.is_gridless:  # advice asks for one token at hundreds of places
            at = token.at
            assert at is not None
            if at not in self._part_at:
                self._part_at[at] = [self.part(at)]
            return self._part_at[at]
        known = self._parts.get(token.id)
        if known is None or known[0] is not token:
            checkpoint()
            if self.is_gridless:
                found = [box_corners(self.box(token))]
            else:
                found = [self.part(cell) for cell in self.cells(token)]
            known = self._parts[token.id] = token, found
        return known[1]

    def part(self, cell: Cell) -> Corners:
        """Return the corners of a cell of a grid, inset."""
        if isinstance(self.board, HexBoard):
            return hex_corners(self.board, cell)
        x, y = cell[0] * CELL, cell[1] * CELL
        return box_corners((x, y, x + CELL, y + CELL))

    def outer(self, token: Token) -> Corners:
        """Return the corners of a whole space, inset."""
        if isinstance(self.board, HexBoard):
            return tuple(point for part in self.parts(token) for point in part)
        return box_corners(self.box(token))

    def outer_corner(self, token: Token) -> Point:
        """Return a corner of the grid at a space: the lower right one, or a corner of the last hex."""
        if isinstance(self.board, HexBoard):
            return self.board.corners(self.cells(token)[-1])[0]
        return self.box(token)[2:]

    def corner(self, cell: Cell) -> Point:
        """Return a corner of the grid at a cell: the lower right one, or a corner of the hex."""
        if isinstance(self.board, HexBoard):
            return self.board.corners(cell)[0]
        return (cell[0] + 1) * CELL, (cell[1] + 1) * CELL

    def center(self, token: Token) -> Point:
        """Return the center of a space."""
        if not isinstance(self.board, HexBoard):
            left, top, right, bottom = self.box(token)
            return (left + right) // 2, (top + bottom) // 2
        points = self.outer(token)
        return sum(x for x, _ in points) // len(points), sum(y for _, y in points) // len(points)

    def box(self, token: Token) -> Box:
        """Return the box of a space on squares or without a grid."""
        assert token.at is not None
        (x, y), (width, height) = token.at, token.size
        if self.is_gridless:
            x, y = x - width * HALF, y - height * HALF
        else:
            x, y = x * CELL, y * CELL
        return x, y, x + width * CELL, y + height * CELL

    def body(self, token: Token) -> Body:
        """Return a space as a body that may be in the way of lines, as high as it is wide."""
        checkpoint()  # made for all creatures
        bottom = self.height(token.elevation)
        top = bottom + max(token.size) * CELL
        if isinstance(self.board, HexBoard):
            return hex_body(self.board, self.cells(token), bottom, top)
        return box_body(self.box(token), bottom, top)

    def heights(self, one: Token, other: Token) -> Heights:
        """Return the heights of a line between two tokens: the middle of each."""
        return self.middle(one), self.middle(other)

    def middle(self, token: Token) -> int:
        """Return the height of the middle of a token, in 64ths of a cell."""
        return self.height(token.elevation) + max(token.size) * HALF


def _between(start: int, length: int, other: int, other_length: int) -> int:
    """Return how many cells one range of columns or rows is from another; 0 if they overlap."""
    return max(0, other - (start + length - 1), start - (other + other_length - 1))


@per_scene
def spaces_of(
    scene: Scene,
    diagonals: Diagonals = Diagonals.EQUIDISTANT,
    large_hexes: int = 3,
    sums_heights: bool = False,
) -> Spaces:
    """Return the spaces of a scene's tokens."""
    return Spaces(scene, diagonals, large_hexes, sums_heights)


def opposite(spaces: Spaces, target: Token, one: Token, other: Token) -> bool:
    """Return whether two tokens stand at opposite sides or corners of a target's space.

    On squares the line between their centers leaves the space by the side, or the corner, opposite to the one
    where it enters. On hexes and without a grid the angle between them, seen from the target, is at least 150
    degrees.
    """
    a, b = spaces.center(one), spaces.center(other)
    if isinstance(spaces.board, SquareBoard) and not spaces.is_gridless:
        left, top, right, bottom = spaces.box(target)
        is_across = _crosses(a, b, (left, right), (top, bottom))
        return is_across or _crosses(a[::-1], b[::-1], (top, bottom), (left, right))
    x, y = spaces.center(target)
    (ax, ay), (bx, by) = _true(spaces, a[0] - x, a[1] - y), _true(spaces, b[0] - x, b[1] - y)
    along = ax * bx + ay * by
    return along < 0 and 4 * along * along >= 3 * (ax * ax + ay * ay) * (bx * bx + by * by)


def _crosses(a: Point, b: Point, sides: tuple[int, int], ends: tuple[int, int]) -> bool:
    """Return whether a line crosses two opposite sides of a box, each between its ends."""
    if a[0] > b[0]:
        a, b = b, a
    if not (a[0] <= sides[0] and b[0] >= sides[1]):
        return False
    run, rise = b[0] - a[0], b[1] - a[1]
    crossed = [a[1] * run + rise * (side - a[0]) for side in sides]
    return all(ends[0] * run <= at <= ends[1] * run for at in crossed)


def _true(spaces: Spaces, x: int, y: int) -> tuple[float, float]:
    """Return an offset in the true proportions of the board: those of hexes are squeezed."""
    if not isinstance(spaces.board, HexBoard):
        return x, y
    return (x * 3**0.5, y * 2) if spaces.board.is_pointy else (x * 2, y * 3**0.5)
