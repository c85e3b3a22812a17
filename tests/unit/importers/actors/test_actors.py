"""Exported actors become sheets: small ones of our own, in the shapes of each system's versions."""

from __future__ import annotations

import pytest

from enfilade.errors import BadFile, BadMessage
from enfilade.importers.actors import is_actor, read_actor, system_of
from enfilade.rules.profiles import read_profile
from enfilade.rules.sheets import Attack, Damage, profile_from
from enfilade.rulesets.any_system import ANY_SYSTEM
from enfilade.rulesets.torn import TORN


def ability(value, proficient=0):
    return {"value": value, "proficient": proficient}


TYPES = {"dr": "fire", "di": "poison", "dv": "cold"}
SCORES = {"str": 16, "dex": 14, "con": 12, "int": 8, "wis": 10, "cha": 9}


def actor(items=(), *, kind="npc", attributes=None, abilities=None, effects=(), **system):
    """Return an actor of dnd5e: challenge rating 5, so that the proficiency bonus is 3."""
    found = {
        "attributes": {
            "ac": {"calc": "flat", "flat": 15},
            "hp": {"value": 20, "max": 27},
            "movement": {"walk": 30, "units": "ft"},
            "senses": {"darkvision": 60},
            **(attributes or {}),
        },
        "abilities": {key: ability(score) for key, score in {**SCORES, **(abilities or {})}.items()},
        "details": {"cr": 5},
        "traits": {"size": "med"},
        **system,
    }
    return {"name": "Test", "type": kind, "system": found, "items": list(items), "effects": list(effects)}


def weapon(name="Sword", activity=None, *, kind="martialM", properties=(), given=None, **system):
    attack = {"type": "attack", "attack": {}, "damage": {"parts": []}, **(activity or {})}
    return {
        "name": name,
        "type": "weapon",
        "system": {
            "type": {"value": kind},
            "properties": list(properties),
            "range": given or {},
            "damage": {"base": {"number": 1, "denomination": 8, "types": ["slashing"]}},
            "activities": {"a": attack},
            **system,
        },
    }


def equipment(kind, value, dex=None, *, equipped=True, magic=None):
    armor = {"value": value, "dex": dex, "magicalBonus": magic}
    return {
        "name": kind,
        "type": "equipment",
        "system": {"type": {"value": kind}, "armor": armor, "equipped": equipped},
    }


def only_attack(*items, **more):
    (found,) = read_actor(actor(items, **more)).attacks
    return found


@pytest.mark.parametrize(
    ("movement", "senses"),
    [
        ({"walk": 40, "fly": 80, "units": "ft"}, {"darkvision": 60, "blindsight": 10}),
        ({"walk": "40", "fly": "80", "units": None}, {"ranges": {"darkvision": 60, "blindsight": 10}}),
        ({"speeds": {"walk": 40, "fly": 80}}, {"ranges": {"darkvision": 60, "blindsight": 10}}),
        ({"walk": 12, "fly": 24, "units": "m"}, {"darkvision": 18, "blindsight": 3, "units": "m"}),
    ],
    ids=["version 4", "version 5", "version 6", "meters"],
)
def test_speeds_and_senses_are_read_from_the_newest_place_that_has_them(movement, senses):
    found = read_actor(actor(attributes={"movement": movement, "senses": senses}))
    assert found.speeds == {"walk": 40, "fly": 80}
    assert found.senses == {"darkvision": 60, "blindsight": 10}


@pytest.mark.parametrize(
    ("armor", "items", "expected"),
    [
        ({"calc": "flat", "flat": 17}, [equipment("shield", 2)], 17),
        ({"calc": "natural", "flat": 14}, [equipment("shield", 2)], 16),
        ({"calc": "default", "flat": 19}, [], 12),
        ({"calc": "default"}, [equipment("medium", 15, 2), equipment("heavy", 18, equipped=False)], 17),
        ({"calc": "default"}, [equipment("heavy", 18, magic=1), equipment("shield", 2)], 21),
        ({"calc": "mage"}, [], 15),
        ({"calc": "unarmoredMonk"}, [equipment("shield", 2)], 12),
        ({"calc": "unarmoredBarb"}, [], 13),
        ({"calc": "custom", "formula": "10 + @abilities.dex.mod + @prof"}, [], 15),
        ({"value": 19, "cover": 2}, [], 17),
        ({"override": 20, "calc": "default"}, [], 20),
    ],
)
def test_armor_class_is_worked_out_without_cover(armor, items, expected):
    assert read_actor(actor(items, attributes={"ac": armor})).armor_class == expected


def test_saves_are_stored_numbers_or_the_modifier_with_proficiency():
    stored = actor()
    stored["system"]["abilities"]["dex"] = {"value": 14, "proficient": 1, "bonuses": {"save": "+1"}}
    stored["system"]["abilities"]["wis"] = {"value": 10, "save": 5}
    stored["system"]["abilities"]["cha"] = {"value": 9, "save": {"value": 4}}
    saves = read_actor(stored).saves
    assert (saves["str"], saves["dex"], saves["wis"], saves["cha"]) == (3, 6, 5, 4)


def test_a_weapon_strikes_with_strength_and_an_agile_hand_with_what_is_better():
    assert only_attack(weapon()) == Attack(
        name="Sword", kind="melee", bonus=6, reach=5, damage=(Damage(1, 8, 3, "slashing"),), ability="str"
    )
    agile = {"dex": 18}
    assert only_attack(weapon(properties=["fin", "rch"]), abilities=agile).bonus == 7
    assert only_attack(weapon(properties=["fin", "rch"]), abilities=agile).reach == 10


def test_a_weapon_has_its_properties_its_larger_die_and_a_mastery_that_is_known():
    sword = weapon(properties=["ver", "hvy", "mgc"])
    sword["system"] |= {"mastery": "sap", "type": {"value": "martialM", "baseItem": "longsword"}}
    sword["system"]["damage"]["versatile"] = {"number": 1, "denomination": 10}
    monster = only_attack(sword)
    assert (monster.properties, monster.two_handed, monster.mastery) == (("ver",), 10, "")
    fighter = actor([sword])
    fighter["type"] = "character"
    fighter["system"]["traits"] = {"weaponProf": {"mastery": {"value": ["longsword"]}, "value": ["mar"]}}
    found = read_actor(fighter)
    (attack,) = found.attacks
    assert (attack.properties, attack.mastery, found.has_mastery) == (("hvy", "ver"), "sap", True)
    odd = weapon()
    odd["system"] |= {"mastery": ["sap"], "type": {"value": "martialM", "baseItem": None}}
    assert only_attack(odd).mastery == ""


def test_a_bow_has_two_ranges_and_no_reach_and_a_thrown_weapon_has_both():
    bow = only_attack(weapon(kind="martialR", given={"value": 150, "long": 600, "units": "ft"}))
    assert (bow.kind, bow.bonus, bow.reach, bow.normal, bow.long) == ("ranged", 5, 0, 150, 600)
    thrown = only_attack(weapon(properties=["thr"], given={"value": 20, "long": 60}))
    assert (thrown.kind, thrown.reach, thrown.normal) == ("both", 5, 20)


def test_the_range_of_an_activity_counts_only_if_it_overrides_or_the_item_has_none():
    stale = {"range": {"value": 600, "units": "ft"}}
    assert only_attack(weapon("Pistol", stale, kind="martialR", given={"value": 30, "long": 90})).normal == 30
    own = {"range": {"value": 60, "override": True}}
    assert only_attack(weapon("Bolt", own, kind="martialR", given={"value": 30})).normal == 60
    feat = {"name": "Web", "type": "feat", "system": {"activities": {"a": {
        "type": "attack", "attack": {"type": {"value": "ranged"}}, "range": {"value": "30"}, "damage": {}
    }}}}  # fmt: skip
    assert only_attack(feat).normal == 30


def test_damage_has_the_base_of_the_weapon_and_parts_of_the_activity():
    venom = {"damage": {"parts": [{"number": 2, "denomination": 6, "types": ["poison"]}]}}
    assert only_attack(weapon(activity=venom)).damage == (
        Damage(1, 8, 3, "slashing"),
        Damage(2, 6, 0, "poison"),
    )
    bare = {"damage": {**venom["damage"], "includeBase": False}}
    assert only_attack(weapon(activity=bare)).damage == (Damage(2, 6, 0, "poison"),)
    custom = {"number": None, "custom": {"enabled": True, "formula": "2d4 + @mod - 1"}, "types": ["acid"]}
    assert only_attack(weapon(damage={"base": custom})).damage == (Damage(2, 4, 2, "acid"),)


def test_a_formula_that_is_more_than_a_sum_is_named_and_not_guessed():
    custom = {"custom": {"enabled": True, "formula": "(@scale.monk.die)d6"}}
    found = read_actor(actor([weapon("Fist", damage={"base": custom})]))
    assert (found.attacks, found.unread) == ((), ("Fist",))


def test_a_flat_bonus_is_the_whole_and_a_magic_weapon_adds_to_both():
    flat = {"attack": {"flat": True, "bonus": "9"}}
    assert only_attack(weapon(activity=flat)).bonus == 9
    magic = only_attack(weapon(magicalBonus=1))
    assert (magic.bonus, magic.damage[0].bonus) == (7, 4)


def test_a_spell_attack_uses_the_casters_ability():
    kind = {"type": {"value": "ranged", "classification": "spell"}}
    damage = {"parts": [{"number": 1, "denomination": 8, "types": ["cold"]}]}
    activities = {"a": {"type": "attack", "attack": kind, "damage": damage}}
    stated = {"range": {"value": 60, "units": "ft"}, "activities": activities}
    ray = {"name": "Ray", "type": "spell", "system": stated}
    found = only_attack(ray, abilities={"cha": 18}, attributes={"spellcasting": "cha"})
    assert (found.kind, found.bonus, found.normal) == ("ranged", 7, 60)


def test_a_character_has_the_hit_points_of_its_classes_and_the_speed_of_its_species():
    levels = {"type": "HitPoints", "value": {"1": "max", "2": "avg", "3": 4}}
    fighter = {"name": "Fighter", "type": "class", "system": {
        "levels": 3, "hd": {"denomination": "d10"}, "advancement": [levels]}}  # fmt: skip
    elf = {"name": "Elf", "type": "race", "system": {
        "movement": {"walk": "35"}, "senses": {"ranges": {"darkvision": 120}}}}  # fmt: skip
    found = read_actor(actor(
        [fighter, elf], kind="character",
        attributes={"hp": {"value": 12, "max": None}, "movement": {"walk": None}, "senses": {"ranges": {}}},
    ))  # fmt: skip
    assert (found.hit_points, found.hit_points_left) == (10 + 6 + 4 + 3, 12)
    assert (found.speeds, found.senses, found.proficiency) == ({"walk": 35}, {"darkvision": 120}, 2)


def test_active_effects_change_numbers_unless_they_are_disabled():
    faster = {"changes": [{"key": "system.attributes.movement.walk", "mode": 2, "value": "10"}]}
    ring = {"changes": [{"key": "system.attributes.ac.bonus", "mode": 2, "value": "1"}], "transfer": True}
    worn = {**equipment("ring", 0), "effects": [ring]}
    found = actor([worn], effects=[faster, {**faster, "disabled": True}], attributes={
        "ac": {"calc": "natural", "flat": 13, "bonus": ""}})  # fmt: skip
    assert (read_actor(found).speeds["walk"], read_actor(found).armor_class) == (40, 14)


def test_statuses_resistances_and_sizes_are_read():
    traits = {"size": "grg", **{key: {"value": [kind]} for key, kind in TYPES.items()}}
    effects = [{"statuses": ["prone", "poisoned"]}, {"statuses": ["dead"], "disabled": True}]
    found = read_actor(actor(effects=effects, traits=traits))
    assert (found.size, found.conditions) == ("gargantuan", ("prone", "poisoned"))
    assert (found.resistances, found.immunities, found.vulnerabilities) == (("fire",), ("poison",), ("cold",))


def pathfinder(**attributes):
    return {
        "name": "Ogre",
        "type": "npc",
        "_stats": {"systemId": "pf2e"},
        "items": [
            {"name": "Hook", "type": "melee", "system": {
                "bonus": {"value": 12}, "traits": {"value": ["reach-10", "trip"]},
                "damageRolls": {"x": {"damage": "1d10+7", "damageType": "piercing"}}}},
            {"name": "Javelin", "type": "melee", "system": {
                "bonus": {"value": 10}, "traits": {"value": ["thrown-30"]}, "damageRolls": {}}},
            {"name": "Prone", "type": "condition", "system": {"slug": "prone"}},
        ],
        "system": {
            "traits": {"size": {"value": "lg"}},
            "perception": {"senses": [{"type": "darkvision"}, {"type": "scent", "range": 30}]},
            "saves": {"fortitude": {"value": 11}, "reflex": {"value": 5}, "will": {"value": 6}},
            "attributes": {"ac": {"value": 17}, "hp": {"value": 40, "max": 50}, **attributes},
        },
    }  # fmt: skip


@pytest.mark.parametrize(
    ("size", "traits", "reach"),
    [
        *(("tiny", [], 0), ("sm", [], 5), ("lg", [], 5), ("huge", [], 10), ("grg", [], 15)),
        *(
            ("lg", ["reach-10"], 10),
            ("med", ["reach"], 10),
            ("huge", ["reach"], 15),
            ("tiny", ["reach-5"], 5),
            ("sm", ["reach-0"], 0),
        ),
    ],
)
def test_a_strike_of_pathfinder_reaches_as_far_as_the_body_unless_it_says_so(size, traits, reach):
    found = pathfinder()
    found["system"]["traits"]["size"]["value"] = size
    found["items"][0]["system"]["traits"]["value"] = traits
    del found["items"][1]
    sheet = read_actor(found)
    assert (sheet.reach, sheet.attacks[0].reach, sheet.attacks[0].kind) == (reach, reach, "melee")


@pytest.mark.parametrize("version", [7, 8])
def test_a_creature_of_pathfinder_has_speed_reach_senses_and_strikes(version):
    old = {"speed": {"value": 25, "otherSpeeds": [{"type": "fly", "value": 40}]}}
    found = pathfinder(**old) if version == 7 else pathfinder()
    if version == 8:
        found["system"]["movement"] = {"speeds": {"land": {"value": 25}, "fly": {"value": 40}, "climb": None}}
    sheet = read_actor(found)
    assert (sheet.size, sheet.armor_class, sheet.hit_points, sheet.hit_points_left) == ("large", 17, 50, 40)
    assert (sheet.speeds, sheet.reach) == ({"walk": 25, "fly": 40}, 10)
    assert sheet.senses == {"darkvision": 0, "scent": 30}
    assert (sheet.conditions, sheet.saves["reflex"]) == (("prone",), 5)
    assert [(one.name, one.kind, one.bonus, one.normal) for one in sheet.attacks] == [
        ("Hook", "melee", 12, 0),
        ("Javelin", "both", 10, 30),
    ]
    assert sheet.attacks[0].damage == (Damage(1, 10, 7, "piercing"),)


@pytest.mark.parametrize(
    ("said", "senses"),
    [
        ("darkvision", {"darkvision": 0}),
        ("Low-light vision, scent (imprecise) 30 feet", {"low-light-vision": 0, "scent": 30}),
        ("motion sense 60 feet, no vision", {"motion-sense": 60}),
        ("", {}),
    ],
)
def test_an_older_creature_of_pathfinder_is_known_and_has_its_senses_in_words(said, senses):
    found = pathfinder(perception={"value": 5}, speed={"value": 20, "otherSpeeds": []})
    del found["_stats"], found["system"]["perception"]
    found["system"]["traits"]["senses"] = {"value": said}
    sheet = read_actor(found)
    assert (sheet.system, sheet.size, sheet.reach, sheet.senses) == ("pf2e", "large", 10, senses)


def test_a_sense_with_two_ranges_has_the_farther_one_and_damage_may_be_lessened():
    found = pathfinder()
    found["system"]["perception"]["senses"] = [
        {"type": "tremorsense", "range": 80, "acuity": "imprecise"},
        {"type": "tremorsense", "range": 40, "acuity": "precise"},
    ]
    found["items"][0]["system"]["damageRolls"]["x"]["damage"] = "1d4 - 1"
    sheet = read_actor(found)
    assert sheet.senses == {"tremorsense": 80}
    assert sheet.attacks[0].damage == (Damage(1, 4, -1, "piercing"),)


@pytest.mark.parametrize("pace", [{"stats": {"speed": {"value": 6}}}, {"pace": {"ground": 6}}])
def test_a_wild_card_of_savage_worlds_has_its_pace_in_feet_and_its_parry(pace):
    system = {"stats": {"parry": {"value": 7}, "size": 1, **pace.get("stats", {})}, "wounds": {"max": 3}}
    found = {"name": "Ruth", "type": "character", "items": [], "system": {**system, "pace": pace.get("pace")}}
    sheet = read_actor(found)
    assert (sheet.system, sheet.speeds, sheet.armor_class) == ("swade", {"walk": 30}, 7)
    assert sheet.hit_points == 3


def test_a_simple_world_has_the_values_that_its_gm_made():
    system = {"health": {"value": 4, "max": 9}, "attributes": {"speed": {"value": 25}}}
    made = {"_stats": {"systemId": "worldbuilding"}, "system": system}
    found = {"name": "Pip", "type": "character", "items": [], **made}
    sheet = read_actor(found)
    assert (sheet.hit_points, sheet.hit_points_left, sheet.speeds) == (9, 4, {"walk": 25})


@pytest.mark.parametrize(
    "broken",
    [
        {"attributes": {"movement": {"walk": "fast"}, "senses": None, "hp": {"max": []}, "ac": 7}},
        {"attributes": {"movement": {"walk": 1e300}, "hp": {"max": True}}},
        {"abilities": {"str": None, "dex": {"value": "x"}}},
        {"traits": {"size": ["med"], "dr": {"value": {"a": 1}}}},
    ],
)
def test_broken_values_are_left_out_and_break_nothing(broken):
    found = actor([weapon(), {"type": "weapon"}, "no item", {"system": {"activities": [None, 3]}}])
    found["system"] |= broken
    sheet = read_actor(found)
    assert sheet.speeds in ({}, {"walk": 30})
    profile = profile_from(sheet, ANY_SYSTEM, "feet")
    assert read_profile(profile, ANY_SYSTEM.profile).size == "medium"


def test_what_is_no_actor_or_of_an_unknown_system_is_refused():
    assert not is_actor({"walls": [], "tokens": [], "items": [], "system": {}, "type": "x"})
    with pytest.raises(BadFile):
        read_actor([])
    with pytest.raises(BadFile, match="not known"):
        read_actor({"name": "x", "type": "hero", "items": [], "system": {"might": 3}})
    with pytest.raises(BadFile):
        read_actor(actor([{}] * 2_001))
    assert system_of(actor()) == "dnd5e"


def test_a_profile_has_the_fields_of_a_sheet_by_name_in_the_units_of_the_map():
    sheet = read_actor(actor([weapon(properties=["thr"], given={"value": 20, "long": 60})]))
    feet = profile_from(sheet, ANY_SYSTEM, "ft")
    assert (feet["speeds"], feet["reach"], feet["armor_class"]) == ({"walk": 30}, 5, 15)
    meters = profile_from(sheet, ANY_SYSTEM, "m")
    assert (meters["speeds"], meters["reach"]) == ({"walk": 9}, 1.5)
    assert meters["ranges"] == [{"name": "Sword", "normal": 6, "long": 18}]
    assert read_profile(meters, ANY_SYSTEM.profile).hit_points == 27
    with pytest.raises(BadMessage):
        read_profile({"speeds": "fast"}, ANY_SYSTEM.profile)
    assert not TORN.reads_actors
