"""Acts and moves: run procedures, wait for choices, and apply the GM's overrides.

An act is decided in the sender's view of the scene and resolved in the scene as it is. If the two differ, a
player learns that something unseen is there, and not what.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace as replace_field
from typing import Any

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadMessage, IllegalAct, NotFound
from enfilade.i18n import localize
from enfilade.play.command import Choice, Command, require_on_board
from enfilade.play.context import (
    ActRequest,
    ClosingFirst,
    CommandContext,
    Decision,
    automatic_sides,
    automatic_tokens,
    read_request,
)
from enfilade.play.log import log_text
from enfilade.play.permissions import find_choice
from enfilade.play.redaction.acts import (
    ResolvedAct,
    last_visible_step,
    manual_choices,
    redact_move,
    replay_answers,
    try_act,
    with_redacted_text,
)
from enfilade.play.redaction.choices import build_choices, check_option, choice_for_seat, commitments
from enfilade.play.view import has_secrets
from enfilade.rules.allocations import answer_text, encode_split
from enfilade.rules.dice import Dice
from enfilade.rules.group_moves import moved_tokens
from enfilade.rules.procedures import Act, ChooseAll
from enfilade.rules.profiles import read_act
from enfilade.rules.resolve import Answers, ChoicePending, WrongAnswer, refusal, resolve
from enfilade.rules.ruleset import refused_move
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import GM, seat_of
from enfilade.scene.proofs import seal
from enfilade.store.protocol import GivenAnswer, PendingAct


def do_act(context: CommandContext, command: Command) -> Decision:
    """Resolve an act with the table's dice, or with typed faces. Raises what refuses it."""
    body, dice = command.body, context.table.dice
    act = read_act(context.ruleset, body["act"])
    if act.kind not in context.ruleset.acts or act.kind == "move":
        raise NotFound(localize("tactics.no_such_act", title=context.ruleset.title, kind=act.kind))
    kind = context.ruleset.acts[act.kind]
    if kind.planned and not body["override"]:
        raise IllegalAct(localize("play.planned_act", label=kind.label), kind.planned)
    if (rule := context.ruleset.done_elsewhere(context.scene)) and not moved_tokens(act):
        raise IllegalAct(localize("play.act_done_elsewhere", label=kind.label), rule)
    request = ActRequest(
        command=command.id,
        act=act,
        faces=tuple(body["faces"] or ()),
        is_typed=body["faces"] is not None,
        reason=body["override"],
        secret=body.get("secret", False),
        seat=context.seat.key if moved_tokens(act) else GM.key,
    )
    if context.is_seen_whole:
        return _resolve(context, request, dice)
    if moved_tokens(act) and context.scene.enforcement != "enforce":
        return _resolve_move(context, request, dice)
    refused = refusal(context.seen, context.ruleset.acts[act.kind].procedure, act)
    if refused is not None:
        raise refused
    with _redacted_refusals(context, request):
        return _resolve(context, request, dice)


def move_token(context: CommandContext, command: Command) -> Decision:
    """Record a token's new position, with the ruling. Raises IllegalAct on a table that enforces.

    The ruling applies to the sender's view. If only something unseen blocks the path on a table that
    enforces, the token goes as far as it can, and the result's `interrupted` is the last cell.
    """
    body, scene, dice = command.body, context.scene, context.table.dice
    token = scene.token(body["token"])
    at, facing = tuple(body["at"]), body.get("facing", token.facing)
    require_on_board(scene, (at,), "body.at")
    path = tuple(tuple(cell) for cell in body.get("path", ()))
    if path and path[-1] != at:
        raise BadMessage({"body.path": [localize("play.path_ends_elsewhere")]})
    require_on_board(scene, path, "body.path")
    # Also the token as its sender sees it: a condition may name something hidden.
    ruling = context.ruleset.judge(context.seen, context.seen.token(token.id), path or (at,), facing)
    checkpoint()
    enforces = scene.enforcement == "enforce" and not body["override"]
    if not ruling.allowed and enforces:
        raise refused_move(ruling)
    end = last_visible_step(context, token, at, facing) if enforces and not context.is_seen_whole else at
    request = ActRequest(
        command=command.id,
        act=Act(kind="move", token=token.id, at=end, facing=facing, path=path if end == at else ()),
        reason=body["override"],  # also if nothing is against the move: others may see something that is
        is_stopped=end != at,
        seat=context.seat.key,
    )
    decision = _resolve(context, request, dice) if enforces else _resolve_move(context, request, dice)
    result = {**decision.result, "ruling": msgspec.to_builtins(ruling)}
    return replace(decision, result=result if end == at else {**result, "interrupted": list(end)})


def answer_choice(context: CommandContext, command: Command) -> Decision:
    """Continue the pending act with the answer to its choice; of several at once, after the last answer.

    An answer that waits for others can be given again until the question closes. `also` has answers to other
    choices at the same time; all are stored or none. Raises NotFound, WrongAnswer.
    """
    body, pending = command.body, context.table.state.pending
    answers = {body["choice"]: body["answer"], **body.get("also", {})}
    found = [(find_choice(pending, choice), answer) for choice, answer in answers.items()]
    assert pending is not None
    if pending.closing is None:
        given = [_given_answer(context, choice, answer) for choice, answer in found]
        mine = {(one.choice, one.seat) for one in given}
        kept = [one for one in pending.given if (one.choice, one.seat) not in mine]
        pending = replace(pending, given=(*kept, *given))
    if not pending.is_complete:
        if body["faces"]:
            raise WrongAnswer(localize("play.dice_too_early"))
        return Decision(pending=pending, result=_receipts(context, pending, answers))
    return _continue_act(context, pending, body["faces"] or ())


def _given_answer(context: CommandContext, choice: Choice, answer: Any) -> GivenAnswer:
    salt, pending = secrets.token_hex(16), context.table.state.pending
    if choice.is_sealed and context.seat.role == "player":
        seen = choice_for_seat(pending, context.scene, context.seat, context.ruleset)
        own = (seen, *seen.others) if seen else ()
        choice = next((one for one in own if one.id == choice.id), choice)
    return GivenAnswer(choice.id, context.seat.key, _checked_answer(choice, answer), salt)


def _receipts(context: CommandContext, pending: PendingAct, choices: Collection[str]) -> dict[str, Any]:
    """Return the commitment to each answer that a seat has just given, if the question is sealed."""
    if not pending.is_sealed:
        return {}
    table, seat = context.table.state.id, context.seat.key
    return {
        "receipts": {
            one.choice: seal(table, pending.id, one.choice, seat, one.answer, one.salt)
            for one in pending.given
            if one.seat == seat and one.choice in choices
        }
    }


def close_choices(context: CommandContext, command: Command) -> Decision:
    """Continue the pending act with the defaults for all choices at the same time that have no answer.

    Raises NotFound.
    """
    pending = context.table.state.pending
    find_choice(pending, command.body["choice"])
    assert pending is not None
    if not pending.joint:
        raise NotFound(localize("play.no_such_choice"))
    missing = [choice for choice in pending.joint if pending.answer_to(choice["id"]) is None]
    defaults = [GivenAnswer(one["id"], "", one["default"], secrets.token_hex(16)) for one in missing]
    return _continue_act(context, replace(pending, given=(*pending.given, *defaults)), ())


def _continue_act(context: CommandContext, pending: PendingAct, typed: Sequence[int | str]) -> Decision:
    before, request = pending, read_request(context.ruleset, pending.request)
    if typed and not request.is_typed:
        raise WrongAnswer(localize("play.dice_not_typed"))
    has_questions = len(request.questions) == len(request.decisions)
    questions = tuple(choice["question"] for choice in pending.choices)
    request = replace(
        request,
        faces=(*request.faces, *typed),
        decisions=(*request.decisions, *_answers_of(pending)),
        questions=(*request.questions, *questions) if has_questions else (),
    )
    if not before.is_sealed:
        return _resolve_answered(context, request)
    if before.closing is None:
        if request.is_typed:
            _resolve_answered(context, request)  # refuses missing faces before the question closes
        raise ClosingFirst(before)
    decision = _resolve_answered(context, request)
    sealed = (*before.sealed, commitments(context.table.state.id, before, context.scene))
    if decision.pending:
        return replace(decision, pending=replace(decision.pending, sealed=sealed))
    return replace(decision, sealed=tuple(one.opened() for one in sealed))


def _resolve_answered(context: CommandContext, request: ActRequest) -> Decision:
    decide, dice = _resolve_move if moved_tokens(request.act) else _resolve, context.table.dice
    if context.seen is context.scene:
        return decide(context, request, dice)
    with _redacted_refusals(context, request):
        return decide(context, request, dice)


def _answers_of(pending: PendingAct) -> list[str]:
    return [given.answer for choice in pending.choices if (given := pending.answer_to(choice["id"]))]


def _checked_answer(choice: Choice, answer: Any) -> str:
    """Return an answer as decisions hold it. Raises WrongAnswer if the choice does not offer it.

    The procedure checks the limits of a split.
    """
    is_split = not isinstance(answer, str)
    if is_split is (choice.allocation is None):
        check_option(choice, encode_split(answer) if is_split else "")
    for key in answer if is_split else [answer]:
        check_option(choice, key)
    return answer_text(answer)


@contextmanager
def _redacted_refusals(context: CommandContext, request: ActRequest) -> Iterator[None]:
    """Replace refusals by those in the sender's view; if that view has none, the reason is unseen."""
    try:
        yield
    except IllegalAct:
        raise IllegalAct(localize("play.unseen_prevents")) from None
    except WrongAnswer:
        seen = try_act(context.ruleset, context.seen, request, replay_answers(context.scene, request))
        raise (seen if isinstance(seen, WrongAnswer) else WrongAnswer(localize("play.unseen_dice"))) from None


def _resolve_move(context: CommandContext, request: ActRequest, dice: Dice) -> Decision:
    """Return the decision of a move; it costs what its player can see, even if another seat answered."""
    decision = _resolve(context, request, dice)
    if request.reason or context.scene.enforcement == "enforce":
        return decision
    is_own = request.seat == context.seat.key
    mover = context if is_own else replace_field(context, seat=seat_of(request.seat))
    return decision if mover.is_seen_whole else redact_move(ResolvedAct(mover, request), decision)


def _resolve(context: CommandContext, request: ActRequest, dice: Dice) -> Decision:
    """Return the decision of an act, or the choice that it now waits for. Raises what refuses it."""
    answers = Answers(
        faces=request.faces,
        decisions=request.decisions,
        dice=None if request.is_typed else dice,
        automatic=automatic_sides(context.scene, request),
        automatic_tokens=automatic_tokens(context.scene),
        overrides=request.reason != "",
    )
    try:
        done = resolve(
            context.scene, context.ruleset.acts[request.act.kind].procedure, (request.act,), answers
        )
    except ChoicePending as waiting:
        return Decision(pending=_pending_act(request, waiting), secret=request.secret)
    text = log_text(context.ruleset, context.scene, request, done, answers.overridden)
    result = {"outcome": msgspec.to_builtins(done.result)}
    decision = Decision(
        events=tuple(done.events),
        text=text.text,
        facts=text.facts,
        result=result,
        request=msgspec.to_builtins(request),
    )
    if not request.secret and not has_secrets(context.scene):
        return decision
    act = ResolvedAct(context, request)
    if request.secret:
        return replace(decision, secret=True, shown=act.text_if_revealed(decision))
    return with_redacted_text(act, decision)


def _pending_act(request: ActRequest, waiting: ChoicePending) -> PendingAct:
    pending_id = secrets.token_urlsafe(9)
    choices, is_joint = build_choices(pending_id, waiting), isinstance(waiting.choice, ChooseAll)
    so_far = replace(
        request,
        faces=tuple(waiting.given.used_faces),
        decisions=tuple(waiting.given.used_decisions),
        questions=tuple(event.question for event in manual_choices(waiting.events)),
    )
    return PendingAct(
        id=pending_id,
        request=msgspec.to_builtins(so_far),
        choice=msgspec.to_builtins(choices[0]),
        is_secret=request.secret,
        joint=tuple(msgspec.to_builtins(choice) for choice in choices) if is_joint else (),
        is_sealed=is_joint and choices[0].is_sealed,
    )
