"""The ready-made characters, the defaults of a sheet, and the options of the house rules."""

from __future__ import annotations

import msgspec
import pytest

from enfilade.rulesets.double_life.catalog import UNITS
from enfilade.rulesets.double_life.combat.attack_rolls import FORMULAS
from enfilade.rulesets.double_life.house_rules import HOUSE_RULES
from enfilade.rulesets.double_life.profiles import Profile, Weapon

VALUES = ("strength", "agility", "perception", "will", "focus", "stamina")

CHARACTERS = [
    ("dwarf-guard", "dwarf", (8, 7, 10, 8, 8, 8), (0, 11), ["Hammer 1D8"], 0),
    ("dwarf-axe", "dwarf", (8, 7, 10, 8, 8, 8), (10, 0), ["Great axe 2D6"], 0),
    ("elf-blade", "elf", (5, 9, 9, 9, 7, 7), (11, 0), ["Sword 1D6", "Dagger 1D4"], 0),
    ("elf-doubler", "elf", (5, 9, 9, 9, 7, 7), (0, 0), ["Dagger 1D4"], 3),
    ("gnome-dagger", "gnome", (4, 15, 7, 7, 7, 6), (0, 0), ["Dagger 1D4"], 0),
    ("gnome-doubler", "gnome", (4, 15, 7, 7, 7, 6), (0, 0), ["Dagger 1D4"], 2),
    ("human-sword", "human", (6, 8, 7, 8, 9, 8), (10, 10), ["Sword 1D6", "Fists 1D2"], 0),
    ("human-spear", "human", (6, 8, 7, 8, 9, 8), (9, 11), ["Spear 1D6+1"], 0),
    ("human-doubler", "human", (6, 8, 7, 8, 9, 8), (0, 0), ["Sword 1D6"], 5),
    ("orc-axe", "orc", (8, 8, 8, 6, 6, 10), (10, 0), ["Axe 1D8"], 0),
    ("orc-guard", "orc", (8, 8, 8, 6, 6, 10), (0, 11), ["Spear 1D6+1"], 0),
    ("troll", "troll", (15, 5, 7, 8, 4, 7), (9, 0), ["Club 2D8"], 0),
]


def test_the_ready_made_characters_have_the_middle_of_their_races_dice():
    found = []
    for unit in UNITS:
        sheet = unit.profile
        weapons = [Weapon(**weapon) for weapon in sheet["weapons"]]
        found.append(
            (
                unit.key,
                sheet["race"],
                tuple(sheet[name] for name in VALUES),
                (sheet["attack"], sheet["defense"]),
                [f"{weapon.name} {weapon.damage_text}" for weapon in weapons],
                sheet["mastery"],
            )
        )
    assert found == CHARACTERS
    assert {race for _, race, *_ in CHARACTERS} == set(FORMULAS) - {"any"}
    assert [unit.profile["experience"] for unit in UNITS if unit.profile["experience"]] == [{"focus": 3}]


def test_a_sheet_has_defaults():
    empty = Profile()
    assert tuple(getattr(empty, name) for name in VALUES) == (7, 7, 7, 7, 7, 7)
    assert (empty.race, empty.attack, empty.defense, empty.mastery) == ("any", 0, 0, 0)
    assert (empty.health, empty.energy, empty.experience) == (0, 5, {})
    assert [(w.name, w.dice, w.sides, w.bonus) for w in empty.weapons] == [("Fists", 1, 2, 0)]
    assert (Weapon("x").dice, Weapon("x").sides, Weapon("x").bonus) == (1, 6, 0)
    assert Weapon("x", bonus=-1).damage_text == "1D6-1"


OPTIONS = {
    "race_dice": (True, False),
    "difficulty": ("harder tests are harder", "as written"),
    "poise": (True, False),
    "poise_after_fall": ("half", "one", "all"),
    "focus_test": ("sum", "mean"),
    "weapon_ladder": (False, True),
    "max_defended": ("all", "one"),
    "guard_reach": ("beside the ally", "reaches the opponent"),
    "guarded_sides": ("all", "not the back"),
    "shared_case": ("front", "no side"),
    "surrounded": ("front and back or opposite", "no free case"),
    "surrounded_steps": ("none", "at the risk of a counter-attack"),
    "gnome_contact": ("beside it", "on its case"),
    "reposition": (1, 2),
    "movement": (2, 1, 3, 4),
    "disengage": ("only by flight", "also by a step"),
    "counter_attacks": ("automatic", "ask"),
    "energy_loss": (1, 0, 2, 3),
    "case_meters": (1, 2),
}


@pytest.mark.parametrize("rule", HOUSE_RULES, ids=lambda rule: rule.key)
def test_each_house_rule_has_its_options_the_default_first(rule):
    assert rule.options == OPTIONS[rule.key.removeprefix("double_life.")]
    assert rule.default == rule.options[0]
    assert rule.sentence
    assert rule.rule.startswith("DBL-")


def test_no_house_rule_is_missing():
    assert [rule.key.removeprefix("double_life.") for rule in HOUSE_RULES] == list(OPTIONS)


@pytest.mark.parametrize(("kind", "fields"), [(Profile, {"race": "elf"}), (Weapon, {"name": "Axe"})])
def test_the_parts_of_a_sheet_are_constant_and_refuse_unknown_fields(kind, fields):
    made = msgspec.convert(fields, kind)
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.convert({**fields, "luck": 1}, kind)
    with pytest.raises(AttributeError):
        setattr(made, next(iter(fields)), "other")


def test_the_values_of_a_sheet_are_given_by_name():
    with pytest.raises(TypeError):
        Profile("elf")
