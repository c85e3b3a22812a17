"""Sets of cells as one integer: the same cells, neighbors and steps as cell by cell."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade.geometry.board.bitboard import bitboard
from enfilade.geometry.board.mask import Mask
from tests.unit.geometry.scenes import boards


def some_cells(board, seed, share):
    chance = random.Random(seed)
    cells = [(x, y) for y in range(board.rows) for x in range(board.columns)]
    return {cell for cell in cells if chance.random() < share}


@settings(max_examples=80)
@given(boards, st.integers(), st.sampled_from([0.02, 0.2, 0.9]))
def test_bits_are_the_cells_of_a_mask(board, seed, share):
    cells, bits = some_cells(board, seed, share), bitboard(board)
    mask = Mask.of(cells, board.rows)
    assert bits.of(cells) == bits.of_mask(mask)
    assert bits.mask(bits.of(cells)) == mask
    assert list(bits.cells(bits.of(cells))) == list(mask)
    assert bits.of(cells) == sum(bits.of_cell(cell) for cell in cells)
    assert bits.of([*cells, (-1, 0), (0, board.rows)]) == bits.of(cells)


@settings(max_examples=80)
@given(boards, st.integers(), st.sampled_from([0.02, 0.2, 0.9]))
def test_cells_beside_a_set_are_the_neighbors_of_its_cells(board, seed, share):
    cells, bits = some_cells(board, seed, share), bitboard(board)
    neighbors = {there for cell in cells for there in board.neighbors(cell)}
    assert set(bits.mask(bits.beside(bits.of(cells)))) == neighbors


@settings(max_examples=60)
@given(boards, st.integers(), st.integers(0, 4))
def test_layers_are_the_steps_around_closed_cells(board, seed, steps):
    bits, closed = bitboard(board), some_cells(board, seed, 0.3)
    start = (board.columns // 2, board.rows // 2)
    costs, rim = {start: 0}, [start]
    for step in range(1, steps + 1):
        around = {there for cell in rim for there in board.neighbors(cell)}
        rim = sorted(around - closed - costs.keys())
        costs |= dict.fromkeys(rim, step)
    layers = bits.layers(bits.of_cell(start), bits.of(closed), steps)
    found = {cell: step for step, layer in enumerate(layers, 1) for cell in bits.mask(layer)}
    assert found | {start: 0} == costs
    if not closed:
        assert set(bits.mask(bits.within(bits.of_cell(start), steps))) == set(costs)


@settings(max_examples=60)
@given(boards, st.integers(), st.integers(0, 4))
def test_cells_within_some_steps_are_those_of_open_layers(board, seed, steps):
    bits, cells = bitboard(board), bitboard(board).of(some_cells(board, seed, 0.1))
    found = cells
    for layer in bits.layers(cells, 0, steps):
        found |= layer
    assert bits.within(cells, steps) == found
