"""Ways to have a server open a connection where it should not: URLs, addresses, names that lead there."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from pathlib import Path

ALLOWED = "discord.com"


def words_in(name: str) -> list[str]:
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    return [word for line in lines if not line.startswith("#") for word in line.split(" ")]


INSIDE = words_in("inside.txt")
"""Addresses that a name server may give for an allowed host, and that must not be connected to."""

OUTSIDE = ["1.1.1.1", "8.8.8.8", "162.159.128.233", "2606:4700::6810:1", "64:ff9b::8.8.8.8"]
"""Addresses of the open internet."""

_LOCAL_NAMES = words_in("names.txt")


def urls(port: int) -> list[str]:
    """URLs that must be refused; `port` is a listening port of this machine."""
    at = f"127.0.0.1:{port}"
    plain = [f"https://{name}:{port}/api/webhooks/1/x" for name in _LOCAL_NAMES]
    bare = [f"https://{name}/api/webhooks/1/x" for name in _LOCAL_NAMES]
    schemes = ["http", "ftp", "file", "gopher", "dict", "ldap", "ws", "wss", "data", "jar", "HTTPS"]
    other = [f"{scheme}://{at}/x" for scheme in schemes] + [f"{scheme}://{ALLOWED}/x" for scheme in schemes]
    return [*plain, *bare, *other, *_confusing(at)]


def _confusing(at: str) -> list[str]:
    """URLs that two readers of URLs read differently, or that carry more than a place to post to."""
    return [
        f"https://{ALLOWED}@{at}/x",
        f"https://{ALLOWED}:pw@{at}/x",
        f"https://{at}@{ALLOWED}/x",
        f"https://{at}\\@{ALLOWED}/x",
        f"https://{ALLOWED}\\@{at}/x",
        f"https://{at}#@{ALLOWED}/x",
        f"https://{at}?@{ALLOWED}/x",
        f"https://{at}#{ALLOWED}/x",
        f"https://{at}%23@{ALLOWED}/x",
        f"https://{at}%2f@{ALLOWED}/x",
        f"https://{ALLOWED}%2f@{at}/x",
        f"https://{ALLOWED} @{at}/x",
        f"https://{ALLOWED}\t@{at}/x",
        f"https://{ALLOWED}\r\nHost: {at}/x",
        f"https://{ALLOWED}/x\r\nX-Injected: 1",
        f"https://{ALLOWED}/x\n",
        f"https://{ALLOWED}/x#fragment",
        f"https://{ALLOWED}/x y",
        f"https://{ALLOWED}/%0d%0aX-Injected:%201",
        f"https://{ALLOWED}/x?a=https://{at}/",
        f"https://{ALLOWED}:{at.split(':')[1]}/x",
        f"https://{ALLOWED}:443/x",
        f"https://{ALLOWED}:/x",
        f"https://{ALLOWED}:0x1bb/x",
        f"https://{ALLOWED}:99999999/x",
        f"https://{ALLOWED}",
        f"https:/{ALLOWED}/x",
        f"https:{at}/x",
        f"https:///{at}/x",
        f"https:\\\\{at}\\x",
        f"//{at}/x",
        f"{at}/x",
        f" https://{at}/x",
        f"\thttps://{at}/x",
        f"https://\u0000{at}/x",
        f"https://{at}\u0000.{ALLOWED}/x",
        f"https://[{at}]/x",
        f"https://[::ffff:{at.split(':')[0]}]:{at.split(':')[1]}/x",
        f"https://user@{at}/x",
        f"https://.{ALLOWED}/x",
        f"https://{ALLOWED}../x",
        f"https://*.{ALLOWED}/x",
        f"https://{ALLOWED}/{'x' * 2000}",
        f"https://{'a.' * 500}{ALLOWED}/x",
    ]


def edges_of_private_networks() -> list[str]:
    """The first, last and middle address of every network that is not the open internet's."""
    networks = words_in("networks.txt")
    found = [(ip_network(text)[0], ip_network(text)[-1]) for text in networks]
    middles = [ip_address((int(first) + int(last)) // 2) for first, last in found if first.version == 4]
    return [str(address) for pair in found for address in pair] + [str(address) for address in middles]
