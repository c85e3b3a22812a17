"""What a server looks after while people are connected, whether or not anybody asks it something.

Other processes may serve the same tables: whoever was sent away there, or came in there, is noticed here.
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

LOOK_SECONDS = 2.0
KEEP_SECONDS = 600.0
"""How often the resume tokens of those who are connected are made good for their whole time again."""


class Housekeeping:
    """Looks, every few seconds, who is no longer to be connected, and whose time it is."""

    def __init__(self, clients: Clients, connection_tokens: ConnectionTokens, rooms: Rooms) -> None:
        self._clients = clients
        self._connection_tokens = connection_tokens
        self._rooms = rooms
        self._kept = time.monotonic()

    def begin(self) -> None:
        """Begins to look, for as long as the server runs."""
        gevent.spawn(self._watch)

    def _watch(self) -> None:
        while True:
            gevent.sleep(LOOK_SECONDS)
            try:
                self.look()
            except (
                EnfiladeError
            ):  # a store that is away cuts nobody; what it says is logged where it is asked
                continue
            except Exception:
                log.exception("The server could not look after its connections")

    def look(self) -> None:
        """Cuts who has been sent away, keeps who is here, and tends the players' parts in the dice."""
        self._clients.cut_ended(self._connection_tokens.ended(self._clients.lines()))
        if time.monotonic() - self._kept >= KEEP_SECONDS:
            self._kept = time.monotonic()
            self._connection_tokens.keep(self._clients.lines())
        self._rooms.process_contributions()
