"""The C kernel and the Python kernel give the same answers, and C may be missing."""

import os
import subprocess
import sys
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade.geometry import kernel
from enfilade.geometry.board.footprint import ONE_CELL, block, index_offsets
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import grid_of
from enfilade.geometry.board.square import SquareBoard
from enfilade.geometry.kernel import library, python_fields
from enfilade.geometry.kernel.python_fields import MAX_COST, NO_STEP, StepCostTables
from enfilade.geometry.movement.barriers import _scanlines, _steps_of
from enfilade.geometry.movement.costs import direction_table, facing_step_costs, points_table
from tests.seeds import examples
from tests.unit.geometry.scenes import boards

needs_c = pytest.mark.skipif(kernel.engine() == "python", reason="the C kernel is not built or turned off")

if kernel.engine() == "c":
    from enfilade.geometry.kernel import c_fields

numbers = st.integers(-200, 700)
walls = st.lists(st.tuples(numbers, numbers, numbers, numbers, st.integers(0, 2)), max_size=5)


@st.composite
def tables(draw):
    """Draw a board and random tables for it, with a closed border."""
    board = draw(boards)
    grid = grid_of(board)
    enter, leave = array("H", bytes(2 * grid.size)), array("H", bytes(2 * grid.size))
    flags, barred = bytearray(grid.size), bytearray(grid.size)
    costs = st.sampled_from([0, 1, 1, 1, 2, 3, 7, 300])
    for index in grid.on_board():
        enter[index], leave[index] = draw(costs), draw(costs)
        flags[index], barred[index] = draw(st.integers(0, 3)), draw(st.sampled_from([0, 0, 1, 36, 255]))
    return board, enter, leave, bytes(flags), bytes(barred)


def weighed(engine, scene, points=(1,) * 8, corners=0):
    board, enter, leave, _, barred = scene
    return engine.weights(
        board.columns, board.rows, direction_table(board), array("H", points), enter, leave, barred, corners
    )


@needs_c
@settings(max_examples=examples(60))
@given(boards, walls)
def test_both_engines_bar_the_same_steps(board, walls):
    grid = grid_of(board)
    given_ = (_scanlines(board), array("i", [n for wall in walls for n in wall]), _steps_of(board))
    c, python = (e.barred_lanes(*given_, grid.stride, grid.size) for e in (c_fields, python_fields))
    assert c == python


@needs_c
@settings(max_examples=examples(60))
@given(tables(), st.sampled_from([1, 5, 99, NO_STEP]), st.integers(0, 2))
def test_both_engines_weigh_steps_alike(scene, odd, corners):
    points = (1, odd) * 4
    assert weighed(c_fields, scene, points, corners) == weighed(python_fields, scene, points, corners)


@needs_c
@settings(max_examples=examples(60))
@given(tables(), st.data())
def test_both_engines_weigh_the_same_steps_again_and_none_if_nothing_changed(scene, data):
    board, enter, leave, _, barred = scene
    known = array("H", [7]) * (8 * len(enter))
    changed = data.draw(st.lists(st.sampled_from(list(grid_of(board).on_board())), max_size=3))
    given_ = (board.columns, board.rows, direction_table(board), array("H", [1] * 8), enter, leave, barred, 0)
    c, python = (engine.weights(*given_, known, changed) for engine in (c_fields, python_fields))
    assert c == python
    assert changed or c == known


@needs_c
@settings(max_examples=examples(60))
@given(tables(), st.data(), st.sampled_from([0, 3, 20, 500, MAX_COST]))
def test_both_engines_search_alike(scene, data, limit):
    board, _, _, flags, _ = scene
    grid, costs = grid_of(board), weighed(c_fields, scene)
    start = data.draw(st.sampled_from(list(grid.on_board())))
    c, python = (
        e.dijkstra(e.prepare(costs, grid.stride), flags, start, limit) for e in (c_fields, python_fields)
    )
    assert c == python


@needs_c
@settings(max_examples=examples(60))
@given(tables(), st.data(), st.sampled_from([0, 3, 20, 500, MAX_COST]), st.integers(0, 2))
def test_both_engines_search_states_alike(scene, data, limit, turn):
    board, _, leave, flags, _ = scene
    grid, costs = grid_of(board), weighed(c_fields, scene)
    start = 4 * data.draw(st.sampled_from(list(grid.on_board()))) + data.draw(st.integers(0, 3))
    step_costs = facing_step_costs(
        (0, 90, 180, 270), lambda a: None if a > 90 else 1 + a // 90, lambda a: turn * a // 90
    )
    next_states = bytes(state for row in step_costs.next_states for state in row)
    tables_ = StepCostTables(
        4,
        direction_table(board),
        points_table(step_costs.points),
        next_states,
        points_table(step_costs.turns),
    )
    extras = array("H", [entry % 3 for entry in range(len(costs))])
    nodes = st.sampled_from([4 * index + state for index in grid.on_board() for state in range(4)])
    jumps = data.draw(st.lists(st.tuples(nodes, nodes, st.integers(1, 40)), max_size=30))
    c, python = (
        e.dijkstra(e.prepare_states(costs, grid.stride, extras, leave, tables_, jumps), flags, start, limit)
        for e in (c_fields, python_fields)
    )
    assert c == python


@needs_c
@settings(max_examples=examples(60))
@given(tables(), st.data(), st.sampled_from([ONE_CELL, block(2, 2)]))
def test_both_engines_count_the_same_threats(scene, data, footprint):
    board, _, _, flags, _ = scene
    grid, costs = grid_of(board), weighed(c_fields, scene)
    inside = [p for p in grid.on_board() if footprint.fits(board, grid.cell(p))] or [grid.index((0, 0))]
    if len(inside) == 1 and not footprint.fits(board, (0, 0)):
        return
    for index in grid.on_board():
        if index not in inside:
            for lane, offset in enumerate(grid.lanes):
                costs[8 * (index - offset) + lane] = NO_STEP
    filled = array("i", [o for offsets in index_offsets(board, footprint) for o in offsets])
    lanes = bytearray(grid.size)
    for index in grid.on_board():
        lanes[index] = data.draw(st.sampled_from([0, 255, 90]))
    enemy = st.tuples(st.sampled_from(inside), st.integers(0, 30), st.integers(0, 3))
    enemies = data.draw(st.lists(enemy, max_size=4))
    c, python = (
        e.threat(e.prepare(costs, grid.stride), flags, board.columns, filled, bytes(lanes), enemies)
        for e in (c_fields, python_fields)
    )
    assert c == python


@needs_c
@settings(max_examples=examples(60))
@given(tables(), st.integers(0, 4), st.integers(0, 400))
def test_both_engines_find_the_same_bits(scene, least, most):
    board, enter, *_ = scene
    c, python = (
        e.range_bits(board.columns, board.rows, enter, least, most) for e in (c_fields, python_fields)
    )
    assert c == python


@needs_c
@settings(max_examples=examples(60))
@given(tables(), st.integers(0, 4), st.integers(0, 400))
def test_both_engines_find_the_runs_of_the_bits(scene, least, most):
    board, enter, *_ = scene
    shape = (board.columns, board.rows, enter, least, most)
    c, python = (e.range_runs(*shape) for e in (c_fields, python_fields))
    assert c == python == Mask(tuple(python_fields.range_bits(*shape))).runs()


@needs_c
@given(st.lists(st.integers(0, (1 << 70) - 1) | st.integers(0, (1 << 64) - 1), max_size=5))
def test_both_engines_find_the_runs_of_a_mask(rows):
    mask = Mask(tuple(rows))
    assert c_fields.mask_runs(mask) == mask.runs()
    narrow = Mask(tuple(row & (1 << 64) - 1 for row in rows))
    assert c_fields.mask_runs(narrow) == narrow.runs()


def engine_with(**environment):
    code = "from enfilade.geometry import kernel; print(kernel.engine())"
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


def test_an_environment_variable_turns_the_c_kernel_off():
    assert engine_with(ENFILADE_NO_KERNEL="1") == "python"


def test_python_replaces_a_missing_or_broken_library(tmp_path):
    assert library.load(tmp_path) is None
    (tmp_path / "_kernel.so").write_bytes(b"not a library")
    assert library.load(tmp_path) is None


@needs_c
def test_a_library_of_another_version_is_not_loaded(monkeypatch):
    monkeypatch.setattr(library, "VERSION", library.VERSION + 1)
    assert library.load() is None


def test_a_search_on_a_single_cell_reaches_that_cell():
    board = SquareBoard(1, 1)
    grid = grid_of(board)
    costs = array("H", [NO_STEP]) * (8 * grid.size)
    totals = kernel.fields.dijkstra(
        kernel.fields.prepare(costs, grid.stride), bytes(grid.size), grid.index((0, 0)), 9
    )
    assert [index for index, cost in enumerate(totals) if cost == 0] == [grid.index((0, 0))]
