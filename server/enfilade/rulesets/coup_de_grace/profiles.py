"""The profile of a miniature, and its numbers from armor, race and hands (CDG-001 to CDG-010)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadMessage
from enfilade.geometry.board.arcs import nearest_facing
from enfilade.i18n import localize
from enfilade.rules.battle.battle import Unit
from enfilade.rules.battle.memo import per_profile, per_token
from enfilade.rules.profiles import read_profile
from enfilade.rules.ruleset import Bar
from enfilade.rulesets.coup_de_grace.catalog import ARMOR, ITEMS, Armor, Held, Item, Race
from enfilade.runtime.lazy import lazy
from enfilade.scene.model import Token

STARTING_HIT_POINTS = 3

TRACKS = {
    "hp": localize("coup_de_grace.track_hp"),
    "mp": localize("coup_de_grace.track_mp"),
    "gained": localize("coup_de_grace.track_gained"),
    "hastened": localize("coup_de_grace.track_hastened"),
    "slowed": localize("coup_de_grace.track_slowed"),
    "round": localize("coup_de_grace.track_round"),
}
CONDITIONS = {
    "downed": localize("coup_de_grace.condition_downed"),
    "out": localize("coup_de_grace.condition_out"),
    "activated": localize("coup_de_grace.condition_activated"),
    "rerolled": localize("coup_de_grace.condition_rerolled"),
    "acted": localize("coup_de_grace.condition_acted"),
    "used": localize("coup_de_grace.condition_used"),
    "braced": localize("coup_de_grace.condition_braced"),
    "warded": localize("coup_de_grace.condition_warded"),
    "entangled": localize("coup_de_grace.condition_entangled"),
    "earth": localize("coup_de_grace.condition_earth"),
    "active": localize("coup_de_grace.condition_active"),
    "priority": localize("coup_de_grace.condition_priority"),
    "first": localize("coup_de_grace.condition_first"),
    "won": localize("coup_de_grace.condition_won"),
}


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The profile of a miniature: armor, race, and the items in its hands (a two-handed one, or two)."""

    armor: Annotated[Armor, msgspec.Meta(title="Armor", description="Sets defense and movement.")]
    race: Annotated[Race, msgspec.Meta(title="Race", description="Gives one special quality.")] = "human"
    hands: Annotated[
        tuple[Held, ...],
        msgspec.Meta(title="Hands", description="What they hold.", min_length=1, max_length=2),
    ] = ("fist", "fist")


class Fighter(Unit, frozen=True):
    """A token with all numbers of its card.

    Attributes:
        token: the token.
        profile: its armor, race and hands.
        items: the items in its hands, by name; the second of a kind is "sword 2".
        first_allowance: the movement allowance at the start of the battle (CDG-002 to CDG-005).
        facing: the nearest facing of the board, in degrees; None without a facing (CDG-013).
    """

    profile: Profile
    items: dict[str, Item]
    first_allowance: int
    facing: int | None

    @property
    def race(self) -> Race:
        """Return the race."""
        return self.profile.race

    @property
    def defense(self) -> int:
        """Return the defense value (DV) before the modifiers of an attack (CDG-002 to CDG-005)."""
        return ARMOR[self.profile.armor].defense

    @lazy
    def allowance(self) -> int:
        """Return the movement allowance (MA) in movement points (CDG-002 to CDG-005)."""
        changed = self.token.track("gained") - self.token.track("slowed")
        return max(0, self.first_allowance + changed)

    @property
    def max_hit_points(self) -> int:
        """Return the hit points at the start, the limit of healing (CDG-006, CDG-066)."""
        return _max_hit_points(self.profile)

    @property
    def hit_points(self) -> int:
        """Return the hit points now."""
        return self.token.track("hp", self.max_hit_points)

    @property
    def is_unhurt(self) -> bool:
        """Return whether it has all its hit points."""
        return self.hit_points >= self.max_hit_points

    @property
    def is_downed(self) -> bool:
        """Return whether it is downed, at 0 hit points (CDG-067)."""
        return "downed" in self.token.conditions

    @property
    def is_out(self) -> bool:
        """Return whether it is out of action (CDG-068)."""
        return "out" in self.token.conditions

    @property
    def can_pass_miniatures(self) -> bool:
        """Return whether it may move through occupied cells, as halflings may."""
        return self.race == "halfling"

    def listed(self, condition: str) -> list[str]:
        """Return the names that a condition of the token lists, such as "used" and "rerolled"."""
        note = self.token.conditions.get(condition, "")
        return note.split(", ") if note else []


@cache
def reader(facings: tuple[int, ...]) -> Callable[[Token], Fighter]:
    """Return a function that reads a token's numbers on a board with these facings; kept by token.

    It raises BadMessage if the token's profile is invalid.
    """

    @per_token
    def read(token: Token) -> Fighter:
        facing = None if token.facing is None else nearest_facing(token.facing, facings)
        return Fighter(token, *_card(token.profile), facing)

    return read


@per_profile
def _card(given: dict[str, Any]) -> tuple[Profile, dict[str, Item], int]:
    """Return the profile, the held items and the first allowance, which no move, wound or turn changes."""
    profile = read_profile(given, Profile)
    if sum(ITEMS[held].hands for held in profile.hands) > 2:
        raise BadMessage({"profile.hands": [localize("coup_de_grace.profile_hands")]})
    items = _items(profile)
    open_hands = sum(item.name == "open hand" for item in items.values())
    allowance = ARMOR[profile.armor].allowance + (profile.race == "elf") + open_hands
    return profile, items, allowance


def _items(profile: Profile) -> dict[str, Item]:
    items: dict[str, Item] = {}
    for held in profile.hands:
        items[held if held not in items else f"{held} 2"] = ITEMS[held]
    if not any(item.can_attack for item in items.values()):
        items = {name.replace("open hand", "fist"): _as_fist(item) for name, item in items.items()}
    if any(item.spell and item.name != "mage left fist" for item in items.values()):
        return {name: _as_quality(item) for name, item in items.items()}
    return items


def _as_fist(item: Item) -> Item:
    # An open hand is a fist if the miniature has no other attack.
    return ITEMS["fist"] if item.name == "open hand" else item


def _as_quality(item: Item) -> Item:
    # Beside another spell, a battle mage's left fist prevents the doubling and does not attack.
    return replace(item, spell="") if item.name == "mage left fist" else item


def _max_hit_points(profile: Profile) -> int:
    return STARTING_HIT_POINTS + (profile.race == "dwarf")


@per_token
def bar(token: Token) -> Bar:
    """Return a miniature's hit points as a bar (CDG-006)."""
    return Bar("hp", _max_hit_points(_card(token.profile)[0]))


def prepare_token(token: Token) -> Token:
    """Return a token as it enters the battle: with full hit points unless it has some, and its state.

    A standing miniature without a facing faces north, because it must have one (CDG-013).
    """
    hit_points = token.track("hp", 0 if token.has("downed") else bar(token).most)
    token = replace(token, tracks={**token.tracks, "hp": hit_points})
    if hit_points < 0:
        return replace(token, at=None, facing=None, conditions={**token.conditions, "out": ""})
    if hit_points == 0:
        return replace(token, facing=None, conditions={**token.conditions, "downed": ""})
    return token if token.facing is not None else replace(token, facing=0)
