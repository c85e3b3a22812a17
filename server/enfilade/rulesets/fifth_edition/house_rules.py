"""House rules of the fifth edition (section C of its page): one for each choice that is built."""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRule, Setting, setting
from enfilade.scene.model import Scene


def _option(name: str, rule: str, default: Setting, *others: Setting) -> HouseRule:
    key = f"fifth_edition.{name}"
    return HouseRule(key=key, default=default, options=(default, *others), rule=rule)


PLAY = _option("play", "SRD-042", "referee", "assistant")
DIAGONALS = _option("diagonals", "SRD-003", "5-5-5", "5-10-5")
INITIATIVE = _option("initiative", "SRD-043", "roll", "score")
SHARED_ROLL = _option("shared_roll", "SRD-048", False, True)
SURPRISE = _option("surprise", "SRD-046", "disadvantage", "lost turn")
END_PRONE = _option("end_prone", "SRD-035", True, False)
CREATURE_COVER = _option("creature_cover", "SRD-102", True, False)
FLANKING = _option("flanking", "SRD-192", "off", "advantage", "+2")
FACING = _option("facing", "SRD-193", False, True)
HEAVY = _option("heavy", "SRD-116", "score", "small")
TWO_WEAPONS = _option("two_weapons", "SRD-117", "light", "bonus")
MASTERY = _option("mastery", "SRD-123", True, False)
MONSTERS_DIE = _option("monsters_die", "SRD-139", True, False)
KNOCK_OUT = _option("knock_out", "SRD-143", "one", "stable")
PASSIVE = _option("passive", "SRD-065", True, False)
CONCENTRATION_CAP = _option("concentration_cap", "SRD-164", 30, 0)

HOUSE_RULES = (
    *(PLAY, DIAGONALS, INITIATIVE, SHARED_ROLL, SURPRISE, END_PRONE, CREATURE_COVER, FLANKING, FACING, HEAVY),
    *(TWO_WEAPONS, MASTERY, MONSTERS_DIE, KNOCK_OUT, CONCENTRATION_CAP, PASSIVE),
)


def is_assistant(scene: Scene) -> bool:
    """Return whether the tabletop's system rolls and applies, and this game only shows (SRD-042)."""
    return setting(scene, PLAY) == "assistant"
