"""Layers worked out for all models at once against the simple way: each model, cell and pair by itself."""

from __future__ import annotations

import itertools
import random

import pytest
from msgspec.structs import replace

from enfilade.geometry.movement.round_bases import gap
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.battlefield import ENGAGED, battlefield
from enfilade.rulesets.miniatures_combat.profiles import read_fighter
from enfilade.scene.model import Grid
from tests.seeds import seeds

SIDE = 12
UNITS = ((1, "in"), (5, "ft"), (2, "m"), (0.7, "in"))


def battle(seed):
    """Return models anywhere on squares of some size, even upon each other."""
    chance = random.Random(seed)
    scene = skirmish(MINIATURES_COMBAT, seed, SIDE, strength=4)
    tokens = [
        replace(
            token,
            at=(chance.randrange(SIDE - 1), chance.randrange(SIDE - 1)),
            size=chance.choice([(1, 1), (1, 1), (2, 2)]),
        )
        for token in scene.tokens
    ]
    distance, units = UNITS[seed % len(UNITS)]
    house_rules = {
        **scene.house_rules,
        "miniatures_combat.engagement": ("1 inch", "reach of either")[seed % 2],
    }
    grid = Grid("square", SIDE, SIDE, distance, units)
    return replace(scene, grid=grid, tokens=tuple(tokens), house_rules=house_rules)


def apart(field, base, other):
    found = gap(base, other)
    return 0 if found <= field.scale.slack else found


@pytest.mark.parametrize("seed", seeds(24))
def test_the_threatened_cells_are_those_within_the_distance_of_any_enemy(seed):
    scene = battle(seed)
    field = battlefield(scene)
    cells = list(itertools.product(range(SIDE), range(SIDE)))
    for fighter in field.fighters.values():
        enemies = field.enemies(fighter)
        expected = []
        for distance in sorted({one.reach for one in enemies} | ({ENGAGED} if enemies else set())):
            those = [one for one in enemies if distance in (ENGAGED, one.reach)]
            bases = [field.bases[one.id] for one in those]
            expected.append(
                {
                    cell
                    for cell in cells
                    if any(apart(field, base, field.scale.base((1, 1), cell)) <= distance for base in bases)
                }
            )
        areas = MINIATURES_COMBAT.areas(scene, fighter.token, "threat")
        drawn = [
            {(x, row) for row, first, last in area.runs for x in range(first, last + 1)} for area in areas
        ]
        assert drawn == expected


@pytest.mark.parametrize("seed", seeds(24))
def test_the_engaged_pairs_are_those_of_all_pairs(seed):
    scene = battle(seed)
    field = battlefield(scene)
    fighters = [one for one in map(read_fighter, scene.tokens) if one.is_fighting]
    expected = [
        (one.id, other.id)
        for one, other in itertools.combinations(fighters, 2)
        if not scene.are_allies(one.token, other.token) and field.is_engaged_with(one, other)
    ]
    assert [one.tokens for one in MINIATURES_COMBAT.engagements(scene)] == expected
