"""The steps of a board that walls bar."""

from hypothesis import given

from enfilade.geometry.board.base import lane_to
from enfilade.geometry.board.padded_grid import grid_of
from enfilade.geometry.movement.barriers import barred_steps
from tests.unit.geometry.oracles import barred_by_walls
from tests.unit.geometry.scenes import graphs


@given(graphs())
def test_barred_lanes_are_the_steps_whose_line_touches_a_wall(scene):
    board, walls = scene[0], scene[1]
    table, grid = barred_steps(board, tuple(walls)), grid_of(board)
    found = {
        (cell, other)
        for cell in map(grid.cell, grid.on_board())
        for other in board.neighbors(cell)
        if table[grid.index(cell)] >> lane_to(cell, other) & 1
    }
    assert found == barred_by_walls(board, walls)
