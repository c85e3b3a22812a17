"""Weapons: their table, and the attacks of a creature with them (SRD-071, SRD-084, SRD-114 to SRD-122)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from enfilade.rules.sheets import Attack, Damage

UNARMED = "Unarmed strike"
IMPROVISED = "Improvised weapon"
Training = Literal["martial", "simple", "none"]
B, P, S = "bludgeoning", "piercing", "slashing"


class Weapon(NamedTuple):
    """A weapon: its die, its type, its properties as codes, its mastery, two ranges and its larger die."""

    is_martial: bool
    is_ranged: bool
    dice: int
    sides: int
    type: str
    properties: str
    mastery: str
    normal: int = 0
    long: int = 0
    two_handed: int = 0


WEAPONS = {
    "Club": Weapon(False, False, 1, 4, B, "lgt", "slow"),
    "Dagger": Weapon(False, False, 1, 4, P, "fin lgt thr", "nick", 20, 60),
    "Greatclub": Weapon(False, False, 1, 8, B, "two", "push"),
    "Handaxe": Weapon(False, False, 1, 6, S, "lgt thr", "vex", 20, 60),
    "Javelin": Weapon(False, False, 1, 6, P, "thr", "slow", 30, 120),
    "Light Hammer": Weapon(False, False, 1, 4, B, "lgt thr", "nick", 20, 60),
    "Mace": Weapon(False, False, 1, 6, B, "", "sap"),
    "Quarterstaff": Weapon(False, False, 1, 6, B, "ver", "topple", two_handed=8),
    "Sickle": Weapon(False, False, 1, 4, S, "lgt", "nick"),
    "Spear": Weapon(False, False, 1, 6, P, "thr ver", "sap", 20, 60, 8),
    "Dart": Weapon(False, True, 1, 4, P, "fin thr", "vex", 20, 60),
    "Light Crossbow": Weapon(False, True, 1, 8, P, "amm lod two", "slow", 80, 320),
    "Shortbow": Weapon(False, True, 1, 6, P, "amm two", "vex", 80, 320),
    "Sling": Weapon(False, True, 1, 4, B, "amm", "slow", 30, 120),
    "Battleaxe": Weapon(True, False, 1, 8, S, "ver", "topple", two_handed=10),
    "Flail": Weapon(True, False, 1, 8, B, "", "sap"),
    "Glaive": Weapon(True, False, 1, 10, S, "hvy rch two", "graze"),
    "Greataxe": Weapon(True, False, 1, 12, S, "hvy two", "cleave"),
    "Greatsword": Weapon(True, False, 2, 6, S, "hvy two", "graze"),
    "Halberd": Weapon(True, False, 1, 10, S, "hvy rch two", "cleave"),
    "Lance": Weapon(True, False, 1, 10, P, "hvy rch two", "topple"),
    "Longsword": Weapon(True, False, 1, 8, S, "ver", "sap", two_handed=10),
    "Maul": Weapon(True, False, 2, 6, B, "hvy two", "topple"),
    "Morningstar": Weapon(True, False, 1, 8, P, "", "sap"),
    "Pike": Weapon(True, False, 1, 10, P, "hvy rch two", "push"),
    "Rapier": Weapon(True, False, 1, 8, P, "fin", "vex"),
    "Scimitar": Weapon(True, False, 1, 6, S, "fin lgt", "nick"),
    "Shortsword": Weapon(True, False, 1, 6, P, "fin lgt", "vex"),
    "Trident": Weapon(True, False, 1, 8, P, "thr ver", "topple", 20, 60, 10),
    "War Pick": Weapon(True, False, 1, 8, P, "ver", "sap", two_handed=10),
    "Warhammer": Weapon(True, False, 1, 8, B, "ver", "push", two_handed=10),
    "Whip": Weapon(True, False, 1, 4, S, "fin rch", "slow"),
    "Blowgun": Weapon(True, True, 0, 0, P, "amm lod", "vex", 25, 100),
    "Hand Crossbow": Weapon(True, True, 1, 6, P, "amm lgt lod", "vex", 30, 120),
    "Heavy Crossbow": Weapon(True, True, 1, 10, P, "amm hvy lod two", "push", 100, 400),
    "Longbow": Weapon(True, True, 1, 8, P, "amm hvy two", "slow", 150, 600),
    "Musket": Weapon(True, True, 1, 12, P, "amm lod two", "slow", 40, 120),
    "Pistol": Weapon(True, True, 1, 10, P, "amm lod", "vex", 30, 90),
}

Modifier = Callable[[Literal["str", "dex"]], int]


def attack_with(name: str, modifier: Modifier, proficiency: int, training: Training) -> Attack:
    """Return the attack with a weapon of the table (SRD-084, SRD-115, SRD-119, SRD-120)."""
    one = WEAPONS[name]
    properties = tuple(one.properties.split())
    ability: Literal["str", "dex"] = "dex" if one.is_ranged else "str"
    if "fin" in properties:
        ability = "str" if modifier("str") > modifier("dex") else "dex"
    is_trained = training == "martial" or (training == "simple" and not one.is_martial)
    extra = 1 if name == "Blowgun" else 0  # it deals 1 piercing without a die
    return Attack(
        name=name,
        kind="ranged" if one.is_ranged else "both" if "thr" in properties else "melee",
        bonus=modifier(ability) + (proficiency if is_trained else 0),
        reach=0 if one.is_ranged else 10 if "rch" in properties else 5,
        normal=one.normal,
        long=one.long,
        damage=(Damage(one.dice, one.sides, modifier(ability) + extra, one.type),),
        ability=ability,
        properties=properties,
        mastery=one.mastery,
        two_handed=one.two_handed,
    )


def common_attacks(modifier: Modifier, proficiency: int, *, has_hands: bool) -> Iterator[Attack]:
    """Yield the attacks that need no weapon of one's own (SRD-071, SRD-122)."""
    strength = modifier("str")
    blow = Damage(0, 0, max(0, 1 + strength), B)
    yield Attack(
        name=UNARMED, kind="melee", bonus=strength + proficiency, reach=5, damage=(blow,), ability="str"
    )
    if has_hands:
        yield Attack(
            name=IMPROVISED, kind="both", bonus=strength, reach=5, normal=20, long=60,
            damage=(Damage(1, 4, strength, B),), ability="str",
        )  # fmt: skip
