"""Choices of pending acts: the question as a seat may know it."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from enfilade.errors import Busy
from enfilade.i18n import localize
from enfilade.play.command import Choice
from enfilade.play.context import read_request
from enfilade.play.permissions import is_asked
from enfilade.play.redaction.acts import dice_in, replay_answers, try_act
from enfilade.play.redaction.scene import is_about_hidden, view
from enfilade.rules.procedures import Answer
from enfilade.rules.resolve import ChoicePending
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.entry import explanation_facts
from enfilade.scene.model import Scene
from enfilade.scene.seat import Seat
from enfilade.store.protocol import PendingAct


def choice_for_seat(pending: PendingAct | None, scene: Scene, seat: Seat, ruleset: Ruleset) -> Choice | None:
    """Return the open choice in a seat's view; None if it does not ask this seat.

    The question is what would be asked if nothing hidden from the seat were there. If nothing would be asked
    then, its words are neutral.
    """
    if pending is None or not is_asked(seat, pending, scene):
        return None
    choice, seen = msgspec.convert(pending.choice, Choice), view(scene, seat)
    if seen == scene:
        return choice
    redacted = _asked_on(seen, pending, scene, ruleset)
    return redacted if redacted is not None and _is_same(redacted, choice) else _unseen(choice, scene, seat)


def build_choice(choice_id: str, waiting: ChoicePending) -> Choice:
    """Return a procedure's question as the choice that the table waits for."""
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
    """Return the question that the pending act would ask in a seat's view."""
    request = read_request(ruleset, pending.request)
    attempt = try_act(ruleset, seen, request, replay_answers(scene, request))
    return build_choice(pending.id, attempt) if isinstance(attempt, ChoicePending) else None


def _is_same(redacted: Choice, choice: Choice) -> bool:
    """Return whether two questions ask the same tokens for the same answers, after the same dice."""
    request, truly = ([*_parties(c), c.side, *(o.key for o in c.options)] for c in (redacted, choice))
    return request == truly and dice_in(redacted.facts) == dice_in(choice.facts)


def _parties(choice: Choice) -> tuple[Any, ...]:
    return choice.token, choice.facts.get("token"), choice.facts.get("target")


def _unseen(choice: Choice, scene: Scene, seat: Seat) -> Choice:
    """Return a neutral question; its default is the first answer, as the best depends on the unseen."""
    options = tuple(_option_for(option, i, scene, seat) for i, option in enumerate(choice.options, 1))
    return replace(
        choice,
        question=localize("play.unseen_question"),
        options=options,
        default=choice.options[0].key,
        facts={},
    )


def _option_for(option: Answer, number: int, scene: Scene, seat: Seat) -> Answer:
    return (
        replace(option, label=localize("play.answer_number", number=number))
        if is_about_hidden(scene, seat, option.label)
        else option
    )


def busy_error(pending: PendingAct, scene: Scene, seat: Seat, ruleset: Ruleset) -> Busy:
    """Return the error of a table with a pending act, with the question for the seats that it asks."""
    choice = choice_for_seat(pending, scene, seat, ruleset)
    return Busy(localize("play.busy", question=choice.question) if choice else localize("play.busy_other"))
