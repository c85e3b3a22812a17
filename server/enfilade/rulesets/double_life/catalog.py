"""Ready-made characters of each race, with the middle of its characteristics (house values, C-9, C-10)."""

from __future__ import annotations

from typing import Any

import msgspec

from enfilade.rules.ruleset import Unit
from enfilade.rulesets.double_life.combat.attack_rolls import Race
from enfilade.rulesets.double_life.profiles import Profile, Weapon

RACES: dict[Race, tuple[int, int, int, int, int, int]] = {
    "dwarf": (8, 7, 10, 8, 8, 8),
    "elf": (5, 9, 9, 9, 7, 7),
    "gnome": (4, 15, 7, 7, 7, 6),
    "human": (6, 8, 7, 8, 9, 8),
    "orc": (8, 8, 8, 6, 6, 10),
    "troll": (15, 5, 7, 8, 4, 7),
}
"""Strength, Agility, Perception, Will, Focus and Stamina in the middle of each race's dice."""

SWORD, AXE, HAMMER = Weapon("Sword", 1, 6), Weapon("Axe", 1, 8), Weapon("Hammer", 1, 8)
GREAT_AXE, SPEAR, DAGGER = Weapon("Great axe", 2, 6), Weapon("Spear", 1, 6, 1), Weapon("Dagger", 1, 4)
CLUB, FISTS = Weapon("Club", 2, 8), Weapon("Fists", 1, 2)


def _unit(key: str, name: str, race: Race, *weapons: Weapon, **sheet: Any) -> Unit:
    names = ("strength", "agility", "perception", "will", "focus", "stamina")
    own: dict[str, Any] = dict(zip(names, RACES[race], strict=True))
    return Unit(key, name, msgspec.to_builtins(Profile(race=race, weapons=weapons, **own, **sheet)))


UNITS: tuple[Unit, ...] = (
    _unit("dwarf-guard", "Dwarf guard", "dwarf", HAMMER, defense=11),
    _unit("dwarf-axe", "Dwarf with great axe", "dwarf", GREAT_AXE, attack=10),
    _unit("elf-blade", "Elf blade", "elf", SWORD, DAGGER, attack=11),
    _unit("elf-doubler", "Elf doubler", "elf", DAGGER, mastery=3),
    _unit("gnome-dagger", "Gnome with dagger", "gnome", DAGGER),
    _unit("gnome-doubler", "Gnome doubler", "gnome", DAGGER, mastery=2),
    _unit("human-sword", "Human with sword", "human", SWORD, FISTS, attack=10, defense=10),
    _unit("human-spear", "Human with spear", "human", SPEAR, attack=9, defense=11),
    _unit("human-doubler", "Revealed doubler", "human", SWORD, mastery=5, experience={"focus": 3}),
    _unit("orc-axe", "Orc with axe", "orc", AXE, attack=10),
    _unit("orc-guard", "Orc guard", "orc", SPEAR, defense=11),
    _unit("troll", "Troll", "troll", CLUB, attack=9),
)
