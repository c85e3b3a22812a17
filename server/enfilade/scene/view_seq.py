"""Every view's own numbering of a table's entries, dense, so that no gap tells of a secret.

A view takes a number for each entry it knows of: a game master's for all of them, so its numbers are the
table's own; another's for those that are not kept from it.
"""

from __future__ import annotations

from msgspec.structs import replace

from enfilade.scene.model import Value
from enfilade.scene.seat import Seat


class ViewSeq(Value, frozen=True, kw_only=True):
    """How far the views' numbers are behind the table's at one place in its log.

    `secret` counts the entries so far that are kept from those who only watch, `known` by a player's seat
    key how many of these the player knows.
    """

    secret: int = 0
    known: dict[str, int] = {}

    def of(self, seat: Seat, seq: int) -> int:
        """The number in a seat's view of the last entry it knows of, up to the table's entry `seq`."""
        return seq if seat.role == "gm" else seq - self.secret + self.known.get(seat.key, 0)

    def after(self, known_to: tuple[str, ...] | None) -> ViewSeq:
        """The numbers after one more entry; `known_to` as an entry has it."""
        if known_to is None:
            return self
        more = {key: self.known.get(key, 0) + 1 for key in known_to}
        return replace(self, secret=self.secret + 1, known={**self.known, **more})
