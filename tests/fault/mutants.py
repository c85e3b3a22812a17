"""The same program with one thing broken, for the controls: what an scenario is there to notice.

`python -m tests.fault.mutants NAME serve ...` is `enfilade serve ...`, so broken.
"""

from __future__ import annotations

import sys
from collections import deque
from typing import Any

from enfilade.__main__ import prepare_to_serve
from enfilade.runtime.time_budget import TimeBudget


def apply(name: str) -> None:
    """Breaks this process in a named way; "" leaves it whole."""
    if name:
        MUTANTS[name]()


def acknowledge_early() -> None:
    """Acknowledges at once, and stores a little later."""
    import gevent

    from enfilade.store.sql.tables import SqlStore

    waiting: deque[tuple[Any, ...]] = deque()
    save = SqlStore.save

    def later() -> None:
        while True:
            gevent.sleep(0.03)
            while waiting:
                save(*waiting.popleft())

    def at_once(*everything: Any) -> None:
        if not waiting and not started:
            started.append(gevent.spawn(later))
        waiting.append(everything)

    started: list[Any] = []
    SqlStore.save = at_once  # type: ignore[method-assign]


def forget_answers() -> None:
    """Keeps no command's answer, and so has no index that its id must be unique in."""
    from enfilade.store.sql import tables

    tables.insert_reply = lambda *_: None


def store_in_two_steps() -> None:
    """Stores the log's entry first and the table's row a moment later."""
    import gevent

    from enfilade.store.sql import tables

    insert = tables.NEW_ENTRY.run

    def alone(connection: Any, **values: Any) -> int:
        count = insert(connection, **values)
        for step in ("RELEASE one", "COMMIT", "BEGIN IMMEDIATE", "SAVEPOINT one"):
            connection.connection.driver_connection.execute(step)
            gevent.sleep(0.05 if step == "COMMIT" else 0)
        return count

    tables.NEW_ENTRY.run = alone  # type: ignore[method-assign]


def sync_less() -> None:
    """Writes with synchronous=NORMAL, which leaves the last commits to the next checkpoint."""
    from enfilade.store.sql import database

    durable = database._make_durable

    def less(connection: Any, record: Any) -> None:
        durable(connection, record)
        connection.execute("PRAGMA synchronous=NORMAL")

    database._make_durable = less


def swallow_errors() -> None:
    """Goes on as if what could not be stored had been."""
    from enfilade.errors import StoreDown
    from enfilade.store.sql.database import Database

    write = Database.write

    def swallowing(self: Database, work: Any, **how: Any) -> Any:
        try:
            return write(self, work, **how)
        except StoreDown:
            return None

    Database.write = swallowing  # type: ignore[method-assign,assignment]


def skip_a_delta() -> None:
    """Tells of some entries without what they changed."""
    from itertools import count

    from msgspec.structs import replace

    from enfilade.play.redaction import views

    redact_entry, sent = views.redact_entry, count()

    def skipping(*given: Any) -> Any:
        entry = redact_entry(*given)
        return replace(entry, events=()) if next(sent) % 10 == 0 else entry

    views.redact_entry = skipping


def never_yield() -> None:
    """Compute every answer without a pause, so that no other request runs meanwhile."""
    TimeBudget.checkpoint = lambda _: None  # type: ignore[method-assign]


def read_everything() -> None:
    """Reads every client's frames as fast as they come."""
    from enfilade.transport.socketio.driver import RateLimitedReader

    RateLimitedReader.events = lambda self: self._ws.events()  # type: ignore[method-assign]


MUTANTS = {
    "never-yields": never_yield,
    "reads-everything": read_everything,
    "ack-before-commit": acknowledge_early,
    "no-unique-id": forget_answers,
    "two-transactions": store_in_two_steps,
    "synchronous-normal": sync_less,
    "error-swallowed": swallow_errors,
    "skip-one-delta": skip_a_delta,
}


def main() -> None:
    prepare_to_serve()
    apply(sys.argv.pop(1))
    from enfilade.cli.main import main as command

    command(prog_name="enfilade")


if __name__ == "__main__":
    main()
