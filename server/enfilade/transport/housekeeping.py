"""The server's background work on connections, unsent updates, and what nothing needs any more.

Other processes may serve the same store. A member whom another process removed or gave a new key is
disconnected here.
"""

from __future__ import annotations

import logging
import time

import gevent

from enfilade.errors import EnfiladeError
from enfilade.play.tables import Tables
from enfilade.store.maintenance import last_used_ms
from enfilade.store.sql.database import now_ms
from enfilade.store.sql.tables import SqlStore
from enfilade.transport.clients import Clients
from enfilade.transport.rooms import Rooms
from enfilade.transport.tickets import Tickets

log = logging.getLogger(__name__)

INTERVAL_SECONDS = 2.0
STORAGE_SECONDS = 3600.0
"""The interval at which old replies, unused pictures and unused tables are deleted."""

UNUSED_SECONDS = 600.0
"""A table leaves the memory if it has no connection and no one asked for it in this time."""

DAY_MS = 24 * 3600 * 1000

COPY_DAYS = 30
"""The age of a copy that an upgrade or a restore left beside the database: it holds deleted tables too."""


class Housekeeping:
    """Runs every few seconds for as long as the server runs."""

    def __init__(
        self,
        tables: Tables,
        clients: Clients,
        tickets: Tickets,
        rooms: Rooms,
        store: SqlStore,
        delete_unused_days: int = 0,
    ) -> None:
        self._tables = tables
        self._clients = clients
        self._store = store
        self._unused_ms = delete_unused_days * DAY_MS
        self._tidied = -STORAGE_SECONDS
        self._tickets = tickets
        self._rooms = rooms

    def start(self) -> None:
        """Start the background greenlet."""
        gevent.spawn(self._run)

    def _run(self) -> None:
        while True:
            gevent.sleep(INTERVAL_SECONDS)
            try:
                self.run_once()
            except EnfiladeError:
                continue  # the store is down: end no connection; requests log the reason
            except Exception:
                log.exception("Housekeeping failed; it runs again in %s seconds", INTERVAL_SECONDS)

    def run_once(self) -> None:
        """Disconnect clients without a valid key, send what connections still lack, and tidy up."""
        self.disconnect_outdated()
        self._rooms.send_unsent()
        self._tables.release_unused(UNUSED_SECONDS, self._rooms.has_connections)
        if time.monotonic() - self._tidied >= STORAGE_SECONDS:
            self._tidied = time.monotonic()
            self.tidy_storage()

    def disconnect_outdated(self) -> None:
        """Cut the connections of members who are gone, or whose key was replaced since they connected."""
        connected = self._clients.connected()  # before the keys: who connects meanwhile has the newest
        keys = self._tickets.current_keys({client.member.table for client in connected})
        outdated = [client for client in connected if keys.get(client.owner) != client.key]
        self._clients.disconnect([client.connection.sid for client in outdated])

    def tidy_storage(self) -> None:
        """Delete old replies, unused pictures, old copies of the database, and unused tables if it is set."""
        now, storage = now_ms(), self._store.storage
        storage.drop_replies(now - DAY_MS)
        storage.drop_pictures(now - DAY_MS)
        for copied in storage.drop_copies(now - COPY_DAYS * DAY_MS):
            log.warning("The copy %s is deleted: it is older than %s days", copied.name, COPY_DAYS)
        if not self._unused_ms:
            return
        for table in self._store.table_ids():
            last = last_used_ms(self._store, table)
            if last is not None and last < now - self._unused_ms and not self._clients.online_members(table):
                log.warning(
                    "Table %s is deleted: it was last used %s days ago", table, (now - last) // DAY_MS
                )
                self._tables.forget(table)
                storage.delete(table)
