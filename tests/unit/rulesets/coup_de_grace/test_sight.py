"""Lines of sight between miniatures, and their blockers (CDG-051)."""

import pytest

from enfilade.geometry.board.hex import HexBoard
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.rulesets.coup_de_grace.battlefield import battlefield
from enfilade.rulesets.coup_de_grace.sight import seen_from
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


BETWEEN_TWO = {(1, 1): ((1, 0), (0, 1)), (2, -1): ((1, 0), (1, -1)), (1, -2): ((1, -1), (0, -1))}
BETWEEN_TWO |= {(-q, -r): tuple((-a, -b) for a, b in two) for (q, r), two in BETWEEN_TWO.items()}
"""The hexes on both sides of the line to a hex across a side, in axial coordinates."""


def across_a_side(layout, end, fill, **more):
    """Ann looks along the side that two hexes share; `fill` gets both and returns tokens and terrain."""
    board = HexBoard(11, 11, layout)
    q, r = board.axial((5, 5))
    target, *two = (board.offset((q + dq, r + dr)) for dq, dr in (end, *BETWEEN_TWO[end]))
    tokens, terrain = fill(two)
    both = mini("Ann", at=(5, 5)), foe("Orc", at=target)
    return battle(*both, *tokens, grid=f"hex_{layout}", size=(11, 11), terrain=terrain, **more), target


def one_wood(two):
    return (), (Terrain(id="wood", name="Wood", cells=tuple(two), blocks_sight=True),)


def two_units(two):
    return (mini("Bo", at=two[0]), foe("Ork", at=two[1])), ()


def a_wood_and_a_unit(two):
    return (mini("Bo", at=two[0]),), (Terrain(id="w", name="W", cells=(two[1],), blocks_sight=True),)


@pytest.mark.rule("CDG-051")
@pytest.mark.parametrize("layout", ["odd_r", "even_r", "odd_q", "even_q"])
@pytest.mark.parametrize("end", BETWEEN_TWO)
@pytest.mark.parametrize("fill", [one_wood, two_units, a_wood_and_a_unit])
def test_the_side_that_two_filled_hexes_share_blocks_sight(layout, end, fill):
    # "Line of sight: the line must not cross what blocks it": it ran unseen between two full hexes.
    scene, target = across_a_side(layout, end, fill)
    assert sight(scene).is_seen is False
    assert sight(scene, "orc", "ann").why == "Blocked by what fills the two hexes that the line runs between."
    assert target not in seen_from(battlefield(scene), (5, 5))
    half, _ = across_a_side(layout, end, lambda two: fill([two[0], (0, 0)]))
    assert sight(half).is_seen
    open_sides, _ = across_a_side(layout, end, fill, rules={"corners": False})
    assert sight(open_sides).is_seen
