"""The rule page holds the tables of the code: weapons, armor, roles and ready-made creatures."""

from __future__ import annotations

from pathlib import Path

import pytest

from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.knights_of_valour.equipment import (
    ARMOR_MODIFIERS,
    ARMOR_WEIGHTS,
    ROLES,
    SHIELD_MODIFIERS,
    SHIELD_WEIGHTS,
    WEAPONS,
)
from enfilade.rulesets.knights_of_valour.profiles import read_creature
from enfilade.scene.model import Token

PAGE = Path(__file__).parents[4] / "docs" / "rulesets" / "knights-of-valour.md"


def table(heading):
    """The rows of the table under a heading of the rule page."""
    text = PAGE.read_text(encoding="utf-8").split(f"### {heading}\n")[1].split("###")[0]
    rows = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [[entry.strip() for entry in row.strip("|").split("|")] for row in rows]


@pytest.mark.rule("KOV-019", "KOV-013")
def test_the_page_has_the_weapons():
    assert table("Weapons") == [
        [w.name, w.kind, w.damage_text, str(w.close), str(w.maximum), str(w.weight), str(1 + w.is_two_handed)]
        for w in WEAPONS.values()
    ]
    assert all(weapon.attack_modifier == 0 for weapon in WEAPONS.values())


@pytest.mark.rule("KOV-046", "KOV-047", "KOV-048")
def test_the_page_has_armor_and_shields():
    armor = [[f"{a} armor", str(m), str(ARMOR_WEIGHTS[a])] for a, m in ARMOR_MODIFIERS.items() if a]
    shields = [[f"{s} shield", str(m), str(SHIELD_WEIGHTS[s])] for s, m in SHIELD_MODIFIERS.items() if s]
    assert table("Armor and shields") == armor + shields
    bare = (ARMOR_MODIFIERS[""], ARMOR_WEIGHTS[""], SHIELD_MODIFIERS[""], SHIELD_WEIGHTS[""])
    assert bare == (0, 0, 0, 0)


@pytest.mark.rule("KOV-008", "KOV-045")
def test_the_page_has_the_roles():
    assert table("Roles") == [
        [
            role,
            ", ".join(armor for armor in entry.armor if armor) or "none",
            ", ".join(f"{name} {level}" for name, level in entry.proficiency.items()),
        ]
        for role, entry in ROLES.items()
        if role != "monster"
    ]


def test_the_page_has_the_ready_made_creatures():
    shown = []
    for unit in KNIGHTS_OF_VALOUR.catalog:
        one = read_creature(Token(id="a", name="A", side="s", profile=unit.profile))
        stats = [f"{stat:+d}" for stat in (one.profile.agility, one.profile.strength, one.profile.health)]
        weapons = ", ".join(f"{weapon.name} {one.proficiency(weapon.name)}" for weapon in one.held)
        shown.append([unit.name, *stats, str(one.maximum_points), str(one.weight), weapons])
    assert table("Ready-made creatures") == shown


def test_special_creatures_have_what_makes_them_special():
    units = {unit.key: unit.profile for unit in KNIGHTS_OF_VALOUR.catalog}
    assert [(key, one["movement"], one["height"]) for key, one in units.items() if one["movement"]] == [
        ("wolf", 40, 3)
    ]
    assert {key: one["size"] for key, one in units.items() if one["size"] != "average"} == {
        "thief": "short",
        "goblin": "short",
        "goblin-spear-thrower": "short",
        "wolf": "short",
        "troll": "tall",
    }
    buffs = {
        key: [(b["kind"], b["value"]) for b in one["buffs"]] for key, one in units.items() if one["buffs"]
    }
    assert buffs == {
        "bard": [("proficiency", 1)],
        "monk": [("move action", 1)],
        "troll": [("combat action", 1)],
    }
