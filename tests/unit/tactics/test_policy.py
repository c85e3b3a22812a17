"""The default policy: the attack from the best place, the way around walls, and the acts of a turn."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace
from tests.unit.tactics.test_decision_map import ANN, ORC, battle

from enfilade.rules.dice import SeededDice
from enfilade.rules.resolve import Answers, resolve
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.scene.model import Wall
from enfilade.tactics.distances import NO_WAY, gap, nearest
from enfilade.tactics.policy import Policy, QuickPolicy

POLICIES = (Policy, QuickPolicy)


def acts_of_one_activation(kind, scene, seed=3):
    """Return the acts until Ann's first activation ends."""
    policy, dice, acts = kind(COUP_DE_GRACE, random.Random(seed)), SeededDice(3), []
    while not acts or (acts[-1].kind, acts[-1].token) != ("end", "ann"):
        act = policy.act(scene)
        acts.append(act)
        procedure = COUP_DE_GRACE.acts[act.kind].procedure
        scene = resolve(scene, procedure, (act,), Answers(dice=dice)).scene
    return [act for act in acts if act.token == "ann"]


@pytest.mark.parametrize("kind", POLICIES)
def test_a_turn_begins_with_the_activation_and_ends_with_its_end(kind):
    kinds = [act.kind for act in acts_of_one_activation(kind, battle(ANN, ORC))]
    assert kinds[:2] == ["round", "activate"]
    assert set(kinds[2:-1]) <= {"move", "melee"}
    assert kinds[-1] == "end"


def test_the_full_policy_goes_behind_an_enemy_before_it_attacks_and_the_quick_one_straight_to_it():
    scene = battle(ANN, ORC)
    tokens = tuple(replace(one, tracks={**one.tracks, "mp": 6}) for one in scene.tokens)
    started = replace(scene, tokens=tokens, tracks={"round": 1}, conditions={"active": "ann"})
    behind, ahead = (kind(COUP_DE_GRACE, random.Random(3)).act(started) for kind in POLICIES)
    assert (behind.kind, behind.at, behind.facing) == ("move", (4, 3), 180)
    assert ahead.kind == "move"
    assert gap(started, started.token("ann"), ahead.at) == 1


def test_no_act_is_legal_once_the_battle_is_over():
    over = replace(battle(ANN, ORC), conditions={"won": "red"})
    for kind in POLICIES:
        assert kind(COUP_DE_GRACE, random.Random(1)).act(over) is None


def test_the_way_to_an_enemy_leads_around_walls():
    wall = Wall(id="wall", line=(0, 5 * 64, 8 * 64, 5 * 64))
    scene = battle(ANN, ORC, walls=(wall,))
    ann = scene.token("ann")
    assert gap(battle(ANN, ORC), ann, (4, 6)) == 2
    assert gap(scene, ann, (4, 6)) > 6
    assert nearest(scene, ann, [(3, 6), (6, 6)], 1) == [(6, 6)]


def test_an_enemy_behind_closed_walls_is_farther_than_any_other():
    wall = Wall(id="wall", line=(0, 5 * 64, 9 * 64, 5 * 64))
    scene = battle(ANN, ORC, walls=(wall,))
    assert gap(scene, scene.token("ann"), (4, 6)) > NO_WAY


@pytest.mark.parametrize("kind", POLICIES)
def test_a_unit_without_enemies_on_the_board_ends_its_activation(kind):
    allies = battle(ANN, replace(ANN, id="bo", at=(7, 7)))
    for seed in range(40):  # now and then it wants to go around
        assert acts_of_one_activation(kind, allies, seed)[-1].kind == "end"
