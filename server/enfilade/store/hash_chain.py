"""Encode what is stored as canonical JSON, and protect it with checksums and the hash chain of the log.

The hash of an entry is SHA-256 over the previous hash and the entry's canonical JSON (RFC 8785: sorted keys,
no whitespace, UTF-8), as stored. To change, remove, swap or insert an entry, an attacker must rewrite every
later hash.
"""

from __future__ import annotations

import hashlib

from msgspec.structs import replace

from enfilade.errors import Damaged
from enfilade.i18n import localize
from enfilade.scene import scene_json
from enfilade.scene.scene_json import canonical_json, with_encoded_map
from enfilade.store.protocol import TableState


def first_link(table: str) -> bytes:
    """Return the hash before the first entry. It differs by table, so a log cannot pass for another's."""
    return hashlib.sha256(canonical_json(["log/v1", table])).digest()


def link(prev: bytes, entry: bytes) -> bytes:
    """Return the hash of an entry (canonical JSON) that follows the hash `prev`."""
    hashed = hashlib.sha256(prev)
    hashed.update(entry)  # joined they would be copied, which takes a millisecond for a large scene
    return hashed.digest()


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


def encode_state(state: TableState) -> bytes:
    """Return the canonical JSON of a row. Only the thread that serves may call this."""
    row = replace(state, scene=with_encoded_map(state.scene))
    if len(state.scene.tokens) <= scene_json.PART:  # walls and terrain are JSON already
        return scene_json.encode_small(row, "sorted")
    return canonical_json(row)
