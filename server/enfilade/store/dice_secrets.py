"""Store the secrets of dice chains apart from the tables, so that no backup contains them.

Next to the secrets one file records the last spent link of each chain. A table whose row is older than that
record was restored from a copy; its next dice would be dice that everyone has seen.

The file of spent links is an array of slots, one for each chain in the order of their first roll: the hash of
the chain's name, then the last spent link, overwritten in place. No slot crosses a disk sector, so a power
cut never leaves a slot half written.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from enfilade.errors import StoreDown
from enfilade.i18n import localize

SECRET_BYTES = 32
SLOT_BYTES = 64
_NAME_BYTES = 32
_INDEX_BYTES = 8
"""After the secret come as many bytes, where earlier versions stored the last spent link; they still
count."""

_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
_sync = getattr(os, "fdatasync", os.fsync)  # overwriting in place changes no metadata except a grown length


class DiceSecrets(Protocol):
    """Stores secrets by table and by the epoch of the chain. Every method raises StoreDown if it fails."""

    def add(self, table: str, epoch: str, secret: bytes) -> None:
        """Store a new secret with no spent link."""

    def secret(self, table: str, epoch: str) -> bytes | None:
        """Return a secret, or None if it is not stored here."""

    def last_spent(self, table: str, epoch: str) -> int:
        """Return the last spent link of a stored secret; 0 if none."""

    def spend(self, table: str, epoch: str, index: int) -> None:
        """Record that a link and all before it are spent.

        The record is durable before the dice of the link are: see `DiceSecretFolder.sync`.
        """


class MemoryDiceSecrets:
    """Secrets in memory, lost when the process ends."""

    def __init__(self) -> None:
        self._secrets: dict[tuple[str, str], bytes] = {}
        self._spent: dict[tuple[str, str], int] = {}

    def add(self, table: str, epoch: str, secret: bytes) -> None:
        """Store a new secret with no spent link."""
        self._secrets[table, epoch] = secret
        self._spent[table, epoch] = 0

    def secret(self, table: str, epoch: str) -> bytes | None:
        """Return a secret, or None if it is not stored here."""
        return self._secrets.get((table, epoch))

    def last_spent(self, table: str, epoch: str) -> int:
        """Return the last spent link; 0 if none."""
        return self._spent[table, epoch]

    def spend(self, table: str, epoch: str, index: int) -> None:
        """Record that a link is spent."""
        self._spent[table, epoch] = max(index, self._spent[table, epoch])


class DiceSecretFolder:
    """A folder readable by its owner only: a small file for each secret, and one for all spent links.

    Reads are cached, because no other process writes to the same chains. `sync` makes the spent links
    durable; a store calls it before each commit.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._cache: dict[tuple[str, str], bytes] = {}
        with _errors_as_store_down():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._spent_links = SpentLinks(folder / "marks")

    def add(self, table: str, epoch: str, secret: bytes) -> None:
        """Store a new secret with no spent link."""
        data = secret + bytes(_INDEX_BYTES)
        with _errors_as_store_down():
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            with open(os.open(self._path(table, epoch), flags, 0o600), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if os.name != "nt":  # Windows cannot open a folder, and does not need to
                folder = os.open(self._folder, os.O_RDONLY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)
        self._cache[table, epoch] = data

    def secret(self, table: str, epoch: str) -> bytes | None:
        """Return a secret, or None if it is not stored here."""
        data = self._read(table, epoch)
        return data[:SECRET_BYTES] if len(data) == SECRET_BYTES + _INDEX_BYTES else None

    def last_spent(self, table: str, epoch: str) -> int:
        """Return the last spent link of a stored secret; 0 if none."""
        in_file = int.from_bytes(self._read(table, epoch)[SECRET_BYTES:], "big")
        return max(in_file, self._spent_links.last_spent(_chain_name(table, epoch)))

    def spend(self, table: str, epoch: str, index: int) -> None:
        """Record that a link is spent."""
        if self.last_spent(table, epoch) < index:
            self._spent_links.spend(_chain_name(table, epoch), index)

    def sync(self) -> None:
        """Wait until all recorded links are on disk."""
        self._spent_links.sync()

    def _path(self, table: str, epoch: str) -> Path:
        return self._folder / f"{_chain_name(table, epoch)}.seed"

    def _read(self, table: str, epoch: str) -> bytes:
        if (table, epoch) not in self._cache:
            with _errors_as_store_down():
                try:
                    self._cache[table, epoch] = self._path(table, epoch).read_bytes()
                except FileNotFoundError:
                    return b""
        return self._cache[table, epoch]


class SpentLinks:
    """The file of the last spent link of each chain, by the chain's name. Methods raise StoreDown.

    Reads are cached, because no other process writes to the same chains.
    """

    def __init__(self, path: Path) -> None:
        self._slots: dict[bytes, int] = {}
        self._spent: dict[bytes, int] = {}
        self._writes = self._synced_writes = 0
        with _errors_as_store_down():
            self._file = os.open(path, _FLAGS, 0o600)
            self._end = os.open(path, _FLAGS | os.O_APPEND, 0o600)
            self._read(path.read_bytes())

    def last_spent(self, name: str) -> int:
        """Return the last spent link of a chain; 0 if none."""
        return self._spent.get(_hash(name), 0)

    def spend(self, name: str, index: int) -> None:
        """Record that a link is spent; `sync` makes the record durable."""
        hashed, data = _hash(name), index.to_bytes(_INDEX_BYTES, "big")
        with _errors_as_store_down():
            if hashed in self._slots:
                os.lseek(self._file, self._slots[hashed] + _NAME_BYTES, os.SEEK_SET)
                os.write(self._file, data)
            else:  # append at the current end, because other processes append their chains too
                os.write(self._end, (hashed + data).ljust(SLOT_BYTES, b"\0"))
                self._slots[hashed] = os.lseek(self._end, 0, os.SEEK_CUR) - SLOT_BYTES
        self._spent[hashed] = index
        self._writes += 1

    def sync(self) -> None:
        """Wait until all recorded links are on disk. Any thread may call this."""
        writes = self._writes
        if self._synced_writes < writes:
            with _errors_as_store_down():
                _sync(self._file)
            self._synced_writes = max(self._synced_writes, writes)

    def close(self) -> None:
        """Close the file."""
        for file in (self._file, self._end):
            os.close(file)

    def _read(self, data: bytes) -> None:
        missing = bytes(-len(data) % SLOT_BYTES)
        if missing:  # a crash cut an appended slot short; it was never acknowledged
            os.write(self._end, missing)
            data += missing
        for start in range(0, len(data), SLOT_BYTES):
            middle = start + _NAME_BYTES
            name, index = data[start:middle], data[middle : middle + _INDEX_BYTES]
            self._slots[name] = start
            self._spent[name] = max(int.from_bytes(index, "big"), self._spent.get(name, 0))


def _chain_name(table: str, epoch: str) -> str:
    return f"{table}-{epoch}"


@lru_cache(4096)
def _hash(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


@contextmanager
def _errors_as_store_down() -> Iterator[None]:
    """Translate OSError into StoreDown."""
    try:
        yield
    except OSError as problem:
        raise StoreDown(localize("store.dice_secrets_down")) from problem
