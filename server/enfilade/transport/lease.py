"""The lease by which one page at a time acts as a table's bridge to its virtual tabletop."""

from __future__ import annotations

import time

from enfilade.errors import OtherBridge
from enfilade.i18n import localize


class Lease:
    """One page's right to write for its tabletop, with a fencing number that only grows.

    The server accepts writes under the newest number alone, so a page that lost its lease in the middle of a
    write cannot overwrite its successor. Numbers start at the time in milliseconds, so they keep growing
    after a restart.
    """

    def __init__(self) -> None:
        self.number = 0
        self._page = ""
        self._sid = ""

    def claim(self, page: str, sid: str) -> int | None:
        """Return the number for a page, None if another page has the lease.

        The holder gets a new number when it claims again over a new connection.
        """
        if self._page not in ("", page):
            return None
        if sid != self._sid:
            self.number = max(self.number + 1, int(time.time() * 1000))
        self._page, self._sid = page, sid
        return self.number

    def release(self, sid: str) -> None:
        """Release the lease if that connection has it."""
        if sid == self._sid:
            self._page = self._sid = ""

    def check(self, number: int | None) -> None:
        """Raise OtherBridge unless `number` is the current one."""
        if not self._page or number != self.number:
            raise OtherBridge(localize("server.other_bridge"))
