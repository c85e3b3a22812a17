"""How those who want something on disk wait for each other: one sync then serves many.

Alone, nobody waits: the server is quiet. A busy one syncs a hundred times a second and not four hundred, and
that spares more than the disk: every sync is a thread that has to be woken, and to wake the server again.
"""

from __future__ import annotations

import time

import gevent

from enfilade.store.aside import Gather

SECONDS = 0.01
"""How long after a sync the next one begins, and how long a server that is never quiet gathers."""


def until_quiet() -> None:
    """Waits until nothing else is to be done, but not for long."""
    with gevent.Timeout(SECONDS, False):
        gevent.idle()


def for_a_turn() -> None:
    """Waits for those who can go on by now: whose intakes were stored together want their marks together."""
    gevent.sleep(0)


class Spaced:
    """Waits for company by one of the ways above; where something was just synced, until it is time again."""

    def __init__(self, gather: Gather) -> None:
        self._gather = gather
        self._synced = -SECONDS

    def __call__(self) -> None:
        """Returns when it is time to sync."""
        left = self._synced + SECONDS - time.monotonic()
        if left > 0:
            gevent.sleep(left)
        else:
            self._gather()
        self._synced = time.monotonic()
