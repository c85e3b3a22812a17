"""The terrain as a big body meets it, cell by cell, against the sentences of `under_footprint`."""

from __future__ import annotations

import random

import pytest

from enfilade.geometry.board.base import LANES
from enfilade.geometry.board.footprint import ONE_HEXON, Footprint, block
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.padded_grid import build_table, grid_of
from enfilade.geometry.board.square import SquareBoard
from enfilade.geometry.movement.costs import TerrainCost, under_footprint
from tests.seeds import seeds

KINDS = ("square", "odd_r", "even_r", "odd_q", "even_q")
BODIES = (
    block(2, 2),
    block(3, 3),
    block(2, 1),
    ONE_HEXON,
    Footprint(((0, 0), (1, 0), (0, 1))),
    Footprint(((1, 1), (2, 1))),
    Footprint(((-1, 0), (-2, 2))),
)


def random_board(chance, kind):
    columns, rows = chance.randrange(1, 11), chance.randrange(1, 11)
    return SquareBoard(columns, rows) if kind == "square" else HexBoard(columns, rows, kind)


def random_terrain(chance, board):
    """Terrain with entries for cells of the board, and some for cells beyond it."""
    cells = [(x, y) for x in range(-2, board.columns + 2) for y in range(-2, board.rows + 2)]

    def some(part):
        return [cell for cell in cells if chance.random() < part]

    def table():
        layers = [(some(0.1), chance.randrange(5)) for _ in range(3)]
        return build_table(board, chance.randrange(1, 3), layers)

    def values(part, least):
        return {cell: chance.randrange(least, 9) for cell in some(part)}

    grid, barred = grid_of(board), bytearray(grid_of(board).size)
    for index in grid.on_board():
        barred[index] = chance.randrange(256) if chance.random() < 0.2 else 0
    return TerrainCost(
        enter=table(),
        leave=table(),
        barred=bytes(barred),
        enter_toll=values(0.1, 0),
        leave_toll=values(0.1, 0),
        heights=values(chance.choice((0.3, 1)), -9),
        stops=some(0.1),
        no_end=some(0.1),
    )


def cells_under(board, footprint):
    """The cells under a body at each place where all of it is on the board."""
    places = [(x, y) for y in range(board.rows) for x in range(board.columns)]
    return {at: footprint.cells(board, at) for at in places if footprint.fits(board, at)}


def barred_under(board, terrain, at, cells):
    """The lanes from a place that are barred in the same direction from a cell under the body."""
    index, own, found = grid_of(board).index, board.adjacent_lanes(at), 0
    for cell in cells:
        directions = zip(board.adjacent_lanes(cell), own, strict=True)
        found |= sum({1 << to for lane, to in directions if terrain.barred[index(cell)] >> lane & 1})
    return found


def is_cut(board, terrain, cells):
    """Return whether a lane from a cell of the body to another of its cells is barred."""
    index = grid_of(board).index
    return any(
        terrain.barred[index((x, y))] >> lane & 1 and (x + dx, y + dy) in cells
        for x, y in cells
        for lane, (dx, dy) in enumerate(LANES)
    )


def greatest(values, cells):
    return max(values.get(cell, 0) for cell in cells)


@pytest.mark.parametrize("footprint", BODIES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", seeds(20))
def test_a_big_body_meets_what_is_under_any_of_its_cells(kind, footprint, seed):
    chance = random.Random(seed)
    board = random_board(chance, kind)
    terrain, index = random_terrain(chance, board), grid_of(board).index
    found, under = under_footprint(board, terrain, footprint), cells_under(board, footprint)
    for at in [(x, y) for y in range(board.rows) for x in range(board.columns)]:
        entries = tuple(table[index(at)] for table in (found.enter, found.leave, found.barred))
        if at not in under:
            assert entries == (0, 0, 0)
            continue
        cells = under[at]
        costs = [[table[index(cell)] for cell in cells] for table in (terrain.enter, terrain.leave)]
        enter, leave = [max(each) if all(each) else 0 for each in costs]
        is_closed = is_cut(board, terrain, cells)
        assert entries == (0 if is_closed else enter, leave, barred_under(board, terrain, at, cells))
    for name in ("enter_toll", "leave_toll", "heights"):
        values = getattr(terrain, name)
        touched = {at: cells for at, cells in under.items() if not values.keys().isdisjoint(cells)}
        assert getattr(found, name) == {at: greatest(values, cells) for at, cells in touched.items()}
    for name in ("stops", "no_end"):
        marked = set(getattr(terrain, name))
        assert set(getattr(found, name)) == {
            at for at, cells in under.items() if not marked.isdisjoint(cells)
        }


@pytest.mark.parametrize("kind", KINDS)
def test_where_nothing_lies_a_big_body_meets_nothing(kind):
    board = random_board(random.Random(1), kind)
    open_ground = build_table(board, 1)
    terrain = TerrainCost(open_ground, open_ground, bytes(grid_of(board).size))
    found = under_footprint(board, terrain, block(2, 1))
    assert (list(found.stops), list(found.no_end), found.heights, found.enter_toll) == ([], [], {}, {})
    assert not any(found.barred)
