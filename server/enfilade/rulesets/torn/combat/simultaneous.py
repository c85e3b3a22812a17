"""Attacks whose damage counts at the same time, as one callee (TRN-031, TRN-061, TRN-095).

The result is the damage of each miniature, so the odds merge all rolls that hurt the same.
"""

from __future__ import annotations

from fractions import Fraction

from enfilade.i18n import localize
from enfilade.rules.procedures import Answer, Call, Change, Choose, Steps
from enfilade.rulesets.torn.combat.attack_rolls import attack_roll, defense, exchange
from enfilade.rulesets.torn.combat.attack_setup import AttackInstance
from enfilade.rulesets.torn.combat.damage import Damage, total_damage
from enfilade.rulesets.torn.combat.decisions import expected_value
from enfilade.rulesets.torn.dice import DamageResult, Pool
from enfilade.scene.events import Explained


def resolve_simultaneous(attacks: tuple[AttackInstance, ...]) -> Steps:
    """Roll the first attack once for all of its targets, then the other attacks; return the total damage.

    `attacks` are the attack, the further targets of its roll (area), and the counter attacks.
    """
    first, *others = attacks
    area = [other for other in others if other.occasion == "area"]
    damage = yield from _resolve_roll(first, area)
    for attack in others:
        if attack.occasion != "area":
            damage += yield from _resolve_roll(attack, [])
    return total_damage(damage)


def _resolve_roll(attack: AttackInstance, area: list[AttackInstance]) -> Steps:
    """Resolve one attack roll on its target, on those in its area, and on one beside the target."""
    if attack.occasion == "counter":
        yield _announce(attack)
    if not area and not attack.beside:
        return _damage_of(attack, (yield Call(exchange, (attack.spec,))))
    roll = yield Call(attack_roll, (attack.spec._replace(keeps_blanks=bool(attack.beside)),))
    damage = _damage_of(attack, (yield Call(defense, (attack.spec, roll.hits))))
    for other in area:
        yield _announce(other)
        damage += _damage_of(other, (yield Call(defense, (other.spec, roll.hits))))
    return [*damage, *(yield from _attack_group(attack.beside, roll.blanks))]


def _attack_group(beside: tuple[AttackInstance, ...], blanks: Pool) -> Steps:
    """Roll the failed dice again at the nearest miniature beside the target (TRN-061 to TRN-064)."""
    if not (beside and any(blanks)):
        return []
    targets = [
        target._replace(spec=target.spec._replace(pool=blanks, keeps_blanks=False)) for target in beside
    ]
    chosen = targets[0]
    if len(targets) > 1:
        answers = tuple(Answer(target.defender, target.defender_name) for target in targets)
        best = max(targets, key=_preference)
        answer = yield Choose(chosen.spec.attacker_side, localize("torn.ask_group"), answers, best.defender)
        chosen = next(target for target in targets if target.defender == answer)
    yield _announce(chosen)
    return _damage_of(chosen, (yield Call(exchange, (chosen.spec,))))


def _preference(attack: AttackInstance) -> Fraction:
    value = expected_value(attack.spec)
    return -value if attack.spec.is_on_ally else value


def _damage_of(attack: AttackInstance, result: DamageResult) -> list[Damage]:
    markers = (attack.marker,) if attack.marker and result.by_critical else ()
    damage = [Damage(attack.defender, result.dealt, markers)] if result.dealt else []
    return damage + ([Damage(attack.attacker, result.returned)] if result.returned else [])


def _announce(attack: AttackInstance) -> Change:
    facts = {"token": attack.attacker, "target": attack.defender, "act": attack.tile}
    return Change(Explained(kind=f"{attack.occasion} attack", facts=facts))
