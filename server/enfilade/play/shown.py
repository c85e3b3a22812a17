"""A hidden roll of before, shown to all with the proof of its dice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from enfilade.errors import NotFound
from enfilade.play.deeds import Draft
from enfilade.scene.chain import IndexShown, IndexUsed
from enfilade.scene.entry import Entry
from enfilade.scene.events import AnyEvent, SceneSet, TokenRemoved
from enfilade.scene.model import Scene, Token
from enfilade.scene.view import is_about_hidden_ground, is_shown, spoken_of

_LABEL = "hidden roll"


def show_roll(scene: Scene, entry: Entry | None, since: Iterable[Entry]) -> Draft:
    """Shows the hidden roll of an entry to all; raises NotFound. `since` are the entries after it.

    Words come with it, worked out when it fell with nothing hidden but those in it, unless these are hidden
    still, or were when they went; its dice come in any case.
    """
    note = entry.dice if entry else None
    if entry is None or not (isinstance(note, IndexUsed) and note.is_hidden):
        raise NotFound("That is no hidden roll.")
    shown = IndexShown(**msgspec.structs.asdict(note))
    gone = (token for later in since for event in later.events for token in _taken_away(event))
    hidden = [token for token in (*scene.tokens, *gone) if not is_shown(token)]
    words = entry.shown
    if words is None or spoken_of(hidden, words) or is_about_hidden_ground(scene, words):
        return Draft(text="The game master shows a hidden roll.", facts=_dice_alone(entry.facts), dice=shown)
    text = f"The game master shows a hidden roll: {words.text}"
    return Draft(text=text, facts=words.facts, dice=shown)


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
