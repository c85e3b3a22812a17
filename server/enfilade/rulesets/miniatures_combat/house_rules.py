"""House rules of Miniatures combat: one for each open question of the text that play can settle.

The missing pictures of the text (stature, lunge, push, movement) are among them; their defaults are the
values that its examples show, and house values where they show none.
"""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRules

RULES = HouseRules("miniatures_combat")


MONSTER_DEFENSE = RULES.option("monster_defense", "MNC-065", 2, 1, 3)
SHORT_MODIFIER = RULES.option("short_modifier", "MNC-113", -2, -1, -3)
WOUND_MODIFIER = RULES.option("wound_modifier", "MNC-113", -1, -2, 0)
LOAD_MODIFIER = RULES.option("load_modifier", "MNC-113", -1, -2, 0)
DIFFICULT_MODIFIER = RULES.option("difficult_modifier", "MNC-113", -1, -2, 0)
LUNGE_MODIFIER = RULES.option("lunge_modifier", "MNC-095", 0, -1, 1)
PUSH_MODIFIERS = RULES.option("push_modifiers", "MNC-096", False, True)
MELEE_SUCCESS = RULES.option("melee_success", "MNC-087", 5, 6)
NEGATION = RULES.option("negation", "MNC-026", "each item", "one item")
ARCHER_CAP = RULES.option("archer_cap", "MNC-077", "5 at one model", "3 at one model")
MOVE_AFTER = RULES.option("move_after", "MNC-107", "all defenses succeeded", "not hit")
FREE_DIE = RULES.option("free_die", "MNC-019", "level 1", "minions only")
POINTS_FOR_HITS = RULES.option("points_for_hits", "MNC-089", "each hit", "each model and activation")
CHARGE_EXEMPTION = RULES.option("charge_exemption", "MNC-110", "direct and no attack", "no attack")
ENGAGEMENT = RULES.option("engagement", "MNC-009", "1 inch", "reach of either")
COHERENCY = RULES.option("coherency", "MNC-007", "pairwise", "chain")
MISSILE_HALF = RULES.option("missile_half", "MNC-080", "rounded up", "rounded down")
WOUNDED_ATTACKS = RULES.option("wounded_attacks", "MNC-066", False, True)
BUCKLER_FALL_BACK = RULES.option("buckler_fall_back", "MNC-070", False, True)
BASES_BLOCK_ARROWS = RULES.option("bases_block_arrows", "MNC-076", False, True)
CHARGED_ARCHER = RULES.option("charged_archer", "MNC-076", "does not fire", "fires")
MORE_ARROWS = RULES.option("more_arrows", "MNC-039", False, True)
STUMBLES = RULES.option("stumbles", "MNC-037", "any enemy", "an enemy of the current attack")
VOLLEY_ARCHERS = RULES.option("volley_archers", "MNC-042", "unengaged", "all")
MOUNTED_MINION_DICE = RULES.option("mounted_minion_dice", "MNC-016", 2, 3, 1)
FALL_BACK_BONUS = RULES.option("fall_back_bonus", "MNC-070", "none", "height and cover")
MOVEMENT_ENDS = RULES.option("movement_ends", "MNC-076", "with the first fight", "for each model by itself")
FLIGHT_TURN = RULES.option("flight_turn", "MNC-053", 45, 90, 0)
FLEEING_MINIONS = RULES.option("fleeing_minions", "MNC-061", "stay", "removed", "their side loses")

HOUSE_RULES = tuple(RULES)
