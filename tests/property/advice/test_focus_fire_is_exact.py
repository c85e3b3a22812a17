"""Focus fire is exact: to follow what attacks do to their target gives what their whole procedures give."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import msgspec
import pytest

from enfilade.rules.outlook import no_effect_known, with_token
from enfilade.rulesets import GAMES
from enfilade.tactics.expected_damage import attacks
from enfilade.tactics.focus_fire import focus_fire
from tests.property.advice.positions import positions
from tests.unit.rulesets.target_effects import after_effect, after_procedure, is_down

ATTACKERS = 2
RULESETS = GAMES
WHOLE_ACTS = int(os.environ.get("WHOLE_ACTS", "6"))
"""The positions in which whole acts are followed; `make focus-fire` follows more."""
POSITIONS = 3 * WHOLE_ACTS
"""The positions in which each attack is followed with its effect on the target alone."""
AREA_SPELLS = {"fifth_edition": 2}
"""The whole act of an area spell over a crowd takes up to a minute.

A short run stops two positions before the first.
"""
FEW_HIT_POINTS = 30
"""In a short run, the most hit points of a target: each of them is a state of its own, and some have 90."""


def wounded(ruleset, token, chance):
    """Return a token with fewer points on the tracks that damage changes, but above 0."""
    names = [name for name in ruleset.outlook.damage_tracks if token.track(name) > 1]
    return msgspec.structs.replace(
        token, tracks={**token.tracks, **{name: chance.randint(1, token.track(name)) for name in names}}
    )


def enemies_of(scene, token):
    return [one.id for one in scene.on_board() if not scene.are_allies(one, token)]


def has_few_hit_points(ruleset, scene, target):
    bar = ruleset.bar(scene.token(target))
    return bar is None or scene.token(target).track(bar.track, bar.most) <= FEW_HIT_POINTS


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_the_effect_of_an_attack_on_its_target_is_that_of_its_procedure(ruleset):
    chance, compared = random.Random(3), 0
    for scene, target in positions(ruleset, POSITIONS):
        there = with_token(scene, wounded(ruleset, scene.token(target), chance))
        for enemy in enemies_of(there, there.token(target)):
            ready = ruleset.outlook.ready(there, (enemy,))
            for act in attacks(ruleset, ready, ready.token(enemy), ready.token(target)):
                effect = ruleset.outlook.on_target(ready, act)
                if effect is not None and not is_down(ruleset, ready.token(target)):
                    expected = after_procedure(ruleset, ready, act)
                    assert after_effect(ruleset, ready, act, effect) == expected, act
                    assert sum(expected.values()) == Fraction(1)
                    compared += 1
    assert compared or ruleset.outlook.on_target is no_effect_known


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_focus_fire_is_that_of_the_whole_acts_on_random_positions(ruleset):
    outlook = replace(ruleset.outlook, on_target=no_effect_known, damage_tracks=())
    by_procedures, found = replace(ruleset, outlook=outlook), 0
    found_positions = positions(ruleset, WHOLE_ACTS)
    if "WHOLE_ACTS" not in os.environ:
        weak = (one for one in positions(ruleset, 100) if has_few_hit_points(ruleset, *one))
        found_positions = islice(weak, AREA_SPELLS.get(ruleset.key, WHOLE_ACTS))
    for scene, target in found_positions:
        attackers = enemies_of(scene, scene.token(target))[:ATTACKERS]
        quick = focus_fire(ruleset, scene, target, attackers, 0)
        assert quick == focus_fire(by_procedures, scene, target, attackers, 0)
        found += sum(step.act is not None for step in quick.steps)
    assert found, "some attacker can attack, or the test compares nothing"
