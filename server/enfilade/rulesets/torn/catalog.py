"""Action Tiles and ready-made miniatures: data only.

The rulebook names these tiles and miniatures and shows a few of their numbers (TRN-T01 to TRN-T17). All other
numbers are house values.
"""

from __future__ import annotations

from typing import Any

import msgspec

from enfilade.rules.ruleset import Unit
from enfilade.rulesets.torn.profiles import Profile, Tile

MOVE = Tile(name="Move", kind="move", range=3)
RUN = Tile(name="Run", kind="run", range=5)
STRIDE = Tile(name="Move", kind="move", range=1, unit="hexon")
CHARGE = Tile(name="Run", kind="run", range=2, unit="hexon")
CONCENTRATION = Tile(name="Concentration", kind="concentration")

SWORD_STRIKE = Tile(name="Sword Strike", kind="melee", attack=2, skill=1, agility=1, damage=1)
"""Range and dice as printed (TRN-T01)."""
BOWSHOT = Tile(name="Bowshot", kind="ranged", range=4, unit="hexon", attack=2, skill=1, agility=1, damage=1)
"""Range as printed (TRN-T02)."""
DAGGER_STRIKE = Tile(name="Dagger Strike", kind="melee", attack=4, skill=2, agility=3, damage=1)
"""Nine dice, three of them Agility, as printed (TRN-T04)."""
HALBERD = Tile(name="Halberd", kind="melee", range=3, attack=3, skill=1, damage=2, marker="bleeding")
"""Range as printed (TRN-T07)."""
MUSKET = Tile(name="Musket Shot", kind="ranged", range=5, unit="hexon", attack=3, damage=2)
BAYONET = Tile(name="Bayonet", kind="melee", attack=2, agility=1, damage=1)
PISTOL = Tile(name="Pistol", kind="ranged", range=1, unit="hexon", attack=2, skill=1, damage=1, assault=True)
MACE = Tile(name="Mace", kind="melee", attack=3, damage=2, marker="stunned")
GRENADE = Tile(
    name="Grenade",
    kind="ranged",
    range=2,
    unit="hexon",
    attack=3,
    damage=1,
    type="fire",
    marker="burning",
    area=True,
)
CLAWS = Tile(name="Claws", kind="melee", attack=3, agility=1, damage=1, marker="bleeding")
VENOM = Tile(
    name="Venomous Bite", kind="melee", attack=2, skill=1, damage=1, type="poison", marker="poisoned"
)
SCARY_ROAR = Tile(
    name="Scary Roar", kind="ranged", range=2, unit="hexon", type="mental", area=True, effect="panic test"
)
"""No dice, all enemies in a Hexon, as printed (TRN-T15)."""
WIND_GUST = Tile(name="Wind Gust", kind="ranged", range=3, unit="hexon", attack=2, agility=1, effect="shift")
"""One Attack success shifts the target, as printed (TRN-T16)."""
INFERNO = Tile(
    name="Inferno",
    kind="ranged",
    range=3,
    unit="hexon",
    attack=3,
    skill=1,
    damage=1,
    type="fire",
    marker="burning",
    ethereal=True,
)
"""The example of an Ethereal Attack in the rulebook (TRN-005)."""
FROST = Tile(
    name="Frost Bolt", kind="ranged", range=3, unit="hexon", attack=3, damage=1, type="cold", marker="slowed"
)
SHOCK = Tile(
    name="Shock",
    kind="melee",
    attack=2,
    skill=1,
    damage=1,
    type="electrical",
    marker="stunned",
    ethereal=True,
)
GREAT_SWORD = Tile(name="Sword Strike", kind="melee", range=1, unit="hexon", attack=3, skill=1, damage=5)
"""The tile of the Faceless One, with damage 5 as printed (TRN-T17)."""
STOMP = Tile(name="Stomp", kind="melee", range=1, unit="hexon", attack=4, damage=2, area=True)
MAW = Tile(name="Maw", kind="melee", range=1, unit="hexon", attack=5, skill=1, damage=3, marker="bleeding")


def _unit(name: str, *tiles: Tile, **card: Any) -> Unit:
    profile = Profile(tiles=tiles, **card)
    return Unit(name.lower().replace(" ", "-").replace("'", ""), name, msgspec.to_builtins(profile))


UNITS: tuple[Unit, ...] = (
    _unit("Musketeer of Castila", MUSKET, BAYONET, MOVE, RUN, wounds=3, defense=2, agility=1),
    _unit("Line Soldier", MACE, MOVE, RUN, wounds=4, defense=2, agility=1),
    _unit("Halberdier Guardsman", HALBERD, MOVE, RUN, CONCENTRATION, wounds=5, defense=2, agility=1),
    _unit("Hunter of Saints", BOWSHOT, SWORD_STRIKE, MOVE, RUN, wounds=4, defense=2, agility=2),
    _unit(
        "Captain of Castila",
        SWORD_STRIKE,
        PISTOL,
        MOVE,
        RUN,
        CONCENTRATION,
        wounds=6,
        defense=2,
        agility=1,
        traits=("leader", "veteran"),
    ),
    _unit(
        "Engels Swordsman", SWORD_STRIKE, MOVE, RUN, wounds=5, defense=3, agility=2, protected=("physical",)
    ),
    _unit(
        "Wind Sister",
        WIND_GUST,
        FROST,
        SHOCK,
        MOVE,
        RUN,
        wounds=3,
        defense=1,
        agility=2,
        traits=("ether protection",),
    ),
    _unit(
        "The Returned",
        CLAWS,
        MOVE,
        RUN,
        wounds=3,
        defense=1,
        agility=1,
        immune=("mental", "poison"),
        vulnerable=("fire",),
    ),
    _unit("Doomed Grenadier", GRENADE, SWORD_STRIKE, MOVE, RUN, wounds=4, defense=2, traits=("careful",)),
    _unit("Rogue of the Shadow Step", DAGGER_STRIKE, MOVE, RUN, wounds=3, defense=1, agility=3),
    _unit("Noctis", MACE, MOVE, RUN, wounds=5, defense=3, agility=1),
    _unit("Spider of the Deep", VENOM, CLAWS, MOVE, RUN, wounds=3, defense=1, agility=2, immune=("poison",)),
    _unit(
        "Torgwar",
        DAGGER_STRIKE,
        INFERNO,
        MOVE,
        RUN,
        CONCENTRATION,
        wounds=6,
        defense=2,
        agility=2,
        traits=("leader",),
    ),
    _unit(
        "Otraak", STOMP, SCARY_ROAR, STRIDE, CHARGE, size="large", wounds=9, defense=3, protected=("cold",)
    ),
    _unit(
        "The Faceless One",
        GREAT_SWORD,
        STRIDE,
        CHARGE,
        size="large",
        wounds=8,
        defense=2,
        agility=1,
        immune=("mental",),
    ),
    _unit("Colossus", MAW, SCARY_ROAR, STRIDE, size="huge", wounds=14, defense=3, hexons=((0, 0), (1, 0))),
)
