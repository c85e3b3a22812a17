"""The profile of a creature of any system; without one, the token and the map give the numbers (ANY-002)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from enfilade.i18n import localize
from enfilade.rules.battle.battle import Unit, profile_of
from enfilade.rules.battle.memo import per_token
from enfilade.rules.ruleset import Bar
from enfilade.rules.sheets import Mode, Size, prepared
from enfilade.runtime.lazy import lazy
from enfilade.scene.model import Token

_Length = Annotated[float, Meta(ge=0, le=10_000)]
_Name = Annotated[str, Meta(min_length=1, max_length=60)]

DEFAULT_CELLS = 6
"""The speed in cells of a creature whose profile has none."""

_HELPLESS = {"paralyzed", "petrified", "unconscious", "sleeping", "dead"}
NO_SPEED = _HELPLESS | {"grappled", "grabbed", "restrained", "immobilized"}
NO_REACTION = _HELPLESS | {"incapacitated", "stunned", "dying"}
NO_COVER = {"prone", "unconscious", "sleeping", "dying", "dead", "ethereal"}
FLYING = {"flying", "hovering"}
TRACKS = {"hp": localize("any_system.track_hp")}
CONDITIONS = {
    name: localize("any_system.condition", name=name)
    for name in sorted(NO_SPEED | NO_REACTION | NO_COVER | FLYING | {"out"})
}


class WeaponRange(Struct, frozen=True, forbid_unknown_fields=True):
    """The range of a weapon or a spell in the units of the map; `long` is 0 without a second one."""

    name: _Name
    normal: _Length
    long: _Length = 0


class Profile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The values of a tabletop's actor, in the units of the map. What is 0 or missing is not known."""

    speeds: Annotated[dict[Mode, _Length], Meta(title="Speeds")] = {}
    reach: Annotated[_Length, Meta(title="Reach", description="Of melee attacks; 0: one cell.")] = 0
    ranges: Annotated[tuple[WeaponRange, ...], Meta(title="Ranges", max_length=40)] = ()
    size: Annotated[Size, Meta(title="Size")] = "medium"
    senses: Annotated[
        dict[_Name, _Length], Meta(title="Senses", max_length=20, description="0: without a limit.")
    ] = {}
    armor_class: Annotated[int, Meta(ge=0, le=100, title="Armor class")] = 0
    hit_points: Annotated[int, Meta(ge=0, le=100_000, title="Hit points")] = 0
    conditions: Annotated[
        tuple[_Name, ...], Meta(title="Conditions", max_length=60, description="As the system names them.")
    ] = ()


class Creature(Unit, frozen=True):
    """A token with its parsed profile."""

    profile: Profile

    @lazy
    def conditions(self) -> frozenset[str]:
        """Return its conditions: those of the actor, and those set at the table."""
        return frozenset([*self.profile.conditions, *self.token.conditions])

    @lazy
    def is_down(self) -> bool:
        """Return whether it is at 0 hit points."""
        return self.profile.hit_points > 0 and self.token.track("hp", self.profile.hit_points) <= 0

    @lazy
    def is_solid(self) -> bool:
        """Return whether it covers others (ANY-012)."""
        return not self.is_down and self.conditions.isdisjoint(NO_COVER)

    @lazy
    def can_react(self) -> bool:
        """Return whether it threatens others (ANY-009)."""
        return not self.is_down and self.conditions.isdisjoint(NO_REACTION)

    @lazy
    def mode(self) -> Mode:
        """Return how it moves: it flies in the air, walks if it can, or else moves as it does best."""
        speeds = self.profile.speeds
        if speeds.get("fly") and (self.token.elevation > 0 or self.conditions & FLYING):
            return "fly"
        return "walk" if speeds.get("walk") or not speeds else max(speeds, key=lambda mode: speeds[mode])

    def speed(self, cell: float) -> float:
        """Return its speed in the units of a map whose cells are so wide (ANY-005)."""
        if self.is_down or self.conditions & NO_SPEED:
            return 0
        return self.profile.speeds.get(self.mode, DEFAULT_CELLS * cell)


@per_token
def read_creature(token: Token) -> Creature:
    """Return a token with its parsed profile. Raises BadMessage if the profile is invalid."""
    return Creature(token, profile_of(token.profile, Profile))


def bar(token: Token) -> Bar | None:
    """Return the bar with a creature's hit points, if it has any."""
    most = read_creature(token).profile.hit_points
    return Bar("hp", most) if most else None


def prepare_token(token: Token) -> Token:
    """Return a token as it enters the scene: with hit points, and as large as its profile says (ANY-017)."""
    profile = read_creature(token).profile
    return prepared(token, profile.size, profile.hit_points)
