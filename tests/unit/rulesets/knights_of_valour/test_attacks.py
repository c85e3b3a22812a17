"""Melee and ranged attacks: rolls, Defense Values and damage (KOV-011 to KOV-022, KOV-049 to KOV-062)."""

from __future__ import annotations

import pytest

from enfilade.errors import NotFound
from enfilade.rules.odds import odds
from enfilade.rulesets.knights_of_valour.combat.attack import attack, size_modifier
from enfilade.rulesets.knights_of_valour.combat.attack_rolls import (
    AttackSpec,
    expected_damage,
    harm_chance,
    hit_chance,
)
from enfilade.scene.model import Wall
from tests.unit.rulesets.knights_of_valour.scenes import (
    dice,
    do,
    facts,
    hero,
    in_round,
    melee,
    monster,
    patch,
    points,
    refused,
    scene,
    shoot,
    with_condition,
)

SIZES = ("short", "average", "tall")


def duel(attacker=None, defender=None, **more):
    """A hero beside an orc, each with a sheet."""
    return scene(
        hero("aldis", (3, 3), **(attacker or {})), monster("orc", (4, 3), **(defender or {})), **more
    )


def declared(board, asked, faces=(1, 1)):
    (found,) = facts(do(board, asked, faces[: 2 if _has_disadvantage(board, asked) else 1]), "declared")
    return found


def _has_disadvantage(board, asked):
    return any(
        e.kind == "declared" and e.facts["disadvantage"] for e in odds(board, attack, (asked,)).declared
    )


def parts(modifiers):
    return [(m["reason"], m["value"]) for m in modifiers if m["counts"]]


@pytest.mark.rule("KOV-053", "KOV-011")
def test_the_melee_roll_adds_proficiency_strength_size_and_buffs():
    buff = {"name": "Bless", "kind": "attack", "value": 2}
    board = duel(
        {"strength": 3, "proficiency": {"Sword": 4}, "buffs": [buff]}, {"size": "tall", "agility": 5}
    )
    found = declared(board, melee("aldis", "orc"))
    assert parts(found["modifiers"]) == [
        ("proficiency with Sword", 4),
        ("Strength", 3),
        ("size (average attacks tall)", 1),
        ("Bless", 2),
    ]
    (roll,) = facts(do(board, melee("aldis", "orc"), (1,)), "attack roll")
    assert (roll["natural"], roll["total"], roll["is_hit"]) == (1, 11, False)


@pytest.mark.rule("KOV-054", "KOV-012", "KOV-052")
def test_the_melee_defense_adds_proficiency_armor_agility_and_buffs():
    buff = {"name": "Ward", "kind": "defense", "value": 1}
    sheet = {"proficiency": {"Dagger": 2}, "armor": "heavy", "shield": "large", "agility": 3, "buffs": [buff]}
    found = declared(duel(defender=sheet), melee("aldis", "orc"))
    assert parts(found["defenses"]) == [
        ("base", 10),
        ("proficiency with Dagger", 2),
        ("heavy armor", 3),
        ("large shield", 2),
        ("Agility", 3),
        ("Ward", 1),
    ]
    assert found["needed"] == 21 - 1


@pytest.mark.rule("KOV-052", "KOV-012")
def test_a_ranged_weapon_in_hand_adds_nothing_to_the_defense():
    found = declared(duel(defender={"hands": ["Long bow"]}), melee("aldis", "orc"))
    assert parts(found["defenses"]) == [("base", 10), ("Agility", 0)]
    bare = declared(duel(defender={"hands": []}), melee("aldis", "orc"))
    assert parts(bare["defenses"]) == [("base", 10), ("Agility", 0)]


@pytest.mark.rule("KOV-059", "KOV-011")
def test_the_ranged_roll_adds_proficiency_weapon_agility_size_and_buffs():
    buff = {"name": "Aim", "kind": "attack", "value": 1, "weapon": "Sling"}
    other = {"name": "Edge", "kind": "attack", "value": 5, "weapon": "Sword"}
    sling = {"name": "Sling", "kind": "ranged", "close": 50, "maximum": 80, "attack_modifier": 2}
    sheet = {"hands": ["Sling"], "weapons": [sling], "proficiency": {"Sling": 3}}
    sheet |= {"agility": 2, "strength": 4, "size": "tall", "buffs": [buff, other]}
    found = declared(duel(sheet), shoot("aldis", "orc", "Sling"))
    assert parts(found["modifiers"]) == [
        ("proficiency with Sling", 3),
        ("attack modifier of Sling", 2),
        ("Agility", 2),
        ("size (tall attacks average)", -1),
        ("Aim", 1),
    ]


@pytest.mark.rule("KOV-060", "KOV-012")
def test_the_ranged_defense_leaves_out_proficiency():
    sheet = {"proficiency": {"Dagger": 5}, "armor": "light", "shield": "small", "agility": 2}
    board = duel({"hands": ["Long bow"]}, sheet)
    found = declared(board, shoot("aldis", "orc"))
    assert parts(found["defenses"]) == [
        ("base", 10),
        ("light armor", 1),
        ("small shield", 1),
        ("Agility", 2),
    ]


@pytest.mark.rule("KOV-055", "KOV-049")
@pytest.mark.parametrize(("face", "result"), [(9, "miss"), (10, "hit"), (11, "hit")])
def test_a_melee_attack_hits_when_the_roll_equals_the_defense(face, result):
    done = do(duel(), melee("aldis", "orc"), (face, 3) if result == "hit" else (face,))
    assert done.result.result == result
    assert facts(done, "attack roll")[0]["total"] == face + 1
    assert points(done, "orc") == (17 if result == "hit" else 20)


@pytest.mark.rule("KOV-061", "KOV-049")
@pytest.mark.parametrize(("face", "result"), [(8, "miss"), (9, "hit")])
def test_a_ranged_attack_hits_when_the_roll_equals_the_defense(face, result):
    board = duel({"hands": ["Long bow"]}, {"hands": []})
    done = do(board, shoot("aldis", "orc"), (face, 3) if result == "hit" else (face,))
    assert done.result.result == result


@pytest.mark.rule("KOV-056", "KOV-019", "KOV-049")
def test_melee_damage_is_the_dice_of_the_weapon_plus_strength_and_buffs():
    buff = {"name": "Rage", "kind": "damage", "value": 3}
    board = duel({"strength": 2, "buffs": [buff]})
    done = do(board, melee("aldis", "orc"), (15, 5))
    assert dice(done) == [("attack", "d20", [15]), ("damage", "d8", [5])]
    assert facts(done, "damage") == [{"dice": 5, "modifier": 5, "damage": 10}]
    assert points(done, "orc") == 10
    assert done.result.damage == 10


@pytest.mark.rule("KOV-062", "KOV-019")
def test_ranged_damage_is_the_dice_of_the_weapon_plus_strength():
    done = do(duel({"hands": ["Long bow"], "strength": 2}), shoot("aldis", "orc"), (15, 6))
    assert dice(done)[1] == ("damage", "d8", [6])
    assert points(done, "orc") == 12


@pytest.mark.rule("KOV-019")
def test_no_damage_dice_after_a_miss_and_as_many_as_the_weapon_has():
    assert dice(do(duel(), melee("aldis", "orc"), (2,))) == [("attack", "d20", [2])]
    maul = {"name": "Maul", "dice": 2, "sides": 6}
    board = duel({"hands": ["Maul"], "weapons": [maul], "proficiency": {"Maul": 1}})
    done = do(board, melee("aldis", "orc", "Maul"), (15, 3, 6))
    assert dice(done)[1] == ("damage", "d6", [3, 6])
    assert points(done, "orc") == 11


def test_strength_does_not_turn_damage_into_healing():
    done = do(duel({"strength": -4}), melee("aldis", "orc"), (20, 2))
    assert (done.result.result, done.result.damage, points(done, "orc")) == ("hit", 0, 20)
    assert not facts(done, "wound")


@pytest.mark.rule("KOV-021", "KOV-022")
@pytest.mark.parametrize(
    ("attacker", "row"), [("short", (0, 1, 2)), ("average", (-1, 0, 1)), ("tall", (-2, -1, 0))]
)
def test_the_size_table(attacker, row):
    assert tuple(size_modifier(attacker, defender) for defender in SIZES) == row


@pytest.mark.rule("KOV-021")
def test_size_counts_in_melee_and_at_range():
    for sheet, asked in (
        ({}, melee("aldis", "orc")),
        ({"hands": ["Long bow"]}, shoot("aldis", "orc")),
    ):
        board = duel({"size": "short", **sheet}, {"size": "tall"})
        assert ("size (short attacks tall)", 2) in parts(declared(board, asked)["modifiers"])


@pytest.mark.rule("KOV-050", "KOV-006")
def test_a_melee_attack_needs_proficiency_and_the_weapon_in_hand():
    assert refused(duel({"proficiency": {"Sword": 0}}), melee("aldis", "orc")) == "KOV-050"
    assert refused(duel(), melee("aldis", "orc", "Dagger")) == "KOV-050"
    assert refused(duel({"hands": ["Long bow"]}), melee("aldis", "orc", "Long bow")) == "KOV-050"
    assert refused(duel(), melee("aldis", "orc")) == ""


@pytest.mark.rule("KOV-051")
@pytest.mark.parametrize(
    ("at", "rule"), [((4, 3), ""), ((4, 4), ""), ((2, 2), ""), ((5, 3), "KOV-051"), ((4, 5), "KOV-051")]
)
def test_a_melee_attack_reaches_5_feet(at, rule):
    board = scene(hero("aldis", (3, 3)), monster("orc", at))
    assert refused(board, melee("aldis", "orc")) == rule


@pytest.mark.rule("KOV-051")
@pytest.mark.parametrize(("height", "rule"), [(5, ""), (6, "KOV-051")])
def test_a_height_of_more_than_5_feet_is_out_of_reach(height, rule):
    board = duel(terrain=[patch("raised", (4, 3), height=height)])
    assert refused(board, melee("aldis", "orc")) == rule


@pytest.mark.rule("KOV-051")
def test_a_wall_between_is_out_of_reach():
    wall = Wall(id="w", line=(4 * 64, 0, 4 * 64, 12 * 64))
    assert refused(duel(walls=[wall]), melee("aldis", "orc")) == "KOV-051"


def test_an_attack_needs_two_creatures_in_the_battle_and_on_the_board():
    board = scene(hero("aldis", (3, 3)), monster("orc"), monster("far", (99, 3)), monster("troll", (4, 3)))
    assert refused(board, melee("aldis", "aldis")) == "KOV-049"
    assert refused(board, melee("aldis", "orc")) == "KOV-051"
    assert refused(board, melee("aldis", "far")) == "KOV-051"
    assert refused(with_condition(board, "troll", "out"), melee("aldis", "troll")) == "KOV-024"
    with pytest.raises(NotFound):
        do(board, melee("aldis", "ghost"))


@pytest.mark.parametrize(
    ("face", "leaves", "at"), [(4, "", (4, 3)), (5, "defeated", None), (8, "defeated", None)]
)
def test_a_creature_at_0_points_is_defeated(face, leaves, at):
    board = duel(defender={"damage_points": 5})
    done = do(board, melee("aldis", "orc"), (15, face))
    assert (done.result.leaves, done.result.damage) == (leaves, min(face, 5))
    assert done.scene.token("orc").at == at
    assert done.scene.token("orc").has("out") == bool(leaves)
    assert points(done, "orc") == max(0, 5 - face)


def test_the_last_team_wins():
    board = duel(defender={"damage_points": 1})
    won = do(board, melee("aldis", "orc"), (15, 3)).scene
    assert won.conditions["won"] == "heroes"
    two = scene(hero("aldis", (3, 3)), monster("orc", (4, 3), damage_points=1), monster("troll", (9, 9)))
    assert "won" not in do(two, melee("aldis", "orc"), (15, 3)).scene.conditions


@pytest.mark.rule("KOV-017")
def test_disadvantage_keeps_the_lower_of_two_dice():
    bow = {"name": "Bow", "kind": "ranged", "close": 0, "maximum": 50}
    board = duel({"hands": ["Bow"], "weapons": [bow], "proficiency": {"Bow": 1}})
    done = do(board, shoot("aldis", "orc", "Bow"), (18, 4))
    assert facts(done, "attack roll")[0]["natural"] == 4
    assert done.result.result == "miss"


def spec(**changes):
    plain = AttackSpec(
        modifier=1,
        defense=11,
        has_disadvantage=False,
        dice=1,
        sides=8,
        damage_modifier=0,
        minimum_damage=0,
        has_natural_rolls=False,
    )
    return plain._replace(**changes)


def test_the_chances_of_an_attack_are_exact():
    assert hit_chance(spec()) == pytest.approx(11 / 20)
    assert hit_chance(spec(has_disadvantage=True)) == pytest.approx(121 / 400)
    assert hit_chance(spec(defense=40)) == 0
    assert hit_chance(spec(defense=40, has_natural_rolls=True)) == pytest.approx(1 / 20)
    assert hit_chance(spec(defense=-5, has_natural_rolls=True)) == pytest.approx(19 / 20)
    assert harm_chance(spec()) == hit_chance(spec())
    assert harm_chance(spec(damage_modifier=-4)) == pytest.approx(11 / 40)
    assert harm_chance(spec(damage_modifier=-8)) == 0
    assert expected_damage(spec()) == pytest.approx(11 / 20 * 4.5)
    assert expected_damage(spec(dice=2, sides=6, damage_modifier=1)) == pytest.approx(11 / 20 * 8)
    assert expected_damage(spec(damage_modifier=-6, minimum_damage=1)) == pytest.approx(11 / 20 * 9 / 8)


@pytest.mark.parametrize("asked", [melee("aldis", "orc"), shoot("aldis", "orc", "Throwing spear")])
def test_the_preview_agrees_with_the_chances(asked):
    board = duel({"hands": ["Sword", "Throwing spear"], "strength": 1}, {"agility": 2})
    found = odds(board, attack, (asked,))
    assert found.is_exact
    assert sum(found.chances.values()) == 1
    needed = next(e.facts["needed"] for e in found.declared if e.kind == "declared")
    assert found.chance("hit") == pytest.approx((21 - needed) / 20)


@pytest.mark.rule("KOV-031")
def test_an_attack_uses_the_combat_action_and_the_second_is_refused():
    board = in_round(duel(), "aldis", "orc")
    after = do(board, melee("aldis", "orc"), (2,)).scene
    assert after.token("aldis").tracks["combat actions used"] == 1
    assert refused(after, melee("aldis", "orc")) == "KOV-031"
