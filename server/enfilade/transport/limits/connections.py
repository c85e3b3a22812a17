"""Limit the open connections per address and in all, and keep room for the addresses that are known.

Many addresses together could take all of the server's connections. A share of them is therefore reserved for
this machine and for the addresses of members who have connected before.
"""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

_MAX_KNOWN = 4_096
"""The addresses that are remembered."""
_OPEN_TO_ALL = 75
"""The percentage of all connections that addresses which are not known may use."""
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
    """Counts the open connections of each network.

    `per_network` and `total` are limits, 0 for none. Networks that are not known may use only a part of the
    total.
    """

    def __init__(self, per_network: int, total: int = 0) -> None:
        self._per_network = per_network
        self._total = total
        self._open: Counter[str] = Counter()
        self._known: dict[str, None] = {}

    def remember(self, address: str) -> None:
        """Let an address use the reserved connections; the one that was remembered first is forgotten."""
        network = network_of(address)
        self._known.pop(network, None)
        self._known[network] = None
        if len(self._known) > _MAX_KNOWN:
            del self._known[next(iter(self._known))]

    @contextmanager
    def acquire(self, address: str) -> Iterator[bool]:
        """Count a connection for the duration of the block; yield whether the limits allow it."""
        network = network_of(address)
        is_allowed = self._has_room(network)
        if not is_allowed:
            yield False
            return
        self._open[network] += 1
        try:
            yield True
        finally:
            self._open[network] -= 1
            if not self._open[network]:
                del self._open[network]

    def _has_room(self, network: str) -> bool:
        if self._per_network and self._open[network] >= self._per_network:
            return False
        if not self._total:
            return True
        is_known = network in self._known or is_loopback(network)
        return self._open.total() < (self._total if is_known else self._total * _OPEN_TO_ALL // 100)


def is_loopback(address: str) -> bool:
    """Return whether an address is this machine's own."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
