"""Actors of Pathfinder's and Starfinder's system, exported as Foundry JSON."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from msgspec.structs import replace

from enfilade.importers.actors.values import Json, at, number, things, words
from enfilade.rules.sheets import Attack, Band, Damage, Mode, Sheet

_MODES: dict[str, Mode] = {"fly": "fly", "climb": "climb", "swim": "swim", "burrow": "burrow"}
_REACHES = {"tiny": 0, "huge": 10, "grg": 15}
"""The reach of a body by its size, as the system has it: attacks that go farther say so."""
_SENSE = re.compile(r"(?!no )([a-z][a-z -]*[a-z])(?: \([a-z]+\))?(?: (\d+) feet)?$")
"""A sense in words, with its range if it has one; "no vision" is none."""


def read_pf2e(data: Json, sheet: Sheet) -> Sheet:
    """Return the sheet of a creature with what its items tell: strikes, reach, senses, other speeds.

    Values of non-player characters are stored; those of characters exist only after preparation.
    """
    system = data.get("system") or {}
    body = _own_reach(system)
    strikes = [
        one
        for item in things(data.get("items"))
        if isinstance(item, Mapping) and item.get("type") == "melee" and (one := _strike(item, body))
    ]
    others = things(at(system, "attributes.speed.otherSpeeds"))
    speeds = {
        _MODES[one["type"]]: value
        for one in others
        if isinstance(one, Mapping)
        and one.get("type") in _MODES
        and (value := number(one.get("total")) or number(one.get("value")))
    }
    return replace(
        sheet,
        speeds={**sheet.speeds, **speeds},
        senses=_senses(system),
        attacks=tuple(strikes),
        reach=max([one.reach for one in strikes if one.kind != "ranged"], default=body),
        ranges=tuple([Band(one.name, one.normal, one.long) for one in strikes if one.normal]),
        saves={
            key: int(value)
            for key in ("fortitude", "reflex", "will")
            if (value := number(at(system, f"saves.{key}.value"))) is not None
        },
        resistances=_types(system, "resistances"),
        immunities=_types(system, "immunities"),
        vulnerabilities=_types(system, "weaknesses"),
        conditions=tuple(_conditions(data)),
    )


def _own_reach(system: Json) -> float:
    """Return the reach of a creature's body: its own, or that of its size."""
    stored = number(at(system, "attributes.reach.base"))
    return stored if stored is not None else _REACHES.get(str(at(system, "traits.size.value")), 5)


def _strike(item: Json, body: float) -> Attack | None:
    """Return a strike; without a trait of its own it reaches as far as the body does."""
    system, traits = item.get("system") or {}, words(at(item, "system.traits.value"))
    bonus = number(at(system, "bonus.value"))
    if bonus is None:
        return None
    thrown = _trait(traits, ("thrown-", "range-increment-", "range-"))
    stored = number(at(system, "range.increment")) or number(at(system, "range.max"))
    is_ranged = bool(stored or thrown) and not any(one.startswith("thrown") for one in traits)
    normal = thrown or stored or 0
    named = _trait(traits, ("reach-",))
    own = body + (5 if "reach" in traits else 0) if named is None else named
    return Attack(
        name=str(item.get("name") or ""),
        kind="ranged" if is_ranged else "both" if normal else "melee",
        bonus=int(bonus),
        reach=0 if is_ranged else own,
        normal=normal,
        damage=tuple([part for one in things(system.get("damageRolls")) if (part := _damage(one))]),
    )


def _trait(traits: list[str], starts: tuple[str, ...]) -> float | None:
    """Return the number at the end of the first trait that begins so; None without one."""
    for start in starts:
        for one in traits:
            if one.startswith(start) and (found := number(one.removeprefix(start))) is not None:
                return found
    return None


def _damage(roll: object) -> Damage | None:
    if not isinstance(roll, Mapping):
        return None
    text = str(roll.get("damage") or "").replace(" ", "").replace("-", "+-")
    dice, _, bonus = text.partition("+")
    count, _, sides = dice.partition("d")
    numbers = [number(one or 0) for one in (count, sides, bonus)]
    if None in numbers:
        return None
    count_, sides_, bonus_ = (math.floor(one or 0) for one in numbers)
    if not sides_:
        count_, bonus_ = 0, count_
    return Damage(count_, sides_, bonus_, str(roll.get("damageType") or ""))


def _senses(system: Json) -> dict[str, float]:
    """Return the senses with their ranges, 0 for one without: of a sense with two the farther one.

    Older creatures have them in words: "darkvision, scent (imprecise) 30 feet".
    """
    said = at(system, "traits.senses.value")
    listed = things(at(system, "perception.senses")) or things(at(system, "traits.senses"))
    pairs = [
        (str(one["type"]), number(one.get("range")) or 0)
        for one in listed
        if isinstance(one, Mapping) and one.get("type")
    ]
    if isinstance(said, str) and not pairs:
        found = [_SENSE.match(part.strip()) for part in said.lower().split(",")]
        pairs = [(one[1].replace(" ", "-"), number(one[2] or 0) or 0) for one in found if one]
    senses: dict[str, float] = {}
    for name, far in pairs:
        senses[name] = max(far, senses.get(name, 0))
    return senses


def _types(system: Json, kind: str) -> tuple[str, ...]:
    listed = things(at(system, f"attributes.{kind}"))
    return tuple([str(one["type"]) for one in listed if isinstance(one, Mapping) and one.get("type")])


def _conditions(data: Json) -> list[str]:
    items = [item for item in things(data.get("items")) if isinstance(item, Mapping)]
    slugs = [at(one, "system.slug") for one in items if one.get("type") == "condition"]
    return [slug for slug in slugs if isinstance(slug, str) and slug]
