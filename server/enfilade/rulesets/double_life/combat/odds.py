"""Odds: a plan against each stance of an opponent, and the attacks of a round (DBL-003, DBL-021)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, get_args

from enfilade.i18n import localize
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act, Call, LikelyAnswers, Matchup, MatchupColumn, Outcome, Steps
from enfilade.rules.ruleset import PlayedAttack
from enfilade.rulesets.double_life.combat.attack import (
    Attack,
    AttackKind,
    add_strike,
    counter_attack,
    spec_of,
)
from enfilade.rulesets.double_life.combat.attack_rolls import SUCCESSES, AttackSpec, Strike, roll_attack
from enfilade.rulesets.double_life.combat.damage import Tally, find_falls
from enfilade.rulesets.double_life.combat.simultaneous import planned_attacks
from enfilade.rulesets.double_life.plans import KEEP, STAY, is_able, mean_damage, places, read_plan, stances
from enfilade.rulesets.double_life.profiles import Character, Weapon, read_character
from enfilade.scene.events import AnyEvent, Explained
from enfilade.scene.model import Scene

_LABELS = ("hit", "damage", "falls", "dies")


def exchange(
    scene: Scene, token: str, answers: tuple[str, str, str], other: str, its: tuple[str, str, str]
) -> Steps:
    """Resolve phase 2 between two characters alone, with these plans.

    Returns for the opponent and then for the character itself: whether it is hit, the damage, whether it
    falls, and whether it dies.
    """
    pair = {one.id: one for one in (read_character(scene.token(token)), read_character(scene.token(other)))}
    plans = {
        one.id: read_plan(scene, one, *given)
        for one, given in ((pair[token], answers), (pair[other], its))
        if is_able(one)
    }
    tally = Tally()
    hits = dict.fromkeys(pair, 0)
    for attack in planned_attacks(scene, plans):
        if {attack.attacker.id, attack.target.id} != pair.keys():
            continue
        strike: Strike = yield Call(roll_attack, (spec_of(scene, attack),))
        add_strike(tally, attack, strike)
        hits[attack.target.id] |= strike.damage > 0 or strike.is_hit
        counter = yield from counter_attack(scene, tally, attack, strike)
        if counter is not None:
            hits[attack.attacker.id] |= counter.is_hit
    fallen = yield from find_falls(scene, tally)
    numbers = []
    for one in (pair[other], pair[token]):
        damage = min(tally.damage.get(one.id, 0), one.health)
        numbers += [hits[one.id], damage, int(one.id in fallen), int(damage >= one.health)]
    return tuple(numbers)


def likely_answers(scene: Scene, token: str, other: str) -> tuple[LikelyAnswers, ...]:
    """Return an attack, each defense, focus and flight of an opponent, as far as it has them (DBL-003)."""
    return tuple(_rows(scene, token, other))


def _rows(scene: Scene, token: str, other: str) -> Iterator[LikelyAnswers]:
    one = read_character(scene.token(other))
    if not is_able(one):
        yield LikelyAnswers(localize("double_life.row_fallen"), ("", STAY, KEEP))
        return
    options = stances(scene, one)
    at_token = {key: stance for key, (_, stance) in options.items() if stance.targets == (token,)}
    for kind in ("attack", "focus"):
        keys = [key for key, stance in at_token.items() if stance.kind == kind]
        if keys:
            best = max(keys, key=lambda key: mean_damage(options[key][1].weapon))
            yield LikelyAnswers(localize(f"double_life.row_{kind}"), (best, STAY, KEEP))
    for side in ("front", "left", "right"):
        yield LikelyAnswers(localize(f"double_life.row_defend_{side}"), (f"defend {side}", STAY, KEEP))
    flight = next((key for key in places(scene, one) if key.startswith("flee ")), None)
    if flight is not None:
        yield LikelyAnswers(localize("double_life.row_flee"), ("defend front", flight, KEEP))


MATCHUP = Matchup(
    exchange,
    tuple(
        MatchupColumn(localize(f"double_life.column_{label}"), is_own=is_own, is_amount=label == "damage")
        for is_own in (False, True)
        for label in _LABELS
    ),
    likely_answers,
)
"""The odds of a plan against those of an opponent."""


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
