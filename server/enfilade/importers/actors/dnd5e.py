"""Actors of the fifth edition's system (dnd5e 4.0 to 6.1), exported as Foundry JSON.

An export has the document as it is stored: what the system prepares is missing, and worked out here: armor
class, saves, the hit points and the speed of characters, and the bonus and the damage of each attack.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from msgspec.structs import replace

from enfilade.importers.actors.systems import SYSTEMS
from enfilade.importers.actors.values import (
    Json,
    at,
    damage_part,
    first_number,
    formula,
    number,
    things,
    words,
)
from enfilade.importers.actors.weapons import weapon_values
from enfilade.rules.sheets import Attack, AttackKind, Band, Damage, Sheet

ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
FEET_OF_METER = 5 / 1.5
ADD, UPGRADE, OVERRIDE = 2, 4, 5
"""How an active effect changes a number."""
_ARMOR = frozenset({"light", "medium", "heavy"})
_RANGED = frozenset({"simpleR", "martialR"})
_MELEE = frozenset({"simpleM", "martialM", "natural", "improv", "siege"})


def read_dnd5e(data: Json, sheet: Sheet) -> Sheet:
    """Return the sheet of an actor with what this system derives."""
    system = with_effects(data)
    items = [item for item in things(data.get("items")) if isinstance(item, Mapping)]
    level, proficiency = _level(data, system, items)
    mods = {key: _mod(number(at(system, f"abilities.{key}.value"))) for key in ABILITIES}
    values = _names(system, mods, proficiency, level, items)
    species: Json = next((item.get("system", {}) for item in items if item.get("type") == "race"), {})
    attacks, unread = _attacks(data, system, items, values, mods, proficiency)
    points = sheet.hit_points or _character_points(system, items, mods)
    bands = [Band(one.name, one.normal, one.long) for one in attacks if one.normal]
    return replace(
        sheet,
        speeds=_lengths(system, "speeds", "attributes.movement") or _lengths(species, "speeds", "movement"),
        senses=_lengths(system, "senses", "attributes.senses") or _lengths(species, "senses", "senses"),
        armor_class=armor_class(system, items, mods, values),
        hit_points=points,
        hit_points_left=points if sheet.hit_points_left is None else sheet.hit_points_left,
        abilities={key: int(number(at(system, f"abilities.{key}.value")) or 10) for key in ABILITIES},
        saves={key: _save(system, key, mods[key], proficiency, values) for key in ABILITIES},
        proficiency=proficiency,
        attacks=tuple(attacks),
        unread=tuple(unread),
        reach=max([one.reach for one in attacks], default=0),
        ranges=tuple({band.name: band for band in bands}.values()),
        resistances=tuple(words(at(system, "traits.dr.value"))),
        immunities=(*words(at(system, "traits.di.value")), *words(at(system, "traits.ci.value"))),
        has_mastery=any(one.mastery for one in attacks),
        vulnerabilities=tuple(words(at(system, "traits.dv.value"))),
        conditions=_conditions(data),
    )


def with_effects(data: Json) -> dict[str, Any]:
    """Return the actor's `system` with the numbers that its effects, and those of its items, change."""
    system = deepcopy(dict(data.get("system") or {}))
    for change in _changes(data):
        path, mode, value = change.get("key"), number(change.get("mode")), number(change.get("value"))
        if not isinstance(path, str) or not path.startswith("system.") or value is None:
            continue
        *names, last = path.split(".")[1:]
        holder = at(system, ".".join(names)) if names else system
        if not isinstance(holder, dict):
            continue
        known = number(holder.get(last)) or 0
        if mode == ADD:
            holder[last] = known + value
        elif mode in (UPGRADE, OVERRIDE):
            holder[last] = max(known, value) if mode == UPGRADE else value
    return system


def _changes(data: Json) -> Iterator[Json]:
    own = [effect for effect in things(data.get("effects")) if isinstance(effect, Mapping)]
    of_items = [
        effect
        for item in things(data.get("items"))
        if isinstance(item, Mapping) and at(item, "system.equipped") is not False
        for effect in things(item.get("effects"))
        if isinstance(effect, Mapping) and effect.get("transfer") and effect.get("type") != "enchantment"
    ]
    for effect in (*own, *of_items):
        if not effect.get("disabled"):
            listed = effect.get("changes") or at(effect, "system.changes")
            yield from (change for change in things(listed) if isinstance(change, Mapping))


def _mod(score: float | None) -> int:
    return math.floor(((10 if score is None else score) - 10) / 2)


def _level(data: Json, system: Json, items: list[Json]) -> tuple[int, int]:
    """Return a character's level (0 for others) and the proficiency bonus."""
    if data.get("type") == "character":
        levels = [number(at(item, "system.levels")) or 0 for item in items if item.get("type") == "class"]
        level = max(1, int(sum(levels)))
        return level, 2 + (level - 1) // 4
    rating = number(at(system, "details.cr")) or 0
    return 0, 2 + math.floor((max(rating, 1) - 1) / 4)


def _names(
    system: Json, mods: Mapping[str, int], proficiency: int, level: int, items: list[Json]
) -> dict[str, float]:
    """Return the names that formulas use."""
    values: dict[str, float] = {f"abilities.{key}.mod": mod for key, mod in mods.items()}
    for key in ABILITIES:
        values[f"abilities.{key}.value"] = number(at(system, f"abilities.{key}.value")) or 10
    values |= {"prof": proficiency, "attributes.prof": proficiency, "details.level": level}
    for item in items:
        if item.get("type") == "class":
            key = at(item, "system.identifier") or str(item.get("name", "")).lower()
            values[f"classes.{key}.levels"] = number(at(item, "system.levels")) or 0
    spell = at(system, "attributes.spellcasting")
    values["attributes.spell.mod"] = values["mod"] = mods.get(spell, 0) if isinstance(spell, str) else 0
    return values


def _lengths(system: Json, kind: str, under: str) -> dict[Any, float]:
    """Return speeds or senses in feet, from the newest place that has them; of a species without a prefix."""
    places = SYSTEMS["dnd5e"].speeds if kind == "speeds" else SYSTEMS["dnd5e"].senses
    factor = FEET_OF_METER if at(system, f"{under}.units") == "m" else 1
    found = {}
    for name, paths in places.items():
        own = [path if path.startswith(under) else path.removeprefix("attributes.") for path in paths]
        value = first_number(system, own)
        if value:
            found[name] = value * factor
    return found


def _save(system: Json, key: str, mod: int, proficiency: int, values: Mapping[str, float]) -> int:
    """Return the bonus of a save, prepared if the document has it."""
    prepared = first_number(system, (f"abilities.{key}.save.value", f"abilities.{key}.save"))
    if prepared is not None:
        return int(prepared)
    share = number(at(system, f"abilities.{key}.proficient")) or 0
    bonus = formula(at(system, f"abilities.{key}.bonuses.save"), values) or ([], 0)
    for_all = formula(at(system, "bonuses.abilities.save"), values) or ([], 0)
    return mod + math.floor(share * proficiency) + bonus[1] + for_all[1]


def _character_points(system: Json, items: list[Json], mods: Mapping[str, int]) -> int:
    """Return the hit points of a character, from the levels of its classes."""
    total, level = 0, 0
    for item in items:
        if item.get("type") != "class":
            continue
        sides = number(
            str(at(item, "system.hd.denomination") or at(item, "system.hitDice") or "d8").lstrip("d")
        )
        advances = [one for one in things(at(item, "system.advancement")) if isinstance(one, Mapping)]
        gained = next((one.get("value") for one in advances if one.get("type") == "HitPoints"), None)
        for own in things(gained):
            rolled = {"max": sides, "avg": (sides or 8) // 2 + 1}.get(own, number(own))
            total, level = total + int(rolled or 0), level + 1
    extra = formula(at(system, "attributes.hp.bonuses.level"), {}) or ([], 0)
    overall = formula(at(system, "attributes.hp.bonuses.overall"), {}) or ([], 0)
    return total + level * (mods["con"] + extra[1]) + overall[1] if level else 0


# Armor class


def armor_class(system: Json, items: list[Json], mods: Mapping[str, int], values: Mapping[str, float]) -> int:
    """Return the armor class without cover, prepared if the document has it."""
    prepared = number(at(system, "attributes.ac.value"))
    if prepared is not None:
        return int(prepared - (number(at(system, "attributes.ac.cover")) or 0))
    flat = number(at(system, "attributes.ac.override"))
    calc = at(system, "attributes.ac.calc")
    if flat is None and calc in ("flat", "natural"):
        flat = number(at(system, "attributes.ac.flat"))
    if calc == "flat" and flat is not None:
        return int(flat)
    worn = [item for item in items if item.get("type") == "equipment" and at(item, "system.equipped") is True]
    armor = [item for item in worn if at(item, "system.type.value") in _ARMOR]
    shields = [item for item in worn if at(item, "system.type.value") == "shield"]
    base = int(flat) if flat is not None else _armor_base(system, calc, armor, mods, values)
    shield = max([_armor_value(item) for item in shields], default=0)
    if calc == "unarmoredMonk":
        shield = 0
    bonus = formula(at(system, "attributes.ac.bonus"), values) or ([], 0)
    least = formula(at(system, "attributes.ac.min"), values) or ([], 0)
    return max(base + shield + bonus[1], least[1])


def _armor_base(
    system: Json, calc: Any, armor: list[Json], mods: Mapping[str, int], values: Mapping[str, float]
) -> int:
    bare = {
        "mage": 13 + mods["dex"],
        "draconic": 10 + mods["dex"] + mods["cha"],
        "unarmoredMonk": 10 + mods["dex"] + mods["wis"],
        "unarmoredBarb": 10 + mods["dex"] + mods["con"],
        "unarmoredBard": 10 + mods["dex"] + mods["cha"],
    }
    if calc == "custom":
        custom = formula(at(system, "attributes.ac.formula"), values)
        return custom[1] if custom else 10 + mods["dex"]
    if calc in bare:
        return bare[calc]
    return max([_worn(item, mods["dex"]) for item in armor], default=10 + mods["dex"])


def _worn(item: Json, dexterity: int) -> int:
    most = number(at(item, "system.armor.dex"))
    if at(item, "system.type.value") == "heavy":
        most = 0
    return _armor_value(item) + (dexterity if most is None else min(dexterity, int(most)))


def _armor_value(item: Json) -> int:
    magic = number(at(item, "system.armor.magicalBonus")) or 0
    return int((number(at(item, "system.armor.value")) or 0) + magic)


# Attacks


def _attacks(
    data: Json,
    system: Json,
    items: list[Json],
    values: Mapping[str, float],
    mods: Mapping[str, int],
    proficiency: int,
) -> tuple[list[Attack], list[str]]:
    """Return the attacks of an actor's weapons, spells and feats, and the names of those not read."""
    found, unread = [], []
    for item in items:
        for activity in things(at(item, "system.activities")):
            if isinstance(activity, Mapping) and activity.get("type") == "attack":
                one = _attack(data, system, item, activity, values, mods, proficiency)
                found += [one] if one else []
                unread += [] if one else [str(item.get("name", ""))]
    return found, unread


def _attack(
    data: Json,
    system: Json,
    item: Json,
    activity: Json,
    values: Mapping[str, float],
    mods: Mapping[str, int],
    proficiency: int,
) -> Attack | None:
    own = item.get("system") or {}
    kind = attack_kind(item, activity)
    ability = _ability(system, item, activity, kind, mods)
    mod = mods.get(ability, 0)
    values = {**values, "mod": mod}
    bonus = formula(at(activity, "attack.bonus"), values)
    magic = number(own.get("magicalBonus")) or 0
    if bonus is None:
        return None
    total = bonus[1]
    if not at(activity, "attack.flat"):
        proficient = (
            data.get("type") != "character" or item.get("type") == "spell" or _is_proficient(system, own)
        )
        total += mod + (proficiency if proficient else 0) + int(magic)
    damage = list(_damage(item, activity, values, mod, int(magic)))
    if any(part is None for part in damage):
        return None
    reach, normal, long = _distances(own, activity, kind)
    weapon = weapon_values(data, system, own) if item.get("type") == "weapon" else {}
    return Attack(
        name=str(activity.get("name") or item.get("name") or ""),
        kind=kind,
        bonus=total,
        reach=reach,
        normal=normal,
        long=long,
        damage=tuple(part for part in damage if part is not None),
        ability=ability,
        **weapon,
    )


def _is_proficient(system: Json, item: Json) -> bool:
    """Return whether a character is proficient with a weapon: by the weapon, its group or its kind."""
    if number(item.get("proficient")) is not None:
        return bool(item.get("proficient"))
    known = {*words(at(system, "traits.weaponProf.value"))}
    group = {"simpleM": "sim", "simpleR": "sim", "martialM": "mar", "martialR": "mar"}
    kind = at(item, "type.value")
    return bool({group.get(kind, ""), at(item, "type.baseItem")} & known) or kind in ("natural", None)


def attack_kind(item: Json, activity: Json) -> AttackKind:
    """Return whether an attack is made in melee, at range or both: by its activity, else by its weapon."""
    said, kind = at(activity, "attack.type.value"), at(item, "system.type.value")
    thrown = "thr" in words(at(item, "system.properties")) and item.get("type") == "weapon"
    if said == "ranged" or (not said and kind in _RANGED):
        return "ranged"
    if item.get("type") == "spell":
        return "melee" if said == "melee" else "ranged"
    has_range = bool(number(at(item, "system.range.value")))
    if thrown or (kind == "natural" and not said and has_range):
        return "both"
    return "melee"


def _ability(system: Json, item: Json, activity: Json, kind: AttackKind, mods: Mapping[str, int]) -> str:
    said = at(activity, "attack.ability")
    casting = at(system, "attributes.spellcasting") or "int"
    if said == "none":
        return ""
    if said == "spellcasting" or (not said and at(activity, "attack.type.classification") == "spell"):
        return str(casting)
    if said:
        return str(said)
    if item.get("type") == "spell":
        return str(casting)
    either = "fin" in words(at(item, "system.properties")) or at(item, "system.type.value") == "natural"
    if either:
        return "str" if mods["str"] >= mods["dex"] else "dex"
    return "dex" if kind == "ranged" else "str"


def _damage(
    item: Json, activity: Json, values: Mapping[str, float], mod: int, magic: int
) -> Iterator[Damage | None]:
    """Yield the parts of an attack's damage; None for one that cannot be read."""
    base = at(item, "system.damage.base")
    has_base = item.get("type") in ("weapon", "consumable") and isinstance(base, Mapping)
    if has_base and at(activity, "damage.includeBase") is not False and _has_damage(base):
        is_custom = bool(at(base, "custom.enabled"))
        yield damage_part(base, values, (0 if is_custom else mod) + magic)
    for part in things(at(activity, "damage.parts")):
        if isinstance(part, Mapping) and _has_damage(part):
            yield damage_part(part, values)


def _has_damage(part: Json) -> bool:
    has_dice = bool(number(part.get("number"))) and bool(number(part.get("denomination")))
    return has_dice or bool(part.get("bonus")) or bool(at(part, "custom.enabled"))


def _distances(item: Json, activity: Json, kind: AttackKind) -> tuple[float, float, float]:
    """Return the reach, the normal and the long range of an attack in feet."""
    has_own = isinstance(item.get("range"), Mapping) and not at(activity, "range.override")
    stated = item.get("range") if has_own else activity.get("range")  # a feat has none of its own
    given = stated if isinstance(stated, Mapping) else {}
    factor = FEET_OF_METER if given.get("units") == "m" else 1
    normal, long = number(given.get("value")) or 0, number(given.get("long")) or 0
    reach = 0.0
    if kind != "ranged":
        is_long = "rch" in words(item.get("properties"))
        reach = (number(given.get("reach")) or (10 if is_long else 5)) * factor
        if not has_own and kind == "melee":  # an activity has its reach as a range
            reach = (normal or 5) * factor
    if kind == "melee":
        return reach, 0, 0
    return reach, normal * factor, long * factor


def _conditions(data: Json) -> tuple[str, ...]:
    """Return the statuses of an actor's effects that are not disabled."""
    found: dict[str, None] = {}
    for effect in things(data.get("effects")):
        if isinstance(effect, Mapping) and not effect.get("disabled"):
            found |= dict.fromkeys(words(effect.get("statuses")))
    return tuple(found)
