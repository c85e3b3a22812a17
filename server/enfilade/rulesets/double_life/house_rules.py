"""House rules of Double Life: one for each open question of the text (C-1 to C-28)."""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRules

RULES = HouseRules("double_life")


RACE_DICE = RULES.option("race_dice", "DBL-025", True, False)
DIFFICULTY = RULES.option("difficulty", "DBL-010", "harder tests are harder", "as written")
POISE = RULES.option("poise", "DBL-005", True, False)
POISE_AFTER_FALL = RULES.option("poise_after_fall", "DBL-010", "half", "one", "all")
FOCUS_TEST = RULES.option("focus_test", "DBL-037", "sum", "mean")
WEAPON_LADDER = RULES.option("weapon_ladder", "DBL-031", False, True)
MAX_DEFENDED = RULES.option("max_defended", "DBL-048", "all", "one")
GUARD_REACH = RULES.option("guard_reach", "DBL-049", "beside the ally", "reaches the opponent")
GUARDED_SIDES = RULES.option("guarded_sides", "DBL-049", "all", "not the back")
SHARED_CASE = RULES.option("shared_case", "DBL-053", "front", "no side")
SURROUNDED = RULES.option("surrounded", "DBL-018", "front and back or opposite", "no free case")
SURROUNDED_STEPS = RULES.option("surrounded_steps", "DBL-018", "none", "at the risk of a counter-attack")
GNOME_CONTACT = RULES.option("gnome_contact", "DBL-054", "beside it", "on its case")
REPOSITION = RULES.option("reposition", "DBL-017", 1, 2)
MOVEMENT = RULES.option("movement", "DBL-023", 2, 1, 3, 4)
DISENGAGE = RULES.option("disengage", "DBL-019", "only by flight", "also by a step")
COUNTER_ATTACKS = RULES.option("counter_attacks", "DBL-016", "automatic", "ask")
ENERGY_LOSS = RULES.option("energy_loss", "DBL-046", 1, 0, 2, 3)
CASE_METERS = RULES.option("case_meters", "DBL-052", 1, 2)

HOUSE_RULES = tuple(RULES)
