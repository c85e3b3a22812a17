"""What the rules know of a miniature: its card, its Action Tiles, and what it is now (TRN-001 to TRN-005)."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from enfilade.errors import BadMessage
from enfilade.rules.profiles import read_profile
from enfilade.rules.ruleset import Bar
from enfilade.rulesets.torn.dice import Pool, Shield
from enfilade.scene.model import Token

Kind = Literal["melee", "ranged", "move", "run", "concentration"]
Unit = Literal["hex", "hexon"]
Size = Literal["infantry", "large", "huge"]
DamageType = Literal["physical", "fire", "cold", "electrical", "poison", "mental"]
Marker = Literal["burning", "slowed", "poisoned", "stunned", "bleeding", "panic"]
Effect = Literal["", "panic test", "shift"]
Trait = Literal["leader", "veteran", "careful", "invisible", "ether protection"]

MARKERS: dict[str, str] = {
    "burning": "Burning: loses a wound at the end of its activation.",
    "slowed": "Slowed: goes one Hex or Hexon less with Move and Run.",
    "poisoned": "Poisoned: loses a wound at the end of its activation.",
    "stunned": "Stunned: does nothing in its next activation.",
    "bleeding": "Bleeding: loses a wound at the end of its activation.",
    "panic": "Panic: can only move away from the nearest enemy in its activation.",
}
TRACKS = {
    "wounds": "Wounds left; at 0 or fewer the miniature is removed.",
    "round": "The round, on the table; 0 before the first.",
}
CONDITIONS = {
    **MARKERS,
    "out": "Removed from the battlefield as a loss.",
    "unseen": "Cannot be seen, by the effect of a God card.",
    "activated": "Has had its activation this round.",
    "used": "The Action Tiles used in this activation.",
    "free attack": "In whose activation this miniature has made a Free Attack.",
    "active": "Whose activation it is, on the table.",
    "first": "Which side activates next, on the table.",
    "won": "Which side has won, on the table.",
}

# More dice than any tile has, and few enough that the odds of a table full of them do not take long.
_Dice = Annotated[int, Meta(ge=0, le=12)]
_Few = Annotated[int, Meta(ge=0, le=6)]


class Tile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An Action Tile. Attacks have dice, a range, damage and a type; Move and Run have a distance.

    Without damage an attack only has its `effect`. `marker` is the condition that a critical gives.
    `area` hits everybody in the target's Hexon.
    """

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    kind: Kind
    range: Annotated[int, Meta(ge=0, le=50, description="How far it reaches or goes.")] = 1
    unit: Unit = "hex"
    attack: _Dice = 0
    skill: _Few = 0
    agility: _Few = 0
    damage: Annotated[int, Meta(ge=0, le=50)] = 0
    type: DamageType = "physical"
    marker: Marker | Literal[""] = ""
    effect: Effect = ""
    ethereal: bool = False
    area: bool = False
    assault: bool = False

    @property
    def is_attack(self) -> bool:
        """Whether the tile carries a melee or ranged pictogram (TRN-001, TRN-034)."""
        return self.kind in ("melee", "ranged")

    @property
    def is_movement(self) -> bool:
        """Whether the action is Move or Run."""
        return self.kind in ("move", "run")

    @property
    def pool(self) -> Pool:
        """The dice on the tile (TRN-003)."""
        return Pool(self.attack, self.skill, self.agility)


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A miniature's card and its Action Tiles."""

    size: Annotated[Size, Meta(title="Size", description="A Hex, a Hexon, or several Hexons.")] = "infantry"
    wounds: Annotated[int, Meta(title="Wounds", ge=1, le=50)]
    defence: Annotated[_Dice, Meta(title="Defence dice", description="In the shield icon.")] = 0
    agility: Annotated[_Few, Meta(title="Agility dice", description="In the shield icon.")] = 0
    tiles: Annotated[tuple[Tile, ...], Meta(title="Action Tiles", max_length=20)] = ()
    traits: Annotated[tuple[Trait, ...], Meta(title="Properties", max_length=10)] = ()
    immune: Annotated[tuple[DamageType, ...], Meta(title="Immune to", max_length=6)] = ()
    protected: Annotated[tuple[DamageType, ...], Meta(title="Protected from", max_length=6)] = ()
    vulnerable: Annotated[tuple[DamageType, ...], Meta(title="Vulnerable to", max_length=6)] = ()
    hexons: Annotated[
        tuple[tuple[int, int], ...],
        Meta(title="Hexons", description="What a huge base covers, counted from its first.", max_length=12),
    ] = ((0, 0),)
    becomes: Annotated[
        dict[str, Any], Meta(title="Becomes", description="What it turns into at its last wound, if at all.")
    ] = {}


@dataclass(frozen=True)
class Miniature:
    """A token with everything its card says."""

    token: Token
    profile: Profile

    @property
    def id(self) -> str:
        """The token's id."""
        return self.token.id

    @property
    def name(self) -> str:
        """The token's name."""
        return self.token.name

    @property
    def wounds(self) -> int:
        """Wounds left."""
        return self.token.track("wounds", self.profile.wounds)

    @property
    def shield(self) -> Shield:
        """The dice in the shield icon (TRN-017)."""
        return Shield(self.profile.defence, self.profile.agility)

    @property
    def is_leader(self) -> bool:
        """Whether it leads its player's expedition."""
        return self.has("leader")

    @property
    def has_marker(self) -> bool:
        """Whether it has any Condition Marker."""
        return any(self.token.has(marker) for marker in MARKERS)

    def has(self, trait: Trait) -> bool:
        """Whether its card names a property."""
        return trait in self.profile.traits

    @cached_property
    def melee_tiles(self) -> tuple[Tile, ...]:
        """Its melee actions that do damage: what it reacts with, and what its defence criticals use."""
        return tuple(tile for tile in self.profile.tiles if tile.kind == "melee" and tile.damage)

    def tile(self, name: str) -> Tile | None:
        """The Action Tile of a name."""
        return next((tile for tile in self.profile.tiles if tile.name == name), None)


def miniature(token: Token) -> Miniature:
    """A token's card; raises BadMessage where its profile is not one of Torn."""
    return Miniature(token, _read(token.profile))


MOST_READ = 512
_profiles: OrderedDict[int, tuple[dict[str, Any], Profile]] = OrderedDict()


def _read(profile: dict[str, Any]) -> Profile:
    """Reads a profile once: scenes share theirs from one to the next."""
    known = _profiles.get(id(profile))
    if known is not None and known[0] is profile:
        return known[1]
    read = read_profile(profile, Profile)
    _must_fit_together(read)
    _profiles[id(profile)] = (profile, read)
    if len(_profiles) > MOST_READ:
        _profiles.popitem(last=False)
    return read


def _must_fit_together(profile: Profile) -> None:
    wrong = {}
    names = [tile.name for tile in profile.tiles]
    if len(set(names)) < len(names):
        wrong["profile.tiles"] = ["Two tiles have the same name."]
    if profile.size != "infantry" and any(t.is_movement and t.unit == "hex" for t in profile.tiles):
        wrong["profile.tiles"] = ["Large and huge miniatures move in Hexons."]
    if profile.size == "huge" and (0, 0) not in profile.hexons:
        wrong["profile.hexons"] = ["The first Hexon is [0, 0]."]
    if "becomes" in profile.becomes:
        wrong["profile.becomes"] = ["What it turns into does not turn into something else again."]
    if wrong:
        raise BadMessage(wrong)
    if profile.becomes:
        _read(profile.becomes)


def bar(token: Token) -> Bar:
    """A miniature's wounds (TRN-001)."""
    return Bar("wounds", miniature(token).profile.wounds)


def prepare_token(token: Token) -> Token:
    """A token as it enters the battle, with all its wounds unless it comes with fewer."""
    most = miniature(token).profile.wounds
    tracks = {**token.tracks, "wounds": min(token.track("wounds", most), most)}
    return replace(token, tracks=tracks, facing=None)
