"""Backups of an SQLite store, made while it is in use, and putting one back."""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from enfilade.errors import BadFile, StoreDown

_WITHOUT_JOURNAL = "PRAGMA journal_mode=DELETE"


def copy(source: Path, target: Path) -> None:
    """Copies an SQLite store as it is at one moment; the target is there whole or not at all. Raises BadFile.

    Whoever uses the source may go on meanwhile.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        with closing(_opened(source)) as old, closing(sqlite3.connect(part)) as new:
            old.backup(new)
            new.execute(_WITHOUT_JOURNAL)
            _must_be_sound(new, source)
        put(part, target)
    except (sqlite3.Error, OSError) as problem:
        raise BadFile(f"{source} cannot be copied to {target}: {problem}.") from None


def make_one_file(store: Path) -> None:
    """Has a store that nobody uses need no journal beside it, so that it is read where none can be made.

    Raises BadFile.
    """
    try:
        with closing(sqlite3.connect(store)) as database:
            database.execute(_WITHOUT_JOURNAL)
    except sqlite3.Error as problem:
        raise BadFile(f"{store} cannot be made one file: {problem}.") from None


def put_back(fresh: Path, store: Path) -> Path | None:
    """Puts a store in the place of another, which is kept beside it; gives where. Raises StoreDown, BadFile.

    All of it or nothing, also where the power goes; refused while a server uses the store.
    """
    kept = None
    if store.exists():
        _must_be_unused(store)
        kept = store.with_name(
            f"{store.name}.replaced-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
        )
        _set_aside(store, kept)
    try:
        put(fresh, store)
    except OSError as problem:
        raise BadFile(f"{store} cannot be replaced: {problem}.") from None
    return kept


def _set_aside(store: Path, kept: Path) -> None:
    """Copies the files as they are, for a damaged store cannot be copied otherwise."""
    try:
        for rest in ("", "-wal"):
            part = store.with_name(store.name + rest)
            if part.exists():
                shutil.copyfile(part, kept.with_name(kept.name + rest))
                _sync(kept.with_name(kept.name + rest))
    except OSError as problem:
        raise BadFile(f"{store} cannot be set aside: {problem}.") from None
    # What is left of the old store's journal must not be taken for the new one's.
    for rest in ("-wal", "-shm"):
        store.with_name(store.name + rest).unlink(missing_ok=True)


def _opened(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise BadFile(f"There is no file {path}.")
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _must_be_sound(database: sqlite3.Connection, source: Path) -> None:
    (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise BadFile(f"{source} is a damaged database: {found}.")


def _must_be_unused(store: Path) -> None:
    """Leaves WAL mode, which SQLite allows only to one who is alone."""
    try:
        with closing(sqlite3.connect(store, timeout=0.5)) as database:
            database.execute(_WITHOUT_JOURNAL)
    except sqlite3.OperationalError:
        raise StoreDown(f"A server is using {store}; end it first.") from None
    except sqlite3.DatabaseError:
        return  # too damaged to be used by anyone, and what is to be replaced


def put(part: Path, target: Path) -> None:
    """Gives a finished file its name, so that it is on disk under it. Raises OSError."""
    _sync(part)
    os.replace(part, target)
    if os.name == "posix":  # elsewhere a folder cannot be opened
        _sync(target.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
