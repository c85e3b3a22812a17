"""Blind zones on hexons: Torn, TRN-045 to TRN-060 and the examples TRN-T10 to TRN-T13 and TRN-T20.

The examples' hexons are given in cube coordinates from the miniature A, as the check TRN-T20 gives them.
"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from enfilade.geometry.board.hex import AXIAL_STEPS, HexBoard
from enfilade.geometry.board.hexon import HexonLattice, hexon_distance
from enfilade.geometry.board.shapes import hex_body
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.zones import (
    blind_cells,
    border_lines,
    defense_zone,
    huge_blind_zone,
    infantry_blind_zone,
    large_blind_zone,
    see_each_other,
)

LATTICES = [HexonLattice("left"), HexonLattice("right"), HexonLattice("left", (3, -1))]
lattices = pytest.mark.parametrize("lattice", LATTICES)
near_hexons = st.tuples(st.integers(-6, 6), st.integers(-6, 6))


def hexon(x, y, z):
    assert x + y + z == 0
    return (x, z)


A = hexon(0, 0, 0)
EAST = hexon(1, 0, -1)
NEXT = hexon(1, -1, 0)


def hex_touching(lattice, *hexons):
    """Return a hex of A's hexon that is adjacent to exactly some hexons."""
    return next(
        hex_ for hex_ in lattice.hexes(A) if lattice.adjacent_hexons(hex_) & set(hexons) == set(hexons)
    )


def hex_touching_only(lattice, landscape):
    return next(h for h in lattice.hexes(A) if len(lattice.adjacent_hexons(h) & set(landscape)) == 1)


def degrees(i, j):
    """Return the real direction of a hexon step, an angle from 0 to 360."""
    return math.degrees(math.atan2(j * math.sqrt(3) / 2, i + j / 2)) % 360


@lattices
def test_the_zone_of_one_piece_is_the_sector_of_check_t20(lattice):
    zone = infantry_blind_zone(hex_touching_only(lattice, [EAST]), [EAST], lattice)
    inside = [hexon(1, 0, -1), hexon(2, 0, -2), hexon(2, -1, -1), hexon(1, 1, -2)]
    borders = [hexon(k, -k, 0) for k in (1, 2, 5)] + [hexon(0, k, -k) for k in (1, 2, 5)]
    assert all(one in zone for one in inside)
    assert not any(one in zone for one in borders)


@lattices
def test_the_zones_of_two_pieces_merge_into_half_the_board(lattice):
    zone = infantry_blind_zone(hex_touching(lattice, EAST, NEXT), [EAST, NEXT], lattice)
    everything = [hexon(x, y, -x - y) for x in range(-5, 6) for y in range(-5, 6)]
    assert [one for one in everything if one in zone] == [one for one in everything if one[0] > 0]


@given(near_hexons, st.sampled_from(AXIAL_STEPS))
def test_a_sector_spans_less_than_60_degrees_on_each_side_of_the_landscape(other, step):
    if other != A:
        turn = abs((degrees(*other) - degrees(*step) + 180) % 360 - 180)
        assert (other in defense_zone(A, [step])) == (turn < 60 - 1e-9)


@lattices
def test_landscape_that_does_not_touch_the_own_hex_gives_infantry_no_cover(lattice):
    center = lattice.center_hex(A)
    assert infantry_blind_zone(center, AXIAL_STEPS, lattice).sectors == ()
    far_side = next(h for h in lattice.hexes(A) if h != center and EAST not in lattice.adjacent_hexons(h))
    assert infantry_blind_zone(far_side, [EAST], lattice).sectors == ()


@lattices
def test_infantry_has_cover_from_at_most_two_adjacent_pieces(lattice):
    for hex_ in lattice.hexes(A)[1:]:
        first, second = infantry_blind_zone(hex_, AXIAL_STEPS, lattice).sectors
        assert hexon_distance(first, second) == 1


def test_a_viewer_on_a_border_line_sees_the_miniature_in_cover():
    zone = defense_zone(A, [EAST])
    assert see_each_other(zone, [A], huge_blind_zone(hexon(2, -2, 0)), [hexon(2, -2, 0)])


def test_a_miniature_close_behind_the_landscape_is_not_seen():
    far, lattice = hexon(2, 0, -2), LATTICES[0]
    at = next(h for h in lattice.hexes(far) if EAST in lattice.adjacent_hexons(h))
    theirs = infantry_blind_zone(at, [EAST], lattice)
    open_ground = huge_blind_zone(A)
    assert A in theirs
    assert not see_each_other(open_ground, [A], theirs, [far])


@given(near_hexons, near_hexons, st.sets(near_hexons, max_size=8))
def test_sight_between_two_miniatures_is_symmetric(a, b, landscape):
    one, other = large_blind_zone(a, landscape), defense_zone(b, landscape)
    assert see_each_other(one, [a], other, [b]) == see_each_other(other, [b], one, [a])


def test_a_large_miniature_is_hidden_along_one_line_only():
    zone = large_blind_zone(A, [EAST])
    assert all(hexon(k, 0, -k) in zone for k in (1, 2, 7))
    assert not any(one in zone for one in (hexon(2, -1, -1), hexon(1, 1, -2), hexon(-1, 0, 1), A))


def test_a_large_miniature_gets_its_die_against_attackers_between_the_lines():
    zone = defense_zone(A, [EAST, NEXT])
    assert hexon(2, -1, -1) in zone
    assert hexon(3, 1, -4) in zone
    assert hexon(0, 2, -2) not in zone
    assert hexon(-1, 0, 1) not in zone


def test_huge_miniatures_are_never_hidden():
    assert not any(other in huge_blind_zone(A) for other in AXIAL_STEPS)


def test_a_miniature_on_two_hexons_is_hidden_only_if_both_are():
    zone = large_blind_zone(A, [EAST])
    beside = hexon(2, -1, -1)
    assert see_each_other(zone, [A], huge_blind_zone(beside), [hexon(2, 0, -2), beside])


def test_the_border_lines_run_along_the_landscape():
    one_side, other_side = [hexon(0, 1, -1), hexon(0, 2, -2)], [hexon(1, -1, 0), hexon(2, -2, 0)]
    assert sorted(border_lines(A, [EAST], 2)) == sorted([one_side, other_side])
    assert sorted(border_lines(A, [EAST, NEXT], 1)) == sorted([[hexon(0, 1, -1)], [hexon(0, -1, 1)]])
    assert border_lines(A, [], 3) == []


@lattices
def test_a_zone_is_drawn_on_the_hexes_of_its_hexons(lattice):
    board = HexBoard(30, 30, "odd_r")
    origin = lattice.hexon_of(board.axial((15, 15)))
    beside = (origin[0] + 1, origin[1])
    zone = large_blind_zone(origin, [beside])
    drawn = zone.hexes(board, lattice)
    assert {board.offset(hex_) for hex_ in lattice.hexes(beside)} <= set(drawn)
    assert {board.offset(hex_) for hex_ in lattice.hexes(origin)}.isdisjoint(drawn)


def test_a_hex_hides_the_hexes_directly_behind_it():
    board = HexBoard(9, 3, "odd_r")
    blind = blind_cells(board, board.center((1, 1)), Blockers(bodies=[hex_body(board, [(4, 1)])]))
    assert {(5, 1), (8, 1)} <= set(blind)
    assert {(3, 1), (4, 0), (4, 1), (4, 2)}.isdisjoint(blind)
