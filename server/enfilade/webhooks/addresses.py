"""Where a connection may go: to public addresses only, and to the very address that was looked at.

A host's name is resolved once; what a name server says a moment later no longer matters.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], list[str]]
"""Gives the addresses of a host's name, as text; raises OSError."""

_CARRIES_IPV4 = IPv6Network("64:ff9b::/96")
"""Addresses by which a network without IPv4 reaches it; the last four bytes say whom (RFC 6052)."""

_UNICAST = IPv6Network("2000::/3")
"""All of IPv6 that is given out to the open internet."""

_KEPT_BACK = tuple(
    ip_network(text)
    for text in ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
)
"""Parts with a purpose of their own: protocols, tunnels, examples. Not every Python version knows all."""


class UnfitAddressError(Exception):
    """A host's name leads to an address that the server does not connect to."""


def addresses_of(host: str, port: int) -> list[str]:
    """What the system says are the addresses of a host; raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_public(text: str) -> bool:
    """Whether an address is one of the open internet, whatever it is dressed up as."""
    try:
        address = ip_address(text)
    except ValueError:  # as with a zone: fe80::1%eth0
        return False
    if isinstance(address, IPv6Address):
        if address in _CARRIES_IPV4:
            return is_public(str(IPv4Address(int(address) & 0xFFFFFFFF)))
        if address not in _UNICAST:
            return False
    is_kept_back = any(address in network for network in _KEPT_BACK)
    return address.is_global and not (is_kept_back or address.is_multicast or address.is_reserved)


def public_address(host: str, port: int, resolve: Resolve, is_fit: Callable[[str], bool]) -> str:
    """The address to connect to. Raises OSError, or UnfitAddressError where any of the host's is unfit."""
    found = resolve(host, port)
    if not found:
        raise OSError("no address")
    if not all(is_fit(address) for address in found):
        raise UnfitAddressError(f"{host} leads to an address that is not of the open internet.")
    return found[0]
