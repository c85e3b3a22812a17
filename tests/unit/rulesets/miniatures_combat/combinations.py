"""The states, barriers and acts of the tables of combinations (see tests.unit.rulesets.combinations)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from enfilade.rules.procedures import Act
from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.scene.model import Scene, Terrain
from tests.unit.rulesets.combinations import Combinations, Try
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    go,
    hero,
    inches,
    orc,
    scene,
    wall,
    with_conditions,
    with_points,
    with_token,
    with_tracks,
)

HIT = 5
"""The place of the six on its die."""


def setup(orc_at=(11.5, 10), **more):
    """Ann, a good fighter, stands half an inch from an orc; Bo is near her, and Az is far away."""
    return scene(
        hero("ann", (10, 10), **more.pop("ann", {})),
        hero("bo", (10, 15)),
        orc("orc", orc_at),
        orc("az", (40, 30)),
        hero("cy", (9, 8.9), side="orcs", level=1),
        **more,
    )


def captive(board, **conditions):
    """Return the scene with Cy as a captive of the heroes."""
    return with_conditions(board, "cy", captured="", **conditions)


def board(orc_at=(11.5, 10), *members, **more):
    """Ann's activation, alone or with others; Cy is a captive beside her."""
    return activated(captive(setup(orc_at, **more)), "ann", *members)


def far():
    """Ann's activation with no enemy near."""
    return board((16, 10))


def defended(scene_, result="held"):
    """Return the scene after a defense against the orc, with a result and with two dice left."""
    return with_tracks(with_conditions(scene_, "ann", defended=f"orc={result}"), "ann", dice=2)


def rolled(scene_):
    """Return the scene after the movement roll of an unengaged group."""
    return go(scene_, act("roll_movement", "ann", dice=1), 6).scene


def profile(**sheet: object) -> Callable[[Scene], Scene]:
    """Return what changes Ann's sheet."""
    return lambda made: with_token(made, "ann", profile={**made.token("ann").profile, **sheet})


STATES = {
    "engaged": board,
    "engaged and defended": lambda: defended(board()),
    "engaged, a defense failed": lambda: defended(board(), "failed"),
    "engaged with two, one defended": lambda: defended(with_token(board(), "az", at=inches(10, 11.5))),
    "unengaged": far,
    "unengaged, rolled": lambda: rolled(far()),
    "an enemy within a lunge": lambda: board((12.5, 10)),
    "an enemy within a spear": lambda: board((12.5, 10), ann={"weapon": "pole"}),
    "an ally engaged": lambda: board((10, 16.5), "bo"),
    "no dice left": lambda: with_tracks(defended(board()), "ann", dice=0),
    "prone": lambda: with_conditions(defended(board()), "ann", prone=""),
    "wounded": lambda: with_tracks(defended(board()), "ann", wounds=1),
    "mounted": lambda: defended(board(ann={"mounted": True})),
    "dismounted": lambda: with_conditions(defended(board(ann={"mounted": True})), "ann", dismounted=""),
    "on a height": lambda: with_token(defended(board()), "ann", elevation=128),
    "fled": lambda: with_conditions(rolled(far()), "ann", fled=""),
    "fled, an enemy within a lunge": lambda: with_conditions(board((12.5, 10)), "ann", fled=""),
    "endangered": lambda: with_conditions(defended(board()), "ann", endangered=""),
    "carries a captive": lambda: with_conditions(rolled(far()), "cy", carried="ann"),
    "another carries the captive": lambda: with_conditions(rolled(far()), "cy", carried="bo"),
    "hit": lambda: with_conditions(defended(board(), "failed"), "ann", hit=""),
    "an enemy prone": lambda: with_conditions(defended(board()), "orc", prone=""),
    "a hidden enemy": lambda: with_token(board(), "orc", hidden=True),
    "captured": lambda: with_conditions(board(), "ann", captured=""),
    "incapacitated": lambda: with_conditions(board(), "ann", incapacitated=""),
    "out": lambda: with_token(with_conditions(board(), "ann", out=""), "ann", at=None),
    "off the board": lambda: with_token(board(), "ann", at=None),
    "not in the active group": lambda: activated(captive(setup()), "bo"),
    "before its group is activated": lambda: captive(setup()),
    "its group named by the enemy": lambda: with_conditions(captive(setup()), "bo", named=""),
    "another side's turn": lambda: captive(setup(turn="orcs")),
    "after victory": lambda: replace(board(), conditions={"won": "heroes"}),
}

ACTS: dict[str, Act | Try] = {
    "activate": act("activate", "ann"),
    "activate with an ally": act("activate", "ann", members=("bo",)),
    "activate with an enemy": act("activate", "ann", members=("orc",)),
    "roll for movement": act("roll_movement", "ann", dice=1),
    "move 1 inch back": act("move", "ann", at=(9, 10)),
    "move onto the enemy": act("move", "ann", at=(11.5, 10)),
    "move beside the far enemy": act("move", "ann", at=(14.5, 10)),
    "move off the board": act("move", "ann", at=(90, 10)),
    "defend": act("defend", "ann", "orc", dice=1),
    "defend without dice": act("defend", "ann", "orc"),
    "defend against all": act("defend", "ann"),
    "fall back": act("fall_back", "ann", "orc", dice=1),
    "attack": act("attack", "ann", "orc", dice=1),
    "attack an ally": act("attack", "ann", "bo", dice=1),
    "attack with 3 dice": act("attack", "ann", "orc", dice=3),
    "lunge": act("lunge", "ann", "orc", dice=1),
    "push": act("push", "ann", "orc", dice=1),
    "sweep": Try(act("sweep", "ann", dice=1), profile(two_handed=True)),
    "sweep with a basic weapon": act("sweep", "ann", dice=1),
    "stand up": act("action", "ann", weapon="stand"),
    "mount": act("action", "ann", weapon="mount"),
    "dismount": act("action", "ann", weapon="dismount"),
    "use a thing": act("action", "ann", weapon="use"),
    "climb": act("action", "ann", weapon="climb"),
    "take up a captive": act("carry", "ann", "cy"),
    "take up an ally": act("carry", "ann", "bo"),
    "end": act("end", "ann"),
    "give the turn": act("turn", "ann", side="orcs"),
    "story event": act("event", "ann", side="heroes", text="Rain."),
    "victory": act("victory", "ann", side="heroes"),
}

# What stands between Ann and an enemy to the east, half an inch from her base

WALL = wall("w", 10.6, 0, 10.6, 40)
SQUARE = ((10, 9), (11, 9), (10, 10), (11, 10))


def field(*walls, **more):
    """Ann has defended against nothing yet; each act places the enemy."""
    board_ = scene(
        hero("ann", (10, 10)),
        hero("bo", (40, 5)),
        orc("orc", (40, 30)),
        orc("az", (50, 5)),
        walls=walls,
        **more,
    )
    return activated(board_, "ann")


def ground(**fields):
    """Build a field with terrain east of Ann."""
    return field(terrain=(Terrain("t", "Ground", ((11, 9), (11, 10)), **fields),))


BARRIERS = {
    "nothing": field,
    "a wall": lambda: field(WALL),
    "a wall that is open from here": lambda: field(replace(WALL, one_way="left")),
    "a wall that is open from there": lambda: field(replace(WALL, one_way="right")),
    "a closed door": lambda: field(replace(WALL, door="door")),
    "an open door": lambda: field(replace(WALL, door="door", state="open")),
    "a window": lambda: field(replace(WALL, sight="none")),
    "a curtain": lambda: field(replace(WALL, move="none")),
    "closed ground": lambda: ground(cost=0),
    "difficult ground": lambda: ground(cost=2),
    "cover": lambda: ground(kind="cover"),
    "a height": lambda: ground(height=2),
}


def at_gap(gap: float, then: Callable[[Scene], Scene] = lambda made: made) -> Callable[[Scene], Scene]:
    """Return what puts the orc so many inches from Ann's base, and makes her defended against it."""

    def arrange(made: Scene) -> Scene:
        made = with_token(made, "orc", at=inches(11 + gap, 10))
        made = replace(made, conditions={**made.conditions, "activated": "engaged"})
        made = with_conditions(made, "ann", defended="orc=held")
        return then(with_tracks(made, "ann", dice=3))

    return arrange


def unengaged(made: Scene) -> Scene:
    """Return the scene after a movement roll of 6 inches."""
    return go(made, act("roll_movement", "ann", dice=1), 6).scene


ACROSS: dict[str, Act | Try] = {
    **{f"attack at {gap}": Try(act("attack", "ann", "orc", dice=1), at_gap(gap)) for gap in (0.5, 1, 1.5)},
    "spear at 2": Try(act("attack", "ann", "orc", dice=1), at_gap(2, profile(weapon="pole"))),
    "close weapon at 0": Try(act("attack", "ann", "orc", dice=1), at_gap(0, profile(weapon="close"))),
    "close weapon at 0.5": Try(act("attack", "ann", "orc", dice=1), at_gap(0.5, profile(weapon="close"))),
    **{f"lunge at {gap}": Try(act("lunge", "ann", "orc", dice=1), at_gap(gap)) for gap in (1, 2, 3, 3.5)},
    "push at 0.5": Try(act("push", "ann", "orc", dice=1), at_gap(0.5)),
    "push at 1.5": Try(act("push", "ann", "orc", dice=1), at_gap(1.5)),
    "push toward at 1": Try(act("push", "ann", "orc", at=(11, 10), dice=1), at_gap(1)),
    "sweep at 0.5": Try(act("sweep", "ann", dice=1), at_gap(0.5, profile(two_handed=True))),
    "fall back from the west": Try(
        act("fall_back", "ann", "orc", dice=1),
        lambda made: with_tracks(
            replace(
                with_token(made, "orc", at=inches(8.5, 10)),
                conditions={**made.conditions, "activated": "engaged"},
            ),
            "ann",
            dice=3,
        ),
    ),
    "move 3 inches": Try(act("move", "ann", at=(13, 10)), unengaged),
    "move to contact": Try(
        act("move", "ann", at=(13, 10)), lambda made: unengaged(with_token(made, "orc", at=inches(14, 10)))
    ),
}

# What is unfinished as an activation ends


ARCHER = {"level": 1, "minion": True, "missiles": True}

UNFINISHED = {
    "nothing": lambda: with_tracks(defended(board()), "ann", dice=0),
    "dice held back": lambda: defended(board()),
    "a defense owed": board,
    "two defenses owed": lambda: with_token(board(), "az", at=inches(10, 11.5)),
    "a defense owed without dice": lambda: with_tracks(board(), "ann", dice=0),
    "hits of this turn": lambda: with_tracks(defended(board()), "orc", hits=1),
    "a shield used": lambda: with_conditions(defended(board()), "ann", shield_used=""),
    "prone": lambda: with_conditions(defended(board()), "ann", prone=""),
    "stumbled": lambda: with_tracks(defended(board()), "ann", stumble=1),
    "endangered beside an enemy": lambda: with_conditions(defended(board()), "ann", endangered=""),
    "endangered far from enemies": lambda: with_conditions(rolled(far()), "ann", endangered=""),
    "fled and not engaged": lambda: with_conditions(rolled(far()), "ann", fled=""),
    "fled and attacked": lambda: with_conditions(defended(board()), "ann", fled=""),
    "movement not rolled": far,
    "a part of the movement left": lambda: rolled(far()),
    "archers who may still fire": lambda: with_conditions(
        with_token(rolled(far()), "az", at=inches(20, 10), profile=ARCHER), "az", in_sight=""
    ),
    "a captive put down": lambda: with_conditions(rolled(far()), "cy", carried="ann"),
    "story points left": lambda: with_points(defended(board()), "heroes", 2),
    "a named model": lambda: with_conditions(defended(board()), "orc", named=""),
    "no group activated": lambda: captive(setup()),
    "out in its own turn": lambda: with_token(with_conditions(board(), "ann", out=""), "ann", at=None),
    "the enemies all out": lambda: with_conditions(
        with_conditions(defended(board()), "orc", out=""), "az", out=""
    ),
    "after victory": lambda: replace(board(), conditions={"won": "heroes"}),
}

ENDS: dict[str, Act | Try] = {
    "end": act("end", "ann"),
    "end by an ally": act("end", "bo"),
    "end by an enemy": act("end", "orc"),
    "activate another group": act("activate", "bo"),
    "give the turn": act("turn", "ann", side="orcs"),
    "victory": act("victory", "ann", side="heroes"),
}

TABLES = {
    "combinations": Combinations(MINIATURES_COMBAT, STATES, ACTS),
    "barriers": Combinations(MINIATURES_COMBAT, BARRIERS, ACROSS, HIT),
    "ends": Combinations(MINIATURES_COMBAT, UNFINISHED, ENDS, HIT),
}
