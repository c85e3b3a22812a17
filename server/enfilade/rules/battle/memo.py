"""The engine's memory: results of pure functions, kept with the scene, map or token they are about.

Scenes and tokens are immutable but too large to compare, and a procedure looks at the same one many times. So
each is known by its identity and has one memo. The engine forgets whole memos, the least used first; a game's
function has no size and no weight of its own. A ground, a stand and a battle keep tables of their own, which
go with them. Results about a map, a list or several values are in caches by identity, with one size for all.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from inspect import CO_VARARGS
from typing import Any, ParamSpec, TypeVar, cast
from weakref import WeakMethod

from enfilade.geometry.board.base import Board
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.square import SquareBoard
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Grid, Scene, Terrain, Wall

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


P = ParamSpec("P")
R = TypeVar("R")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Memo = dict[Any, Any]

_UNKNOWN = object()
"""What a memo has for a key that it lacks: a KeyError costs more than the rest of the look-up."""


class Shelf:
    """At most `limit` values by key, in two generations; one that was not used during the last half goes.

    The limit is meant for values of at most 1 KB, such as a body's cells or the distance of two.
    """

    def __init__(self, limit: int = 1_024) -> None:
        self._half, self._count = limit // 2, 0
        self.recent: dict[Hashable, Any] = {}
        self.older: dict[Hashable, Any] = {}

    def get(self, key: Hashable) -> Any:
        """Return the value of a key, None if there is none; it does not count as used."""
        found = self.recent.get(key)
        return self.older.get(key) if found is None else found

    def add(self, key: Hashable, make: Callable[[], Any], weight: int = 1) -> Any:
        """Return the value of a key that is not among the recent ones; `weight` is how many it counts as."""
        checkpoint()
        found = self.older.get(key)
        return self.keep(key, make() if found is None else found, weight)

    def keep(self, key: Hashable, value: V, weight: int = 1) -> V:
        """Make a value one of the recent ones, and return it."""
        if self._count >= self._half:
            self.older, self._count = self.recent.copy(), 0
            self.recent.clear()
        self.recent[key] = value
        self._count += weight
        return value


_scenes, _tokens = Shelf(512), Shelf(2_048)


@identity_cache(MAPS)
def _terrain_weight(terrain: tuple[Terrain, ...]) -> int:
    return map_weight(terrain)


def scene_weight(scene: Scene) -> int:
    """Return how many memos that of a scene counts as: a large map or board makes large results."""
    return max(map_weight(scene.walls), _terrain_weight(scene.terrain), board_weight(scene.grid))


def per_scene(function: Callable[P, R]) -> Callable[P, R]:
    """Compute a pure function once for a scene, its first argument; units compare by identity."""
    found: Callable[P, R] = _cached(function, _scenes, scene_weight)
    return found


def per_token(function: Callable[P, R]) -> Callable[P, R]:
    """Compute a pure function once for a token, its first argument."""
    found: Callable[P, R] = _cached(function, _tokens, None)
    return found


_OWNER = "owner"
"""The key under which a memo holds the value that it is about: no other has its identity while it is kept."""


def _new_memo(value: Any, shelf: Shelf, weight: Callable[[Any], int] | None) -> Memo:
    if type(value) in watched_memos:  # odds note what is read of it, each time
        return watched_memos[type(value)](value)
    found: Memo | None = shelf.older.get(id(value))
    if weight is None:
        return shelf.keep(id(value), found or {_OWNER: value})
    cost = weight(value)  # kept as its first result, for the caches that weigh what is worked out of a scene
    return shelf.keep(id(value), found or {_OWNER: value, weight: cost}, cost)


def _cached(function: Any, shelf: Shelf, weight: Callable[[Any], int] | None) -> Any:
    """Keep results in the memo of the first argument; `weight` is how many memos it counts as, 1 if None."""
    known = shelf.recent

    @wraps(function)
    def of_one(value: Any) -> Any:
        memo = known.get(id(value)) or _new_memo(value, shelf, weight)
        result = memo.get(function, _UNKNOWN)
        if result is _UNKNOWN:
            checkpoint()
            result = memo[function] = function(value)
        return result

    @wraps(function)
    def of_many(value: Any, *arguments: Any) -> Any:
        memo, key = known.get(id(value)) or _new_memo(value, shelf, weight), (function, *arguments)
        result = memo.get(key, _UNKNOWN)
        if result is _UNKNOWN:
            checkpoint()
            result = memo[key] = function(value, *arguments)
        return result

    has_one = function.__code__.co_argcount == 1 and not function.__code__.co_flags & CO_VARARGS
    return of_one if has_one else of_many


def weight_of(*values: object) -> int:
    """Return how many results one counts as: what is worked out of a large map or board is large itself."""
    heaviest = 1
    for value in values:
        kind = type(value)
        weigh = _weighing[kind] if kind in _weighing else _way_to_weigh(value)
        if weigh is not None:
            heaviest = max(heaviest, weigh(value))
    return heaviest


def _way_to_weigh(value: object) -> Callable[[Any], int] | None:
    """Return how values of a type are weighed: as their scene, else as their board; None if not at all."""
    weigh: Callable[[Any], int] | None = None
    if hasattr(value, "scene"):
        weigh = _weight_of_its_scene
    elif hasattr(getattr(value, "board", None), "columns"):  # a board in inches has no cells
        weigh = _weight_of_its_board
    _weighing[type(value)] = weigh
    return weigh


def _weight_of_its_scene(value: Any) -> int:
    return _weight_of_scene(value.scene)


def _weight_of_its_board(value: Any) -> int:
    return board_weight(value.board)


def _weight_of_list(things: tuple[Any, ...]) -> int:
    return _terrain_weight(things) if things and type(things[0]) is Terrain else 1 + len(things) // _MANY


_MANY = 2_000
"""The number of things in a list that counts as one result."""

_weight_of_scene = per_scene(scene_weight)

_weighing: dict[type, Callable[[Any], int] | None] = {
    Scene: _weight_of_scene,
    tuple: _weight_of_list,
    **dict.fromkeys((Grid, SquareBoard, HexBoard), board_weight),
}
"""How values are weighed, by type; types of a game are added as they are met."""


def _pairs(*values: Any) -> int:
    """Return how many results one counts as that has something for each pair of its last argument's."""
    return 1 + len(values[-1]) ** 2 // 4_000


recent = identity_cache(MANY)
"""Keep the last few hundred results of a pure function, by the identity of its first argument."""

recent_by_size = identity_cache(MANY, weight_of)
"""Keep as many results that grow with the map, such as areas; on a large map each counts as several."""

large = identity_cache(FEW, weight_of)
"""Keep the last few results of a pure function that are of the size of a board, such as a field."""

per_map = identity_cache(MAPS, weight_of)
"""Compute a pure function once for a part of a map, its first argument: walls, terrain, grid or board."""

per_cell = identity_cache(TOKENS)
"""Keep the results of a pure function of a board and a cell, which each move asks for again and again."""

per_profile = identity_cache(TOKENS)
"""Compute a pure function once for the profile or the items that tokens of one kind share."""

per_crowd = identity_cache(MANY, _pairs)
"""Keep results that have something for each pair of the tokens in the last argument, such as distances."""


class Table(dict[K, V]):
    """Answers by key, each computed by a method when first asked; those that `keeps` refuses are not kept.

    It does not keep its owner alive: an object in a cycle stays in memory until the garbage collector runs,
    which the server lets happen seldom.
    """

    def __init__(self, compute: Callable[[K], V], keeps: Callable[[K], bool]) -> None:
        super().__init__()
        self._compute, self._keeps = WeakMethod(compute), keeps

    def __missing__(self, key: K) -> V:
        checkpoint()
        compute = self._compute()
        assert compute is not None
        found: V = compute(key)
        if self._keeps(key):
            self[key] = found
        return found


def per_owner(method: Callable[P, R]) -> Callable[P, R]:
    """Compute a method once for its object, which has a `memo`, and its arguments."""

    @wraps(method)
    def cached(owner: Any, *arguments: Any) -> Any:
        memo, key = owner.memo, (method, *arguments)
        result = memo.get(key, _UNKNOWN)
        if result is _UNKNOWN:
            checkpoint()
            result = memo[key] = cast(Any, method)(owner, *arguments)
        return result

    return cast(Callable[P, R], cached)
