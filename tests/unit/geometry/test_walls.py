"""Walls as values, and the side from which a one-way wall stops."""

from enfilade.geometry.board.shapes import Wall

NORTHWARD = (64, 128, 64, 0)
EAST, WEST = ((32, 64), (96, 64)), ((96, 64), (32, 64))


def test_a_plain_wall_stops_from_both_sides():
    assert Wall(NORTHWARD).faces(*EAST)
    assert Wall(NORTHWARD).faces(*WEST)


def test_a_wall_that_stops_from_the_left_lets_moves_through_from_the_right():
    from_left = Wall(NORTHWARD, one_way="left")
    assert from_left.faces(*EAST)
    assert not from_left.faces(*WEST)
    from_right = Wall(NORTHWARD, one_way="right")
    assert from_right.faces(*WEST)
    assert not from_right.faces(*EAST)


def test_a_move_along_a_one_way_wall_is_free():
    along = ((64, 100), (64, 20))
    assert not Wall(NORTHWARD, one_way="left").faces(*along)
    assert not Wall(NORTHWARD, one_way="right").faces(*along)
