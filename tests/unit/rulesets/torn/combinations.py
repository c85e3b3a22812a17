"""The states, barriers and acts of the tables of combinations (see tests.unit.rulesets.combinations)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from enfilade.rules.procedures import Act
from enfilade.rulesets.torn import TORN
from enfilade.scene.model import Scene, Terrain
from tests.unit.rulesets.combinations import Combinations, Try
from tests.unit.rulesets.torn.scenes import (
    BOW,
    MOVE,
    RUN,
    SWORD,
    ally,
    attack,
    foe,
    hexon_cell,
    in_round,
    landscape,
    scene,
    shoot,
    with_condition,
    with_token,
)

SUCCESS = 0
"""The place of a success on all dice."""

HALBERD = {"name": "Halberd", "kind": "melee", "range": 3, "attack": 3, "damage": 2}
PISTOL = {"name": "Pistol", "kind": "ranged", "unit": "hexon", "attack": 2, "damage": 1, "assault": True}
GRENADE = {**BOW, "name": "Grenade", "range": 2, "attack": 3, "area": True}
ROAR = {
    "name": "Roar",
    "kind": "ranged",
    "range": 2,
    "unit": "hexon",
    "type": "mental",
    "effect": "panic test",
    "area": True,
}
GUST = {"name": "Gust", "kind": "ranged", "range": 3, "unit": "hexon", "attack": 2, "effect": "shift"}
FOCUS = {"name": "Concentration", "kind": "concentration"}
TILES = (SWORD, HALBERD, BOW, PISTOL, GRENADE, ROAR, GUST, MOVE, RUN, FOCUS)

CENTER, BESIDE, FAR = (10, 10), (11, 10), hexon_cell((2, 0))


def board(orc=BESIDE, active="ann", ann=None, terrain=(), **more):
    """Ann is active with all kinds of tiles; an Orc stands beside her, Bo is near, and Az is far away."""
    made = scene(
        ally("ann", CENTER, tiles=TILES, **(ann or {})),
        ally("bo", (9, 8)),
        foe("orc", orc, is_fresh=True, **more),
        foe("az", (25, 25), is_fresh=True),
        terrain=terrain,
    )
    return in_round(made, active)


def between_activations(made):
    return replace(made, conditions={"first": "blue"})


def ground(kind, *cells):
    return Terrain(id="t", name=kind, cells=cells, kind=kind)


STATES = {
    "beside an enemy": board,
    "3 Hexes from an enemy": lambda: board((13, 10)),
    "2 Hexons from an enemy": lambda: board(FAR),
    "2 Hexons from an enemy that has been activated": lambda: with_condition(board(FAR), "orc", "activated"),
    "beside an enemy that has been activated": lambda: with_condition(board(), "orc", "activated"),
    "beside an enemy with a marker": lambda: with_condition(board(), "orc", "bleeding"),
    "beside a stunned enemy": lambda: with_condition(board(), "orc", "stunned"),
    "beside an enemy on a vortex": lambda: board(terrain=[ground("vortex", BESIDE)]),
    "beside an enemy on dangerous landscape": lambda: board(terrain=[ground("dangerous", BESIDE)]),
    "beside an invisible enemy": lambda: board(traits=["invisible"]),
    "beside an unseen enemy": lambda: with_condition(board(), "orc", "unseen"),
    "an enemy in smoke": lambda: board(FAR, terrain=[ground("smoke", FAR)]),
    "an enemy behind landscape": lambda: board(hexon_cell((2, 0)), terrain=[landscape((1, 0))]),
    "an enemy with an ally beside it": lambda: with_token(board(FAR), "bo", at=(FAR[0] + 1, FAR[1])),
    "two enemies beside": lambda: with_token(board(), "az", at=(9, 10)),
    "one action used": lambda: with_token(board(), "ann", conditions={"used": "Sword Strike"}),
    "all actions used": lambda: with_token(board(), "ann", conditions={"used": "Sword Strike; Move"}),
    "stunned": lambda: with_condition(board(), "ann", "stunned"),
    "in panic": lambda: with_condition(board(), "ann", "panic"),
    "in panic, no enemy near": lambda: with_condition(board(FAR), "ann", "panic"),
    "slowed": lambda: with_condition(board(FAR), "ann", "slowed"),
    "burning": lambda: with_condition(board(), "ann", "burning"),
    "on a vortex": lambda: board(terrain=[ground("vortex", CENTER)]),
    "may transform": lambda: board(ann={"becomes": {"wounds": 3, "size": "large"}}),
    "a leader": lambda: board(ann={"traits": ["leader"]}),
    "an enemy off the board": lambda: with_token(board(), "orc", at=None),
    "off the board": lambda: with_token(board(), "ann", at=None),
    "out": lambda: with_token(board(), "ann", at=None, tracks={"wounds": 0}, conditions={"out": ""}),
    "another's activation": lambda: board(active="orc"),
    "waits for its activation": lambda: between_activations(board()),
    "activated": lambda: with_condition(between_activations(board()), "ann", "activated"),
    "another side is next": lambda: replace(board(), conditions={"first": "red"}),
    "the round is over": lambda: all_activated(),
    "before the first round": lambda: replace(board(), tracks={}, conditions={}),
    "after victory": lambda: replace(board(), conditions={"won": "blue"}),
}


def all_activated():
    made = board()
    for key in ("ann", "bo", "orc", "az"):
        made = with_condition(made, key, "activated")
    return replace(made, conditions={})


ACTS: dict[str, Act | Try] = {
    "melee": attack("ann", "orc"),
    "melee at an ally": attack("ann", "bo"),
    "melee at itself": attack("ann", "ann"),
    "long melee": attack("ann", "orc", "Halberd"),
    "melee with a ranged tile": attack("ann", "orc", "Bowshot"),
    "ranged": shoot("ann", "orc"),
    "ranged at an ally": shoot("ann", "bo"),
    "ranged with Assault": shoot("ann", "orc", "Pistol"),
    "area": shoot("ann", "orc", "Grenade"),
    "area at an ally": shoot("ann", "bo", "Grenade"),
    "panic test": shoot("ann", "orc", "Roar"),
    "gust": shoot("ann", "orc", "Gust"),
    "gust at an ally": shoot("ann", "bo", "Gust"),
    "move 1 Hex away": Act(kind="move", token="ann", at=(9, 11)),
    "move 5 Hexes": Act(kind="move", token="ann", at=(5, 10)),
    "move onto the enemy": Act(kind="move", token="ann", at=BESIDE),
    "move beside the enemy": Act(kind="move", token="ann", at=(11, 11)),
    "move off the board": Act(kind="move", token="ann", at=(40, 40)),
    "concentrate": Act(kind="concentration", token="ann", weapon="Concentration"),
    "activate": Act(kind="activate", token="ann"),
    "end": Act(kind="end", token="ann"),
    "round": Act(kind="round", token="ann"),
    "transform": Act(kind="transform", token="ann"),
}

# What stands between Ann in the middle and an enemy to the east, which each act places

IN_THE_WAY = (12, 10)
"""A Hex of the next Hexon, two Hexes from Ann."""
BEHIND = (14, 11)
"""A Hex of the second Hexon that touches the next one."""


def field(*terrain):
    made = scene(
        ally("ann", CENTER, tiles=TILES),
        ally("bo", (10, 25)),
        foe("orc", (25, 25)),
        foe("az", (5, 25)),
        terrain=terrain,
    )
    return in_round(made, "ann")


def occupied(side, at, **card):
    """Return the field with a miniature of a side, or more, east of Ann."""
    made = field()
    key = "bo" if side == "blue" else "az"
    profile = {**made.token(key).profile, **card}
    return with_token(made, key, at=at, profile=profile, conditions={"activated": ""})


BARRIERS = {
    "nothing": field,
    "landscape in the next Hexon": lambda: field(landscape((1, 0))),
    "landscape 2 Hexons away": lambda: field(landscape((2, 0))),
    "a vortex": lambda: field(landscape((1, 0), kind="vortex")),
    "smoke": lambda: field(landscape((1, 0), kind="smoke")),
    "dangerous landscape": lambda: field(landscape((1, 0), kind="dangerous")),
    "a marker": lambda: field(ground("marker", IN_THE_WAY)),
    "an ally": lambda: occupied("blue", IN_THE_WAY),
    "an enemy": lambda: occupied("red", IN_THE_WAY),
    "a large ally": lambda: occupied("blue", hexon_cell((1, 0)), size="large", tiles=[]),
    "a huge enemy": lambda: occupied("red", hexon_cell((1, 0)), size="huge", hexons=[[0, 0]], tiles=[]),
}


def placed(at, then: Callable[[Scene], Scene] = lambda made: made) -> Callable[[Scene], Scene]:
    """Return what puts the orc in a Hex; another one there steps aside."""

    def arrange(made: Scene) -> Scene:
        for token in made.tokens:
            if token.at == at:
                made = with_token(made, token.id, at=(3, 3))
        return then(with_token(made, "orc", at=at))

    return arrange


def with_profile(made: Scene, key: str, **card: object) -> Scene:
    """Return the scene with parts of a miniature's card replaced."""
    return with_token(made, key, profile={**made.token(key).profile, **card})


def _walker(**card: object) -> Callable[[Scene], Scene]:
    step = {"name": "Walk", "kind": "move", "range": 3, "unit": "hexon"}
    return lambda made: with_profile(made, "ann", tiles=[step], **card)


ONE, TWO, THREE = hexon_cell((1, 0)), hexon_cell((2, 0)), hexon_cell((3, 0))

ACROSS: dict[str, Act | Try] = {
    "melee at 1 Hex": Try(attack("ann", "orc"), placed(BESIDE)),
    "melee at 2 Hexes": Try(attack("ann", "orc"), placed((12, 10))),
    "long melee at 3 Hexes": Try(attack("ann", "orc", "Halberd"), placed((13, 10))),
    **{
        f"ranged at {count} Hexons": Try(shoot("ann", "orc"), placed(hexon_cell((count, 0))))
        for count in (1, 2, 3, 4, 5)
    },
    "ranged just behind": Try(shoot("ann", "orc"), placed(BEHIND)),
    "ranged at a large one behind": Try(
        shoot("ann", "orc"), placed(TWO, lambda made: with_profile(made, "orc", size="large", tiles=[]))
    ),
    "ranged at a huge one behind": Try(
        shoot("ann", "orc"), placed(TWO, lambda made: with_profile(made, "orc", size="huge", tiles=[]))
    ),
    "area at 2 Hexons": Try(shoot("ann", "orc", "Grenade"), placed(TWO)),
    "panic test at 2 Hexons": Try(shoot("ann", "orc", "Roar"), placed(TWO)),
    "gust at 1 Hexon": Try(shoot("ann", "orc", "Gust"), placed(ONE)),
    "gust at 2 Hexons": Try(shoot("ann", "orc", "Gust"), placed(TWO)),
    "move 1 Hex": Act(kind="move", token="ann", at=BESIDE),
    "move 2 Hexes": Act(kind="move", token="ann", at=IN_THE_WAY),
    "move 3 Hexes": Act(kind="move", token="ann", at=(13, 10)),
    "move 4 Hexes": Act(kind="move", token="ann", at=(14, 10)),
    "large into the next Hexon": Try(Act(kind="move", token="ann", at=ONE), _walker(size="large")),
    "large 2 Hexons": Try(Act(kind="move", token="ann", at=TWO), _walker(size="large")),
    "huge into the next Hexon": Try(
        Act(kind="move", token="ann", at=ONE), _walker(size="huge", hexons=[[0, 0]])
    ),
    "huge 2 Hexons": Try(Act(kind="move", token="ann", at=TWO), _walker(size="huge", hexons=[[0, 0]])),
}

# What is unfinished as an activation or a round ends


def marked(*markers):
    return with_condition(board(), "ann", *markers)


def last_of_round(made):
    for key in ("bo", "orc", "az"):
        made = with_condition(made, key, "activated")
    return made


UNFINISHED = {
    "nothing done": board,
    "one action left": lambda: with_token(board(), "ann", conditions={"used": "Sword Strike"}),
    "all actions used": lambda: with_token(board(), "ann", conditions={"used": "Sword Strike; Move"}),
    **{
        marker: (lambda marker=marker: marked(marker))
        for marker in ("burning", "slowed", "poisoned", "stunned", "bleeding", "panic")
    },
    "burning, poisoned and bleeding": lambda: marked("burning", "poisoned", "bleeding"),
    "burning on its last wound": lambda: with_token(marked("burning"), "ann", tracks={"wounds": 1}),
    "a leader that burns on its last wound": lambda: with_token(
        with_condition(board(ann={"traits": ["leader"]}), "ann", "burning"), "ann", tracks={"wounds": 1}
    ),
    "one that burns on its last wound and becomes": lambda: with_token(
        with_condition(board(ann={"becomes": {"wounds": 3}}), "ann", "burning"), "ann", tracks={"wounds": 1}
    ),
    "an enemy that burns": lambda: with_condition(board(), "orc", "burning"),
    "a Free Attack made": lambda: with_token(board(), "orc", conditions={"free attack": "ann"}),
    "an enemy that countered": lambda: with_condition(board(), "orc", "activated"),
    "unseen": lambda: marked("unseen"),
    "not on the board": lambda: with_token(board(), "ann", at=None),
    "removed in its activation": lambda: with_token(
        board(), "ann", at=None, tracks={"wounds": 0}, conditions={"out": ""}
    ),
    "the last of a round": lambda: last_of_round(board()),
    "a round that is over": all_activated,
    "a round over, markers and Free Attacks left": lambda: with_condition(
        with_token(
            all_activated(), "orc", conditions={"activated": "", "free attack": "ann", "used": "Strike"}
        ),
        "ann",
        "burning",
    ),
    "after victory": lambda: replace(board(), conditions={"won": "blue"}),
}

ENDS: dict[str, Act | Try] = {
    "end": Act(kind="end", token="ann"),
    "end for an enemy": Act(kind="end", token="orc"),
    "activate another": Act(kind="activate", token="bo"),
    "round": Act(kind="round", token="ann"),
}

TABLES = {
    "combinations": Combinations(TORN, STATES, ACTS),
    "barriers": Combinations(TORN, BARRIERS, ACROSS, SUCCESS),
    "ends": Combinations(TORN, UNFINISHED, ENDS, SUCCESS),
}
