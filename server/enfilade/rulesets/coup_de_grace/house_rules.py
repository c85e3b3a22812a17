"""The house rules of Coup-de-Grace: what the text leaves open, each with its default."""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRule, Setting


def _option(key: str, rule: str, sentence: str, *options: Setting) -> HouseRule:
    return HouseRule(
        key=f"cdg.{key}", default=options[0], options=tuple(options), sentence=sentence, rule=rule
    )


ADJACENCY = _option(
    "adjacency",
    "CDG-012",
    "Squares are adjacent, and steps are taken, across edges only, or across corners too.",
    "edges",
    "edges and corners",
)
DOUBLING = _option(
    "doubling",
    "CDG-040",
    "Movement costs double for each adjacent enemy, or once however many there are.",
    "per enemy",
    "once",
)
RANGE = _option(
    "range",
    "CDG-017",
    "Range is counted straight over the board, or along the shortest way round walls and closed ground.",
    "straight",
    "path",
)
INCREMENT = _option(
    "range_increment",
    "CDG-059",
    "The range increment of a ranged weapon that names none of its own.",
    6,
    3,
)
CORNERS = _option(
    "corners",
    "CDG-051",
    "A line of sight through the point where two occupied squares meet corner to corner is blocked.",
    True,
    False,
)
REAR = _option(
    "rear",
    "CDG-054",
    "On hexes a backstab comes from the hex straight behind, or from any of the three rear hexes.",
    "straight behind",
    "rear three",
)
NATURALS = _option(
    "naturals",
    "CDG-047",
    "An attack die that shows 1 always misses and one that shows 6 always hits.",
    False,
    True,
)
TIE = _option(
    "tied_initiative",
    "CDG-023",
    "Players tied for most miniatures roll off, or whoever began the last round begins again.",
    "roll off",
    "stay",
)
VICTORY = _option(
    "victory",
    "CDG-079",
    "The last team left in the battle wins, or the game master declares who has won the scenario.",
    "last team standing",
    "scenario",
)
DOWNED_DOUBLE = _option(
    "downed_double_costs",
    "CDG-040",
    "A downed enemy beside a mover doubles its costs like any other.",
    True,
    False,
)
DOWNED_IN_THE_WAY = _option(
    "downed_in_the_way",
    "CDG-058",
    "A downed ally beside the target makes a shooter fire into melee.",
    True,
    False,
)
DOWNED_HIDE = _option(
    "downed_block_sight",
    "CDG-051",
    "A downed miniature blocks lines of sight like a standing one.",
    True,
    False,
)
DOWNED_NEED_SIGHT = _option(
    "downed_need_sight",
    "CDG-074",
    "A downed shooter needs a line of sight, though no front arc.",
    True,
    False,
)
ATTACK_ALLIES = _option(
    "attack_team_mates",
    "CDG-052",
    "A player may attack the miniatures of team-mates (never his own).",
    False,
    True,
)
CRAWL_DIAGONALLY = _option(
    "crawl_diagonally",
    "CDG-072",
    "A downed miniature may crawl to a diagonal square too.",
    False,
    True,
)
BLOCKED_PUSH = _option(
    "blocked_push",
    "CDG-064",
    "A hammer that cannot push its victim back may turn it instead, or does 1 damage more.",
    "turn",
    "damage",
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
)
