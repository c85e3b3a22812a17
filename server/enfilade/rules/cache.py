"""Cache results by the identity of immutable values.

Scenes are immutable but too large to compare, and a procedure looks at the same scene many times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import CO_VARARGS
from typing import Any, TypeVar, cast

from enfilade.geometry.board.base import Board
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Grid, Terrain, Wall

HasCells = Board | Grid
F = TypeVar("F", bound=Callable[..., Any])

FEW = 16
"""Size for large results: fields and obstacles of the scenes in use. On a large board a result of the
board's size counts as several (`board_weight`).
"""

MANY = 512
"""Size for small results that every target needs."""

MAPS = 256
"""Size for results that depend on a map alone: half as many tables take turns without recomputation. A
large map counts as several (`map_weight`), because each opened door makes a new one.
"""

watched_memos: dict[type, Callable[[Any], dict[Any, Any]]] = {}
"""Where results for values are kept that note what odds read of them (`exact.watch`): in no shared cache."""

_PARTS = 2_000
"""The number of walls, or of terrain cells, that counts as one map."""

_CELLS = 2_500
"""The number of cells that counts as one board."""

TOKENS = 2_048
"""Size for results that depend on a token alone: half as many stand on active tables, and each change of a
token makes a new one. Four times as many took 20 MB under a client that changes tokens without end.
"""


def map_weight(
    part: Sequence[Wall] | Sequence[Terrain], board: HasCells | None = None, *_arguments: object
) -> int:
    """Return how many maps these walls or this terrain count as, or a result for the whole board."""
    # Asked at each new scene: walls are only counted, because there may be thousands.
    if not part and board is None:
        return 1
    is_terrain = bool(part) and isinstance(part[0], Terrain)
    parts = (
        sum([len(thing.cells) for thing in part if isinstance(thing, Terrain)]) if is_terrain else len(part)
    )
    return max(1 + parts // _PARTS, board_weight(board) if board else 1)


def board_weight(board: HasCells) -> int:
    """Return how many boards this board counts as."""
    return 1 + board.columns * board.rows // _CELLS


def _unit_weight(*_arguments: object) -> int:
    return 1


def _of_watched(function: Callable[..., Any], value: Any, arguments: tuple[Any, ...]) -> Any:
    memo, key = watched_memos[type(value)](value), (function, *arguments)
    if key not in memo:
        memo[key] = function(value, *arguments)
    return memo[key]


def identity_cache(size: int, weight: Callable[..., int] = _unit_weight) -> Callable[[F], F]:
    """Cache the last results of a pure function: by identity of the first argument, by value of the rest.

    The cache holds at most `size` results; a result that was not used during the last `size / 2` new ones is
    dropped. `weight` says how many results a result counts as, from its arguments. A result that is heavier
    than the cache empties it before the computation, so that two of them never exist at once.
    """

    def decorate(function: F) -> F:
        # Each result keeps the value itself alive, so that no other value gets its identity.
        recent: dict[Any, tuple[Any, Any]] = {}
        older: dict[Any, tuple[Any, Any]] = {}
        count, half, is_light = 0, size // 2, weight is _unit_weight

        def remember(key: Any, value: Any, arguments: tuple[Any, ...]) -> Any:
            nonlocal recent, older, count
            checkpoint()  # a loop over hundreds of miniatures asks for something new of each
            if type(value) in watched_memos:
                return _of_watched(function, value, arguments)
            cost = 1 if is_light else weight(value, *arguments)
            if cost >= size or count >= size:
                recent, older, count = {}, {}, 0
            found = older.get(key) or (value, function(value, *arguments))
            if count >= half:
                recent, older, count = {}, recent, 0
            recent[key] = found
            count += cost
            return found[1]

        @wraps(function)
        def cached_alone(value: Any) -> Any:
            key = id(value)
            found = recent.get(key)
            return remember(key, value, ()) if found is None else found[1]

        @wraps(function)
        def cached(value: Any, *arguments: Any) -> Any:
            key = (id(value), *arguments)
            found = recent.get(key)
            return remember(key, value, arguments) if found is None else found[1]

        # Most are asked of a scene alone, again and again: no tuple is needed then.
        is_alone = function.__code__.co_argcount == 1 and not function.__code__.co_flags & CO_VARARGS
        return cast(F, cached_alone if is_alone else cached)

    return decorate
