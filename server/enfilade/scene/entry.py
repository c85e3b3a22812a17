"""Entries: one command and everything it caused, the unit of storage, log and undo.

Each view numbers the entries that it knows without a gap, so that no gap reveals a secret. The GM's numbers
are the table's own. Other views skip the entries that are kept from them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from enfilade.scene.events import AnyEvent, DiceRolled, Explained, SceneSet
from enfilade.scene.model import Seat, Value
from enfilade.scene.proofs import AnyChainNote, SealedAnswers


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


TABLE_SEAT = "table"
"""The seat of an entry without a command, such as a note about the dice."""


class _EntryBase(Value, frozen=True, kw_only=True):
    """The contents of an entry.

    `id` is the command's ID, `seat` its sender, `text` the log text, `facts` the details that the log shows
    (dice, modifiers, result), `undoes` the number of the entry that this one undoes. `secret` marks text that
    is not for every seat, because it concerns a hidden token or the GM acted in secret. `readers` are the IDs
    of players who may read it, because they own every hidden token that it concerns. `dice` proves the dice
    of the entry, `sealed` that its answers at the same time are those that their seats gave.
    """

    seq: int
    id: str
    seat: str
    kind: str
    at_ms: int
    events: tuple[AnyEvent, ...] = ()
    text: str = ""
    facts: dict[str, Any] = {}
    undoes: int | None = None
    secret: bool = False
    readers: tuple[str, ...] = ()
    dice: AnyChainNote | None = None
    sealed: tuple[SealedAnswers, ...] = ()


class PublicText(Value, frozen=True, kw_only=True):
    """The text of an act for seats that know of nothing hidden and may not read the entry's own text."""

    text: str
    facts: dict[str, Any] = {}


class Entry(_EntryBase, frozen=True, kw_only=True):
    """An entry as the store keeps it. `seq` counts a table's entries from 1 without a gap.

    `known_to` holds the keys of the seats that know of the entry besides the GM; None means all. `numbers`
    holds the view numbers up to this entry. `plain` is the text of a secret entry for the remaining seats, or
    None. `own` is the text for `readers`, if they know less than the GM. `shown` is the text of a hidden roll
    after its reveal. `request` is the act as it was requested, in the shape of play's `ActRequest`; None for
    entries without an act, and for those of earlier versions. With the dice and choices of the events the act
    can be resolved again.
    """

    known_to: tuple[str, ...] | None = None
    numbers: ViewSeq = ViewSeq()
    plain: PublicText | None = None
    own: PublicText | None = None
    shown: PublicText | None = None
    request: dict[str, Any] | None = None

    def is_known_to(self, seat: Seat) -> bool:
        """Return whether a seat knows of this entry."""
        return seat.role == "gm" or self.known_to is None or seat.key in self.known_to

    @property
    def starts_battle(self) -> bool:
        """Return whether it sets the scene of a table that had no tokens."""
        return any(isinstance(e, SceneSet) and (e.was is None or not e.was.tokens) for e in self.events)

    def number(self, seat: Seat) -> int:
        """Return the entry's number in a seat's view, or the last number before it."""
        return self.numbers.of(seat, self.seq)


class TextOnlyEntry(Entry, frozen=True, kw_only=True):
    """An entry of which only the text is needed: its events stay encoded."""

    events: msgspec.Raw = msgspec.Raw(b"[]")  # type: ignore[assignment]


class RedactedEntry(_EntryBase, frozen=True, kw_only=True):
    """An entry as one seat receives it: `seq` and `undoes` are numbers of that seat's view."""


def explanation_facts(events: Iterable[AnyEvent]) -> dict[str, Any]:
    """Return the facts of all explanations among events, later over earlier, and the dice."""
    facts: dict[str, Any] = {}
    rolls = []
    for event in events:
        if isinstance(event, Explained):
            facts |= event.facts
        elif isinstance(event, DiceRolled):
            rolls.append(
                {
                    "label": event.label,
                    "die": event.die,
                    "faces": list(event.faces),
                    "typed": event.typed,
                    **({"die_faces": list(event.die_faces)} if event.die_faces else {}),
                }
            )
    return {**facts, "rolls": rolls} if rolls else facts
