"""Take one unit back to where its turn began, without the acts of others in between."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.play.command import Command
from enfilade.play.context import CommandContext, Decision
from enfilade.scene import events as ev
from enfilade.scene.apply import fold_all, inverse
from enfilade.scene.entry import Entry

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
