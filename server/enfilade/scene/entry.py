"""Entries: one command and everything it caused, the unit of storage, log and undo."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from enfilade.scene.dice_notes import AnyChainNote
from enfilade.scene.events import AnyEvent, DiceRolled, Explained
from enfilade.scene.model import Value
from enfilade.scene.sealed import SealedAnswers
from enfilade.scene.seat import Seat
from enfilade.scene.view_seq import ViewSeq

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
