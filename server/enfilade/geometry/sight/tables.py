"""Blockers as tables of numbers for the kernel, built once and kept with the blockers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from enfilade.geometry.board.shapes import Body, Wall

LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1
"""The heights that mean no bottom and no top."""

MAX_CORNERS = 8
UNFIT = (LOWEST, HIGHEST)
"""The span of a table that is too large for the kernel."""

_ONE_WAY = {"both": 0, "left": 1, "right": 2}


class WallTables(NamedTuple):
    """Four coordinates per wall, and four facts (limited, one way, bottom, top) or none if all are plain.

    `span` is the least and the greatest of all numbers.
    """

    lines: array[int]
    facts: array[int]
    span: tuple[int, int]


class BodyTables(NamedTuple):
    """The heights of each body, or none if all are plain, and the starts of parts, corners and blocks."""

    heights: array[int]
    part_starts: array[int]
    corner_starts: array[int]
    corners: array[int]
    block_starts: array[int]
    blocks: array[int]
    span: tuple[int, int]


def wall_tables(walls: Sequence[Wall]) -> WallTables:
    """Return the tables of some walls, in order."""
    lines = array("i", chain.from_iterable(wall.line for wall in walls))
    facts = [_facts(wall) for wall in walls]
    is_plain = all(fact == (0, 0, LOWEST, HIGHEST) for fact in facts)
    table = array("i", () if is_plain else chain.from_iterable(facts))
    return WallTables(lines, table, _span([*lines, *_limits(walls)]))


def _facts(wall: Wall) -> tuple[int, int, int, int]:
    return (wall.sight == "limited", _ONE_WAY[wall.one_way], *_heights(wall))


def _heights(blocker: Wall | Body) -> tuple[int, int]:
    bottom = LOWEST if blocker.bottom is None else blocker.bottom
    return bottom, HIGHEST if blocker.top is None else blocker.top


def body_tables(bodies: Sequence[Body]) -> BodyTables:
    """Return the tables of some bodies, in order."""
    parts = [part for body in bodies for part in body.parts]
    corners = array("i", chain.from_iterable(point for part in parts for point in part))
    is_plain = all(body.bottom is None and body.top is None for body in bodies)
    return BodyTables(
        array("i", () if is_plain else chain.from_iterable(map(_heights, bodies))),
        _starts(len(body.parts) for body in bodies),
        _starts(map(len, parts)),
        corners,
        _starts(len(body.cells) for body in bodies),
        array("i", chain.from_iterable(block for body in bodies for block in body.cells)),
        _span([*corners, *_limits(bodies)]) if all(len(part) <= MAX_CORNERS for part in parts) else UNFIT,
    )


def _starts(lengths: Iterable[int]) -> array[int]:
    return array("i", accumulate(lengths, initial=0))


def _limits(blockers: Sequence[Wall | Body]) -> list[int]:
    tops = [blocker.top for blocker in blockers if blocker.top is not None]
    return tops + [blocker.bottom for blocker in blockers if blocker.bottom is not None]


def _span(numbers: Sequence[int]) -> tuple[int, int]:
    return (min(numbers, default=0), max(numbers, default=0))
