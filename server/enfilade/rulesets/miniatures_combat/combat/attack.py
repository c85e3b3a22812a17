"""Attacks in one's own turn: the basic attack, the lunge, the push and the sweep (MNC-084 to MNC-105)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.geometry.board.units import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.causes import bar, walled_off
from enfilade.rules.battle.displace import displace
from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.house_rules import is_on
from enfilade.rules.procedures import (
    Act,
    Answer,
    Call,
    Change,
    Choose,
    Outcome,
    Require,
    Settled,
    Steps,
    body_of,
    yes_or_no,
)
from enfilade.rules.resolve import check_refusal, raise_refusal
from enfilade.rules.ruleset import QuickRefusal, RefusalNow
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.battlefield import ENGAGED, Battlefield, battlefield
from enfilade.rulesets.miniatures_combat.combat.attack_rolls import (
    Strike,
    bonus_dice,
    count_successes,
    roll_strike,
)
from enfilade.rulesets.miniatures_combat.combat.defense import Defense, ask_dice, begin_fight, resolve_defense
from enfilade.rulesets.miniatures_combat.combat.story import book
from enfilade.rulesets.miniatures_combat.displacement import (
    LUNGE_REACH,
    ForcedMoves,
    free_place,
    lunge_place,
    move_to,
    straight_back,
)
from enfilade.rulesets.miniatures_combat.movement import mark_moved
from enfilade.rulesets.miniatures_combat.positions import WALL
from enfilade.rulesets.miniatures_combat.profiles import INCH, MOST_LEVEL, Fighter, defense_difficulty
from enfilade.rulesets.miniatures_combat.turn import (
    find_fighter,
    require_active,
    require_dice,
    spend_dice,
)
from enfilade.scene.events import Explained, side_holder
from enfilade.scene.model import Scene, Value

PUSH_DISTANCE = 2 * INCH
"""How far a push or a sweep moves a model (MNC-097, MNC-103)."""
SHORT_SWEEP = INCH
"""How far a sweep moves a model whose way is shortened."""
NO_ENEMY = "none"
"""The answer that lets a success of a sweep move no enemy."""
SUCCESS = 5
"""The face with which a push or a sweep succeeds (MNC-096, MNC-102)."""
SWEEP_DICE = 2
"""The dice that one action die gives to a sweep (MNC-102)."""


class AttackDice(Value, frozen=True):
    """The general dice of an attack (MNC-086)."""

    dice: Annotated[int, Meta(ge=1, le=MOST_LEVEL, title=localize("miniatures_combat.field_dice"))] = 1


def attack(scene: Scene, act: Act) -> Steps:
    """Attack a foe in reach with dice from the pool (MNC-084 to MNC-090)."""
    fighter, target = find_pair(scene, act)
    dice = body_of(act, AttackDice).dice
    yield Require(require_attack, (scene, fighter, target, dice))
    scene, ready = yield from begin_fight(scene, fighter)
    if ready is None or target.id not in battlefield(scene).fighters:
        return Outcome("fell")
    scene = yield set_condition(scene, fighter.id, "must defend")
    scene = yield from spend_dice(scene, ready, dice)
    field = battlefield(scene)
    strike = Strike(field.fighters[fighter.id], field.fighters[target.id], dice)
    scene, outcome, gain = yield from roll_strike(scene, strike, settles=True)
    yield from book(scene, [gain])
    return outcome


def require_attack(scene: Scene, fighter: Fighter, target: Fighter, dice: int) -> None:
    """Raise IllegalAct if a model may not attack a foe now (MNC-063, MNC-064, MNC-085)."""
    require_active(scene, fighter.token)
    require_enemy(scene, fighter, target)
    _require_distance("attack", scene, fighter, target)
    require_clear_line(scene, fighter, target, "MNC-064")
    require_dice(fighter, dice)


def require_clear_line(scene: Scene, fighter: Fighter, target: Fighter, rule: str) -> None:
    """Raise OutOfReach if a wall or a base is on the line between two models (MNC-064)."""
    blocker = battlefield(scene).positions.line_blocker(fighter.id, target.id)
    if blocker == WALL:
        raise walled_off(fighter.name, target.name, rule)
    if blocker is not None:
        names = {"name": target.name, "other": scene.token(blocker).name}
        raise OutOfReach(localize("miniatures_combat.refuse_line", **names), rule, "sight")


def find_pair(scene: Scene, act: Act) -> tuple[Fighter, Fighter]:
    """Return the model that acts and its target. Raises NotFound, IllegalAct if they are one or out of it."""
    fighter, target = find_fighter(scene, act.token), find_fighter(scene, act.target)
    if fighter.id == target.id:
        raise IllegalAct(localize("miniatures_combat.refuse_target", name=target.name), "MNC-001", "target")
    return fighter, target


def require_enemy(scene: Scene, fighter: Fighter, target: Fighter) -> None:
    """Raise IllegalAct if the target is no enemy in the fight."""
    if not battlefield(scene).are_enemies(fighter, target):
        raise IllegalAct(localize("miniatures_combat.refuse_target", name=target.name), "MNC-001", "target")


def distance_fault(kind: str, fighter: Fighter, gap: int) -> tuple[str, str] | None:
    """Return the sentence and the rule that refuse a strike over a distance from base to base, if any do."""
    if kind == "attack" and gap > fighter.reach:
        return "miniatures_combat.refuse_reach", "MNC-084"
    if kind == "lunge" and gap <= ENGAGED:
        return "miniatures_combat.refuse_lunge_near", "MNC-091"
    if kind == "lunge" and gap > LUNGE_REACH:
        return "miniatures_combat.refuse_lunge_far", "MNC-093"
    if kind == "push" and gap > ENGAGED:
        return "miniatures_combat.refuse_push_far", "MNC-096"
    return None


def _out_of_reach(kind: str, fighter: Fighter, target: Fighter, gap: int) -> IllegalAct | None:
    fault = distance_fault(kind, fighter, gap)
    return None if fault is None else OutOfReach(localize(fault[0], name=target.name), fault[1], "distance")


def _require_distance(kind: str, scene: Scene, fighter: Fighter, target: Fighter) -> None:
    raise_refusal(_out_of_reach(kind, fighter, target, battlefield(scene).gap(fighter.id, target.id)))


def far_refusals(kind: str) -> RefusalNow:
    """Return what refuses a kind of strike at once for offers: in a crowd most enemies are too far away."""

    def refusal_now(scene: Scene, token_id: str) -> QuickRefusal | None:
        field = battlefield(scene)
        fighter = field.fighters.get(token_id)
        if fighter is None:
            return None
        not_now = check_refusal(require_active, scene, fighter.token)
        enemies, gaps = {one.id: one for one in field.enemies(fighter)}, field.positions.gaps(token_id)

        def refusal(scene: Scene, act: Act) -> IllegalAct | None:
            del scene
            enemy = enemies.get(act.target)
            if enemy is None:
                return None
            return not_now or _out_of_reach(kind, fighter, enemy, gaps[enemy.id])

        return refusal

    return refusal_now


def _owe_defenses(scene: Scene, fighter: Fighter) -> Steps:
    """Note that who strikes owes all defenses, a charger too (MNC-073, MNC-110); return the scene."""
    if scene.token(fighter.id).has("must defend"):
        return scene
    return (yield set_condition(scene, fighter.id, "must defend"))


# The lunge


class Lunge(Value, frozen=True):
    """The general dice of a lunge, and those of the defense after it (MNC-093, MNC-094)."""

    dice: Annotated[int, Meta(ge=1, le=MOST_LEVEL, title=localize("miniatures_combat.field_dice"))] = 1
    defense: Annotated[int, Meta(ge=0, le=MOST_LEVEL, title=localize("miniatures_combat.field_defense"))] = 0
    bonus: Annotated[int, Meta(ge=0, le=5, title=localize("miniatures_combat.field_bonus"))] = 0


def lunge(scene: Scene, act: Act) -> Steps:
    """Lunge at a foe more than 1" away, then defend against it if it still stands (MNC-091 to MNC-095)."""
    fighter, target = find_pair(scene, act)
    body = body_of(act, Lunge)
    yield Require(require_lunge, (scene, fighter, target, body))
    scene, ready = yield from begin_fight(scene, fighter)
    if ready is None or target.id not in battlefield(scene).fighters:
        return Outcome("fell")
    at = lunge_place(scene, ready, battlefield(scene).fighters[target.id])
    if at is not None:
        scene, _ = yield from displace(scene, ready.id, at, "lunge", ForcedMoves)
        scene = yield from mark_moved(scene, ready)
    scene = yield set_condition(scene, fighter.id, "must defend")
    scene = yield from spend_dice(scene, ready, body.dice)
    field = battlefield(scene)
    strike = Strike(field.fighters[fighter.id], field.fighters[target.id], body.dice, "lunge")
    scene, outcome, gain = yield from roll_strike(scene, strike, settles=True)
    scene = yield from book(scene, [gain])
    yield from _defend_after_lunge(scene, fighter.id, target.id, body)
    return outcome


def _defend_after_lunge(scene: Scene, key: str, target: str, body: Lunge) -> Steps:
    """Defend against the target of a lunge if it is on its feet (MNC-094).

    A lunge that names no dice for that asks for them, if there are any.
    """
    field = battlefield(scene)
    fighter, enemy = field.fighters.get(key), field.fighters.get(target)
    if fighter is None or enemy is None or enemy.token.has("prone"):
        return
    # An earlier defense in this activation was another one: this foe is fought anew.
    if enemy.id not in [one.id for one in field.attackers(fighter)]:
        return
    dice = min(body.defense, fighter.token.track("dice"))
    bonus = min(body.bonus, bonus_dice(scene, fighter))
    if not dice + bonus:
        dice, bonus = yield from ask_dice(scene, fighter, enemy)
    defense = Defense(target, dice, bonus, defense_difficulty(scene, fighter))
    yield from resolve_defense(scene, fighter, defense)


def require_lunge(scene: Scene, fighter: Fighter, target: Fighter, body: Lunge) -> None:
    """Raise IllegalAct if a model may not lunge at a foe now (MNC-091 to MNC-093)."""
    require_active(scene, fighter.token)
    require_enemy(scene, fighter, target)
    _require_distance("lunge", scene, fighter, target)
    at = lunge_place(scene, fighter, target)
    if at is None:
        require_clear_line(scene, fighter, target, "MNC-093")
        raise bar("others", fighter.name, "MNC-093")
    if battlefield(scene).gap_at(fighter.token, at, target.id) > fighter.reach:
        raise OutOfReach(localize("miniatures_combat.refuse_reach", name=target.name), "MNC-084", "distance")
    require_dice(fighter, body.dice + body.defense)


# The push


class Push(Value, frozen=True):
    """The general dice of a push (MNC-096)."""

    dice: Annotated[int, Meta(ge=1, le=MOST_LEVEL, title=localize("miniatures_combat.field_dice"))] = 1


def push(scene: Scene, act: Act) -> Steps:
    """Push an enemy up to 2": to the place that the act names, else straight back (MNC-096 to MNC-100)."""
    fighter, target = find_pair(scene, act)
    dice = body_of(act, Push).dice
    yield Require(require_push, (scene, fighter, target, act.at, dice))
    scene = yield from _owe_defenses(scene, fighter)
    scene = yield from spend_dice(scene, fighter, dice)
    needed = SUCCESS - push_modifier(scene, fighter, target)
    facts = {"token": fighter.id, "target": target.id, "needed": needed, "dice": dice}
    yield Change(Explained(kind="push", facts=facts))
    successes = yield Call(count_successes, (dice, needed, localize("miniatures_combat.roll_push")))
    outcome = Outcome("pushed" if successes else "stood")
    yield Settled(outcome)
    yield Change(Explained(kind="push roll", facts={**facts, "is_success": successes > 0}))
    if successes:
        was = battlefield(scene).bases[target.id].at
        at = act.at or straight_back(scene, fighter, target, PUSH_DISTANCE)
        scene = yield from move_to(scene, target.id, at, "push")
        yield from _follow_up(scene, fighter.id, was)
    return outcome


def push_modifier(scene: Scene, fighter: Fighter, target: Fighter) -> int:
    """Return what a push adds to its dice, by a house rule only: levels and horses (MNC-096, C-6)."""
    if not is_on(scene, house_rules.PUSH_MODIFIERS):
        return 0
    return fighter.level - target.level + int(fighter.is_mounted) - int(target.is_mounted)


def _follow_up(scene: Scene, key: str, was: tuple[int, int]) -> Steps:
    """Let the pusher advance to where the pushed model stood, if it touches no enemy (MNC-099).

    Who fled does not engage again so, if the push has freed it (MNC-060).
    """
    field = battlefield(scene)
    fighter = field.fighters[key]
    x, y = field.bases[key].at
    at = free_place(field, fighter, (was[0] - x, was[1] - y), PUSH_DISTANCE)
    flees = fighter.token.has("fled") and not field.is_engaged(fighter)
    if at == fighter.token.at or (flees and field.engages_at(fighter, at)):
        return scene
    question = localize("miniatures_combat.ask_follow", name=fighter.name)
    if (yield yes_or_no(fighter.side, question, default=False, token=key)) == "no":
        return scene
    scene, _ = yield from displace(scene, key, at, "follow up", ForcedMoves)
    return (yield from mark_moved(scene, fighter))


def require_push(scene: Scene, fighter: Fighter, target: Fighter, at: Cell | None, dice: int) -> None:
    """Raise IllegalAct if a model may not push an enemy now (MNC-096, MNC-097)."""
    require_active(scene, fighter.token)
    require_enemy(scene, fighter, target)
    _require_distance("push", scene, fighter, target)
    require_clear_line(scene, fighter, target, "MNC-064")
    if at is not None and not battlefield(scene).is_within(target.token, at, PUSH_DISTANCE):
        raise OutOfReach(
            localize("miniatures_combat.refuse_push_place", name=target.name), "MNC-097", "distance"
        )
    require_dice(fighter, dice)


# The sweep


class Sweep(Value, frozen=True):
    """The general dice of a sweep, and the story points discarded to ignore wounds (MNC-102, MNC-105)."""

    dice: Annotated[int, Meta(ge=1, le=MOST_LEVEL, title=localize("miniatures_combat.field_dice"))] = 1
    ignored: Annotated[int, Meta(ge=0, le=20, title=localize("miniatures_combat.field_ignored"))] = 0


def sweep(scene: Scene, act: Act) -> Steps:
    """Sweep with a heavy two-handed weapon: each success moves one enemy 2" back (MNC-101 to MNC-105)."""
    fighter, body = find_fighter(scene, act.token), body_of(act, Sweep)
    yield Require(require_sweep, (scene, fighter, body))
    needed = SUCCESS + fighter.wounds - min(fighter.wounds, body.ignored)
    facts = {"token": fighter.id, "needed": needed, "dice": SWEEP_DICE * body.dice}
    yield Change(Explained(kind="sweep", facts=facts))
    if body.ignored:
        points = scene.side(fighter.side).track("story") - body.ignored
        scene = yield set_track(scene, side_holder(fighter.side), "story", max(0, points))
    scene = yield from _owe_defenses(scene, fighter)
    scene = yield from spend_dice(scene, fighter, body.dice)
    label = localize("miniatures_combat.roll_sweep")
    successes = yield Call(count_successes, (SWEEP_DICE * body.dice, needed, label))
    outcome = Outcome("swept" if successes else "stood")
    yield Settled(outcome)
    yield Change(Explained(kind="sweep roll", facts={**facts, "successes": successes}))
    swept: list[str] = []
    for _ in range(successes):
        field = battlefield(scene)
        close = [one for one in _in_sweep(field, field.fighters[fighter.id]) if one.id not in swept]
        if not close:
            break
        choice = yield Choose(
            fighter.side,
            localize("miniatures_combat.ask_swept"),
            _sweeps(close),
            close[0].id,
            fighter.id,
        )
        if choice == NO_ENEMY:
            break
        key, _, is_short = choice.partition(" ")
        swept.append(key)
        distance = SHORT_SWEEP if is_short else PUSH_DISTANCE
        at = straight_back(scene, field.fighters[fighter.id], field.fighters[key], distance)
        scene = yield from move_to(scene, key, at, "sweep")
    return outcome


def _in_sweep(field: Battlefield, fighter: Fighter) -> list[Fighter]:
    """Return the enemies within 1" that no wall keeps from a sweep (MNC-064, MNC-103)."""
    near = field.enemies_within(fighter, ENGAGED)
    return [one for one in near if field.has_clear_line(fighter.id, one.id)]


def _sweeps(close: Sequence[Fighter]) -> tuple[Answer, ...]:
    """Return whom a success may move, the whole way or half of it, or that it moves none (MNC-103)."""
    whole = [Answer(one.id, one.name) for one in close]
    half = [
        Answer(f"{one.id} 1", localize("miniatures_combat.answer_short_sweep", name=one.name))
        for one in close
    ]
    return (*whole, *half, Answer(NO_ENEMY, localize("miniatures_combat.answer_no_enemy")))


def require_sweep(scene: Scene, fighter: Fighter, body: Sweep) -> None:
    """Raise IllegalAct if a model may not sweep now (MNC-101, MNC-105)."""
    require_active(scene, fighter.token)
    if not fighter.profile.two_handed or not _in_sweep(battlefield(scene), fighter):
        raise IllegalAct(localize("miniatures_combat.refuse_sweep", name=fighter.name), "MNC-101", "missing")
    if body.ignored > scene.side(fighter.side).track("story"):
        raise IllegalAct(localize("miniatures_combat.refuse_points"), "MNC-105", "cost")
    require_dice(fighter, body.dice)
