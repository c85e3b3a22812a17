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


def resolve_simultaneous(
    attacks: tuple[AttackInstance, ...], beside: tuple[AttackInstance, ...] = ()
) -> Steps:
    """Roll the first attack once for all of its targets, then the other attacks; return the total damage.

    Args:
        attacks: the attack, further targets of its roll (area), and counter attacks.
        beside: the equally near targets that the failed dice may hit (TRN-061).
    """
    damage = list((yield from _resolve_first(attacks[0], attacks[1:], beside)))
    for attack in attacks[1:]:
        if attack.occasion != "area":
            yield _announce(attack)
            result = yield Call(exchange, (attack.spec,))
            damage += _damage_of(attack, result)
    return total_damage(damage)


def _resolve_first(
    first: AttackInstance, others: tuple[AttackInstance, ...], beside: tuple[AttackInstance, ...]
) -> Steps:
    area = [other for other in others if other.occasion == "area"]
    if not area and not beside:
        if first.occasion == "counter":
            yield _announce(first)
        return _damage_of(first, (yield Call(exchange, (first.spec,))))
    roll = yield Call(attack_roll, (first.spec._replace(keeps_blanks=bool(beside)),))
    damage = _damage_of(first, (yield Call(defense, (first.spec, roll.hits))))
    for other in area:
        yield _announce(other)
        damage += _damage_of(other, (yield Call(defense, (other.spec, roll.hits))))
    return [*damage, *(yield from _attack_group(beside, roll.blanks))]


def _attack_group(beside: tuple[AttackInstance, ...], blanks: Pool) -> Steps:
    """Roll the failed dice again at the nearest miniature beside the target (TRN-061 to TRN-064)."""
    if not any(blanks):
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
