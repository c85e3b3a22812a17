"""Turns: who is next, the actions of a turn, and intents (KOV-023 to KOV-025, KOV-031, KOV-032)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from enfilade.errors import CannotPay, IllegalAct, OutOfTurn
from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.house_rules import is_on
from enfilade.rules.procedures import Act, Change, Outcome, Require, Steps, body_of
from enfilade.rules.ruleset import Turn
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import battlefield
from enfilade.rulesets.knights_of_valour.profiles import BuffKind, Creature, read_creature
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token, Value

ROUND_CONDITIONS = ("acted", "intent", "free attack", "provoked")
ROUND_TRACKS = ("initiative", "order", "moves used", "combat actions used", "movement", "diagonals")
"""What a new round clears from each creature."""


def is_in_play(scene: Scene) -> bool:
    """Return whether a round has started; before the first, creatures act freely."""
    return scene.track("round") > 0


def in_battle(scene: Scene) -> list[Creature]:
    """Return the creatures that are not defeated, in order of entry."""
    return battlefield(scene).units


def waiting(scene: Scene) -> list[Creature]:
    """Return the creatures whose turn in this round is not over, the active one first (KOV-024)."""
    left = [one for one in in_battle(scene) if "order" in one.token.tracks and not one.token.has("acted")]
    return sorted(left, key=lambda one: one.token.track("order"))


@per_scene
def active_creature(scene: Scene) -> Creature | None:
    """Return the creature whose turn it is; None before the first round and between rounds."""
    return next(iter(waiting(scene)), None) if is_in_play(scene) else None


@per_scene
def turn(scene: Scene) -> Turn:
    """Return the active creature, and whether the battle is over (KOV-023, KOV-027)."""
    number, won = scene.track("round"), scene.conditions.get("won")
    if won is not None:
        return Turn(round=number, is_over=True, winners=(won,))
    if scene.tokens and not in_battle(scene):
        return Turn(round=number, is_over=True)
    active = active_creature(scene)
    if active is None:
        return Turn(round=number)
    return Turn(round=number, sides=(active.token.side,), token=active.id)


# Actions


def actions(creature: Creature, kind: BuffKind) -> int:
    """Return the Move or Combat Actions of a turn: one, and those of buffs (KOV-031, KOV-032)."""
    return 1 + sum(buff.value for buff in creature.buffs(kind))


def moves_left(creature: Creature) -> int:
    """Return the Move Actions left in this turn."""
    return max(0, actions(creature, "move action") - creature.token.track("moves used"))


def combat_actions_left(creature: Creature) -> int:
    """Return the Combat Actions left in this turn."""
    return max(0, actions(creature, "combat action") - creature.token.track("combat actions used"))


def require_turn(scene: Scene, token: Token) -> None:
    """Raise IllegalAct after the battle, OutOfTurn if it is the turn of another creature (KOV-027)."""
    if turn(scene).is_over:
        raise IllegalAct(localize("knights_of_valour.refuse_over"), "KOV-023", "turn")
    if not is_in_play(scene):
        return
    active = active_creature(scene)
    if active is None or active.id != token.id:
        raise OutOfTurn(localize("knights_of_valour.refuse_turn", name=token.name), "KOV-027")


def require_combat_action(scene: Scene, creature: Creature) -> None:
    """Raise IllegalAct if a creature may not take a Combat Action now (KOV-031)."""
    require_turn(scene, creature.token)
    if is_in_play(scene) and not combat_actions_left(creature):
        raise CannotPay(localize("knights_of_valour.refuse_combat_action", name=creature.name), "KOV-031")


def spend_combat_action(scene: Scene, creature: Creature) -> Steps:
    """Record a Combat Action as used; return the scene. It ends a Move Action that has begun (C-13)."""
    if not is_in_play(scene):
        return scene
    token = scene.token(creature.id)
    if "movement" in token.tracks and not is_on(scene, house_rules.SPLIT_MOVES):
        scene = yield set_track(scene, token.id, "movement", None)
    return (yield set_track(scene, token.id, "combat actions used", token.track("combat actions used") + 1))


def end_turn(scene: Scene, act: Act) -> Steps:
    """End the turn of the active creature."""
    token = scene.token(act.token)
    yield Require(_require_active, (scene, token))
    scene = yield set_condition(scene, token.id, "acted")
    following = active_creature(scene)
    facts = {"token": token.id, "next": following.id if following else ""}
    yield Change(Explained(kind="end", facts=facts))
    return Outcome("ended")


def _require_active(scene: Scene, token: Token) -> None:
    if not is_in_play(scene):
        raise OutOfTurn(localize("knights_of_valour.refuse_no_round"), "KOV-023")
    require_turn(scene, token)


# Intents


class Intent(Value, frozen=True):
    """The intent that a player announces (KOV-025)."""

    text: Annotated[str, Meta(title=localize("knights_of_valour.field_intent"), max_length=200)] = ""


def announce_intent(scene: Scene, act: Act) -> Steps:
    """Announce a player's general intent, at the start of a round (KOV-025)."""
    creature = read_creature(scene.token(act.token))
    yield Require(_require_start_of_round, (scene, creature))
    intent = body_of(act, Intent).text.strip() or localize("knights_of_valour.intent_ready")
    yield set_condition(scene, creature.id, "intent", intent)
    yield Change(Explained(kind="intent", facts={"token": creature.id, "intent": intent}))
    return Outcome("announced")


def _require_start_of_round(scene: Scene, creature: Creature) -> None:
    if creature.token.has("out") or not creature.is_player:
        sentence = localize("knights_of_valour.refuse_intent_of", name=creature.name)
        raise IllegalAct(sentence, "KOV-025", "target")
    has_begun = any(
        one.token.has("acted") or one.token.track("moves used") or one.token.track("combat actions used")
        for one in in_battle(scene)
    )
    if turn(scene).is_over or not is_in_play(scene) or has_begun:
        raise OutOfTurn(localize("knights_of_valour.refuse_intent_late"), "KOV-025")
