"""The card of a model: its level, gear, dice and state (MNC-002 to MNC-004, MNC-119)."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.i18n import localize
from enfilade.rules.ruleset import CardLine
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.combat.defense import FALL_BACK_DIFFICULTY, bonus_dice
from enfilade.rulesets.miniatures_combat.movement_dice import die_modifier
from enfilade.rulesets.miniatures_combat.profiles import (
    CONDITIONS,
    INCH,
    Fighter,
    defense_difficulty,
    free_movement_dice,
    read_fighter,
)
from enfilade.rulesets.miniatures_combat.turn import is_group_active, owed_defenses
from enfilade.scene.model import Scene, Token

SHOWN = ("prone", "dismounted", "endangered", "captured", "incapacitated", "fled", "named", "out")
"""The conditions that the card names."""


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """Return the lines of a card."""
    fighter = read_fighter(token)
    needed = defense_difficulty(scene, fighter)
    lines = [
        CardLine(
            localize("miniatures_combat.card_level"),
            str(fighter.level),
            localize("miniatures_combat.card_minion") if fighter.profile.minion else "",
        ),
        CardLine(
            localize("miniatures_combat.card_hits"),
            localize("miniatures_combat.card_hits_of", hits=token.track("hits"), level=fighter.level),
            localize("miniatures_combat.card_wounds", count=fighter.wounds) if fighter.wounds else "",
        ),
        CardLine(
            localize("miniatures_combat.card_defense"),
            f"{needed}+",
            localize("miniatures_combat.card_fall_back", needed=needed + FALL_BACK_DIFFICULTY),
        ),
        CardLine(localize("miniatures_combat.card_weapon"), _weapon(fighter), _gear(fighter)),
        *_dice(scene, fighter),
        CardLine(
            localize("miniatures_combat.card_story"),
            str(scene.side(token.side).track("story")),
        ),
        *(CardLine(CONDITIONS[name], token.conditions[name]) for name in SHOWN if token.has(name)),
    ]
    return tuple(lines)


def _weapon(fighter: Fighter) -> str:
    reach = localize("miniatures_combat.card_reach", inches=fighter.reach // INCH)
    return f"{fighter.profile.weapon}, {reach}"


def _gear(fighter: Fighter) -> str:
    own = fighter.profile
    named = {
        localize("miniatures_combat.gear_two_handed"): own.two_handed,
        localize("miniatures_combat.gear_missiles"): own.missiles,
        localize("miniatures_combat.gear_shield"): own.shield == "shield",
        localize("miniatures_combat.gear_buckler"): own.shield == "buckler",
        localize("miniatures_combat.gear_armor"): own.heavy_armor,
        localize("miniatures_combat.gear_mounted"): fighter.is_mounted,
        localize("miniatures_combat.gear_protected"): own.story_protected,
    }
    return ", ".join(name for name, has in named.items() if has)


def _dice(scene: Scene, fighter: Fighter) -> Iterator[CardLine]:
    if fighter.id not in battlefield(scene).fighters:
        return
    if is_group_active(scene) and fighter.token.has("active"):
        owed = owed_defenses(scene, fighter)
        names = ", ".join(one.name for one in owed)
        yield CardLine(
            localize("miniatures_combat.card_dice_left"),
            localize(
                "miniatures_combat.card_pool",
                dice=fighter.token.track("dice"),
                bonus=bonus_dice(scene, fighter),
                free=fighter.token.track("movement dice"),
            ),
            localize("miniatures_combat.card_owed", names=names) if owed else "",
        )
    modifier = die_modifier(scene, fighter)
    yield CardLine(
        localize("miniatures_combat.card_movement"),
        localize("miniatures_combat.card_free_dice", count=free_movement_dice(scene, fighter)),
        localize("miniatures_combat.card_modifier", modifier=f"{modifier:+d}"),
    )
