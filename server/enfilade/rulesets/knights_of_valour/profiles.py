"""Profiles: the stats, proficiencies, equipment and buffs of a creature (KOV-003 to KOV-020)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from enfilade.errors import BadMessage
from enfilade.i18n import localize
from enfilade.rules.battle.battle import Unit, profile_of
from enfilade.rules.battle.memo import per_token
from enfilade.rules.house_rules import setting
from enfilade.rules.ruleset import Bar
from enfilade.rules.values import Modifier
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.equipment import (
    ARMOR_MODIFIERS,
    ARMOR_WEIGHTS,
    ROLES,
    SHIELD_MODIFIERS,
    SHIELD_WEIGHTS,
    WEAPONS,
    Armor,
    Role,
    Shield,
    Weapon,
)
from enfilade.runtime.lazy import lazy
from enfilade.scene.model import Scene, Token

Size = Literal["short", "average", "tall"]
BuffKind = Literal["attack", "defense", "damage", "proficiency", "move action", "combat action"]

SIZES: dict[Size, int] = {"short": 0, "average": 1, "tall": 2}
"""The number of each size in the attack modifier (KOV-021)."""

WEIGHT_OF_STRENGTH = 10
"""What a point of Strength adds to the Maximum Weight (house value, C-17)."""
POINTS = 10
"""The damage points of a creature with Health 0 (house value, C-16)."""
POINTS_OF_HEALTH = 2
"""What a point of Health adds to the damage points (house value, C-16)."""

MAIN_HAND, OTHER_HAND = "main hand", "other hand"
"""The conditions with the weapons in hand, once they are others than the sheet says (C-29)."""

TRACKS = {
    "points": localize("knights_of_valour.track_points"),
    "round": localize("knights_of_valour.track_round"),
    "initiative": localize("knights_of_valour.track_initiative"),
    "order": localize("knights_of_valour.track_order"),
    "moves used": localize("knights_of_valour.track_moves_used"),
    "combat actions used": localize("knights_of_valour.track_combat_actions_used"),
    "movement": localize("knights_of_valour.track_movement"),
    "diagonals": localize("knights_of_valour.track_diagonals"),
    "hanging": localize("knights_of_valour.track_hanging"),
    "climb paid": localize("knights_of_valour.track_climb_paid"),
}
CONDITIONS = {
    "out": localize("knights_of_valour.condition_out"),
    "acted": localize("knights_of_valour.condition_acted"),
    "provoked": localize("knights_of_valour.condition_provoked"),
    "free attack": localize("knights_of_valour.condition_free_attack"),
    "climbing": localize("knights_of_valour.condition_climbing"),
    MAIN_HAND: localize("knights_of_valour.condition_main_hand"),
    OTHER_HAND: localize("knights_of_valour.condition_other_hand"),
    "intent": localize("knights_of_valour.condition_intent"),
    "won": localize("knights_of_valour.condition_won"),
}

LEAST_STAT = -5
"""The lowest physical stat of a sheet."""

_Stat = Annotated[int, Meta(ge=LEAST_STAT, le=10)]
_Level = Annotated[int, Meta(ge=0, le=10)]
_Name = Annotated[str, Meta(min_length=1, max_length=40)]


class Buff(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A lasting effect of a buff, spell or item: a modifier, more proficiency, or an extra action."""

    name: _Name
    kind: BuffKind
    value: Annotated[int, Meta(ge=-10, le=10)] = 1
    weapon: Annotated[str, Meta(max_length=40)] = ""


class Profile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A creature's sheet. A number of 0 that cannot be 0 in play takes the table's house value."""

    role: Annotated[Role, Meta(title="Role", description="A monster is not a player's character.")] = (
        "monster"
    )
    size: Annotated[Size, Meta(title="Size")] = "average"
    stature: Annotated[
        Literal["", "short", "average", "tall"],
        Meta(title="Stature", description="Beside the size by a house rule; empty, it is the size."),
    ] = ""
    agility: Annotated[_Stat, Meta(title="Agility")] = 0
    strength: Annotated[_Stat, Meta(title="Strength")] = 0
    health: Annotated[_Stat, Meta(title="Health")] = 0
    hands: Annotated[tuple[_Name, ...], Meta(title="Weapons in hand", max_length=2)] = ()
    shield: Annotated[Shield, Meta(title="Shield")] = ""
    armor: Annotated[Armor, Meta(title="Armor")] = ""
    carried: Annotated[tuple[_Name, ...], Meta(title="Other weapons carried", max_length=20)] = ()
    load: Annotated[int, Meta(ge=0, le=1_000, title="Weight of other items")] = 0
    proficiency: Annotated[
        dict[str, _Level],
        Meta(title="Proficiency", description="By weapon type; without an entry, that of the role."),
    ] = {}
    buffs: Annotated[tuple[Buff, ...], Meta(title="Buffs", max_length=20)] = ()
    weapons: Annotated[
        tuple[Weapon, ...],
        Meta(title="Own weapon types", description="Types beside the table's.", max_length=20),
    ] = ()
    movement: Annotated[int, Meta(ge=0, le=200, title="Movement", description="In feet.")] = 0
    height: Annotated[int, Meta(ge=0, le=50, title="Height", description="In feet.")] = 0
    damage_points: Annotated[int, Meta(ge=0, le=500, title="Damage points")] = 0


class Creature(Unit, frozen=True):
    """A token with its parsed profile."""

    profile: Profile

    @property
    def maximum_points(self) -> int:
        """Return its damage points unhurt: its own, or by its Health (C-16)."""
        by_health = max(1, POINTS + POINTS_OF_HEALTH * self.profile.health)
        return self.profile.damage_points or by_health

    @property
    def points(self) -> int:
        """Return the damage points left."""
        return self.token.track("points", self.maximum_points)

    @property
    def is_player(self) -> bool:
        """Return whether it is a player's character and not a monster."""
        return self.profile.role != "monster"

    @lazy
    def types(self) -> dict[str, Weapon]:
        """Return the weapon types that it knows: the table's and its own."""
        return {**WEAPONS, **{weapon.name: weapon for weapon in self.profile.weapons}}

    @lazy
    def held(self) -> tuple[Weapon, ...]:
        """Return the weapons in its hands, the main hand first: those of its sheet, or those taken since."""
        own = (*self.profile.hands, *self.profile.carried)
        taken = [self.token.conditions.get(hand, "") for hand in (MAIN_HAND, OTHER_HAND)]
        names = [name for name in taken if name in own] if taken[0] in own else self.profile.hands
        return tuple([self.types[name] for name in names])

    @property
    def stowed(self) -> list[Weapon]:
        """Return the weapons that it carries and does not hold."""
        names = [*self.profile.hands, *self.profile.carried]
        for weapon in self.held:
            names.remove(weapon.name)
        return [self.types[name] for name in names]

    @property
    def shield(self) -> Shield:
        """Return the shield on its arm: none while both hands hold weapons (C-29)."""
        has_free_hand = len(self.held) < 2 and not any(weapon.is_two_handed for weapon in self.held)
        return self.profile.shield if has_free_hand else ""

    def weapon(self, name: str) -> Weapon | None:
        """Return the weapon in its hands with a name."""
        return next((weapon for weapon in self.held if weapon.name == name), None)

    def proficiency(self, name: str) -> int:
        """Return its Proficiency Level in a weapon type, 0 to 10 (KOV-003, KOV-004, KOV-008, KOV-010)."""
        return self._levels.get(name, 0)

    @lazy
    def _levels(self) -> dict[str, int]:
        """Return its Proficiency Levels: the initial ones of its role, its own, and those of buffs."""
        levels = {**ROLES[self.profile.role].proficiency, **self.profile.proficiency}
        for buff in self.buffs("proficiency"):
            levels[buff.weapon] = levels.get(buff.weapon, 0) + buff.value
        return {name: max(0, min(10, level)) for name, level in levels.items()}

    def is_proficient(self, weapon: Weapon) -> bool:
        """Return whether it is proficient in a weapon (KOV-005)."""
        return self.proficiency(weapon.name) > 0

    def buffs(self, kind: BuffKind) -> Iterator[Buff]:
        """Yield its buffs of a kind."""
        return (buff for buff in self.profile.buffs if buff.kind == kind)

    def buff_modifiers(self, kind: BuffKind, weapon: str = "") -> Iterator[Modifier]:
        """Yield the modifiers of its buffs; a buff for one weapon type counts with that type only."""
        for buff in self.buffs(kind):
            yield Modifier(buff.name, buff.value, counts=buff.weapon in ("", weapon))

    @lazy
    def weight(self) -> int:
        """Return the weight of all that it carries (KOV-013)."""
        names = (*self.profile.hands, *self.profile.carried)
        worn = ARMOR_WEIGHTS[self.profile.armor] + SHIELD_WEIGHTS[self.profile.shield]
        return sum(self.types[name].weight for name in names) + worn + self.profile.load

    @lazy
    def defense_modifiers(self) -> tuple[Modifier, ...]:
        """Return the Defense Modifiers of its armor and its shield (KOV-046 to KOV-048)."""
        armor, shield = self.profile.armor, self.shield
        found = []
        if armor:
            reason = localize("knights_of_valour.modifier_armor", type=armor)
            found.append(Modifier(reason, ARMOR_MODIFIERS[armor], "KOV-046"))
        if shield:
            reason = localize("knights_of_valour.modifier_shield", type=shield)
            rule = "KOV-047" if shield == "small" else "KOV-048"
            found.append(Modifier(reason, SHIELD_MODIFIERS[shield], rule))
        return tuple(found)


@per_token
def read_creature(token: Token) -> Creature:
    """Return a token with its parsed profile. Raises BadMessage if the profile is invalid."""
    return Creature(token, profile_of(token.profile, Profile, _check_consistency))


def _check_consistency(profile: Profile) -> None:
    wrong: dict[str, list[str]] = {}
    types = {**WEAPONS, **{weapon.name: weapon for weapon in profile.weapons}}
    for field, names in (("hands", profile.hands), ("carried", profile.carried)):
        unknown = [name for name in names if name not in types]
        if unknown:
            wrong[f"profile.{field}"] = [
                localize("knights_of_valour.profile_weapon", name=name) for name in unknown
            ]
    hands = sum(2 if types[name].is_two_handed else 1 for name in profile.hands if name in types)
    if hands + (profile.shield != "") > 2:
        wrong.setdefault("profile.hands", []).append(localize("knights_of_valour.profile_hands"))
    if profile.armor not in ROLES[profile.role].armor:
        sentence = localize("knights_of_valour.profile_armor", role=profile.role, armor=profile.armor)
        wrong["profile.armor"] = [sentence]
    if wrong:
        raise BadMessage(wrong)


def height(scene: Scene, creature: Creature) -> int:
    """Return a creature's height in feet: its own, or that of its size (C-7).

    By a house rule its Stature is an attribute of its own, beside its size (C-8).
    """
    own = creature.profile
    heights = str(setting(scene, house_rules.HEIGHTS)).split(", ")
    has_stature = setting(scene, house_rules.STATURE) == "own attribute"
    return own.height or int(heights[SIZES[(has_stature and own.stature) or own.size]])


def movement(scene: Scene, creature: Creature) -> int:
    """Return a creature's Movement in feet (C-6)."""
    return creature.profile.movement or int(setting(scene, house_rules.MOVEMENT))


def with_damage_dice(scene: Scene, weapon: Weapon) -> Weapon:
    """Return a weapon with the damage dice of this table: its own, or by a house rule a D6 (C-18)."""
    if setting(scene, house_rules.WEAPON_DAMAGE) == "dice of the weapon":
        return weapon
    return replace(weapon, dice=1, sides=6)


def maximum_weight(scene: Scene, creature: Creature) -> int:
    """Return the weight that a creature may carry (KOV-013, C-17)."""
    base = int(setting(scene, house_rules.MAXIMUM_WEIGHT))
    return max(0, base + WEIGHT_OF_STRENGTH * creature.profile.strength)


def bar(token: Token) -> Bar:
    """Return the bar with a creature's damage points (C-16)."""
    return Bar("points", read_creature(token).maximum_points)


def prepare_token(token: Token) -> Token:
    """Return a token as it enters the battle: without a facing (C-23), with at most its damage points."""
    limit = read_creature(token).maximum_points
    tracks = {**token.tracks, "points": min(token.track("points", limit), limit)}
    return replace(token, tracks=tracks, facing=None)
