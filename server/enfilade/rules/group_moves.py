"""The move of a group: several tokens one after the other, as one act.

A ruleset lists it among its acts with `ActKind(label, group_move(judge, move, rule), body=GroupMove)`. The
act is stored as one entry and undone as one. The rules judge each move in the order given, in the scene that
the moves before it lead to; if they do not allow the order, the first that they allow is taken. A table that
enforces takes all moves or none.

The body of any act may have a field `members`: the tokens that act together with the act's own. A player may
name own tokens only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from msgspec import Meta
from msgspec.structs import replace

from enfilade.errors import IllegalAct
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.procedures import Act, Outcome, Procedure, Require, Steps, body_of
from enfilade.rules.ruleset import Ruling, refused_move
from enfilade.scene.model import Scene, Token, Value

GROUP_MOVE = "move_group"
"""The kind of act that moves a group."""
MOST_MEMBERS = 64
MOST_WAYPOINTS = 64

Judge = Callable[[Scene, Token, Sequence[Cell], int | None], Ruling]

TokenId = Annotated[str, Meta(max_length=64)]
Path = Annotated[tuple[Cell, ...], Meta(min_length=1, max_length=MOST_WAYPOINTS)]


class GroupMove(Value, frozen=True):
    """The moves of a group: its members in the order they move, and the waypoints of each, its end last."""

    members: Annotated[
        tuple[TokenId, ...], Meta(title=localize("rules.field_members"), max_length=MOST_MEMBERS)
    ] = ()
    paths: Annotated[
        tuple[Path, ...], Meta(title=localize("rules.field_paths"), max_length=MOST_MEMBERS)
    ] = ()


class MemberMove(NamedTuple):
    """The move of one member."""

    token: str
    path: tuple[Cell, ...]


def moved_tokens(act: Act | Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tokens that an act moves along a path, as an `Act` or as JSON; empty for other acts."""
    kind, token = (act.kind, act.token) if isinstance(act, Act) else (act["kind"], act["token"])
    if kind == GROUP_MOVE:
        return named_members(act)
    return (token,) if kind == "move" else ()


def named_members(act: Act | Mapping[str, Any]) -> tuple[str, ...]:
    """Return the members that the body of an act names, as an `Act` or as JSON of any shape."""
    if isinstance(act, Act):
        found = getattr(act.body, "members", ())
    else:
        body = act.get("body")
        found = body.get("members", ()) if isinstance(body, Mapping) else ()
    return tuple(key for key in found if isinstance(key, str)) if isinstance(found, list | tuple) else ()


def group_move(judge: Judge, move: Procedure, rule: str) -> Procedure:
    """Return the procedure that moves a group by the procedure of single moves.

    The members move in the order given, or in the first in which the rules allow each move.
    `rule` is the ID of the rule by which a senseless act is refused.
    """

    def move_group(scene: Scene, act: Act) -> Steps:
        """Move each member along its path."""
        moves = _in_order(scene, judge, _moves_of(scene, act, rule))
        if scene.enforcement == "enforce":
            ahead = scene
            for one in moves:
                yield Require(_require_move, (ahead, judge, one))
                ahead = _with_token_at(ahead, one)
        for one in moves:
            token = scene.token(one.token)
            if token.at is not None:
                path = one.path if len(one.path) > 1 else ()
                single = Act(kind="move", token=token.id, at=one.path[-1], facing=token.facing, path=path)
                scene = yield from _follow(move(scene, single), scene)
        return Outcome("moved")

    return move_group


MOST_JUDGED = 512
"""The moves that are judged in search of an order, at most."""


def _in_order(scene: Scene, judge: Judge, moves: list[MemberMove]) -> list[MemberMove]:
    """Return the moves in the first order in which the rules allow each: as given, if there is none.

    Hidden tokens do not matter, so that no order betrays one.
    """
    members = {one.token for one in moves}
    known = tuple(token for token in scene.tokens if token.id in members or not token.hidden)
    tried, judged, failed = list[int](), 0, set[frozenset[int]]()

    def found(ahead: Scene) -> bool:
        nonlocal judged
        if frozenset(tried) in failed:
            return False
        for place, one in enumerate(moves):
            if place in tried or judged >= MOST_JUDGED:
                continue
            judged += 1
            token = ahead.token(one.token)
            if judge(ahead, token, one.path, token.facing).allowed:
                tried.append(place)
                if len(tried) == len(moves) or found(_with_token_at(ahead, one)):
                    return True
                tried.pop()
        failed.add(frozenset(tried))
        return False

    return [moves[place] for place in tried] if found(replace(scene, tokens=known)) else moves


def _moves_of(scene: Scene, act: Act, rule: str) -> list[MemberMove]:
    """Return the moves of an act. Raises NotFound for an unknown token, IllegalAct for a senseless act."""
    body = body_of(act, GroupMove)
    if not body.members or len(body.paths) != len(body.members):
        raise IllegalAct(localize("rules.group_paths"), rule, "request")
    if len(set(body.members)) != len(body.members):
        raise IllegalAct(localize("rules.group_twice"), rule, "request")
    moves = [MemberMove(*one) for one in zip(body.members, body.paths, strict=True)]
    for one in moves:
        token = scene.token(one.token)
        if token.at is None or not all(at in scene.grid for at in one.path):
            raise IllegalAct(localize("rules.group_off_board", name=token.name), rule, "edge")
    return moves


def _require_move(scene: Scene, judge: Judge, one: MemberMove) -> None:
    """Raise IllegalAct if the rules do not allow the move of a member."""
    token = scene.token(one.token)
    ruling = judge(scene, token, one.path, token.facing)
    if not ruling.allowed:
        refused = refused_move(ruling)
        sentence = localize("rules.group_member", name=token.name, why=refused.sentence)
        raise IllegalAct(sentence, refused.rule, refused.cause)


def _with_token_at(scene: Scene, one: MemberMove) -> Scene:
    tokens = (replace(t, at=one.path[-1]) if t.id == one.token else t for t in scene.tokens)
    return replace(scene, tokens=tuple(tokens))


def _follow(steps: Steps, scene: Scene) -> Steps:
    """Run the procedure of a single move; return the scene after it."""
    answer: Any = None
    while True:
        try:
            request = steps.send(answer)
        except StopIteration:
            return scene
        answer = yield request
        if isinstance(answer, Scene):
            scene = answer
