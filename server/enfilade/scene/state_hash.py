"""State hash: one hash of a scene, the same in every program, so that clients detect desyncs.

It is the SHA-256 of the scene's canonical JSON (RFC 8785). msgspec writes that form quickly, except for
fractions and for characters beyond the basic plane, which RFC 8785 sorts differently. Scenes rarely have
either.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any

import msgspec
import rfc8785
from msgspec.structs import replace

from enfilade.scene.model import Scene

_NESTED = frozenset({dict, list, tuple})
_BEYOND_BASIC_PLANE = re.compile(rb"[\xf0-\xf4]")


def state_hash(scene: Scene) -> str:
    """Return the hash of a scene, in hexadecimal."""
    return hashlib.sha256(canonical(scene)).hexdigest()


def canonical_json(value: Any) -> bytes:
    """Return a value as canonical JSON: sorted keys, no whitespace, UTF-8."""
    return msgspec.json.encode(value, order="sorted")


def canonical(scene: Scene) -> bytes:
    """Return the canonical JSON of a scene, the same in every language (RFC 8785)."""
    whole = _with_whole_distance(scene)
    if not _has_fractions(whole):
        data = canonical_json(whole)
        if data.isascii() or not _BEYOND_BASIC_PLANE.search(data):  # the first is 10 ms quicker
            return data
    return rfc8785.dumps(msgspec.to_builtins(scene))


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
