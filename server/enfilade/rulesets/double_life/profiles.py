"""Profiles: the race, characteristics, weapons and mastery of a character (DBL-005, DBL-025, DBL-052)."""

from __future__ import annotations

from math import isqrt
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from enfilade.i18n import localize
from enfilade.rules.battle.battle import Unit, profile_of
from enfilade.rules.battle.memo import per_token
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.ruleset import Bar
from enfilade.rulesets.double_life import house_rules
from enfilade.rulesets.double_life.combat.attack_rolls import ANY, Race
from enfilade.runtime.lazy import lazy
from enfilade.scene.model import Scene, Token

Characteristic = Literal["strength", "agility", "perception", "will", "focus", "stamina"]
Size = Literal["gnome", "common", "troll"]
"""The sizes of characters: all races but gnomes and trolls have one (DBL-052 to DBL-055)."""

HEALTH = 5
"""The Health of a character without Strength; each point of Strength adds one (race pages)."""
REVEALED = 5
"""The least mastery of a revealed doubler, who does not focus (DBL-042, C-26)."""

MASTERIES: dict[int, tuple[int, int, int]] = {
    1: (1, 1, 2),
    2: (3, 1, 3),
    3: (5, 1, 4),
    4: (10, 1, 6),
    5: (20, 2, 4),
    6: (50, 2, 6),
    7: (100, 2, 8),
    8: (500, 3, 6),
    9: (100_000, 3, 8),
    10: (100_000, 4, 6),
}
"""The reach in meters, the dice and their sides by rank of mastery; ranks 9 and 10 reach all in sight."""

TRACKS = {
    "health": localize("double_life.track_health"),
    "energy": localize("double_life.track_energy"),
    "poise": localize("double_life.track_poise"),
    "round": localize("double_life.track_round"),
}
CONDITIONS = {
    "out": localize("double_life.condition_out"),
    "fallen": localize("double_life.condition_fallen"),
    "second-life": localize("double_life.condition_second_life"),
    "stance": localize("double_life.condition_stance"),
    "won": localize("double_life.condition_won"),
    "ended": localize("double_life.condition_ended"),
}

_Points = Annotated[int, Meta(ge=0, le=60)]
_Name = Annotated[str, Meta(min_length=1, max_length=40)]


class Weapon(Struct, frozen=True, forbid_unknown_fields=True):
    """A contact weapon: its damage dice and what is added to them (house values, C-10)."""

    name: _Name
    dice: Annotated[int, Meta(ge=1, le=4)] = 1
    sides: Annotated[int, Meta(ge=2, le=20)] = 6
    bonus: Annotated[int, Meta(ge=-5, le=20)] = 0

    @property
    def damage_text(self) -> str:
        """Return the damage as players write it."""
        bonus = f"{self.bonus:+d}" if self.bonus else ""
        return f"{self.dice}D{self.sides}{bonus}"


class Profile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A character's sheet. A number of 0 that cannot be 0 in play is worked out from the others."""

    race: Annotated[Race, Meta(title="Race", description="Its dice throw and its size.")] = ANY
    strength: Annotated[_Points, Meta(title="Strength")] = 7
    agility: Annotated[_Points, Meta(title="Agility")] = 7
    perception: Annotated[_Points, Meta(title="Perception")] = 7
    will: Annotated[_Points, Meta(title="Will")] = 7
    focus: Annotated[_Points, Meta(title="Focus")] = 7
    stamina: Annotated[_Points, Meta(title="Stamina")] = 7
    experience: Annotated[
        dict[Characteristic, Annotated[int, Meta(ge=0, le=10_000)]],
        Meta(title="Experience", description="Experience points by characteristic; they add a bonus."),
    ] = {}
    attack: Annotated[
        _Points, Meta(title="Attack", description="0: half of Agility and Perception together.")
    ] = 0
    defense: Annotated[
        _Points, Meta(title="Defense", description="0: half of Agility and Perception together.")
    ] = 0
    weapons: Annotated[tuple[Weapon, ...], Meta(title="Weapons", max_length=4)] = (Weapon("Fists", 1, 2),)
    mastery: Annotated[
        int, Meta(ge=0, le=10, title="Mastery", description="The rank of the second-life; 0: none.")
    ] = 0
    health: Annotated[int, Meta(ge=0, le=500, title="Health", description="0: 5 and the Strength.")] = 0
    energy: Annotated[int, Meta(ge=0, le=100, title="Energy")] = 5


def experience_bonus(points: int) -> int:
    """Return the bonus of experience points: Int((sqrt(1 + 8 points) - 1) / 2)."""
    return (isqrt(1 + 8 * points) - 1) // 2


class Character(Unit, frozen=True):
    """A token with its parsed profile."""

    profile: Profile

    @property
    def is_gnome(self) -> bool:
        """Return whether it is a gnome, who fights on the case of the opponent (DBL-053)."""
        return self.profile.race == "gnome"

    @property
    def is_troll(self) -> bool:
        """Return whether it is a troll, who fills 2 x 2 cases (DBL-055)."""
        return self.profile.race == "troll"

    @lazy
    def size(self) -> Size:
        """Return its size, on which the cases that it fills depend."""
        if self.is_troll:
            return "troll"
        return "gnome" if self.is_gnome else "common"

    def value(self, name: Characteristic) -> int:
        """Return a characteristic with its bonus for experience."""
        own: int = getattr(self.profile, name)
        return own + experience_bonus(self.profile.experience.get(name, 0))

    @lazy
    def attack(self) -> int:
        """Return the Attack value: its own, or half of Agility and Perception (DBL-025, C-9)."""
        return self.profile.attack or self._combat_skill

    @lazy
    def defense(self) -> int:
        """Return the Defense value: its own, or half of Agility and Perception (DBL-026, C-9)."""
        return self.profile.defense or self._combat_skill

    @property
    def _combat_skill(self) -> int:
        return (self.value("agility") + self.value("perception")) // 2

    @lazy
    def starting_poise(self) -> int:
        """Return the poise at the start, which is also the most: a quarter of Strength and Agility.

        It is rounded down, and at least 1 (DBL-005, C-8).
        """
        return max(1, (self.value("strength") + self.value("agility")) // 4)

    @lazy
    def poise(self) -> int:
        """Return the poise now."""
        return self.token.track("poise", self.starting_poise)

    @lazy
    def most_health(self) -> int:
        """Return the Health unhurt."""
        return self.profile.health or HEALTH + self.value("strength")

    @lazy
    def health(self) -> int:
        """Return the Health left."""
        return self.token.track("health", self.most_health)

    @property
    def energy(self) -> int:
        """Return the Energy left."""
        return self.token.track("energy", self.profile.energy)

    @lazy
    def is_fallen(self) -> bool:
        """Return whether it has lost its footing (DBL-009)."""
        return self.token.has("fallen")

    @property
    def is_doubler(self) -> bool:
        """Return whether it has a second-life."""
        return self.profile.mastery > 0

    @property
    def controls_second_life(self) -> bool:
        """Return whether its second-life has appeared (DBL-042, DBL-045)."""
        return self.token.has("second-life")

    @property
    def must_focus(self) -> bool:
        """Return whether its second-life appears only if it focuses (DBL-042, C-26)."""
        return self.is_doubler and self.profile.mastery < REVEALED and not self.controls_second_life

    @lazy
    def second_life(self) -> Weapon:
        """Return the second-life's damage as a weapon; raises KeyError for a character without one."""
        _, dice, sides = MASTERIES[self.profile.mastery]
        return Weapon(localize("double_life.second_life"), dice, sides)


def focus_value(scene: Scene, character: Character) -> int:
    """Return the value of Focus + Will tests: the sum, or by a house rule the mean (DBL-037, C-13)."""
    both = character.value("focus") + character.value("will")
    return both if setting(scene, house_rules.FOCUS_TEST) == "sum" else both // 2


def race_of(scene: Scene, character: Character) -> Race:
    """Return the race whose dice a character throws; by a house rule all throw a D20 (C-1)."""
    return character.profile.race if is_on(scene, house_rules.RACE_DICE) else ANY


def second_life_reach(scene: Scene, character: Character) -> int:
    """Return the reach of a second-life in cases, at least one."""
    meters, _, _ = MASTERIES[character.profile.mastery]
    return max(1, meters // int(setting(scene, house_rules.CASE_METERS)))


@per_token
def read_character(token: Token) -> Character:
    """Return a token with its parsed profile. Raises BadMessage if the profile is invalid."""
    return Character(token, profile_of(token.profile, Profile))


def bar(token: Token) -> Bar:
    """Return the bar with a character's Health."""
    return Bar("health", read_character(token).most_health)


def prepare_token(token: Token) -> Token:
    """Return a token as it enters combat: its size by race, a facing of eight, its tracks (DBL-055)."""
    character = read_character(token)
    limits = {
        "health": character.most_health,
        "poise": character.starting_poise,
        "energy": character.profile.energy,
    }
    tracks = {name: min(token.track(name, limit), limit) for name, limit in limits.items()}
    size = (2, 2) if character.is_troll else (1, 1)
    facing = round((token.facing or 0) / 45) % 8 * 45
    return replace(token, tracks={**token.tracks, **tracks}, size=size, facing=facing)
