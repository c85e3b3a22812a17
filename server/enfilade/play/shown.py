"""A hidden roll of before, shown to all with the proof of its dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from enfilade.errors import NotFound
from enfilade.play.deeds import Draft
from enfilade.scene.chain import IndexShown, IndexUsed
from enfilade.scene.entry import Entry
from enfilade.scene.model import Scene
from enfilade.scene.view import is_shown, spoken_of

_LABEL = "hidden roll"


def show_roll(scene: Scene, entries: Sequence[Entry]) -> Draft:
    """Shows the hidden roll of an entry (the only one given) to all; raises NotFound.

    Its words come with it, unless they name a token that is hidden still; its dice come in any case.
    """
    note = entries[0].dice if entries else None
    if not (isinstance(note, IndexUsed) and note.is_hidden):
        raise NotFound("That is no hidden roll.")
    (entry,) = entries
    shown = IndexShown(**msgspec.structs.asdict(note))
    hidden = [token for token in scene.tokens if not is_shown(token)]
    if spoken_of(hidden, [entry.text, entry.facts]):
        return Draft(text="The game master shows a hidden roll.", facts=_dice_alone(entry.facts), dice=shown)
    text = f"The game master shows a hidden roll: {entry.text}"
    return Draft(text=text, facts=entry.facts, dice=shown)


def _dice_alone(facts: dict[str, Any]) -> dict[str, Any]:
    rolls = [{**roll, "label": _LABEL} for roll in facts.get("rolls", ())]
    return {"rolls": rolls} if rolls else {}
