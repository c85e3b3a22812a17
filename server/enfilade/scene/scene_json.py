"""The JSON of scenes: large ones in parts, canonical JSON, and the hash, the same in every program.

msgspec takes milliseconds for thousands of walls, and nothing interrupts it. What reads and writes here
returns what msgspec returns, and rests in between (`checkpoint`): other answers run meanwhile.

Clients detect a desync by the hash. It is the SHA-256 of the scene's canonical JSON (RFC 8785). msgspec
writes that form quickly, except for fractions and for characters beyond the basic plane, which RFC 8785 sorts
differently. Scenes rarely have either.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, reduce
from operator import is_, or_
from types import UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import msgspec
import rfc8785
from msgspec import Raw, Struct
from msgspec.structs import FieldInfo, fields, replace

from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Terrain, Wall

PART = 1_000
"""The values of a row that one call of msgspec encodes or converts."""

LARGE_BYTES = 128 * 1024
"""The length from which JSON is decoded in parts: half a millisecond."""

_PART_BYTES = 64 * 1024

Order = Literal["deterministic", "sorted"]
T = TypeVar("T")


def encode(value: Any, order: Order) -> bytes:
    """Return a value as JSON, as `msgspec.json.encode` does."""
    parts = _with_encoded_rows(value, order)
    if parts is not value:
        checkpoint()
    return msgspec.json.encode(parts, order=order)


def encode_small(value: Any, order: Order) -> bytes:
    """Return a value as JSON at once: for one whose rows are known to be short."""
    return msgspec.json.encode(value, order=order)


def _with_encoded_rows(value: Any, order: Order) -> Any:
    """Return a value whose long rows are JSON already; the same value if it has none."""
    if type(value) is tuple:
        return value if _is_flat(value) else _with_encoded_row(value, order)
    if type(value) is dict:
        named = {name: _with_encoded_rows(one, order) for name, one in value.items()}
        return value if all(map(is_, named.values(), value.values())) else named
    names = _deep_fields(cast(Any, type(value)))
    if names:
        checkpoint()  # there may be hundreds of targets
    changed = {}
    for name in names:
        part = getattr(value, name)
        if type(part) is tuple and _is_flat(part):
            continue  # nearly all parts: a call for each would take longer than the JSON
        encoded = _with_encoded_rows(part, order)
        if encoded is not part:
            changed[name] = encoded
    return replace(value, **changed) if changed else value


def _with_encoded_row(value: tuple[Any, ...], order: Order) -> Any:
    if len(value) > PART:
        return Raw(b"[" + b",".join(_encoded_parts(value, order)) + b"]")
    row = tuple([_with_encoded_rows(one, order) for one in value])
    return value if all(map(is_, row, value)) else row


def _is_flat(row: tuple[Any, ...]) -> bool:
    """Return whether a row is short, and nothing in it has another that may be long."""
    if not row or len(row) > PART:
        return not row
    if not isinstance(row[0], Struct):
        return True  # nearly all rows are of numbers
    return not any(map(_deep_fields, set(map(type, row))))


def _encoded_parts(row: tuple[Any, ...], order: Order) -> Iterator[bytes]:
    kind: Any = type(row[0])
    is_deep = bool(_deep_fields(kind))
    for start in range(0, len(row), PART):
        checkpoint()
        some: Sequence[Any] = row[start : start + PART]
        if is_deep:
            some = [_with_encoded_rows(one, order) for one in some]
        yield msgspec.json.encode(some, order=order)[1:-1]


def decode(data: bytes | Raw, kind: type[T]) -> T:
    """Return the value of a kind in JSON, as `msgspec.json.decode` does. Raises msgspec.MsgspecError."""
    return cast(T, _decode(data, kind))


def _decode(data: bytes | Raw, hint: Any) -> Any:
    if len(data) < LARGE_BYTES or not _may_be_long(hint):
        return msgspec.json.decode(data, type=hint)
    checkpoint()
    element = _element_of(hint)
    if element is not None:
        return tuple(_decoded_parts(data, element))
    return _without_shell(msgspec.json.decode(data, type=_with_shells(hint)))


def _without_shell(value: Any) -> Any:
    """Return a value of a kind for one of the kind's shell, whose rows are still JSON."""
    kind = _KINDS.get(type(value))
    if kind is None:
        return value
    hints, found = _hints_of(kind), {}
    for name in kind.__struct_fields__:
        part = getattr(value, name)
        is_row = type(part) is Raw and hints[name] is not Raw
        found[name] = _decode(part, hints[name]) if is_row else _without_shell(part)
    return kind(**found)


def _decoded_parts(data: bytes | Raw, element: Any) -> Iterator[Any]:
    """Yield the values of a row: large ones each in parts, others some at once."""
    values = msgspec.json.decode(data, type=list[Raw])
    at_once = max(1, _PART_BYTES * len(values) // len(data))
    for start in range(0, len(values), at_once):
        checkpoint()
        some = values[start : start + at_once]
        if max(map(len, some)) < LARGE_BYTES:
            yield from msgspec.json.decode(b"[" + b",".join(some) + b"]", type=list[element])
        else:
            yield from [_decode(one, element) for one in some]


def normalized(value: T) -> T:
    """Return a value as the store will return it, with all its types checked.

    Raises msgspec.ValidationError.
    """
    return decode(encode(value, "deterministic"), type(value))


def convert(value: dict[str, Any] | T, kind: type[T]) -> T:
    """Return the value of a kind from plain data, as `msgspec.convert` does; such a value itself as it is.

    Raises msgspec.ValidationError.
    """
    if not isinstance(value, dict):
        return msgspec.convert(value, kind)
    whole, rows = cast(Any, kind), {}
    hints = _hints_of(whole)
    for name in _deep_fields(whole):
        row, element = value.get(name), _element_of(hints[name])
        if isinstance(row, list | tuple) and element is not None:
            is_deep = isinstance(element, type) and bool(_deep_fields(element))
            if len(row) > PART or (is_deep and row):
                rows[name] = tuple(_converted_parts(row, element, is_deep))
    if not rows:
        return msgspec.convert(value, kind)
    short = msgspec.convert({**value, **dict.fromkeys(rows, ())}, kind)
    return cast(T, replace(cast(Struct, short), **rows))


def _converted_parts(row: Sequence[Any], element: Any, is_deep: bool) -> Iterator[Any]:
    if is_deep and all(type(one) is dict for one in row):
        for one in row:
            checkpoint()
            yield convert(one, element)
        return
    for start in range(0, len(row), PART):
        checkpoint()
        yield from msgspec.convert(row[start : start + PART], list[element])


@cache
def _hints_of(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


@cache
def _deep_fields(kind: type) -> tuple[str, ...]:
    """Return the fields of a kind that may hold, at some depth, a long row; none unless it is a Struct."""
    if not issubclass(kind, Struct):
        return ()
    return tuple(name for name, hint in _hints_of(kind).items() if _may_be_long(hint))


@cache
def _may_be_long(hint: Any) -> bool:
    if isinstance(hint, type) and issubclass(hint, Struct):
        return bool(_deep_fields(hint))
    element = _element_of(hint)
    if element is not None:
        return element not in (str, int) and (get_origin(element) is tuple or _has_struct(element))
    return get_origin(hint) in (Union, UnionType) and any(map(_may_be_long, get_args(hint)))


def _has_struct(hint: Any) -> bool:
    return any(isinstance(kind, type) and issubclass(kind, Struct) for kind in _alternatives(hint))


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _element_of(hint: Any) -> Any:
    """Return the kind of the values of a row of any length; None for other kinds."""
    arguments = get_args(hint)
    is_row = get_origin(hint) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis
    return arguments[0] if is_row else None


_KINDS: dict[type, type[Struct]] = {}
"""The kind of each shell."""


def _with_shells(hint: Any) -> Any:
    """Return a hint with the shells of all kinds that may be long."""
    if isinstance(hint, type) and _deep_fields(hint):
        return _shell_of(hint)
    if _element_of(hint) is not None:
        return Raw
    kinds = _alternatives(hint)
    return reduce(or_, map(_with_shells, kinds)) if len(kinds) > 1 else hint


@cache
def _shell_of(kind: type[Struct]) -> type[Struct]:
    """Return a kind whose long rows stay JSON."""
    deep, hints = _deep_fields(kind), _hints_of(kind)
    found = {one.name: one for one in fields(kind)}
    parts = [(name, _with_shells(hints[name]), _default(found[name])) for name in deep]
    config = kind.__struct_config__
    shell = msgspec.defstruct(
        kind.__name__,
        parts,
        bases=(kind,),
        frozen=True,
        kw_only=True,
        tag=config.tag,
        tag_field=config.tag_field,
    )
    _KINDS[shell] = kind
    return shell


def _default(field: FieldInfo) -> Any:
    if field.required:
        return msgspec.field(name=field.encode_name)
    default = Raw(b"[]") if field.default == () else field.default
    return msgspec.field(default=default, name=field.encode_name)


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
    return encode(value, "sorted")


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
