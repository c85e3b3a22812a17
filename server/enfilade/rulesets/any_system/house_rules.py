"""House rules of Any system: which system names things, how diagonals count, and the GM's own numbers."""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRules

RULES = HouseRules("any_system")

SYSTEM = RULES.option("system", "ANY-001", "other", "dnd5e", "pf2e", "swade")
DIAGONALS = RULES.option(
    "diagonals", "ANY-004", "as the system", "5-5-5", "5-10-5", "10-5-10", "5-10-10", "none"
)
DASH = RULES.option("dash", "ANY-006", True, False)
CREATURE_COVER = RULES.option("creature_cover", "ANY-012", True, False)
FLANKING = RULES.option("flanking", "ANY-015", "as the system", "yes", "no")
LARGE_HEXES = RULES.option("large_hexes", "ANY-003", 3, 4)
MELEE_REACH = RULES.option("melee_reach", "ANY-010", 0, 1, 2, 3, 5, 10)
TOLERANCE = RULES.option("tolerance", "ANY-010", 0, 1, 2, 3, 5)

HOUSE_RULES = tuple(RULES)
