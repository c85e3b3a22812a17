"""The house rules of Torn: lost pictures, chapters nobody has, and what the text leaves open."""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRule

SIDES = 6


def _faces(successes: range, criticals: range) -> tuple[str, ...]:
    """The ways to share six faces out among successes, criticals and at least one blank."""
    return tuple(
        "S" * s + "C" * c + "-" * (SIDES - s - c) for s in successes for c in criticals if s + c < SIDES
    )


def _die(name: str, default: str, options: tuple[str, ...], rule: str) -> HouseRule:
    return HouseRule(
        key=f"torn.{name.lower()}_die",
        default=default,
        options=options,
        sentence=f"The six faces of the {name} die: S success, C critical, - blank. A house value: "
        "the rulebook shows them as pictures.",
        rule=rule,
    )


ATTACK_DIE = _die("Attack", "SSSC--", _faces(range(2, 5), range(3)), "TRN-013")
DEFENCE_DIE = _die("Defence", "SSC---", _faces(range(1, 4), range(3)), "TRN-017")
SKILL_DIE = _die("Skill", "SSS---", _faces(range(1, 6), range(1)), "TRN-026")
AGILITY_DIE = _die("Agility", "SSS---", _faces(range(1, 6), range(1)), "TRN-014")

CHIRALITY = HouseRule(
    key="torn.hexon_chirality",
    default="left",
    options=("left", "right"),
    sentence="Which way the Hexons are twisted against the Hexes of the map; the two are mirror images.",
    rule="TRN-008",
)
ORIGIN = HouseRule(
    key="torn.hexon_origin",
    default=0,
    options=tuple(range(7)),
    sentence="Which of seven Hexes beside each other, from the top left one on, is the centre of a Hexon.",
    rule="TRN-008",
)
HUGE_GIVE_COVER = HouseRule(
    key="torn.huge_give_cover",
    default=True,
    options=(True, False),
    sentence="A huge miniature closes the view of others like a piece of Closing Landscape.",
    rule="TRN-056",
)
ADVANTAGE = HouseRule(
    key="torn.advantage",
    default="ranged",
    options=("ranged", "all"),
    sentence="The die that a large miniature gets beside landscape counts against ranged attacks, or all.",
    rule="TRN-057",
)
CRITICALS_FADE = HouseRule(
    key="torn.low_visibility_criticals",
    default=True,
    options=(True, False),
    sentence="At a target in a Low Visibility Zone criticals are re-rolled like other successes.",
    rule="TRN-043",
)
ASSAULT_BESIDE_ENEMY = HouseRule(
    key="torn.assault_beside_enemy",
    default=True,
    options=(True, False),
    sentence="A ranged attack with Assault may be made with an enemy in an adjacent Hex.",
    rule="TRN-038",
)
COUNTER_ACTIVATES = HouseRule(
    key="torn.counter_uses_activation",
    default=True,
    options=(True, False),
    sentence="A Counter Attack uses up the activation of the miniature that makes it.",
    rule="TRN-092",
)
GUARD_DICE = HouseRule(
    key="torn.guard_dice",
    default=1,
    options=(1, 0, 2, 3),
    sentence="Defence dice that Protection and Ether Protection add, and that Vulnerability takes away.",
    rule="TRN-087",
)
CONDITION_WOUNDS = HouseRule(
    key="torn.condition_wounds",
    default=1,
    options=(1, 0, 2),
    sentence="Wounds that Burning, Poisoned and Bleeding each cost at the end of one's own activation.",
    rule="TRN-089",
)
SLOWED_BY = HouseRule(
    key="torn.slowed_by",
    default=1,
    options=(1, 0, 2),
    sentence="How many Hexes or Hexons less a Slowed miniature goes with a Move or Run (at least one).",
    rule="TRN-089",
)
ACTIONS = HouseRule(
    key="torn.actions",
    default=2,
    options=(2, 1, 3, 4),
    sentence="Actions of one activation; the same tile is used once in each.",
    rule="TRN-066",
)
INITIATIVE = HouseRule(
    key="torn.initiative",
    default="roll-off",
    options=("roll-off", "in order"),
    sentence="Who activates first in a round: whoever rolls highest on a D6, or the side named first.",
    rule="TRN-092",
)
EJECTION = HouseRule(
    key="torn.ejection",
    default=True,
    options=(True, False),
    sentence="Large and huge miniatures may end on infantry, which steps out to the nearest free Hex.",
    rule="TRN-035",
)

HOUSE_RULES = (
    ATTACK_DIE,
    DEFENCE_DIE,
    SKILL_DIE,
    AGILITY_DIE,
    CHIRALITY,
    ORIGIN,
    HUGE_GIVE_COVER,
    ADVANTAGE,
    CRITICALS_FADE,
    ASSAULT_BESIDE_ENEMY,
    COUNTER_ACTIVATES,
    GUARD_DICE,
    CONDITION_WOUNDS,
    SLOWED_BY,
    ACTIONS,
    INITIATIVE,
    EJECTION,
)
