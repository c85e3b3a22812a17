"""Commands about dice: the reveal of a hidden roll."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain, filterfalse
from typing import Any

import msgspec

from enfilade.errors import NotFound
from enfilade.i18n import localize
from enfilade.play.command import Command
from enfilade.play.context import CommandContext, Decision
from enfilade.play.hidden_map import is_in_fog
from enfilade.play.view import is_about_hidden_ground, is_visible, mentioned_in
from enfilade.scene.entry import Entry, PublicText, TextOnlyEntry
from enfilade.scene.events import AnyEvent, SceneSet, TokenRemoved
from enfilade.scene.model import Scene, Token
from enfilade.scene.proofs import IndexShown, IndexUsed
from enfilade.store.protocol import iter_entries

_REMOVAL_TAGS = (b'"token_removed"', b'"scene_set"')
"""The tags, as encoded, of the events that remove tokens."""

_EVENTS = msgspec.json.Decoder(tuple[AnyEvent, ...])


def reveal(context: CommandContext, command: Command) -> Decision:
    """Reveal the hidden roll of an entry to all seats. Raises NotFound."""
    state = context.table.state
    later = iter_entries(context.table.store.log_texts, state.id, command.body["seq"] - 1, state.seq)
    return reveal_roll(context.scene, next(later, None), later)


def reveal_roll(scene: Scene, entry: Entry | None, later: Iterable[Entry]) -> Decision:
    """Reveal the hidden roll of an entry; `later` are the entries after it, without events decoded.

    The text that was computed at the roll comes with the dice, unless it names a token or terrain that is
    still hidden, or was hidden when it was removed. Raises NotFound if the entry has no hidden roll.
    """
    note = entry.dice if entry else None
    if entry is None or not (isinstance(note, IndexUsed) and note.is_hidden):
        raise NotFound(localize("play.no_hidden_roll"))
    shown = IndexShown(**msgspec.structs.asdict(note))
    text = entry.shown
    if text is None or _is_about_hidden(scene, later, text):
        return Decision(text=localize("play.roll_revealed"), facts=_dice_only(entry.facts), dice=shown)
    return Decision(text=localize("play.roll_revealed_text", text=text.text), facts=text.facts, dice=shown)


def _is_about_hidden(scene: Scene, later: Iterable[Entry], text: PublicText) -> bool:
    """Return whether a text names what is hidden, or was hidden when it was removed."""
    if is_about_hidden_ground(scene, text):
        return True
    # One entry after the other: there may be more of them than there is memory for.
    gone = (_removed_tokens(event) for entry in later for event in _removals_of(entry))
    is_known = partial(_is_known, scene)
    return any(mentioned_in(filterfalse(is_known, tokens), text) for tokens in chain([scene.tokens], gone))


def _is_known(scene: Scene, token: Token) -> bool:
    return is_visible(token) and not is_in_fog(scene, token)


def _removals_of(entry: Entry) -> Sequence[AnyEvent]:
    """Return the events of an entry that may have removed tokens; decode them only if there are any."""
    if not isinstance(entry, TextOnlyEntry):
        return entry.events
    encoded = bytes(entry.events)
    return _EVENTS.decode(encoded) if any(tag in encoded for tag in _REMOVAL_TAGS) else ()


def _removed_tokens(event: AnyEvent) -> tuple[Token, ...]:
    """Return the tokens that an event removes or replaces."""
    match event:
        case TokenRemoved(was=was):
            return (was,)
        case SceneSet(was=Scene() as was):
            return was.tokens
    return ()


def _dice_only(facts: dict[str, Any]) -> dict[str, Any]:
    rolls = [{**roll, "label": localize("play.hidden_roll")} for roll in facts.get("rolls", ())]
    return {"rolls": rolls} if rolls else {}
