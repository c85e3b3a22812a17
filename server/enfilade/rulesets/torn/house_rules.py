"""House rules of Torn: dice faces printed as pictures, missing chapters, and open questions of the text."""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRule

SIDES = 6


def _faces(successes: range, criticals: range) -> tuple[str, ...]:
    """Return each way to divide six faces into successes, criticals and at least one blank."""
    return tuple(
        "S" * s + "C" * c + "-" * (SIDES - s - c) for s in successes for c in criticals if s + c < SIDES
    )


ATTACK_DIE = HouseRule(
    key="torn.attack_die", default="SSSC--", options=_faces(range(2, 5), range(3)), rule="TRN-013"
)
DEFENSE_DIE = HouseRule(
    key="torn.defense_die", default="SSC---", options=_faces(range(1, 4), range(3)), rule="TRN-017"
)
SKILL_DIE = HouseRule(
    key="torn.skill_die", default="SSS---", options=_faces(range(1, 6), range(1)), rule="TRN-026"
)
AGILITY_DIE = HouseRule(
    key="torn.agility_die", default="SSS---", options=_faces(range(1, 6), range(1)), rule="TRN-014"
)
DICE = (ATTACK_DIE, DEFENSE_DIE, SKILL_DIE, AGILITY_DIE)
"""The faces of the dice."""
CHIRALITY = HouseRule(key="torn.hexon_chirality", default="left", options=("left", "right"), rule="TRN-008")
ORIGIN = HouseRule(key="torn.hexon_origin", default=0, options=tuple(range(7)), rule="TRN-008")
HUGE_GIVE_COVER = HouseRule(key="torn.huge_give_cover", default=True, options=(True, False), rule="TRN-056")
ADVANTAGE = HouseRule(key="torn.advantage", default="ranged", options=("ranged", "all"), rule="TRN-057")
LOW_VISIBILITY_CRITICALS = HouseRule(
    key="torn.low_visibility_criticals", default=True, options=(True, False), rule="TRN-043"
)
ASSAULT_BESIDE_ENEMY = HouseRule(
    key="torn.assault_beside_enemy", default=True, options=(True, False), rule="TRN-038"
)
COUNTER_USES_ACTIVATION = HouseRule(
    key="torn.counter_uses_activation", default=True, options=(True, False), rule="TRN-092"
)
PROTECTION_DICE = HouseRule(key="torn.protection_dice", default=1, options=(1, 0, 2, 3), rule="TRN-087")
CONDITION_WOUNDS = HouseRule(key="torn.condition_wounds", default=1, options=(1, 0, 2), rule="TRN-089")
SLOWED_BY = HouseRule(key="torn.slowed_by", default=1, options=(1, 0, 2), rule="TRN-089")
ACTIONS = HouseRule(key="torn.actions", default=2, options=(2, 1, 3, 4), rule="TRN-066")
INITIATIVE = HouseRule(
    key="torn.initiative", default="roll-off", options=("roll-off", "in order"), rule="TRN-092"
)
EJECTION = HouseRule(key="torn.ejection", default=True, options=(True, False), rule="TRN-035")
LEADER_TRANSFORMS = HouseRule(
    key="torn.leader_transforms", default="leads on", options=("leads on", "by its new card"), rule="TRN-102"
)
HARMLESS_REACTIONS = HouseRule(
    key="torn.harmless_reactions", default=False, options=(False, True), rule="TRN-093"
)
MARKER_TYPES = HouseRule(
    key="torn.marker_types", default="paired", options=("paired", "of the attack"), rule="TRN-091"
)
REACTIONS = HouseRule(
    key="torn.reactions",
    default="one after the other",
    options=("one after the other", "all at once"),
    rule="TRN-094",
)
AREA_ALLIES = HouseRule(key="torn.area_allies", default=True, options=(True, False), rule="TRN-011")
STUNNED_COUNTER = HouseRule(key="torn.stunned_counter", default=True, options=(True, False), rule="TRN-092")

HOUSE_RULES = (
    ATTACK_DIE,
    DEFENSE_DIE,
    SKILL_DIE,
    AGILITY_DIE,
    CHIRALITY,
    ORIGIN,
    HUGE_GIVE_COVER,
    ADVANTAGE,
    LOW_VISIBILITY_CRITICALS,
    ASSAULT_BESIDE_ENEMY,
    COUNTER_USES_ACTIVATION,
    PROTECTION_DICE,
    CONDITION_WOUNDS,
    SLOWED_BY,
    ACTIONS,
    INITIATIVE,
    EJECTION,
    LEADER_TRANSFORMS,
    HARMLESS_REACTIONS,
    MARKER_TYPES,
    REACTIONS,
    AREA_ALLIES,
    STUNNED_COUNTER,
)
