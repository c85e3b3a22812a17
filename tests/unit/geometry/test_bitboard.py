"""Sets of cells as one integer: the same cells, neighbors and steps as cell by cell."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade.geometry.board.bitboard import Stamp, bitboard, spread
from enfilade.geometry.board.mask import Mask
from tests.seeds import examples
from tests.unit.geometry.scenes import boards


def some_cells(board, seed, share):
    chance = random.Random(seed)
    cells = [(x, y) for y in range(board.rows) for x in range(board.columns)]
    return {cell for cell in cells if chance.random() < share}


@settings(max_examples=examples(80))
@given(boards, st.integers(), st.sampled_from([0.02, 0.2, 0.9]))
def test_bits_are_the_cells_of_a_mask(board, seed, share):
    cells, bits = some_cells(board, seed, share), bitboard(board)
    mask = Mask.of(cells, board.rows)
    assert bits.of(cells) == bits.of_mask(mask)
    assert bits.mask(bits.of(cells)) == mask
    assert list(bits.cells(bits.of(cells))) == list(mask)
    assert bits.of(cells) == sum(bits.of_cell(cell) for cell in cells)
    assert bits.of([*cells, (-1, 0), (0, board.rows)]) == bits.of(cells)


@settings(max_examples=examples(80))
@given(boards, st.integers(), st.sampled_from([0.02, 0.2, 0.9]))
def test_cells_beside_a_set_are_the_neighbors_of_its_cells(board, seed, share):
    cells, bits = some_cells(board, seed, share), bitboard(board)
    neighbors = {there for cell in cells for there in board.neighbors(cell)}
    assert set(bits.mask(bits.beside(bits.of(cells)))) == neighbors


@settings(max_examples=examples(60))
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


@settings(max_examples=examples(60))
@given(boards, st.integers(), st.integers(0, 4))
def test_cells_within_some_steps_are_those_of_open_layers(board, seed, steps):
    bits, cells = bitboard(board), bitboard(board).of(some_cells(board, seed, 0.1))
    found = cells
    for layer in bits.layers(cells, 0, steps):
        found |= layer
    assert bits.within(cells, steps) == found


offsets = st.tuples(st.integers(-4, 4), st.integers(-4, 4))


@settings(max_examples=examples(80))
@given(boards, st.integers(), offsets)
def test_a_shifted_set_has_the_cells_at_an_offset(board, seed, offset):
    bits, cells = bitboard(board), some_cells(board, seed, 0.3)
    there = {board.shift(cell, offset) for cell in cells}
    assert set(bits.mask(bits.shifted(bits.of(cells), offset))) == {cell for cell in there if cell in board}


@settings(max_examples=examples(80))
@given(boards, st.lists(offsets), st.integers(-3, 20), st.integers(-3, 20))
def test_a_stamp_is_put_down_anywhere(board, around, column, row):
    cell, bits = (column, row), bitboard(board)
    there = {board.shift(cell, offset) for offset in around}
    found = Stamp(bits, around).at(cell)
    assert set(bits.mask(found)) == {one for one in there if one in board}
    assert found & ~bits.all == 0


@settings(max_examples=examples(60))
@given(boards, st.integers(), st.dictionaries(st.integers(1, 5), st.integers(0, 8), max_size=4))
def test_a_spread_is_what_each_start_reaches_by_itself(board, seed, numbers):
    bits, chance = bitboard(board), random.Random(seed)
    closed = bits.of(some_cells(board, seed, 0.3))
    cells = [(x, y) for y in range(board.rows) for x in range(board.columns)]
    starts = {steps: chance.sample(cells, min(number, len(cells))) for steps, number in numbers.items()}
    found = 0
    for steps, ones in starts.items():
        for cell in ones:
            for layer in bits.layers(bits.of_cell(cell), closed, steps):
                found |= layer
    reached = spread(bits.beside, {steps: bits.of(ones) for steps, ones in starts.items()}, closed)
    every = bits.of([cell for ones in starts.values() for cell in ones])
    assert reached | every == found | every
