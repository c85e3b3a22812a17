"""How many connections one address has: nobody may take all the room there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from enfilade.transport.limits.rate import network_of


class ConnectionLimiter:
    """Counts the connections of each network; `most` is how many one may have, 0 for any number."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._from: Counter[str] = Counter()

    @contextmanager
    def acquire(self, address: str) -> Iterator[bool]:
        """Counts a connection while it is inside; says whether there is room for it."""
        network = network_of(address)
        has_room = not self._most or self._from[network] < self._most
        self._from[network] += 1
        try:
            yield has_room
        finally:
            self._from[network] -= 1
            if not self._from[network]:
                del self._from[network]
