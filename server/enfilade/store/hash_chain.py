"""Encode what is stored as canonical JSON, and protect it with checksums and the hash chain of the log.

The hash of an entry is SHA-256 over the previous hash and the entry's canonical JSON (RFC 8785: sorted keys,
no whitespace, UTF-8), as stored. To change, remove, swap or insert an entry, an attacker must rewrite every
later hash.
"""

from __future__ import annotations

import hashlib

import msgspec
from msgspec.structs import replace

from enfilade.errors import Damaged
from enfilade.i18n import localize
from enfilade.scene.model import Terrain, Wall
from enfilade.scene.state_hash import canonical_json
from enfilade.store.protocol import TableState

MAX_MAPS = 512
"""The most maps whose JSON is cached; walls and terrain count separately."""

MAX_BYTES = 32 * 1024 * 1024
"""The limit of the cached JSON: about 4,000 walls at 60 tables. Opening a door makes another map."""

MapPart = tuple[Wall, ...] | tuple[Terrain, ...]


def first_link(table: str) -> bytes:
    """Return the hash before the first entry. It differs by table, so a log cannot pass for another's."""
    return hashlib.sha256(canonical_json(["log/v1", table])).digest()


def link(prev: bytes, entry: bytes) -> bytes:
    """Return the hash of an entry (canonical JSON) that follows the hash `prev`."""
    return hashlib.sha256(prev + entry).digest()


def seal(*parts: bytes | str) -> bytes:
    """Return a checksum over several parts and their lengths, for rows that are not in the chain."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.digest()


def damaged(table: str, part: str, **values: object) -> Damaged:
    """Return the error for a table with a damaged part: the last word of a key `store.part_...`."""
    return Damaged(localize("store.damaged", table=table, part=localize(f"store.part_{part}", **values)))


class JsonCache:
    """Caches the JSON of map parts by identity; each entry holds its part, so that no ID is reused."""

    def __init__(self, max_maps: int = MAX_MAPS, max_bytes: int = MAX_BYTES) -> None:
        self._max_maps = max_maps
        self._max_bytes = max_bytes
        self._known: dict[int, tuple[MapPart, bytes]] = {}
        self._bytes = 0

    def raw(self, part: MapPart) -> msgspec.Raw:
        """Return the JSON of a map part, to embed in the JSON of a row."""
        known = self._known.get(id(part))
        if known is None:
            known = part, canonical_json(part)
            self._make_room(len(known[1]))
            self._known[id(part)] = known
        return msgspec.Raw(known[1])

    def _make_room(self, added: int) -> None:
        """Drop the oldest entries until the new one fits; one larger than the limit is cached alone."""
        while self._known and (len(self._known) >= self._max_maps or self._bytes + added > self._max_bytes):
            _, dropped = self._known.pop(next(iter(self._known)))
            self._bytes -= len(dropped)
        self._bytes += added


_cache = JsonCache()


def encode_state(state: TableState, cache: JsonCache = _cache) -> bytes:
    """Return the canonical JSON of a row. Most of a row is its map, which seldom changes and is cached."""
    walls, terrain = cache.raw(state.scene.walls), cache.raw(state.scene.terrain)
    return canonical_json(replace(state, scene=replace(state.scene, walls=walls, terrain=terrain)))
