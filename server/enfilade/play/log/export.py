"""A table's log as a file that others can check: lines of JSON, each after a hash of all lines so far.

`<SHA-256 of the hash before and this line's JSON> <JSON>`: a head, one line an entry, an end. It has all that
a game master may know, and of the dice only what has been shown at the table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec

from enfilade.store.protocol import Store, iter_entries

FORMAT = "enfilade-log/1"


def log_file(store: Store, table: str) -> Iterator[str]:
    """The lines of a table's log, each with its line end."""
    sealed = ""
    for value in _values(store, table):
        text = msgspec.json.encode(value, order="deterministic").decode()
        sealed = hashlib.sha256(f"{sealed} {text}".encode()).hexdigest()
        yield f"{sealed} {text}\n"


def _values(store: Store, table: str) -> Iterator[Any]:
    yield {"format": FORMAT, "table": table}
    count = 0
    for entry in iter_entries(store.entries, table, 0):
        count = entry.seq
        yield entry
    yield {"end": count}
