"""Blockers as tables of numbers for the kernel, built once and kept with the blockers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from operator import attrgetter
from typing import NamedTuple

from enfilade.geometry.board.shapes import Body, OneWay, Sense, WallShape
from enfilade.runtime.time_budget import checkpoint

LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1
"""The heights that mean no bottom and no top."""

MAX_CORNERS = 8
UNFIT = (LOWEST, HIGHEST)
"""The span of a table that is too large for the kernel."""

_ONE_WAY = {"both": 0, "left": 1, "right": 2}


class WallTables(NamedTuple):
    """Four coordinates per wall, and four facts (limited, one way, bottom, top) or none if all are plain.

    `span` is the least and the greatest of all numbers. `stop_every_eye` is True if every wall is opaque to
    every eye.
    """

    lines: array[int]
    facts: array[int]
    span: tuple[int, int]
    stop_every_eye: bool


class BodyTables(NamedTuple):
    """The heights of each body, or none if all are plain, and the starts of parts, corners and blocks."""

    heights: array[int]
    part_starts: array[int]
    corner_starts: array[int]
    corners: array[int]
    block_starts: array[int]
    blocks: array[int]
    span: tuple[int, int]


def wall_tables(walls: Sequence[WallShape]) -> WallTables:
    """Return the tables of some walls, in order."""
    # Each step over thousands of walls takes a millisecond or two.
    checkpoint()
    numbers = [*chain.from_iterable([wall.line for wall in walls])]
    checkpoint()
    lines = array("i", numbers)
    checkpoint()
    if not any(map(_is_special, walls)):
        return WallTables(lines, array("i"), _span(numbers), True)
    checkpoint()
    kinds = [*map(_kind, walls)]  # thousands of walls are of a few kinds
    checkpoint()
    facts = {kind: _facts(*kind[:4]) for kind in set(kinds)}
    is_plain = all(fact == (0, 0, LOWEST, HIGHEST) for fact in facts.values())
    table = array("i", () if is_plain else chain.from_iterable([facts[kind] for kind in kinds]))
    limits = [height for kind in facts for height in kind[2:4] if height is not None]
    return WallTables(
        lines, table, _span([*_span(numbers), *limits]), all(_is_opaque(*kind) for kind in facts)
    )


def _is_special(wall: WallShape) -> bool:
    """Return whether a wall differs from a plain one, which stops every line from both sides."""
    return (
        wall.sight != "normal"
        or wall.one_way != "both"
        or wall.bottom is not None
        or wall.top is not None
        or wall.is_open
    )


_kind = attrgetter("sight", "one_way", "bottom", "top", "is_open", "threshold")


def _is_opaque(
    sight: Sense, _one_way: OneWay, _bottom: int | None, _top: int | None, is_open: bool, threshold: int
) -> bool:
    is_always = sight in ("normal", "limited") or (sight != "none" and threshold <= 0)
    return is_always and not is_open


def _facts(sight: Sense, one_way: OneWay, bottom: int | None, top: int | None) -> tuple[int, int, int, int]:
    return (sight == "limited", _ONE_WAY[one_way], *table_heights(bottom, top))


def table_heights(bottom: int | None, top: int | None) -> tuple[int, int]:
    """Return a bottom and a top as they are in a table."""
    return LOWEST if bottom is None else bottom, HIGHEST if top is None else top


def body_tables(bodies: Sequence[Body]) -> BodyTables:
    """Return the tables of some bodies, in order."""
    parts = [part for body in bodies for part in body.parts]
    corners = array("i", chain.from_iterable(chain.from_iterable(parts)))
    limits = _limits(bodies)
    checkpoint()
    return BodyTables(
        array(
            "i",
            ()
            if not limits
            else chain.from_iterable(table_heights(body.bottom, body.top) for body in bodies),
        ),
        _starts([len(body.parts) for body in bodies]),
        _starts(map(len, parts)),
        corners,
        _starts([len(body.cells) for body in bodies]),
        array("i", chain.from_iterable(chain.from_iterable([body.cells for body in bodies]))),
        _span([*corners, *limits]) if all(len(part) <= MAX_CORNERS for part in parts) else UNFIT,
    )


def _starts(lengths: Iterable[int]) -> array[int]:
    return array("i", accumulate(lengths, initial=0))


def _limits(bodies: Sequence[Body]) -> list[int]:
    heights = [height for body in bodies for height in (body.bottom, body.top)]
    return [height for height in heights if height is not None]


def _span(numbers: Sequence[int]) -> tuple[int, int]:
    return (min(numbers, default=0), max(numbers, default=0))
