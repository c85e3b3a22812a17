"""What is written of a command: its entry in the table's log, and the table's next row."""

from __future__ import annotations

import time
from typing import Any

from msgspec.structs import replace

from enfilade.play.command import Command
from enfilade.play.commands.edits import Draft
from enfilade.play.redaction.scene import hidden_in, is_about_hidden_ground, known_to, readers_of
from enfilade.scene.dice_notes import AnyChainNote, IndexUsed
from enfilade.scene.entry import TABLE_SEAT, Entry, PublicText
from enfilade.scene.model import Scene
from enfilade.scene.seat import Seat
from enfilade.store.protocol import TableState

UNDO_DEPTH = 100
"""How many entries can be taken back."""


def entry_of(kept: TableState, seat: Seat, command: Command, draft: Draft, after: Scene) -> Entry | None:
    """The entry of what a command did; None where it changes nothing, says nothing and takes nothing back."""
    if not (draft.events or draft.text or draft.undoes is not None):
        return None
    readers = readers_of(hidden_in(kept.scene, after, draft.events, draft.text))
    is_secret = draft.secret or _is_hidden_roll(draft.dice) or not _is_for_all(kept.scene, after, draft)
    entry = Entry(
        seq=kept.seq + 1,
        id=command.id,
        seat=seat.key,
        kind=command.kind,
        at_ms=now_ms(),
        events=draft.events,
        text=draft.text,
        facts=draft.facts,
        undoes=draft.undoes,
        secret=is_secret,
        readers=(() if draft.secret else readers) if draft.readers is None else draft.readers,
        dice=draft.dice,
        plain=None if draft.secret or _is_hidden_roll(draft.dice) or not is_secret else draft.plain,
        own=draft.own,
        shown=draft.shown,
    )
    return _numbered(kept, entry, after)


def _is_for_all(before: Scene, after: Scene, draft: Draft) -> bool:
    """Whether everybody may read a draft's own words: as they are without what is hidden, or name none."""
    if draft.plain is not None:
        return draft.plain == PublicText(text=draft.text, facts=draft.facts)
    names_hidden = bool(hidden_in(before, after, draft.events, draft.text))
    return not (draft.is_unseen or names_hidden or is_about_hidden_ground(before, [draft.text, draft.facts]))


def own_entry(kept: TableState, kind: str, text: str, dice: AnyChainNote | None = None) -> Entry:
    """What the table says of itself: of open dice to all, of all else to the game master alone."""
    is_secret = dice is None or _is_hidden_roll(dice)
    said = Entry(
        seq=kept.seq + 1,
        id=f"{kind}-{kept.seq + 1}",
        seat=TABLE_SEAT,
        kind=kind,
        at_ms=now_ms(),
        text=text,
        secret=is_secret,
        dice=dice,
    )
    return _numbered(kept, said, kept.scene)


def _is_hidden_roll(dice: AnyChainNote | None) -> bool:
    return isinstance(dice, IndexUsed) and dice.is_hidden


def row_after(kept: TableState, entry: Entry | None, **changes: Any) -> TableState:
    """The table's next row, whether or not an entry leads to it."""
    told = {"seq": entry.seq, "view_seq": entry.numbers} if entry else {}
    return replace(kept, revision=kept.revision + 1, **told, **changes)


def undoable_after(kept: TableState, entry: Entry | None) -> tuple[int, ...]:
    """The entries that can still be taken back, the last first to go."""
    if entry is None or not (entry.events or entry.undoes):
        return kept.undoable
    if entry.undoes is not None:
        return tuple(seq for seq in kept.undoable if seq != entry.undoes)
    return (*kept.undoable, entry.seq)[-UNDO_DEPTH:]


def _numbered(kept: TableState, entry: Entry, after: Scene) -> Entry:
    knowing = known_to(entry, kept.scene, after)
    return replace(entry, known_to=knowing, numbers=kept.view_seq.after(knowing))


def now_ms() -> int:
    """The wall clock, in milliseconds since 1970."""
    return int(time.time() * 1000)
