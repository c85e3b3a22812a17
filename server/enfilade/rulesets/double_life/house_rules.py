"""House rules of Double Life: one for each open question of the text (C-1 to C-28)."""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRule, Setting


def _option(name: str, rule: str, default: Setting, *others: Setting) -> HouseRule:
    key = f"double_life.{name}"
    return HouseRule(key=key, default=default, options=(default, *others), rule=rule)


RACE_DICE = _option("race_dice", "DBL-025", True, False)
DIFFICULTY = _option("difficulty", "DBL-010", "harder tests are harder", "as written")
POISE = _option("poise", "DBL-005", True, False)
POISE_AFTER_FALL = _option("poise_after_fall", "DBL-010", "half", "one", "all")
FOCUS_TEST = _option("focus_test", "DBL-037", "sum", "mean")
WEAPON_LADDER = _option("weapon_ladder", "DBL-031", False, True)
MAX_DEFENDED = _option("max_defended", "DBL-048", "all", "one")
GUARD_REACH = _option("guard_reach", "DBL-049", "beside the ally", "reaches the opponent")
GUARDED_SIDES = _option("guarded_sides", "DBL-049", "all", "not the back")
SHARED_CASE = _option("shared_case", "DBL-053", "front", "no side")
SURROUNDED = _option("surrounded", "DBL-018", "front and back or opposite", "no free case")
SURROUNDED_STEPS = _option("surrounded_steps", "DBL-018", "none", "at the risk of a counter-attack")
GNOME_CONTACT = _option("gnome_contact", "DBL-054", "beside it", "on its case")
REPOSITION = _option("reposition", "DBL-017", 1, 2)
MOVEMENT = _option("movement", "DBL-023", 2, 1, 3, 4)
DISENGAGE = _option("disengage", "DBL-019", "only by flight", "also by a step")
COUNTER_ATTACKS = _option("counter_attacks", "DBL-016", "automatic", "ask")
ENERGY_LOSS = _option("energy_loss", "DBL-046", 1, 0, 2, 3)
CASE_METERS = _option("case_meters", "DBL-052", 1, 2)

HOUSE_RULES = (
    RACE_DICE,
    DIFFICULTY,
    POISE,
    POISE_AFTER_FALL,
    FOCUS_TEST,
    WEAPON_LADDER,
    MAX_DEFENDED,
    GUARD_REACH,
    GUARDED_SIDES,
    SHARED_CASE,
    SURROUNDED,
    SURROUNDED_STEPS,
    GNOME_CONTACT,
    REPOSITION,
    MOVEMENT,
    DISENGAGE,
    COUNTER_ATTACKS,
    ENERGY_LOSS,
    CASE_METERS,
)
