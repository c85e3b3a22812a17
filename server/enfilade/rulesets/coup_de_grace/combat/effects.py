"""Effects: the moments at which races and items change the common rules, and those of races (CDG-007)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from enfilade.i18n import localize
from enfilade.rules.procedures import Steps
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.catalog import Race
from enfilade.rulesets.coup_de_grace.combat.attack_setup import Strike
from enfilade.rulesets.coup_de_grace.combat.damage import add_to_track, heal
from enfilade.scene.model import Scene


@dataclass(frozen=True, slots=True)
class Hit:
    """An attack that hit, the state of its target, and the scene after it."""

    strike: Strike
    left: str
    scene: Scene


def _zero(_: Strike) -> int:
    return 0


def zero_by_face(_: Strike, __: int) -> int:
    """Return 0: the default of bonuses by face."""
    return 0


def _never(_: int, __: bool, ___: int) -> bool:
    return False


Again = Callable[[int, bool, int], bool]
"""Returns whether another attack follows: from the face, whether it hit, and the number of attacks so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """The effect of one race or item. Functions of a strike return a bonus, 0 for none.

    Attributes:
        sentence: the effect in a sentence, for the card.
        to_hit: added to the attack die (by a race: for all attacks, by a weapon: for its own).
        guard: added to the bearer's defense value.
        against: added to the target's defense value if the bearer attacks with it.
        base_defense: replaces the target's base defense value, or None.
        by_face: added to the result for the face of the first die.
        damage: added to the damage of a hit, for a face.
        reroll: the face that may be rerolled once a round; 0 for none.
        again: decides if a weapon attacks again.
        on_hit: follows a hit; returns the scene after it.
        on_miss: follows a miss; returns the scene after it.
    """

    sentence: str = ""
    to_hit: Callable[[Strike], int] = _zero
    guard: Callable[[Strike], int] = _zero
    against: Callable[[Strike], int] = _zero
    base_defense: Callable[[Strike], int | None] = lambda _: None
    by_face: Callable[[Strike, int], int] = zero_by_face
    damage: Callable[[Strike, int], int] = zero_by_face
    reroll: int = 0
    again: Again = _never
    on_hit: Callable[[Hit], Steps] | None = None
    on_miss: Callable[[Strike, Scene], Steps] | None = None


PLAIN = Effect()
"""The effect of a race or item that does not change attacks."""


RECOVERY = 5
"""The needed D6 of a downed miniature to stand up (CDG-075)."""

SKELETON_RECOVERY = 4


def recovery_needs(race: Race) -> int:
    """Return the needed face of a dramatic recovery for a race (CDG-075)."""
    return SKELETON_RECOVERY if race == "skeleton" else RECOVERY


def _kobold(strike: Strike, face: int) -> int:
    return int(strike.is_backstab and face % 2 == 0)


def _has_fed(hit: Hit, *while_downed: str) -> bool:
    """Return whether a hit feeds its attacker: a melee coup de grace (house rule for downed attackers)."""
    strike = hit.strike
    if not (strike.is_melee and strike.is_coup_de_grace):
        return False
    return not strike.attacker.is_downed or strike.battle.setting(house_rules.DOWNED_FEED) in while_downed


def _feed_zombie(hit: Hit) -> Steps:
    """Restore 1 hit point of a zombie after a melee coup de grace, up to its maximum."""
    zombie = hit.strike.attacker
    if _has_fed(hit, "both") and not zombie.is_unhurt:
        return (yield from heal(hit.scene, zombie.id))
    return hit.scene


def _feed_vampire(hit: Hit) -> Steps:
    """Add 1 to a vampire's movement allowance after a melee coup de grace, for the rest of the battle."""
    if _has_fed(hit, "vampires", "both"):
        return (yield add_to_track(hit.scene, hit.strike.attacker.id, "gained", 1))
    return hit.scene


RACES: dict[Race, Effect] = {
    "beastman": Effect(
        sentence=localize("coup_de_grace.effect_beastman"),
        to_hit=lambda strike: int(strike.attacker.hit_points == 1),
    ),
    "drow": Effect(
        sentence=localize("coup_de_grace.effect_drow"),
        to_hit=lambda strike: int(strike.attacker.is_unhurt),
    ),
    "dwarf": Effect(sentence=localize("coup_de_grace.effect_dwarf")),
    "elf": Effect(sentence=localize("coup_de_grace.effect_elf")),
    "gnoll": Effect(
        sentence=localize("coup_de_grace.effect_gnoll"),
        to_hit=lambda strike: int(strike.target.hit_points == 1),
    ),
    "gnome": Effect(
        sentence=localize("coup_de_grace.effect_gnome"),
        guard=lambda strike: int(strike.target.token.has("braced")),
    ),
    "goblin": Effect(
        sentence=localize("coup_de_grace.effect_goblin"),
        to_hit=lambda strike: int(strike.target.is_downed),
    ),
    "halfling": Effect(sentence=localize("coup_de_grace.effect_halfling")),
    "human": Effect(sentence=localize("coup_de_grace.effect_human"), reroll=1),
    "kobold": Effect(sentence=localize("coup_de_grace.effect_kobold"), damage=_kobold),
    "living construct": Effect(
        sentence=localize("coup_de_grace.effect_living_construct"),
        guard=lambda strike: int(strike.target.is_unhurt),
    ),
    "lizardman": Effect(
        sentence=localize("coup_de_grace.effect_lizardman"),
        guard=lambda strike: int(strike.target.is_downed),
    ),
    "orc": Effect(
        sentence=localize("coup_de_grace.effect_orc"),
        damage=lambda _, face: int(face == 6),
    ),
    "skeleton": Effect(sentence=localize("coup_de_grace.effect_skeleton")),
    "vampire": Effect(
        sentence=localize("coup_de_grace.effect_vampire"),
        on_hit=_feed_vampire,
    ),
    "zombie": Effect(
        sentence=localize("coup_de_grace.effect_zombie"),
        on_hit=_feed_zombie,
    ),
}
