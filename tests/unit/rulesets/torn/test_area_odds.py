"""The odds of one attack on many miniatures that strike back: exact, and those of all damage counted."""

from __future__ import annotations

from fractions import Fraction

import pytest

from enfilade.rules.dice import SeededDice
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act, Call
from enfilade.rules.resolve import Answers, resolve
from enfilade.rules.sampling import sample
from enfilade.rulesets.torn.combat.attack import attack
from enfilade.rulesets.torn.combat.attack_setup import build_attack
from enfilade.rulesets.torn.combat.reactions import counter_attacks
from enfilade.rulesets.torn.combat.simultaneous import resolve_simultaneous
from enfilade.rulesets.torn.profiles import read_miniature
from tests.unit.rulesets.torn.scenes import ally, foe, hexon_cell, hexon_cells, scene

BITE = {"name": "Bite", "kind": "melee", "attack": 2, "skill": 1, "damage": 1, "range": 3}


def sweep(dice):
    card = {"name": "Sweep", "kind": "melee", "area": True, "range": 2, "marker": "bleeding"}
    return {**card, "attack": dice, "skill": 1, "agility": 1, "damage": 2}


def battle(foes, dice, is_fresh=True):
    """A large miniature beside a Hexon with some infantry."""
    cells = hexon_cells((1, 0))
    infantry = [foe(f"foe{i}", cells[i], (BITE,), is_fresh=is_fresh, wounds=3) for i in range(foes)]
    giant = ally("giant", hexon_cell((0, 0)), tiles=(sweep(dice),), size="large", wounds=4)
    return scene(giant, *infantry)


def act(target="foe0"):
    return Act(kind="melee", token="giant", target=target, weapon="Sweep")


def attacks_of(board, target="foe0"):
    giant, tile = read_miniature(board.token("giant")), read_miniature(board.token("giant")).tile("Sweep")
    others = [one for one in board.tokens if one.side == "red" and one.id != target]
    steps = counter_attacks(board, giant, [read_miniature(one) for one in board.tokens if one.side == "red"])
    counters = []
    try:
        question = next(steps)
        while True:
            question = steps.send(getattr(question, "default", None))
    except StopIteration as end:
        counters = end.value[1]
    first = build_attack(board, "attack", giant, tile, read_miniature(board.token(target)))
    area = [build_attack(board, "area", giant, tile, read_miniature(one)) for one in others]
    return (first, *area, *counters)


def distribution(board, *arguments):
    """The exact chances of the damage of the attacker and the target, up to the wounds that they have."""
    limits = {one.id: one.track("wounds") for one in board.tokens}

    def procedure(_scene):
        return (yield Call(resolve_simultaneous, arguments))

    found: dict[tuple[int, int], Fraction] = {}
    for damage, chance in odds(board, procedure, ()).chances.items():
        wounds = {one.token: min(one.wounds, limits[one.token]) for one in damage}
        key = (wounds.get("giant", 0), wounds.get("foe0", 0))
        found[key] = found.get(key, Fraction(0)) + chance
    return found


@pytest.mark.parametrize(
    ("foes", "dice", "is_fresh"), [(1, 3, True), (2, 3, True), (3, 2, True), (3, 3, False)]
)
def test_what_does_not_concern_the_outcome_changes_no_chance(foes, dice, is_fresh):
    board = battle(foes, dice, is_fresh)
    attacks = attacks_of(board)
    assert len(attacks) == foes + (foes if is_fresh else 0)
    concerned = (("giant", 4), ("foe0", 3))
    assert distribution(board, attacks, concerned) == distribution(board, attacks)


def test_the_odds_of_a_sweep_are_those_of_its_resolutions():
    board = battle(3, 3)
    found = odds(board, attack, (act(),))
    assert found.is_exact
    counts = sample(board, attack, (act(),), 3_000, seed=7)
    assert set(counts) <= set(found.chances)
    for outcome, chance in found.chances.items():
        assert abs(counts[outcome] / 3_000 - float(chance)) < 0.05


@pytest.mark.parametrize(("foes", "nearest", "dice"), [(5, "foe0", 6), (7, "foe5", 6), (7, "foe5", 12)])
def test_a_sweep_of_a_whole_hexon_that_strikes_back_has_exact_odds(foes, nearest, dice):
    found = odds(battle(foes, dice), attack, (act(nearest),))
    assert found.is_exact
    assert sum(found.chances.values()) == 1


def test_a_resolution_counts_the_damage_of_all():
    board, hurt = battle(3, 4), set()
    before = {one.id: one.track("wounds") for one in board.tokens}
    for seed in range(12):
        done = resolve(board, attack, (act(),), Answers(dice=SeededDice(seed)))
        hurt |= {one.id for one in done.scene.tokens if one.track("wounds") < before[one.id]}
    assert hurt == {"giant", "foe0", "foe1", "foe2"}
