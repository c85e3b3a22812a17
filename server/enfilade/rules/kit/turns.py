"""Turn orders: sides alternate one act at a time, or a side acts with all of its miniatures.

The state is the condition "next" and the track "round", both on the table, and for side turns two conditions
on the miniatures. A battle is over when only allies are left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from msgspec.structs import replace

from enfilade.errors import IllegalAct, OutOfTurn
from enfilade.i18n import localize
from enfilade.rules.kit.health import OUT
from enfilade.rules.outlook import refreshed, with_token
from enfilade.rules.procedures import Act, Change, Outcome, Require, Steps, set_condition, set_track
from enfilade.rules.ruleset import ActKind, Turn
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene, Token

Part = Literal["move", "act"]
"""The parts of a miniature's turn."""

NEXT, ROUND = "next", "round"


class TurnOrder(Protocol):
    """A turn order, as the other parts use it."""

    @property
    def rule(self) -> str:
        """Return the ID of the rule that a refusal names."""

    def turn(self, scene: Scene) -> Turn:
        """Return the state of the turn order."""

    def require(self, scene: Scene, token: Token, part: Part = "act") -> None:
        """Raise IllegalAct or OutOfTurn unless a miniature may move or act now."""

    def after(self, scene: Scene, token: Token, part: Part = "act") -> Steps:
        """Record that a miniature has moved or acted; return the scene."""

    def acts(self) -> Mapping[str, ActKind]:
        """Return the acts of the turn order."""

    def tracks(self) -> Mapping[str, str]:
        """Return the tracks of the turn order, each with a sentence."""

    def conditions(self) -> Mapping[str, str]:
        """Return the conditions of the turn order, each with a sentence."""


def sides_left(scene: Scene) -> list[str]:
    """Return the IDs of the sides that have a miniature that is not out."""
    left = {token.side for token in scene.tokens if not token.has(OUT)}
    return [side.id for side in scene.sides if side.id in left]


def turn_of_side(scene: Scene) -> Turn:
    """Return the turn of the side that is next, or the end of the battle."""
    sides, number = sides_left(scene), scene.track(ROUND, 1)
    if all(scene.side(sides[0]).is_ally(scene.side(side)) for side in sides):
        return Turn(round=number, is_over=True, winners=tuple(sides))
    listed = scene.conditions.get(NEXT)
    return Turn(round=number, sides=(listed if listed in sides else sides[0],))


def pass_to_next_side(scene: Scene, side: str) -> Steps:
    """Give the turn to the next side that has a miniature; after the last one a round ends."""
    ids = [one.id for one in scene.sides]
    place = ids.index(side) + 1
    left = {side, *sides_left(scene)}
    following = next(one for one in [*ids[place:], *ids[:place]] if one in left)
    if ids.index(following) < place:
        scene = yield set_track(scene, TABLE, ROUND, scene.track(ROUND, 1) + 1)
    return (yield set_condition(scene, TABLE, NEXT, following))


def require_turn(scene: Scene, token: Token, rule: str) -> None:
    """Raise IllegalAct or OutOfTurn unless it is the turn of a miniature's side."""
    turn = turn_of_side(scene)
    if turn.is_over:
        raise IllegalAct(localize("kit.battle_over"), rule, "turn")
    if token.has(OUT):
        raise IllegalAct(localize("kit.is_out", name=token.name), rule, "ban")
    if token.side not in turn.sides:
        raise OutOfTurn(localize("kit.not_your_turn", side=scene.side(token.side).name), rule)


def with_turn_of(scene: Scene, tokens: Sequence[str]) -> Scene:
    """Return the scene in which it is the turn of the side of some miniatures."""
    if not tokens:
        return scene
    return replace(scene, conditions={**scene.conditions, NEXT: scene.token(tokens[0]).side})


def no_turns(scene: Scene) -> Turn:
    """Return that there is no order: for a game whose turns the tabletop keeps."""
    del scene
    return Turn(round=0)


@dataclass(frozen=True)
class AlternateTurns:
    """The sides take turns: one miniature moves or acts, or the side passes."""

    rule: str

    def turn(self, scene: Scene) -> Turn:
        """Return the state of the turn order."""
        return turn_of_side(scene)

    def require(self, scene: Scene, token: Token, part: Part = "act") -> None:
        """Raise IllegalAct or OutOfTurn unless a miniature may move or act now."""
        del part
        require_turn(scene, token, self.rule)

    def ready(self, scene: Scene, tokens: Sequence[str]) -> Scene:
        """Return the scene in which it is the turn of the side of some miniatures, for `Outlook.ready`."""
        return with_turn_of(scene, tokens)

    def after(self, scene: Scene, token: Token, part: Part = "act") -> Steps:
        """Give the turn to the next side; return the scene."""
        del part
        return (yield from pass_to_next_side(scene, token.side))

    def acts(self) -> Mapping[str, ActKind]:
        """Return the act that passes."""
        return {"pass": ActKind(localize("kit.act_pass"), self._pass)}

    def _pass(self, scene: Scene, act: Act) -> Steps:
        token = scene.token(act.token)
        yield Require(self.require, (scene, token))
        yield Change(Explained(kind="pass", facts={"token": token.id}))
        yield from self.after(scene, token)
        return Outcome("passed")

    def tracks(self) -> Mapping[str, str]:
        """Return the track of the round."""
        return {ROUND: localize("kit.track_round")}

    def conditions(self) -> Mapping[str, str]:
        """Return the condition of the side that is next."""
        return {NEXT: localize("kit.condition_next")}


@dataclass(frozen=True)
class SideTurns:
    """A side acts with all of its miniatures, then ends its turn. Each may move once and act once."""

    rule: str

    DONE: ClassVar[Mapping[Part, str]] = {"move": "moved", "act": "acted"}
    """The condition of a miniature that has used each part of its turn."""

    WHY: ClassVar[Mapping[Part, str]] = {"move": "kit.has_moved", "act": "kit.has_acted"}
    """The sentence that refuses a second one."""

    def turn(self, scene: Scene) -> Turn:
        """Return the state of the turn order."""
        return turn_of_side(scene)

    def require(self, scene: Scene, token: Token, part: Part = "act") -> None:
        """Raise IllegalAct or OutOfTurn unless a miniature may move or act now."""
        require_turn(scene, token, self.rule)
        if token.has(self.DONE[part]):
            raise IllegalAct(localize(self.WHY[part], name=token.name), self.rule, "cost")

    def ready(self, scene: Scene, tokens: Sequence[str]) -> Scene:
        """Return the scene in which some miniatures of a side can move and act, for `Outlook.ready`."""
        fresh = with_turn_of(scene, tokens)
        for token in tokens:
            fresh = with_token(fresh, refreshed(scene.token(token), {}, self.DONE.values()))
        return fresh

    def after(self, scene: Scene, token: Token, part: Part = "act") -> Steps:
        """Record that a miniature has moved or acted; return the scene."""
        return (yield set_condition(scene, token.id, self.DONE[part]))

    def acts(self) -> Mapping[str, ActKind]:
        """Return the act that ends a side's turn."""
        return {"end": ActKind(localize("kit.act_end"), self._end)}

    def _end(self, scene: Scene, act: Act) -> Steps:
        token = scene.token(act.token)
        yield Require(require_turn, (scene, token, self.rule))
        yield Change(Explained(kind="end", facts={"token": token.id, "side": token.side}))
        for one in scene.tokens:
            for condition in self.DONE.values():
                if one.side == token.side and one.has(condition):
                    scene = yield set_condition(scene, one.id, condition, None)
        yield from pass_to_next_side(scene, token.side)
        return Outcome("ended")

    def tracks(self) -> Mapping[str, str]:
        """Return the track of the round."""
        return {ROUND: localize("kit.track_round")}

    def conditions(self) -> Mapping[str, str]:
        """Return the conditions of the side that is next, and of miniatures that have moved or acted."""
        return {
            NEXT: localize("kit.condition_next"),
            "moved": localize("kit.condition_moved"),
            "acted": localize("kit.condition_acted"),
        }
