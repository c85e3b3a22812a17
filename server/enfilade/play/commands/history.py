"""Undo, redo, and a unit's way back to where its turn began: entries that take back others' changes."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.play.command import Command
from enfilade.play.commit import UNDO_DEPTH
from enfilade.play.context import CommandContext, Decision
from enfilade.scene import events as ev
from enfilade.scene.apply import fold_all, inverse
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


MOST = 60
"""The entries that are looked at: more than a round has."""
_LASTING = (ev.FogSet, ev.DrawingsSet)
"""Events that stay: who has seen something has seen it."""
_Key = tuple[str, ...]


def turn_back(context: CommandContext, command: Command) -> Decision:
    """Take back the moves of one unit since its turn began. Refused once dice were rolled since.

    The acts of others stay, unless they changed the unit: then its moves before that stay as well. Raises
    IllegalAct if there is no such move, or if another unit stands where it would be.
    """
    scene, token = context.scene, context.scene.token(command.body["token"])
    moves = list(_moves_of_turn(context, token.id))
    events = tuple(
        event for entry in moves for event in inverse(entry.events) if not isinstance(event, _LASTING)
    )
    if not events:
        raise IllegalAct(localize("play.nothing_to_take_back", name=token.name))
    after = fold_all(scene, events)
    there = after.token(token.id).at
    if any(other.at == there and other.id != token.id for other in after.on_board()):
        raise IllegalAct(localize("play.place_is_taken", name=token.name))
    return Decision(events=events, text=localize("play.turned_back", name=token.name))


def _moves_of_turn(context: CommandContext, token: str) -> Iterator[Entry]:
    """Yield the entries that only moved a unit, the last first, back to the first that must stay."""
    table, changed = context.table, set[_Key]()
    for seq in reversed(table.state.undoable[-MOST:]):
        (entry,) = table.store.entries(table.state.id, seq - 1, 1)
        keys = set(_keys(entry))
        if any(isinstance(event, ev.DiceRolled | ev.SceneSet | ev.ChoiceMade) for event in entry.events):
            return
        if _is_move_of(entry, token):
            if keys & changed:
                return
            yield entry
        elif any(key[0] == token for key in keys) or _begins_round(entry):
            return
        else:
            changed |= keys


def _is_move_of(entry: Entry, token: str) -> bool:
    """Return whether an entry moved a unit, and no other one."""
    moved = {event.token for event in entry.events if isinstance(event, ev.TokenMoved)}
    return entry.kind == "token.move" and moved == {token}


def _begins_round(entry: Entry) -> bool:
    return any(isinstance(event, ev.TrackSet) and event.holder == ev.TABLE for event in entry.events)


def _keys(entry: Entry) -> Iterator[_Key]:
    """Yield the parts of the scene that an entry has changed."""
    for event in entry.events:
        match event:
            case ev.TokenMoved(token=token):
                yield token, "place"
            case ev.TokenPlaced(token=placed):
                yield placed.id, "all"
            case ev.TokenRemoved(was=was):
                yield was.id, "all"
            case ev.TrackSet(holder=holder, track=track):
                yield holder, "track", track
            case ev.ConditionSet(holder=holder, condition=condition):
                yield holder, "condition", condition
