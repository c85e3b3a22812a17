"""One message sent to a webhook: over TLS, to a checked address, within bounds, and what came of it.

What requests and urllib3 say of a failure names the URL, which is a secret: nothing of it goes further.
"""

from __future__ import annotations

import logging
import math
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from socket import socket
from typing import Any

import gevent
import requests
from requests.adapters import HTTPAdapter
from requests.utils import DEFAULT_CA_BUNDLE_PATH
from urllib3.connection import HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.util.connection import create_connection

from enfilade.webhooks.addresses import Resolve, UnfitAddressError, addresses_of, is_public, public_address
from enfilade.webhooks.outcome import Outcome

CONNECT_SECONDS, READ_SECONDS = 3.05, 5
WHOLE_SECONDS = 10
"""However slowly the other side speaks, a message takes no longer."""

LONGEST_WAIT_SECONDS = 3_600
"""More than that is not waited for, whatever Retry-After says."""

NO_EMBEDS = 4
"""Discord's flag for a message whose links are not looked up."""

_AGAIN = frozenset({408, 425, 429})
_TOO_SMALL, _TOO_LARGE = 200, 300
_SERVER_ERROR = 500

# At DEBUG urllib3 writes the path of every request, which is the webhook's secret.
logging.getLogger("urllib3").setLevel(logging.WARNING)


@dataclass(frozen=True)
class AddressPolicy:
    """How connections find and check addresses, and whose certificates they trust (None: the usual ones).

    Tests give their own, to speak to a server of theirs; nothing in the settings does.
    """

    resolve: Resolve = addresses_of
    is_fit: Callable[[str], bool] = is_public
    authorities: str | None = None


class WebhookSender:
    """Sends messages to webhooks."""

    def __init__(self, reach: AddressPolicy | None = None) -> None:
        self._adapter = _Adapter(reach or AddressPolicy())

    def post(self, url: str, host: str, text: str) -> Outcome:
        """Sends a text, which must be escaped already; never raises for what the other side does."""
        try:
            with gevent.Timeout(WHOLE_SECONDS):
                return _outcome(host, self._answer(url, text))
        except UnfitAddressError as problem:
            return Outcome("refused", str(problem))
        except requests.exceptions.SSLError:
            return Outcome("later", f"{host} could not show that it is {host} (TLS).")
        except (requests.RequestException, OSError, gevent.Timeout):
            return Outcome("later", f"{host} could not be reached.")

    def _answer(self, url: str, text: str) -> requests.Response:
        body: dict[str, Any] = {"content": text, "allowed_mentions": {"parse": []}, "flags": NO_EMBEDS}
        request = requests.Request("POST", url, json=body, headers={"User-Agent": "Enfilade"}).prepare()
        timeout = (CONNECT_SECONDS, READ_SECONDS)
        # The adapter itself: a session would look for proxies, passwords and cookies, and follow redirects.
        response = self._adapter.send(request, stream=True, timeout=timeout)
        response.close()  # unread: nothing in it matters
        return response


def _outcome(host: str, response: requests.Response) -> Outcome:
    status = response.status_code
    if _TOO_SMALL <= status < _TOO_LARGE:
        return Outcome("posted", f"Posted to {host}.")
    if status in _AGAIN or status >= _SERVER_ERROR:
        return Outcome("later", f"{host} wants to be asked later (status {status}).", _wait_of(response))
    return Outcome("refused", f"{host} refused the message (status {status}); is the webhook still there?")


def _wait_of(response: requests.Response) -> float:
    try:
        seconds = float(response.headers.get("Retry-After", "0"))
    except ValueError:  # a date: the usual wait will do
        return 0
    return min(max(seconds, 0), LONGEST_WAIT_SECONDS) if math.isfinite(seconds) else 0


class _Adapter(HTTPAdapter):
    """Connects over TLS alone, and only where `AddressPolicy` lets it."""

    def __init__(self, reach: AddressPolicy) -> None:
        self._connection = partial(_Connection, reach=reach)
        # Made once: reading all authorities takes long enough for a table to notice.
        self._tls = ssl.create_default_context(cafile=reach.authorities or DEFAULT_CA_BUNDLE_PATH)
        super().__init__()

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Makes the pools of connections."""
        super().init_poolmanager(*args, ssl_context=self._tls, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"https": HTTPSConnectionPool}

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> HTTPConnectionPool:
        """A pool whose connections go only where they may."""
        pool = super().get_connection_with_tls_context(*args, **kwargs)
        pool.ConnectionCls = self._connection  # type: ignore[assignment]
        return pool

    def cert_verify(self, conn: Any, url: str, verify: Any, cert: Any) -> None:
        """Leaves it to the context, which has the authorities and demands a certificate for the host."""


class _Connection(HTTPSConnection):
    def __init__(self, *args: Any, reach: AddressPolicy, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._reach = reach

    def _new_conn(self) -> socket:
        address = public_address(self.host, self.port, self._reach.resolve, self._reach.is_fit)
        return create_connection((address, self.port), self.timeout, socket_options=self.socket_options)
