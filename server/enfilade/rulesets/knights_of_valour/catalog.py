"""Six ready-made characters and six monsters (house values, C-16, C-17).

A character's physical stats run from -3 to +3.
"""

from __future__ import annotations

from typing import Any

import msgspec

from enfilade.rules.ruleset import Unit
from enfilade.rulesets.knights_of_valour.profiles import Buff, Profile


def _unit(key: str, name: str, **sheet: Any) -> Unit:
    return Unit(key, name, msgspec.to_builtins(Profile(**sheet)))


UNITS: tuple[Unit, ...] = (
    _unit(
        "fighter",
        "Fighter",
        role="fighter",
        strength=2,
        health=2,
        agility=1,
        hands=("Sword",),
        shield="large",
        armor="heavy",
        carried=("Dagger",),
        load=5,
    ),
    _unit("wizard", "Wizard", role="wizard", strength=-2, agility=1, health=-1, hands=("Staff",), load=10),
    _unit(
        "ranger",
        "Ranger",
        role="ranger",
        strength=1,
        agility=2,
        hands=("Long bow",),
        armor="light",
        carried=("Short sword",),
        load=10,
    ),
    _unit(
        "thief",
        "Thief",
        role="thief",
        size="short",
        agility=3,
        strength=-1,
        hands=("Short sword", "Dagger"),
        armor="light",
        load=5,
    ),
    _unit(
        "bard",
        "Bard",
        role="bard",
        agility=1,
        hands=("Sword",),
        shield="small",
        armor="light",
        carried=("Short bow",),
        buffs=(Buff(name="Song of the sword", kind="proficiency", weapon="Sword"),),
    ),
    _unit(
        "monk",
        "Monk",
        role="monk",
        agility=2,
        strength=1,
        health=1,
        hands=("Staff",),
        buffs=(Buff(name="Swift feet", kind="move action"),),
    ),
    _unit(
        "goblin",
        "Goblin",
        size="short",
        agility=2,
        strength=-1,
        health=-2,
        hands=("Short sword",),
        shield="small",
        proficiency={"Short sword": 1},
    ),
    _unit(
        "goblin-spear-thrower",
        "Goblin spear-thrower",
        size="short",
        agility=2,
        strength=-1,
        health=-2,
        hands=("Throwing spear", "Dagger"),
        proficiency={"Throwing spear": 1, "Dagger": 1},
    ),
    _unit(
        "orc",
        "Orc",
        strength=2,
        health=1,
        hands=("Two-handed sword",),
        armor="light",
        proficiency={"Two-handed sword": 1},
    ),
    _unit(
        "wolf",
        "Wolf",
        size="short",
        agility=3,
        strength=1,
        movement=40,
        height=3,
        hands=("Bite",),
        proficiency={"Bite": 1},
    ),
    _unit(
        "skeleton-archer",
        "Skeleton archer",
        agility=1,
        health=-1,
        hands=("Short bow",),
        proficiency={"Short bow": 1},
    ),
    _unit(
        "troll",
        "Troll",
        size="tall",
        agility=-1,
        strength=4,
        damage_points=30,
        hands=("Club", "Claws"),
        proficiency={"Club": 1, "Claws": 1},
        buffs=(Buff(name="Two blows", kind="combat action"),),
    ),
)
