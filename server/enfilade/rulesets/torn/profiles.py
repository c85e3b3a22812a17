"""Profiles: the card and the Action Tiles of a miniature, with its current state (TRN-001 to TRN-005)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from enfilade.errors import BadMessage
from enfilade.i18n import localize
from enfilade.rules.battle.battle import Unit, profile_of
from enfilade.rules.battle.memo import per_token
from enfilade.rules.kit.health import HitPoints
from enfilade.rules.ruleset import Bar
from enfilade.rulesets.torn.dice import Pool
from enfilade.runtime.lazy import lazy
from enfilade.scene.model import Token

Kind = Literal["melee", "ranged", "move", "run", "concentration"]
Measure = Literal["hex", "hexon"]
Size = Literal["infantry", "large", "huge"]
DamageType = Literal["physical", "fire", "cold", "electrical", "poison", "mental"]
Marker = Literal["burning", "slowed", "poisoned", "stunned", "bleeding", "panic"]
Effect = Literal["", "panic test", "shift"]
Trait = Literal["leader", "veteran", "careful", "invisible", "ether protection"]

MARKERS: dict[str, str] = {
    "burning": localize("torn.condition_burning"),
    "slowed": localize("torn.condition_slowed"),
    "poisoned": localize("torn.condition_poisoned"),
    "stunned": localize("torn.condition_stunned"),
    "bleeding": localize("torn.condition_bleeding"),
    "panic": localize("torn.condition_panic"),
}
TRACKS = {
    "wounds": localize("torn.track_wounds"),
    "round": localize("torn.track_round"),
}
CONDITIONS = {
    **MARKERS,
    "out": localize("torn.condition_out"),
    "unseen": localize("torn.condition_unseen"),
    "activated": localize("torn.condition_activated"),
    "used": localize("torn.condition_used"),
    "free attack": localize("torn.condition_free_attack"),
    "active": localize("torn.condition_active"),
    "first": localize("torn.condition_first"),
    "leads": localize("torn.condition_leads"),
    "won": localize("torn.condition_won"),
}

# More dice than any tile has, and few enough that the odds of a full table stay fast.
_Dice = Annotated[int, Meta(ge=0, le=12)]
_FewDice = Annotated[int, Meta(ge=0, le=6)]


class Tile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, cache_hash=True):
    """An Action Tile. Attacks have dice, a range, damage and a type; Move and Run have a distance.

    An attack without damage only has its `effect`. `marker` is the condition that a critical gives. `area`
    hits all miniatures in the target's Hexon.
    """

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    kind: Kind
    range: Annotated[int, Meta(ge=0, le=50, description="Range of an attack, distance of a move.")] = 1
    unit: Measure = "hex"
    attack: _Dice = 0
    skill: _FewDice = 0
    agility: _FewDice = 0
    damage: Annotated[int, Meta(ge=0, le=50)] = 0
    type: DamageType = "physical"
    marker: Marker | Literal[""] = ""
    effect: Effect = ""
    ethereal: bool = False
    area: bool = False
    assault: bool = False

    @property
    def is_attack(self) -> bool:
        """Return whether the tile has a melee or ranged pictogram (TRN-001, TRN-034)."""
        return self.kind in ("melee", "ranged")

    @property
    def is_harmless(self) -> bool:
        """Return whether an attack with the tile does no damage (TRN-078)."""
        return self.damage == 0

    @property
    def is_movement(self) -> bool:
        """Return whether the action is Move or Run."""
        return self.kind in ("move", "run")

    @property
    def pool(self) -> Pool:
        """Return the dice on the tile (TRN-003)."""
        return Pool(self.attack, self.skill, self.agility)


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A miniature's card and its Action Tiles."""

    size: Annotated[Size, Meta(title="Size", description="A Hex, a Hexon, or several Hexons.")] = "infantry"
    wounds: Annotated[int, Meta(title="Wounds", ge=1, le=50)]
    defense: Annotated[_Dice, Meta(title="Defense dice", description="In the shield icon.")] = 0
    agility: Annotated[_FewDice, Meta(title="Agility dice", description="In the shield icon.")] = 0
    tiles: Annotated[tuple[Tile, ...], Meta(title="Action Tiles", max_length=20)] = ()
    traits: Annotated[tuple[Trait, ...], Meta(title="Properties", max_length=10)] = ()
    immune: Annotated[tuple[DamageType, ...], Meta(title="Immune to", max_length=6)] = ()
    protected: Annotated[tuple[DamageType, ...], Meta(title="Protected from", max_length=6)] = ()
    vulnerable: Annotated[tuple[DamageType, ...], Meta(title="Vulnerable to", max_length=6)] = ()
    hexons: Annotated[
        tuple[tuple[int, int], ...],
        Meta(title="Hexons", description="The Hexons of a huge base, counted from the first.", max_length=12),
    ] = ((0, 0),)
    becomes: Annotated[
        dict[str, Any],
        Meta(title="Becomes", description="The profile it transforms into at its last wound, if any."),
    ] = {}


class Miniature(Unit, frozen=True):
    """A token with its parsed profile; one for each token, which caches find by its identity."""

    profile: Profile

    @property
    def wounds(self) -> int:
        """Return the wounds left."""
        return self.token.track("wounds", self.profile.wounds)

    @property
    def is_leader(self) -> bool:
        """Return whether it leads its side's expedition: by its card, or since it led before it changed."""
        return self.has("leader") or self.token.has("leads")

    @property
    def has_marker(self) -> bool:
        """Return whether it has a Condition Marker."""
        return not self.token.conditions.keys().isdisjoint(MARKERS)

    @property
    def base(self) -> tuple[tuple[int, int], ...]:
        """Return the Hexons of its base, counted from the first: one, unless it is huge."""
        return self.profile.hexons if self.profile.size == "huge" else ((0, 0),)

    def has(self, trait: Trait) -> bool:
        """Return whether its card has a property."""
        return trait in self.profile.traits

    @lazy
    def attacks(self) -> tuple[Tile, ...]:
        """Return its attacks, those without damage too."""
        return tuple(tile for tile in self.profile.tiles if tile.is_attack)

    @lazy
    def melee_attacks(self) -> tuple[Tile, ...]:
        """Return its melee attacks, those without damage too."""
        return tuple(tile for tile in self.profile.tiles if tile.kind == "melee")

    @lazy
    def melee_tiles(self) -> tuple[Tile, ...]:
        """Return its melee attacks that do damage: for Free Attacks, and for defense criticals."""
        return tuple(tile for tile in self.profile.tiles if tile.kind == "melee" and tile.damage)

    def tile(self, name: str) -> Tile | None:
        """Return its Action Tile with a name."""
        return next((tile for tile in self.profile.tiles if tile.name == name), None)


@per_token
def read_miniature(token: Token) -> Miniature:
    """Return a token with its parsed profile. Raises BadMessage if the profile is invalid."""
    return Miniature(token, profile_of(token.profile, Profile, _check_consistency))


def _check_consistency(profile: Profile) -> None:
    wrong = {}
    names = [tile.name for tile in profile.tiles]
    if len(set(names)) < len(names):
        wrong["profile.tiles"] = [localize("torn.profile_same_name")]
    if profile.size != "infantry" and any(t.is_movement and t.unit == "hex" for t in profile.tiles):
        wrong["profile.tiles"] = [localize("torn.profile_moves_in_hexes")]
    if profile.size == "huge" and (0, 0) not in profile.hexons:
        wrong["profile.hexons"] = [localize("torn.profile_first_hexon")]
    if "becomes" in profile.becomes:
        wrong["profile.becomes"] = [localize("torn.profile_becomes_twice")]
    if wrong:
        raise BadMessage(wrong)
    if profile.becomes:
        profile_of(profile.becomes, Profile, _check_consistency)


def distance_text(count: int, unit: Measure) -> str:
    """Return a distance as text, such as "3 Hexes" or "1 Hexon"."""
    return localize("torn.hexes" if unit == "hex" else "torn.hexons", count=count)


WOUNDS = HitPoints(lambda token: read_miniature(token).profile.wounds, track="wounds")


def bar(token: Token) -> Bar:
    """Return the bar with a miniature's wounds (TRN-001)."""
    return WOUNDS.bar(token)


def prepare_token(token: Token) -> Token:
    """Return a token as it enters the battle: with full wounds, unless it has fewer."""
    return replace(WOUNDS.prepare(token), facing=None)
