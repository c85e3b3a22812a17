"""House rules of Knights of Valour: one for each open question of the text (C-1 to C-29)."""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRule, Setting


def _option(name: str, rule: str, default: Setting, *others: Setting) -> HouseRule:
    key = f"knights_of_valour.{name}"
    return HouseRule(key=key, default=default, options=(default, *others), rule=rule)


MAP = _option("map", "KOV-002", True, False)
FIVE_MEANS = _option("five_means", "KOV-014", "feet", "inches")
RANGED_PROFICIENCY = _option("ranged_proficiency", "KOV-059", True, False)
RANGED_SIZE = _option("ranged_size", "KOV-059", True, False)
DISADVANTAGE = _option("disadvantage", "KOV-017", "lower of two dice", "-5")
BEYOND_CLOSE = _option("beyond_close", "KOV-066", "disadvantage", "no effect")
SHOT_BESIDE_ENEMY = _option("shot_beside_enemy", "KOV-057", "no effect", "disadvantage")
MOVEMENT = _option("movement", "KOV-034", 30, 20, 25, 35, 40)
HEIGHTS = _option("heights", "KOV-039", "4, 6, 8", "3, 5, 7")
STATURE = _option("stature", "KOV-039", "same as size", "own attribute")
DESCENT = _option("descent", "KOV-044", "whole distance", "distance beyond own height")
HANGING = _option("hanging", "KOV-042", "only climbs", "acts as on the ground")
DIAGONALS = _option("diagonals", "KOV-001", "5 feet", "5 and 10 feet by turns", "none")
DIFFICULT_DIAGONALS = _option("difficult_diagonals", "KOV-035", "double the step", "15 feet")
FREE_ATTACK_WEAPON = _option("free_attack_weapon", "KOV-037", "melee", "any")
ROUND_A_WALL = _option("round_a_wall", "KOV-036", "provokes", "no effect")
FREE_ATTACKS = _option("free_attacks", "KOV-037", "one for each move", "one in a round")
DRAWING = _option("drawing", "KOV-033", "free", "part of a Move Action")
SPLIT_MOVES = _option("split_moves", "KOV-031", False, True)
WEAPON_DAMAGE = _option("weapon_damage", "KOV-019", "dice of the weapon", "D6 for each weapon")
MINIMUM_DAMAGE = _option("minimum_damage", "KOV-056", 0, 1)
DEFEAT = _option("defeat", "KOV-056", "at 0 points", "below 0 points")
NATURAL_ROLLS = _option("natural_rolls", "KOV-055", "no effect", "1 misses and 20 hits")
MAXIMUM_WEIGHT = _option("maximum_weight", "KOV-013", 50, 75, 100)
SHOVE_AND_GRAPPLE = _option("shove_and_grapple", "KOV-063", "log only", "opposed roll")
LOWERED_TIES = _option("lowered_ties", "KOV-029", "player first", "monster first")
MONSTER_TIES = _option("monster_ties", "KOV-027", "order of entry", "the Judge decides")
HOSTILE_TIES = _option("hostile_ties", "KOV-030", "a die decides", "first in order of entry")
SIGHT_LINE = _option("sight_line", "KOV-058", "center to center", "corner to corner")
CREATURES_BLOCK = _option("creatures_block", "KOV-058", False, True)
FACING = _option("facing", "KOV-047", "none", "shields face one way")
DEFENDING_WEAPON = _option("defending_weapon", "KOV-054", "better", "main hand")
ARMOR_AND_SHIELD = _option("armor_and_shield", "KOV-054", "add", "better counts")
PASS_ALLIES = _option("pass_allies", "KOV-038", True, False)

HOUSE_RULES = (
    MAP,
    FIVE_MEANS,
    RANGED_PROFICIENCY,
    RANGED_SIZE,
    DISADVANTAGE,
    BEYOND_CLOSE,
    SHOT_BESIDE_ENEMY,
    MOVEMENT,
    HEIGHTS,
    STATURE,
    DESCENT,
    HANGING,
    DIAGONALS,
    DIFFICULT_DIAGONALS,
    FREE_ATTACK_WEAPON,
    ROUND_A_WALL,
    FREE_ATTACKS,
    DRAWING,
    SPLIT_MOVES,
    WEAPON_DAMAGE,
    MINIMUM_DAMAGE,
    DEFEAT,
    NATURAL_ROLLS,
    MAXIMUM_WEIGHT,
    SHOVE_AND_GRAPPLE,
    LOWERED_TIES,
    MONSTER_TIES,
    HOSTILE_TIES,
    SIGHT_LINE,
    CREATURES_BLOCK,
    FACING,
    DEFENDING_WEAPON,
    ARMOR_AND_SHIELD,
    PASS_ALLIES,
)
