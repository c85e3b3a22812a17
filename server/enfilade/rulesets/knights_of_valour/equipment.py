"""The tables of weapons, armor, shields and roles. Their manuals are missing: all are house values (C-17)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Role = Literal["fighter", "wizard", "ranger", "thief", "bard", "monk", "monster"]
Armor = Literal["", "light", "medium", "heavy"]
Shield = Literal["", "small", "large"]


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A type of weapon. Ranges are in feet; `close` and `maximum` are 0 for a melee weapon."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    kind: Literal["melee", "ranged"] = "melee"
    dice: Annotated[int, Meta(ge=1, le=4)] = 1
    sides: Literal[4, 6, 8, 10, 12, 20] = 6
    close: Annotated[int, Meta(ge=0, le=1_000)] = 0
    maximum: Annotated[int, Meta(ge=0, le=1_000)] = 0
    weight: Annotated[int, Meta(ge=0, le=100)] = 0
    attack_modifier: Annotated[int, Meta(ge=-10, le=10)] = 0
    is_two_handed: bool = False

    @property
    def damage_text(self) -> str:
        """Return the damage dice as text: "D8", "2D6" (KOV-019)."""
        return f"{self.dice if self.dice > 1 else ''}D{self.sides}"


class RoleEntry(msgspec.Struct, frozen=True):
    """An entry of the table of roles: the armor allowed, and the initial proficiencies (KOV-008, KOV-045)."""

    armor: tuple[Armor, ...]
    proficiency: dict[str, int]


WEAPONS: dict[str, Weapon] = {
    weapon.name: weapon
    for weapon in (
        Weapon(name="Dagger", sides=4, weight=1),
        Weapon(name="Short sword", sides=6, weight=2),
        Weapon(name="Sword", sides=8, weight=3),
        Weapon(name="Two-handed sword", sides=10, weight=6, is_two_handed=True),
        Weapon(name="Spear", sides=6, weight=3),
        Weapon(name="Staff", sides=6, weight=4, is_two_handed=True),
        Weapon(name="Throwing spear", kind="ranged", sides=6, close=20, maximum=60, weight=3),
        Weapon(name="Short bow", kind="ranged", sides=6, close=40, maximum=120, weight=2, is_two_handed=True),
        Weapon(name="Long bow", kind="ranged", sides=8, close=60, maximum=180, weight=3, is_two_handed=True),
        Weapon(name="Claws", sides=6),
        Weapon(name="Bite", sides=8),
        Weapon(name="Club", sides=8, weight=5),
    )
}
"""The ready-made weapon types by name. The ranges of the throwing spear are those of the text."""

ARMOR_MODIFIERS: dict[Armor, int] = {"": 0, "light": 1, "medium": 2, "heavy": 3}
ARMOR_WEIGHTS: dict[Armor, int] = {"": 0, "light": 10, "medium": 20, "heavy": 35}
SHIELD_MODIFIERS: dict[Shield, int] = {"": 0, "small": 1, "large": 2}
"""The Defense Modifiers of shields, as printed (KOV-047, KOV-048)."""
SHIELD_WEIGHTS: dict[Shield, int] = {"": 0, "small": 4, "large": 8}

_ALL_ARMOR: tuple[Armor, ...] = ("", "light", "medium", "heavy")

ROLES: dict[Role, RoleEntry] = {
    "fighter": RoleEntry(_ALL_ARMOR, {"Sword": 2, "Two-handed sword": 1, "Spear": 1, "Dagger": 1}),
    "wizard": RoleEntry(("",), {"Staff": 1, "Dagger": 1}),
    "ranger": RoleEntry(("", "light", "medium"), {"Long bow": 2, "Short bow": 1, "Short sword": 1}),
    "thief": RoleEntry(("", "light"), {"Dagger": 2, "Short sword": 1, "Short bow": 1}),
    "bard": RoleEntry(("", "light"), {"Sword": 1, "Short bow": 1, "Dagger": 1}),
    "monk": RoleEntry(("",), {"Staff": 2, "Throwing spear": 1, "Spear": 1}),
    "monster": RoleEntry(_ALL_ARMOR, {}),
}
