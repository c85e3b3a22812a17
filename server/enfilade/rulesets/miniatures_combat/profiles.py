"""Profiles: the level, weapons and gear of a model, and its dice (MNC-002 to MNC-004, MNC-014 to MNC-025)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from enfilade.i18n import localize
from enfilade.rules.battle.battle import Unit, profile_of
from enfilade.rules.battle.memo import per_token
from enfilade.rules.house_rules import setting
from enfilade.rules.ruleset import Bar
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.runtime.lazy import lazy
from enfilade.scene.model import Scene, Token

INCH = 64
"""The units of an inch: every distance of the game is in 64ths of an inch."""


def inches_text(length: int, *, is_limit: bool = False) -> str:
    """Return a length in 64ths as inches to a tenth, `3.2` or `4`; a limit is rounded down."""
    tenths = length * 10 // INCH if is_limit else round(length * 10 / INCH)
    return f"{tenths / 10:g}"


Weapon = Literal["close", "basic", "pole"]
Shield = Literal["", "buckler", "shield"]
Item = Literal["shield", "armor"]

REACHES: dict[Weapon, int] = {"close": 0, "basic": INCH, "pole": 2 * INCH}
"""The reach of each kind of weapon: base contact, 1 inch, 2 inches (MNC-063, MNC-084)."""

SHIELD_DICE: dict[Shield, int] = {"": 0, "buckler": 1, "shield": 2}
"""The bonus defense dice of a buckler and of a shield (MNC-014, MNC-015)."""
MOUNTED_DICE, MINION_DICE = 2, 1
"""The bonus movement dice of a mounted model and of a minion (MNC-016, MNC-019)."""

MOST_LEVEL = 12
"""The highest level of a sheet; the text names monsters of 4 "or more"."""

DEFENSES = {1: 3, 2: 2, 3: 1}
"""The difficulty of defense by level (MNC-065); monsters have a house rule."""
GONE = ("out", "captured", "incapacitated")
"""The conditions of a model that takes no more part in the fight."""

TRACKS = {
    "dice": localize("miniatures_combat.track_dice"),
    "defense dice": localize("miniatures_combat.track_defense_dice"),
    "movement dice": localize("miniatures_combat.track_movement_dice"),
    "allowance": localize("miniatures_combat.track_allowance"),
    "hits": localize("miniatures_combat.track_hits"),
    "wounds": localize("miniatures_combat.track_wounds"),
    "stumble": localize("miniatures_combat.track_stumble"),
    "story": localize("miniatures_combat.track_story"),
    "turn": localize("miniatures_combat.track_turn"),
    "round": localize("miniatures_combat.track_round"),
    "group": localize("miniatures_combat.track_group"),
}
CONDITIONS = {
    "out": localize("miniatures_combat.condition_out"),
    "active": localize("miniatures_combat.condition_active"),
    "defended": localize("miniatures_combat.condition_defended"),
    "attacked": localize("miniatures_combat.condition_attacked"),
    "moved": localize("miniatures_combat.condition_moved"),
    "charged": localize("miniatures_combat.condition_charged"),
    "must defend": localize("miniatures_combat.condition_must_defend"),
    "hit": localize("miniatures_combat.condition_hit"),
    "shield used": localize("miniatures_combat.condition_shield_used"),
    "armor used": localize("miniatures_combat.condition_armor_used"),
    "cover used": localize("miniatures_combat.condition_cover_used"),
    "height used": localize("miniatures_combat.condition_height_used"),
    "in sight": localize("miniatures_combat.condition_in_sight"),
    "prone": localize("miniatures_combat.condition_prone"),
    "dismounted": localize("miniatures_combat.condition_dismounted"),
    "endangered": localize("miniatures_combat.condition_endangered"),
    "captured": localize("miniatures_combat.condition_captured"),
    "incapacitated": localize("miniatures_combat.condition_incapacitated"),
    "carried": localize("miniatures_combat.condition_carried"),
    "fled": localize("miniatures_combat.condition_fled"),
    "named": localize("miniatures_combat.condition_named"),
    "names group": localize("miniatures_combat.condition_names_group"),
    "side": localize("miniatures_combat.condition_side"),
    "begins": localize("miniatures_combat.condition_begins"),
    "activated": localize("miniatures_combat.condition_activated"),
    "movement over": localize("miniatures_combat.condition_movement_over"),
    "rolled": localize("miniatures_combat.condition_rolled"),
    "won": localize("miniatures_combat.condition_won"),
    "story event": localize("miniatures_combat.condition_story_event"),
    "major story event": localize("miniatures_combat.condition_major_story_event"),
}


class Profile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A model's sheet. The level is the number of its general dice and its toughness (MNC-002, MNC-003)."""

    level: Annotated[
        int,
        Meta(ge=1, le=MOST_LEVEL, title="Level", description="Poor 1, average 2, good 3, monsters from 4."),
    ] = 2
    minion: Annotated[bool, Meta(title="Minion")] = False
    weapon: Annotated[
        Weapon, Meta(title="Weapon", description="Close fighting, basic, or pole arm (spear, halberd).")
    ] = "basic"
    two_handed: Annotated[bool, Meta(title="Heavy two-handed weapon")] = False
    missiles: Annotated[bool, Meta(title="Missile weapon")] = False
    shield: Annotated[Shield, Meta(title="Shield")] = ""
    heavy_armor: Annotated[bool, Meta(title="Heavy armor")] = False
    mounted: Annotated[bool, Meta(title="Mounted")] = False
    athletic: Annotated[bool, Meta(title="Athletic")] = False
    short: Annotated[bool, Meta(title="Short")] = False
    story_protected: Annotated[bool, Meta(title="Story protection")] = False


class Fighter(Unit, frozen=True):
    """A token with its parsed profile."""

    profile: Profile

    @lazy
    def side(self) -> str:
        """Return the ID of the side."""
        return self.token.side

    @lazy
    def level(self) -> int:
        """Return the level, which is also the toughness (MNC-003, MNC-025)."""
        return self.profile.level

    @lazy
    def is_fighting(self) -> bool:
        """Return whether the model is on the board and takes part in the fight."""
        return self.token.at is not None and not any(self.token.has(gone) for gone in GONE)

    @lazy
    def is_mounted(self) -> bool:
        """Return whether the model is on its horse."""
        return self.profile.mounted and not self.token.has("dismounted")

    @lazy
    def wounds(self) -> int:
        """Return the number of wounds."""
        return self.token.track("wounds")

    @lazy
    def reach(self) -> int:
        """Return the reach of the weapon, within which enemies must defend against it (MNC-063, MNC-084)."""
        return REACHES[self.profile.weapon]

    @lazy
    def items(self) -> tuple[Item, ...]:
        """Return the gear that can negate a hit and has not done so in this activation (MNC-026).

        A buckler is no shield.
        """
        token = self.token
        found: list[Item] = []
        if self.profile.shield == "shield" and not token.has("shield used"):
            found.append("shield")
        if self.profile.heavy_armor and not token.has("armor used"):
            found.append("armor")
        return tuple(found)


@per_token
def read_fighter(token: Token) -> Fighter:
    """Return a token with its parsed profile. Raises BadMessage for a profile of another shape."""
    return Fighter(token, profile_of(token.profile, Profile))


def defense_difficulty(scene: Scene, fighter: Fighter) -> int:
    """Return the number that a die of defense needs: by level, +1 for each wound (MNC-065 to MNC-067)."""
    monster = int(setting(scene, house_rules.MONSTER_DEFENSE))
    return DEFENSES.get(fighter.level, monster) + fighter.wounds


def free_movement_dice(scene: Scene, fighter: Fighter) -> int:
    """Return the bonus movement dice: mounted 2, else minions 1 (MNC-016, MNC-019, MNC-112).

    By a house rule models of level 1 that are no minions have the die as well. What a mounted minion has is
    another one (C-42).
    """
    if fighter.is_mounted and fighter.profile.minion:
        return int(setting(scene, house_rules.MOUNTED_MINION_DICE))
    if fighter.is_mounted:
        return MOUNTED_DICE
    is_level_1 = fighter.level == 1 and setting(scene, house_rules.FREE_DIE) == "level 1"
    return MINION_DICE if fighter.profile.minion or is_level_1 else 0


def prepare_token(token: Token) -> Token:
    """Return a token with the tracks that a model starts with."""
    read_fighter(token)
    return replace(token, tracks={"hits": 0, "wounds": 0, **token.tracks})


def bar(token: Token) -> Bar | None:
    """Return no bar: toughness is no pool of hit points (MNC-003)."""
    del token
    return None
