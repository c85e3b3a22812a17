"""Limit the open connections per address, so that no address can take all of the server's connections."""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

_WITH_PORT = re.compile(r"\[([^\]]+)\](?::\d+)?|([\d.]+):\d+", re.A)


def network_of(address: str) -> str:
    """Return the network that one owner controls: an IPv4 address, or a 64-bit IPv6 network.

    A port, which some proxies append, is removed: it differs for each connection.
    """
    with_port = _WITH_PORT.fullmatch(address)
    try:
        parsed = ipaddress.ip_address(with_port[1] or with_port[2] if with_port else address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


class ConnectionLimiter:
    """Counts the open connections of each network; `maximum` is per network, 0 for no limit."""

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._open: Counter[str] = Counter()

    @contextmanager
    def acquire(self, address: str) -> Iterator[bool]:
        """Count a connection for the duration of the block; yield whether the limit allows it."""
        network = network_of(address)
        is_allowed = not self._maximum or self._open[network] < self._maximum
        self._open[network] += 1
        try:
            yield is_allowed
        finally:
            self._open[network] -= 1
            if not self._open[network]:
                del self._open[network]
