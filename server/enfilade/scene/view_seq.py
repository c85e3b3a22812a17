"""View numbers: each view numbers the entries it knows without a gap, so that no gap reveals a secret.

The GM's numbers are the table's own. Other views skip the entries that are kept from them.
"""

from __future__ import annotations

from msgspec.structs import replace

from enfilade.scene.model import Value
from enfilade.scene.seat import Seat


class ViewSeq(Value, frozen=True, kw_only=True):
    """The offset between the table's numbers and those of the views, at one entry.

    `secret` counts the entries so far that are kept from spectators. `known` counts, by a player's seat key,
    those of them that the player knows.
    """

    secret: int = 0
    known: dict[str, int] = {}

    def of(self, seat: Seat, seq: int) -> int:
        """Return the number, in a seat's view, of the last entry it knows up to the table's entry `seq`."""
        return seq if seat.role == "gm" else seq - self.secret + self.known.get(seat.key, 0)

    def after(self, known_to: tuple[str, ...] | None) -> ViewSeq:
        """Return the numbers after one more entry; `known_to` is the entry's field."""
        if known_to is None:
            return self
        more = {key: self.known.get(key, 0) + 1 for key in known_to}
        return replace(self, secret=self.secret + 1, known={**self.known, **more})
