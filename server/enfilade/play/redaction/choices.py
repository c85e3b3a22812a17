"""Choices of pending acts: the question as a seat may know it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from enfilade.errors import Busy
from enfilade.i18n import localize
from enfilade.play.command import Allocation, Choice
from enfilade.play.context import read_request
from enfilade.play.permissions import is_asked
from enfilade.play.redaction.acts import dice_in, replay_answers, try_act
from enfilade.play.redaction.scene import is_about_hidden, view
from enfilade.rules.allocations import complete_split
from enfilade.rules.procedures import Allocate, Answer, Choose, ChooseAll
from enfilade.rules.resolve import ChoicePending
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.entry import explanation_facts
from enfilade.scene.model import Scene
from enfilade.scene.seat import Seat
from enfilade.store.protocol import PendingAct


def choice_for_seat(pending: PendingAct | None, scene: Scene, seat: Seat, ruleset: Ruleset) -> Choice | None:
    """Return the open choice in a seat's view; None if none asks this seat.

    The question is what would be asked if nothing hidden from the seat were there. If nothing would be asked
    then, its words are neutral. Of several choices at the same time it is the first that the seat has not
    answered. A seat learns only its own answers, not that others have answered.
    """
    if pending is None:
        return None
    choices = [msgspec.convert(choice, Choice) for choice in pending.choices]
    own = [choice for choice in choices if is_asked(seat, choice, pending, scene)]
    if not own:
        return None
    seen = view(scene, seat)
    if seen != scene:
        on_seen = _asked_on(seen, pending, scene, ruleset)
        own = [_redacted(choice, on_seen, scene, seat) for choice in own]
    own = [replace(choice, given=_own_answer(pending, choice, seat)) for choice in own]
    first = next((choice for choice in own if not choice.given), own[0])
    return replace(first, others=tuple(choice for choice in own if choice is not first))


def _redacted(choice: Choice, on_seen: Sequence[Choice], scene: Scene, seat: Seat) -> Choice:
    found = [other for other in on_seen if _is_same(other, choice)]
    return replace(found[0], id=choice.id) if found else _unseen(choice, scene, seat)


def _own_answer(pending: PendingAct, choice: Choice, seat: Seat) -> str:
    given = pending.given.get(choice.id)
    return given.answer if given is not None and given.seat == seat.key else ""


def build_choices(pending_id: str, waiting: ChoicePending) -> tuple[Choice, ...]:
    """Return a procedure's question, or questions at the same time, as the choices of the table."""
    request = waiting.choice
    if not isinstance(request, ChooseAll):
        return (_build_choice(pending_id, request, waiting),)
    return tuple(
        _build_choice(f"{pending_id}.{number}", choice, waiting)
        for number, choice in enumerate(request.choices, 1)
    )


def _build_choice(choice_id: str, request: Choose | Allocate, waiting: ChoicePending) -> Choice:
    allocation = _allocation(request) if isinstance(request, Allocate) else None
    return Choice(
        id=choice_id,
        side=request.side,
        question=request.question,
        options=request.slots if isinstance(request, Allocate) else request.answers,
        default="" if isinstance(request, Allocate) else request.default,
        token=request.token,
        facts=explanation_facts(waiting.events),
        allocation=allocation,
    )


def _allocation(request: Allocate) -> Allocation:
    return Allocation(
        pool=request.pool,
        least=request.least,
        limits=request.limits,
        default=tuple(complete_split(request, request.default).values()),
        chances=request.chances,
    )


def _asked_on(seen: Scene, pending: PendingAct, scene: Scene, ruleset: Ruleset) -> Sequence[Choice]:
    """Return the questions that the pending act would ask in a seat's view."""
    request = read_request(ruleset, pending.request)
    attempt = try_act(ruleset, seen, request, replay_answers(scene, request))
    return build_choices(pending.id, attempt) if isinstance(attempt, ChoicePending) else ()


def _is_same(redacted: Choice, choice: Choice) -> bool:
    """Return whether two questions ask the same tokens for the same answers, after the same dice."""
    request, truly = ([*_parties(c), c.side, *(o.key for o in c.options)] for c in (redacted, choice))
    is_same_split = _without_chances(redacted.allocation) == _without_chances(choice.allocation)
    return request == truly and is_same_split and dice_in(redacted.facts) == dice_in(choice.facts)


def _without_chances(allocation: Allocation | None) -> Allocation | None:
    """Return the limits of an allocation; what is hidden may change its chances and its best split."""
    return allocation and replace(allocation, default=(), chances=())


def _parties(choice: Choice) -> tuple[Any, ...]:
    return choice.token, choice.facts.get("token"), choice.facts.get("target")


def _unseen(choice: Choice, scene: Scene, seat: Seat) -> Choice:
    """Return a neutral question; its default is the first answer, as the best depends on the unseen."""
    options = tuple(_option_for(option, i, scene, seat) for i, option in enumerate(choice.options, 1))
    return replace(
        choice,
        question=localize("play.unseen_question"),
        options=options,
        default=choice.options[0].key if choice.allocation is None else "",
        facts={},
        allocation=choice.allocation and _unseen_allocation(choice.allocation),
    )


def _unseen_allocation(allocation: Allocation) -> Allocation:
    """Return an allocation without chances, whose default gives as little as it may, first options first."""
    numbers = [least for least, _ in allocation.limits]
    for i, (_, most) in enumerate(allocation.limits):
        numbers[i] += max(0, min(most - numbers[i], allocation.least - sum(numbers)))
    return replace(allocation, default=tuple(numbers), chances=())


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
