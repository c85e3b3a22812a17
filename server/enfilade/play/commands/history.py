"""Undo and redo: entries that take back another entry's changes, or an undo."""

from __future__ import annotations

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.play.command import Command
from enfilade.play.commit import UNDO_DEPTH
from enfilade.play.context import CommandContext, Decision
from enfilade.scene.apply import inverse
from enfilade.scene.entry import Entry, PublicText
from enfilade.store.protocol import PendingAct, TableState


def undo(context: CommandContext, command: Command) -> Decision:
    """Undo the last entry that still stands; if an act is pending, cancel only the act. Raises IllegalAct."""
    state = context.table.state
    if state.pending:
        return _cancelled(state, state.pending)
    if not state.undoable:
        limit = localize("play.undo_limit", count=UNDO_DEPTH)
        raise IllegalAct(limit if _has_older(context) else localize("play.nothing_to_undo"))
    last = state.undoable[-1]
    if command.body["seq"] not in (None, last):
        raise IllegalAct(localize("play.not_last_entry"))
    entry = _entry(context, last)
    return _reversal(entry, entry, "play.undone", {"undone": last})


def redo(context: CommandContext, command: Command) -> Decision:
    """Redo the entry that was undone last: undo its undo. Raises IllegalAct."""
    del command
    redoable = context.table.state.redoable
    if not redoable:
        raise IllegalAct(localize("play.nothing_to_redo"))
    undone = redoable[-1]
    redone = _entry(context, undone.seq)
    return _reversal(_entry(context, undone.by), redone, "play.redone", {"redone": undone.seq})


def _cancelled(state: TableState, pending: PendingAct) -> Decision:
    """Return the decision that cancels a pending act and voids its dice."""
    result = {"cancelled": pending.choice["question"]}
    if state.rolling is None:
        return Decision(result=result)
    is_hidden = not (state.dice and state.dice.pending)
    void = localize("play.act_cancelled")
    text = localize("play.dice_void", reason=void)
    return Decision(result=result, text=text, void=void, secret=pending.is_secret or is_hidden)


def _has_older(context: CommandContext) -> bool:
    """Return whether entries of this battle still stand that are too old to be undone."""
    state = context.table.state
    first, undone = min((one.seq for one in state.redoable), default=state.seq + 1), set[int | None]()
    for seq in range(first - 1, max(0, first - 1 - UNDO_DEPTH), -1):
        entry = _entry(context, seq)
        if entry.starts_battle:
            return False
        if entry.events and entry.undoes is None and seq not in undone:
            return True
        undone.add(entry.undoes)
    return False


def _entry(context: CommandContext, seq: int) -> Entry:
    (entry,) = context.table.store.entries(context.table.state.id, seq - 1, 1)
    return entry


def _reversal(entry: Entry, named: Entry, key: str, result: dict[str, int]) -> Decision:
    """Return the decision that takes back an entry; its text names an entry.

    It goes to the seats that received the named entry, in the text they read.
    """
    plain = named.plain or (None if named.secret else PublicText(text=named.text))
    return Decision(
        events=tuple(inverse(entry.events)),
        text=localize(key, text=named.text),
        undoes=entry.seq,
        result=result,
        secret=named.secret and not plain,
        readers=named.readers,
        plain=plain and PublicText(text=localize(key, text=plain.text)),
        own=named.own and PublicText(text=localize(key, text=named.own.text)),
    )
