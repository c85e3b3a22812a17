"""The use of stored tables, for people who look after a server: names, sizes and the last act."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.errors import Damaged
from enfilade.scene.model import Value
from enfilade.store.protocol import Store
from enfilade.store.sql.storage import TableSize
from enfilade.store.sql.tables import SqlStore


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
