"""Rounds and turns: initiative, ties, the actions of a turn, and intents (KOV-023 to KOV-032)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, permutations
from typing import Annotated, NamedTuple

from msgspec import Meta

from enfilade.errors import CannotPay, IllegalAct, OutOfTurn
from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.dice import numbered
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.procedures import (
    Act,
    Answer,
    Change,
    Choose,
    ChooseAll,
    Outcome,
    Require,
    Roll,
    Steps,
    body_of,
    set_condition,
    set_track,
)
from enfilade.rules.resolve import check_refusal
from enfilade.rules.ruleset import Turn
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import battlefield
from enfilade.rulesets.knights_of_valour.profiles import LEAST_STAT, BuffKind, Creature, read_creature
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene, Side, Token, Value

ROUND_CONDITIONS = ("acted", "intent", "free attack", "provoked")
ROUND_TRACKS = ("initiative", "order", "moves used", "combat actions used", "movement", "diagonals")
"""What a new round clears from each creature."""


def is_in_play(scene: Scene) -> bool:
    """Return whether a round has started; before the first, creatures act freely."""
    return scene.track("round") > 0


def in_battle(scene: Scene) -> list[Creature]:
    """Return the creatures that are not defeated, in order of entry."""
    return battlefield(scene).units


@per_scene
def active_creature(scene: Scene) -> Creature | None:
    """Return the creature whose turn it is, the first whose turn in this round is not over (KOV-024).

    None before the first round and between rounds.
    """
    waiting = [token for token in scene.tokens if "order" in token.tracks and _is_waiting(token)]
    if not waiting or not is_in_play(scene):
        return None
    return read_creature(min(waiting, key=lambda token: token.track("order")))


def _is_waiting(token: Token) -> bool:
    return "acted" not in token.conditions and "out" not in token.conditions


@per_scene
def turn(scene: Scene) -> Turn:
    """Return the active creature, and whether the battle is over (KOV-023, KOV-027)."""
    number, won = scene.track("round"), scene.conditions.get("won")
    if won is not None:
        return Turn(round=number, is_over=True, winners=(won,))
    if scene.tokens and all(token.has("out") for token in scene.tokens):
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
    now = turn(scene)
    if now.is_over:
        raise IllegalAct(localize("knights_of_valour.refuse_over"), "KOV-023", "turn")
    if is_in_play(scene) and now.token != token.id:
        raise OutOfTurn(localize("knights_of_valour.refuse_turn", name=token.name), "KOV-027")


def require_combat_action(scene: Scene, creature: Creature) -> None:
    """Raise IllegalAct if a creature may not take a Combat Action now (KOV-031)."""
    require_turn(scene, creature.token)
    if is_in_play(scene) and not combat_actions_left(creature):
        raise CannotPay(localize("knights_of_valour.refuse_combat_action", name=creature.name), "KOV-031")


@per_scene
def combat_action_refusal(scene: Scene, creature: Creature) -> IllegalAct | None:
    """Return the error that `require_combat_action` raises: once for all acts of a creature."""
    return check_refusal(require_combat_action, scene, creature)


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


NONE, NO_ONE, SOMEONE = "0", "no one", "someone"
"""The answers that lower no initiative: of a creature, of a side; and the one that asks for amounts."""
ANOTHER_ORDER = "another order"
"""The answer of a side that lowers no initiative, and asks for the order of its ties."""
MOST_ORDERED = 4
"""The most tied creatures whose orders are listed: 24. Of more, players first choose who goes first."""


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
    answers = yield from _ask_sides(scene, ranked)
    ranked = yield from _ask_lowering(ranked, answers)
    order = yield from _settle_order(scene, ranked, [key for key, one in answers.items() if one == NO_ONE])
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


# "Players may elect to reduce their Initiative by any amount" (KOV-028)


def _ask_sides(scene: Scene, ranked: Sequence[Ranked]) -> Steps:
    """Ask each side with several players, at the same time, if one lowers initiative or orders its ties anew.

    Returns the answer of each side asked. No question names a hidden creature.
    """
    seen = [one for one in ranked if one.creature.is_player and not one.creature.token.hidden]
    players = [(side, [one for one in seen if one.creature.token.side == side.id]) for side in scene.sides]
    asked = {side.id: _does_anyone_lower(side, own) for side, own in players if len(own) > 1}
    answers = (yield ChooseAll(tuple(asked.values()))) if asked else ()
    return dict(zip(asked, answers, strict=True))


def _does_anyone_lower(side: Side, players: Sequence[Ranked]) -> Choose:
    """Ask a side whether anyone lowers initiative; who says no one agrees the order of its ties (KOV-030)."""
    ranks = groupby(sorted(players, key=lambda one: -one.initiative), key=lambda one: one.initiative)
    ties = [tied for tied in (list(group) for _, group in ranks) if len(tied) > 1]
    no_one = [Answer(NO_ONE, localize("knights_of_valour.answer_no_one"))]
    if ties:
        order = "; ".join(", ".join(one.creature.name for one in tied) for tied in ties)
        label = localize("knights_of_valour.answer_no_one_tied", order=order)
        tokens = tuple(one.creature.id for tied in ties for one in tied)
        anew = Answer(ANOTHER_ORDER, localize("knights_of_valour.answer_another_order"))
        no_one = [Answer(NO_ONE, label, tokens), anew]
    answers = (*no_one, Answer(SOMEONE, localize("knights_of_valour.answer_someone")))
    question = localize("knights_of_valour.ask_anyone_lowers", side=side.name)
    return Choose(side.id, question, answers, NO_ONE)


def _ask_lowering(ranked: Sequence[Ranked], answers: Mapping[str, str]) -> Steps:
    """Ask each player by how much it lowers initiative, unless its side said that no one does (KOV-028).

    Returns the ranks. A monster cannot lower its initiative. A side with one player is asked for the amount
    at once; so is the player of a hidden creature, which no question and no amount tells others of.
    """
    players = [one for one in ranked if one.creature.is_player]
    seen = [one for one in players if not one.creature.token.hidden]
    passing = {side for side, answer in answers.items() if answer != SOMEONE}
    asked = [one for one in players if one not in seen or one.creature.token.side not in passing]
    choices = {one.creature.id: _lowering(one, LEAST_STAT - max(1, len(seen))) for one in asked}
    amounts = (yield ChooseAll(tuple(choices.values()))) if choices else ()
    lowered = dict(zip(choices, amounts, strict=True))
    return [one._replace(lowered=int(lowered.get(one.creature.id, NONE))) for one in ranked]


def _lowering(one: Ranked, lowest: int) -> Choose:
    """Ask for any amount, down to an initiative with a place for each player below all creatures."""
    checkpoint()
    none = Answer(NONE, localize("knights_of_valour.answer_none"))
    amounts = (
        Answer(str(amount), _lowering_text(one, amount)) for amount in range(1, one.initiative - lowest + 1)
    )
    question = localize("knights_of_valour.ask_lower", name=one.creature.name, initiative=one.initiative)
    return Choose(one.creature.token.side, question, (none, *amounts), NONE, one.creature.id)


def _lowering_text(one: Ranked, amount: int) -> str:
    return localize("knights_of_valour.answer_lower", amount=amount, initiative=one.initiative - amount)


# "Players with the same Initiative decide which of them goes first" (KOV-030)


def _settle_order(scene: Scene, ranked: Sequence[Ranked], agreed: Sequence[str]) -> Steps:
    """Return the order of turns: descending initiative, players before monsters (KOV-027, KOV-029).

    The sides in `agreed` have agreed that their own ties are in order of entry.
    """
    is_monster_first = setting(scene, house_rules.LOWERED_TIES) == "monster first"

    def rank(one: Ranked) -> tuple[int, bool, bool]:
        return -one.initiative, is_monster_first and bool(one.lowered), not one.creature.is_player

    order: list[Ranked] = []
    for _, tied in groupby(sorted(ranked, key=rank), key=rank):
        order += yield from _settle_tie(scene, list(tied), agreed)
    return order


def _settle_tie(scene: Scene, tied: list[Ranked], agreed: Sequence[str]) -> Steps:
    """Ask tied players for their order (KOV-030); monsters keep the order of entry, or the Judge decides.

    Returns the order (C-20, C-21). A hidden creature that ties with enemies goes last, so that no question
    tells of it.
    """
    if tied[0].creature.is_player:
        sides = {one.creature.token.side for one in tied}
        if len(sides) == 1 and sides.issubset(agreed):
            return tied
        unseen = [one for one in tied if one.creature.token.hidden and _has_enemy(scene, one, tied)]
        tied, last = [one for one in tied if one not in unseen], unseen
    elif setting(scene, house_rules.MONSTER_TIES) == "the Judge decides":
        last = []
    else:
        return tied
    order: list[Ranked] = []
    while len(tied) > 1:
        first = (yield from _agree(scene, tied)).split(",")
        order += [one for key in first for one in tied if one.creature.id == key]
        tied = [one for one in tied if one.creature.id not in first]
    return order + tied + last


def _has_enemy(scene: Scene, one: Ranked, tied: Sequence[Ranked]) -> bool:
    side = scene.side(one.creature.token.side)
    return not all(side.is_ally(scene.side(other.creature.token.side)) for other in tied)


def _agree(scene: Scene, tied: list[Ranked]) -> Steps:
    """Ask each team of tied creatures for their order, or who goes first; return the answer that counts.

    If hostile teams differ, the first team in order of entry decides, or by default a die (KOV-030, C-28).
    """
    teams: list[str] = []
    for side in dict.fromkeys(one.creature.token.side for one in tied):
        if not any(scene.side(side).is_ally(scene.side(team)) for team in teams):
            teams.append(side)
    choices = tuple(_first_of(team, tied) for team in teams)
    answers = (yield ChooseAll(choices)) if len(choices) > 1 else ((yield choices[0]),)
    if len(set(answers)) == 1 or setting(scene, house_rules.HOSTILE_TIES) == "first in order of entry":
        return answers[0]
    (face,) = yield Roll(localize("knights_of_valour.roll_tie"), numbered(len(teams)))
    yield Change(Explained(kind="tie", facts={"side": teams[face - 1], "initiative": tied[0].initiative}))
    return answers[face - 1]


def _first_of(side: str, tied: list[Ranked]) -> Choose:
    """Ask a side for the order of tied creatures; for the first alone, if they have too many orders."""
    initiative = tied[0].initiative
    is_order = 2 < len(tied) <= MOST_ORDERED
    key = "knights_of_valour.ask_order" if is_order else "knights_of_valour.ask_first"
    answers = []
    for listed in permutations(tied, len(tied) if is_order else 1):
        creatures = [one.creature for one in listed]
        name = ", ".join(one.name for one in creatures)
        answers.append(
            Answer(",".join(one.id for one in creatures), name, tuple(one.id for one in creatures))
        )
    return Choose(side, localize(key, initiative=initiative), tuple(answers), answers[0].key)
