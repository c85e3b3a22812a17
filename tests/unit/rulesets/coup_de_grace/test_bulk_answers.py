"""The quick answers for many targets against the simple ones: all walls, one cell at a time."""

from __future__ import annotations

import random

import pytest

from enfilade.geometry.board.arcs import arc
from enfilade.geometry.board.mask import full_mask
from enfilade.geometry.board.padded_grid import grid_of
from enfilade.geometry.board.square import Diagonals, SquareBoard
from enfilade.geometry.kernel import python_sight
from enfilade.geometry.movement.barriers import attack_lanes
from enfilade.geometry.movement.field import Field
from enfilade.geometry.sight.blockers import LEVEL
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rulesets import BUILT_IN
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import battlefield
from enfilade.rulesets.coup_de_grace.movement_costs import (
    movement_field,
    movement_graph,
    shared_movement_graph,
)
from enfilade.rulesets.coup_de_grace.overlays import threatened_now
from enfilade.rulesets.coup_de_grace.sight import NO_RANGE, obstacles, ranges_from, seen_from, stops_from
from enfilade.scene.apply import fold
from enfilade.scene.events import TokenMoved, TrackSet
from tests.seeds import seeds


@pytest.mark.parametrize("seed", seeds(40))
def test_the_stops_of_all_lines_are_those_of_each_line_by_the_reference(seed):
    battle = battlefield(skirmish(BUILT_IN[0], seed, 9, strength=5))
    blockers, center = obstacles(battle).blockers, battle.board.center
    cells = [(x, y) for x in range(9) for y in range(9)]
    for start in random.Random(seed).sample(cells, 9):
        stops, seen = stops_from(battle, start), seen_from(battle, start)
        assert set(stops) == {one.token.at for one in battle.on_board}
        for end, stop in stops.items():
            [hit] = python_sight.first_hits(center(start), [center(end)], blockers, LEVEL)
            assert (stop is None) == (hit is None) == (end in seen)
            if stop and hit:
                found = [-1 if number is None else number for number in (stop.wall, stop.body)]
                assert found == [hit.wall, hit.body]


@pytest.mark.parametrize("seed", seeds(30))
def test_the_cells_that_many_threaten_are_those_that_each_sees_and_reaches(seed):
    battle = battlefield(skirmish(BUILT_IN[0], seed, 9, strength=5))
    by_all = threatened_now(battle, battle.on_board)
    alone = [threatened_now(battle, [one]) for one in battle.on_board]
    assert set(by_all) == set().union(*alone)
    for one, cells in zip(battle.on_board, alone, strict=True):
        beside = set(battle.board.neighbors(one.token.at))
        needs_sight = not one.is_downed or battle.is_on(house_rules.DOWNED_NEED_SIGHT)
        if needs_sight:
            assert set(cells) - beside <= set(seen_from(battle, one.token.at))


@pytest.mark.parametrize("seed", seeds(30))
def test_a_reach_on_the_shared_graph_is_that_on_a_graph_of_its_own(seed):
    battle = battlefield(skirmish(BUILT_IN[0], seed, 9, strength=5))
    for one in battle.on_board:
        own = Field(movement_graph(battle, one.id), one.token.at, 7)
        shared = movement_field(battle, one.id, 7)
        assert shared.costs == own.costs
        assert {cell: shared.path(cell) for cell in shared.costs} == {
            cell: own.path(cell) for cell in own.costs
        }


@pytest.mark.parametrize("seed", seeds(20))
def test_a_graph_is_built_anew_only_when_a_place_on_it_changes(seed):
    scene = skirmish(BUILT_IN[0], seed, 9, strength=3)
    graph, mover = _shared_graph(scene), _walker(scene)
    spent = fold(scene, TrackSet(holder=mover.id, track="mp", value=1, was=None))
    assert _shared_graph(spent) is graph
    for token in scene.tokens:
        free = next(cell for cell in full_mask(battlefield(scene).board) if not battlefield(scene).at(cell))
        moved = fold(scene, TokenMoved(token=token.id, at=free, facing=0, was_at=token.at, was_facing=0))
        known, other = _shared_graph(moved), _walker(moved)
        own = Field(movement_graph(battlefield(moved), other.id), other.token.at, 9)
        assert known is not graph
        assert Field(known, other.token.at, 9, may_start_closed=True).costs == own.costs


def _walker(scene):
    return next(one for one in battlefield(scene).on_board if not one.can_pass_miniatures)


def _shared_graph(scene):
    return shared_movement_graph(battlefield(scene), _walker(scene).token.side)


@pytest.mark.parametrize("seed", seeds(12))
def test_ranges_are_the_distances_of_the_board(seed):
    battle = battlefield(skirmish(BUILT_IN[0], seed, 8))
    if battle.setting(house_rules.RANGE) == "path":
        pytest.skip("ranges along paths are fields")
    for start in [(0, 0), (7, 7), (3, 5)]:
        table, places = ranges_from(battle, start), grid_of(battle.board)
        for cell in ((x, y) for x in range(8) for y in range(8)):
            assert table[places.index(cell)] == battle.board.distance(start, cell)
        assert table[places.index((-1, 0))] in (0, NO_RANGE)


@pytest.mark.parametrize("corners", [False, True])
@pytest.mark.parametrize("columns", [1, 2, 7, 8])
def test_lanes_of_attack_are_all_lanes_without_the_barred_ones(columns, corners):
    board, chance = SquareBoard(columns, 5, Diagonals.EQUIDISTANT), random.Random(columns)
    grid = grid_of(board)
    barred = bytes(chance.randrange(256) for _ in range(grid.size))
    lanes = attack_lanes(board, barred, corners)
    for cell in ((x, y) for x in range(columns) for y in range(5)):
        allowed = sum(1 << lane for lane in board.adjacent_lanes(cell, corners))
        assert lanes[grid.index(cell)] == allowed & ~barred[grid.index(cell)]


@pytest.mark.parametrize("facing", range(0, 360, 45))
def test_an_arc_on_squares_is_one_arc_moved(facing):
    board = SquareBoard(9, 6, Diagonals.EQUIDISTANT)
    for cell in ((x, y) for x in range(9) for y in range(6)):
        assert board.arc(cell, facing, 90) == arc(board, board.center(cell), facing, 90)
