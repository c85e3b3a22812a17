"""House rules of the fifth edition (section C of its page): one for each choice that is built."""

from __future__ import annotations

from msgspec.structs import replace

from enfilade.rules.house_rules import HouseRule, HouseRules, Setting, setting
from enfilade.scene.model import Scene

RULES = HouseRules("fifth_edition")


def _by_edition(name: str, rule: str, default: Setting, older: Setting) -> HouseRule:
    """Add an option whose second setting is that of the edition before."""
    plain = RULES.option(name, rule, default, older)
    RULES[-1] = replace(plain, led_by=(EDITION.key, "5.1", older))
    return RULES[-1]


PLAY = RULES.option("play", "SRD-042", "referee", "assistant")
EDITION = RULES.option("edition", "SRD-001", "5.2", "5.1")
DIAGONALS = RULES.option("diagonals", "SRD-003", "5-5-5", "5-10-5")
VERTICAL = RULES.option("vertical", "SRD-010", "greater", "sum")
INITIATIVE = RULES.option("initiative", "SRD-043", "roll", "score")
SHARED_ROLL = RULES.option("shared_roll", "SRD-048", False, True)
TIES = RULES.option("ties", "SRD-045", "characters", "dexterity", "roll")
SURPRISE = _by_edition("surprise", "SRD-046", "disadvantage", "lost turn")
SLOW_START = _by_edition("incapacitated_initiative", "SRD-047", True, False)
PASSING = _by_edition("pass", "SRD-033", "modern", "legacy")
END_PRONE = _by_edition("end_prone", "SRD-035", True, False)
JUMP = RULES.option("jump", "SRD-027", "squares", "gap")
OA = _by_edition("oa", "SRD-077", "anyone", "hostile")
ASK_OA = RULES.option("ask_oa", "SRD-077", "enemies", "everyone", "never")
COVER = RULES.option("cover", "SRD-100", "corners", "center", "named")
CREATURE_COVER = RULES.option("creature_cover", "SRD-102", True, False)
AREA = RULES.option("area", "SRD-168", "center", "half", "touch")
ORIGIN = RULES.option("origin", "SRD-169", "corner", "center", "any")
SQUEEZING = _by_edition("squeeze", "SRD-036", "difficult", "pressed")
EMANATION = RULES.option("emanation", "SRD-175", "ranges", "round")
FLANKING = RULES.option("flanking", "SRD-192", "off", "advantage", "+2")
FACING = RULES.option("facing", "SRD-193", False, True)
HEAVY = _by_edition("heavy", "SRD-116", "score", "small")
TWO_WEAPONS = _by_edition("two_weapons", "SRD-117", "light", "bonus")
MASTERY = _by_edition("mastery", "SRD-123", True, False)
GRAPPLE = _by_edition("grapple", "SRD-072", "save", "contest")
HIDING = _by_edition("hide", "SRD-063", "dc 15", "contest")
EXHAUSTION = _by_edition("exhaustion", "SRD-158", "minus two", "ladder")
STUNNED = _by_edition("stunned", "SRD-156", "may move", "speed 0")
SLOTS = _by_edition("slots", "SRD-067", "one a turn", "bonus cantrip")
SPELLS = _by_edition("spells", "SRD-180", "5.2", "5.1")
MOUNT_OA = _by_edition("mount_oa", "SRD-187", False, True)
UNDERWATER = _by_edition("underwater", "SRD-190", "piercing", "list")
MONSTERS_DIE = RULES.option("monsters_die", "SRD-139", True, False)
KNOCK_OUT = _by_edition("knock_out", "SRD-143", "one", "stable")
PASSIVE = RULES.option("passive", "SRD-065", True, False)
CONCENTRATION_CAP = _by_edition("concentration_cap", "SRD-164", 30, 0)

HOUSE_RULES = tuple(RULES)


def is_assistant(scene: Scene) -> bool:
    """Return whether the tabletop's system rolls and applies, and this game only shows (SRD-042)."""
    return setting(scene, PLAY) == "assistant"
