"""Where the secrets of the tables' dice are kept: apart from the tables, so that no backup has them.

Beside them stands how many links of each have been spent (marks.py). A table whose row is older than that was
put back from a copy, and its next dice would be dice that everybody has seen.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO, Protocol

from enfilade.store.spent_links import SpentLinks, or_store_down

SECRET_BYTES = 32
_MARK_BYTES = 8
"""After the secret: where a mark stood before marks had a file of their own; it counts still."""


class DiceSecrets(Protocol):
    """Keeps secrets by their table and the chain's epoch. Every method raises StoreDown when it cannot."""

    def keep(self, table: str, epoch: str, secret: bytes) -> None:
        """Keeps a new secret, no link of it spent."""

    def secret(self, table: str, epoch: str) -> bytes | None:
        """A secret, or None where it is not here."""

    def spent(self, table: str, epoch: str) -> int:
        """The last link that has been spent of a secret that is here; 0 for none."""

    def spend(self, table: str, epoch: str, index: int) -> None:
        """Notes that a link, and so every one before it, has been spent.

        That is for good no later than what the link's dice come to: see `sync` of `DiceSecretFolder`.
        """


class MemoryDiceSecrets:
    """Secrets kept in memory, gone with the process."""

    def __init__(self) -> None:
        self._secrets: dict[tuple[str, str], bytes] = {}
        self._spent: dict[tuple[str, str], int] = {}

    def keep(self, table: str, epoch: str, secret: bytes) -> None:
        """Keeps a new secret, no link of it spent."""
        self._secrets[table, epoch] = secret
        self._spent[table, epoch] = 0

    def secret(self, table: str, epoch: str) -> bytes | None:
        """A secret, or None where it is not here."""
        return self._secrets.get((table, epoch))

    def spent(self, table: str, epoch: str) -> int:
        """The last link that has been spent; 0 for none."""
        return self._spent[table, epoch]

    def spend(self, table: str, epoch: str, index: int) -> None:
        """Notes that a link has been spent."""
        self._spent[table, epoch] = max(index, self._spent[table, epoch])


class DiceSecretFolder:
    """A folder for its owner alone: a small file for each chain's secret, and one with the marks of all.

    What has been read or written once is remembered: nobody else writes of the same chains. Marks are written
    at once and on disk when `sync` returns, which a store calls before each of its own commits.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[tuple[str, str], bytes] = {}
        with or_store_down():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._marks = SpentLinks(folder / "marks")

    def keep(self, table: str, epoch: str, secret: bytes) -> None:
        """Keeps a new secret, no link of it spent."""
        with or_store_down():
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            with open(os.open(self._path(table, epoch), flags, 0o600), "wb") as file:
                file.write(secret + bytes(_MARK_BYTES))
                _put_on_disk(file)
            self._note_new_file()
        self._known[table, epoch] = secret + bytes(_MARK_BYTES)

    def secret(self, table: str, epoch: str) -> bytes | None:
        """A secret, or None where it is not here."""
        data = self._data(table, epoch)
        return data[:SECRET_BYTES] if len(data) == SECRET_BYTES + _MARK_BYTES else None

    def spent(self, table: str, epoch: str) -> int:
        """The last link that has been spent of a secret that is here; 0 for none."""
        noted = int.from_bytes(self._data(table, epoch)[SECRET_BYTES:], "big")
        return max(noted, self._marks.spent(_name(table, epoch)))

    def spend(self, table: str, epoch: str, index: int) -> None:
        """Notes that a link has been spent."""
        if self.spent(table, epoch) < index:
            self._marks.spend(_name(table, epoch), index)

    def sync(self) -> None:
        """Returns when every mark so far is on disk, which is waited for."""
        self._marks.sync()

    def _path(self, table: str, epoch: str) -> Path:
        return self._folder / f"{_name(table, epoch)}.seed"

    def _data(self, table: str, epoch: str) -> bytes:
        known = self._known.get((table, epoch))
        if known is not None:
            return known
        with or_store_down():
            try:
                self._known[table, epoch] = self._path(table, epoch).read_bytes()
            except FileNotFoundError:
                return b""
        return self._known[table, epoch]

    def _note_new_file(self) -> None:
        if os.name == "nt":  # where a folder cannot be opened, nor needs to be
            return
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _name(table: str, epoch: str) -> str:
    return f"{table}-{epoch}"


def _put_on_disk(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
