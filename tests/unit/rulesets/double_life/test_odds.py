"""The odds of every kind of act are those of the resolver, and exact."""

from __future__ import annotations

from fractions import Fraction

import pytest

from enfilade.rules.conformance import check_preview
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.rulesets.double_life.combat.attack_rolls import band_of
from enfilade.rulesets.double_life.offers import ACTS
from enfilade.tactics import expected_damage
from enfilade.tactics.expected_damage import DamageTable, mean_damage
from tests.unit.rulesets.double_life.scenes import attack, fighter, foe, go, plan, play, scene, second_life
from tests.unit.rulesets.target_effects import check_effect

RACES = ("any", "dwarf", "elf", "gnome", "human", "orc", "troll")
STANCES = ("defends the front", "defends the left", "defends the right", "attacks", "easy target")
D20 = range(1, 21)


def board_with(race="any", other="any", **house_rules):
    at = (3, 3) if race == "gnome" else (3, 2)
    return scene(
        fighter("ann", (3, 3), race=race, mastery=5), foe("orc", at, race=other), house_rules=house_rules
    )


@pytest.mark.parametrize("race", RACES)
def test_the_odds_of_an_attack_are_exact_for_the_dice_of_each_race(race):
    other = RACES[RACES.index(race) - 1]
    board = board_with(race, other if {race, other} != {"gnome", "elf"} else "elf")
    found = odds(board, ACTS["attack"].procedure, (attack("ann", "orc"),))
    assert found.is_exact
    check_preview(DOUBLE_LIFE, (board, attack("ann", "orc")))


@pytest.mark.parametrize("stance", STANCES)
@pytest.mark.parametrize("rules", [{}, {"weapon_ladder": True, "poise": False}], ids=["plain", "other rules"])
def test_the_odds_against_each_stance_are_those_of_the_resolver(stance, rules):
    board = board_with("human", "dwarf", **rules)
    check_preview(DOUBLE_LIFE, (board, attack("ann", "orc", stance=stance)))


def test_the_bands_of_attack_against_defense_are_counted_by_hand():
    found = odds(board_with(), ACTS["attack"].procedure, (attack("ann", "orc"),))
    for band in ("total failure", "bad", "blah", "so-so", "good", "excellent"):
        count = sum(band_of((10 - a) - (10 - d)) == band for a in D20 for d in D20)
        assert found.chance(band) == Fraction(count, 400)
    assert found.chance(*DOUBLE_LIFE.successes) == Fraction(sum(a <= d for a in D20 for d in D20), 400)


@pytest.mark.parametrize(("stance", "hits"), [("attacks", 10), ("defends the left", 10), ("easy target", 20)])
def test_without_defense_a_test_of_0_hits_and_an_easy_target_is_always_hit(stance, hits):
    found = odds(board_with(), ACTS["attack"].procedure, (attack("ann", "orc", stance=stance),))
    assert found.chance(*DOUBLE_LIFE.successes) == Fraction(hits, 20)


def test_the_odds_of_a_second_life_are_those_of_the_resolver():
    board = board_with("elf", "troll")
    found = odds(board, ACTS["second-life"].procedure, (second_life("ann", "orc"),))
    assert found.is_exact
    check_preview(DOUBLE_LIFE, (board, second_life("ann", "orc")))
    assert {outcome.damage for outcome in found.chances if outcome.result == "blah"} <= {1, 2, 3, 4}


def test_rounds_moves_and_the_end_are_certain():
    board = board_with()
    for act in (Act(kind="round"), go("ann", 2, 3)):
        assert list(odds(board, ACTS[act.kind].procedure, (act,)).chances.values()) == [1]
        check_preview(DOUBLE_LIFE, (board, act))


def test_a_preview_shows_the_values_of_both():
    found = odds(board_with(), ACTS["attack"].procedure, (attack("ann", "orc"),))
    (said,) = [event.facts for event in found.declared]
    assert [(m["value"], m["rule"]) for m in (*said["modifiers"], *said["defenses"])] == [
        (10, "DBL-025"),
        (-10, "DBL-026"),
    ]
    assert [m["reason"] for m in (*said["modifiers"], *said["defenses"])] == ["Attack", "Defense of Orc"]
    found = odds(board_with(), ACTS["second-life"].procedure, (second_life("ann", "orc"),))
    (said,) = [event.facts for event in found.declared]
    assert [(m["reason"], m["value"], m["rule"]) for m in said["modifiers"]] == [
        ("Focus + Will", 20, "DBL-037")
    ]
    assert all(m["counts"] for m in said["modifiers"])


LIKE = {"health": 40, "weapons": [{"name": "Sword", "dice": 1, "sides": 6}]}
"""The sheet of the target, and the weapon of the attacker, from which each variant differs in one thing."""

VARIANTS = {
    "as it is": {},
    "less Health": {"target": {"health": 2}},
    "less Health now": {"target": {"tracks": {"health": 3}}},
    "attack": {"own": {"attack": 12}},
    "defense": {"target": {"defense": 8}},
    "race": {"own": {"race": "elf"}},
    "race of the target": {"target": {"race": "human"}},
    "more dice": {"own": {"weapons": [{"name": "Sword", "dice": 2, "sides": 6}]}},
    "larger dice": {"own": {"weapons": [{"name": "Sword", "dice": 1, "sides": 8}]}},
    "a bonus": {"own": {"weapons": [{"name": "Sword", "dice": 1, "sides": 6, "bonus": 1}]}},
    "no defense": {"stance": "attacks"},
    "an easy target": {"stance": "easy target"},
    "the ladder of damage": {"rules": {"weapon_ladder": True}},
    "no dice of races": {"own": {"race": "elf", "attack": 13}, "rules": {"race_dice": False}},
    "a second-life": {"act": second_life("ann", "orc")},
    "a stronger second-life": {"act": second_life("ann", "orc"), "own": {"mastery": 9}},
    "a second-life of less focus": {"act": second_life("ann", "orc"), "own": {"focus": 4}},
    "a second-life by the mean": {"act": second_life("ann", "orc"), "rules": {"focus_test": "mean"}},
}


def variant(own=(), target=(), stance="defends the front", rules=(), act=None):
    ann = fighter("ann", (3, 3), **{"mastery": 5, **LIKE, **dict(own)})
    board = scene(ann, foe("orc", (3, 2), **{**LIKE, **dict(target)}), house_rules=dict(rules))
    return board, act or attack("ann", "orc", stance=stance)


def test_attacks_that_differ_in_one_thing_never_share_their_odds(monkeypatch):
    monkeypatch.setattr(expected_damage, "_known", {})
    table, seen = DamageTable(DOUBLE_LIFE), {}
    for name, changes in VARIANTS.items():
        board, act = variant(**changes)
        own = odds(board, ACTS[act.kind].procedure, (act,))
        strike = table.strike(board, act)
        assert (strike.damage, strike.chance) == (mean_damage(own), own.chance(*DOUBLE_LIFE.successes)), name
        seen[name] = strike.damage, strike.chance
    for name in VARIANTS:
        like = "a second-life" if "second-life" in name else "as it is"
        assert name == like or seen[name] != seen[like], f"{name}: or a key without it would pass"


def test_two_attackers_who_are_alike_share_their_odds():
    board = scene(fighter("ann", (3, 3)), fighter("bo", (4, 3)), foe("orc", (3, 2)))
    key = DOUBLE_LIFE.outlook.damage_key
    assert key(board, attack("ann", "orc")) == key(board, attack("bo", "orc"))
    assert key(board, attack("ann", "orc")) != key(board, attack("ann", "orc", stance="attacks"))


def test_the_attacks_of_a_round_are_told_with_their_results_and_their_chances():
    board = board_with()
    done = play(board, {"ann": plan("attack 1 orc"), "orc": plan("attack 1 ann")}, (3, 4, 20))
    act = Act(kind="round")
    mine, its = sorted(DOUBLE_LIFE.played_attacks(board, act, done.events), key=lambda made: made.token)
    assert (mine.token, mine.target, mine.is_hit, mine.damage) == ("ann", "orc", True, 4)
    assert (its.token, its.target, its.is_hit, its.damage) == ("orc", "ann", False, 0)
    # Against an attacker a test of 0 or more succeeds: 10 of 20 throws, with 3.5 points of damage each.
    assert (mine.chance, mine.expected) == (Fraction(1, 2), Fraction(7, 4))


@pytest.mark.parametrize("stance", STANCES)
@pytest.mark.parametrize(
    "orc", [{}, {"health": 3}, {"tracks": {"poise": 2}}, {"conditions": {"fallen": "1"}}]
)
def test_the_effect_of_an_attack_on_its_target_is_that_of_the_whole_act(stance, orc):
    board = scene(fighter("ann", (3, 3), attack=8), foe("orc", (3, 2), defense=16, **orc), number=1)
    check_effect(DOUBLE_LIFE, board, attack("ann", "orc", stance=stance))


def test_only_poise_and_health_follow_from_the_effect_of_an_attack():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2), mastery=5, conditions={"second-life": ""}))
    by_tests = scene(fighter("ann", (3, 3)), foe("orc", (3, 2)), house_rules={"poise": False})
    for there in (board, by_tests):
        assert DOUBLE_LIFE.outlook.on_target(there, attack("ann", "orc")) is None
    shadow = scene(fighter("ann", (3, 3), mastery=5), foe("orc", (3, 2), tracks={"poise": 1}))
    check_effect(DOUBLE_LIFE, shadow, second_life("ann", "orc"))


def test_who_loses_all_health_is_down_and_who_keeps_one_point_is_not():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2), health=4, tracks={"poise": 3}))
    effect = DOUBLE_LIFE.outlook.on_target(board, attack("ann", "orc"))
    mark = effect.marks(board.token("orc"))
    assert mark((4, 0)) == mark((9, -1))
    assert mark((3, 0)) != mark((4, 0))
    assert effect.after(board, board.token("orc"), (4, 0)) is None
    assert effect.after(board, board.token("orc"), (3, 0)) is not None


@pytest.mark.parametrize("most", [2, 3, 4])
def test_a_counter_attack_changes_the_poise_of_who_makes_it_as_any_attack_does(most):
    # Ann fails nearly always, and the orc that answers her hits or fails by its own test.
    board = scene(
        fighter("ann", (3, 3), attack=1), foe("orc", (3, 2), attack=8, defense=18, tracks={"poise": most})
    )
    for stance in STANCES:
        check_effect(DOUBLE_LIFE, board, attack("ann", "orc", stance=stance))
