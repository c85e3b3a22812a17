"""A table's log from one place to another, read some entries at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence

from enfilade.scene.entry import Entry
from enfilade.time_budget import checkpoint

Reader = Callable[[str, int, int], Sequence[Entry]]
"""A store's `entries` or `words`."""

_AT_ONCE = 500


def iter_entries(read: Reader, table: str, place: int, last: int = sys.maxsize) -> Iterator[Entry]:
    """All entries after a place up to the one of number `last`; breathes now and then.

    Raises what the reader raises.
    """
    while place < last and (entries := read(table, place, min(_AT_ONCE, last - place))):
        checkpoint()
        yield from entries
        place += len(entries)
