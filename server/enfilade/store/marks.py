"""How much of each chain of dice has been spent: one file for all, so that one sync serves all who roll.

The file is a row of slots, one a chain, in the order of their first roll: the hash of the chain's name, then
the last link spent, overwritten in place. No slot crosses a disk's sector, so none is ever half written.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from enfilade.errors import StoreDown
from enfilade.store.aside import Aside, Gather
from enfilade.store.together import Together, Wish

SLOT_BYTES = 64
_NAME_BYTES = 32
_MARK_BYTES = 8
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
_sync = getattr(os, "fdatasync", os.fsync)  # what is overwritten needs no more; it knows of a file that grew


@dataclass(eq=False)
class _Spent(Wish):
    """A chain's name, and the last link of it that has been spent."""

    name: bytes
    index: int


class Marks:
    """The last link spent of every chain, by the chain's name; StoreDown is raised where that cannot be kept.

    What has been read once is remembered: nobody else writes of the same chains. `aside` is how a function is
    called that waits for the disk, `gather` waits for others who are about to spend a link.
    """

    def __init__(self, path: Path, aside: Aside, gather: Gather) -> None:
        self._aside = aside
        self._together = Together(self._put_on_disk, gather)
        self._slots: dict[bytes, int] = {}
        self._spent: dict[bytes, int] = {}
        with or_store_down():
            self._file = os.open(path, _FLAGS, 0o600)
            self._end = os.open(path, _FLAGS | os.O_APPEND, 0o600)
            self._read(path.read_bytes())

    def spent(self, name: str) -> int:
        """The last link that has been spent of a chain; 0 for none."""
        return self._spent.get(_hashed(name), 0)

    def spend(self, name: str, index: int) -> None:
        """Notes for good that a link has been spent."""
        wish = _Spent(_hashed(name), index)
        with or_store_down():
            self._together.wish(wish)
        self._spent[wish.name] = index

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

    def _put_on_disk(self, batch: list[_Spent]) -> None:
        problem: Exception | None = OSError("It is not known whether this was written.")
        try:
            for spent in batch:
                self._write(spent)
            self._aside(_sync, self._file)
            problem = None
        except Exception as failure:
            problem = failure
        finally:
            for spent in batch:
                spent.is_done, spent.problem = True, problem

    def _write(self, spent: _Spent) -> None:
        mark = spent.index.to_bytes(_MARK_BYTES, "big")
        if spent.name in self._slots:
            os.lseek(self._file, self._slots[spent.name] + _NAME_BYTES, os.SEEK_SET)
            os.write(self._file, mark)
        else:  # at the end as it is by then: other processes keep their chains here too
            os.write(self._end, (spent.name + mark).ljust(SLOT_BYTES, b"\0"))
            self._slots[spent.name] = os.lseek(self._end, 0, os.SEEK_CUR) - SLOT_BYTES


def _hashed(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


@contextmanager
def or_store_down() -> Iterator[None]:
    """Has what goes wrong with a file said in the store's words."""
    try:
        yield
    except OSError as problem:
        raise StoreDown("The secrets of the dice cannot be kept now; nothing was rolled.") from problem
