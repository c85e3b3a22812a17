"""The house rules of Coup-de-Grace: what the text leaves open, each with its default."""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRule

DOUBLING = HouseRule(
    key="cdg.doubling",
    default="per enemy",
    options=("per enemy", "once"),
    sentence="Movement costs double for each adjacent enemy, or once however many there are.",
    rule="CDG-040",
)
DOWNED_DOUBLE = HouseRule(
    key="cdg.downed_double_costs",
    default=True,
    options=(True, False),
    sentence="A downed enemy beside a mover doubles its costs like any other.",
    rule="CDG-040",
)
DOWNED_IN_THE_WAY = HouseRule(
    key="cdg.downed_in_the_way",
    default=True,
    options=(True, False),
    sentence="A downed ally beside the target makes a shooter fire into melee.",
    rule="CDG-058",
)
DOWNED_HIDE = HouseRule(
    key="cdg.downed_block_sight",
    default=True,
    options=(True, False),
    sentence="A downed miniature blocks lines of sight like a standing one.",
    rule="CDG-051",
)
ATTACK_ALLIES = HouseRule(
    key="cdg.attack_team_mates",
    default=False,
    options=(False, True),
    sentence="A player may attack the miniatures of team-mates (never his own).",
    rule="CDG-052",
)
CRAWL_DIAGONALLY = HouseRule(
    key="cdg.crawl_diagonally",
    default=False,
    options=(False, True),
    sentence="A downed miniature may crawl to a diagonal square too.",
    rule="CDG-072",
)

HOUSE_RULES = (
    DOUBLING,
    DOWNED_DOUBLE,
    DOWNED_IN_THE_WAY,
    DOWNED_HIDE,
    ATTACK_ALLIES,
    CRAWL_DIAGONALLY,
)
