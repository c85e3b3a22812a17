"""Rounds and activations: initiative, priority and turn order (CDG-019 to CDG-032, CDG-079)."""

from __future__ import annotations

from collections import Counter

from enfilade.errors import IllegalAct, OutOfTurn
from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.kit.activations import (
    active_token,
    clear_round,
    finish_activation,
    in_battle,
    not_activated,
    side_after,
    side_from,
    win_initiative,
)
from enfilade.rules.procedures import Act, Change, Outcome, Require, Steps, set_condition, set_track
from enfilade.rules.ruleset import Turn
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import battlefield
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene, Token

ROUND_CONDITIONS = ("activated", "used", "acted", "rerolled", "braced", "warded", "entangled", "earth")
"""The conditions that end with the round."""

ROUND_TRACKS = ("hastened", "slowed")


def side_to_activate(scene: Scene) -> str | None:
    """Return the side that activates next: the side with priority, or the next side with a miniature left.

    It is None at the end of the round (CDG-027, CDG-028, CDG-030).
    """
    return side_from(scene, scene.conditions.get("priority"))


@per_scene
def turn(scene: Scene) -> Turn:
    """Return the turn: the active miniature, or the side with priority (CDG-027, CDG-078)."""
    active, number = active_token(scene), scene.track("round")
    won = scene.conditions.get("won")
    if won is not None:
        return Turn(round=number, is_over=True, winners=winners(scene, won))
    if active:
        return Turn(round=number, sides=(active.side,), token=active.id)
    following = side_to_activate(scene) if number else None
    return Turn(round=number, sides=(following,) if following else ())


def winners(scene: Scene, won: str) -> tuple[str, ...]:
    """Return the winning side and its teammates; empty for a draw."""
    return tuple(side.id for side in scene.sides if won and scene.side(won).is_ally(side))


def start_round(scene: Scene, act: Act) -> Steps:
    """Start a round. The side with the most miniatures activates first (CDG-019 to CDG-031)."""
    del act
    if not scene.tokens:
        raise IllegalAct(localize("coup_de_grace.refuse_no_combatants"), "CDG-019", "request")
    yield Require(require_round_over, (scene,))
    number = scene.track("round") + 1
    scene = yield set_track(scene, TABLE, "round", number)  # first: an offer needs nothing of what follows
    scene = yield from _end_round_effects(scene)
    first = yield from _roll_initiative(scene)
    for condition in ("priority", "first"):
        scene = yield set_condition(scene, TABLE, condition, first)
    counts = {side.name: len(in_battle(scene, side.id)) for side in scene.sides}
    facts = {"act": f"round {number}", "result": scene.side(first).name, "counts": counts}
    yield Change(Explained(kind="round", facts=facts))
    begins = localize("coup_de_grace.outcome_begins", side=scene.side(first).name)
    return Outcome("round", leaves=begins)


def require_round_over(scene: Scene) -> None:
    """Raise IllegalAct or OutOfTurn if no round may start now."""
    if scene.has("won"):
        raise IllegalAct(localize("coup_de_grace.refuse_battle_over"), "CDG-078", "turn")
    is_in_play = scene.track("round") > 0
    left = not_activated(scene) if is_in_play else ()
    if left:
        names = ", ".join([token.name for token in left[:3]])
        sentence = localize("coup_de_grace.refuse_round_goes_on", names=names, count=len(left))
        raise OutOfTurn(sentence, "CDG-030")
    if all(token.has("out") for token in scene.tokens):
        raise IllegalAct(localize("coup_de_grace.refuse_no_combatants"), "CDG-019", "request")
    if is_in_play and active_token(scene):
        raise OutOfTurn(localize("coup_de_grace.refuse_round_active"), "CDG-030")


def _end_round_effects(scene: Scene) -> Steps:
    """End all effects that last until the end of the round."""
    if scene.has("active"):
        scene = yield set_condition(scene, TABLE, "active", None)
    return (yield from clear_round(scene, ROUND_CONDITIONS, ROUND_TRACKS))


def _roll_initiative(scene: Scene) -> Steps:
    """Return the side with the most miniatures. Tied sides roll off (CDG-023, ruling 9).

    All miniatures count that are not out of action (CDG-023 to CDG-026).
    """
    counts = Counter([token.side for token in scene.tokens if "out" not in token.conditions])
    most = max(counts.values(), default=0)
    tied = [side.id for side in scene.sides if counts[side.id] == most]
    last_first = scene.conditions.get("first")
    if battlefield(scene).setting(house_rules.TIE) == "stay" and last_first in tied:
        return last_first
    return (yield from win_initiative(scene, tied))


def activate(scene: Scene, act: Act) -> Steps:
    """Activate a miniature of the side with priority (CDG-020, CDG-027, CDG-070)."""
    token = scene.token(act.token)
    yield Require(require_next, (scene, token))
    one = battlefield(scene).fighter(act.token)
    points = 0 if one.is_downed else one.allowance + token.track("hastened")
    scene = yield set_condition(scene, TABLE, "active", token.id)
    scene = yield set_track(scene, token.id, "mp", points)
    yield Change(Explained(kind="activate", facts={"token": token.id, "counts": {"mp": points}}))
    return Outcome("active")


def require_next(scene: Scene, token: Token) -> None:
    """Raise IllegalAct or OutOfTurn if a miniature may not be activated now."""
    if not scene.track("round"):
        raise OutOfTurn(localize("coup_de_grace.refuse_no_round"), "CDG-019")
    if scene.has("won"):
        raise IllegalAct(localize("coup_de_grace.refuse_battle_over"), "CDG-078", "turn")
    active = active_token(scene)
    if active is not None:
        raise OutOfTurn(localize("coup_de_grace.refuse_activation_goes_on", name=active.name), "CDG-027")
    if token.has("out"):
        raise IllegalAct(localize("coup_de_grace.refuse_out", name=token.name), "CDG-068", "ban")
    if token.has("activated"):
        raise OutOfTurn(localize("coup_de_grace.refuse_activated", name=token.name), "CDG-019")
    following = turn(scene).sides
    if following and token.side not in following:
        raise OutOfTurn(
            localize("coup_de_grace.refuse_other_side", side=scene.side(following[0]).name), "CDG-027"
        )


def end_activation(scene: Scene, act: Act) -> Steps:
    """End an activation. Priority passes to the next side with a miniature left (CDG-027 to CDG-030)."""
    token = scene.token(act.token)
    yield Require(require_active, (scene, token))
    left = token.track("mp")
    scene = yield from finish_activation(scene, token.id)
    scene = yield set_track(scene, token.id, "mp", None)
    following = side_after(scene, token.side)  # ruling 10
    yield set_condition(scene, TABLE, "priority", following)
    result = scene.side(following).name if following else "round over"
    facts = {"token": token.id, "result": result, "counts": {"mp": left}}
    yield Change(Explained(kind="end", facts=facts))
    return Outcome("ended")


def require_active(scene: Scene, token: Token) -> None:
    """Raise OutOfTurn if it is not a miniature's activation."""
    if scene.conditions.get("active") != token.id:
        raise OutOfTurn(localize("coup_de_grace.refuse_not_active", name=token.name), "CDG-027")


def declare_victory(scene: Scene, act: Act) -> Steps:
    """Declare that a miniature's side has won the scenario, as the GM (CDG-079)."""
    token = scene.token(act.token)
    yield Require(_require_scenario, (scene,))
    yield set_condition(scene, TABLE, "won", token.side)
    yield Change(Explained(kind="victory", facts={"result": scene.side(token.side).name}))
    return Outcome("won")


def _require_scenario(scene: Scene) -> None:
    if battlefield(scene).setting(house_rules.VICTORY) != "scenario":
        raise IllegalAct(localize("coup_de_grace.refuse_no_scenario"), "CDG-079", "request")
    if scene.has("won"):
        raise IllegalAct(localize("coup_de_grace.refuse_battle_over"), "CDG-078", "turn")
