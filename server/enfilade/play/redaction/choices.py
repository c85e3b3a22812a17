"""What a seat hears of an act that waits: its question, with nothing that it may not know.

An act is decided on the scene as its sender knows it, and resolved on the scene as it is. Where the two
differ a player learns that something unseen is there, and not what.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from enfilade.errors import Busy
from enfilade.play.command import Choice
from enfilade.play.commands.act_request import Asked
from enfilade.play.permissions import is_asked
from enfilade.play.redaction.acts import answers_on, rolls_of, tried
from enfilade.play.redaction.scene import is_about_hidden, view
from enfilade.rules.procedures import Answer
from enfilade.rules.resolve import ChoicePending
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.entry import explanation_facts
from enfilade.scene.model import Scene
from enfilade.scene.seat import Seat
from enfilade.store.protocol import PendingAct

UNSEEN = "Something that you cannot see prevents that."
UNSEEN_DICE = "Something that you cannot see takes other dice, or another answer."
UNSEEN_QUESTION = "Something that you cannot see has you decide."


def choice_for(pending: PendingAct | None, scene: Scene, seat: Seat, ruleset: Ruleset) -> Choice | None:
    """The open choice as a seat may know it: None for whom it does not ask.

    It is asked as it would be if what is hidden from the seat were not there; where it would not be asked
    then, its words are of something unseen.
    """
    if pending is None or not is_asked(seat, pending, scene):
        return None
    choice, seen = msgspec.convert(pending.choice, Choice), view(scene, seat)
    if seen == scene:
        return choice
    told = _asked_on(seen, pending, scene, ruleset)
    return told if told is not None and _is_same(told, choice) else _unseen(choice, scene, seat)


def choice_of(choice_id: str, waiting: ChoicePending) -> Choice:
    """A procedure's question, as the table waits for its answer."""
    return Choice(
        id=choice_id,
        side=waiting.choice.side,
        question=waiting.choice.question,
        options=waiting.choice.answers,
        default=waiting.choice.default,
        token=waiting.choice.token,
        facts=explanation_facts(waiting.events),
    )


def _asked_on(seen: Scene, pending: PendingAct, scene: Scene, ruleset: Ruleset) -> Choice | None:
    """The question that the waiting act would ask in a scene as somebody sees it."""
    asked = msgspec.convert(pending.request, Asked)
    come_to = tried(ruleset, seen, asked, answers_on(scene, asked))
    return choice_of(pending.id, come_to) if isinstance(come_to, ChoicePending) else None


def _is_same(told: Choice, choice: Choice) -> bool:
    """Whether a question asks the same miniatures for the same answers, after the same dice."""
    asked, truly = ([*_parties(c), c.side, *(o.key for o in c.options)] for c in (told, choice))
    return asked == truly and rolls_of(told.facts) == rolls_of(choice.facts)


def _parties(choice: Choice) -> tuple[Any, ...]:
    return choice.token, choice.facts.get("token"), choice.facts.get("target")


def _unseen(choice: Choice, scene: Scene, seat: Seat) -> Choice:
    """A question without words; which answer is best depends on what is not seen, so the first stands."""
    options = tuple(_option_for(option, i, scene, seat) for i, option in enumerate(choice.options, 1))
    return replace(choice, question=UNSEEN_QUESTION, options=options, default=choice.options[0].key, facts={})


def _option_for(option: Answer, number: int, scene: Scene, seat: Seat) -> Answer:
    return replace(option, label=f"Answer {number}") if is_about_hidden(scene, seat, option.label) else option


def busy(pending: PendingAct, scene: Scene, seat: Seat, ruleset: Ruleset) -> Busy:
    """Why a table does nothing else while it waits, with the question for whom it asks."""
    choice = choice_for(pending, scene, seat, ruleset)
    asked = f" an answer: {choice.question}" if choice else " somebody else's answer."
    return Busy(f"The table waits for{asked}")
