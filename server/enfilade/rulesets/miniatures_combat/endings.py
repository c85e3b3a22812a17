"""The end of an activation: defenses still owed, captures, the next side, and the scenario's acts."""

from __future__ import annotations

from itertools import dropwhile
from typing import Annotated

from msgspec import Meta

from enfilade.errors import IllegalAct, NotFound, OutOfTurn
from enfilade.i18n import localize
from enfilade.rules.procedures import Act, Change, Outcome, Require, Steps, body_of, set_condition, set_track
from enfilade.rulesets.miniatures_combat.combat.damage import capture_endangered
from enfilade.rulesets.miniatures_combat.combat.defense import Defense, resolve_defense
from enfilade.rulesets.miniatures_combat.combat.flight import may_engage_again
from enfilade.rulesets.miniatures_combat.combat.missiles import end_later_moves
from enfilade.rulesets.miniatures_combat.combat.story import ask_named_model, book
from enfilade.rulesets.miniatures_combat.profiles import defense_difficulty
from enfilade.rulesets.miniatures_combat.turn import (
    ACTIVATION_CONDITIONS,
    ACTIVATION_TRACKS,
    TABLE_CONDITIONS,
    active_side,
    begin_first_round,
    begin_with,
    clear,
    find_fighter,
    group,
    is_group_active,
    is_new_round,
    owed_defenses,
    require_turn,
    sides_in_battle,
    turn,
)
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene, Token, Value


def end_activation(scene: Scene, act: Act) -> Steps:
    """End the activation and the turn.

    Archers who have not fired yet may fire, defenses still owed fail, endangered models may be captured, and
    hits are reset (MNC-029, MNC-031, MNC-069, MNC-072, MNC-116).
    """
    fighter = find_fighter(scene, act.token)
    yield Require(require_group_active, (scene, fighter.token))
    side = active_side(scene)
    yield Change(Explained(kind="end", facts={"token": fighter.id, "owed": _owed(scene)}))
    if is_group_active(scene):
        scene, gains = yield from end_later_moves(scene)
        scene = yield from book(scene, gains)
        scene = yield from _fail_owed_defenses(scene)
        scene = yield from capture_endangered(scene)
        scene = yield from _free_fled(scene)
    yield from next_turn(scene, side)
    return Outcome("ended")


def require_group_active(scene: Scene, token: Token) -> None:
    """Raise OutOfTurn before the side has activated a group: that is its turn (MNC-006)."""
    require_turn(scene, token)
    if not is_group_active(scene):
        raise OutOfTurn(localize("miniatures_combat.refuse_no_group"), "MNC-006")


def _owed(scene: Scene) -> list[str]:
    """Return the models that still owe defenses: the page warns before they fail (C-36)."""
    return [one.id for one in group(scene) if owed_defenses(scene, one)]


def _fail_owed_defenses(scene: Scene) -> Steps:
    """Resolve each defense still owed without dice: it fails (MNC-069). Return the scene."""
    while True:
        owing = next(
            ((one, owed_defenses(scene, one)) for one in group(scene) if owed_defenses(scene, one)), None
        )
        if owing is None:
            return scene
        fighter, enemies = owing
        defense = Defense(enemies[0].id, 0, 0, defense_difficulty(scene, fighter))
        scene, _ = yield from resolve_defense(scene, fighter, defense)


def _free_fled(scene: Scene) -> Steps:
    for key in may_engage_again(scene, group(scene)):
        scene = yield set_condition(scene, key, "fled", None)
    return scene


def next_turn(scene: Scene, side: str) -> Steps:
    """Give the turn to the next side: hits and the dice of the activation are gone; return the scene.

    (MNC-006, MNC-031)
    """
    for token in scene.tokens:
        scene = yield from clear(scene, token.id, ACTIVATION_CONDITIONS, ACTIVATION_TRACKS)
        if token.track("hits"):
            scene = yield set_track(scene, token.id, "hits", 0)
    scene = yield from clear(scene, TABLE, TABLE_CONDITIONS)
    order = [one.id for one in scene.sides]
    later = list(dropwhile(lambda one: one != side, order))[1:]
    following = next((one for one in (*later, *order) if one in sides_in_battle(scene)), side)
    scene = yield set_track(scene, TABLE, "turn", scene.track("turn", 1) + 1)
    if is_new_round(scene, side, following):
        scene = yield set_track(scene, TABLE, "round", scene.track("round", 1) + 1)
    scene = yield set_condition(scene, TABLE, "side", following)
    yield Change(Explained(kind="next turn", facts={"side": following}))
    return (yield from ask_named_model(scene, following))


# The acts of the scenario


class ScenarioEvent(Value, frozen=True):
    """A side of the battle and a text: what an act of the GM is about."""

    side: Annotated[str, Meta(title=localize("miniatures_combat.field_side"), max_length=64)] = ""
    text: Annotated[str, Meta(title=localize("miniatures_combat.field_text"), max_length=200)] = ""


def _side_of(scene: Scene, act: Act) -> str:
    side = body_of(act, ScenarioEvent).side or (scene.token(act.token).side if act.token else "")
    try:
        return scene.side(side).id
    except NotFound:
        raise IllegalAct(localize("miniatures_combat.refuse_side", side=side), "MNC-061", "request") from None


def begin_turn(scene: Scene, act: Act) -> Steps:
    """Give a side the turn, such as the first one of the scenario (MNC-006, C-34)."""
    side = _side_of(scene, act)
    yield Require(_require_no_group, (scene,))
    scene = yield from begin_first_round(scene)
    if scene.track("turn", 1) == 1:
        scene = yield from begin_with(scene, side)
    yield set_condition(scene, TABLE, "side", side)
    yield Change(Explained(kind="next turn", facts={"side": side}))
    return Outcome("begun")


def _require_no_group(scene: Scene) -> None:
    if is_group_active(scene):
        raise IllegalAct(localize("miniatures_combat.refuse_one_group"), "MNC-006", "turn")


def record_event(scene: Scene, act: Act) -> Steps:
    """Record what a story event does in this scenario (MNC-041, MNC-047)."""
    body = body_of(act, ScenarioEvent)
    if turn(scene).is_over:
        raise IllegalAct(localize("miniatures_combat.refuse_over"), "MNC-041", "turn")
    yield Change(Explained(kind="story event", facts={"side": body.side, "event": "", "text": body.text}))
    return Outcome("recorded")


def declare_victory(scene: Scene, act: Act) -> Steps:
    """Declare the victory of a side by the scenario (MNC-061, C-34)."""
    side = _side_of(scene, act)
    if turn(scene).is_over:
        raise IllegalAct(localize("miniatures_combat.refuse_over"), "MNC-061", "turn")
    yield set_condition(scene, TABLE, "won", side)
    yield Change(Explained(kind="victory", facts={"side": side}))
    return Outcome("won")
