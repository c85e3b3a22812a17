"""The attacks that a round or a single act made, with their odds, for the statistics of a battle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, get_args

from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act, Call, Outcome, Steps
from enfilade.rules.ruleset import PlayedAttack
from enfilade.rulesets.double_life.combat.attack import Attack, AttackKind, spec_of
from enfilade.rulesets.double_life.combat.attack_rolls import SUCCESSES, AttackSpec, Strike, roll_attack
from enfilade.rulesets.double_life.profiles import Character, Weapon, read_character
from enfilade.scene.events import AnyEvent, Explained
from enfilade.scene.model import Scene


def played_attacks(scene: Scene, act: Act, events: Sequence[AnyEvent]) -> Sequence[PlayedAttack]:
    """Return the attacks among the events of an act, counter-attacks and opportunity attacks too.

    All attacks of a round are made at the same time, so their odds are those of the scene before it.
    """
    del act
    return [found for declared, said in _declared(events) if (found := _played(scene, declared, said))]


def _declared(events: Sequence[AnyEvent]) -> Iterator[tuple[Mapping[str, Any], dict[str, Any]]]:
    """Yield the facts of each declared attack, with the facts of its outcome and its damage."""
    declared: Mapping[str, Any] | None = None
    said: dict[str, Any] = {}
    for event in events:
        if not isinstance(event, Explained):
            continue
        if event.kind == "attack":
            if declared is not None:
                yield declared, said
            declared, said = event.facts, {}
        elif declared is not None and event.kind in ("outcome", "damage"):
            said |= event.facts
    if declared is not None:
        yield declared, said


def _played(scene: Scene, declared: Mapping[str, Any], said: Mapping[str, Any]) -> PlayedAttack | None:
    known = {token.id for token in scene.tokens}
    parties = {declared["token"], declared["target"], *declared["defenders"]}
    if not parties <= known or declared["act"] not in get_args(AttackKind):
        return None
    one, target = (read_character(scene.token(declared[key])) for key in ("token", "target"))
    weapon = _weapon(one, declared)
    band, damage = said.get("band", ""), int(said.get("damage", 0))
    chance = expected = None
    if weapon is not None:
        defenders = tuple(read_character(scene.token(key)) for key in declared["defenders"])
        attack = Attack(declared["act"], one, weapon, target, defenders, bool(declared["easy"]))
        found = odds(scene, _strike, (spec_of(scene, attack),))
        chance = found.chance(*SUCCESSES)
        expected = sum((p * outcome.damage for outcome, p in found.chances.items()), Fraction(0))
    return PlayedAttack(one.id, target.id, band in SUCCESSES, damage, chance, expected)


def _weapon(one: Character, declared: Mapping[str, Any]) -> Weapon | None:
    if declared["act"] == "second-life":
        return one.second_life if one.is_doubler else None
    return next((weapon for weapon in one.profile.weapons if weapon.name == declared["weapon"]), None)


def _strike(scene: Scene, spec: AttackSpec) -> Steps:
    """Roll one attack; return its outcome."""
    del scene
    strike: Strike = yield Call(roll_attack, (spec,))
    return Outcome(strike.band, strike.damage)
