"""Pushes, pulls, spells and drags of Coup de Grace: a wall, closed ground, the edge and others end them."""

from __future__ import annotations

import pytest

from enfilade.scene.model import Terrain, Wall
from tests.unit.rulesets.coup_de_grace.scenes import EAST, NORTH, act, active, after, battle, do, foe, mini


def row_wall(y, **more):
    """A wall along the upper edge of a row that hides nothing."""
    return Wall(id=f"w{y}", line=(0, y * 64, 12 * 64, y * 64), sight="none", **more)


def hooked(*tokens, at=(4, 4), walls=(), terrain=(), rules=None):
    thrower = mini("Ann", at=(4, 8), hands=("grappling hook", "fist"))
    return battle(
        thrower, foe("Orc", at=at), *tokens, walls=tuple(walls), terrain=tuple(terrain), rules=rules
    )


HOOK = act("ranged", "ann", "orc", "grappling hook")


@pytest.mark.rule("CDG-046")
def test_a_hook_pulls_straight_to_the_square_in_front_and_no_farther_than_a_wall():
    assert after(hooked(), HOOK, 6).token("orc").at == (4, 7)
    assert after(hooked(walls=[row_wall(6)]), HOOK, 6).token("orc").at == (4, 5)
    assert after(hooked(walls=[row_wall(5)]), HOOK, 6).token("orc").at == (4, 4)
    rocks = Terrain(id="t", name="Rocks", kind="rocks", cells=((4, 6),), cost=0)
    assert after(hooked(terrain=[rocks]), HOOK, 6).token("orc").at == (4, 5)


def test_a_hook_pulls_nobody_onto_closed_ground_and_nobody_who_is_out():
    corners = {"adjacency": "edges and corners"}
    assert after(hooked(at=(7, 4), rules=corners), HOOK, 6).token("orc").at == (4, 7)
    pit = Terrain(id="t", name="Pit", kind="pit", cells=((4, 7),), cost=0)
    full = hooked(at=(7, 4), rules=corners, terrain=[pit])
    assert after(full, HOOK, 6).token("orc").at == (7, 4)
    thrower = mini("Ann", at=(4, 8), race="orc", hands=("grappling hook", "fist"))
    board = battle(thrower, foe("Orc", at=(4, 4), hp=0), foe("Far", at=(0, 0)))
    gone = do(board, HOOK, 6, answers=()).scene
    assert gone.token("orc").has("out")
    assert gone.token("orc").at is None


@pytest.mark.rule("CDG-046")
def test_who_is_dragged_goes_over_the_squares_that_were_left_and_through_no_wall():
    ann = mini("Ann", at=(4, 4), facing=NORTH, hands=("entangling weapon", "fist"))
    orc = foe("Orc", at=(4, 3))
    board = battle(ann, orc)
    tangled = after(active(board, "ann"), act("entangle", "ann", "orc"), 6, 6)
    assert after(tangled, act("move", "ann", at=(6, 4), facing=EAST)).token("orc").at == (5, 4)
    walled = battle(ann, orc, walls=(row_wall(4, door="door", state="open"),))
    shut = [row_wall(4, door="door", state="closed")]
    tangled = after(active(walled, "ann"), act("entangle", "ann", "orc"), 6, 6)
    closed = type(tangled)(
        **{**{name: getattr(tangled, name) for name in tangled.__struct_fields__}, "walls": tuple(shut)}
    )
    done = do(closed, act("move", "ann", at=(6, 4), facing=EAST))
    assert done.scene.token("orc").at == (4, 3)
    assert "dragged" not in [getattr(event, "kind", "") for event in done.events]


@pytest.mark.rule("CDG-063")
def test_only_a_victim_beside_its_captor_is_dragged():
    """One that a hammer has pushed away is fetched from nowhere ("drags it into squares vacated")."""
    ann = mini("Ann", at=(4, 4), facing=NORTH, hands=("entangling weapon", "hammer"))
    board = active(battle(ann, foe("Orc", at=(4, 3))), "ann")
    tangled = after(board, act("entangle", "ann", "orc"), 6, 6)
    pushed = after(tangled, act("melee", "ann", "orc", "hammer"), 6)
    assert pushed.token("orc").at == (4, 2)
    left = after(pushed, act("move", "ann", at=(5, 4), facing=EAST))
    assert left.token("orc").at == (4, 2)
    # It is caught still: beside it once more, the captor drags it on.
    back = after(pushed, act("move", "ann", at=(4, 3), facing=NORTH))
    assert back.token("orc").at == (4, 2)
    assert after(back, act("move", "ann", at=(3, 3), facing=NORTH)).token("orc").at == (4, 3)
