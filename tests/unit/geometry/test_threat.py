"""Threat: who can come and strike where."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade.geometry.board.diagonals import Diagonals
from enfilade.geometry.board.footprint import ONE_CELL, block, ring
from enfilade.geometry.board.square import FACINGS, SquareBoard
from enfilade.geometry.board.walls import Wall
from enfilade.geometry.movement.field import Field, open_going
from enfilade.geometry.movement.graph import Ground
from enfilade.geometry.movement.step_costs import with_facing
from enfilade.geometry.movement.terrain_cost import Mover
from enfilade.geometry.movement.threat import Striker, blows, threat
from tests.unit.geometry.scenes import ground_of, grounds

BOARD = SquareBoard(9, 9)


def laid(board=BOARD, walls=(), mover=None, **more):
    going = open_going(board, walls)
    return Ground(board, type(going)(going.enter, going.leave, going.barred, **more), mover or Mover())


def threatened(ground, striker, free):
    return threat(ground, [striker], free).cells


def test_who_may_not_move_threatens_the_ring_round_its_footprint():
    free = blows(BOARD, bytes(11 * 11 + 1))
    assert set(threatened(laid(), Striker((4, 4), 0), free)) == ring(BOARD, [(4, 4)])
    troll = laid(mover=Mover(footprint=block(2, 2)))
    assert len(threatened(troll, Striker((4, 4), 0), free)) == 12


def test_one_step_widens_the_threat_to_the_own_cell_and_beyond():
    struck = threatened(laid(), Striker((4, 4), 1), blows(BOARD, bytes(11 * 11 + 1)))
    assert (4, 4) in struck
    assert (4, 2) in struck
    assert (4, 1) not in struck


def test_a_gnome_threatens_only_the_cases_it_can_come_to():
    ground = laid()
    found = threatened(ground, Striker((4, 4), 2, reach=0), blows(BOARD, bytes(11 * 11 + 1)))
    assert found == Field(ground, (4, 4), 2).reach


def test_a_wall_stops_the_blow_as_well_as_the_step():
    ground = laid(walls=[Wall((0, 256, 576, 256))])
    struck = threatened(ground, Striker((4, 4), 3), blows(BOARD, ground.going.barred))
    assert all(row >= 4 for _, row in struck)


def test_a_spear_reaches_two_cells():
    struck = threatened(laid(), Striker((4, 4), 0, reach=2), blows(BOARD, bytes(11 * 11 + 1)))
    assert len(struck) == 24


def test_nobody_strikes_from_a_cell_where_the_move_may_not_end():
    row = SquareBoard(9, 1)
    ground = laid(row, no_end=[(1, 0)])
    assert set(threatened(ground, Striker((0, 0), 1), blows(row, bytes(3 * 11 + 1)))) == {(1, 0)}


def test_the_sum_counts_each_enemy_once():
    ground, free = laid(), blows(BOARD, bytes(11 * 11 + 1))
    strikers = [Striker((1, 1), 1), Striker((4, 4), 2), Striker((4, 4), 0)]
    total = threat(ground, strikers, free)
    alone = [threatened(ground, striker, free) for striker in strikers]
    for x in range(9):
        for y in range(9):
            assert total[x, y] == sum((x, y) in mask for mask in alone)


def test_a_facing_mover_or_one_off_the_board_is_refused():
    gait = with_facing(FACINGS, step=lambda _: 1, turn=lambda _: 1)
    with pytest.raises(ValueError, match="facing"):
        threat(laid(mover=Mover(gait=gait)), [Striker((0, 0), 1)], bytes(11 * 11 + 1))
    free = blows(BOARD, bytes(11 * 11 + 1))
    with pytest.raises(ValueError, match="not stand on the board"):
        threat(laid(), [Striker((9, 9), 1)], free)
    with pytest.raises(ValueError, match="not stand on the board"):
        threat(laid(mover=Mover(footprint=block(2, 2))), [Striker((8, 8), 1)], free)
    with pytest.raises(ValueError, match="another board"):
        threat(laid(), [Striker((1, 1), 1)], free[:-1])


@settings(max_examples=60)
@given(grounds(), st.integers(0, 12), st.integers(1, 3))
def test_threat_is_the_ring_round_every_end_of_the_field(scene, budget, reach):
    board, *_, start = scene
    if getattr(board, "diagonals", None) in (Diagonals.ALTERNATING_1, Diagonals.ALTERNATING_2):
        return
    ground = ground_of(*scene[:-1])
    expected = set()
    for cell in Field(ground, start, budget).ends:
        near = {cell}
        for _ in range(reach):
            near |= ring(board, near)
        expected |= near - set(ONE_CELL.cells(board, cell))
    free = blows(board, bytes(ground.places.size))
    assert set(threatened(ground, Striker(start, budget, reach), free)) == expected
