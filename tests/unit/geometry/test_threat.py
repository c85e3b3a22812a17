"""Threat: who can come and strike where."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade.geometry.board.footprint import ONE_CELL, block, ring
from enfilade.geometry.board.shapes import Wall
from enfilade.geometry.board.square import FACINGS, Diagonals, SquareBoard
from enfilade.geometry.movement.barriers import attack_lanes
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.movement.step_costs import facing_step_costs
from enfilade.geometry.movement.terrain_cost import Mover, open_terrain
from enfilade.geometry.movement.threat import Attacker, threat
from tests.unit.geometry.scenes import graph_of, graphs

BOARD = SquareBoard(9, 9)


def laid(board=BOARD, walls=(), mover=None, **more):
    terrain = open_terrain(board, walls)
    return MovementGraph(
        board, type(terrain)(terrain.enter, terrain.leave, terrain.barred, **more), mover or Mover()
    )


def threatened(graph, attacker, free):
    return threat(graph, [attacker], free).cells


def test_who_may_not_move_threatens_the_ring_round_its_footprint():
    free = attack_lanes(BOARD, bytes(11 * 11 + 1))
    assert set(threatened(laid(), Attacker((4, 4), 0), free)) == ring(BOARD, [(4, 4)])
    troll = laid(mover=Mover(footprint=block(2, 2)))
    assert len(threatened(troll, Attacker((4, 4), 0), free)) == 12


def test_one_step_widens_the_threat_to_the_own_cell_and_beyond():
    struck = threatened(laid(), Attacker((4, 4), 1), attack_lanes(BOARD, bytes(11 * 11 + 1)))
    assert (4, 4) in struck
    assert (4, 2) in struck
    assert (4, 1) not in struck


def test_a_gnome_threatens_only_the_cases_it_can_come_to():
    graph = laid()
    found = threatened(graph, Attacker((4, 4), 2, reach=0), attack_lanes(BOARD, bytes(11 * 11 + 1)))
    assert found == Field(graph, (4, 4), 2).reach


def test_a_wall_stops_the_blow_as_well_as_the_step():
    graph = laid(walls=[Wall((0, 256, 576, 256))])
    struck = threatened(graph, Attacker((4, 4), 3), attack_lanes(BOARD, graph.terrain.barred))
    assert all(row >= 4 for _, row in struck)


def test_a_spear_reaches_two_cells():
    struck = threatened(laid(), Attacker((4, 4), 0, reach=2), attack_lanes(BOARD, bytes(11 * 11 + 1)))
    assert len(struck) == 24


def test_nobody_strikes_from_a_cell_where_the_move_may_not_end():
    row = SquareBoard(9, 1)
    graph = laid(row, no_end=[(1, 0)])
    assert set(threatened(graph, Attacker((0, 0), 1), attack_lanes(row, bytes(3 * 11 + 1)))) == {(1, 0)}


def test_the_sum_counts_each_enemy_once():
    graph, free = laid(), attack_lanes(BOARD, bytes(11 * 11 + 1))
    attackers = [Attacker((1, 1), 1), Attacker((4, 4), 2), Attacker((4, 4), 0)]
    total = threat(graph, attackers, free)
    alone = [threatened(graph, attacker, free) for attacker in attackers]
    for x in range(9):
        for y in range(9):
            assert total[x, y] == sum((x, y) in mask for mask in alone)


def test_a_facing_mover_or_one_off_the_board_is_refused():
    step_costs = facing_step_costs(FACINGS, step=lambda _: 1, turn=lambda _: 1)
    with pytest.raises(ValueError, match="facing"):
        threat(laid(mover=Mover(step_costs=step_costs)), [Attacker((0, 0), 1)], bytes(11 * 11 + 1))
    free = attack_lanes(BOARD, bytes(11 * 11 + 1))
    with pytest.raises(ValueError, match="is not on the board"):
        threat(laid(), [Attacker((9, 9), 1)], free)
    with pytest.raises(ValueError, match="is not on the board"):
        threat(laid(mover=Mover(footprint=block(2, 2))), [Attacker((8, 8), 1)], free)
    with pytest.raises(ValueError, match="another board"):
        threat(laid(), [Attacker((1, 1), 1)], free[:-1])


@settings(max_examples=60)
@given(graphs(), st.integers(0, 12), st.integers(1, 3))
def test_threat_is_the_ring_round_every_end_of_the_field(scene, budget, reach):
    board, *_, start = scene
    if getattr(board, "diagonals", None) in (Diagonals.ALTERNATING_1, Diagonals.ALTERNATING_2):
        return
    graph = graph_of(*scene[:-1])
    expected = set()
    for cell in Field(graph, start, budget).ends:
        near = {cell}
        for _ in range(reach):
            near |= ring(board, near)
        expected |= near - set(ONE_CELL.cells(board, cell))
    free = attack_lanes(board, bytes(graph.grid.size))
    assert set(threatened(graph, Attacker(start, budget, reach), free)) == expected
