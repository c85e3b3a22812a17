"""Movement fields on small boards."""

import pytest

from enfilade.geometry.board.footprint import ONE_HEXON, block
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.hexon import HexonBoard, HexonLattice
from enfilade.geometry.board.shapes import Wall
from enfilade.geometry.board.square import FACINGS, Diagonals, SquareBoard
from enfilade.geometry.kernel.python_fields import MAX_COST
from enfilade.geometry.movement.costs import Mover, StepCosts, facing_step_costs, open_terrain
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from tests.unit.geometry.scenes import terrain

FOUR = SquareBoard(7, 5)
EIGHT = SquareBoard(7, 5, Diagonals.EQUIDISTANT)


def costs(board, start, *, budget=MAX_COST, mover=None, **more):
    return Field(MovementGraph(board, terrain(board, **more), mover or Mover()), start, budget).costs


def test_the_cost_on_open_squares_is_the_number_of_steps():
    assert costs(FOUR, (3, 2), budget=1) == {(3, 2): 0, (2, 2): 1, (4, 2): 1, (3, 1): 1, (3, 3): 1}
    assert len(costs(EIGHT, (3, 2), budget=1)) == 9


def test_difficult_terrain_costs_double_to_enter_and_not_to_leave():
    found = costs(FOUR, (0, 0), enter=[([(1, 0)], 2)])
    assert found[(1, 0)] == 2
    assert found[(2, 0)] == 3


def test_each_enemy_beside_the_start_of_a_step_doubles_it():
    found = costs(FOUR, (0, 0), leave=[([(0, 0)], 4), ([(1, 0)], 2)])
    assert found[(1, 0)] == 4
    assert found[(2, 0)] == 6


def test_a_path_goes_around_closed_cells():
    found = costs(SquareBoard(3, 2), (0, 0), closed=[(1, 0)])
    assert found == {(0, 0): 0, (0, 1): 1, (1, 1): 2, (2, 1): 3, (2, 0): 4}


def test_a_wall_between_two_squares_bars_the_step_and_its_end_bars_the_diagonal():
    wall = Wall((64, 0, 64, 64))
    assert costs(SquareBoard(2, 1), (0, 0), walls=[wall]) == {(0, 0): 0}
    beside = costs(SquareBoard(2, 2, Diagonals.EQUIDISTANT), (0, 0), walls=[wall])
    assert beside == {(0, 0): 0, (0, 1): 1, (1, 1): 2, (1, 0): 3}


def test_a_one_way_wall_lets_through_only_from_its_open_side():
    northward_stops_from_the_left = Wall((64, 64, 64, 0), one_way="left")
    two = SquareBoard(2, 1)
    assert costs(two, (0, 0), walls=[northward_stops_from_the_left]) == {(0, 0): 0}
    assert costs(two, (1, 0), walls=[northward_stops_from_the_left]) == {(1, 0): 0, (0, 0): 1}


def test_a_step_along_a_one_way_wall_is_free_on_either_side():
    for one_way in ("left", "right"):
        along = Wall((0, 32, 128, 32), one_way=one_way)
        assert costs(SquareBoard(2, 1), (0, 0), walls=[along]) == {(0, 0): 0, (1, 0): 1}
    assert costs(SquareBoard(2, 1), (0, 0), walls=[Wall((0, 32, 128, 32))]) == {(0, 0): 0}


def test_an_open_door_and_a_wall_for_sight_only_bar_no_step():
    line = (64, 0, 64, 64)
    for wall in (Wall(line, is_open=True), Wall(line, stops_movement=False)):
        assert costs(SquareBoard(2, 1), (0, 0), walls=[wall]) == {(0, 0): 0, (1, 0): 1}


def test_squeezing_between_two_blocked_squares_is_an_option():
    two = SquareBoard(2, 2, Diagonals.EQUIDISTANT)
    for open_corners, is_free in ((0, True), (1, False), (2, False)):
        mover = Mover(open_corners=open_corners)
        assert ((1, 1) in costs(two, (0, 0), closed=[(1, 0), (0, 1)], mover=mover)) is is_free
        assert (1, 1) in costs(two, (0, 0), closed=[(1, 0)], mover=mover)
    assert costs(two, (0, 0), closed=[(1, 0)], mover=Mover(open_corners=2))[(1, 1)] == 2


@pytest.mark.parametrize("rule", [d for d in Diagonals if d.are_legal])
def test_costs_on_an_open_board_follow_the_diagonal_rule(rule):
    board = SquareBoard(9, 8, rule)
    found = Field(MovementGraph(board, open_terrain(board)), (2, 3)).costs
    assert found == {(x, y): board.distance((2, 3), (x, y)) for x in range(9) for y in range(8)}


def test_alternating_diagonals_count_earlier_diagonals():
    board = SquareBoard(4, 4, Diagonals.ALTERNATING_1)
    walked = Field(MovementGraph(board, open_terrain(board)), (0, 0))
    assert [step.cost for step in walked.steps((3, 3))] == [1, 2, 1]


def test_tolls_are_added_after_terrain_factors():
    found = costs(
        FOUR, (0, 0), enter=[([(1, 0)], 3)], enter_toll={(1, 0): 2}, leave_toll={(0, 0): 1}, budget=9
    )
    assert found[(1, 0)] == 3 + 2 + 1


def test_a_step_up_may_cost_more_or_be_too_high():
    mover = Mover(climb=lambda rise: None if rise > 64 else max(0, rise) // 16)
    heights = {(1, 0): 64, (2, 0): 96, (4, 0): 65}
    found = costs(SquareBoard(5, 1), (0, 0), mover=mover, heights=heights)
    assert found == {(0, 0): 0, (1, 0): 1 + 4, (2, 0): 5 + 1 + 2, (3, 0): 8 + 1}


def test_a_zone_of_control_stops_a_mover_that_enters_it_but_not_one_that_starts_in_it():
    row = SquareBoard(5, 1)
    assert costs(row, (0, 0), stops=[(2, 0)]) == {(0, 0): 0, (1, 0): 1, (2, 0): 2}
    assert len(costs(row, (2, 0), stops=[(2, 0)])) == 5


def test_a_move_may_pass_a_friend_but_not_end_there():
    found = Field(MovementGraph(FOUR, terrain(FOUR, no_end=[(1, 0), (0, 0)])), (0, 0), 2)
    assert (1, 0) in found.reach
    assert (1, 0) not in found.ends
    assert (0, 0) in found.ends
    assert (2, 0) in found.ends


def test_a_turn_on_the_spot_costs_and_is_doubled_by_enemies():
    step_costs = facing_step_costs(FACINGS, step=lambda a: 1 if a == 0 else None, turn=lambda a: a // 90)
    found = Field(
        MovementGraph(FOUR, terrain(FOUR, leave=[([(3, 2)], 2)]), Mover(step_costs=step_costs)),
        (3, 2),
        20,
        state=0,
    )
    assert found.cost((3, 1)) == 1 * 2
    assert found.cost((4, 2)) == 1 * 2 + 1 * 2
    assert found.cost((3, 3)) == 2 * 2 + 1 * 2
    assert [(s.cell, s.state, s.cost) for s in found.steps((4, 2))] == [((3, 2), 1, 2), ((4, 2), 1, 2)]
    assert found.path((4, 2)) == [(3, 2), (4, 2)]


def test_free_turns_do_not_send_the_path_in_circles():
    step_costs = facing_step_costs(FACINGS, step=lambda a: 1 if a == 0 else None, turn=lambda _: 0)
    found = Field(MovementGraph(FOUR, open_terrain(FOUR), Mover(step_costs=step_costs)), (0, 0), 20, state=2)
    assert found.costs == costs(FOUR, (0, 0))
    assert len(found.path((4, 3))) == 8


def test_a_troll_passes_a_gap_two_wide_and_not_one_wide():
    board = SquareBoard(5, 4)
    narrow = [(2, 0), (2, 1), (2, 2)]
    mover = Mover(footprint=block(2, 2))
    assert (3, 0) not in costs(board, (0, 2), closed=narrow, mover=mover)
    assert (3, 0) in costs(board, (0, 2), closed=narrow[:2], mover=mover)


def test_a_troll_cannot_stand_across_a_wall_or_over_the_edge():
    board = SquareBoard(5, 2)
    found = costs(board, (0, 0), mover=Mover(footprint=block(2, 2)))
    assert found == {(0, 0): 0, (1, 0): 1, (2, 0): 2, (3, 0): 3}
    across = Wall((192, 0, 192, 64))
    assert (2, 0) not in costs(board, (0, 0), walls=[across], mover=Mover(footprint=block(2, 2)))


def test_a_troll_cannot_stand_with_a_wall_between_its_feet():
    between = Wall((64, 150, 64, 170))
    mover = Mover(footprint=block(2, 2))
    assert costs(SquareBoard(2, 3), (0, 0), walls=[between], mover=mover) == {(0, 0): 0}
    assert costs(SquareBoard(2, 3), (0, 0), mover=mover) == {(0, 0): 0, (0, 1): 1}


def test_the_costliest_cell_under_a_troll_counts():
    found = costs(SquareBoard(4, 2), (0, 0), enter=[([(2, 1)], 3)], mover=Mover(footprint=block(2, 2)))
    assert found == {(0, 0): 0, (1, 0): 3, (2, 0): 6}


def test_a_troll_is_held_if_one_of_its_cells_holds():
    found = costs(SquareBoard(4, 2), (0, 0), leave=[([(1, 1)], 0)], mover=Mover(footprint=block(2, 2)))
    assert found == {(0, 0): 0}


def test_a_wall_that_touches_neither_the_body_nor_its_step_does_not_bar_a_hexon():
    beside = Wall((108, 58, 116, 54))
    found = costs(HexBoard(7, 7, "odd_r"), (2, 2), walls=[beside], mover=Mover(footprint=ONE_HEXON))
    assert found[2, 1] == 1


@pytest.mark.parametrize("layout", ["odd_r", "even_r", "odd_q", "even_q"])
def test_a_mover_on_a_hexon_needs_seven_open_hexes(layout):
    board = HexBoard(9, 9, layout)
    closed = [(6, 4)]
    found = costs(board, (2, 4), closed=closed, mover=Mover(footprint=ONE_HEXON))
    for cell in found:
        assert (6, 4) not in {cell, *board.neighbors(cell)}
        assert len(list(board.neighbors(cell))) == 6


def test_a_field_of_hexons_works_like_one_of_hexes():
    hexons = HexonBoard(HexBoard(20, 20, "odd_r"), HexonLattice("left", (4, 6)))
    board = hexons.board
    cells = [(x, y) for x in range(board.columns) for y in range(board.rows)]
    closed = [cell for cell in cells if not hexons.is_whole(cell)]
    found = costs(board, hexons.cell_of((0, 0)), closed=closed)
    assert {hexons.hexon_at(cell) for cell in found} == hexons.hexons


def test_a_cell_above_the_greatest_cost_is_out_of_reach():
    dear = costs(SquareBoard(3, 1), (0, 0), enter=[([(1, 0), (2, 0)], 60_000)])
    assert dear == {(0, 0): 0, (1, 0): 60_000}


def test_a_start_off_the_board_is_a_value_error():
    with pytest.raises(ValueError, match="not on the board"):
        Field(MovementGraph(FOUR, open_terrain(FOUR)), (7, 0))


def test_tables_of_another_board_and_unknown_states_are_value_errors():
    with pytest.raises(ValueError, match="another board"):
        MovementGraph(FOUR, open_terrain(SquareBoard(7, 6)))
    with pytest.raises(ValueError, match="another board"):
        MovementGraph(FOUR, open_terrain(FOUR)).with_changes(open_terrain(SquareBoard(6, 5)), [(0, 0)])
    with pytest.raises(ValueError, match="no state 1"):
        Field(MovementGraph(FOUR, open_terrain(FOUR)), (0, 0), state=1)


@pytest.mark.parametrize(
    ("points", "next_states", "turns"),
    [
        ((), (), ()),
        (((1,) * 7,), ((0,) * 8,), ((None,),)),
        (((0,) * 8,), ((0,) * 8,), ((None,),)),
        (((1,) * 8,), ((1,) * 8,), ((None,),)),
        (((1,) * 8,), ((0,) * 8,), ((-1,),)),
        (((1,) * 8,), ((0,) * 8,), ((None, None),)),
    ],
)
def test_step_costs_that_do_not_match_are_value_errors(points, next_states, turns):
    with pytest.raises(ValueError, match=r"tate"):
        StepCosts(points, next_states, turns)


def test_a_path_out_of_reach_is_a_key_error():
    with pytest.raises(KeyError):
        Field(MovementGraph(FOUR, open_terrain(FOUR)), (0, 0), 2).path((6, 4))


def test_the_paths_of_a_field_go_back_by_bends():
    dear = [([(4, y) for y in range(4)], 3)]
    field = Field(MovementGraph(EIGHT, terrain(EIGHT, enter=dear), Mover()), (1, 2), 12)
    assert field.back is not None
    for cell in field.costs:
        bend, way = field.back.end(cell), []
        while bend:
            way.append(field.back.cell(bend))
            bend = field.back.before(bend)
        assert way[::-1] == field.path(cell)
