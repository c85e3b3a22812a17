"""Send one message to a webhook: over TLS, to a checked public address, within time limits.

A host name is resolved once, and the connection goes to the address that was checked; what a name server
answers a moment later does not matter. Errors of requests and urllib3 contain the URL, which is a secret, so
none of their text is passed on.
"""

from __future__ import annotations

import logging
import math
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

import gevent
import requests
from requests.adapters import HTTPAdapter
from requests.utils import DEFAULT_CA_BUNDLE_PATH
from urllib3.connection import HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.util.connection import create_connection

from enfilade.i18n import localize
from enfilade.webhooks.queue import Delivery

CONNECT_SECONDS, READ_SECONDS = 3.05, 5
TOTAL_SECONDS = 10
"""The limit for one message, even if the host answers slowly byte by byte."""

MAX_RETRY_SECONDS = 3_600
"""The longest Retry-After that the server honors."""

NO_EMBEDS = 4
"""Discord's flag for a message without link previews."""

_RETRYABLE = frozenset({408, 425, 429})
_OK, _REDIRECT, _SERVER_ERROR = 200, 300, 500

_NAT64 = IPv6Network("64:ff9b::/96")
"""Addresses of IPv4 hosts in IPv6; the last four bytes are the IPv4 address (RFC 6052)."""

_UNICAST = IPv6Network("2000::/3")
"""The part of IPv6 that is assigned to the public internet."""

_SPECIAL = tuple(
    ip_network(text)
    for text in ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
)
"""Networks for protocols, tunnels and examples. Not every Python version knows all of them."""

Resolve = Callable[[str, int], list[str]]
"""Returns the addresses of a host name as text. Raises OSError."""

# At DEBUG urllib3 logs the path of every request, which is the webhook's secret.
logging.getLogger("urllib3").setLevel(logging.WARNING)


class UnfitAddressError(Exception):
    """A host name resolves to an address that the server does not connect to."""


def resolve_host(host: str, port: int) -> list[str]:
    """Return the addresses of a host as the system resolves it. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_public(text: str) -> bool:
    """Return whether an address belongs to the public internet, in any notation."""
    try:
        address = ip_address(text)
    except ValueError:  # for example an address with a zone: fe80::1%eth0
        return False
    if isinstance(address, IPv6Address):
        if address in _NAT64:
            return is_public(str(IPv4Address(int(address) & 0xFFFFFFFF)))
        if address not in _UNICAST:
            return False
    is_special = any(address in network for network in _SPECIAL)
    return address.is_global and not (is_special or address.is_multicast or address.is_reserved)


@dataclass(frozen=True)
class AddressPolicy:
    """The resolver, the check of addresses, and the certificate authorities (None: the usual ones).

    Only tests replace them, to reach a server of their own; no setting does.
    """

    resolve: Resolve = resolve_host
    is_fit: Callable[[str], bool] = is_public
    authorities: str | None = None

    def choose_address(self, host: str, port: int) -> str:
        """Return the address to connect to.

        Raises OSError, or UnfitAddressError if any address of the host is unfit.
        """
        found = self.resolve(host, port)
        if not found:
            raise OSError("no address")
        if not all(self.is_fit(address) for address in found):
            raise UnfitAddressError(localize("webhooks.unfit_address", host=host))
        return found[0]


class WebhookSender:
    """Sends messages to webhooks."""

    def __init__(self, policy: AddressPolicy | None = None) -> None:
        self._adapter = _Adapter(policy or AddressPolicy())

    def post(self, url: str, host: str, text: str) -> Delivery:
        """Send a text that is already escaped; network errors become a `Delivery`."""
        try:
            with gevent.Timeout(TOTAL_SECONDS):
                return _delivery_of(host, self._send(url, text))
        except UnfitAddressError as problem:
            return Delivery("refused", str(problem))
        except requests.exceptions.SSLError:
            return Delivery("later", localize("webhooks.bad_certificate", host=host))
        except (requests.RequestException, OSError, gevent.Timeout):
            return Delivery("later", localize("webhooks.unreachable", host=host))

    def _send(self, url: str, text: str) -> requests.Response:
        body: dict[str, Any] = {"content": text, "allowed_mentions": {"parse": []}, "flags": NO_EMBEDS}
        request = requests.Request("POST", url, json=body, headers={"User-Agent": "Enfilade"}).prepare()
        timeout = (CONNECT_SECONDS, READ_SECONDS)
        # The adapter itself: a session would use proxies, stored passwords and cookies, and follow redirects.
        response = self._adapter.send(request, stream=True, timeout=timeout)
        response.close()  # unread, because only the status and headers matter
        return response


def _delivery_of(host: str, response: requests.Response) -> Delivery:
    status = response.status_code
    if _OK <= status < _REDIRECT:
        return Delivery("posted", localize("webhooks.posted", host=host))
    if status in _RETRYABLE or status >= _SERVER_ERROR:
        sentence = localize("webhooks.retry", host=host, status=status)
        return Delivery("later", sentence, _retry_seconds(response))
    return Delivery("refused", localize("webhooks.refused", host=host, status=status))


def _retry_seconds(response: requests.Response) -> float:
    try:
        seconds = float(response.headers.get("Retry-After", "0"))
    except ValueError:  # a date: the usual delay applies
        return 0
    return min(max(seconds, 0), MAX_RETRY_SECONDS) if math.isfinite(seconds) else 0


class _Adapter(HTTPAdapter):
    """Connects over TLS only, and only to addresses that the policy permits."""

    def __init__(self, policy: AddressPolicy) -> None:
        self._connection = partial(_Connection, policy=policy)
        # Created once: loading all authorities takes long enough to delay tables.
        self._tls = ssl.create_default_context(cafile=policy.authorities or DEFAULT_CA_BUNDLE_PATH)
        super().__init__()

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Create the connection pools."""
        super().init_poolmanager(*args, ssl_context=self._tls, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"https": HTTPSConnectionPool}

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> HTTPConnectionPool:
        """Return a pool whose connections follow the policy."""
        pool = super().get_connection_with_tls_context(*args, **kwargs)
        pool.ConnectionCls = self._connection  # type: ignore[assignment]
        return pool

    def cert_verify(self, conn: Any, url: str, verify: Any, cert: Any) -> None:
        """Do nothing: the TLS context has the authorities and requires a certificate for the host."""


class _Connection(HTTPSConnection):
    def __init__(self, *args: Any, policy: AddressPolicy, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._policy = policy

    def _new_conn(self) -> socket.socket:
        address = self._policy.choose_address(self.host, self.port)
        return create_connection((address, self.port), self.timeout, socket_options=self.socket_options)
