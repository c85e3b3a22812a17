"""Which page speaks for a tabletop at a table: one at a time, for as long as its connection lasts."""

from __future__ import annotations

import time

from enfilade.errors import OtherBridge


class Lease:
    """The word of one page for its tabletop, with a number that only grows.

    Whoever holds the newest number is heard; an older one is refused, so that a page that lost its place
    while it was writing cannot undo what its successor wrote. The numbers begin at the time in milliseconds:
    they grow on when the server starts again.
    """

    def __init__(self) -> None:
        self.number = 0
        self._page = ""
        self._sid = ""

    def claimed(self, page: str, sid: str) -> int | None:
        """The number for a page that asks over a connection; None while another page has it.

        A page that has it already and comes back over a new connection gets a new number.
        """
        if self._page not in ("", page):
            return None
        if sid != self._sid:
            self.number = max(self.number + 1, int(time.time() * 1000))
        self._page, self._sid = page, sid
        return self.number

    def let_go(self, sid: str) -> None:
        """Frees it where that connection had it."""
        if sid == self._sid:
            self._page = self._sid = ""

    def must_be(self, number: int | None) -> None:
        """Raises OtherBridge for a number that is not the one that holds."""
        if not self._page or number != self.number:
            raise OtherBridge("This page does not speak for the tabletop, or no longer; it has to ask again.")
