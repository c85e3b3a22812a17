"""The states, barriers and acts of the tables of combinations (see tests.unit.rulesets.combinations)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from enfilade.rules.procedures import Act
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.scene.model import Scene, Terrain, Wall
from tests.unit.rulesets.combinations import Combinations, Try
from tests.unit.rulesets.coup_de_grace.scenes import EAST, NORTH, SOUTH, act, active, battle, foe, mini

HIT = 5
"""The place of the six on its die."""


def changed(scene: Scene, key: str, **fields: object) -> Scene:
    """Return a scene with fields of a token replaced, or added to where they are dicts."""
    token = scene.token(key)
    merged = {
        name: {**getattr(token, name), **value} if isinstance(value, dict) else value
        for name, value in fields.items()
    }
    new = replace(token, **merged)
    return replace(scene, tokens=tuple(new if one.id == key else one for one in scene.tokens))


def holding(*hands: str, **profile: object) -> Callable[[Scene], Scene]:
    """Return what gives Ann other items or another race."""
    return lambda scene: changed(scene, "ann", profile={"hands": list(hands), **profile})


def board(orc=(5, 4), facing=NORTH, mp=None, **more):
    """Ann is active with a sword and a crossbow; the Orc looks at her, Bo is near, Az is far away."""
    scene = battle(
        mini("Ann", at=(5, 5), facing=facing, hands=("sword", "crossbow"), race="dwarf"),
        mini("Bo", at=(7, 5)),
        foe("Orc", at=orc),
        foe("Az", at=(11, 11)),
        **more,
    )
    return active(scene, "ann", mp)


def waiting(scene: Scene) -> Scene:
    """Return the scene between two activations, with the turn at Ann's side."""
    conditions = {key: note for key, note in scene.conditions.items() if key != "active"}
    return replace(scene, conditions=conditions)


def downed(key: str, scene: Scene, **conditions: str) -> Scene:
    """Return the scene with a miniature at 0 hit points."""
    return changed(scene, key, facing=None, tracks={"hp": 0}, conditions={"downed": "", **conditions})


def all_activated(scene: Scene) -> Scene:
    """Return the scene at the end of a round."""
    for token in scene.tokens:
        scene = changed(scene, token.id, conditions={"activated": ""})
    return waiting(scene)


STATES = {
    "beside an enemy": board,
    "3 squares from an enemy": lambda: board((5, 2)),
    "an enemy behind": lambda: board(facing=SOUTH),
    "between two enemies": lambda: changed(board(), "az", at=(5, 6)),
    "beside a hidden enemy": lambda: changed(board(), "orc", hidden=True),
    "an ally between": lambda: changed(board((5, 2)), "bo", at=(5, 4)),
    "no points left": lambda: board(mp=0),
    "its weapons used": lambda: changed(board(), "ann", conditions={"used": "sword, crossbow"}),
    "braced": lambda: changed(board(), "ann", conditions={"braced": ""}, profile={"race": "gnome"}),
    "warded": lambda: changed(board(), "ann", conditions={"warded": ""}),
    "downed": lambda: downed("ann", board()),
    "downed and acted": lambda: downed("ann", board(), acted=""),
    "entangled": lambda: changed(board(), "ann", conditions={"entangled": "orc"}),
    "holds an entangled enemy": lambda: changed(board(), "orc", conditions={"entangled": "ann"}),
    "an enemy downed": lambda: downed("orc", board()),
    "an ally downed": lambda: downed("bo", board()),
    "an ally activated": lambda: changed(board(), "bo", conditions={"activated": ""}),
    "a halfling": lambda: changed(board(), "ann", profile={"race": "halfling"}),
    "on slow ground": lambda: changed(board((5, 2)), "orc", conditions={"earth": ""}),
    "an enemy off the board": lambda: changed(board(), "orc", at=None),
    "off the board": lambda: changed(board(), "ann", at=None),
    "out of action": lambda: changed(
        board(), "ann", at=None, facing=None, tracks={"hp": -1}, conditions={"out": ""}
    ),
    "another's activation": lambda: active(board(), "orc"),
    "waits for its activation": lambda: waiting(board()),
    "activated": lambda: waiting(changed(board(), "ann", conditions={"activated": ""})),
    "the round is over": lambda: all_activated(board()),
    "before the first round": lambda: replace(board(), tracks={}, conditions={}),
    "after victory": lambda: replace(board(), conditions={"won": "blue"}),
}

ACTS: dict[str, Act | Try] = {
    "melee": act("melee", "ann", "orc"),
    "melee at an ally": act("melee", "ann", "bo"),
    "ranged": act("ranged", "ann", "orc", "crossbow"),
    "ranged with a melee weapon": act("ranged", "ann", "orc"),
    "grappling hook": Try(act("ranged", "ann", "orc", "grappling hook"), holding("grappling hook", "fist")),
    "attack with a focus": Try(act("spell", "ann", "orc", "blast staff"), holding("blast staff", "fist")),
    "ward": Try(act("spell", "ann", "", "mage left open hand"), holding("mage left open hand", "fist")),
    "hasten": Try(
        act("spell", "ann", "bo", "mage left pointing hand"), holding("mage left pointing hand", "fist")
    ),
    "force orb": Try(act("spell", "ann", "orc", "force orb", (6, 4)), holding("force orb", "fist")),
    "holy symbol": Try(act("spell", "ann", "bo", "holy symbol"), holding("holy symbol", "fist")),
    "skull": Try(act("spell", "ann", "orc", "skull"), holding("skull", "fist")),
    "staff of air": Try(act("spell", "ann", "", "air staff", facing=EAST), holding("air staff")),
    "staff of death": Try(act("spell", "ann", "orc", "death staff"), holding("death staff")),
    "staff of earth": Try(act("spell", "ann", "", "earth staff"), holding("earth staff")),
    "brace": Try(act("brace", "ann"), holding("sword", "crossbow", race="gnome")),
    "entangle": Try(act("entangle", "ann", "orc"), holding("entangling weapon", "sword")),
    "step": act("move", "ann", at=(5, 6), facing=NORTH),
    "step onto the enemy": act("move", "ann", at=(5, 4), facing=NORTH),
    "step off the board": act("move", "ann", at=(40, 40), facing=NORTH),
    "turn": act("move", "ann", at=(5, 5), facing=EAST),
    "crawl": act("crawl", "ann", at=(4, 5)),
    "stand up": act("recover", "ann"),
    "activate": act("activate", "ann"),
    "end": act("end", "ann"),
    "round": act("round", "ann"),
    "declare victory": act("victory", "ann"),
}

# What stands between: the first square north of Ann, or its southern edge

WALL = Wall(id="w", line=(0, 8 * 64, 12 * 64, 8 * 64))
BETWEEN = (5, 7)


def field(*walls: Wall, **more: object) -> Scene:
    """Ann looks north, with an enemy that each act places."""
    ann, orc = mini("Ann", at=(5, 8), hands=("sword", "crossbow"), race="dwarf"), foe("Orc", at=(11, 11))
    return active(battle(ann, orc, mini("Bo", at=(11, 1)), walls=walls, **more), "ann")


def ground(**fields: object) -> Scene:
    """Build a scene with terrain in the first square."""
    return field(terrain=(Terrain("t", "Ground", (BETWEEN,), **fields),))


BARRIERS = {
    "nothing": field,
    "a wall": lambda: field(WALL),
    "a wall that is open from here": lambda: field(replace(WALL, one_way="right")),
    "a wall that is open from there": lambda: field(replace(WALL, one_way="left")),
    "a closed door": lambda: field(replace(WALL, door="door")),
    "an open door": lambda: field(replace(WALL, door="door", state="open")),
    "a window": lambda: field(replace(WALL, sight="none")),
    "a curtain": lambda: field(replace(WALL, move="none")),
    "an ally": lambda: changed(field(), "bo", at=BETWEEN),
    "a downed ally": lambda: downed("bo", changed(field(), "bo", at=BETWEEN)),
    "closed ground": lambda: ground(cost=0),
    "smoke": lambda: ground(blocks_sight=True),
    "rough ground": lambda: ground(cost=2),
}


def at_distance(steps: int, then: Callable[[Scene], Scene] = lambda scene: scene) -> Callable[[Scene], Scene]:
    """Return what puts the Orc so many squares north; an ally between gives way to an Orc beside Ann."""

    def arrange(scene: Scene) -> Scene:
        if scene.token("bo").at == (5, 8 - steps):
            scene = changed(scene, "bo", at=(5, 7 - steps))
        return then(changed(scene, "orc", at=(5, 8 - steps)))

    return arrange


def _hook(steps: int) -> Try:
    what = act("ranged", "ann", "orc", "grappling hook")
    return Try(what, at_distance(steps, holding("grappling hook", "fist")))


def _focus(item: str, steps: int) -> Try:
    return Try(act("spell", "ann", "orc", item), at_distance(steps, holding(item, "fist")))


ACROSS: dict[str, Act | Try] = {
    "melee at 1": Try(act("melee", "ann", "orc"), at_distance(1)),
    "hammer at 1": Try(act("melee", "ann", "orc", "hammer"), at_distance(1, holding("hammer", "fist"))),
    "entangle at 1": Try(act("entangle", "ann", "orc"), at_distance(1, holding("entangling weapon", "fist"))),
    "melee at 2": Try(act("melee", "ann", "orc"), at_distance(2)),
    **{
        f"ranged at {steps}": Try(act("ranged", "ann", "orc", "crossbow"), at_distance(steps))
        for steps in (1, 2, 6, 7)
    },
    **{f"grappling hook at {steps}": _hook(steps) for steps in (1, 2, 6, 7)},
    **{f"blast staff at {steps}": _focus("blast staff", steps) for steps in (1, 2, 6, 7)},
    **{f"mage claw at {steps}": _focus("mage claw", steps) for steps in (2, 3)},
    **{f"skull at {steps}": _focus("skull", steps) for steps in (2, 6, 7)},
    "staff of air": Try(
        act("spell", "ann", "", "air staff", facing=SOUTH), at_distance(2, holding("air staff"))
    ),
    "1 square": act("move", "ann", at=(5, 7), facing=NORTH),
    "2 squares": act("move", "ann", at=(5, 6), facing=NORTH),
    "crawl": Try(act("crawl", "ann", at=(5, 7)), lambda scene: downed("ann", scene)),
}

# What is unfinished as an activation or a round ends

UNFINISHED = {
    "nothing left": lambda: board(mp=0),
    "points left": board,
    "a weapon left": lambda: changed(board(mp=0), "ann", conditions={"used": "sword"}),
    "points lent by a hand": lambda: changed(board(), "ann", tracks={"hastened": 2}),
    "points taken by a hand": lambda: changed(board(), "orc", tracks={"slowed": 1}),
    "braced": lambda: changed(board(), "ann", conditions={"braced": ""}),
    "warded": lambda: changed(board(), "ann", conditions={"warded": ""}),
    "rerolled": lambda: changed(board(), "ann", conditions={"rerolled": "human"}),
    "on slow ground": lambda: changed(board(), "orc", conditions={"earth": ""}),
    "holds an entangled enemy": lambda: changed(board(), "orc", conditions={"entangled": "ann"}),
    "entangled": lambda: changed(board(), "ann", conditions={"entangled": "orc"}),
    "downed without an act": lambda: downed("ann", board(mp=0)),
    "downed and acted": lambda: downed("ann", board(mp=0), acted=""),
    "not yet on the board": lambda: changed(board(), "ann", at=None),
    "an enemy not yet on the board": lambda: changed(board(), "orc", at=None),
    "an enemy left alone": lambda: changed(
        board(), "az", at=None, facing=None, tracks={"hp": -1}, conditions={"out": ""}
    ),
    "a vampire that fed": lambda: changed(board(), "ann", tracks={"gained": 1}),
    "the last of a round": lambda: changed(
        changed(changed(board(), "bo", conditions={"activated": ""}), "orc", conditions={"activated": ""}),
        "az",
        conditions={"activated": ""},
    ),
    "a round that is over": lambda: changed(
        all_activated(board()), "orc", conditions={"entangled": "ann", "braced": ""}
    ),
    "a round over, one downed": lambda: downed("orc", all_activated(board()), acted=""),
    "after victory": lambda: replace(board(), conditions={"won": "blue"}),
}

ENDS: dict[str, Act | Try] = {
    "end": act("end", "ann"),
    "end for an enemy": act("end", "orc"),
    "activate another": act("activate", "bo"),
    "round": act("round", "ann"),
    "declare victory": Try(
        act("victory", "ann"),
        lambda scene: replace(scene, house_rules={**scene.house_rules, "cdg.victory": "scenario"}),
    ),
}

TABLES = {
    "combinations": Combinations(COUP_DE_GRACE, STATES, ACTS),
    "barriers": Combinations(COUP_DE_GRACE, BARRIERS, ACROSS, HIT),
    "ends": Combinations(COUP_DE_GRACE, UNFINISHED, ENDS, HIT),
}
