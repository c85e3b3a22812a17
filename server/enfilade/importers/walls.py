"""Walls and doors on their way from a file into a scene: rounded to 64ths of a cell, sifted and named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import count

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadFile
from enfilade.geometry.board.units import CELL, Segment
from enfilade.importers import limits
from enfilade.importers.imported import how_many
from enfilade.scene.model import Grid, Wall
from enfilade.time_budget import checkpoint

Spot = tuple[Fraction, Fraction]
"""A point as exactly as its file has it, in cells from the board's top left corner."""


class Drawn(msgspec.Struct, frozen=True):
    """A wall or door, its id empty where its file gives none; `was_moved` says that rounding changed it."""

    wall: Wall
    was_moved: bool = False


def exactly(number: float) -> Fraction:
    """A number as its file spells it: 2.3 is 23/10, not the nearest binary fraction."""
    return Fraction(str(number))


def nearest_unit(cells: Fraction) -> int:
    """A length in cells as 64ths, halves rounded away from zero."""
    units = cells * CELL
    size = int(abs(units) + Fraction(1, 2))
    return size if units >= 0 else -size


def line(a: Spot, b: Spot, place: str) -> tuple[Segment, bool]:
    """The line between two points in 64ths, and whether it was moved; raises BadFile where it is too far.

    Breathes, as a map has thousands of them.
    """
    checkpoint()
    x1, y1, x2, y2 = (nearest_unit(value) for value in (*a, *b))
    if max(map(abs, (x1, y1, x2, y2))) > limits.REACH:
        raise BadFile(f"this lies more than {limits.CELLS_A_SIDE} cells from the board's corner", place)
    was_moved = any(value * CELL % 1 for value in (*a, *b))
    return (x1, y1, x2, y2), was_moved


def side_in_cells(cells: Fraction, place: str) -> int:
    """A board's width or height, a started cell counted whole; raises BadFile where it is absurd."""
    whole = -int(-cells // 1)
    if not 1 <= whole <= limits.CELLS_A_SIDE:
        raise BadFile(f"a board has 1 to {limits.CELLS_A_SIDE} cells a side", place)
    return whole


def sifted(drawn: Iterable[Drawn], grid: Grid) -> tuple[tuple[Wall, ...], list[str]]:
    """The walls worth keeping, and notes on the others.

    Those that have no id of their own, or another's, are named `w1` and `d1` onwards in the file's order: a
    secret door as the wall it looks like.
    """
    everything = list(drawn)
    long = [piece for piece in everything if piece.wall.line[:2] != piece.wall.line[2:]]
    kept = [piece for piece in long if _is_on(piece.wall.line, grid)]
    if len(kept) > limits.WALLS:
        raise BadFile(f"the map has more than {limits.WALLS:,} walls")
    return _named(kept), _notes(kept, len(everything) - len(long), len(long) - len(kept))


def _is_on(at: Segment, grid: Grid) -> bool:
    x1, y1, x2, y2 = at
    jut = CELL if grid.kind.startswith("hex") else 0  # every other row or column of hexes stands out by half
    across = max(x1, x2) >= 0 and min(x1, x2) <= grid.columns * CELL + jut
    return across and max(y1, y2) >= 0 and min(y1, y2) <= grid.rows * CELL + jut


def _named(kept: Sequence[Drawn]) -> tuple[Wall, ...]:
    places, taken = {"w": count(1), "d": count(1)}, {""}
    named = []
    for piece in kept:
        letter = "w" if piece.wall.door in ("none", "secret") else "d"
        place = next(places[letter])
        name = f"{letter}{place}" if piece.wall.id in taken else piece.wall.id
        taken.add(name)
        named.append(replace(piece.wall, id=name))
    return tuple(named)


def _notes(kept: Sequence[Drawn], short: int, outside: int) -> list[str]:
    notes = []
    moved = sum(piece.was_moved for piece in kept)
    if moved:
        notes.append(
            f"{how_many(moved, 'wall or door', 'walls or doors')} moved to the nearest 64th of a cell."
        )
    if short:
        notes.append(f"{how_many(short, 'wall or door', 'walls or doors')} too short to matter left out.")
    if outside:
        notes.append(f"{how_many(outside, 'wall or door', 'walls or doors')} outside the board left out.")
    return notes
