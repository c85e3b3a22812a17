"""The odds of a plan against each stance of one opponent, before the choices are known (DBL-003, DBL-021)."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.i18n import localize
from enfilade.rules.procedures import Call, LikelyAnswers, Matchup, MatchupColumn, Steps
from enfilade.rulesets.double_life.combat.attack import (
    add_strike,
    counter_attack,
    planned_attacks,
    spec_of,
)
from enfilade.rulesets.double_life.combat.attack_rolls import Strike, roll_attack
from enfilade.rulesets.double_life.combat.damage import Tally, find_falls
from enfilade.rulesets.double_life.plans import (
    KEEP,
    STAY,
    is_able,
    mean_damage,
    places,
    read_plan,
    stances,
)
from enfilade.rulesets.double_life.profiles import read_character
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
        for one, given in zip(pair.values(), (answers, its), strict=True)
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
