"""Choices of pending acts: the question as a seat may know it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from enfilade.errors import Busy, NotFound
from enfilade.i18n import localize
from enfilade.play.command import Allocation, Choice
from enfilade.play.context import read_request
from enfilade.play.hidden_map import shade
from enfilade.play.permissions import is_asked
from enfilade.play.redaction.acts import dice_in, replay_answers, try_act
from enfilade.play.view import common_owners, is_about_hidden, mentioned_in, view, without_units
from enfilade.rules.allocations import complete_split
from enfilade.rules.procedures import Allocate, Answer, Choose, ChooseAll, Matchup
from enfilade.rules.resolve import ChoicePending, WrongAnswer
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.entry import explanation_facts
from enfilade.scene.events import AnyEvent, DiceRolled, Explained
from enfilade.scene.model import Scene, Seat
from enfilade.scene.proofs import SealedAnswer, SealedAnswers, seal
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
    if seen != without_units(scene):
        on_seen = _asked_on(seen, pending, scene, ruleset)
        own = [_redacted(choice, on_seen, scene, seat) for choice in own]
    own = [replace(choice, given=_own_answer(pending, choice, seat)) for choice in own]
    first = next((choice for choice in own if not choice.given), own[0])
    return replace(first, others=tuple(choice for choice in own if choice is not first))


def _without_hidden_options(choice: Choice, scene: Scene, seat: Seat) -> Choice:
    """Return a sealed choice with the answers that name nothing hidden from a seat."""
    is_about = partial(is_about_hidden, scene, seat)
    return _with_options(
        choice, [one for one in choice.options if not is_about([one.key, one.label, *one.tokens])]
    )


def _with_options(choice: Choice, options: Sequence[Answer]) -> Choice:
    is_default_known = choice.default in [one.key for one in options]
    default = choice.default if is_default_known or not options else options[0].key
    return replace(choice, options=tuple(options), default=default)


def _redacted(choice: Choice, on_seen: Sequence[Choice], scene: Scene, seat: Seat) -> Choice:
    if choice.is_sealed:
        return _redacted_sealed(choice, on_seen, scene, seat)
    found = [other for other in on_seen if _is_same(other, choice)]
    return replace(found[0], id=choice.id) if found else _unseen(choice, scene, seat)


def _redacted_sealed(choice: Choice, on_seen: Sequence[Choice], scene: Scene, seat: Seat) -> Choice:
    """Return a sealed choice as it would be asked in a seat's view, with the answers that are possible.

    The words of an answer do not tell whether it is about something hidden: tokens may share a name.
    """
    asked = next((other for other in on_seen if other.id == choice.id), None)
    if asked is None:
        return _unseen(_without_hidden_options(choice, scene, seat), scene, seat)
    possible = {option.key for option in choice.options}
    return _with_options(asked, [option for option in asked.options if option.key in possible])


def _own_answer(pending: PendingAct, choice: Choice, seat: Seat) -> str:
    own = [one.answer for one in pending.given if (one.choice, one.seat) == (choice.id, seat.key)]
    return own[-1] if own else ""


def build_choices(pending_id: str, waiting: ChoicePending) -> tuple[Choice, ...]:
    """Return a procedure's question, or questions at the same time, as the choices of the table."""
    request = waiting.choice
    if not isinstance(request, ChooseAll):
        return (_build_choice(pending_id, request, waiting),)
    found: list[Choice] = []
    for choice in request.choices:
        number = sum(one.token == choice.token for one in found)
        built = _build_choice(_joint_id(pending_id, choice.token, number), choice, waiting)
        found.append(replace(built, is_sealed=request.is_sealed, has_odds=request.matchup is not None))
    return tuple(found)


def _joint_id(pending_id: str, token: str, number: int) -> str:
    """Return the ID of a choice at the same time as others: it does not tell how many others there are."""
    digest = hashlib.sha256(f"{pending_id} {token}".encode()).hexdigest()[:12]
    return f"{pending_id}.{digest}.{number}"


def _build_choice(choice_id: str, request: Choose | Allocate, waiting: ChoicePending) -> Choice:
    allocation = _allocation(request) if isinstance(request, Allocate) else None
    return Choice(
        id=choice_id,
        side=request.side,
        question=request.question,
        options=request.slots if isinstance(request, Allocate) else request.answers,
        default="" if isinstance(request, Allocate) else request.default,
        token=request.token,
        facts=explanation_facts(_latest_roll(waiting.events)),
        allocation=allocation,
    )


def _latest_roll(events: Sequence[AnyEvent]) -> Sequence[AnyEvent]:
    """Return the events since the last attack of an act began: a counterattack shows its own dice alone.

    An attack begins with a roll of the same name as one before, if something was explained in between.
    """
    start, is_explained = 0, False
    labels: set[str] = set()
    for i, event in enumerate(events):
        if isinstance(event, Explained):
            is_explained = True
        elif isinstance(event, DiceRolled):
            if is_explained and event.label in labels:
                start, labels = i, set()
            labels.add(event.label)
            is_explained = False
    return events[start:]


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
        Answer(option.key, localize("play.answer_number", number=number))
        if is_about_hidden(scene, seat, [option.label, *option.tokens])
        else option
    )


def busy_error(pending: PendingAct, scene: Scene, seat: Seat, ruleset: Ruleset) -> Busy:
    """Return the error of a table with a pending act, with the question for the seats that it asks."""
    choice = choice_for_seat(pending, scene, seat, ruleset)
    return Busy(localize("play.busy", question=choice.question) if choice else localize("play.busy_other"))


def commitments(table: str, pending: PendingAct, scene: Scene) -> SealedAnswers:
    """Return the sealed answers of a closed question, each with the seats that may read it."""
    found = []
    for choice in pending.choices:
        given = pending.answer_to(choice["id"])
        assert given is not None, "a question closes with an answer to each choice"
        found.append(
            SealedAnswer(
                choice=choice["id"],
                token=choice["token"],
                seat=given.seat,
                commitment=seal(table, pending.id, choice["id"], given.seat, given.answer, given.salt),
                answer=given.answer,
                salt=given.salt,
                label=" ".join(_labels(choice, given.answer)),
                readers=() if pending.is_secret else _readers(choice, given.answer, scene),
            )
        )
    return SealedAnswers(question=pending.id, answers=tuple(found))


def _readers(choice: Mapping[str, Any], answer: str, scene: Scene) -> tuple[str, ...] | None:
    """Return the players who know everything that a choice names; None if it names nothing hidden.

    The words of an answer that lists its tokens do not count: a hidden one may have a visible one's name.
    """
    named = [option["tokens"] or option["label"] for option in choice["options"] if option["key"] == answer]
    hidden = mentioned_in(
        (token for token in shade(scene).tokens if token.hidden), [choice["token"], answer, named]
    )
    return common_owners(hidden) if hidden else None


def _labels(choice: Mapping[str, Any], answer: str) -> list[str]:
    """Return the words in which a choice offered an answer; none for numbers."""
    return [option["label"] for option in choice["options"] if option["key"] == answer]


class AskedInView(NamedTuple):
    """The choices at the same time that a seat's view asks, by ID; the scene there; and their matchup."""

    choices: Mapping[str, Choice]
    scene: Scene
    matchup: Matchup


def question_for_seat(
    pending: PendingAct | None, scene: Scene, seat: Seat, ruleset: Ruleset
) -> AskedInView | None:
    """Return the question of a pending act in a seat's view, if it has a matchup."""
    if pending is None or (pending.is_secret and seat.role != "gm"):
        return None
    request = read_request(ruleset, pending.request)
    attempt = try_act(ruleset, view(scene, seat), request, replay_answers(scene, request))
    if not isinstance(attempt, ChoicePending) or not isinstance(attempt.choice, ChooseAll):
        return None
    if attempt.choice.matchup is None:
        return None
    choices = {choice.id: choice for choice in build_choices(pending.id, attempt)}
    return AskedInView(choices, attempt.scene, attempt.choice.matchup)


def plan_of(
    asked: AskedInView | None, own: Choice | None, answers: Mapping[str, str]
) -> tuple[str, tuple[str, ...]]:
    """Return the token that some answers are about, and its answer to each of its questions in order.

    A question without an answer has the seat's answer so far, or its default. Raises NotFound for a choice
    that the table does not ask this seat, WrongAnswer for an answer that a choice does not offer.
    """
    own_choices = {choice.id: choice for choice in (own, *own.others)} if own else {}
    if asked is None or not answers or not answers.keys() <= own_choices.keys() & asked.choices.keys():
        raise NotFound(localize("play.no_such_choice"))
    for choice, answer in answers.items():
        check_option(own_choices[choice], answer)
    token = own_choices[next(iter(answers))].token
    questions = [choice for choice in asked.choices.values() if choice.token == token]
    so_far = {choice.id: choice.given for choice in own_choices.values()}
    return token, tuple(answers.get(one.id) or so_far.get(one.id) or one.default for one in questions)


def check_option(choice: Choice, answer: str) -> None:
    """Raise WrongAnswer if a choice does not offer an answer.

    The question is not repeated, because not every seat may read it as it is.
    """
    keys = [option.key for option in choice.options]
    if answer not in keys:
        raise WrongAnswer(localize("play.not_an_answer", answer=answer, answers=", ".join(keys)))
