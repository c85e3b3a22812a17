"""What walls do to the steps of a board."""

from hypothesis import given

from enfilade.geometry.board.padded_grid import places_of
from enfilade.geometry.movement.barriers import barriers
from enfilade.geometry.movement.terrain_cost import lane_to
from tests.unit.geometry.oracles import barred_by_walls
from tests.unit.geometry.scenes import grounds


@given(grounds())
def test_barred_lanes_are_the_steps_whose_line_touches_a_wall(scene):
    board, walls = scene[0], scene[1]
    table, places = barriers(board, tuple(walls)), places_of(board)
    found = {
        (cell, other)
        for cell in map(places.cell, places.on_board())
        for other in board.neighbours(cell)
        if table[places.of(cell)] >> lane_to(cell, other) & 1
    }
    assert found == barred_by_walls(board, walls)
