"""Movement fields against searches that share no code with the engine."""

import heapq
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from enfilade.geometry.board.arcs import angle_between
from enfilade.geometry.board.footprint import block
from enfilade.geometry.board.padded_grid import build_table
from enfilade.geometry.board.shapes import Wall
from enfilade.geometry.board.square import Diagonals, SquareBoard
from enfilade.geometry.kernel.python_fields import MAX_COST
from enfilade.geometry.movement.costs import CellJump, Mover, facing_step_costs, open_terrain
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from tests.unit.geometry.oracles import barred_by_walls, cheapest
from tests.unit.geometry.scenes import graph_of, graphs, hex_boards, terrain

FOUR = SquareBoard(7, 5)


@given(graphs(), st.integers(0, 40))
def test_a_field_agrees_with_a_plain_search(scene, budget):
    board, walls, enter, leave, stops, tolls, start = scene
    found = Field(graph_of(*scene[:-1]), start, budget)
    expected = cheapest(board, walls, enter, leave, stops, tolls, start, budget)
    assert found.costs == expected
    assert set(found.reach) == set(expected)


@given(graphs(), st.integers(0, 40))
def test_a_path_costs_its_cost_in_the_field_and_every_step_is_legal(scene, budget):
    board, walls, *_, start = scene
    found = Field(graph_of(*scene[:-1]), start, budget)
    barred = barred_by_walls(board, walls)
    for cell, cost in found.costs.items():
        path, steps = found.path(cell), found.steps(cell)
        assert path[0] == start
        assert path[-1] == cell
        assert sum(step.cost for step in steps) == cost
        for a, b in pairwise(path):
            assert b in board.neighbors(a)
            assert (a, b) not in barred


@given(graphs(), st.integers(0, 40))
def test_the_quick_way_back_on_a_plain_graph_is_the_general_one(scene, budget):
    found, general = (Field(graph_of(*scene[:-1]), scene[-1], budget) for _ in range(2))
    assume(found._is_plain)
    general._is_plain = False
    assert [found.steps(cell) for cell in found.costs] == [general.steps(cell) for cell in found.costs]


@given(graphs(), st.integers(0, 20), st.integers(0, 20))
def test_a_larger_budget_keeps_every_cell_at_the_same_cost(scene, budget, more):
    graph = graph_of(*scene[:-1])
    less, all_ = Field(graph, scene[-1], budget).costs, Field(graph, scene[-1], budget + more).costs
    assert less == {cell: cost for cell, cost in all_.items() if cost <= budget}


@given(graphs(), st.integers(0, 6), st.data())
def test_a_field_does_not_change_with_cells_that_it_does_not_depend_on(scene, budget, data):
    board, walls, enter, leave, stops, tolls, start = scene
    found = Field(graph_of(*scene[:-1]), start, budget)
    cell = (data.draw(st.integers(0, board.columns - 1)), data.draw(st.integers(0, board.rows - 1)))
    changed = graph_of(board, walls, {**enter, cell: 0}, {**leave, cell: 4}, stops, {**tolls, cell: 1})
    if not found.depends_on([cell]):
        assert Field(changed, start, budget).costs == found.costs


@given(graphs(), st.data(), st.sampled_from([None, "facing", "climb"]))
def test_a_graph_with_changes_equals_a_new_graph(scene, data, kind):
    board, walls, enter, leave, stops, tolls, start = scene
    cell = (data.draw(st.integers(0, board.columns - 1)), data.draw(st.integers(0, board.rows - 1)))
    costs = st.integers(0, 3)
    other = (
        {**enter, cell: data.draw(st.integers(cell == start, 3))},
        {**leave, cell: data.draw(costs)},
        stops ^ {cell},
        {**tolls, cell: data.draw(costs)},
    )
    mover = Mover()
    if kind == "facing":
        mover = Mover(
            step_costs=facing_step_costs((0, 90, 180, 270), lambda a: 1 + a // 90, lambda a: a // 90)
        )
    if kind == "climb":
        mover = Mover(climb=lambda rise: abs(rise))
    laid = graph_of(board, walls, *other, mover=mover)
    before = graph_of(*scene[:-1], mover=mover)
    Field(before, start)
    after = before.with_changes(laid.terrain, [cell])
    assert Field(after, start).costs == Field(laid, start).costs
    assert after.costs == laid.costs
    assert Field(before, start).costs == Field(graph_of(*scene[:-1], mover=mover), start).costs


def test_a_field_depends_on_its_cells_and_the_ring_around_them():
    found = Field(MovementGraph(FOUR, open_terrain(FOUR)), (0, 0), 1)
    assert found.depends_on([(2, 0)])
    assert not found.depends_on([(3, 0), (2, 2)])


def test_the_field_of_a_troll_depends_on_the_cells_that_any_part_of_it_touches():
    troll = Mover(footprint=block(2, 2))
    found = Field(MovementGraph(FOUR, open_terrain(FOUR), troll), (0, 0), 1)
    assert found.depends_on([(3, 0)])
    assert not found.depends_on([(4, 0)])


def turned(cell, board):
    """Rotate a cell by a quarter turn clockwise."""
    return (board.rows - 1 - cell[1], cell[0])


@given(graphs().filter(lambda scene: isinstance(scene[0], SquareBoard)), st.booleans())
def test_a_rotated_or_mirrored_scene_has_a_rotated_or_mirrored_field(scene, is_mirrored):
    board, walls, enter, leave, stops, tolls, start = scene
    height, width = 64 * board.rows, 64 * board.columns
    flip = {"left": "right", "right": "left", "both": "both"}
    if is_mirrored:
        other = board

        def move(c):
            return (board.columns - 1 - c[0], c[1])

        new_walls = [
            Wall((width - w.line[0], w.line[1], width - w.line[2], w.line[3]), one_way=flip[w.one_way])
            for w in walls
        ]
    else:
        other = SquareBoard(board.rows, board.columns, board.diagonals)

        def move(c):
            return turned(c, board)

        new_walls = [
            Wall((height - w.line[1], w.line[0], height - w.line[3], w.line[2]), one_way=w.one_way)
            for w in walls
        ]
    moved = graph_of(
        other,
        new_walls,
        {move(c): v for c, v in enter.items()},
        {move(c): v for c, v in leave.items()},
        {move(c) for c in stops},
        {move(c): v for c, v in tolls.items()},
    )
    expected = {move(c): v for c, v in Field(graph_of(*scene[:-1]), start).costs.items()}
    assert Field(moved, move(start)).costs == expected


def brute_facing(board, start, facing, turn, closed):
    totals, queue = {}, [(0, start, facing)]
    while queue:
        cost, cell, facing = heapq.heappop(queue)
        if (cell, facing) in totals:
            continue
        totals[cell, facing] = cost
        ahead = board.ahead(cell, facing)
        if ahead and ahead not in closed:
            heapq.heappush(queue, (cost + 1, ahead, facing))
        for other in board.facings:
            heapq.heappush(queue, (cost + turn * (angle_between(facing, other) // 60), cell, other))
    return totals


@given(
    hex_boards,
    st.integers(0, 3),
    st.integers(0, 5),
    st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=8),
)
def test_a_field_with_facing_on_hexes_agrees_with_a_plain_search(board, turn, state, closed):
    closed = closed - {(0, 0)}
    step_costs = facing_step_costs(
        board.facings, step=lambda a: 1 if a == 0 else None, turn=lambda a: turn * (a // 60)
    )
    found = Field(
        MovementGraph(board, terrain(board, closed=closed), Mover(step_costs=step_costs)), (0, 0), state=state
    )
    expected = brute_facing(board, (0, 0), board.facings[state], turn, closed)
    for cell in {cell for cell, _ in expected}:
        assert found.cost(cell) == min(expected.get((cell, f), MAX_COST) for f in board.facings)
    assert set(found.costs) == {cell for cell, _ in expected}


def leaping(points: int, board: SquareBoard, state: int = 0) -> MovementGraph:
    """Return a corridor with a gap of two closed squares, and a leap over it to the right."""
    closed = [(3, row) for row in range(board.rows)] + [(4, row) for row in range(board.rows)]
    leap = CellJump((2, 0), state, (5, 0), state, points)
    bare = open_terrain(board)
    enter = build_table(board, 1, [(closed, 0)])
    return MovementGraph(board, replace(bare, enter=enter, jumps=(leap,)))


@given(st.integers(1, 9), st.sampled_from([Diagonals.EQUIDISTANT, Diagonals.ALTERNATING_1]))
def test_a_jump_leads_over_closed_cells_for_its_points(points, diagonals):
    field = Field(leaping(points, SquareBoard(8, 1, diagonals)), (0, 0), 6)
    assert field.cost((5, 0)) == (2 + points if points <= 4 else None)
    assert field.cost((7, 0)) == (4 + points if points <= 2 else None)
    if points <= 2:
        assert field.path((7, 0)) == [(0, 0), (1, 0), (2, 0), (5, 0), (6, 0), (7, 0)]
        assert [step.cost for step in field.steps((7, 0))] == [1, 1, points, 1, 1]


def test_a_jump_into_a_closed_cell_is_impossible_and_a_changed_graph_forgets_it():
    board = SquareBoard(8, 1, Diagonals.EQUIDISTANT)
    graph = leaping(2, board)
    before = Field(graph, (0, 0), 8)
    assert before.cost((6, 0)) == 5
    enter = graph.terrain.enter[:]
    enter[graph.grid.index((5, 0))] = 0
    after = Field(graph.with_changes(replace(graph.terrain, enter=enter), [(5, 0)]), (0, 0), 8)
    assert after.cost((6, 0)) is None
    assert before.depends_on([(5, 0)])
    assert not before.depends_on([(9, 0)])


@pytest.mark.parametrize(
    "jump", [((2, 0), 0, (9, 0), 0, 1), ((2, 0), 1, (5, 0), 0, 1), ((2, 0), 0, (5, 0), 0, 0)]
)
def test_a_jump_off_the_board_to_no_state_or_for_nothing_is_refused(jump):
    board = SquareBoard(8, 1, Diagonals.EQUIDISTANT)
    with pytest.raises(ValueError, match="jump"):
        MovementGraph(board, replace(open_terrain(board), jumps=(CellJump(*jump),)))
