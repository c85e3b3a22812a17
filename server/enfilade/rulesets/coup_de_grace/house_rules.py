"""The house rules of Coup-de-Grace: the open questions of the text, each with its default."""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRule, Setting


def _option(key: str, rule: str, *options: Setting) -> HouseRule:
    return HouseRule(key=f"cdg.{key}", default=options[0], options=tuple(options), rule=rule)


ADJACENCY = _option(
    "adjacency",
    "CDG-012",
    "edges",
    "edges and corners",
)
DOUBLING = _option(
    "doubling",
    "CDG-040",
    "per enemy",
    "once",
)
RANGE = _option(
    "range",
    "CDG-017",
    "straight",
    "path",
)
INCREMENT = _option(
    "range_increment",
    "CDG-059",
    6,
    3,
)
CORNERS = _option(
    "corners",
    "CDG-051",
    True,
    False,
)
REAR = _option(
    "rear",
    "CDG-054",
    "straight behind",
    "rear three",
)
NATURALS = _option(
    "naturals",
    "CDG-047",
    False,
    True,
)
TIE = _option(
    "tied_initiative",
    "CDG-023",
    "roll off",
    "stay",
)
VICTORY = _option(
    "victory",
    "CDG-079",
    "last team standing",
    "scenario",
)
DOWNED_DOUBLE = _option(
    "downed_double_costs",
    "CDG-040",
    True,
    False,
)
DOWNED_IN_THE_WAY = _option(
    "downed_in_the_way",
    "CDG-058",
    True,
    False,
)
DOWNED_HIDE = _option(
    "downed_block_sight",
    "CDG-051",
    True,
    False,
)
DOWNED_NEED_SIGHT = _option(
    "downed_need_sight",
    "CDG-074",
    True,
    False,
)
ATTACK_ALLIES = _option(
    "attack_team_mates",
    "CDG-052",
    False,
    True,
)
CRAWL_DIAGONALLY = _option(
    "crawl_diagonally",
    "CDG-072",
    False,
    True,
)
BLOCKED_PUSH = _option(
    "blocked_push",
    "CDG-064",
    "turn",
    "damage",
)

DOWNED_AGAIN = _option(
    "downed_attack_again",
    "CDG-071",
    True,
    False,
)
DOWNED_FEED = _option(
    "downed_feed",
    "CDG-063",
    "vampires",
    "both",
    "none",
)
DOWNED_CAST = _option(
    "downed_cast",
    "CDG-070",
    False,
    True,
)
DOWNED_PUSHED = _option(
    "downed_pushed",
    "CDG-064",
    True,
    False,
)
CAPTOR_FALLS = _option(
    "captor_falls",
    "CDG-063",
    "stays entangled",
    "freed",
)
HOOK_DAMAGE = _option(
    "hook_damage",
    "CDG-063",
    True,
    False,
)

HOUSE_RULES = (
    ADJACENCY,
    DOUBLING,
    RANGE,
    INCREMENT,
    CORNERS,
    REAR,
    NATURALS,
    TIE,
    VICTORY,
    DOWNED_DOUBLE,
    DOWNED_IN_THE_WAY,
    DOWNED_HIDE,
    DOWNED_NEED_SIGHT,
    ATTACK_ALLIES,
    CRAWL_DIAGONALLY,
    BLOCKED_PUSH,
    DOWNED_AGAIN,
    DOWNED_FEED,
    DOWNED_CAST,
    DOWNED_PUSHED,
    CAPTOR_FALLS,
    HOOK_DAMAGE,
)
