"""Adjacency and facing: CDG-011 to CDG-018."""

import math

import pytest

from enfilade.rulesets.coup_de_grace.battlefield import battlefield, front_arc
from tests.unit.rulesets.coup_de_grace.scenes import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    act,
    after,
    battle,
    cells,
    defense,
    foe,
    judge,
    mini,
    modifiers,
    reach,
    why_not,
)

HEX_GRIDS = ("hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q")


@pytest.mark.rule("CDG-011")
def test_the_board_is_squares_with_one_miniature_each():
    scene = battle(mini("Ann", at=(2, 2)), mini("Bo", at=(2, 1)))
    ruling = judge(scene, "ann", (2, 1))
    assert not ruling.allowed
    assert "Bo stands there" in ruling.reasons[0]
    assert (2, 1) not in reach(scene, "ann")


@pytest.mark.rule("CDG-012")
def test_the_four_squares_along_the_edges_are_adjacent_and_the_diagonals_never():
    adjacent = [(2, 1), (3, 2), (2, 3), (1, 2)]
    for at in [(x, y) for x in (1, 2, 3) for y in (1, 2, 3) if (x, y) != (2, 2)]:
        scene = battle(mini("Ann", at=(2, 2)), foe("Orc", at=at))
        cost = judge(scene, "ann", (2, 2), SOUTH).cost
        assert cost == (2 if at in adjacent else 1), at


@pytest.mark.rule("CDG-013")
def test_a_miniature_faces_one_of_four_edges_for_each_angle():
    scene = battle(mini("Ann", at=(2, 2), facing=100), foe("Orc", at=(3, 2), facing=WEST))
    assert why_not(scene, act("melee", "ann", "orc")) is None
    turned = after(scene, act("move", "ann", at=(2, 3), facing=359))
    assert turned.token("ann").facing == NORTH


@pytest.mark.rule("CDG-014")
def test_a_melee_attack_goes_straight_ahead_only():
    for facing, at in {NORTH: (2, 1), EAST: (3, 2), SOUTH: (2, 3), WEST: (1, 2)}.items():
        orcs = [
            foe(name, at=there) for name, there in zip("NESW", [(2, 1), (3, 2), (2, 3), (1, 2)], strict=True)
        ]
        scene = battle(mini("Ann", at=(2, 2), facing=facing), *orcs)
        for orc in orcs:
            expected = None if orc.at == at else "CDG-014"
            assert why_not(scene, act("melee", "ann", orc.id)) == expected, (facing, orc.at)


@pytest.mark.rule("CDG-015")
def test_t02_the_front_arc_is_rows_of_3_5_7_and_9():
    arc = cells(battle(mini("Ann", at=(6, 10))), "ann", "arc")["Front arc"]
    for row in (1, 2, 3, 4):
        assert {x for x, y in arc if y == 10 - row} == set(range(6 - row, 6 + row + 1))
    assert all(y < 10 for _, y in arc)


@pytest.mark.rule("CDG-016")
def test_the_front_arc_governs_the_archers_aim_and_the_shields_cover():
    scene = battle(
        mini("Ann", at=(5, 5), hands=("bow",)),
        foe("Edge", at=(4, 4), facing=SOUTH, hands=("sword", "shield")),
        foe("Side", at=(3, 4)),
    )
    assert why_not(scene, act("ranged", "ann", "edge", "bow")) is None
    assert why_not(scene, act("ranged", "ann", "side", "bow")) == "CDG-050"
    assert shield_helps(facing=SOUTH)
    assert shield_helps(facing=EAST)
    assert not shield_helps(facing=NORTH)
    assert not shield_helps(facing=WEST)


def shield_helps(facing):
    """Return whether a shield helps against an arrow from the southeast corner square."""
    scene = battle(
        mini("Ann", at=(5, 5), hands=("bow",)),
        foe("Orc", at=(4, 4), facing=facing, hands=("sword", "shield")),
    )
    return defense(scene, act("ranged", "ann", "orc", "bow")) == 4 + 1


@pytest.mark.rule("CDG-017")
def test_t03_range_counts_orthogonal_steps():
    scene = battle(mini("Ann", at=(0, 0)))
    distance = battlefield(scene).board.distance
    assert distance((0, 0), (0, 1)) == 1
    assert distance((0, 0), (1, 1)) == 2
    scene = battle(mini("Ann", at=(5, 9), hands=("bow",)), foe("Orc", at=(2, 6)))
    assert modifiers(scene, act("ranged", "ann", "orc", "bow")) == {"range 6": -1}


@pytest.mark.rule("CDG-018")
@pytest.mark.parametrize("grid", HEX_GRIDS)
def test_on_hexes_six_are_adjacent_and_the_front_arc_is_rings_of_3_5_7_and_9(grid):
    scene = battle(mini("Ann", at=(8, 8)), grid=grid, size=(17, 17))
    fight = battlefield(scene)
    assert len(list(fight.board.neighbors((8, 8)))) == 6
    assert len(fight.facings) == 6
    for facing in fight.facings:
        arc = front_arc(fight.board, (8, 8), facing)
        sizes = [sum(fight.board.distance((8, 8), cell) == ring for cell in arc) for ring in (1, 2, 3, 4)]
        assert sizes == [3, 5, 7, 9]
        assert fight.cell_toward((8, 8), facing) in arc


@pytest.mark.rule("CDG-018")
@pytest.mark.parametrize("grid", HEX_GRIDS)
def test_on_hexes_the_cell_ahead_lies_where_the_miniature_faces(grid):
    fight = battlefield(battle(mini("Ann", at=(5, 5)), grid=grid))
    x, y = fight.board.center((5, 5))
    for facing in fight.facings:
        to_x, to_y = fight.board.center(fight.cell_toward((5, 5), facing))
        heading = math.degrees(math.atan2(to_x - x, y - to_y)) % 360
        assert abs(heading - facing) < 10  # centers are rounded


@pytest.mark.rule("CDG-018")
@pytest.mark.parametrize("grid", HEX_GRIDS)
def test_on_hexes_all_other_rules_hold(grid):
    scene = battle(mini("Ann", at=(5, 5)), grid=grid)
    fight = battlefield(scene)
    for facing in fight.facings:
        ahead, behind = fight.cell_toward((5, 5), facing), fight.cell_toward((5, 5), (facing + 180) % 360)
        scene = battle(
            mini("Ann", at=(5, 5), facing=facing),
            foe("Orc", at=ahead, facing=facing),
            foe("Cur", at=behind, facing=facing),
            grid=grid,
        )
        assert modifiers(scene, act("melee", "ann", "orc")) == {"backstab": 1, "distracted by Cur": -1}
        assert why_not(scene, act("melee", "ann", "cur")) == "CDG-014"
        assert judge(scene, "ann", (5, 5), (facing + 180) % 360).cost == 4


@pytest.mark.rule("CDG-018")
def test_on_hexes_a_miniature_walks_and_sees_and_is_hidden_by_others():
    scene = battle(
        mini("Ann", at=(2, 5), facing=EAST, hands=("bow",), armor="unarmored"),
        foe("Orc", at=(5, 5)),
        foe("Far", at=(8, 5)),
        grid="hex_odd_r",
    )
    assert why_not(scene, act("ranged", "ann", "orc", "bow")) is None
    assert why_not(scene, act("ranged", "ann", "far", "bow")) == "CDG-051"
    assert judge(scene, "ann", (4, 5)).cost == 2
    assert (8, 5) not in cells(scene, "ann", "sight")["Seen"]
    assert (5, 5) in cells(scene, "ann", "sight")["Seen"]


@pytest.mark.rule("CDG-018")
def test_on_hexes_a_hammer_pushes_straight_on():
    scene = battle(
        mini("Ann", at=(5, 5), facing=EAST, hands=("hammer", "fist")), foe("Orc", at=(6, 5)), grid="hex_odd_r"
    )
    assert after(scene, act("melee", "ann", "orc", "hammer"), 6).token("orc").at == (7, 5)
