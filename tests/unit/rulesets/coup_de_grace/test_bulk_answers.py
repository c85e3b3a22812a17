"""The quick answers for many targets against the simple ones: all walls, one cell at a time."""

from __future__ import annotations

import random

import pytest

from enfilade.geometry.board.arcs import arc
from enfilade.geometry.board.padded_grid import grid_of
from enfilade.geometry.board.square import Diagonals, SquareBoard
from enfilade.geometry.movement.barriers import attack_lanes
from enfilade.geometry.sight.line_of_sight import best_sight_line
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rulesets import BUILT_IN
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import battlefield
from enfilade.rulesets.coup_de_grace.sight import NO_RANGE, obstacles, ranges_from, seen_from


@pytest.mark.parametrize("seed", range(40))
def test_a_line_past_the_near_obstacles_is_the_line_past_all(seed):
    battle = battlefield(skirmish(BUILT_IN[0], seed, 9, strength=5))
    every = obstacles(battle)
    center = battle.board.center
    cells = [(x, y) for x in range(9) for y in range(9)]
    for start in random.Random(seed).sample(cells, 9):
        seen = seen_from(battle, start)
        for end in cells:
            if start == end:
                continue
            ends = [center(start)], [center(end)]
            blockers, walls, bodies = every.between(center(start), center(end))
            near, far = best_sight_line(*ends, blockers), best_sight_line(*ends, every.everywhere)
            assert (near.obstruction is None) == (far.obstruction is None) == (end in seen)
            if near.obstruction and far.obstruction:
                assert near.obstruction.at == far.obstruction.at
                if near.obstruction.wall is not None:
                    assert walls[near.obstruction.wall] is every.walls[far.obstruction.wall][1]
                elif near.obstruction.body is not None:
                    assert bodies[near.obstruction.body] is every.bodies[far.obstruction.body]


@pytest.mark.parametrize("seed", range(12))
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
