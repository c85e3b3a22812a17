"""House rules of Torn: dice faces printed as pictures, missing chapters, and open questions of the text."""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRules

RULES = HouseRules("torn")

_ATTACK_FACES = ("SS----", "SSC---", "SSCC--", "SSS---", "SSSC--", "SSSCC-", "SSSS--", "SSSSC-")
_DEFENSE_FACES = ("S-----", "SC----", "SCC---", "SS----", "SSC---", "SSCC--", "SSS---", "SSSC--", "SSSCC-")
_SUCCESS_FACES = ("S-----", "SS----", "SSS---", "SSSS--", "SSSSS-")
"""The faces of Skill and Agility dice, which have no critical. Each die has a blank."""

ATTACK_DIE = RULES.option("attack_die", "TRN-013", *_ATTACK_FACES, default="SSSC--")
DEFENSE_DIE = RULES.option("defense_die", "TRN-017", *_DEFENSE_FACES, default="SSC---")
SKILL_DIE = RULES.option("skill_die", "TRN-026", *_SUCCESS_FACES, default="SSS---")
AGILITY_DIE = RULES.option("agility_die", "TRN-014", *_SUCCESS_FACES, default="SSS---")
DICE = (ATTACK_DIE, DEFENSE_DIE, SKILL_DIE, AGILITY_DIE)
"""The faces of the dice."""
CHIRALITY = RULES.option("hexon_chirality", "TRN-008", "left", "right")
ORIGIN = RULES.option("hexon_origin", "TRN-008", *range(7))
HUGE_GIVE_COVER = RULES.option("huge_give_cover", "TRN-056", True, False)
ADVANTAGE = RULES.option("advantage", "TRN-057", "ranged", "all")
LOW_VISIBILITY_CRITICALS = RULES.option("low_visibility_criticals", "TRN-043", True, False)
ASSAULT_BESIDE_ENEMY = RULES.option("assault_beside_enemy", "TRN-038", True, False)
COUNTER_USES_ACTIVATION = RULES.option("counter_uses_activation", "TRN-092", True, False)
PROTECTION_DICE = RULES.option("protection_dice", "TRN-087", 1, 0, 2, 3)
CONDITION_WOUNDS = RULES.option("condition_wounds", "TRN-089", 1, 0, 2)
SLOWED_BY = RULES.option("slowed_by", "TRN-089", 1, 0, 2)
ACTIONS = RULES.option("actions", "TRN-066", 2, 1, 3, 4)
INITIATIVE = RULES.option("initiative", "TRN-092", "roll-off", "in order")
EJECTION = RULES.option("ejection", "TRN-035", True, False)
LEADER_TRANSFORMS = RULES.option("leader_transforms", "TRN-102", "leads on", "by its new card")
HARMLESS_REACTIONS = RULES.option("harmless_reactions", "TRN-093", False, True)
MARKER_TYPES = RULES.option("marker_types", "TRN-091", "paired", "of the attack")
REACTIONS = RULES.option("reactions", "TRN-094", "one after the other", "all at once")
AREA_ALLIES = RULES.option("area_allies", "TRN-011", True, False)
STUNNED_COUNTER = RULES.option("stunned_counter", "TRN-092", True, False)

HOUSE_RULES = tuple(RULES)
