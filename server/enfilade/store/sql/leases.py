"""Lease tables to server processes, so that each table has one owner at a time.

A process has one row with the time at which its lease ends, by the database's clock. A table's row names the
process that owns it and a fencing number, which grows with each new owner. Every write to a table's row
requires the owner's number in the same statement, so a process that lost a table without noticing, for
example because it was stopped, cannot write to it again.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from enfilade.errors import BadInput
from enfilade.i18n import localize
from enfilade.store.sql.database import Database, Statement
from enfilade.store.sql.schema import PROCESSES, TABLES

LEASE_SECONDS = 3.0
"""How long a process keeps its tables after its last renewal."""

_NOW_MS = sa.cast(sa.extract("epoch", sa.func.clock_timestamp()) * 1000, sa.BigInteger)
"""The database's clock: the processes' own clocks may differ."""
_PROCESS: sa.BindParameter[str] = sa.bindparam("process")
_END_MS = _NOW_MS + sa.bindparam("lease_ms", type_=sa.BigInteger)
_THIS_TABLE = TABLES.c.id == sa.bindparam("table_id")
# A process that drains keeps its row until it ends, but no table.
_OWNER_LIVES = sa.exists().where(
    PROCESSES.c.id == TABLES.c.owner, PROCESSES.c.expires_ms > _NOW_MS, ~PROCESSES.c.is_draining
)

RENEW = Statement(sa.update(PROCESSES).where(PROCESSES.c.id == _PROCESS).values(expires_ms=_END_MS))
DRAIN = Statement(sa.update(PROCESSES).where(PROCESSES.c.id == _PROCESS).values(is_draining=sa.true()))
REMOVE = Statement(sa.delete(PROCESSES).where(PROCESSES.c.id == _PROCESS))
FORGET_DEAD = Statement(sa.delete(PROCESSES).where(PROCESSES.c.expires_ms < _NOW_MS - 3_600_000))
OWNED = Statement(sa.select(TABLES.c.id, TABLES.c.fence).where(TABLES.c.owner == _PROCESS))
_CAN_OWN = sa.exists().where(
    PROCESSES.c.id == _PROCESS, PROCESSES.c.expires_ms > _NOW_MS, ~PROCESSES.c.is_draining
)
CLAIM = Statement(
    sa.update(TABLES)
    .where(_THIS_TABLE, sa.or_(TABLES.c.owner == "", ~_OWNER_LIVES), _CAN_OWN)
    .values(owner=_PROCESS, fence=TABLES.c.fence + 1)
)
# A new number here too, so that the process cannot write after it has handed its tables over.
RELEASE = Statement(
    sa.update(TABLES).where(TABLES.c.owner == _PROCESS).values(owner="", fence=TABLES.c.fence + 1)
)
OWNER = Statement(
    sa.select(
        TABLES.c.owner, TABLES.c.fence, PROCESSES.c.name, (PROCESSES.c.expires_ms - _NOW_MS).label("left_ms")
    )
    .select_from(TABLES.outerjoin(PROCESSES, PROCESSES.c.id == TABLES.c.owner))
    .where(_THIS_TABLE)
)


@dataclass(frozen=True)
class Owner:
    """The owner of a table: its fencing number, and the name by which a proxy finds the process.

    `is_this` is true if the asking process is the owner. `seconds_left` is the time until the owner's lease
    ends if it renews it no more.
    """

    is_this: bool
    fence: int
    name: str
    seconds_left: float = math.inf


class Leases:
    """The lease of this process on its tables, in a PostgreSQL database.

    Each start of a process is a new owner, so a restarted one cannot be taken for the one that died.
    """

    def __init__(self, database: Database, name: str, lease_seconds: float = LEASE_SECONDS) -> None:
        """`name` is the process's name in the proxy's configuration. Raises BadInput on an SQLite file."""
        if database.file is not None:
            raise BadInput(localize("store.leases_need_postgres"))
        self.process = secrets.token_hex(8)
        self.lease_seconds = lease_seconds
        self.name = name
        self._database = database

    @property
    def _lease_ms(self) -> int:
        return int(self.lease_seconds * 1000)

    def begin(self) -> None:
        """Register this process. Raises StoreDown."""
        with self._database.writing() as connection:
            FORGET_DEAD.run(connection)
            new = {"id": self.process, "name": self.name, "is_draining": False}
            lease = {"lease_ms": self._lease_ms}
            connection.execute(sa.insert(PROCESSES).values(**new, expires_ms=_END_MS), lease)

    def renew(self) -> Mapping[str, int]:
        """Extend the lease; return the fencing number of each table that this process owns.

        An expired lease is extended as well; tables that another process took meanwhile are not in the
        result. Raises StoreDown.
        """
        with self._database.writing() as connection:
            if RENEW.run(connection, process=self.process, lease_ms=self._lease_ms) != 1:
                new = {"id": self.process, "name": self.name, "is_draining": False}
                connection.execute(
                    sa.insert(PROCESSES).values(**new, expires_ms=_END_MS), {"lease_ms": self._lease_ms}
                )
            return {row.id: row.fence for row in OWNED.rows(connection, process=self.process)}

    def claim(self, table: str) -> Owner | None:
        """Take a table that has no living owner; return its owner afterwards, None if there is no table.

        A process whose lease has ended or that drains takes none, and the result has no name then. Raises
        StoreDown.
        """
        with self._database.writing() as connection:
            CLAIM.run(connection, table_id=table, process=self.process)
            return self._owner(connection, table)

    def owner(self, table: str) -> Owner | None:
        """Return the owner of a table, which has no name if there is none; None without a table.

        Raises StoreDown.
        """
        with self._database.reading() as connection:
            return self._owner(connection, table)

    def _owner(self, connection: sa.Connection, table: str) -> Owner | None:
        found = OWNER.first(connection, table_id=table)
        if found is None:
            return None
        seconds_left = max(0.0, float(found.left_ms or 0) / 1000)
        return Owner(found.owner == self.process, int(found.fence), found.name or "", seconds_left)

    def release_all(self) -> None:
        """Hand over all tables: any process may take them at once, and this one takes none again.

        Waits for writes in progress, because they lock the rows of their tables. Raises StoreDown.
        """
        with self._database.writing() as connection:
            DRAIN.run(connection, process=self.process)
            RELEASE.run(connection, process=self.process)

    def end(self) -> None:
        """Remove this process. Raises StoreDown."""
        with self._database.writing() as connection:
            REMOVE.run(connection, process=self.process)
