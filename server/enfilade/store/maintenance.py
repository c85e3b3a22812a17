"""Look after a store: check it, back it up, restore a backup; the use of its tables, and those that wait.

A table waits, and can be read but not played, while its ruleset is missing or older than it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from enfilade.errors import BadFile, BadInput, Damaged
from enfilade.i18n import localize
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Value
from enfilade.store.backup import copy, make_one_file, replace_store
from enfilade.store.integrity import Finding, check_all
from enfilade.store.protocol import Store
from enfilade.store.sql.database import Database
from enfilade.store.sql.migrate import SchemaState, schema_state, stored_schema
from enfilade.store.sql.storage import SqlStorage, StoredGame, TableSize
from enfilade.store.sql.tables import SqlStore


class Restored(Value, frozen=True, kw_only=True):
    """The result of a restore: the new epoch, the path of the replaced store, the findings of the check."""

    epoch: str
    before: str
    findings: tuple[Finding, ...] = ()


def check(url: str) -> Sequence[Finding]:
    """Check every table of a store and change nothing. Raises BadFile, WrongVersion, StoreDown."""
    _require_store(url)
    store = SqlStore(url, migrates=False)
    try:
        return list(check_all(store))
    finally:
        store.close()


def examine_schema(url: str) -> SchemaState:
    """Return the state of a store's schema. Raises StoreDown, WrongVersion if it is newer, BadInput."""
    database = Database(url)
    try:
        return schema_state(database)
    finally:
        database.close()


def backup(url: str, target: Path) -> Sequence[Finding]:
    """Copy an SQLite store, in use or not, to one file, and check the copy. Raises BadFile, BadInput."""
    if target.exists():
        raise BadFile(localize("store.file_exists", path=target))
    copy(_file_of(url), target)
    try:
        return check(_url_of(target))
    finally:
        make_one_file(target)  # again, because the check opened it with a journal


def check_copy(backup: Path) -> Sequence[Finding]:
    """Check every table of a backup, of this or an earlier version, on a copy. Raises as `check` does."""
    with TemporaryDirectory() as folder:
        fresh = Path(folder) / "backup.sqlite"
        copy(backup, fresh)
        return _prepare(fresh)[1]


def restore(url: str, backup: Path) -> Restored:
    """Replace an SQLite store with a backup and keep the old store beside it.

    The backup is first migrated and checked, and begins a new epoch. Raises BadFile, BadInput, StoreDown.
    """
    store = _file_of(url)
    store.parent.mkdir(parents=True, exist_ok=True)
    fresh = store.with_name(f"{store.name}.restoring")
    copy(backup, fresh)
    try:
        epoch, findings = _prepare(fresh)
        old = replace_store(fresh, store)
    finally:
        for rest in store.parent.glob(f"{fresh.name}*"):
            rest.unlink()
    return Restored(epoch=epoch, before=str(old or ""), findings=tuple(findings))


def begin_epoch(url: str) -> str:
    """Begin a new epoch after a database server was restored with its own tools. Raises WrongVersion."""
    _require_store(url)
    store = SqlStore(url, migrates=False)
    store.begin_epoch()
    store.close()
    return store.epoch


def _prepare(fresh: Path) -> tuple[str, list[Finding]]:
    database = Database(_url_of(fresh))
    found = stored_schema(database)
    database.engine.dispose()
    if found is None:
        raise BadFile(localize("store.no_backup"))
    store = SqlStore(_url_of(fresh))
    store.begin_epoch()
    findings = list(check_all(store))
    store.close()
    return store.epoch, findings


def _require_store(url: str) -> None:
    path = Database(url).file
    if path is not None and not Path(path).is_file():
        raise BadFile(localize("store.no_store", path=path))


def _file_of(url: str) -> Path:
    path = Database(url).file
    if path is None:
        raise BadInput(localize("store.database_server"))
    return Path(path)


def _url_of(path: Path) -> str:
    return f"sqlite:///{path}"


class HasStorage(Protocol):
    """A store that knows the games of its tables."""

    @property
    def storage(self) -> SqlStorage:
        """Return the part that lists tables."""


def tables_without_ruleset(store: HasStorage, rulesets: Mapping[str, Ruleset]) -> list[str]:
    """Return a sentence for each table whose ruleset is not there as it needs it. Raises StoreDown."""
    return [
        sentence for game in store.storage.games() if (sentence := _why(game, rulesets.get(game.ruleset)))
    ]


def _why(game: StoredGame, ruleset: Ruleset | None) -> str:
    """Return why a table waits; empty if it can be played."""
    if ruleset is None:
        return localize("store.table_waits", table=game.table, name=game.name, ruleset=game.ruleset)
    if ruleset.version < game.version:
        values = {"table": game.table, "name": game.name, "ruleset": game.ruleset}
        versions = {"version": game.version, "installed": ruleset.version}
        return localize("store.table_waits_newer", **values, **versions)
    return ""


class TableUse(Value, frozen=True, kw_only=True):
    """A table: its size, its name and rules, and when its last entry was written, in ms since 1970.

    `wrong` says what is damaged; then name and rules are unknown.
    """

    size: TableSize
    name: str = ""
    ruleset: str = ""
    last_ms: int | None = None
    wrong: str = ""


def table_uses(store: SqlStore) -> Iterator[TableUse]:
    """Yield the use of every table, by ID. Raises StoreDown."""
    for size in store.storage.sizes():
        try:
            state = store.load(size.table)
            if state is not None:
                last = last_used_ms(store, size.table)
                yield TableUse(size=size, name=state.scene.name, ruleset=state.scene.ruleset, last_ms=last)
        except Damaged as problem:
            yield TableUse(size=size, wrong=problem.sentence)


def last_used_ms(store: Store, table: str) -> int | None:
    """Return when a table's last entry was written; None if it has none. Raises Damaged, StoreDown."""
    state = store.load(table)
    last = store.log_texts(table, state.seq - 1, 1) if state and state.seq else ()
    return last[0].at_ms if last else None
