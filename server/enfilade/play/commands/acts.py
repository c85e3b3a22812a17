"""Acts and moves at a table: procedures performed, choices waited for, the game master's word."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace as replace_field
from typing import Any

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadMessage, IllegalAct, NotFound
from enfilade.play.command import Choice, Command
from enfilade.play.commands.act_request import Asked, automatic_sides
from enfilade.play.commands.edits import Draft, Game
from enfilade.play.log.text import words_of
from enfilade.play.redaction.acts import Done, answers_on, as_the_mover_sees, decided, tried, with_seeming
from enfilade.play.redaction.choices import UNSEEN, UNSEEN_DICE, choice_of
from enfilade.play.redaction.moves import way_end
from enfilade.play.setup import is_on_board
from enfilade.rules.dice import Dice
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, ChoicePending, WrongAnswer, refusal, resolve
from enfilade.scene.seat import seat_of
from enfilade.store.protocol import PendingAct


def do_act(game: Game, command: Command, dice: Dice) -> Draft:
    """Does an act with these dice, or with the faces a person typed; raises what refuses it."""
    body = command.body
    act = msgspec.convert(body["act"], Act)
    if act.kind not in game.ruleset.acts or act.kind == "move":
        raise NotFound(f"{game.ruleset.title} has no act '{act.kind}'.")
    asked = Asked(
        command=command.id,
        act=act,
        faces=tuple(body["faces"] or ()),
        is_typed=body["faces"] is not None,
        reason=body["override"],
        secret=body.get("secret", False),
    )
    if game.is_seen_whole:
        return resolved(game, asked, dice)
    refused = refusal(game.seen, game.ruleset.procedures[act.kind], act)
    if refused is not None:
        raise refused
    with _seen_refusals(game, asked):
        return resolved(game, asked, dice)


@contextmanager
def _seen_refusals(game: Game, asked: Asked) -> Iterator[None]:
    """Refusals in words of the scene as the sender knows it; what looks right there has an unseen reason."""
    try:
        yield
    except IllegalAct:
        raise IllegalAct(UNSEEN) from None
    except WrongAnswer:
        seen = tried(game.ruleset, game.seen, asked, answers_on(game.scene, asked))
        raise (seen if isinstance(seen, WrongAnswer) else WrongAnswer(UNSEEN_DICE)) from None


def answer_choice(game: Game, command: Command, pending: PendingAct | None, dice: Dice) -> Draft:
    """Goes on with the act that waits, once its question is answered; raises NotFound, WrongAnswer."""
    body = command.body
    if pending is None or pending.id != body["choice"]:
        raise NotFound("Nobody asked that.")
    _must_be_offered(msgspec.convert(pending.choice, Choice), body["answer"])
    asked, typed = msgspec.convert(pending.request, Asked), body["faces"] or ()
    if typed and not asked.is_typed:
        raise WrongAnswer("This act is rolled by the table; no dice can be typed in half-way.")
    asked = _answered(asked, typed, pending.choice["question"], body["answer"])
    if game.seen is game.scene:
        return _moved_on(game, asked, dice)
    with _seen_refusals(game, asked):
        return _moved_on(game, asked, dice)


def _answered(asked: Asked, typed: Sequence[int | str], question: str, answer: str) -> Asked:
    faces, decisions = (*asked.faces, *typed), (*asked.decisions, answer)
    is_whole = len(asked.questions) == len(asked.decisions)
    questions = (*asked.questions, question) if is_whole else ()
    return replace(asked, faces=faces, decisions=decisions, questions=questions)


def _moved_on(game: Game, asked: Asked, dice: Dice) -> Draft:
    """What an act comes to; a move that costs what its player sees, whoever has answered meanwhile."""
    draft = resolved(game, asked, dice)
    if asked.act.kind != "move" or asked.reason or game.scene.enforcement == "enforce":
        return draft
    return as_the_mover_sees(Done(replace_field(game, seat=seat_of(asked.seat)), asked), draft)


def _must_be_offered(choice: Choice, answer: str) -> None:
    """Raises WrongAnswer; the question itself is not repeated: not all may hear it as it is."""
    keys = [option.key for option in choice.options]
    if answer not in keys:
        raise WrongAnswer(f"'{answer}' is not an answer: {', '.join(keys)} are.")


def move_token(game: Game, command: Command, dice: Dice) -> Draft:
    """Records where a token now stands, with the ruling; raises IllegalAct on a table that enforces.

    The ruling is on the scene as the sender knows it. On a table that enforces, a way that only something
    unseen bars is gone as far as it leads, and the result's `interrupted` says where it ended.
    """
    body, scene = command.body, game.scene
    token = scene.token(body["token"])
    at, facing = tuple(body["at"]), body.get("facing", token.facing)
    if not is_on_board(scene, at):
        raise BadMessage({"body.at": ["That is off the board."]})
    ruling = game.ruleset.judge(game.seen, token, at, facing)
    enforces = scene.enforcement == "enforce" and not body["override"]
    if not ruling.allowed and enforces:
        raise IllegalAct(" ".join(ruling.reasons))
    end = way_end(game, token, at, facing) if enforces and not game.is_seen_whole else at
    act = Act(kind="move", token=token.id, at=end, facing=facing)
    reason = "" if ruling.allowed else body["override"]
    by = game.seat.key
    asked = Asked(command=command.id, act=act, reason=reason, is_stopped=end != at, seat=by)
    draft = resolved(game, asked, dice) if enforces else _moved_on(game, asked, dice)
    result = {**draft.result, "ruling": msgspec.to_builtins(ruling)}
    return replace(draft, result=result if end == at else {**result, "interrupted": list(end)})


def resolved(game: Game, asked: Asked, dice: Dice) -> Draft:
    """What an act comes to, or the question it now waits for; raises what refuses it."""
    answers = Answers(
        faces=asked.faces,
        decisions=asked.decisions,
        dice=None if asked.is_typed else dice,
        automatic=automatic_sides(game.scene),
        overrides=asked.reason != "",
    )
    try:
        done = resolve(game.scene, game.ruleset.procedures[asked.act.kind], (asked.act,), answers)
    except ChoicePending as waiting:
        pending = _pending(asked, waiting)
        return Draft(pending=pending, secret=asked.secret)
    words = words_of(game.ruleset, game.scene, asked, done, answers.overridden)
    result = {"outcome": msgspec.to_builtins(done.result)}
    draft = Draft(events=tuple(done.events), text=words.text, facts=words.facts, result=result)
    act = Done(game, asked)
    if asked.secret:
        return replace(draft, secret=True, shown=act.words_if_shown(draft))
    return with_seeming(act, draft)


def _pending(asked: Asked, waiting: ChoicePending) -> PendingAct:
    choice = choice_of(secrets.token_urlsafe(9), waiting)
    so_far: dict[str, Any] = {
        "faces": tuple(waiting.given.used_faces),
        "decisions": tuple(waiting.given.used_decisions),
        "questions": tuple(event.question for event in decided(waiting.events)),
    }
    return PendingAct(
        id=choice.id,
        request=msgspec.to_builtins(replace(asked, **so_far)),
        choice=msgspec.to_builtins(choice),
        is_secret=asked.secret,
    )
