"""What whoever runs a server does with its store: check it, back it up, put a backup in its place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from enfilade.errors import BadFile, BadInput
from enfilade.scene.model import Value
from enfilade.store.backup import copy, make_one_file, put_back
from enfilade.store.check import Finding, check_all
from enfilade.store.sql.database import Database
from enfilade.store.sql.migrate import found_schema
from enfilade.store.sql.tables import SqlStore


class Restored(Value, frozen=True, kw_only=True):
    """A backup that is in place: the epoch it began, where the store before it went, what its check found."""

    epoch: str
    before: str
    findings: tuple[Finding, ...] = ()


def check(url: str) -> Sequence[Finding]:
    """Checks every table of a store and changes nothing; raises WrongVersion, StoreDown."""
    _must_be_there(url)
    store = SqlStore(url, migrates=False)
    try:
        return list(check_all(store))
    finally:
        store.close()


def backup(url: str, target: Path) -> Sequence[Finding]:
    """Copies an SQLite store, in use or not, to one file, and checks the copy; raises BadFile, BadInput."""
    if target.exists():
        raise BadFile(f"{target} is there already.")
    copy(_file_of(url), target)
    try:
        return check(_url_of(target))
    finally:
        make_one_file(target)  # again: whoever asks a store has it keep a journal


def restore(url: str, backup: Path) -> Restored:
    """Puts a backup in the place of an SQLite store, which is kept beside it; raises BadFile, StoreDown.

    The backup is brought up to date first, checked, and begins a new epoch.
    """
    store = _file_of(url)
    store.parent.mkdir(parents=True, exist_ok=True)
    fresh = store.with_name(f"{store.name}.restoring")
    copy(backup, fresh)
    try:
        epoch, findings = _made_ready(fresh)
        kept = put_back(fresh, store)
    finally:
        for left in store.parent.glob(f"{fresh.name}*"):
            left.unlink()
    return Restored(epoch=epoch, before=str(kept or ""), findings=tuple(findings))


def begin_epoch(url: str) -> str:
    """Begins a new epoch, as after a database server was restored by its own tools; raises WrongVersion."""
    _must_be_there(url)
    store = SqlStore(url, migrates=False)
    store.begin_epoch()
    store.close()
    return store.epoch


def _made_ready(fresh: Path) -> tuple[str, list[Finding]]:
    database = Database(_url_of(fresh))
    found = found_schema(database)
    database.engine.dispose()
    if found is None:
        raise BadFile("That is no backup of Enfilade's tables.")
    store = SqlStore(_url_of(fresh))
    store.begin_epoch()
    findings = list(check_all(store))
    store.close()
    return store.epoch, findings


def _must_be_there(url: str) -> None:
    path = Database(url).file
    if path is not None and not Path(path).is_file():
        raise BadFile(f"There is no store {path}.")


def _file_of(url: str) -> Path:
    path = Database(url).file
    if path is None:
        raise BadInput("That store is a database server: back it up and restore it by its own tools.")
    return Path(path)


def _url_of(path: Path) -> str:
    return f"sqlite:///{path}"
