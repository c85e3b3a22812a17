"""The four dice of Torn and the pools they are rolled in (TRN-003, TRN-013, TRN-017).

The rulebook shows faces as pictures that no stored copy has, so how often each is on a die is a house
value that a table sets (`rulings`): S a success, C a critical success, - a blank.
"""

from __future__ import annotations

from typing import NamedTuple

from enfilade.rules.dice import Die
from enfilade.rules.house_rules import HouseRule, setting
from enfilade.rulesets.torn import house_rules
from enfilade.scene.model import Scene

SUCCESS, CRITICAL, BLANK = "S", "C", "-"
SIDES = 6


class Dice(NamedTuple):
    """The dice a table plays with."""

    attack: Die
    defence: Die
    skill: Die
    agility: Die


class Pool(NamedTuple):
    """The dice on an Action Tile."""

    attack: int
    skill: int = 0
    agility: int = 0


class Shield(NamedTuple):
    """The dice in the shield icon of a card."""

    defence: int
    agility: int = 0


def dice_of(scene: Scene) -> Dice:
    """The dice with the faces this table has set."""
    return Dice(
        _die(scene, "Attack", house_rules.ATTACK_DIE),
        _die(scene, "Defence", house_rules.DEFENCE_DIE),
        _die(scene, "Skill", house_rules.SKILL_DIE),
        _die(scene, "Agility", house_rules.AGILITY_DIE),
    )


def _die(scene: Scene, name: str, house_rule: HouseRule) -> Die:
    return Die(name, tuple(str(setting(scene, house_rule))))
