"""One act at a table and all that came of it: the unit that is stored, told, logged and undone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from enfilade.scene.dice_notes import AnyChainNote
from enfilade.scene.events import AnyEvent, DiceRolled, Explained
from enfilade.scene.model import Value
from enfilade.scene.seat import Seat
from enfilade.scene.view_seq import ViewSeq

TABLE_SEAT = "table"
"""The seat of an entry that nobody asked for: what the table says of itself, as of its dice."""


class _EntryBase(Value, frozen=True, kw_only=True):
    """What an entry says.

    `id` is the command's own id, `seat` who gave it, `text` the log's sentences, `facts` what the log
    shows with them (dice, modifiers, result), `undoes` the number of the entry this one takes back, `secret`
    whether its words are not for everybody: it was about a token that was hidden then, or the game master
    did it in secret. `readers` are the ids of the players who may read it all the same, as every hidden
    token that it is about was theirs. `dice` is what proves the dice that were rolled here.
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


class PublicText(Value, frozen=True, kw_only=True):
    """The words of an act as it looks to those who know of nothing hidden, who may not read its own."""

    text: str
    facts: dict[str, Any] = {}


class Entry(_EntryBase, frozen=True, kw_only=True):
    """What one command did, as it is stored. `seq` counts a table's entries from 1 without a gap.

    `known_to` are the keys of the seats that know of it besides the game master, None where everybody does;
    `numbers` are the views' numbers up to and with it. `plain` are the words of a secret one for those who
    may not read it; None where it has none. `own` are those of its readers, where they do not know all of
    what the game master reads, `shown` those of a hidden roll once it is shown.
    """

    known_to: tuple[str, ...] | None = None
    numbers: ViewSeq = ViewSeq()
    plain: PublicText | None = None
    own: PublicText | None = None
    shown: PublicText | None = None

    def is_known_to(self, seat: Seat) -> bool:
        """Whether a seat knows that there is this entry."""
        return seat.role == "gm" or self.known_to is None or seat.key in self.known_to

    def number(self, seat: Seat) -> int:
        """Its number in a seat's view; of one that the seat does not know, the number of the last before."""
        return self.numbers.of(seat, self.seq)


class TextOnlyEntry(Entry, frozen=True, kw_only=True):
    """An entry of which only the words are wanted: what it changed stays as it was written, unread."""

    events: msgspec.Raw = msgspec.Raw(b"[]")  # type: ignore[assignment]


class RedactedEntry(_EntryBase, frozen=True, kw_only=True):
    """An entry as one seat is told of it: `seq` and `undoes` are numbers of that seat's view."""


def explanation_facts(events: Iterable[AnyEvent]) -> dict[str, Any]:
    """The facts of every explanation among some events, the later over the earlier, and the dice."""
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
