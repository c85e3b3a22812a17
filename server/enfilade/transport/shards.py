"""Assign tables to the processes of one server, and find the table that a request names.

Exactly one process serves a table, because it alone broadcasts to the table's connections.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import parse_qs, unquote, urlsplit

from enfilade.errors import BadInput
from enfilade.i18n import localize

METRICS_FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the folder in which the processes of one server share their metrics."""

READY = b"+"
"""The byte that a worker process sends to the dispatcher once it accepts connections."""

_TABLE_PATH = re.compile(r"/api/tables/([^/]+)")


class LocalTables(Protocol):
    """The tables that this process serves: a shard (below), or those it owns (ownership.py)."""

    def has(self, table: str) -> bool:
        """Return whether this process serves a table."""

    def require_local(self, table: str, require_key: Callable[[], object], named: str = "") -> None:
        """Raise EnfiladeError if another process serves the table.

        A process may have to take the table over. It first calls `require_key`, which raises Forbidden unless
        the sender has a key, an invitation or a ticket: a stranger must not move tables between processes.
        `named` is the process that the sender has named.
        """

    def process_of(self, table: str) -> str:
        """Return the name of the process of a cluster that serves a table, for its clients to connect to.

        It is empty without a cluster: then every address leads to the right process.
        """


@dataclass(frozen=True)
class Shard:
    """The tables of process `index` (from 0) of `count` processes. A single process has all tables."""

    index: int = 0
    count: int = 1

    def has(self, table: str) -> bool:
        """Return whether this process serves a table."""
        return shard_index(table, self.count) == self.index

    def require_local(self, table: str, _require_key: Callable[[], object], _named: str = "") -> None:
        """Raise BadInput if another process serves the table. No request moves it, so no key is needed."""
        if not self.has(table):
            raise BadInput(localize("server.table_not_in_address"))

    def process_of(self, _table: str) -> str:
        """Return no name: a server's own processes have one address."""
        return ""


ALL = Shard()


def shard_index(table: str, count: int) -> int:
    """Return the index of the process that serves a table."""
    return zlib.crc32(table.encode(errors="surrogateescape")) % count


def requested_table(line: bytes) -> str | None:
    """Return the table that a request line names; None if it names none or is malformed.

    The line is split at any whitespace, as pywsgi splits it.
    """
    fields = line.decode("latin-1").split()
    if len(fields) < 2:
        return None
    try:
        target = urlsplit(fields[1])
    except ValueError:
        return None
    path = _TABLE_PATH.match(unquote(target.path))
    return path[1] if path else parse_qs(target.query).get("table", [None])[0]
