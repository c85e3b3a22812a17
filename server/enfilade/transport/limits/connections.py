"""Limit what is open at once: connections per address and in all, and the memory of unfinished uploads.

Many addresses together could take all of the server's connections. A share of them is therefore reserved for
this machine and for the addresses of members who have connected before. Above the limits a few spare
connections remain, on which an operator can ask whether the server is healthy.

A seat has one upload at a time, and all that are unfinished share a total of memory.
"""

from __future__ import annotations

import ipaddress
import logging
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from enfilade.errors import RateLimited
from enfilade.i18n import localize
from enfilade.runtime.config import Limits
from enfilade.transport.limits.buckets import Bucket, Buckets, Clock, Rate

if sys.platform != "win32":
    import resource

log = logging.getLogger(__name__)
_OTHER_FILES = 768
"""The open files of a process beside its limited connections: connections above the limit, the database."""
_MAX_KNOWN = 4_096
"""The addresses that are remembered."""
_OPEN_TO_ALL = 75
"""The percentage of all connections that addresses which are not known may use."""
_THIS_MACHINE = ("127.0.0.1", "::1")
"""The addresses that programs of this machine have unless they choose another."""
REQUESTS_OF_A_STRANGER = Rate(per_second=50, burst=400)
"""The requests of one network that is not known, before the others wait. A board page takes a hundred."""
REQUESTS_OF_STRANGERS = Rate(per_second=200, burst=1_600)
"""The requests of all networks that are not known."""
SPARE_CONNECTIONS = 128
_SPARE_PER_NETWORK = 4
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
    """Counts the open connections of each network (an IPv4 address, or a 64-bit IPv6 network).

    `per_network` and `total` are limits, 0 for none. Networks that are not known may use only a part of the
    total.
    """

    def __init__(self, per_network: int, total: int = 0, clock: Clock = time.monotonic) -> None:
        """`clock` returns monotonic seconds."""
        self._requests: Buckets[str] = Buckets(REQUESTS_OF_A_STRANGER, clock)
        self._all_requests = Bucket(REQUESTS_OF_STRANGERS, clock)
        self._per_network = per_network
        self._total = total
        self._open: Counter[str] = Counter()
        self._spare: Counter[str] = Counter()
        self._known: dict[str, None] = {}
        self.listeners: list[Callable[[str], None]] = []
        """Called with each address that becomes known."""

    def remember(self, address: str) -> None:
        """Let an address use the reserved connections; the one that was remembered first is forgotten."""
        network = network_of(address)
        is_new = network not in self._known
        self._known.pop(network, None)
        self._known[network] = None
        if len(self._known) > _MAX_KNOWN:
            del self._known[next(iter(self._known))]
        for listener in self.listeners if is_new else ():
            listener(address)

    @contextmanager
    def acquire(self, address: str) -> Iterator[bool]:
        """Count a connection for the duration of the block; yield whether the limits allow it."""
        network = network_of(address)
        with _counted(self._open, network, self._has_room(network)) as is_allowed:
            yield is_allowed

    @contextmanager
    def acquire_spare(self, address: str) -> Iterator[bool]:
        """Count a connection above the limits, for a question about the server's health; yield as above."""
        network = network_of(address)
        has_room = self._spare[network] < _SPARE_PER_NETWORK and self._spare.total() < SPARE_CONNECTIONS
        with _counted(self._spare, network, has_room) as is_allowed:
            yield is_allowed

    def count_request(self, address: str) -> float:
        """Count a request; return the seconds that it must wait before it is read.

        Requests of known networks never wait, nor do any without limits, as behind a proxy.
        """
        network = network_of(address)
        if not self._per_network or self._is_known(network):
            return 0.0
        buckets = (self._requests.of(network), self._all_requests)
        for bucket in buckets:
            bucket.take(1)
        return max(bucket.wait(0) for bucket in buckets)

    def _is_known(self, network: str) -> bool:
        return network in self._known or network in _THIS_NETWORKS

    def _has_room(self, network: str) -> bool:
        if self._per_network and self._open[network] >= self._per_network:
            return False
        if not self._total:
            return True
        share = 100 if self._is_known(network) else _OPEN_TO_ALL
        return self._open.total() < self._total * share // 100


@contextmanager
def _counted(connections: Counter[str], network: str, is_allowed: bool) -> Iterator[bool]:
    if not is_allowed:
        yield False
        return
    connections[network] += 1
    try:
        yield True
    finally:
        connections[network] -= 1
        if not connections[network]:
            del connections[network]


_THIS_NETWORKS = tuple(map(network_of, _THIS_MACHINE))


def is_loopback(address: str) -> bool:
    """Return whether an address is this machine's own."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def allow_open_files(connections: int) -> None:
    """Raise RLIMIT_NOFILE to fit a number of connections.

    Many systems start a process with 1,024. With so few the server could neither accept the connections that
    it may have nor open its database once they are taken.
    """
    if sys.platform == "win32":
        return
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _OTHER_FILES
    if allowed == resource.RLIM_INFINITY or allowed >= wanted:
        return
    granted = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (granted, most))
    except (OSError, ValueError):  # above what the kernel allows
        granted = allowed
    if granted < wanted:
        log.warning("%d connections need %d open files; the system allows %d", connections, wanted, granted)


_RETRY_MS = 5_000


class UploadMemory:
    """The bytes that are reserved for uploads of all seats."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._reserved = 0

    def reserve(self, size: int) -> None:
        """Reserve bytes; a single upload may be larger than the total. Raises RateLimited."""
        if self._reserved and self._reserved + size > self._limits.total_upload_bytes:
            raise too_many_uploads()
        self._reserved += size

    def release(self, size: int) -> None:
        """Release reserved bytes."""
        self._reserved -= size


def too_many_uploads() -> RateLimited:
    """Return the refusal of an upload that has to wait for others."""
    return RateLimited(localize("server.too_many_uploads"), _RETRY_MS)
