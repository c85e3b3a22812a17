"""House rules of the fifth edition (section C of its page): one for each choice that is built."""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRule, Setting, setting
from enfilade.scene.model import Scene


def _option(name: str, rule: str, default: Setting, *others: Setting) -> HouseRule:
    key = f"fifth_edition.{name}"
    return HouseRule(key=key, default=default, options=(default, *others), rule=rule)


PLAY = _option("play", "SRD-042", "referee", "assistant")
DIAGONALS = _option("diagonals", "SRD-003", "5-5-5", "5-10-5")
CREATURE_COVER = _option("creature_cover", "SRD-102", True, False)
FLANKING = _option("flanking", "SRD-192", "off", "advantage", "+2")
MONSTERS_DIE = _option("monsters_die", "SRD-139", True, False)
CONCENTRATION_CAP = _option("concentration_cap", "SRD-164", 30, 0)

HOUSE_RULES = (PLAY, DIAGONALS, CREATURE_COVER, FLANKING, MONSTERS_DIE, CONCENTRATION_CAP)


def is_assistant(scene: Scene) -> bool:
    """Return whether the tabletop's system rolls and applies, and this game only shows (SRD-042)."""
    return setting(scene, PLAY) == "assistant"
