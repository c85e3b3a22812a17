"""Serve only the tables that this process owns, in a cluster of processes with one PostgreSQL.

A request about a table without an owner makes this process the owner (store/sql/leases.py). A request about
another process's table is refused with the name of the right one. The proxy finds that process by the name
in the address, so clients reach every process at one origin.
"""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

import gevent
from gevent.lock import RLock

from enfilade.errors import OtherProcess, StoreDown
from enfilade.i18n import localize
from enfilade.messages import dump
from enfilade.runtime.time_budget import unmetered
from enfilade.store.sql.leases import Leases, Owner

log = logging.getLogger(__name__)

_RENEWALS = 6
"""The renewals in the time of one lease, so that some may fail, and others soon see that none comes."""
_LATE_RENEWALS = 2
"""So many times its interval after the last renewal a process is late with the next."""
_CLOCK_SECONDS = 0.01
"""How much longer than the lease to wait: the database's clock counts whole milliseconds."""
_MARGIN = 0.25
"""The part of the lease before its end from which the process serves no table: a command takes time."""
_WATCH_SECONDS = 0.1
"""The least pause between two looks at the end of the lease."""
_ROUTED = re.compile(r"/(api/tables|socket\.io)(/|$)")
PROCESS_ARGUMENT = "process"
"""The URL parameter by which the proxy finds a process."""


class Ownership:
    """The tables that this process owns, its lease, and whether it drains."""

    def __init__(self, leases: Leases, set_fences: Callable[[Mapping[str, int]], None]) -> None:
        """`set_fences` receives the fencing numbers of all owned tables whenever they change."""
        self.listeners: list[Callable[[str], None]] = []
        """Called with each table that this process has lost."""
        self._leases = leases
        self._set_fences = set_fences
        self._owned: dict[str, int] = {}
        self._serves_until = time.monotonic() + self._serving_seconds
        self._is_draining = False
        # A claim during a renewal may be missing from what the renewal has read. Claims do not wait for each
        # other: a process that takes many tables over must renew its lease meanwhile.
        self._claimed: dict[str, int] = {}
        self._lock = RLock()

    @property
    def _serving_seconds(self) -> float:
        return self._leases.lease_seconds * (1 - _MARGIN)

    @property
    def _late_seconds(self) -> float:
        """The rest of a lease that a process has left only if it has missed a renewal."""
        return self._leases.lease_seconds * (1 - _LATE_RENEWALS / _RENEWALS)

    @property
    def is_ready(self) -> bool:
        """Return whether this process may serve tables: its lease is current and it does not drain."""
        return not self._is_draining and time.monotonic() < self._serves_until

    def start(self) -> None:
        """Renew the lease in the background, and drop the tables if it cannot be renewed in time."""
        gevent.spawn(self._run)
        gevent.spawn(self._watch)

    def has(self, table: str) -> bool:
        """Return whether this process owns a table now."""
        return self.is_ready and table in self._owned

    def require_local(self, table: str, require_key: Callable[[], object], named: str = "") -> None:
        """Own a table, or raise OtherProcess, which names the owner. Raises StoreDown.

        Before a table changes its owner, `require_key` raises Forbidden unless the sender has a key to it.
        """
        if not self.has(table):
            self.require_ready()
            require_key()
            self.require_owned(table, named)

    def require_owned(self, table: str, named: str = "") -> None:
        """Own a table, or raise OtherProcess, which names the owner. Raises StoreDown.

        The sender's key is checked already. The owner has probably failed if it is late to renew its lease,
        or if it is the process that the sender has named: the proxy sends that request here only if it cannot
        reach that one. Wait for the end of its lease then.
        A table that does not exist has no owner; what asks for it finds that out.
        """
        owner = self._claim(table)
        if owner is not None and not owner.is_this and (owner.name == named or self._is_late(owner)):
            with unmetered():
                gevent.sleep(owner.seconds_left + _CLOCK_SECONDS)
            owner = self._claim(table)
        if owner is not None and not owner.is_this:
            raise OtherProcess(localize("server.other_process"), owner.name)

    def _is_late(self, owner: Owner) -> bool:
        return owner.seconds_left < self._late_seconds

    def process_of(self, table: str) -> str:
        """Return the name of the process that a client of a table should connect to. Raises StoreDown.

        It is this one if the table has no owner, or one that has probably failed.
        """
        owner = None if self.has(table) else self._leases.owner(table)
        if owner is None or owner.is_this or not owner.name or self._is_late(owner):
            return self._leases.name
        return owner.name

    def _claim(self, table: str) -> Owner | None:
        """Return the owner of a table, which is this process if there was none. Raises StoreDown."""
        if self.has(table):
            return None
        self.require_ready()
        owner = self._leases.claim(table)
        if owner is not None and owner.is_this:
            self._claimed[table] = owner.fence
            self._replace({**self._owned, table: owner.fence})
        return owner

    def require_ready(self) -> None:
        """Raise OtherProcess while this process drains, StoreDown while it cannot renew its lease."""
        if self._is_draining:
            raise OtherProcess(localize("server.draining"))
        if not self.is_ready:
            raise StoreDown(localize("server.lease_ended"))

    def renew(self) -> None:
        """Renew the lease once, and drop the tables that another process took. Raises StoreDown."""
        with self._lock:
            began = time.monotonic()  # before the database's clock is read, so that this end comes first
            self._claimed = {}
            owned = self._leases.renew()
            self._replace({**owned, **self._claimed})
            self._serves_until = began + self._serving_seconds

    def drain(self) -> None:
        """Hand over all tables, and cut their clients, which connect again and reach their new owners."""
        self._is_draining = True
        with self._lock:
            try:
                self._leases.release_all()
            except StoreDown:  # the others take the tables once the lease has ended
                log.error("The tables could not be handed over; their lease ends in a few seconds")
            self._replace({})

    def _replace(self, owned: Mapping[str, int]) -> None:
        """Own these tables alone. A table that came back with another number has changed meanwhile."""
        lost = [table for table, fence in self._owned.items() if owned.get(table) != fence]
        self._owned = dict(owned)
        self._set_fences(self._owned)
        for table in lost:
            for listener in self.listeners:
                listener(table)

    def _run(self) -> None:
        while not self._is_draining:
            gevent.sleep(self._leases.lease_seconds / _RENEWALS)
            try:
                if not self._is_draining:
                    self.renew()
            except StoreDown:
                continue  # the next one may succeed; _watch drops the tables if none does
            except Exception:
                log.exception("The lease could not be renewed")

    def _watch(self) -> None:
        """Drop the tables when the lease ends: a renewal may wait longer for the database."""
        while not self._is_draining:
            gevent.sleep(max(self._lease_end - time.monotonic(), _WATCH_SECONDS))
            self._drop_if_ended()

    @property
    def _lease_end(self) -> float:
        """The time from which others may have the tables. Before it, a late renewal keeps the clients."""
        return self._serves_until + self._leases.lease_seconds * _MARGIN

    def _drop_if_ended(self) -> None:
        if time.monotonic() >= self._lease_end and self._owned:
            log.error("The database cannot be reached; this process serves no table until it can")
            self._replace({})

    def refuse_unready(self, app: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
        """Return a WSGI app that answers 503 to requests about tables while this process may serve none.

        The proxy then asks another process. It can do so for a socket too, as long as that is not open.
        """

        def guarded(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
            if self.is_ready or not _ROUTED.match(environ.get("PATH_INFO", "")):
                return app(environ, start_response)
            problem = OtherProcess(localize("server.draining" if self._is_draining else "server.lease_ended"))
            body = json.dumps(dump.refusal("", problem)).encode()
            headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
            start_response("503 Service Unavailable", headers)
            return [body]

        return guarded


def redirect_target(problem: OtherProcess, path: str, query: str) -> str:
    """Return the address at which the proxy finds the right process; empty if it is not known.

    A request that had that name already came to the wrong process because the right one cannot be reached.
    """
    arguments = parse_qsl(query, keep_blank_values=True)
    if not problem.process or (PROCESS_ARGUMENT, problem.process) in arguments:
        return ""
    others = [(name, value) for name, value in arguments if name != PROCESS_ARGUMENT]
    return f"{path}?{urlencode([*others, (PROCESS_ARGUMENT, problem.process)])}"
