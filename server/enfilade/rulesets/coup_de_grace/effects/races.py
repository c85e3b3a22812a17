"""The effects of races (the page Races). A race changes its own numbers and rolls only."""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.procedures import Steps
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.catalog import Race
from enfilade.rulesets.coup_de_grace.combat.attack_setup import Strike
from enfilade.rulesets.coup_de_grace.combat.damage import add_to_track, heal
from enfilade.rulesets.coup_de_grace.effects.base import Effect, Hit

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
