"""House rules of Miniatures combat: one for each open question of the text that play can settle.

The missing pictures of the text (stature, lunge, push, movement) are among them; their defaults are the
values that its examples show, and house values where they show none.
"""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRule, Setting


def _option(name: str, rule: str, default: Setting, *others: Setting) -> HouseRule:
    key = f"miniatures_combat.{name}"
    return HouseRule(key=key, default=default, options=(default, *others), rule=rule)


MONSTER_DEFENSE = _option("monster_defense", "MNC-065", 2, 1, 3)
SHORT_MODIFIER = _option("short_modifier", "MNC-113", -2, -1, -3)
WOUND_MODIFIER = _option("wound_modifier", "MNC-113", -1, -2, 0)
LOAD_MODIFIER = _option("load_modifier", "MNC-113", -1, -2, 0)
DIFFICULT_MODIFIER = _option("difficult_modifier", "MNC-113", -1, -2, 0)
LUNGE_MODIFIER = _option("lunge_modifier", "MNC-095", 0, -1, 1)
PUSH_MODIFIERS = _option("push_modifiers", "MNC-096", False, True)
MELEE_SUCCESS = _option("melee_success", "MNC-087", 5, 6)
NEGATION = _option("negation", "MNC-026", "each item", "one item")
ARCHER_CAP = _option("archer_cap", "MNC-077", "5 at one model", "3 at one model")
MOVE_AFTER = _option("move_after", "MNC-107", "all defenses succeeded", "not hit")
FREE_DIE = _option("free_die", "MNC-019", "level 1", "minions only")
POINTS_FOR_HITS = _option("points_for_hits", "MNC-089", "each hit", "each model and activation")
CHARGE_EXEMPTION = _option("charge_exemption", "MNC-110", "direct and no attack", "no attack")
ENGAGEMENT = _option("engagement", "MNC-009", "1 inch", "reach of either")
COHERENCY = _option("coherency", "MNC-007", "pairwise", "chain")
MISSILE_HALF = _option("missile_half", "MNC-080", "rounded up", "rounded down")
WOUNDED_ATTACKS = _option("wounded_attacks", "MNC-066", False, True)
BUCKLER_FALL_BACK = _option("buckler_fall_back", "MNC-070", False, True)
BASES_BLOCK_ARROWS = _option("bases_block_arrows", "MNC-076", False, True)
CHARGED_ARCHER = _option("charged_archer", "MNC-076", "does not fire", "fires")
MORE_ARROWS = _option("more_arrows", "MNC-039", False, True)
STUMBLES = _option("stumbles", "MNC-037", "any enemy", "an enemy of the current attack")
VOLLEY_ARCHERS = _option("volley_archers", "MNC-042", "unengaged", "all")
MOUNTED_MINION_DICE = _option("mounted_minion_dice", "MNC-016", 2, 3, 1)
FALL_BACK_BONUS = _option("fall_back_bonus", "MNC-070", "none", "height and cover")
MOVEMENT_ENDS = _option("movement_ends", "MNC-076", "with the first fight", "for each model by itself")
FLIGHT_TURN = _option("flight_turn", "MNC-053", 45, 90, 0)
FLEEING_MINIONS = _option("fleeing_minions", "MNC-061", "stay", "removed", "their side loses")

HOUSE_RULES = (
    MONSTER_DEFENSE,
    SHORT_MODIFIER,
    WOUND_MODIFIER,
    LOAD_MODIFIER,
    DIFFICULT_MODIFIER,
    LUNGE_MODIFIER,
    PUSH_MODIFIERS,
    MELEE_SUCCESS,
    NEGATION,
    ARCHER_CAP,
    MOVE_AFTER,
    FREE_DIE,
    POINTS_FOR_HITS,
    CHARGE_EXEMPTION,
    ENGAGEMENT,
    COHERENCY,
    MISSILE_HALF,
    WOUNDED_ATTACKS,
    BUCKLER_FALL_BACK,
    BASES_BLOCK_ARROWS,
    CHARGED_ARCHER,
    MORE_ARROWS,
    STUMBLES,
    VOLLEY_ARCHERS,
    MOUNTED_MINION_DICE,
    FALL_BACK_BONUS,
    MOVEMENT_ENDS,
    FLIGHT_TURN,
    FLEEING_MINIONS,
)
