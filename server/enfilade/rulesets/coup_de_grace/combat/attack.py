"""Attacks: the declaration, the die, the results of a hit, and further attacks (CDG-047 to CDG-080)."""

from __future__ import annotations

from msgspec.structs import asdict

from enfilade.rules.procedures import (
    Act,
    Call,
    Change,
    Outcome,
    Require,
    Steps,
    attack_in_words,
    set_condition,
    set_track,
)
from enfilade.rules.values import total
from enfilade.rulesets.coup_de_grace.battlefield import battlefield
from enfilade.rulesets.coup_de_grace.combat.attack_rolls import (
    RollResult,
    attack_die,
    attack_spec,
    defenses_of,
    effects_of,
    face_modifiers,
    modifiers_of,
)
from enfilade.rulesets.coup_de_grace.combat.attack_setup import (
    Strike,
    is_out_of_reach,
    require_legal,
    require_on_board,
    strike_of,
)
from enfilade.rulesets.coup_de_grace.combat.damage import apply_damage, state_of
from enfilade.rulesets.coup_de_grace.combat.effects import Hit
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene


def attack(scene: Scene, act: Act) -> Steps:
    """Resolve a melee or ranged attack, or a spell that is one, with all its further attacks."""
    strike = strike_of(scene, act)
    require_on_board(strike)
    yield Require(require_legal, (strike,))
    yield _declare(strike)
    scene = yield from spend_points(scene, strike.attacker, strike.weapon, strike.cost)
    return (yield from _roll_attack(scene, strike, 1))


def spend_points(scene: Scene, one: Fighter, weapon: str, cost: int) -> Steps:
    """Spend movement points, and note the weapon and the act (CDG-021, CDG-022, CDG-071)."""
    if not battlefield(scene).is_in_play:
        return scene
    if cost:
        scene = yield set_track(scene, one.id, "mp", max(0, one.token.track("mp") - cost))
    scene = yield set_condition(scene, one.id, "used", ", ".join([*one.listed("used"), weapon]))
    if one.is_downed:
        scene = yield set_condition(scene, one.id, "acted")
    return scene


def _roll_attack(scene: Scene, strike: Strike, number: int) -> Steps:
    """Resolve one roll of an attack; `number` counts the attacks of one act."""
    topic = attack_in_words(strike.attacker.name, strike.item.name, strike.target.name)
    rolled: RollResult = yield Call(attack_die, (attack_spec(strike), number), topic=topic)
    scene = yield from _note_rerolls(scene, strike.attacker, rolled.rerolled)
    yield _explain(strike, rolled)
    if rolled.is_hit:
        scene = yield from _resolve_hit(scene, strike, rolled.damage)
        outcome = Outcome("hit", rolled.damage, state_of(scene, strike.target.id))
    else:
        scene = yield from _resolve_miss(scene, strike)
        outcome = Outcome("miss")
    if rolled.attacks_again:
        return (yield from _attack_again(scene, strike, outcome, number))
    return outcome


def _resolve_hit(scene: Scene, strike: Strike, damage: int) -> Steps:
    scene = yield from apply_damage(scene, strike.target.id, damage)
    for _, effect in effects_of(strike):
        if effect.on_hit:
            left = state_of(scene, strike.target.id)
            scene = yield from effect.on_hit(Hit(strike, left, scene))
    return scene


def _resolve_miss(scene: Scene, strike: Strike) -> Steps:
    for _, effect in effects_of(strike):
        if effect.on_miss:
            scene = yield from effect.on_miss(strike, scene)
    return scene


def _attack_again(scene: Scene, strike: Strike, so_far: Outcome, number: int) -> Steps:
    """Attack the same target again if that is still possible; return both attacks as one outcome."""
    battle = battlefield(scene)
    attacker, target = battle.fighter(strike.attacker.id), battle.fighter(strike.target.id)
    further = Strike(battle, attacker, strike.weapon, strike.item, strike.kind, target)
    if target.is_out or is_out_of_reach(further):
        return so_far
    yield _declare(further)
    then = yield from _roll_attack(scene, further, number + 1)
    if then.result == "miss":
        return so_far
    return Outcome("hit", so_far.damage + then.damage, then.leaves)


def _note_rerolls(scene: Scene, attacker: Fighter, rerolled: tuple[str, ...]) -> Steps:
    if rerolled and battlefield(scene).is_in_play:
        names = ", ".join([*attacker.listed("rerolled"), *rerolled])
        scene = yield set_condition(scene, attacker.id, "rerolled", names)
    return scene


def _declare(strike: Strike) -> Change:
    """Explain the modifiers, the defense value and the needed face before the die."""
    facts = {
        "token": strike.attacker.id,
        "target": strike.target.id,
        "act": strike.item.name,
        "modifiers": [asdict(m) for m in modifiers_of(strike)],
        "defenses": [asdict(m) for m in defenses_of(strike)],
        "needed": attack_spec(strike).needed,
        "counts": {"cost": strike.cost},
    }
    return Change(Explained(kind="declared", facts=facts))


def _explain(strike: Strike, rolled: RollResult) -> Change:
    """Explain the resolved attack for the log (CDG-076, CDG-080)."""
    face_bonuses = [] if rolled.rerolled else face_modifiers(strike, rolled.face)
    modifiers = [*modifiers_of(strike), *face_bonuses]
    before = strike.target.hit_points
    facts = {
        "modifiers": [asdict(m) for m in modifiers],
        "total": rolled.face + total(modifiers),
        "result": "hit" if rolled.is_hit else "miss",
        "damage": rolled.damage,
        "hit_points": [before, before - rolled.damage],
    }
    return Change(Explained(kind="coup_de_grace" if strike.is_coup_de_grace else "attack", facts=facts))
