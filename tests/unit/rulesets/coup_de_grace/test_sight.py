"""Lines of sight between miniatures, and their blockers (CDG-051)."""

import pytest

from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.scene.model import Terrain
from tests.unit.rulesets.coup_de_grace.scenes import battle, foe, mini, wall

BETWEEN = (3, 0, 3, 6)


def sight(scene, viewer="ann", target="orc"):
    return COUP_DE_GRACE.sight(scene, scene.token(viewer), scene.token(target))


def facing_off(*others, **more):
    return battle(mini("Ann", at=(1, 2)), foe("Orc", at=(5, 2)), *others, **more)


@pytest.mark.rule("CDG-051")
def test_a_clear_line_goes_from_center_to_center():
    found = sight(facing_off())
    assert (found.is_seen, found.why, found.blocker) == (True, "", None)
    assert (found.line, found.distance) == ((96, 160, 352, 160), "4 squares")


@pytest.mark.rule("CDG-051")
@pytest.mark.parametrize(
    ("more", "why", "blocker"),
    [
        ({}, "Blocked by the wall between you and Orc.", ("wall", "w3-0-3-6", "the wall")),
        ({"door": "door"}, "Blocked by the door between you and Orc.", ("door", "w3-0-3-6", "the door")),
        ({"door": "secret"}, "Blocked by the wall between you and Orc.", ("wall", "w3-0-3-6", "the wall")),
    ],
)
def test_a_wall_or_a_door_is_named_with_the_point_where_it_stops_the_line(more, why, blocker):
    found = sight(facing_off(walls=(wall(*BETWEEN, **more),)))
    assert (found.is_seen, found.why, found.at) == (False, why, (192, 160))
    assert (found.blocker.kind, found.blocker.id, found.blocker.name) == blocker


@pytest.mark.rule("CDG-051")
def test_an_open_door_stops_nothing():
    assert sight(facing_off(walls=(wall(*BETWEEN, door="door", state="open"),))).is_seen


@pytest.mark.rule("CDG-051")
def test_a_miniature_in_the_way_is_named_friend_or_foe():
    found = sight(facing_off(mini("Bo", at=(3, 2))))
    assert (found.why, found.blocker.kind, found.blocker.id) == ("Blocked by Bo.", "token", "bo")


@pytest.mark.rule("CDG-051")
def test_ground_that_hides_is_named():
    hedge = Terrain(id="hedge", name="Hedge", cells=((3, 2),), blocks_sight=True)
    found = sight(facing_off(terrain=(hedge,)))
    assert (found.blocker.kind, found.blocker.id, found.blocker.name) == ("terrain", "hedge", "Hedge")


def test_a_verdict_on_an_absent_token_or_itself_is_empty():
    scene = battle(mini("Ann", at=(1, 2)), foe("Orc", at=None))
    assert sight(scene).is_seen is None
    assert sight(scene, "ann", "ann").line is None


def test_on_hexes_distance_is_counted_in_hexes():
    assert sight(facing_off(grid="hex_odd_r")).distance == "4 hexes"
    assert sight(battle(mini("Ann", at=(1, 2)), foe("Orc", at=(2, 2)))).distance == "1 square"
