"""Remembering what was worked out for a value that is known by being the very same one.

Scenes are immutable, but too big to compare, and a procedure looks at the same scene many times over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

from enfilade.geometry.board.base import Board
from enfilade.scene.model import Grid, Terrain, Wall

HasCells = Board | Grid
F = TypeVar("F", bound=Callable[..., Any])

FEW = 16
"""For what is large: the fields and obstacles of the scenes that are looked at now. What is as large as the
board counts as several on a large one (`board_weight`)."""

MANY = 512
"""For what is small and asked for every target."""

MAPS = 256
"""For what hangs on a map alone: half as many tables are played in turn without working it out anew. A large
map counts as several (`map_weight`), for every door that is opened makes another."""

_PARTS = 2_000
"""How many walls, or cells of terrain, count as one map."""

_CELLS = 2_500
"""How many cells count as one board."""

TOKENS = 2_048
"""For what hangs on a token alone: half as many stand on the tables that are played now, and each that moves
or is hurt is another. Four times as many took 20 MB of whoever changes tokens all the time."""


def map_weight(
    part: Sequence[Wall] | Sequence[Terrain], board: HasCells | None = None, *_asked: object
) -> int:
    """As how many maps a map's walls or its terrain count, or what is made of them for a whole board."""
    parts = sum(len(thing.cells) if isinstance(thing, Terrain) else 1 for thing in part)
    return max(1 + parts // _PARTS, board_weight(board) if board else 1)


def board_weight(board: HasCells) -> int:
    """As how many boards a board counts."""
    return 1 + board.columns * board.rows // _CELLS


def _one(*_asked: object) -> int:
    return 1


def identity_cache(most: int, counted: Callable[..., int] = _one) -> Callable[[F], F]:
    """Has a pure function remember its last answers: the first argument by its identity, others by value.

    There are at most so many, and those that half as many others were asked since are forgotten. `counted`
    says as how many an answer counts, by what was asked; of answers that count as more than there may be the
    last alone is remembered, and let go before the next is worked out: two are never there at once.
    """

    def remembering(function: F) -> F:
        # With each answer stands the value itself, so that no other gets its identity.
        known: dict[tuple[Any, ...], tuple[Any, Any]] = {}
        before: dict[tuple[Any, ...], tuple[Any, Any]] = {}
        count = 0

        @wraps(function)
        def asked(value: Any, *arguments: Any) -> Any:
            nonlocal known, before, count
            key = (id(value), *arguments)
            found = known.get(key)
            if found is None:
                size = counted(value, *arguments)
                if size >= most or count >= most:
                    known, before, count = {}, {}, 0
                found = before.get(key) or (value, function(value, *arguments))
                if count >= most // 2:
                    known, before, count = {}, known, 0
                known[key] = found
                count += size
            return found[1]

        return cast(F, asked)

    return remembering
