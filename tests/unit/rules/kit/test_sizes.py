"""Bodies of several cells: the parts of the kit measure, move and see from all of them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.fixtures.fifth_edition import FIFTH_EDITION
from tests.unit.rules.kit.test_kit import ALTERNATE, SIDES, board, costs, do

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.rules.conformance import checks
from enfilade.rules.conformance.games import game
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.scene.model import Wall

OGRE = ("ogre", "red", (4, 4))


def with_ogre(ruleset, *tokens, kind="square", size=(2, 2), **parts):
    scene = board(ruleset, OGRE, *tokens, kind=kind, **parts)
    return replace(
        scene, tokens=tuple(replace(one, size=size) if one.id == "ogre" else one for one in scene.tokens)
    )


def test_no_one_enters_any_cell_of_a_big_body():
    scene = with_ogre(ALTERNATE, ("ann", "blue", (3, 5)))
    reached = costs(ALTERNATE, scene, "ann")
    assert not {(4, 4), (5, 4), (4, 5), (5, 5)} & reached.keys()
    assert (4, 3) in reached
    ruling = ALTERNATE.judge(scene, scene.token("ann"), [(5, 5)], None)
    assert ruling.reasons == ("Ogre stands there. (ARC-002)",)


def test_beside_a_big_body_the_distance_is_one():
    scene = with_ogre(ALTERNATE, ("ann", "blue", (6, 5)))
    seen = ALTERNATE.sight(scene, scene.token("ann"), scene.token("ogre"))
    assert (seen.distance, seen.is_seen) == ("1 square", True)
    far = with_ogre(ALTERNATE, ("ann", "blue", (0, 0)), size=(1, 1))
    near = with_ogre(ALTERNATE, ("ann", "blue", (0, 5)))
    assert ALTERNATE.sight(far, far.token("ann"), far.token("ogre")).distance == "4 squares"
    assert ALTERNATE.sight(near, near.token("ogre"), near.token("ann")).distance == "4 squares"


def test_an_attack_reaches_the_nearest_cell_of_a_big_body():
    # The first cell of the ogre is five squares away, its last four.
    scene = with_ogre(ALTERNATE, ("ann", "blue", (7, 7)), size=(1, 1))
    grown = with_ogre(ALTERNATE, ("ann", "blue", (0, 0)))
    assert do(ALTERNATE, scene, [6], kind="shoot", token="ann", target="ogre").result.result == "hit"
    assert do(ALTERNATE, grown, [6], kind="shoot", token="ann", target="ogre").result.result == "hit"
    away = with_ogre(ALTERNATE, ("ann", "blue", (0, 0)), size=(1, 1))
    moved = replace(
        away, tokens=tuple(replace(one, at=(5, 5)) if one.id == "ogre" else one for one in away.tokens)
    )
    with pytest.raises(OutOfReach, match="5 squares"):
        do(ALTERNATE, moved, kind="shoot", token="ann", target="ogre")


def test_a_big_body_needs_room_for_all_of_it():
    scene = with_ogre(SIDES, ("ann", "red", (7, 7)), ("bob", "blue", (0, 0)))
    reached = costs(SIDES, replace(scene, conditions={"next": "red"}), "ogre")
    assert not any(x == 7 or y == 7 for x, y in reached)  # its last column or row would be off the board
    assert (6, 6) not in reached  # Ann is in its last cell there
    assert (5, 6) in reached
    with pytest.raises(IllegalAct):
        do(SIDES, scene, kind="move", token="ogre", at=(7, 0))


def test_a_wall_stops_a_big_body_that_does_not_fit_past_it():
    gap = (Wall(id="up", line=(192, 0, 192, 256)), Wall(id="down", line=(192, 320, 192, 512)))
    small, big = (
        with_ogre(SIDES, ("ann", "blue", (7, 0)), size=size, walls=gap) for size in ((1, 1), (2, 2))
    )
    assert any(x < 3 for x, _ in costs(SIDES, replace(small, conditions={"next": "red"}), "ogre"))
    assert not any(x < 3 for x, _ in costs(SIDES, replace(big, conditions={"next": "red"}), "ogre"))


@pytest.mark.parametrize("kind", ["hex_odd_r", "hex_even_q"])
def test_on_hexes_a_big_body_fills_columns_and_rows(kind):
    scene = with_ogre(SIDES, ("ann", "blue", (2, 4)), ("bob", "blue", (1, 1)), kind=kind)
    assert not {(4, 4), (5, 4), (4, 5), (5, 5)} & costs(SIDES, scene, "ann").keys()
    reached = costs(SIDES, replace(scene, conditions={"next": "red"}), "ogre")
    assert reached
    assert not any({(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)} & {(2, 4), (1, 1)} for x, y in reached)


@pytest.mark.parametrize("ruleset", [ALTERNATE, SIDES, FIFTH_EDITION], ids=["alternate", "sides", "fifth"])
@pytest.mark.parametrize("seed", range(6))
def test_games_of_big_bodies_pass_the_checks(ruleset, seed):
    played = list(game(ruleset, skirmish(ruleset, seed, size=8, body=(2, 2)), seed))
    assert played
    for one in played:
        checks.check_act(ruleset, one)
