"""The tables of Coup-de-Grace: armour classes, races, what hands may hold, and ready-made miniatures.

Data only. Effects are named by flags that `attack`, `movement` and `states` read; what the published pages
leave out is not invented here (see docs/rulesets/coup-de-grace.md).
"""

from __future__ import annotations

from typing import Literal

from enfilade.rules.ruleset import Unit
from enfilade.scene.model import Value

Armour = Literal["unarmoured", "light", "heavy"]
Race = Literal[
    "human",
    "beastman",
    "drow",
    "dwarf",
    "elf",
    "gnoll",
    "goblin",
    "living construct",
    "lizardman",
    "orc",
]
Held = Literal[
    "axe",
    "bow",
    "buckler",
    "crossbow",
    "fist",
    "hammer",
    "knife",
    "mace",
    "open hand",
    "shield",
    "spear",
    "sword",
    "throwing knife",
]


class ArmourClass(Value, frozen=True):
    """What an armour class gives: defence value and movement allowance."""

    defence: int
    allowance: int
    rule: str


class Item(Value, frozen=True, kw_only=True):
    """Something held in a hand: how many hands it takes and how it attacks, if it does.

    `increment` is the range increment of a ranged weapon (0: no range penalty), `reach` its greatest
    range (0: none).
    """

    name: str
    hands: int = 1
    melee: bool = False
    ranged: bool = False
    increment: int = 6
    reach: int = 0


ARMOUR: dict[Armour, ArmourClass] = {
    "unarmoured": ArmourClass(3, 8, "CDG-003"),
    "light": ArmourClass(4, 6, "CDG-004"),
    "heavy": ArmourClass(5, 4, "CDG-005"),
}

ITEMS: dict[Held, Item] = {
    "axe": Item(name="axe", melee=True),
    "bow": Item(name="bow", hands=2, ranged=True),
    "buckler": Item(name="buckler"),
    "crossbow": Item(name="crossbow", ranged=True),
    "fist": Item(name="fist", melee=True),
    "hammer": Item(name="hammer", melee=True),
    "knife": Item(name="knife", melee=True),
    "mace": Item(name="mace", melee=True),
    "open hand": Item(name="open hand"),
    "shield": Item(name="shield"),
    "spear": Item(name="spear", melee=True),
    "sword": Item(name="sword", melee=True),
    "throwing knife": Item(name="throwing knife", melee=True, ranged=True),
}


def _unit(name: str, armour: Armour, race: Race, *hands: Held) -> Unit:
    profile = {"armour": armour, "race": race, "hands": list(hands)}
    return Unit(name.lower().replace(" ", "-"), name, profile)


UNITS: tuple[Unit, ...] = (
    _unit("Dwarf hammerer", "heavy", "dwarf", "hammer", "shield"),
    _unit("Human swordsman", "light", "human", "sword", "shield"),
    _unit("Human archer", "unarmoured", "human", "bow"),
    _unit("Elf archer", "light", "elf", "bow"),
    _unit("Elf spearman", "unarmoured", "elf", "spear", "buckler"),
    _unit("Orc axeman", "light", "orc", "axe", "shield"),
    _unit("Orc brute", "heavy", "orc", "axe", "hammer"),
    _unit("Goblin stabber", "unarmoured", "goblin", "knife", "fist"),
    _unit("Goblin archer", "unarmoured", "goblin", "bow"),
    _unit("Gnoll crossbowman", "light", "gnoll", "crossbow", "sword"),
)
