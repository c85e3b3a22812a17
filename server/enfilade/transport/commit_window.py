"""How those who want something on disk wait for each other: one sync then serves many.

Alone, nobody waits: the server is quiet. A busy one syncs a hundred times a second and not four hundred, and
that spares more than the disk: every sync is a thread that has to be woken, and to wake the server again.
"""

from __future__ import annotations

import time

import gevent

SECONDS = 0.01
"""How long after a sync the next one begins, and how long a server that is never quiet gathers."""


class CommitWindow:
    """Waits until the server is quiet; where something was just synced, until it is time again."""

    def __init__(self) -> None:
        self._synced = -SECONDS

    def __call__(self) -> None:
        """Returns when it is time to sync."""
        left = self._synced + SECONDS - time.monotonic()
        if left > 0:
            gevent.sleep(left)
        else:
            _until_quiet()
        self._synced = time.monotonic()


def _until_quiet() -> None:
    with gevent.Timeout(SECONDS, False):
        gevent.idle()
