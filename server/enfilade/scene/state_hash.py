"""The canonical JSON of values, and the hash of a scene, the same in every program.

Clients detect a desync by the hash. It is the SHA-256 of the scene's canonical JSON (RFC 8785). msgspec
writes that form quickly, except for fractions and for characters beyond the basic plane, which RFC 8785 sorts
differently. Scenes rarely have either.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any

import msgspec
import rfc8785
from msgspec.structs import replace

from enfilade.runtime.time_budget import checkpoint
from enfilade.scene import large_json
from enfilade.scene.model import Scene, Terrain, Wall

MAX_MAPS = 512
"""The most maps whose JSON is cached; walls and terrain count separately."""

MAX_BYTES = 32 * 1024 * 1024
"""The limit of the cached JSON: about 4,000 walls at 60 tables. Opening a door makes another map."""

MapPart = tuple[Wall, ...] | tuple[Terrain, ...]

_NESTED = frozenset({dict, list, tuple})
_BEYOND_BASIC_PLANE = re.compile(rb"[\xf0-\xf4]")


def state_hash(scene: Scene) -> str:
    """Return the hash of a scene, in hexadecimal."""
    checkpoint()  # of a large scene each step takes milliseconds
    data = canonical(scene)
    checkpoint()
    return hashlib.sha256(data).hexdigest()


def canonical_json(value: Any) -> bytes:
    """Return a value as canonical JSON: sorted keys, no whitespace, UTF-8."""
    return large_json.encode(value, "sorted")


def canonical(scene: Scene) -> bytes:
    """Return the canonical JSON of a scene, the same in every language (RFC 8785)."""
    whole = _with_whole_distance(scene)
    if not _has_fractions(whole):
        checkpoint()
        data = canonical_json(with_encoded_map(whole))
        if data.isascii() or not _BEYOND_BASIC_PLANE.search(data):  # the first is 10 ms quicker
            return data
    return rfc8785.dumps(msgspec.to_builtins(scene))


class JsonCache:
    """Caches the JSON of map parts by identity; each entry holds its part, so that no ID is reused.

    Only one thread may use it.
    """

    def __init__(self, max_maps: int = MAX_MAPS, max_bytes: int = MAX_BYTES) -> None:
        self._max_maps = max_maps
        self._max_bytes = max_bytes
        self._known: dict[int, tuple[MapPart, bytes]] = {}
        self._bytes = 0

    def raw(self, part: MapPart) -> msgspec.Raw:
        """Return the JSON of a map part, to embed in the JSON of a scene."""
        if id(part) not in self._known:
            data = canonical_json(part)
            if id(part) not in self._known:  # another answer may have encoded it meanwhile
                self._make_room(len(data))
                self._known[id(part)] = part, data
        return msgspec.Raw(self._known[id(part)][1])

    def _make_room(self, added: int) -> None:
        """Drop the oldest entries until the new one fits; one larger than the limit is cached alone."""
        while self._known and (len(self._known) >= self._max_maps or self._bytes + added > self._max_bytes):
            _, dropped = self._known.pop(next(iter(self._known)))
            self._bytes -= len(dropped)
        self._bytes += added


_cache = JsonCache()


def with_encoded_map(scene: Scene, cache: JsonCache = _cache) -> Scene:
    """Return a scene for `canonical_json` whose walls and terrain are JSON already.

    They are most of a large scene, and seldom change.
    """
    return replace(scene, walls=cache.raw(scene.walls), terrain=cache.raw(scene.terrain))


def _with_whole_distance(scene: Scene) -> Scene:
    """Return the scene with its cell distance as an integer, if it is whole: 5 for 5.0."""
    distance = scene.grid.distance
    return replace(scene, grid=replace(scene.grid, distance=int(distance))) if distance % 1 == 0 else scene


def _has_fractions(scene: Scene) -> bool:
    return scene.grid.distance % 1 != 0 or _has_float(t.profile for t in scene.tokens)


def _has_float(values: Iterable[Any]) -> bool:
    """Return whether any value, at any depth, is a float."""
    level = list(values)
    while level:
        if float in map(type, level):
            return True
        nested = [value for value in level if type(value) in _NESTED]
        level = [inner for value in nested for inner in (value.values() if type(value) is dict else value)]
    return False
