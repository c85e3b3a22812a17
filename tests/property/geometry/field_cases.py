"""Movement fields: both engines against a plain Dijkstra, and a bigger budget never reaching less."""

import random
from contextlib import contextmanager

from tests.property.geometry.engines import ENGINES
from tests.unit.geometry.oracles import cheapest

from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.padded_grid import build_table
from enfilade.geometry.board.shapes import Wall
from enfilade.geometry.board.square import Diagonals, SquareBoard
from enfilade.geometry.movement import barriers, graph
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.movement.terrain_cost import Mover, TerrainCost, open_terrain


def field_cells(seed: int) -> tuple[int, list[str]]:
    """Every cell in reach of a random start with its cost."""
    chance = random.Random(seed)
    board, walls, enter, leave, stops, tolls, start = _scene(chance)
    budget = chance.randint(0, 40)
    expected = cheapest(board, walls, enter, leave, stops, tolls, start, budget)
    wrong = []
    for name, engine in ENGINES.items():
        with _answering(engine.fields):
            laid = MovementGraph(board, _going(board, walls, enter, leave, stops, tolls), Mover())
            found, farther = Field(laid, start, budget), Field(laid, start, budget + chance.randint(1, 9))
            wrong += [] if found.costs == expected else [f"{name}: {seed=} field"]
            wrong += [] if found.costs.items() <= farther.costs.items() else [f"{name}: {seed=} budget"]
    return board.columns * board.rows, wrong


@contextmanager
def _answering(fields):
    """Let one engine answer, whichever was chosen at start."""
    chosen = graph.fields
    graph.fields = barriers.fields = fields
    barriers.barred_steps.cache_clear()
    try:
        yield
    finally:
        graph.fields = barriers.fields = chosen
        barriers.barred_steps.cache_clear()


def _scene(chance):
    columns, rows = chance.randint(1, 10), chance.randint(1, 10)
    layout = chance.choice(("odd_r", "even_r", "odd_q", "even_q"))
    square = SquareBoard(columns, rows, chance.choice(list(Diagonals)))
    board = chance.choice((square, HexBoard(columns, rows, layout)))
    cells = [(x, y) for x in range(columns) for y in range(rows)]
    some, start = chance.choices(cells, k=30), chance.choice(cells)
    return (
        board,
        [_wall(chance, board) for _ in range(chance.randint(0, 6))],
        {cell: chance.randint(cell == start, 5) for cell in some[:12]},
        {cell: chance.choice((0, 1, 2, 4, 8)) for cell in some[12:20]},
        set(some[20 : 20 + chance.randint(0, 4)]),
        {cell: chance.randint(0, 4) for cell in some[25:]},
        start,
    )


def _wall(chance, board):
    step = chance.choice((1, 32, 64))
    line = [chance.randint(0, 64 * side // step) * step for side in (board.columns, board.rows) * 2]
    return Wall(tuple(line), one_way=chance.choice(("both", "both", "left", "right")))


def _going(board, walls, enter, leave, stops, tolls):
    tables = (
        build_table(board, 1, [([cell], cost) for cell, cost in table.items()]) for table in (enter, leave)
    )
    return TerrainCost(*tables, open_terrain(board, walls).barred, enter_toll=tolls, stops=stops)
