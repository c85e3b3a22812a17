"""Sheets: proficiency, weight, size, armor and shields (KOV-003 to KOV-013, KOV-020, KOV-045 to KOV-048)."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from enfilade.errors import BadMessage
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.knights_of_valour.equipment import ROLES, WEAPONS, Weapon
from enfilade.rulesets.knights_of_valour.profiles import Buff, Profile, maximum_weight, read_creature
from enfilade.scene.model import Token
from tests.unit.rulesets.knights_of_valour.scenes import hero, judged, melee, monster, reach, refused, scene


def creature(**sheet):
    return read_creature(hero("aldis", **sheet))


def modifiers(**sheet):
    return {m.reason: (m.value, m.rule) for m in creature(**sheet).defense_modifiers}


@pytest.mark.rule("KOV-003")
@pytest.mark.parametrize(("level", "is_valid"), [(-1, False), (0, True), (10, True), (11, False)])
def test_a_proficiency_level_is_from_0_to_10(level, is_valid):
    if is_valid:
        assert creature(proficiency={"Sword": level}).proficiency("Sword") == level
    else:
        with pytest.raises(BadMessage):
            creature(proficiency={"Sword": level})


@pytest.mark.rule("KOV-003")
def test_buffs_keep_a_level_from_0_to_10():
    buff = {"name": "Drill", "kind": "proficiency", "weapon": "Sword"}
    assert creature(proficiency={"Sword": 9}, buffs=[{**buff, "value": 5}]).proficiency("Sword") == 10
    assert creature(proficiency={"Sword": 2}, buffs=[{**buff, "value": -5}]).proficiency("Sword") == 0


@pytest.mark.rule("KOV-004")
def test_the_default_level_is_0():
    assert creature(role="monster", proficiency={}).proficiency("Sword") == 0
    assert creature(role="fighter", proficiency={}).proficiency("Long bow") == 0


@pytest.mark.rule("KOV-005")
def test_a_creature_is_proficient_from_level_1():
    sword = WEAPONS["Sword"]
    levels = [creature(proficiency={"Sword": level}).is_proficient(sword) for level in (0, 1, 2)]
    assert levels == [False, True, True]


@pytest.mark.rule("KOV-006")
def test_a_creature_attacks_only_with_weapons_that_it_is_proficient_in():
    for level, rule in ((0, "KOV-050"), (1, "")):
        board = scene(hero("aldis", (3, 3), proficiency={"Sword": level}), monster("orc", (4, 3)))
        assert refused(board, melee("aldis", "orc")) == rule


@pytest.mark.rule("KOV-007")
def test_proficiency_belongs_to_the_type_of_weapon():
    mine = creature(hands=["Dagger", "Dagger"], carried=["Dagger"], proficiency={"Dagger": 3})
    assert [mine.proficiency(weapon.name) for weapon in mine.held] == [3, 3]


@pytest.mark.rule("KOV-008")
@pytest.mark.parametrize("role", [role for role in ROLES if role != "monster"])
def test_initial_proficiencies_come_from_the_role(role):
    mine = creature(role=role, hands=[], proficiency={})
    assert ROLES[role].proficiency
    assert {name: mine.proficiency(name) for name in ROLES[role].proficiency} == ROLES[role].proficiency


@pytest.mark.rule("KOV-008")
def test_the_sheet_overrides_the_level_of_the_role():
    assert creature(role="ranger", hands=[], proficiency={"Long bow": 5}).proficiency("Long bow") == 5
    assert creature(role="ranger", hands=[], proficiency={}).proficiency("Long bow") == 2


@pytest.mark.rule("KOV-010")
def test_the_weapon_proficiency_buff_adds_to_its_type_only():
    buff = {"name": "Drill", "kind": "proficiency", "weapon": "Sword", "value": 2}
    mine = creature(proficiency={"Sword": 1, "Dagger": 1}, buffs=[buff])
    assert (mine.proficiency("Sword"), mine.proficiency("Dagger")) == (3, 1)


@pytest.mark.rule("KOV-013")
def test_every_weapon_has_a_weight_and_all_that_is_carried_counts():
    assert all(weapon.weight >= 0 for weapon in WEAPONS.values())
    assert (WEAPONS["Sword"].weight, WEAPONS["Dagger"].weight) == (3, 1)
    mine = creature(hands=["Sword"], carried=["Dagger", "Dagger"], shield="large", armor="heavy", load=4)
    assert mine.weight == 3 + 2 + 8 + 35 + 4
    assert creature(shield="small", armor="light").weight == 3 + 4 + 10
    assert creature(armor="medium").weight == 3 + 20


@pytest.mark.rule("KOV-013")
@pytest.mark.parametrize(("strength", "limit"), [(0, 50), (2, 70), (-3, 20), (-5, 0)])
def test_the_maximum_weight_depends_on_strength(strength, limit):
    board = scene()
    assert maximum_weight(board, creature(strength=strength)) == limit


@pytest.mark.rule("KOV-013")
def test_a_creature_that_carries_too_much_cannot_move():
    light, heavy = hero("aldis", (3, 3), load=47), hero("bran", (3, 8), load=48)
    board = scene(light, heavy)
    assert judged(board, "aldis", (4, 3)).allowed
    ruling = judged(board, "bran", (4, 8))
    assert not ruling.allowed
    assert ruling.reasons == ("Bran carries 51 and may carry 50 (KOV-013).",)
    assert reach(board, "aldis")
    assert reach(board, "bran") is None


@pytest.mark.rule("KOV-020")
def test_sizes_are_short_average_and_tall():
    for size in ("short", "average", "tall"):
        assert creature(size=size).profile.size == size
    with pytest.raises(BadMessage):
        creature(size="huge")


@pytest.mark.rule("KOV-045")
@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        ("fighter", ["light", "medium", "heavy"]),
        ("ranger", ["light", "medium"]),
        ("thief", ["light"]),
        ("bard", ["light"]),
        ("wizard", []),
        ("monk", []),
        ("monster", ["light", "medium", "heavy"]),
    ],
)
def test_a_role_wears_only_the_armor_that_it_allows(role, allowed):
    for armor in ("light", "medium", "heavy"):
        if armor in allowed:
            assert creature(role=role, armor=armor).profile.armor == armor
        else:
            with pytest.raises(BadMessage, match="KOV-045"):
                creature(role=role, armor=armor)


@pytest.mark.rule("KOV-046")
@pytest.mark.parametrize(("armor", "modifier"), [("light", 1), ("medium", 2), ("heavy", 3)])
def test_each_armor_has_a_defense_modifier(armor, modifier):
    assert modifiers(armor=armor) == {f"{armor} armor": (modifier, "KOV-046")}
    assert modifiers() == {}


@pytest.mark.rule("KOV-047")
def test_a_small_shield_gives_1():
    assert modifiers(shield="small") == {"small shield": (1, "KOV-047")}


@pytest.mark.rule("KOV-048")
def test_a_large_shield_gives_2():
    assert modifiers(shield="large") == {"large shield": (2, "KOV-048")}


@pytest.mark.parametrize(
    ("sheet", "field"),
    [
        ({"hands": ["Spoon"]}, "profile.hands"),
        ({"carried": ["Spoon"]}, "profile.carried"),
        ({"hands": ["Two-handed sword"], "shield": "small"}, "profile.hands"),
        ({"hands": ["Staff", "Dagger"]}, "profile.hands"),
        ({"hands": ["Sword", "Dagger"], "shield": "small"}, "profile.hands"),
    ],
)
def test_unknown_weapons_and_full_hands_are_refused(sheet, field):
    with pytest.raises(BadMessage) as problem:
        creature(**sheet)
    assert list(problem.value.fields) == [field]


def test_two_hands_hold_two_weapons_or_one_and_a_shield_or_a_two_handed_one():
    assert len(creature(hands=["Sword", "Dagger"]).held) == 2
    assert creature(hands=["Sword"], shield="large").profile.shield == "large"
    assert len(creature(hands=["Two-handed sword"]).held) == 1


def test_an_own_weapon_type_replaces_that_of_the_table():
    own = {"name": "Sword", "sides": 12, "dice": 2}
    assert creature(weapons=[own]).held[0].damage_text == "2D12"
    assert creature().held[0].damage_text == "D8"


@pytest.mark.parametrize(("health", "points"), [(0, 10), (2, 14), (-2, 6), (-5, 1)])
def test_damage_points_come_from_health_unless_the_sheet_gives_them(health, points):
    mine = read_creature(monster("orc", health=health, damage_points=0))
    assert mine.maximum_points == points
    assert read_creature(monster("orc", health=health, damage_points=33)).maximum_points == 33


def test_a_token_enters_with_at_most_its_damage_points_and_without_a_facing():
    prepare = KNIGHTS_OF_VALOUR.prepare_token
    token = hero("aldis", (1, 1))
    assert prepare(token).tracks["points"] == 20
    assert prepare(token).facing is None
    hurt = Token(id="a", name="A", side="heroes", tracks={"points": 7}, profile=token.profile)
    fat = Token(id="a", name="A", side="heroes", tracks={"points": 70}, profile=token.profile)
    assert [prepare(one).tracks["points"] for one in (hurt, fat)] == [7, 20]
    bar = KNIGHTS_OF_VALOUR.bar(token)
    assert (bar.track, bar.most) == ("points", 20)


def test_the_catalog_has_six_characters_and_six_monsters_that_fit_their_roles():
    sheets = [
        read_creature(Token(id="a", name="A", side="s", profile=u.profile)) for u in KNIGHTS_OF_VALOUR.catalog
    ]
    assert [one.is_player for one in sheets] == [True] * 6 + [False] * 6
    assert {one.profile.role for one in sheets[:6]} == set(ROLES) - {"monster"}
    for one in sheets:
        assert one.weight <= maximum_weight(scene(), one)
        assert all(one.is_proficient(weapon) for weapon in one.held)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [(Profile, {}), (Buff, {"name": "Haste", "kind": "attack"}), (Weapon, {"name": "Maul"})],
)
def test_the_parts_of_a_sheet_are_constant_and_refuse_unknown_fields(kind, fields):
    made = msgspec.convert(fields, kind)
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.convert({**fields, "luck": 1}, kind)
    with pytest.raises(AttributeError):
        setattr(made, next(iter(kind.__struct_fields__)), None)
    with pytest.raises(TypeError):
        kind("positional")


def test_an_empty_sheet_has_no_equipment_and_stats_of_0():
    assert msgspec.to_builtins(Profile()) == {
        **dict.fromkeys(("agility", "strength", "health", "load", "movement", "height", "damage_points"), 0),
        **dict.fromkeys(("hands", "carried", "buffs", "weapons"), ()),
        **dict.fromkeys(("stature", "shield", "armor"), ""),
        "role": "monster",
        "size": "average",
        "proficiency": {},
    }
    buff = {"name": "Haste", "kind": "attack"}
    assert msgspec.to_builtins(Buff(**buff)) == {**buff, "value": 1, "weapon": ""}
    maul = Weapon(name="Maul")
    assert (maul.kind, maul.damage_text, maul.is_two_handed) == ("melee", "D6", False)
    assert (maul.close, maul.maximum, maul.weight, maul.attack_modifier) == (0, 0, 0, 0)


def test_creatures_and_roles_are_constant():
    with pytest.raises(AttributeError):
        ROLES["bard"].armor = ()
    with pytest.raises(AttributeError):
        creature().token = None


@pytest.mark.rule("KOV-010")
def test_a_buff_gives_a_level_in_a_weapon_without_any():
    buff = {"name": "Drill", "kind": "proficiency", "weapon": "Club", "value": 3}
    assert creature(role="monster", proficiency={}, buffs=[buff]).proficiency("Club") == 3


@pytest.mark.rule("KOV-047")
@pytest.mark.parametrize(("taken", "shield"), [(["Sword", "Dagger"], ""), (["Dagger"], "small")])
def test_c29_a_shield_is_on_the_back_while_both_hands_hold_weapons(taken, shield):
    armed = hero("aldis", hands=[], carried=["Sword", "Dagger"], shield="small")
    hands = dict(zip(("main hand", "other hand"), taken, strict=False))
    assert read_creature(replace(armed, conditions=hands)).shield == shield
