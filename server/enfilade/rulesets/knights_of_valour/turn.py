"""Rounds and turns: initiative, its lowering, ties, and the actions of a turn (KOV-023 to KOV-032)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Annotated, NamedTuple

from msgspec import Meta

from enfilade.errors import CannotPay, IllegalAct, OutOfTurn
from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Act, Answer, Change, Choose, ChooseAll, Outcome, Require, Steps, body_of
from enfilade.rules.ruleset import Turn
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import battlefield
from enfilade.rulesets.knights_of_valour.profiles import BuffKind, Creature, read_creature
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene, Token, Value

ROUND_CONDITIONS = ("acted", "intent", "free attack", "provoked")
ROUND_TRACKS = ("initiative", "order", "moves used", "combat actions used", "movement", "diagonals")
"""What a new round clears from each creature."""

NONE = "0"
"""The answer that does not lower the initiative."""


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
    """Record a Combat Action as used; return the scene."""
    if not is_in_play(scene):
        return scene
    used = scene.token(creature.id).track("combat actions used") + 1
    return (yield set_track(scene, creature.id, "combat actions used", used))


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


# The start of a round


class Ranked(NamedTuple):
    """A creature's initiative in a round: its own, and by how much its player lowered it."""

    creature: Creature
    lowered: int = 0

    @property
    def initiative(self) -> int:
        """Return the initiative of this round (KOV-026, KOV-028)."""
        return self.creature.profile.agility - self.lowered


def start_round(scene: Scene, act: Act) -> Steps:
    """Start a round: players lower initiative, ties are settled, turns go in order (KOV-023 to KOV-030)."""
    del act
    if not in_battle(scene):
        raise IllegalAct(localize("knights_of_valour.refuse_no_creatures"), "KOV-024", "request")
    yield Require(_require_round_over, (scene,))
    ranked = [Ranked(one) for one in in_battle(scene)]
    ranked = yield from _ask_lowering(ranked)
    order = yield from _settle_order(scene, ranked)
    for one in in_battle(scene):
        scene = yield from _clear_round(scene, one.token)
    number = scene.track("round") + 1
    scene = yield set_track(scene, TABLE, "round", number)
    for place, one in enumerate(order, 1):
        scene = yield set_track(scene, one.creature.id, "initiative", one.initiative)
        scene = yield set_track(scene, one.creature.id, "order", place)
    listed = [
        {"token": one.creature.id, "initiative": one.initiative, "lowered": one.lowered} for one in order
    ]
    yield Change(Explained(kind="round", facts={"round": number, "order": listed}))
    begins = localize("knights_of_valour.outcome_begins", name=order[0].creature.name)
    return Outcome("round", leaves=begins)


def _clear_round(scene: Scene, token: Token) -> Steps:
    """Clear what the last round left on a creature; return the scene."""
    for condition in ROUND_CONDITIONS:
        if token.has(condition):
            scene = yield set_condition(scene, token.id, condition, None)
    for track in ROUND_TRACKS:
        if track in token.tracks:
            scene = yield set_track(scene, token.id, track, None)
    return scene


def _require_round_over(scene: Scene) -> None:
    if turn(scene).is_over:
        raise IllegalAct(localize("knights_of_valour.refuse_over"), "KOV-023", "turn")
    if active_creature(scene) is not None:
        raise OutOfTurn(localize("knights_of_valour.refuse_round_not_over"), "KOV-024")


def _ask_lowering(ranked: Sequence[Ranked]) -> Steps:
    """Ask all players at the same time by how much they lower their initiative (KOV-028).

    Returns the ranks. A monster cannot lower its initiative.
    """
    lowest = min((one.initiative for one in ranked), default=0)
    choices = {one.creature.id: _lowering(one, lowest) for one in ranked if one.creature.is_player}
    answers = (yield ChooseAll(tuple(choices.values()))) if choices else ()
    lowered = dict(zip(choices, answers, strict=True))
    return [one._replace(lowered=int(lowered.get(one.creature.id, NONE))) for one in ranked]


def _lowering(one: Ranked, lowest: int) -> Choose:
    """Ask for an amount down to one below the lowest initiative: more changes nothing."""
    checkpoint()
    none = Answer(NONE, localize("knights_of_valour.answer_none"))
    amounts = (
        Answer(str(amount), _lowering_text(one, amount)) for amount in range(1, one.initiative - lowest + 2)
    )
    question = localize("knights_of_valour.ask_lower", name=one.creature.name, initiative=one.initiative)
    return Choose(one.creature.token.side, question, (none, *amounts), NONE, one.creature.id)


def _lowering_text(one: Ranked, amount: int) -> str:
    return localize("knights_of_valour.answer_lower", amount=amount, initiative=one.initiative - amount)


def _settle_order(scene: Scene, ranked: Sequence[Ranked]) -> Steps:
    """Return the order of turns: descending initiative, players before monsters (KOV-027, KOV-029)."""
    is_monster_first = setting(scene, house_rules.LOWERED_TIES) == "monster first"

    def rank(one: Ranked) -> tuple[int, bool, bool]:
        return -one.initiative, is_monster_first and bool(one.lowered), not one.creature.is_player

    order: list[Ranked] = []
    for _, tied in groupby(sorted(ranked, key=rank), key=rank):
        order += yield from _settle_tie(scene, list(tied))
    return order


def _settle_tie(scene: Scene, tied: list[Ranked]) -> Steps:
    """Ask tied players for their order (KOV-030); monsters keep the order of entry, or the Judge decides.

    Returns the order (C-20, C-21).
    """
    judge_decides = setting(scene, house_rules.MONSTER_TIES) == "the Judge decides"
    is_asked = tied[0].creature.is_player or judge_decides
    order: list[Ranked] = []
    while is_asked and len(tied) > 1:
        answers = tuple(Answer(one.creature.id, one.creature.name) for one in tied)
        head = tied[0]
        question = localize("knights_of_valour.ask_first", initiative=head.initiative)
        first = yield Choose(head.creature.token.side, question, answers, head.creature.id)
        order += [one for one in tied if one.creature.id == first]
        tied = [one for one in tied if one.creature.id != first]
    return order + tied
