"""Where a connection may go: to public addresses only, and to the very address that was looked at.

A host's name is resolved once; what a name server says a moment later no longer matters.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], list[str]]
"""Gives the addresses of a host's name, as text; raises OSError."""

_CARRIES_IPV4 = IPv6Network("64:ff9b::/96")
"""Addresses by which a network without IPv4 reaches it; the last four bytes say whom (RFC 6052)."""

_TUNNELS = tuple(IPv6Network(text) for text in ("2001::/32", "2002::/16", "::/96", "64:ff9b:1::/48"))
"""Addresses that stand for another one, of ways nobody needs any more."""


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
        if address.ipv4_mapped or any(address in network for network in _TUNNELS):
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def public_address(host: str, port: int, resolve: Resolve, is_fit: Callable[[str], bool]) -> str:
    """The address to connect to. Raises OSError, or UnfitAddressError where any of the host's is unfit."""
    found = resolve(host, port)
    if not found:
        raise OSError("no address")
    if not all(is_fit(address) for address in found):
        raise UnfitAddressError(f"{host} leads to an address that is not of the open internet.")
    return found[0]
