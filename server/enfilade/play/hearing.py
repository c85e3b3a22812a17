"""What a seat hears of an act that waits: its question, with nothing that it may not know.

An act is decided on the scene as its sender knows it, and resolved on the scene as it is. Where the two
differ a player learns that something unseen is there, and not what.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from enfilade.errors import Busy
from enfilade.play.authority import is_asked
from enfilade.play.command import Choice
from enfilade.rules.procedures import Answer
from enfilade.scene.model import Scene
from enfilade.scene.seat import Seat
from enfilade.scene.view import is_about_hidden
from enfilade.store.kept import Pending

UNSEEN = "Something that you cannot see prevents that."
_UNSEEN_QUESTION = "Something that you cannot see has you decide."


def choice_for(pending: Pending | None, scene: Scene, seat: Seat) -> Choice | None:
    """The open choice as a seat may know it: None for whom it does not ask."""
    if pending is None:
        return None
    choice = msgspec.convert(pending.choice, Choice)
    if not is_asked(seat, choice, scene):
        return None
    if seat.role == "gm" or not (pending.is_secret or is_about_hidden(scene, seat, choice)):
        return choice
    return replace(
        choice,
        question=_heard(choice.question, _UNSEEN_QUESTION, scene, seat),
        options=tuple(_option_for(option, i, scene, seat) for i, option in enumerate(choice.options, 1)),
        facts={},
    )


def _option_for(option: Answer, number: int, scene: Scene, seat: Seat) -> Answer:
    return replace(option, label=_heard(option.label, f"Answer {number}", scene, seat))


def _heard(words: str, instead: str, scene: Scene, seat: Seat) -> str:
    return instead if is_about_hidden(scene, seat, words) else words


def busy(pending: Pending, scene: Scene, seat: Seat) -> Busy:
    """Why a table does nothing else while it waits, with the question for whom it asks."""
    choice = choice_for(pending, scene, seat)
    asked = f" an answer: {choice.question}" if choice else " somebody else's answer."
    return Busy(f"The table waits for{asked}")
