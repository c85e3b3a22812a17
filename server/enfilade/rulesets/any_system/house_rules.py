"""House rules of Any system: which system names things, how diagonals count, and the GM's own numbers."""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRule, Setting


def _option(name: str, rule: str, default: Setting, *others: Setting) -> HouseRule:
    key = f"any_system.{name}"
    return HouseRule(key=key, default=default, options=(default, *others), rule=rule)


SYSTEM = _option("system", "ANY-001", "other", "dnd5e", "pf2e", "swade")
DIAGONALS = _option("diagonals", "ANY-004", "as the system", "5-5-5", "5-10-5", "10-5-10", "5-10-10", "none")
DASH = _option("dash", "ANY-006", True, False)
CREATURE_COVER = _option("creature_cover", "ANY-012", True, False)
FLANKING = _option("flanking", "ANY-015", "as the system", "yes", "no")
LARGE_HEXES = _option("large_hexes", "ANY-003", 3, 4)
MELEE_REACH = _option("melee_reach", "ANY-010", 0, 1, 2, 3, 5, 10)
TOLERANCE = _option("tolerance", "ANY-010", 0, 1, 2, 3, 5)

HOUSE_RULES = (
    SYSTEM,
    DIAGONALS,
    DASH,
    CREATURE_COVER,
    FLANKING,
    LARGE_HEXES,
    MELEE_REACH,
    TOLERANCE,
)
