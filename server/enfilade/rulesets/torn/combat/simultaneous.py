"""Attacks whose damage counts at the same time, as one callee (TRN-031, TRN-061, TRN-095).

The result is the damage of each miniature, so the odds merge all rolls that hurt the same.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, partial

from enfilade.i18n import localize
from enfilade.rules.procedures import Answer, Call, CallEach, Change, Choose, Steps, TailCall
from enfilade.rulesets.torn.combat.attack_rolls import AttackRollResult, attack_roll, defense, exchange
from enfilade.rulesets.torn.combat.attack_setup import AttackInstance
from enfilade.rulesets.torn.combat.damage import Damage, total_damage
from enfilade.rulesets.torn.combat.decisions import expected_value
from enfilade.rulesets.torn.dice import DamageResult, Hits, Pool
from enfilade.scene.events import Explained

Concerned = tuple[tuple[str, int], ...] | None
"""The miniatures whose damage is counted, each with the wounds up to which it is; None for all of all."""


def resolve_simultaneous(attacks: tuple[AttackInstance, ...], concerned: Concerned = None) -> Steps:
    """Roll the first attack once for all of its targets, then the other attacks; return the total damage.

    `attacks` are the attack, the further targets of its roll (area), and the counter attacks. The damage is
    that of all miniatures, or of those concerned: odds ask for attacker and target alone. No roll depends on
    another, so odds count many attacks in sums, not in products.
    """
    first, *others = attacks
    area = tuple([other for other in others if other.occasion == "area" and matters(other, concerned)])
    counters = [other for other in others if other.occasion != "area" and matters(other, concerned)]
    rolls = [(first, area), *((counter, ()) for counter in counters)]
    calls = [Call(_resolve_roll, (attack, targets, concerned)) for attack, targets in rolls]
    return (yield CallEach(tuple(calls), (), partial(_add, concerned)))


def matters(attack: AttackInstance, concerned: Concerned) -> bool:
    """Return whether an attack can hurt a miniature that is concerned."""
    if concerned is None:
        return True
    hurt = (attack.defender, attack.attacker) if attack.spec.return_damage else (attack.defender,)
    return not dict(concerned).keys().isdisjoint(hurt)


def _resolve_roll(attack: AttackInstance, area: tuple[AttackInstance, ...], concerned: Concerned) -> Steps:
    """Make one attack roll, and resolve it on its target and on those in the area; return the damage."""
    if attack.occasion == "counter":
        yield _announce(attack)
    if not area and not attack.beside:
        return (
            yield Call(exchange, (attack.spec,), partial(_damage_of, attack, concerned), topic=attack.topic)
        )
    roll = yield Call(attack_roll, (attack.spec, bool(attack.beside)), topic=attack.topic)
    yield TailCall(_resolve_targets, (roll, (attack, *area), attack.beside, concerned))


def _resolve_targets(
    roll: AttackRollResult,
    targets: tuple[AttackInstance, ...],
    beside: tuple[AttackInstance, ...],
    concerned: Concerned,
) -> Steps:
    """Resolve one roll on each of its targets, and on one beside the first; return the damage."""
    calls = [
        Call(
            _resolve_target,
            (target, roll.hits, concerned),
            outcome_arguments=(_without_name(target, concerned), roll.hits, concerned),
        )
        for target in targets
    ]
    if beside and any(roll.blanks):
        calls.append(Call(_attack_group, (beside, roll.blanks, concerned)))
    return (yield CallEach(tuple(calls), (), partial(_add, concerned)))


def _without_name(target: AttackInstance, concerned: Concerned) -> AttackInstance:
    """Return a target whose own damage is not counted without its name: odds treat equal ones alike."""
    if concerned is None or target.defender in dict(concerned):
        return target
    return target._replace(defender="", defender_name="")


def _resolve_target(target: AttackInstance, hits: Hits, concerned: Concerned) -> Steps:
    if target.occasion == "area":
        yield _announce(target)
    return (
        yield Call(defense, (target.spec, hits), partial(_damage_of, target, concerned), topic=target.topic)
    )


def _attack_group(beside: tuple[AttackInstance, ...], blanks: Pool, concerned: Concerned) -> Steps:
    """Roll the failed dice again at the nearest miniature beside the target (TRN-061 to TRN-064)."""
    targets = [target._replace(spec=target.spec._replace(pool=blanks)) for target in beside]
    chosen = targets[0]
    if len(targets) > 1:
        answers = tuple(Answer(target.defender, target.defender_name) for target in targets)
        best = max(targets, key=_preference)
        question = localize("torn.ask_group", name=chosen.attacker_name, tile=chosen.tile)
        answer = yield Choose(chosen.spec.attacker_side, question, answers, best.defender)
        chosen = next(target for target in targets if target.defender == answer)
    yield _announce(chosen)
    return (yield Call(exchange, (chosen.spec,), partial(_damage_of, chosen, concerned), topic=chosen.topic))


def _preference(attack: AttackInstance) -> Fraction:
    value = expected_value(attack.spec)
    return -value if attack.spec.is_on_ally else value


def _damage_of(attack: AttackInstance, concerned: Concerned, result: DamageResult) -> tuple[Damage, ...]:
    markers = (attack.marker,) if attack.marker and result.by_critical and concerned is None else ()
    damage = (Damage(attack.defender, result.dealt, markers), Damage(attack.attacker, result.returned))
    tokens = None if concerned is None else dict(concerned)
    return tuple([one for one in damage if one.wounds and (tokens is None or one.token in tokens)])


@lru_cache(maxsize=16_384)
def _add(concerned: Concerned, so_far: tuple[Damage, ...], hurt: tuple[Damage, ...]) -> tuple[Damage, ...]:
    if not hurt:
        return so_far
    total = total_damage((*so_far, *hurt))
    if concerned is None:
        return total
    limits = dict(concerned)
    return tuple([one._replace(wounds=min(one.wounds, limits[one.token])) for one in total])


def _announce(attack: AttackInstance) -> Change:
    facts = {"token": attack.attacker, "target": attack.defender, "act": attack.tile}
    return Change(Explained(kind=f"{attack.occasion} attack", facts=facts))
