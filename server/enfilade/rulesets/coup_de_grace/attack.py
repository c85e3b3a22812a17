"""Attacks from the first word to the last: the die, what a hit does, and the words (CDG-047 to CDG-080)."""

from __future__ import annotations

from msgspec.structs import asdict

from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.modifiers import total
from enfilade.rules.procedures import Act, Call, Change, Outcome, Require, Steps
from enfilade.rulesets.coup_de_grace.attack_roll import (
    Fallen,
    attack_die,
    defences_of,
    modifiers_of,
    to_hit,
)
from enfilade.rulesets.coup_de_grace.battlefield import battle_of
from enfilade.rulesets.coup_de_grace.damage import state_of, wounded
from enfilade.rulesets.coup_de_grace.effects.base import Hit
from enfilade.rulesets.coup_de_grace.legality import (
    is_out_of_reach,
    must_be_legal,
    must_be_on_the_board,
)
from enfilade.rulesets.coup_de_grace.modifiers import effects_of, face_modifiers
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.rulesets.coup_de_grace.strike import Strike, strike_of
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene


def attack(scene: Scene, act: Act) -> Steps:
    """A melee or ranged attack, or a spell that is one, with all the further attacks it leads to."""
    strike = strike_of(scene, act)
    must_be_on_the_board(strike)
    yield Require(must_be_legal, (strike,))
    yield _declared(strike)
    scene = yield from paid(scene, strike.attacker, strike.weapon, strike.cost)
    return (yield from _blow(scene, strike, 1))


def paid(scene: Scene, one: Fighter, weapon: str, cost: int) -> Steps:
    """Spends the movement points, and notes the weapon and the act (CDG-021, CDG-022, CDG-071)."""
    if not battle_of(scene).is_in_play:
        return scene
    if cost:
        scene = yield set_track(scene, one.id, "mp", max(0, one.token.track("mp") - cost))
    scene = yield set_condition(scene, one.id, "used", ", ".join([*one.noted("used"), weapon]))
    if one.is_downed:
        scene = yield set_condition(scene, one.id, "acted")
    return scene


def _blow(scene: Scene, strike: Strike, number: int) -> Steps:
    """One roll of an attack and what follows it; `number` counts the attacks of one act."""
    fallen: Fallen = yield Call(attack_die, (to_hit(strike), number))
    scene = yield from _noted_rerolls(scene, strike.attacker, fallen.rerolled)
    yield _told(strike, fallen)
    if fallen.is_hit:
        scene = yield from _hit(scene, strike, fallen.damage)
        outcome = Outcome("hit", fallen.damage, state_of(scene, strike.target.id))
    else:
        scene = yield from _missed(scene, strike)
        outcome = Outcome("miss")
    if fallen.goes_on:
        return (yield from _again(scene, strike, outcome, number))
    return outcome


def _hit(scene: Scene, strike: Strike, damage: int) -> Steps:
    scene = yield from wounded(scene, strike.target.id, damage)
    for _, effect in effects_of(strike):
        if effect.on_hit:
            left = state_of(scene, strike.target.id)
            scene = yield from effect.on_hit(Hit(strike, left, scene))
    return scene


def _missed(scene: Scene, strike: Strike) -> Steps:
    for _, effect in effects_of(strike):
        if effect.on_miss:
            scene = yield from effect.on_miss(strike, scene)
    return scene


def _again(scene: Scene, strike: Strike, so_far: Outcome, number: int) -> Steps:
    """A further attack at the same target, where it can still be made; both together are the outcome."""
    battle = battle_of(scene)
    attacker, target = battle.fighter(strike.attacker.id), battle.fighter(strike.target.id)
    further = Strike(battle, attacker, target, strike.weapon, strike.item, strike.kind)
    if target.is_out or is_out_of_reach(further):
        return so_far
    yield _declared(further)
    then = yield from _blow(scene, further, number + 1)
    if then.result == "miss":
        return so_far
    return Outcome("hit", so_far.damage + then.damage, then.leaves)


def _noted_rerolls(scene: Scene, attacker: Fighter, rerolled: tuple[str, ...]) -> Steps:
    if rerolled and battle_of(scene).is_in_play:
        names = ", ".join([*attacker.noted("rerolled"), *rerolled])
        scene = yield set_condition(scene, attacker.id, "rerolled", names)
    return scene


def _declared(strike: Strike) -> Change:
    """What is known before the die: modifiers, defence, and what the die must show."""
    deed = "coup de grace" if strike.is_coup_de_grace else strike.kind
    facts = {
        "token": strike.attacker.id,
        "target": strike.target.id,
        "act": f"{deed} {strike.item.name}",
        "modifiers": [asdict(m) for m in modifiers_of(strike)],
        "defences": [asdict(m) for m in defences_of(strike)],
        "needed": to_hit(strike).needed,
        "counts": {"cost": strike.cost},
    }
    return Change(Explained(kind="declared", facts=facts))


def _told(strike: Strike, fallen: Fallen) -> Change:
    """The whole attack for the log (CDG-076, CDG-080)."""
    lifts = [] if fallen.rerolled else face_modifiers(strike, fallen.face)
    modifiers = [*modifiers_of(strike), *lifts]
    before = strike.target.hit_points
    facts = {
        "modifiers": [asdict(m) for m in modifiers],
        "total": fallen.face + total(modifiers),
        "result": "hit" if fallen.is_hit else "miss",
        "damage": fallen.damage,
        "hit_points": [before, before - fallen.damage],
    }
    return Change(Explained(kind="coup_de_grace" if strike.is_coup_de_grace else "attack", facts=facts))
