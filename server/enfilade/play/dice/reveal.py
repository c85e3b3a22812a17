"""A hidden roll of before, shown to all with the proof of its dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, filterfalse
from typing import Any

import msgspec

from enfilade.errors import NotFound
from enfilade.play.commands.edits import Draft
from enfilade.play.redaction.scene import is_about_hidden_ground, is_shown, spoken_of
from enfilade.scene.dice_notes import IndexShown, IndexUsed
from enfilade.scene.entry import Entry, PublicText, TextOnlyEntry
from enfilade.scene.events import AnyEvent, SceneSet, TokenRemoved
from enfilade.scene.model import Scene, Token

_LABEL = "hidden roll"
_TAKING = (b'"token_removed"', b'"scene_set"')
"""The events, as they are written, that take tokens away."""

_EVENTS = msgspec.json.Decoder(tuple[AnyEvent, ...])


def show_roll(scene: Scene, entry: Entry | None, since: Iterable[Entry]) -> Draft:
    """Shows the hidden roll of an entry to all; raises NotFound. `since` are the words of those after it.

    Words come with it, worked out when it fell with nothing hidden but those in it, unless these are hidden
    still, or were when they went; its dice come in any case.
    """
    note = entry.dice if entry else None
    if entry is None or not (isinstance(note, IndexUsed) and note.is_hidden):
        raise NotFound("That is no hidden roll.")
    shown = IndexShown(**msgspec.structs.asdict(note))
    words = entry.shown
    if words is None or _is_about_hidden(scene, since, words):
        return Draft(text="The game master shows a hidden roll.", facts=_dice_alone(entry.facts), dice=shown)
    text = f"The game master shows a hidden roll: {words.text}"
    return Draft(text=text, facts=words.facts, dice=shown)


def _is_about_hidden(scene: Scene, since: Iterable[Entry], words: PublicText) -> bool:
    """Whether words speak of what is hidden, or was when it went."""
    if is_about_hidden_ground(scene, words):
        return True
    # One entry after the other: there may be more of them than there is memory for.
    gone = (_taken_away(event) for later in since for event in _read(later))
    return any(spoken_of(filterfalse(is_shown, tokens), words) for tokens in chain([scene.tokens], gone))


def _read(entry: Entry) -> Sequence[AnyEvent]:
    """The events of an entry, of which only the words were asked for, that may have taken tokens away."""
    if not isinstance(entry, TextOnlyEntry):
        return entry.events
    written = bytes(entry.events)
    return _EVENTS.decode(written) if any(tag in written for tag in _TAKING) else ()


def _taken_away(event: AnyEvent) -> tuple[Token, ...]:
    """The tokens that are in the scene no more, or as another, after an event."""
    match event:
        case TokenRemoved(was=was):
            return (was,)
        case SceneSet(was=Scene() as was):
            return was.tokens
    return ()


def _dice_alone(facts: dict[str, Any]) -> dict[str, Any]:
    rolls = [{**roll, "label": _LABEL} for roll in facts.get("rolls", ())]
    return {"rolls": rolls} if rolls else {}
