"""Count the tables that play now.

A server with few of them answers at once and works ahead. One with many saves work instead: it collects
commits, and lets overlays wait.
"""

from __future__ import annotations

import time

BUSY_TABLES = 4
"""Tables with commands in one second from which a server is busy, even while it waits for the disk."""

_SECONDS = 1.0
_CHECK_SECONDS = 0.02
"""How long an answer to `is_busy` is used; to count the tables for each command would take longer."""


class Activity:
    """The tables that have sent commands in the last second."""

    def __init__(self) -> None:
        self._last: dict[str, float] = {}
        self._checked = 0.0
        self._is_busy = False

    def note(self, table: str) -> None:
        """Record that a table's command is being answered."""
        self._last[table] = time.monotonic()

    @property
    def is_busy(self) -> bool:
        """Return whether many tables play."""
        now = time.monotonic()
        if now - self._checked >= _CHECK_SECONDS:
            self._checked = now
            self._last = {table: at for table, at in self._last.items() if at > now - _SECONDS}
            self._is_busy = len(self._last) >= BUSY_TABLES
        return self._is_busy
