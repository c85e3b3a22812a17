"""Weapons of the fifth edition's system: what its items say beside their numbers."""

from __future__ import annotations

from typing import Any

from enfilade.importers.actors.values import Json, at, number, words

PROPERTIES = ("amm", "fin", "hvy", "lgt", "lod", "rch", "thr", "two", "ver")
"""The properties of weapons that a battle knows, by the system's codes."""


def weapon_values(data: Json, system: Json, item: Json) -> dict[str, Any]:
    """Return the properties, the larger die and the mastery of a weapon, as fields of an attack.

    Heavy weapons hinder characters alone: the attacks of others are stated as they are. A mastery counts for
    those who know it with this weapon.
    """
    is_character = data.get("type") == "character"
    own = words(item.get("properties"))
    known = words(at(system, "traits.weaponProf.mastery.value"))
    mastery = item.get("mastery") if at(item, "type.baseItem") in known else ""
    return {
        "properties": tuple(code for code in PROPERTIES if code in own and (is_character or code != "hvy")),
        "two_handed": int(number(at(item, "damage.versatile.denomination")) or 0) if "ver" in own else 0,
        "mastery": mastery if isinstance(mastery, str) else "",
    }
