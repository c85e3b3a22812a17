"""Walls and doors from files: round them to 64ths of a cell, filter them, name them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import count

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadFile
from enfilade.geometry.board.base import CELL, Segment
from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Grid, Wall

Spot = tuple[Fraction, Fraction]
"""An exact point, in cells from the board's top left corner."""


Ends = tuple[float, float, float, float]
"""A segment in 64ths of a cell, not rounded."""

NOWHERE = (0, 0, 0, 0)
"""The line of a wall that is yet to be drawn."""


class DrawnWall(msgspec.Struct, frozen=True):
    """A wall or door; its ID is empty if the file has none. `was_moved` marks a rounded one.

    `ends` is its line before rounding.
    """

    wall: Wall
    was_moved: bool
    ends: Ends


def exact(number: float) -> Fraction:
    """Return a number as its file writes it: 2.3 is 23/10, not the nearest binary fraction."""
    return Fraction(str(number))


def nearest_unit(cells: Fraction) -> int:
    """Return a length in cells as 64ths; halves round away from zero."""
    units = cells * CELL
    size = int(abs(units) + Fraction(1, 2))
    return size if units >= 0 else -size


def draw(like: Wall, a: Spot, b: Spot) -> DrawnWall:
    """Return a wall like another, between two points, in 64ths.

    A line that runs out of reach is cut there; one that lies wholly out of reach is outside every board.
    Calls `checkpoint`, because maps have thousands of walls.
    """
    checkpoint()
    ends: tuple[Fraction, ...] = (*a, *b)
    if max(map(abs, ends)) > limits.CELLS_A_SIDE:
        ends = _cut_to_reach(ends)
    x1, y1, x2, y2 = (nearest_unit(value) for value in ends)
    was_moved = any(value * CELL % 1 for value in ends)
    x3, y3, x4, y4 = (float(value * CELL) for value in ends)
    return DrawnWall(replace(like, line=(x1, y1, x2, y2)), was_moved, (x3, y3, x4, y4))


_OUT_OF_REACH = (*(Fraction(limits.CELLS_A_SIDE + 2),) * 3, Fraction(limits.CELLS_A_SIDE + 3))
"""A line outside every board, which is left out as such."""


def _cut_to_reach(ends: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Return the part of a line within reach of the board's corner (Liang and Barsky)."""
    x1, y1, x2, y2 = ends
    reach, first, last = limits.CELLS_A_SIDE, Fraction(0), Fraction(1)
    for start, step in ((x1, x2 - x1), (y1, y2 - y1)):
        for way, room in ((-step, start + reach), (step, reach - start)):
            if way < 0:
                first = max(first, room / way)
            elif way > 0:
                last = min(last, room / way)
            elif room < 0:
                last = Fraction(0)
    if first >= last:
        return _OUT_OF_REACH
    ends_at = ((x1 + (x2 - x1) * at, y1 + (y2 - y1) * at) for at in (first, last))
    return tuple(value for end in ends_at for value in end)


def side_in_cells(cells: Fraction, place: str) -> int:
    """Return the width or height of a board; a partial cell counts whole. Raises BadFile if out of range."""
    whole = -int(-cells // 1)
    if not 1 <= whole <= limits.CELLS_A_SIDE:
        raise BadFile(localize("import.board_size", cells=limits.CELLS_A_SIDE), place)
    return whole


def filter_walls(drawn: Iterable[DrawnWall], grid: Grid) -> tuple[tuple[Wall, ...], list[str]]:
    """Return the walls to keep, and notes on the others.

    Walls without an ID of their own get `w1` and `d1` onward, in file order. A secret door is named like the
    wall it resembles.
    """
    everything = list(drawn)
    long = [piece for piece in everything if piece.wall.line[:2] != piece.wall.line[2:]]
    kept = [piece for piece in long if _is_on(piece.wall.line, grid)]
    if len(kept) > limits.WALLS:
        raise BadFile(localize("import.too_many_walls", limit=limits.WALLS))
    return _with_ids(kept), _notes(kept, len(everything) - len(long), len(long) - len(kept))


def _is_on(at: Segment, grid: Grid) -> bool:
    x1, y1, x2, y2 = at
    jut = CELL if grid.kind.startswith("hex") else 0  # every other row or column of hexes stands out by half
    across = max(x1, x2) >= 0 and min(x1, x2) <= grid.columns * CELL + jut
    return across and max(y1, y2) >= 0 and min(y1, y2) <= grid.rows * CELL + jut


def _with_ids(kept: Sequence[DrawnWall]) -> tuple[Wall, ...]:
    places, taken = {"w": count(1), "d": count(1)}, {""}
    named = []
    for piece in kept:
        letter = "w" if piece.wall.door in ("none", "secret") else "d"
        place = next(places[letter])
        name = f"{letter}{place}" if piece.wall.id in taken else piece.wall.id
        taken.add(name)
        named.append(replace(piece.wall, id=name))
    return tuple(named)


def _notes(kept: Sequence[DrawnWall], short: int, outside: int) -> list[str]:
    counts = (
        ("import.walls_moved", sum(piece.was_moved for piece in kept)),
        ("import.walls_too_short", short),
        ("import.walls_outside", outside),
    )
    return [localize(key, count=count) for key, count in counts if count]
