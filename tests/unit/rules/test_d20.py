"""One die with reasons, and typed damage."""

from __future__ import annotations

from fractions import Fraction

import pytest

from enfilade.rules.d20 import Defenses, Edge, Part, attack_roll, edge, passes, relevant, settled, total
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Call, Outcome
from enfilade.scene.model import Grid, Scene

SCENE = Scene(ruleset="none", grid=Grid("square", 4, 4))


def chances(procedure, *arguments):
    def act(_scene):
        return Outcome(str((yield Call(procedure, arguments))))

    return {one.result: chance for one, chance in odds(SCENE, act, ()).chances.items()}


def test_reasons_count_once_and_both_sides_cancel_to_one_die():
    both = edge(["prone", "prone", ""], ["far", "dark"])
    assert both == Edge(("prone",), ("far", "dark"))
    assert (both.mode, edge(["a"]).mode, edge((), ["b"]).mode, Edge().mode) == (0, 1, -1, 0)
    assert edge(["a"]) | edge(["a"], ["b"]) == Edge(("a",), ("b",))


@pytest.mark.parametrize(
    ("mode", "hit", "critical"),
    [
        (0, Fraction(11, 20), Fraction(1, 20)),
        (1, Fraction(319, 400), Fraction(39, 400)),
        (-1, Fraction(121, 400), Fraction(1, 400)),
    ],
)
def test_a_needed_10_has_the_chances_of_one_die_and_of_the_better_or_worse_of_two(mode, hit, critical):
    found = chances(attack_roll, "attack", 10, mode)
    assert found["critical"] == critical
    assert found["hit"] + found["critical"] == hit


def test_a_1_always_misses_and_a_20_always_hits():
    assert chances(attack_roll, "attack", 22, 0)["critical"] == Fraction(1, 20)
    assert chances(attack_roll, "attack", -20, 0)["miss"] == Fraction(1, 20)
    assert chances(attack_roll, "attack", 10, 0, 19)["critical"] == Fraction(2, 20)
    assert chances(attack_roll, "attack", 20, 0, 19)["critical"] == Fraction(1, 20)


def test_a_save_knows_no_natural_1_and_20():
    assert chances(passes, "save", 2, 15, 0)["True"] == Fraction(2, 5)
    assert chances(passes, "save", 2, 15, 1)["True"] == Fraction(16, 25)
    assert chances(passes, "save", 20, 15, 0) == {"True": 1}


def test_resistance_halves_before_vulnerability_doubles_and_each_part_is_settled_by_itself():
    fire = Defenses(frozenset({"fire"}), frozenset({"fire"}))
    assert settled(Part(23, "fire"), fire) == 22
    assert settled(Part(23, "fire"), Defenses(vulnerabilities=frozenset({"fire"}), all_types=True)) == 22
    assert settled(Part(9, "cold"), Defenses(immunities=frozenset({"cold"}), all_types=True)) == 0
    halves = Defenses(frozenset({"slashing", "fire"}))
    assert total([Part(9, "slashing"), Part(9, "fire"), Part(-3, "cold")], halves) == 8
    assert relevant(halves, ["fire"]) == Defenses(frozenset({"fire"}))
