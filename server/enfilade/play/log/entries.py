"""Log entries: the entry of a command, and the table's next state."""

from __future__ import annotations

import time
from typing import Any

from msgspec.structs import replace

from enfilade.i18n import localize
from enfilade.play.command import Command
from enfilade.play.context import Decision
from enfilade.play.redaction.scene import (
    common_owners,
    hidden_tokens_in,
    is_about_hidden_ground,
    seats_that_know,
)
from enfilade.scene.dice_notes import AnyChainNote, IndexUsed
from enfilade.scene.entry import TABLE_SEAT, Entry, PublicText
from enfilade.scene.model import Scene
from enfilade.scene.sealed import SealedAnswers
from enfilade.scene.seat import Seat
from enfilade.store.protocol import TableState

ANSWERS_SEALED = "answers.sealed"
"""The kind of an entry with commitments."""


def build_entry(
    state: TableState, seat: Seat, command: Command, decision: Decision, after: Scene
) -> Entry | None:
    """Return the entry of a command; None if the command changes and says nothing."""
    if not (decision.events or decision.text or decision.undoes is not None):
        return None
    readers = common_owners(hidden_tokens_in(state.scene, after, decision.events, decision.text))
    is_secret = (
        decision.secret or _is_hidden_roll(decision.dice) or not _is_for_all(state.scene, after, decision)
    )
    entry = Entry(
        seq=state.seq + 1,
        id=command.id,
        seat=seat.key,
        kind=command.kind,
        at_ms=now_ms(),
        events=decision.events,
        text=decision.text,
        facts=decision.facts,
        undoes=decision.undoes,
        secret=is_secret,
        readers=(() if decision.secret else readers) if decision.readers is None else decision.readers,
        dice=decision.dice,
        sealed=decision.sealed,
        plain=None if decision.secret or _is_hidden_roll(decision.dice) or not is_secret else decision.plain,
        own=decision.own,
        shown=decision.shown,
        request=decision.request,
    )
    return _numbered(state, entry, after)


def _is_for_all(before: Scene, after: Scene, decision: Decision) -> bool:
    """Return whether all seats may read the decision's own text."""
    if decision.plain is not None:
        return decision.plain == PublicText(text=decision.text, facts=decision.facts)
    names_hidden = bool(hidden_tokens_in(before, after, decision.events, decision.text))
    return not (
        decision.is_unseen or names_hidden or is_about_hidden_ground(before, [decision.text, decision.facts])
    )


def system_entry(state: TableState, kind: str, text: str, dice: AnyChainNote | None = None) -> Entry:
    """Return an entry by the table itself: about open dice for all seats, else for the GM."""
    is_secret = dice is None or _is_hidden_roll(dice)
    said = Entry(
        seq=state.seq + 1,
        id=f"{kind}-{state.seq + 1}",
        seat=TABLE_SEAT,
        kind=kind,
        at_ms=now_ms(),
        text=text,
        secret=is_secret,
        dice=dice,
    )
    return _numbered(state, said, state.scene)


def closing_entry(state: TableState, sealed: SealedAnswers, *, is_secret: bool) -> Entry:
    """Return the entry with the commitments to the answers of a question, for the seats that know of one."""
    owners = {reader for one in sealed.answers for reader in one.readers or ()}
    is_for_all = not is_secret and any(one.readers is None for one in sealed.answers)
    entry = Entry(
        seq=state.seq + 1,
        id=f"{ANSWERS_SEALED}-{state.seq + 1}",
        seat=TABLE_SEAT,
        kind=ANSWERS_SEALED,
        at_ms=now_ms(),
        text=localize("play.answers_sealed"),
        secret=not is_for_all,
        readers=() if is_for_all or is_secret else tuple(sorted(owners)),
        sealed=(sealed,),
    )
    return _numbered(state, entry, state.scene)


def _is_hidden_roll(dice: AnyChainNote | None) -> bool:
    return isinstance(dice, IndexUsed) and dice.is_hidden


def next_state(state: TableState, entry: Entry | None, **changes: Any) -> TableState:
    """Return the table's next state, with or without a new entry."""
    position = {"seq": entry.seq, "view_seq": entry.numbers} if entry else {}
    return replace(state, revision=state.revision + 1, **position, **changes)


def _numbered(state: TableState, entry: Entry, after: Scene) -> Entry:
    knowing = seats_that_know(entry, state.scene, after)
    return replace(entry, known_to=knowing, numbers=state.view_seq.after(knowing))


def now_ms() -> int:
    """Return the wall clock in milliseconds since 1970."""
    return int(time.time() * 1000)
