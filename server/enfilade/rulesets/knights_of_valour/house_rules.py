"""House rules of Knights of Valour: one for each open question of the text (C-1 to C-29)."""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRules

RULES = HouseRules("knights_of_valour")


MAP = RULES.option("map", "KOV-002", True, False)
FIVE_MEANS = RULES.option("five_means", "KOV-014", "feet", "inches")
RANGED_PROFICIENCY = RULES.option("ranged_proficiency", "KOV-059", True, False)
RANGED_SIZE = RULES.option("ranged_size", "KOV-059", True, False)
DISADVANTAGE = RULES.option("disadvantage", "KOV-017", "lower of two dice", "-5")
BEYOND_CLOSE = RULES.option("beyond_close", "KOV-066", "disadvantage", "no effect")
SHOT_BESIDE_ENEMY = RULES.option("shot_beside_enemy", "KOV-057", "no effect", "disadvantage")
MOVEMENT = RULES.option("movement", "KOV-034", 30, 20, 25, 35, 40)
HEIGHTS = RULES.option("heights", "KOV-039", "4, 6, 8", "3, 5, 7")
STATURE = RULES.option("stature", "KOV-039", "same as size", "own attribute")
DESCENT = RULES.option("descent", "KOV-044", "whole distance", "distance beyond own height")
HANGING = RULES.option("hanging", "KOV-042", "only climbs", "acts as on the ground")
DIAGONALS = RULES.option("diagonals", "KOV-001", "5 feet", "5 and 10 feet by turns", "none")
DIFFICULT_DIAGONALS = RULES.option("difficult_diagonals", "KOV-035", "double the step", "15 feet")
FREE_ATTACK_WEAPON = RULES.option("free_attack_weapon", "KOV-037", "melee", "any")
ROUND_A_WALL = RULES.option("round_a_wall", "KOV-036", "provokes", "no effect")
FREE_ATTACKS = RULES.option("free_attacks", "KOV-037", "one for each move", "one in a round")
DRAWING = RULES.option("drawing", "KOV-033", "free", "part of a Move Action")
SPLIT_MOVES = RULES.option("split_moves", "KOV-031", False, True)
WEAPON_DAMAGE = RULES.option("weapon_damage", "KOV-019", "dice of the weapon", "D6 for each weapon")
MINIMUM_DAMAGE = RULES.option("minimum_damage", "KOV-056", 0, 1)
DEFEAT = RULES.option("defeat", "KOV-056", "at 0 points", "below 0 points")
NATURAL_ROLLS = RULES.option("natural_rolls", "KOV-055", "no effect", "1 misses and 20 hits")
MAXIMUM_WEIGHT = RULES.option("maximum_weight", "KOV-013", 50, 75, 100)
SHOVE_AND_GRAPPLE = RULES.option("shove_and_grapple", "KOV-063", "log only", "opposed roll")
LOWERED_TIES = RULES.option("lowered_ties", "KOV-029", "player first", "monster first")
MONSTER_TIES = RULES.option("monster_ties", "KOV-027", "order of entry", "the Judge decides")
HOSTILE_TIES = RULES.option("hostile_ties", "KOV-030", "a die decides", "first in order of entry")
SIGHT_LINE = RULES.option("sight_line", "KOV-058", "center to center", "corner to corner")
CREATURES_BLOCK = RULES.option("creatures_block", "KOV-058", False, True)
FACING = RULES.option("facing", "KOV-047", "none", "shields face one way")
DEFENDING_WEAPON = RULES.option("defending_weapon", "KOV-054", "better", "main hand")
ARMOR_AND_SHIELD = RULES.option("armor_and_shield", "KOV-054", "add", "better counts")
PASS_ALLIES = RULES.option("pass_allies", "KOV-038", True, False)

HOUSE_RULES = tuple(RULES)
