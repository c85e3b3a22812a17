"""The chain through a table's log: each entry is sealed together with everything before it.

An entry's hash is SHA-256 over the hash before it and the entry's canonical JSON (RFC 8785: keys sorted,
nothing between them, UTF-8), as it is stored. Whoever changes, cuts out, swaps or slips in an entry would
have to write every later hash anew.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from enfilade.errors import Damaged


def canonical(value: Any) -> bytes:
    """A value as the one JSON text it has."""
    return msgspec.json.encode(value, order="sorted")


def first_link(table: str) -> bytes:
    """What the first entry of a table follows: another for every table, so no log passes for another."""
    return hashlib.sha256(canonical(["log/v1", table])).digest()


def link(prev: bytes, entry: bytes) -> bytes:
    """The hash of an entry (as canonical JSON) that follows the one with the hash `prev`."""
    return hashlib.sha256(prev + entry).digest()


def seal(*parts: bytes | str) -> bytes:
    """A checksum over several parts, each with its length, of what is not in the chain but next to it."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.digest()


def damaged(table: str, what: str) -> Damaged:
    """The error for a table of which something is not what was written."""
    return Damaged(
        f"Table {table} is closed: {what} is not what was written. "
        "`enfilade check` says more; a backup has it as it was."
    )
