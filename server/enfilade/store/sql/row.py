"""A table's row as its canonical JSON. A map is most of it and the same for hours, so it is written once."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from enfilade.scene.model import Terrain, Wall
from enfilade.store import hash_chain
from enfilade.store.protocol import TableState

MAPS = 512
"""Of how many maps the JSON is remembered at most: walls and ground count apart."""

MOST_BYTES = 32 * 1024 * 1024
"""How long that may be together: 4,000 walls at sixty tables. A door that is opened makes another map."""

MapPart = tuple[Wall, ...] | tuple[Terrain, ...]


class JsonCache:
    """The JSON of maps by the identity of what it is of, which stands with it, so that no other gets that."""

    def __init__(self, most: int = MAPS, most_bytes: int = MOST_BYTES) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._known: dict[int, tuple[MapPart, bytes]] = {}
        self._bytes = 0

    def raw(self, part: MapPart) -> msgspec.Raw:
        """The JSON of a part of a map, to be put into another value's."""
        known = self._known.get(id(part))
        if known is None:
            known = part, hash_chain.canonical(part)
            self._make_room(len(known[1]))
            self._known[id(part)] = known
        return msgspec.Raw(known[1])

    def _make_room(self, more: int) -> None:
        """Forgets the oldest until there is room; one that is longer than all may be stands alone."""
        while self._known and (len(self._known) >= self._most or self._bytes + more > self._most_bytes):
            _, forgotten = self._known.pop(next(iter(self._known)))
            self._bytes -= len(forgotten)
        self._bytes += more


_written = JsonCache()


def row_of(kept: TableState, written: JsonCache = _written) -> bytes:
    """The same as `hash_chain.canonical(kept)`, quicker where its map was written a moment ago."""
    walls, terrain = written.raw(kept.scene.walls), written.raw(kept.scene.terrain)
    return hash_chain.canonical(replace(kept, scene=replace(kept.scene, walls=walls, terrain=terrain)))
