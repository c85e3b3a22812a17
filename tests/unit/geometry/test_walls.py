"""Walls as values, and the side from which a one-way wall stops."""

from enfilade.geometry.board.shapes import Wall, is_faced

NORTHWARD = (64, 128, 64, 0)
EAST, WEST = ((32, 64), (96, 64)), ((96, 64), (32, 64))


def test_a_plain_wall_stops_from_both_sides():
    assert is_faced(Wall(NORTHWARD), *EAST)
    assert is_faced(Wall(NORTHWARD), *WEST)


def test_a_wall_that_stops_from_the_left_lets_moves_through_from_the_right():
    from_left = Wall(NORTHWARD, one_way="left")
    assert is_faced(from_left, *EAST)
    assert not is_faced(from_left, *WEST)
    from_right = Wall(NORTHWARD, one_way="right")
    assert is_faced(from_right, *WEST)
    assert not is_faced(from_right, *EAST)


def test_a_move_along_a_one_way_wall_is_free():
    along = ((64, 100), (64, 20))
    assert not is_faced(Wall(NORTHWARD, one_way="left"), *along)
    assert not is_faced(Wall(NORTHWARD, one_way="right"), *along)
