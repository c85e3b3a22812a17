"""Threat: the cells that enemies can attack after a move."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade.geometry.board.footprint import ONE_CELL, block, ring
from enfilade.geometry.board.shapes import Wall
from enfilade.geometry.board.square import FACINGS, Diagonals, SquareBoard
from enfilade.geometry.movement.barriers import attack_lanes
from enfilade.geometry.movement.costs import Mover, facing_step_costs, open_terrain
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.movement.threat import Attacker, reached_by_any, threat
from tests.seeds import examples
from tests.unit.geometry.scenes import graph_of, graphs

BOARD = SquareBoard(9, 9)


def graph_on(board=BOARD, walls=(), mover=None, **more):
    terrain = open_terrain(board, walls)
    return MovementGraph(
        board, type(terrain)(terrain.enter, terrain.leave, terrain.barred, **more), mover or Mover()
    )


def threatened(graph, attacker, lanes):
    return threat(graph, [attacker], lanes).cells


def test_an_enemy_that_cannot_move_threatens_the_ring_around_its_footprint():
    lanes = attack_lanes(BOARD, bytes(11 * 11 + 1))
    assert set(threatened(graph_on(), Attacker((4, 4), 0), lanes)) == ring(BOARD, [(4, 4)])
    troll = graph_on(mover=Mover(footprint=block(2, 2)))
    assert len(threatened(troll, Attacker((4, 4), 0), lanes)) == 12


def test_one_step_extends_the_threat_to_the_own_cell_and_beyond():
    attacked = threatened(graph_on(), Attacker((4, 4), 1), attack_lanes(BOARD, bytes(11 * 11 + 1)))
    assert (4, 4) in attacked
    assert (4, 2) in attacked
    assert (4, 1) not in attacked


def test_a_gnome_threatens_only_the_cells_in_its_reach():
    graph = graph_on()
    found = threatened(graph, Attacker((4, 4), 2, reach=0), attack_lanes(BOARD, bytes(11 * 11 + 1)))
    assert found == Field(graph, (4, 4), 2).reach


def test_a_wall_stops_attacks_and_steps():
    graph = graph_on(walls=[Wall((0, 256, 576, 256))])
    attacked = threatened(graph, Attacker((4, 4), 3), attack_lanes(BOARD, graph.terrain.barred))
    assert all(row >= 4 for _, row in attacked)


def test_a_spear_reaches_two_cells():
    attacked = threatened(graph_on(), Attacker((4, 4), 0, reach=2), attack_lanes(BOARD, bytes(11 * 11 + 1)))
    assert len(attacked) == 24


def test_no_enemy_attacks_from_a_cell_where_its_move_may_not_end():
    row = SquareBoard(9, 1)
    graph = graph_on(row, no_end=[(1, 0)])
    assert set(threatened(graph, Attacker((0, 0), 1), attack_lanes(row, bytes(3 * 11 + 1)))) == {(1, 0)}


def test_a_threat_counts_each_enemy_once():
    graph, lanes = graph_on(), attack_lanes(BOARD, bytes(11 * 11 + 1))
    attackers = [Attacker((1, 1), 1), Attacker((4, 4), 2), Attacker((4, 4), 0)]
    total = threat(graph, attackers, lanes)
    alone = [threatened(graph, attacker, lanes) for attacker in attackers]
    for x in range(9):
        for y in range(9):
            assert total[x, y] == sum((x, y) in mask for mask in alone)


def test_movers_with_facing_and_attackers_off_the_board_are_value_errors():
    step_costs = facing_step_costs(FACINGS, step=lambda _: 1, turn=lambda _: 1)
    with pytest.raises(ValueError, match="facing"):
        threat(graph_on(mover=Mover(step_costs=step_costs)), [Attacker((0, 0), 1)], bytes(11 * 11 + 1))
    lanes = attack_lanes(BOARD, bytes(11 * 11 + 1))
    with pytest.raises(ValueError, match="is not on the board"):
        threat(graph_on(), [Attacker((9, 9), 1)], lanes)
    with pytest.raises(ValueError, match="is not on the board"):
        threat(graph_on(mover=Mover(footprint=block(2, 2))), [Attacker((8, 8), 1)], lanes)
    with pytest.raises(ValueError, match="another board"):
        threat(graph_on(), [Attacker((1, 1), 1)], lanes[:-1])


@settings(max_examples=examples(60))
@given(graphs(), st.integers(0, 12), st.integers(1, 3))
def test_threat_is_the_ring_around_every_end_of_the_field(scene, budget, reach):
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
    lanes = attack_lanes(board, bytes(graph.grid.size))
    assert set(threatened(graph, Attacker(start, budget, reach), lanes)) == expected


@settings(max_examples=examples(80))
@given(graphs(), st.integers(), st.integers(0, 6), st.booleans())
def test_what_any_reaches_is_what_each_reaches(scene, seed, number, has_bans):
    board, chance = scene[0], random.Random(seed)
    graph = graph_of(*scene[:-1])
    cells = [(x, y) for y in range(board.rows) for x in range(board.columns)]
    if has_bans:
        banned = chance.sample(cells, len(cells) // 4)
        graph = MovementGraph(board, replace(graph.terrain, no_end=banned), graph.mover)
    movers = [(chance.choice(cells), chance.randrange(10)) for _ in range(number)]
    each = [Field(graph, at, budget, may_start_closed=True).reach for at, budget in movers]
    assert set(reached_by_any(graph, movers)) == {cell for reach in each for cell in reach}


def test_movers_off_the_board_and_wrong_budgets_are_value_errors():
    with pytest.raises(ValueError, match="is not on the board"):
        reached_by_any(graph_on(), [((9, 9), 1)])
    with pytest.raises(ValueError, match="budget"):
        reached_by_any(graph_on(), [((1, 1), -1)])
