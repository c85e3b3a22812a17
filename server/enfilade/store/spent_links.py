"""How much of each chain of dice has been spent: one file for all chains.

The file is a row of slots, one a chain, in the order of their first roll: the hash of the chain's name, then
the last link spent, overwritten in place. No slot crosses a disk's sector, so none is ever half written.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from enfilade.errors import StoreDown

SLOT_BYTES = 64
_NAME_BYTES = 32
_MARK_BYTES = 8
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
_sync = getattr(os, "fdatasync", os.fsync)  # what is overwritten needs no more; it knows of a file that grew


class SpentLinks:
    """The last link spent of every chain, by the chain's name; StoreDown is raised where that cannot be kept.

    What has been read once is remembered: nobody else writes of the same chains.
    """

    def __init__(self, path: Path) -> None:
        self._slots: dict[bytes, int] = {}
        self._spent: dict[bytes, int] = {}
        self._written = self._synced = 0  # how many marks
        with or_store_down():
            self._file = os.open(path, _FLAGS, 0o600)
            self._end = os.open(path, _FLAGS | os.O_APPEND, 0o600)
            self._read(path.read_bytes())

    def spent(self, name: str) -> int:
        """The last link that has been spent of a chain; 0 for none."""
        return self._spent.get(_hashed(name), 0)

    def spend(self, name: str, index: int) -> None:
        """Notes that a link has been spent: for good once `sync` has returned."""
        hashed = _hashed(name)
        with or_store_down():
            self._write(hashed, index.to_bytes(_MARK_BYTES, "big"))
        self._spent[hashed] = index
        self._written += 1

    def sync(self) -> None:
        """Returns when all that was spent before is on disk, which is waited for; in whatever thread."""
        written = self._written
        if self._synced < written:
            with or_store_down():
                _sync(self._file)
            self._synced = max(self._synced, written)

    def close(self) -> None:
        """Lets go of the file."""
        for file in (self._file, self._end):
            os.close(file)

    def _read(self, data: bytes) -> None:
        missing = bytes(-len(data) % SLOT_BYTES)
        if missing:  # broken off while it grew: nobody was told that this was kept
            os.write(self._end, missing)
            data += missing
        for at in range(0, len(data), SLOT_BYTES):
            name, mark = data[at : at + _NAME_BYTES], data[at + _NAME_BYTES : at + _NAME_BYTES + _MARK_BYTES]
            self._slots[name] = at
            self._spent[name] = max(int.from_bytes(mark, "big"), self._spent.get(name, 0))

    def _write(self, name: bytes, mark: bytes) -> None:
        if name in self._slots:
            os.lseek(self._file, self._slots[name] + _NAME_BYTES, os.SEEK_SET)
            os.write(self._file, mark)
        else:  # at the end as it is by then: other processes keep their chains here too
            os.write(self._end, (name + mark).ljust(SLOT_BYTES, b"\0"))
            self._slots[name] = os.lseek(self._end, 0, os.SEEK_CUR) - SLOT_BYTES


@lru_cache(4096)
def _hashed(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


@contextmanager
def or_store_down() -> Iterator[None]:
    """Has what goes wrong with a file said in the store's words."""
    try:
        yield
    except OSError as problem:
        raise StoreDown("The secrets of the dice cannot be kept now; nothing was rolled.") from problem
