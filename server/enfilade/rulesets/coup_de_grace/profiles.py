"""What the rules know of a miniature: its card, derived from class, race and hands (CDG-001 to CDG-010)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadMessage
from enfilade.rules.profiles import read_profile
from enfilade.rules.ruleset import CardLine
from enfilade.rulesets.coup_de_grace.catalogue import ARMOUR, ITEMS, Armour, Held, Item, Race
from enfilade.scene.model import Scene, Token

STARTING_HIT_POINTS = 3

TRACKS = {
    "hp": "Hit points: 0 is downed, less is out of action.",
    "mp": "Movement points left in this activation.",
    "round": "The combat round, on the table; 0 before the first.",
}
CONDITIONS = {
    "downed": "Lies on its side at 0 hit points, without a facing.",
    "out": "Out of action: off the board for the rest of the battle.",
    "activated": "Has had its activation this round.",
    "rerolled": "Has used its race's re-roll this round.",
    "acted": "Downed, and has used its one act of this activation.",
    "used": "Which held weapons have attacked this round.",
    "active": "Whose activation it is, on the table.",
    "priority": "Which side activates next, on the table.",
    "won": "Which side has won, on the table.",
}


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A miniature by its looks: armour, race, and what its hands hold (one two-handed item, or two)."""

    armour: Annotated[Armour, msgspec.Meta(title="Armour", description="Sets defence and movement.")]
    race: Annotated[Race, msgspec.Meta(title="Race", description="Gives one special quality.")] = "human"
    hands: Annotated[
        tuple[Held, ...],
        msgspec.Meta(title="Hands", description="What they hold.", min_length=1, max_length=2),
    ] = ("fist", "fist")


@dataclass(frozen=True, slots=True)
class Fighter:
    """A token with everything its card says.

    Attributes:
        token: the token itself.
        profile: its armour, race and hands.
        defence: defence value (DV), before anything that depends on the attack.
        allowance: movement allowance (MA), in movement points.
        most_hit_points: hit points at the start, which healing does not pass.
        items: what the hands hold, by name; the second of a kind is "sword 2".
    """

    token: Token
    profile: Profile
    defence: int
    allowance: int
    most_hit_points: int
    items: dict[str, Item]

    @property
    def hit_points(self) -> int:
        """Hit points now."""
        return self.token.track("hp", self.most_hit_points)

    @property
    def is_downed(self) -> bool:
        """Whether it lies at 0 hit points (CDG-067)."""
        return self.token.has("downed")

    @property
    def is_out(self) -> bool:
        """Whether it is out of action (CDG-068)."""
        return self.token.has("out")


def fighter(token: Token) -> Fighter:
    """A token's card; raises BadMessage where its profile is not one of Coup-de-Grace."""
    profile = read_profile(token.profile, Profile)
    if sum(ITEMS[held].hands for held in profile.hands) > 2:
        raise BadMessage({"profile.hands": ["More than two hands are needed to hold this."]})
    return Fighter(
        token=token,
        profile=profile,
        defence=ARMOUR[profile.armour].defence,
        allowance=_allowance(profile),
        most_hit_points=STARTING_HIT_POINTS + (profile.race == "dwarf"),
        items=_items(profile),
    )


def _items(profile: Profile) -> dict[str, Item]:
    items: dict[str, Item] = {}
    for held in profile.hands:
        items[held if held not in items else f"{held} 2"] = ITEMS[held]
    return items


def _allowance(profile: Profile) -> int:
    elf = 1 if profile.race == "elf" else 0
    # An open hand gives its movement only to a miniature that can still attack with the other one.
    can_attack = any(ITEMS[held].melee or ITEMS[held].ranged for held in profile.hands)
    open_hands = profile.hands.count("open hand") if can_attack else 0
    return ARMOUR[profile.armour].allowance + elf + open_hands


def entering(token: Token) -> Token:
    """A token as it enters the battle, with full hit points unless it comes with some (CDG-006, CDG-013)."""
    ready = fighter(token)
    tracks = {"hp": ready.most_hit_points, **token.tracks}
    return replace(token, tracks=tracks, facing=snapped(token.facing))


def snapped(facing: int | None) -> int | None:
    """The nearest of the four facings to an angle in compass degrees (CDG-013)."""
    return None if facing is None else (facing + 45) // 90 * 90 % 360


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """The numbers shown on a miniature's card (CDG-010)."""
    del scene
    f = fighter(token)
    rule = ARMOUR[f.profile.armour].rule
    return (
        CardLine("Defence", str(f.defence), f"{f.profile.armour} ({rule})"),
        CardLine("Movement", str(f.allowance), f"{f.profile.armour} ({rule})"),
        CardLine("Hit points", f"{f.hit_points} of {f.most_hit_points}", f.profile.race),
        CardLine("Hands", ", ".join(f.profile.hands), ""),
    )
