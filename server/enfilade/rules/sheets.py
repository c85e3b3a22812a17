"""Sheets: what an actor of a tabletop's system tells, in one shape for all systems. Lengths are in feet."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Token, Value

Mode = Literal["walk", "climb", "swim", "fly", "burrow"]
Size = Literal["tiny", "small", "medium", "large", "huge", "gargantuan"]
AttackKind = Literal["melee", "ranged", "both"]

FEET_IN: dict[str, float] = {"m": 0.3, "meter": 0.3, "meters": 0.3, "metre": 0.3, "metres": 0.3}
"""What a foot of a game is on maps in other units: 5 feet are 1.5 meters."""


SIZES = {"large": 2, "huge": 3, "gargantuan": 4}
"""The cells of a side of larger creatures."""

_Length = Annotated[float, Meta(ge=0, le=10_000)]
_Name = Annotated[str, Meta(min_length=1, max_length=100)]


class Damage(Value, frozen=True):
    """A part of an attack's damage: dice, their sides, what is added, and its type; `dice` may be 0."""

    dice: Annotated[int, Meta(ge=0, le=40)] = 0
    sides: Annotated[int, Meta(ge=0, le=100)] = 0
    bonus: Annotated[int, Meta(ge=-100, le=200)] = 0
    type: Annotated[str, Meta(max_length=40)] = ""


class Rider(Value, frozen=True):
    """An effect of a hit beside damage: a condition, a save against it, and the largest size that gets it.

    Without a difficulty there is no save.
    """

    condition: Annotated[str, Meta(min_length=1, max_length=20)] = "prone"
    save: Literal["", "str", "dex", "con", "int", "wis", "cha"] = ""
    difficulty: Annotated[int, Meta(ge=0, le=40)] = 0
    size: Literal[""] | Size = ""


class Attack(Value, frozen=True, kw_only=True):
    """An attack with a roll: its bonus, its reach in melee, its two ranges, and its damage in parts.

    `properties` are those of the weapon, such as "heavy"; `two_handed` is the die of a versatile one in both
    hands. `edge_damage` is added to a hit with advantage.
    """

    name: _Name
    kind: AttackKind
    bonus: Annotated[int, Meta(ge=-20, le=40)]
    reach: _Length = 0
    normal: _Length = 0
    long: _Length = 0
    damage: Annotated[tuple[Damage, ...], Meta(max_length=8)] = ()
    ability: Annotated[str, Meta(max_length=3)] = ""
    properties: Annotated[tuple[Annotated[str, Meta(max_length=20)], ...], Meta(max_length=12)] = ()
    mastery: Annotated[str, Meta(max_length=20)] = ""
    two_handed: Annotated[int, Meta(ge=0, le=100)] = 0
    edge_damage: Annotated[tuple[Damage, ...], Meta(max_length=4)] = ()
    riders: Annotated[tuple[Rider, ...], Meta(max_length=4)] = ()


class Band(Value, frozen=True):
    """The range of a weapon or a spell; `long` is 0 without a second one."""

    name: str
    normal: float
    long: float = 0


class Sheet(Value, frozen=True, kw_only=True):
    """An actor's values. What is 0, empty or missing the actor does not tell."""

    name: str
    system: str
    size: str = "medium"
    speeds: dict[Mode, float] = {}
    senses: dict[str, float] = {}
    reach: float = 0
    ranges: tuple[Band, ...] = ()
    armor_class: int = 0
    hit_points: int = 0
    hit_points_left: int | None = None
    conditions: tuple[str, ...] = ()
    abilities: dict[str, int] = {}
    saves: dict[str, int] = {}
    proficiency: int = 0
    attacks: tuple[Attack, ...] = ()
    resistances: tuple[str, ...] = ()
    immunities: tuple[str, ...] = ()
    vulnerabilities: tuple[str, ...] = ()
    has_mastery: bool = False
    unread: tuple[str, ...] = ()
    """The names of attacks that could not be read, such as those with a formula of other values."""


_LENGTHS = {"speeds", "senses", "reach", "ranges"}


def profile_from(sheet: Sheet, ruleset: Ruleset, units: str) -> dict[str, Any]:
    """Return a profile for a ruleset, in the units of a map: the fields that a sheet has by the same name."""
    fields = {field.encode_name for field in msgspec.structs.fields(ruleset.profile)}
    known = msgspec.to_builtins(sheet)
    factor = FEET_IN.get(units.lower().strip(" ."), 1)
    return {
        name: _scaled(value, factor) if name in _LENGTHS else value
        for name, value in known.items()
        if name in fields and value
    }


def _scaled(value: Any, factor: float) -> Any:
    """Return the lengths in a value of a sheet in other units."""
    match value:
        case dict():
            return {name: _scaled(one, factor) for name, one in value.items()}
        case list() | tuple():
            return [_scaled(one, factor) for one in value]
        case int() | float():
            return round(value * factor, 2)
    return value


def prepared(token: Token, size: Size, hit_points: int) -> Token:
    """Return a token as it enters a scene: with hit points, if there are any, and as large as its size says.

    A token that has a size of its own keeps it.
    """
    side, left = SIZES.get(size, 1), min(token.track("hp", hit_points), hit_points)
    cells = (side, side) if token.size == (1, 1) else token.size
    return replace(token, tracks={**token.tracks, "hp": left} if hit_points else token.tracks, size=cells)
