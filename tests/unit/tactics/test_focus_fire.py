"""Focus fire: the exact chance to bring a target down, what is left over, and the best order."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from msgspec.structs import replace
from tests.contract import differences
from tests.unit.tactics.test_decision_map import MIA, battle, fighter, table_of

from enfilade.errors import Forbidden, NotFound
from enfilade.importers.demo import demo_battle
from enfilade.messages import dump
from enfilade.rules.dice import SeededDice
from enfilade.rules.registry import load_rulesets
from enfilade.rules.resolve import Answers, refusal, resolve
from enfilade.rulesets import BUILT_IN
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.scene.model import GM, SPECTATOR
from enfilade.tactics.expected_damage import mean_damage
from enfilade.tactics.focus_fire import _Plan, focus_fire
from enfilade.tactics.previews import act_odds, to_chance

SAMPLES = 1_500
ORC = fighter("orc", "red", (4, 4), ["axe", "fist"], facing=0)
ANN = fighter("ann", "blue", (4, 5), ["sword", "shield"], facing=0, owners=("mia",))
BO = fighter("bo", "blue", (3, 4), ["hammer", "fist"], facing=90)
CY = fighter("cy", "blue", (5, 7), ["bow"], facing=0)


def hurt(token, points):
    return replace(token, tracks={**token.tracks, "hp": points})


def best_attack(scene, attacker):
    """Return the legal attack on the orc with the highest mean damage; None without one."""
    offered = COUP_DE_GRACE.offers(scene, scene.token(attacker))
    acts = [one.act for one in offered if one.is_legal and one.act.target == "orc"]
    return max(acts, key=lambda act: mean_damage(act_odds(COUP_DE_GRACE, scene, act)), default=None)


def is_legal(scene, act):
    return act is not None and refusal(scene, COUP_DE_GRACE.acts[act.kind].procedure, act) is None


def chance_by_dice(scene, order):
    """Return how often the orc is down if each attacker rolls its best attack."""
    down, dice, known = 0, SeededDice(4), {}
    first = {one: best_attack(COUP_DE_GRACE.outlook.ready(scene, (one,)), one) for one in order}
    for _ in range(SAMPLES):
        now = scene.token("orc")
        for attacker in order:
            if now.has("downed") or now.has("out"):
                break
            key = attacker, repr(now)  # few orcs come about, and the best attack on each is worked out once
            if key not in known:
                ready = COUP_DE_GRACE.outlook.ready(scene, (attacker,))
                there = replace(ready, tokens=tuple(now if one.id == "orc" else one for one in ready.tokens))
                act = first[attacker] if is_legal(there, first[attacker]) else best_attack(there, attacker)
                known[key] = there, act
            there, act = known[key]
            if act:
                procedure = COUP_DE_GRACE.acts[act.kind].procedure
                now = resolve(there, procedure, (act,), Answers(dice=dice)).scene.token("orc")
        down += now.has("downed") or now.has("out")
    return down / SAMPLES


def test_one_sword_downs_an_orc_with_one_hit_point_as_often_as_it_hits():
    scene = battle(ANN, hurt(ORC, 1))
    found = focus_fire(COUP_DE_GRACE, scene, "orc", ["ann"], 9)
    assert found.seq == 9
    assert found.exact
    assert found.steps[0].label == "sword"
    hit = Fraction(*found.chance)
    assert hit in {Fraction(n, 36) for n in range(1, 36)}
    (left,) = found.left
    assert (left.hit_points, Fraction(*left.chance)) == (1, 1 - hit)
    assert abs(chance_by_dice(scene, ["ann"]) - hit) < 0.05


def test_the_chance_of_several_is_that_of_their_acts_played_with_dice():
    scene = battle(ANN, BO, CY, hurt(ORC, 2))
    for order in (["ann", "bo", "cy"], ["bo", "ann", "cy"]):
        found = focus_fire(COUP_DE_GRACE, scene, "orc", order, 0)
        assert abs(chance_by_dice(scene, order) - Fraction(*found.chance)) < 0.05
        chances = [Fraction(*step.chance) for step in found.steps]
        assert chances == sorted(chances)
        total = Fraction(*found.chance) + sum(Fraction(*one.chance) for one in found.left)
        assert abs(total - 1) < Fraction(1, 10**12)


def test_the_best_order_is_at_least_as_good_as_every_other():
    scene = battle(ANN, BO, CY, hurt(ORC, 2))
    best = focus_fire(COUP_DE_GRACE, scene, "orc", ["ann", "bo", "cy"], 0)
    again = focus_fire(COUP_DE_GRACE, scene, "orc", best.best, 0)
    assert again.chance == best.best_chance
    assert Fraction(*best.best_chance) >= Fraction(*best.chance)
    # A hammer pushes the orc away from the sword, so the hammer comes after it.
    assert best.best.index("ann") < best.best.index("bo")


def test_an_attacker_that_cannot_attack_has_no_act_and_changes_nothing():
    scene = battle(replace(ANN, at=(0, 0)), CY, ORC)
    found = focus_fire(COUP_DE_GRACE, scene, "orc", ["ann", "cy"], 0)
    assert (found.steps[0].act, found.steps[0].label) == (None, "")
    assert Fraction(*found.steps[0].chance) == 0
    assert found.steps[1].act.weapon == "bow"


@pytest.mark.parametrize("ruleset", load_rulesets(BUILT_IN).values(), ids=lambda ruleset: ruleset.key)
def test_every_game_answers_in_the_published_shape(ruleset):
    scene = demo_battle(ruleset).scene
    target = scene.on_board()[0]
    others = [one.id for one in scene.on_board() if not scene.are_allies(one, target)]
    near = random.Random(1).sample(others, 2)
    found = focus_fire(ruleset, scene, target.id, near, 0)
    assert not differences("focus-fire", dump.plain(found))
    assert Counter(found.best) == Counter(near)


def test_a_player_asks_for_own_attackers_and_learns_nothing_of_hidden_targets():
    table = table_of(battle(ANN, BO, ORC, fighter("spy", "red", (6, 6), ["fist"], hidden=True)))
    assert table.focus(MIA, "orc", ["ann"]) == table.focus(GM, "orc", ["ann"])
    with pytest.raises(Forbidden):
        table.focus(MIA, "orc", ["ann", "bo"])
    with pytest.raises(Forbidden):
        table.focus(SPECTATOR, "orc", ["ann"])
    with pytest.raises(NotFound, match="no token 'spy'"):
        table.focus(MIA, "spy", ["ann"])


def test_an_attacker_named_twice_attacks_once():
    table = table_of(battle(ANN, ORC))
    assert len(table.focus(GM, "orc", ["ann", "ann"]).steps) == 1


@pytest.mark.parametrize("ruleset", load_rulesets(BUILT_IN).values(), ids=lambda ruleset: ruleset.key)
def test_the_best_order_is_the_best_of_all_orders_worked_out_one_by_one(ruleset):
    scene = demo_battle(ruleset).scene
    target = scene.on_board()[0]
    others = [one.id for one in scene.on_board() if not scene.are_allies(one, target)][:3]
    best = focus_fire(ruleset, scene, target.id, others, 0)
    plan = _Plan(ruleset, scene, target.id, others)  # one for all: what an attack does is worked out once
    each = [plan.follow(order)[1] for order in permutations(others)]
    assert best.best_chance == to_chance(max(one.chance for one in each))
    equal = [one.used for one in each if to_chance(one.chance) == best.best_chance]
    assert Fraction(*best.best_used) <= min(equal) + Fraction(1, 10**9)
