"""Which commands of a table may have been answered before, so that the others need not be looked for on disk.

Nearly every command is new, and to find that out in the database takes as long as two of the statements that
store it: whatever was written since by others has to be read anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

TABLES = 512
"""Of how many tables it is remembered: 36 MB at the most."""

MOST = 1_000
"""How many answers a table may have, which are read in 1 ms; of one with more each command is looked for."""

Read = Callable[[str, int], Iterable[tuple[str, str]]]
"""At most so many of the answers that a table has given, each by its seat and the command's id."""


class ReplyIndex:
    """The answers that the tables of this process have given, by 64 bits of each.

    Only this process may answer for them. Where another did after all, a table's row is no longer what this
    one takes it for: nothing can be stored, the table is loaded anew, and with that goes what is known here.
    """

    def __init__(self, read: Read) -> None:
        self._read = read
        self._answered: dict[str, set[int] | None] = {}

    def may_be_one(self, table: str, seat: str, command: str) -> bool:
        """Whether a command may have been answered before; False where it surely has not."""
        if table not in self._answered:
            self._learn(table)
        answered = self._answered[table]
        return answered is None or hash((seat, command)) in answered

    def add(self, table: str, seat: str, command: str) -> None:
        """Takes note of an answer that is about to be stored."""
        answered = self._answered.get(table)
        if answered is not None:
            answered.add(hash((seat, command)))
            if len(answered) > MOST:
                self._answered[table] = None

    def forget(self, table: str) -> None:
        """Has what a table has answered read anew."""
        self._answered.pop(table, None)

    def _learn(self, table: str) -> None:
        found = {hash(answer) for answer in self._read(table, MOST + 1)}
        while len(self._answered) >= TABLES:
            del self._answered[next(iter(self._answered))]
        self._answered[table] = found if len(found) <= MOST else None
