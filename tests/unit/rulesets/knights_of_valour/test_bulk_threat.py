"""The threat of many creatures at once against the simple way: each creature and weapon by itself."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.knights_of_valour.battlefield import battlefield, mask_within
from enfilade.rulesets.knights_of_valour.house_rules import HOUSE_RULES
from enfilade.rulesets.knights_of_valour.movement_costs import reach_costs
from enfilade.rulesets.knights_of_valour.overlays import usable_weapons
from enfilade.rulesets.knights_of_valour.profiles import movement, read_creature
from enfilade.rulesets.knights_of_valour.sight import ranges_of, seen_cells
from enfilade.scene.model import Terrain, Wall
from tests.seeds import seeds

SIDE = 14
KINDS = ("", "", "raised", "cliff", "gap", "obstacle")
RULES = ("pass_allies", "creatures_block", "diagonals", "difficult_diagonals", "five_means", "movement")


def battle(seed):
    """Return creatures anywhere, even upon each other, among walls and terrain, by any house rules."""
    scene, chance = skirmish(KNIGHTS_OF_VALOUR, seed, SIDE, strength=4), random.Random(seed)
    tokens = tuple(replace(token, at=place(chance)) for token in scene.tokens)
    terrain = tuple(
        Terrain(
            id=f"t{i}",
            name="",
            kind=KINDS[chance.randrange(len(KINDS) if seed % 2 else 2)],
            cost=chance.choice([1, 2, 0]),
            height=chance.choice([0, 5, 10]),
            cells=tuple({place(chance) for _ in range(5)}),
        )
        for i in range(6)
    )
    walls = tuple(Wall(id=f"w{i}", line=line(chance)) for i in range(8))
    options = {rule.key.partition(".")[2]: rule for rule in HOUSE_RULES}
    house_rules = {options[name].key: chance.choice(options[name].options) for name in RULES}
    return replace(scene, tokens=tokens, terrain=terrain, walls=walls, house_rules=house_rules)


def place(chance):
    return chance.randrange(SIDE), chance.randrange(SIDE)


def line(chance):
    (x, y), (across, down) = place(chance), chance.choice([(0, 3), (3, 0), (2, 2)])
    return (x * 64, y * 64, (x + across) * 64, (y + down) * 64)


def simple_threat(scene, enemies):
    field, now, after = battlefield(scene), set(), set()
    for enemy in enemies:
        at = enemy.token.at
        for weapon in usable_weapons(scene, enemy):
            if weapon.kind == "melee":
                now |= field.reach_from(at)
                for end in reach_costs(scene, enemy, movement(scene, enemy)):
                    after |= field.reach_from(end)
            else:
                most = ranges_of(scene, enemy, weapon).maximum
                now |= set(mask_within(field.landscape, field.board, at, most) & seen_cells(scene, enemy.id))
    return now, after - now


def cells(area):
    return {(column, row) for row, first, last in area.runs for column in range(first, last + 1)}


@pytest.mark.parametrize("seed", seeds(40))
def test_threat_is_that_of_each_enemy_by_itself(seed):
    scene = battle(seed)
    for token in (scene.tokens[0], scene.tokens[-1]):
        enemies = battlefield(scene).enemies(read_creature(token))
        drawn = [cells(area) for area in KNIGHTS_OF_VALOUR.areas(scene, token, "threat")]
        assert tuple(drawn) == simple_threat(scene, enemies)
