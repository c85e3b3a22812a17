"""Acts and moves at a table: procedures performed, choices waited for, the game master's word."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadMessage, IllegalAct, NotFound
from enfilade.play.command import Choice, Command
from enfilade.play.deeds import Draft, Game
from enfilade.play.hearing import UNSEEN
from enfilade.play.seeming import Done, as_the_mover_sees, with_seeming
from enfilade.play.setup import is_on_board
from enfilade.play.unseen import way_end
from enfilade.rules.dice import Dice
from enfilade.rules.performing import Answers, WaitingError, WrongAnswer, perform, refusal
from enfilade.rules.procedures import Act
from enfilade.scene.entry import explained
from enfilade.scene.fold import fold_all
from enfilade.scene.model import Scene, Value
from enfilade.scene.view import has_secrets, hidden_in, is_about_hidden_ground
from enfilade.store.kept import Pending

AUTOMATIC = "automatic"
"""The condition of a side that is not asked: its choices take their defaults."""


class Asked(Value, frozen=True, kw_only=True):
    """An act that was asked for, with everything said and fallen so far.

    `reason` is the game master's for overruling the rules; empty where they hold. `secret`: nobody else is to
    read what comes of it.
    """

    command: str
    act: Act
    faces: tuple[int | str, ...] = ()
    decisions: tuple[str, ...] = ()
    are_typed: bool = False
    reason: str = ""
    secret: bool = False


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
        are_typed=body["faces"] is not None,
        reason=body["override"],
        secret=body.get("secret", False),
    )
    if game.is_seen_whole:
        return resolved(game, asked, dice)
    refused = refusal(game.seen, game.ruleset.procedures[act.kind], act)
    if refused is not None:
        raise refused
    with _unseen_refusals():
        return resolved(game, asked, dice)


@contextmanager
def _unseen_refusals() -> Iterator[None]:
    """What the rules refuse although the sender's own view of the scene allows it has an unseen reason."""
    try:
        yield
    except IllegalAct:
        raise IllegalAct(UNSEEN) from None


def answer_choice(game: Game, command: Command, pending: Pending | None, dice: Dice) -> Draft:
    """Goes on with the act that waits, once its question is answered; raises NotFound, WrongAnswer."""
    body = command.body
    if pending is None or pending.id != body["choice"]:
        raise NotFound("Nobody asked that.")
    asked, typed = msgspec.convert(pending.asked, Asked), body["faces"] or ()
    if typed and not asked.are_typed:
        raise WrongAnswer("This act is rolled by the table; no dice can be typed in half-way.")
    faces, decisions = (*asked.faces, *typed), (*asked.decisions, body["answer"])
    asked = replace(asked, faces=faces, decisions=decisions)
    if game.seen is game.scene:
        return resolved(game, asked, dice)
    with _unseen_refusals():  # whatever it is: the words of the scene as it is are not for a player
        return resolved(game, asked, dice)


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
    asked = Asked(command=command.id, act=act, reason=reason)
    draft = resolved(game, asked, dice)
    if not enforces and not game.is_seen_whole:
        draft = as_the_mover_sees(_done(game, asked), draft)
    result = {**draft.result, "ruling": msgspec.to_builtins(ruling)}
    if end == at:
        return replace(draft, result=result)
    stopped = f" Something unseen stops {token.name}."
    plain = draft.plain and replace(draft.plain, text=draft.plain.text + stopped)
    return replace(draft, text=draft.text + stopped, plain=plain, result={**result, "interrupted": list(end)})


def resolved(game: Game, asked: Asked, dice: Dice) -> Draft:
    """What an act comes to, or the question it now waits for; raises what refuses it."""
    answers = Answers(
        faces=asked.faces,
        decisions=asked.decisions,
        dice=None if asked.are_typed else dice,
        automatic=automatic_sides(game.scene),
        overrules=asked.reason != "",
    )
    try:
        done = perform(game.scene, game.ruleset.procedures[asked.act.kind], (asked.act,), answers)
    except WaitingError as waiting:
        pending = _pending(asked, waiting)
        return Draft(pending=pending, secret=asked.secret)
    text, facts = game.ruleset.narrate(game.scene, done.events), explained(done.events)
    against = _against(game, asked, answers)
    if against:
        text = f"By the game master's word ({asked.reason}), against the rules: {against} {text}"
        facts = {**facts, "override": asked.reason}
    result = {"outcome": msgspec.to_builtins(done.result)}
    draft = Draft(events=tuple(done.events), text=text, facts=facts, result=result, secret=asked.secret)
    is_told_otherwise = not (asked.secret or against) and _may_tell_of_hidden(game, asked, draft)
    return with_seeming(_done(game, asked), draft) if is_told_otherwise else draft


def _done(game: Game, asked: Asked) -> Done:
    return Done(game, asked.act, asked.are_typed, automatic_sides(game.scene))


def _may_tell_of_hidden(game: Game, asked: Asked, draft: Draft) -> bool:
    """Whether what is said of an act may tell of something hidden: by its name, or as a move that it bars."""
    if not has_secrets(game.scene):
        return False
    after = fold_all(game.scene, draft.events)
    return (
        asked.act.kind == "move"
        or bool(hidden_in(game.scene, after, draft.events, draft.text))
        or is_about_hidden_ground(game.scene, [draft.text, draft.facts])
    )


def automatic_sides(scene: Scene) -> frozenset[str]:
    """The sides that are not asked."""
    return frozenset(side.id for side in scene.sides if side.has(AUTOMATIC))


def _against(game: Game, asked: Asked, answers: Answers) -> str:
    """What the rules have against an act that the game master's word let through; empty for nothing."""
    if asked.act.kind != "move" or not asked.reason or asked.act.at is None:
        return " ".join(f"{refused.sentence} ({refused.rule})" for refused in answers.overruled)
    token = game.scene.token(asked.act.token)
    return " ".join(game.ruleset.judge(game.scene, token, asked.act.at, asked.act.facing).reasons)


def _pending(asked: Asked, waiting: WaitingError) -> Pending:
    choice = Choice(
        id=secrets.token_urlsafe(9),
        side=waiting.choice.side,
        question=waiting.choice.question,
        options=waiting.choice.answers,
        default=waiting.choice.default,
        token=waiting.choice.token,
        facts=explained(waiting.events),
    )
    so_far: dict[str, Any] = {
        "faces": tuple(waiting.given.used_faces),
        "decisions": tuple(waiting.given.used_decisions),
    }
    return Pending(
        id=choice.id,
        asked=msgspec.to_builtins(replace(asked, **so_far)),
        choice=msgspec.to_builtins(choice),
        is_secret=asked.secret,
    )
