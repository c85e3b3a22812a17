"""Which of a server's processes has which table, and which table a request is about.

Only one process has a table: it alone tells the table's connections what is new.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

from enfilade.errors import BadInput

COUNTS = "PROMETHEUS_MULTIPROC_DIR"
"""Names, in the environment, the folder in which the processes of one server count together."""
READY = b"+"
"""What a process says to the front once it takes connections."""

_OF_A_TABLE = re.compile(r"/api/tables/([^/]+)")


@dataclass(frozen=True)
class Shard:
    """The tables of one of `count` processes, which count from 0; the only one has all."""

    index: int = 0
    count: int = 1

    def has(self, table: str) -> bool:
        """Whether a table is this process's."""
        return index_of(table, self.count) == self.index

    def require_local(self, table: str) -> None:
        """Raises BadInput for another process's table."""
        if not self.has(table):
            raise BadInput("A socket's address must name its table, like /socket.io/?table=1a2b.")


ALL = Shard()


def index_of(table: str, count: int) -> int:
    """Which of `count` processes has a table."""
    return zlib.crc32(table.encode(errors="surrogateescape")) % count


def table_in(line: bytes) -> str | None:
    """The table that a request with this first line is about; None where it names none, or is no request.

    The line is split as pywsgi will split it: at whatever Python takes for a space.
    """
    words = line.decode("latin-1").split()
    if len(words) < 2:
        return None
    try:
        target = urlsplit(words[1])
    except ValueError:
        return None
    path = _OF_A_TABLE.match(unquote(target.path))
    return path[1] if path else parse_qs(target.query).get("table", [None])[0]
