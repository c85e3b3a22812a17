"""Attacks: who may be attacked with what, every modifier, the die, and what a hit does."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.errors import CannotPay, IllegalAct, OutOfReach, OutOfTurn
from enfilade.geometry.square import is_adjacent, is_in_front_arc, steps_between
from enfilade.geometry.units import Cell
from enfilade.rules.dice import D6
from enfilade.rules.house_rules import is_on
from enfilade.rules.modifiers import Modifier, total
from enfilade.rules.procedures import Act, Change, Do, Must, Outcome, Roll, Steps, yes_or_no
from enfilade.rulesets.coup_de_grace import rulings
from enfilade.rulesets.coup_de_grace.modifiers import (
    defence_modifiers,
    defence_value,
    melee_modifiers,
    ranged_modifiers,
)
from enfilade.rulesets.coup_de_grace.movement import board, is_in_play, multiplier, points_left
from enfilade.rulesets.coup_de_grace.profiles import Fighter, fighter
from enfilade.rulesets.coup_de_grace.sight import blocked_by
from enfilade.rulesets.coup_de_grace.states import put, set_condition, set_track, wounded
from enfilade.rulesets.coup_de_grace.strike import Strike, is_facing
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token

RANGED_COST = 4
"""Movement points of a ranged attack with no enemy beside the shooter (CDG-038)."""


def strike_of(scene: Scene, act: Act) -> Strike:
    """The strike that an act asks for; raises IllegalAct where the weapon is not in hand, or NotFound."""
    attacker = fighter(scene.token(act.token))
    item = attacker.items.get(act.weapon)
    if item is None or not (item.melee if act.kind == "melee" else item.ranged):
        raise IllegalAct(f"{attacker.token.name} has no '{act.weapon}' to attack with.", "CDG-008")
    return Strike(scene, attacker, fighter(scene.token(act.target)), act.weapon, item, act.kind)


def cost_of(strike: Strike) -> int:
    """Movement points of an attack: melee is free, ranged doubles per adjacent enemy (CDG-037 to CDG-042)."""
    token = strike.attacker.token
    if strike.is_melee or strike.attacker.is_downed or token.at is None:
        return 0
    return RANGED_COST * multiplier(strike.scene, token, token.at)


def _must_be_on_the_board(strike: Strike) -> None:
    for token in (strike.attacker.token, strike.target.token):
        if token.at is None:
            raise OutOfReach(f"{token.name} is not on the board.", "CDG-068")


def must_be_legal(strike: Strike) -> None:
    """Raises the IllegalAct that says which rule forbids a strike."""
    _must_be_on_the_board(strike)
    _must_have_its_turn(strike.scene, strike.attacker)
    _must_be_an_enemy(strike)
    if strike.is_melee:
        _must_be_in_front(strike)
    else:
        _must_be_in_sight(strike)
    _must_be_able_to_pay(strike)


def _must_have_its_turn(scene: Scene, attacker: Fighter) -> None:
    token = attacker.token
    if attacker.is_out or token.at is None:
        raise IllegalAct(f"{token.name} is not on the board.", "CDG-068")
    if is_in_play(scene) and scene.conditions.get("active") != token.id:
        raise OutOfTurn(f"It is not the activation of {token.name}.", "CDG-027")
    if attacker.is_downed and token.has("acted"):
        raise IllegalAct(f"{token.name} is downed and has used its one act.", "CDG-071")


def _must_be_an_enemy(strike: Strike) -> None:
    attacker, target = strike.attacker.token, strike.target.token
    if target.at is None or strike.target.is_out:
        raise OutOfReach(f"{target.name} is not on the board.", "CDG-068")
    if attacker.side == target.side:
        raise IllegalAct(f"{target.name} is on the same side.", "CDG-052")
    if strike.scene.are_allies(attacker, target) and not is_on(strike.scene, rulings.ATTACK_ALLIES):
        raise IllegalAct(f"{target.name} is an ally.", "CDG-052")


def _must_be_in_front(strike: Strike) -> None:
    attacker, target = strike.attacker.token, strike.target.token
    if not is_adjacent(strike.from_cell, strike.to_cell):
        raise OutOfReach(f"{target.name} is not adjacent.", "CDG-049")
    if attacker.facing is not None and not is_facing(attacker, strike.to_cell):
        raise OutOfReach(f"{target.name} is not straight ahead of {attacker.name}.", "CDG-014")
    obstacle = blocked_by(strike.scene, attacker, target)
    if obstacle:
        raise OutOfReach(f"Blocked by {obstacle}.", "CDG-049")


def _must_be_in_sight(strike: Strike) -> None:
    attacker, target = strike.attacker.token, strike.target.token
    facing = attacker.facing
    if facing is not None and not is_in_front_arc(strike.from_cell, facing, strike.to_cell):
        raise OutOfReach(f"{target.name} is not in the front arc.", "CDG-050")
    steps = steps_between(strike.from_cell, strike.to_cell)
    if strike.item.reach and steps > strike.item.reach:
        raise OutOfReach(f"{target.name} is {steps} squares away, out of range.", "CDG-038")
    obstacle = blocked_by(strike.scene, attacker, target)
    if obstacle:
        raise OutOfReach(f"Blocked by {obstacle}.", "CDG-051")


def _must_be_able_to_pay(strike: Strike) -> None:
    token = strike.attacker.token
    if is_in_play(strike.scene) and strike.weapon in used_weapons(token):
        raise CannotPay(f"{token.name} has attacked with the {strike.item.name} this round.", "CDG-021")
    cost, left = cost_of(strike), points_left(strike.scene, strike.attacker)
    if cost > left:
        raise CannotPay(f"It costs {cost} movement points, and {left} are left.", "CDG-043")


def used_weapons(token: Token) -> list[str]:
    """The held weapons that have attacked this round (CDG-021)."""
    note = token.conditions.get("used", "")
    return note.split(", ") if note else []


def attack(scene: Scene, act: Act) -> Steps:
    """A melee or ranged attack from the first word to the last (CDG-047 to CDG-080)."""
    strike = strike_of(scene, act)
    _must_be_on_the_board(strike)
    yield Must(must_be_legal, (strike,))
    modifiers, defences = _modifiers(strike), defence_modifiers(strike)
    defence = defence_value(strike) + total(defences)
    yield _declared(strike, modifiers, defences, defence)
    scene = yield from _paid(strike)
    die, is_second = yield Do(attack_die, (strike.attacker.token.side, _may_reroll(strike)))
    if is_second and is_in_play(scene):
        yield set_condition(scene, strike.attacker.token.id, "rerolled")
    result = die + total(modifiers)
    if result < defence:
        yield _told(strike, result, "miss", strike.target.hit_points)
        return Outcome("miss")
    damage = 1 + total(damage_modifiers(strike, die))
    left = yield from wounded(scene, strike.target.token.id, damage)
    yield _told(strike, result, "hit", strike.target.hit_points - damage)
    yield from _pushed(strike, left)
    return Outcome("hit", damage, left)


def attack_die(side: str, may_reroll_ones: bool) -> Steps:
    """The face of an attack's D6, and whether it was rolled again (humans may, once a round)."""
    (face,) = yield Roll("attack", D6)
    if face == 1 and may_reroll_ones:
        answer = yield yes_or_no(side, "Re-roll the attack die that shows 1?", default=True)
        if answer == "yes":
            (face,) = yield Roll("attack, again", D6)
            return face, True
    return face, False


def _may_reroll(strike: Strike) -> bool:
    return strike.attacker.profile.race == "human" and not strike.attacker.token.has("rerolled")


def damage_modifiers(strike: Strike, die: int) -> list[Modifier]:
    """What race and weapon add to the 1 hit point of a hit (CDG-048, CDG-063)."""
    modifiers = []
    if strike.attacker.profile.race == "orc" and die == 6:
        modifiers.append(Modifier("orc, die shows 6", 1, "CDG-063"))
    if strike.is_melee and strike.item.name == "axe" and die == 6:
        modifiers.append(Modifier("axe, die shows 6", 1, "CDG-063"))
    return modifiers


def _modifiers(strike: Strike) -> list[Modifier]:
    return melee_modifiers(strike) if strike.is_melee else ranged_modifiers(strike)


def _paid(strike: Strike) -> Steps:
    scene, token = strike.scene, strike.attacker.token
    if not is_in_play(scene):
        return scene
    cost = cost_of(strike)
    if cost:
        scene = yield set_track(scene, token.id, "mp", token.track("mp") - cost)
    scene = yield set_condition(scene, token.id, "used", ", ".join([*used_weapons(token), strike.weapon]))
    if strike.attacker.is_downed:
        scene = yield set_condition(scene, token.id, "acted")
    return scene


def _pushed(strike: Strike, left: str) -> Steps:
    """A hit with a single-handed hammer may push its target one square straight away (CDG-064)."""
    if strike.weapon.startswith("hammer") and strike.is_melee and left != "out":
        there = _behind(strike)
        if there is not None:
            answer = yield yes_or_no(
                strike.attacker.token.side, f"Push {strike.target.token.name} back one square?", default=True
            )
            if answer == "yes":
                token = strike.target.token
                yield put(token, there, None if left == "downed" else token.facing)
                yield Change(Explained(kind="push", facts={"target": token.id}))


def _behind(strike: Strike) -> Cell | None:
    (x, y), (ax, ay) = strike.to_cell, strike.from_cell
    there = (2 * x - ax, 2 * y - ay)
    occupied = {token.at for token in strike.scene.on_board()}
    return there if there in board(strike.scene) and there not in occupied else None


def _declared(strike: Strike, modifiers: list[Modifier], defences: list[Modifier], defence: int) -> Change:
    facts = {
        "token": strike.attacker.token.id,
        "target": strike.target.token.id,
        "act": f"{strike.kind} {strike.weapon}",
        "modifiers": [_plain(m) for m in modifiers],
        "defences": [_plain(m) for m in (_base(strike), *defences)],
        "needed": defence - total(modifiers),
    }
    return Change(Explained(kind="declared", facts=facts))


def _base(strike: Strike) -> Modifier:
    return Modifier(f"{strike.target.profile.armour} armour", defence_value(strike), "CDG-002")


def _plain(modifier: Modifier) -> dict[str, object]:
    return {
        "reason": modifier.reason,
        "value": modifier.value,
        "rule": modifier.rule,
        "counts": modifier.counts,
    }


def _told(strike: Strike, result: int, word: str, left: int) -> Change:
    before = strike.target.hit_points
    facts = {"total": result, "result": word, "damage": before - left, "hit_points": [before, left]}
    return Change(Explained(kind="attack", facts=facts))


def strikes(scene: Scene, attacker: Fighter) -> Iterator[Act]:
    """Every attack a miniature's hands allow, at every enemy on the board."""
    for weapon, item in attacker.items.items():
        for other in scene.on_board():
            if not scene.are_allies(attacker.token, other):
                for kind in ("melee", "ranged"):
                    if item.melee if kind == "melee" else item.ranged:
                        yield Act(kind=kind, token=attacker.token.id, target=other.id, weapon=weapon)
