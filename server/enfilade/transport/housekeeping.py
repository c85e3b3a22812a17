"""The server's background work: end revoked connections, renew resume tokens, process dice contributions.

Other processes may serve the same store. A player whom another process removed or reconnected is noticed
here.
"""

from __future__ import annotations

import logging
import time

import gevent

from enfilade.errors import EnfiladeError
from enfilade.transport.clients import Clients
from enfilade.transport.rooms import Rooms
from enfilade.transport.tokens import ConnectionTokens

log = logging.getLogger(__name__)

INTERVAL_SECONDS = 2.0
RENEW_SECONDS = 600.0
"""The interval at which connected clients' resume tokens get their full lifetime again."""


class Housekeeping:
    """Runs every few seconds for as long as the server runs."""

    def __init__(self, clients: Clients, connection_tokens: ConnectionTokens, rooms: Rooms) -> None:
        self._clients = clients
        self._connection_tokens = connection_tokens
        self._rooms = rooms
        self._renewed = time.monotonic()

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
        """Disconnect revoked clients, renew the others' tokens, and process dice contributions."""
        self._clients.disconnect_ended(self._connection_tokens.find_ended(self._clients.sessions()))
        if time.monotonic() - self._renewed >= RENEW_SECONDS:
            self._renewed = time.monotonic()
            self._connection_tokens.extend(self._clients.sessions())
        self._rooms.process_contributions()
