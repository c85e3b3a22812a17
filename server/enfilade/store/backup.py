"""Copy an SQLite store while it is in use, and replace a store with a copy."""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from enfilade.errors import BadFile, StoreDown
from enfilade.i18n import localize

_WITHOUT_JOURNAL = "PRAGMA journal_mode=DELETE"
_KEPT = (".before-", ".replaced-")  # what an upgrade and a restore add to the store's name
_JOURNALS = ("-wal", "-shm")


def copy(source: Path, target: Path) -> None:
    """Copy an SQLite store as of one moment; the target appears complete or not at all.

    Servers may use the source meanwhile. Raises BadFile.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        _create_private(part)
        with closing(_open_read_only(source)) as old, closing(sqlite3.connect(part)) as new:
            old.backup(new)
            new.execute(_WITHOUT_JOURNAL)
            (found,) = new.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise BadFile(localize("store.damaged_database", path=source, reason=found))
        move_into_place(part, target)
    except (sqlite3.Error, OSError) as problem:
        raise BadFile(localize("store.cannot_copy", path=source, target=target, reason=problem)) from None


def make_one_file(store: Path) -> None:
    """Remove the journal of a store that is not in use, so that it opens in a read-only folder.

    Raises BadFile.
    """
    try:
        with closing(sqlite3.connect(store)) as database:
            database.execute(_WITHOUT_JOURNAL)
    except sqlite3.Error as problem:
        raise BadFile(localize("store.cannot_make_one_file", path=store, reason=problem)) from None


def replace_store(fresh: Path, store: Path) -> Path | None:
    """Replace a store with another, all or nothing even in a power cut; return where the old one was kept.

    Raises StoreDown if a server uses the store, and BadFile.
    """
    old = None
    if store.exists():
        _require_unused(store)
        old = store.with_name(
            f"{store.name}.replaced-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
        )
        _keep_files(store, old)
    try:
        move_into_place(fresh, store)
    except OSError as problem:
        raise BadFile(localize("store.cannot_replace", path=store, reason=problem)) from None
    return old


def kept_copies(store: Path) -> list[Path]:
    """Return the copies that upgrades and restores left beside a store, sorted by name, without journals."""
    return sorted(
        path
        for kind in _KEPT
        for path in store.parent.glob(f"{store.name}{kind}*")
        if path.is_file() and not path.name.endswith(_JOURNALS)
    )


def drop_kept_copies(store: Path, older_than: float) -> list[Path]:
    """Delete the copies beside a store that were made before a time in seconds; return the deleted ones.

    A copy that cannot be deleted stays for the next time.
    """
    deleted = []
    for copied in kept_copies(store):
        with suppress(OSError):
            if copied.stat().st_mtime < older_than:
                for suffix in (*_JOURNALS, ""):
                    copied.with_name(copied.name + suffix).unlink(missing_ok=True)
                deleted.append(copied)
    return deleted


def move_into_place(part: Path, target: Path) -> None:
    """Rename a finished file to its final name, with file and name on disk. Raises OSError."""
    _sync(part)
    os.replace(part, target)
    if os.name == "posix":  # other systems cannot open a folder
        _sync(target.parent)


def _keep_files(store: Path, old: Path) -> None:
    """Copy the files byte by byte, because SQLite cannot copy a damaged store."""
    try:
        for suffix in ("", "-wal"):
            part = store.with_name(store.name + suffix)
            if part.exists():
                _create_private(old.with_name(old.name + suffix))
                shutil.copyfile(part, old.with_name(old.name + suffix))
                _sync(old.with_name(old.name + suffix))
    except OSError as problem:
        raise BadFile(localize("store.cannot_keep", path=store, reason=problem)) from None
    # SQLite must not apply the old store's journal to the new store.
    for suffix in ("-wal", "-shm"):
        store.with_name(store.name + suffix).unlink(missing_ok=True)


def _create_private(path: Path) -> None:
    """Create an empty file that only its owner can read, because a store holds all of the GM's secrets."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _open_read_only(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise BadFile(localize("store.no_file", path=path))
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _require_unused(store: Path) -> None:
    """Leave WAL mode, which SQLite permits only without other connections."""
    try:
        with closing(sqlite3.connect(store, timeout=0.5)) as database:
            database.execute(_WITHOUT_JOURNAL)
    except sqlite3.OperationalError:
        raise StoreDown(localize("store.in_use", path=store)) from None
    except sqlite3.DatabaseError:
        return  # too damaged for any server to use, and about to be replaced


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
