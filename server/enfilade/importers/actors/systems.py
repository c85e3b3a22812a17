"""The places of an actor's values in the systems of tabletops: paths in its `system`, newest place first.

The places are from the data models of each system; `dnd5e` from version 4.0 to 6.1, `pf2e` from 6 to 8.
"""

from __future__ import annotations

from typing import NamedTuple

from enfilade.rules.sheets import Mode

Paths = tuple[str, ...]
SENSES = ("darkvision", "blindsight", "tremorsense", "truesight")


class ActorPaths(NamedTuple):
    """The places of a system's values. A speed in squares counts 5 feet to each."""

    speeds: dict[Mode, Paths]
    size: str
    sizes: dict[str, str]
    hit_points: Paths
    hit_points_left: Paths
    armor_class: Paths
    senses: dict[str, Paths] = {}
    speed_units: str = ""
    feet: float = 1


_5E_MODES: tuple[Mode, ...] = ("walk", "climb", "swim", "fly", "burrow")
_SIZES_5E = {
    "tiny": "tiny",
    "sm": "small",
    "med": "medium",
    "lg": "large",
    "huge": "huge",
    "grg": "gargantuan",
}

SYSTEMS: dict[str, ActorPaths] = {
    "dnd5e": ActorPaths(
        {mode: (f"attributes.movement.speeds.{mode}", f"attributes.movement.{mode}") for mode in _5E_MODES},
        "traits.size",
        _SIZES_5E,
        ("attributes.hp.effectiveMax", "attributes.hp.max"),
        ("attributes.hp.value",),
        ("attributes.ac.value",),
        {sense: (f"attributes.senses.ranges.{sense}", f"attributes.senses.{sense}") for sense in SENSES},
        "attributes.movement.units",
    ),
    "pf2e": ActorPaths(
        {
            "walk": (
                "movement.speeds.land.value",
                "movement.speeds.land.base",
                "attributes.speed.total",
                "attributes.speed.value",
            ),
            **{
                mode: (f"movement.speeds.{mode}.value", f"movement.speeds.{mode}.base")
                for mode in _5E_MODES[1:]
            },
        },
        "traits.size.value",
        {**_SIZES_5E, "med": "medium", "sm": "small"},
        ("attributes.hp.max",),
        ("attributes.hp.value",),
        ("attributes.ac.value",),
    ),
    "swade": ActorPaths(
        {
            "walk": ("pace.ground", "stats.speed.value"),
            "fly": ("pace.fly",),
            "swim": ("pace.swim",),
            "burrow": ("pace.burrow",),
        },
        "stats.size",
        {},
        ("wounds.max",),
        (),
        ("stats.parry.value",),
        feet=5,
    ),
    "worldbuilding": ActorPaths(
        {"walk": ("attributes.speed.value",)},
        "",
        {},
        ("health.max",),
        ("health.value",),
        ("attributes.armor.value", "attributes.ac.value"),
    ),
}
SYSTEMS["sf2e"] = SYSTEMS["pf2e"]
