"""What each race does (the Races page). Its own numbers and rolls alone, never those of others."""

from __future__ import annotations

from enfilade.rules.changes import set_track
from enfilade.rules.procedures import Steps
from enfilade.rulesets.coup_de_grace.attack_setup import Strike
from enfilade.rulesets.coup_de_grace.catalogue import Race
from enfilade.rulesets.coup_de_grace.damage import add_to_track
from enfilade.rulesets.coup_de_grace.effects.base import Effect, Hit

RECOVERY = 5
"""What a downed miniature's D6 must show to stand up (CDG-075)."""

SKELETON_RECOVERY = 4


def recovery_needs(race: Race) -> int:
    """What the die of a dramatic recovery must show for a race (CDG-075)."""
    return SKELETON_RECOVERY if race == "skeleton" else RECOVERY


def _kobold(strike: Strike, face: int) -> int:
    return int(strike.is_backstab and face % 2 == 0)


def _feed_zombie(hit: Hit) -> Steps:
    """A melee coup-de-grace gives a zombie a hit point, up to those it started with."""
    zombie, strike = hit.strike.attacker, hit.strike
    if strike.is_melee and strike.is_coup_de_grace and not zombie.is_unhurt and not zombie.is_downed:
        return (yield set_track(hit.scene, zombie.id, "hp", zombie.hit_points + 1))
    return hit.scene


def _feed_vampire(hit: Hit) -> Steps:
    """A melee coup-de-grace gives a vampire a point of movement allowance for the rest of the battle."""
    if hit.strike.is_melee and hit.strike.is_coup_de_grace:
        return (yield add_to_track(hit.scene, hit.strike.attacker.id, "gained", 1))
    return hit.scene


RACES: dict[Race, Effect] = {
    "beastman": Effect(
        sentence="+1 to attack rolls with 1 hit point left",
        attack_spec=lambda strike: int(strike.attacker.hit_points == 1),
    ),
    "drow": Effect(
        sentence="+1 to attack rolls with all hit points",
        attack_spec=lambda strike: int(strike.attacker.is_unhurt),
    ),
    "dwarf": Effect(sentence="+1 hit point"),
    "elf": Effect(sentence="+1 movement"),
    "gnoll": Effect(
        sentence="+1 to attack rolls against a target with 1 hit point",
        attack_spec=lambda strike: int(strike.target.hit_points == 1),
    ),
    "gnome": Effect(
        sentence="may brace itself once a round: 1 movement point, no attacks, +1 defence until it ends",
        guard=lambda strike: int(strike.target.token.has("braced")),
    ),
    "goblin": Effect(
        sentence="+1 to attack rolls against the downed",
        attack_spec=lambda strike: int(strike.target.is_downed),
    ),
    "halfling": Effect(sentence="may move through others, to end in an empty square"),
    "human": Effect(sentence="may re-roll an attack die that shows 1, once a round", reroll=1),
    "kobold": Effect(sentence="+1 damage when a backstab hits with an even die", damage=_kobold),
    "living construct": Effect(
        sentence="+1 defence with all hit points",
        guard=lambda strike: int(strike.target.is_unhurt),
    ),
    "lizardman": Effect(
        sentence="+1 defence when downed",
        guard=lambda strike: int(strike.target.is_downed),
    ),
    "orc": Effect(
        sentence="+1 damage when the attack die shows 6",
        damage=lambda _, face: int(face == 6),
    ),
    "skeleton": Effect(sentence="recovers on 4 or more"),
    "vampire": Effect(
        sentence="+1 movement for the rest of the battle for each melee coup-de-grace",
        on_hit=_feed_vampire,
    ),
    "zombie": Effect(
        sentence="regains 1 hit point for each melee coup-de-grace",
        on_hit=_feed_zombie,
    ),
}
