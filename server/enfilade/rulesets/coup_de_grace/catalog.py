"""The tables of Coup-de-Grace: armor classes, races, items to hold, and ready-made miniatures.

This is data only. The folder effects holds the effects of races and items. Texts that the published pages
leave out are not invented here (docs/rulesets/coup-de-grace.md lists them).
"""

from __future__ import annotations

from typing import Literal

from enfilade.rules.ruleset import Unit
from enfilade.scene.model import Value

Armor = Literal["unarmored", "light", "heavy"]
Race = Literal[
    "human",
    "beastman",
    "drow",
    "dwarf",
    "elf",
    "gnoll",
    "gnome",
    "goblin",
    "halfling",
    "kobold",
    "living construct",
    "lizardman",
    "orc",
    "skeleton",
    "vampire",
    "zombie",
]
UNDEAD: frozenset[Race] = frozenset({"skeleton", "vampire", "zombie"})

Held = Literal[
    "assassin's knife",
    "axe",
    "banner",
    "blast staff",
    "bow",
    "buckler",
    "claw",
    "crossbow",
    "crystal",
    "curved sword",
    "death staff",
    "earth staff",
    "air staff",
    "entangling weapon",
    "fencing sword",
    "fist",
    "force orb",
    "glaive",
    "grappling hook",
    "hammer",
    "holy symbol",
    "mace",
    "mage claw",
    "mage left fist",
    "mage left open hand",
    "mage left pointing hand",
    "mage right fist",
    "mage right open hand",
    "open hand",
    "pistol",
    "shield",
    "shuriken",
    "skull",
    "spear",
    "sword",
    "throwing knife",
]
Form = Literal["", "melee", "ranged", "effect"]


class ArmorClass(Value, frozen=True):
    """The defense value and movement allowance of an armor class."""

    defense: int
    allowance: int
    rule: str


class Item(Value, frozen=True, kw_only=True):
    """An item to hold: the hands that it needs, and its attacks if it has some.

    `increment` is the range increment of a ranged attack (None: that of the table, 0: no range penalty),
    `reach` its greatest range (0: unlimited). `spell` is set for a mage focus: its spell is a melee attack, a
    ranged attack or another effect. `cost` is the spell's base cost in movement points.
    """

    name: Held
    hands: int = 1
    melee: bool = False
    ranged: bool = False
    increment: int | None = None
    reach: int = 0
    spell: Form = ""
    cost: int = 0

    def can(self, kind: str) -> bool:
        """Return whether it is fit for an act of this kind: melee, ranged or spell."""
        return self.melee if kind == "melee" else self.ranged if kind == "ranged" else self.spell != ""

    @property
    def can_attack(self) -> bool:
        """Return whether it attacks at all (CDG-008)."""
        return self.melee or self.ranged or self.spell in ("melee", "ranged")


ARMOR: dict[Armor, ArmorClass] = {
    "unarmored": ArmorClass(3, 8, "CDG-003"),
    "light": ArmorClass(4, 6, "CDG-004"),
    "heavy": ArmorClass(5, 4, "CDG-005"),
}


FOCUS_COST, STAFF_COST = 3, 6
"""The base costs of spells in movement points (CDG-039)."""

FOCUS_REACH = 6
STAFF_HANDS = 2
NO_PENALTY = 0


def _focus(name: Held, spell: Form, reach: int = FOCUS_REACH) -> Item:
    return Item(name=name, spell=spell, cost=FOCUS_COST, reach=reach, increment=NO_PENALTY)


def _staff(name: Held, reach: int) -> Item:
    cost = STAFF_COST
    return Item(name=name, hands=STAFF_HANDS, spell="effect", cost=cost, reach=reach, increment=NO_PENALTY)


_ITEMS = (
    # Empty hands.
    Item(name="claw", melee=True),
    Item(name="fist", melee=True),
    Item(name="open hand"),
    # In one hand. Sword and spear are house weapons: no published page has them.
    Item(name="assassin's knife", melee=True),
    Item(name="axe", melee=True),
    Item(name="banner"),
    Item(name="buckler"),
    Item(name="curved sword", melee=True),
    Item(name="entangling weapon"),
    Item(name="fencing sword", melee=True),
    Item(name="glaive", melee=True),
    Item(name="hammer", melee=True),
    Item(name="mace", melee=True),
    Item(name="shield"),
    Item(name="spear", melee=True),
    Item(name="sword", melee=True),
    # Ranged. The bow is a house weapon: the list of two-handed weapons is not published.
    Item(name="bow", hands=2, ranged=True),
    Item(name="crossbow", ranged=True),
    Item(name="grappling hook", ranged=True, reach=6),
    Item(name="pistol", ranged=True),
    Item(name="shuriken", ranged=True, increment=1),
    Item(name="throwing knife", melee=True, ranged=True),
    # Mage foci: hands, one-handed items, staves. A left fist is a quality of another spell.
    _focus("mage claw", "ranged"),
    _focus("mage left fist", "melee"),
    _focus("mage left open hand", "effect", reach=0),
    _focus("mage left pointing hand", "effect"),
    _focus("mage right fist", "melee"),
    _focus("mage right open hand", "ranged"),
    _focus("blast staff", "ranged"),
    _focus("crystal", "ranged"),
    _focus("force orb", "effect"),
    _focus("holy symbol", "effect"),
    _focus("skull", "effect"),
    _staff("air staff", 6),
    _staff("death staff", 9),
    _staff("earth staff", 0),
)
ITEMS: dict[Held, Item] = {item.name: item for item in _ITEMS}


def _unit(name: str, armor: Armor, race: Race, *hands: Held) -> Unit:
    profile = {"armor": armor, "race": race, "hands": list(hands)}
    return Unit(name.lower().replace(" ", "-"), name, profile)


UNITS: tuple[Unit, ...] = (
    _unit("Dwarf hammerer", "heavy", "dwarf", "hammer", "shield"),
    _unit("Human swordsman", "light", "human", "sword", "shield"),
    _unit("Human archer", "unarmored", "human", "bow"),
    _unit("Human duellist", "unarmored", "human", "fencing sword", "open hand"),
    _unit("Human standard bearer", "light", "human", "banner", "sword"),
    _unit("Human priest", "unarmored", "human", "holy symbol", "mace"),
    _unit("Elf archer", "light", "elf", "bow"),
    _unit("Elf spearman", "unarmored", "elf", "spear", "buckler"),
    _unit("Elf storm mage", "unarmored", "elf", "air staff"),
    _unit("Gnome pistoleer", "light", "gnome", "pistol", "buckler"),
    _unit("Halfling knife thrower", "unarmored", "halfling", "throwing knife", "throwing knife"),
    _unit("Orc axeman", "light", "orc", "axe", "shield"),
    _unit("Orc brute", "heavy", "orc", "axe", "hammer"),
    _unit("Goblin stabber", "unarmored", "goblin", "assassin's knife", "fist"),
    _unit("Goblin archer", "unarmored", "goblin", "bow"),
    _unit("Gnoll crossbowman", "light", "gnoll", "crossbow", "sword"),
    _unit("Kobold sneak", "unarmored", "kobold", "assassin's knife", "assassin's knife"),
    _unit("Beastman mauler", "light", "beastman", "claw", "claw"),
    _unit("Lizardman glaive", "light", "lizardman", "glaive", "shield"),
    _unit("Drow blade", "light", "drow", "curved sword", "shuriken"),
    _unit("Skeleton warrior", "unarmored", "skeleton", "sword", "shield"),
    _unit("Zombie", "unarmored", "zombie", "claw", "fist"),
    _unit("Vampire", "light", "vampire", "curved sword", "open hand"),
    _unit("Living construct", "heavy", "living construct", "mace", "fist"),
)
