"""Movement fields: both engines against a plain Dijkstra, for one cell and for big bodies."""

import random
from dataclasses import replace
from functools import partial
from itertools import pairwise

from tests.property.geometry.engines import ENGINES, use_engine
from tests.unit.geometry.oracles import body_fits, cheapest, cheapest_for_body

from enfilade.geometry.board.base import LANES
from enfilade.geometry.board.footprint import ONE_HEXON, Footprint, block
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.padded_grid import build_table
from enfilade.geometry.board.shapes import Wall
from enfilade.geometry.board.square import Diagonals, SquareBoard
from enfilade.geometry.movement.costs import CellJump, Mover, TerrainCost, open_terrain
from enfilade.geometry.movement.field import Field, route
from enfilade.geometry.movement.graph import MovementGraph

HEX_BODIES = (ONE_HEXON, Footprint(((0, 0), (1, 0))), Footprint(((0, 0), (0, 1), (1, 0))))
SQUARE_BODIES = (block(2, 2), block(1, 2), block(3, 1))


def field_cells(seed: int) -> tuple[int, list[str]]:
    """Compare the cells in reach of a random start with their costs; a larger budget never reaches less."""
    chance = random.Random(seed)
    board, walls, enter, leave, stops, tolls, start = _scene(chance)
    budget, more = chance.randint(0, 40), chance.randint(1, 9)
    expected = cheapest(board, walls, enter, leave, stops, tolls, start, budget)
    wrong = []
    for name in ENGINES:
        with use_engine(name):
            graph = MovementGraph(board, _terrain(board, walls, enter, leave, stops, tolls))
            found, farther = Field(graph, start, budget), Field(graph, start, budget + more)
            wrong += [] if found.costs == expected else [f"{name}: {seed=} field"]
            wrong += [] if found.costs.items() <= farther.costs.items() else [f"{name}: {seed=} budget"]
    return board.columns * board.rows, wrong


def body_field_cells(seed: int) -> tuple[int, list[str]]:
    """Compare the positions in reach of a body of several cells with their costs."""
    chance = random.Random(seed)
    board, walls, enter, leave, stops, tolls, start = _scene(chance)
    footprint = chance.choice(HEX_BODIES if isinstance(board, HexBoard) else SQUARE_BODIES)
    if not body_fits(board, walls, enter, footprint, start):
        return 0, []
    budget = chance.randint(0, 40)
    expected = cheapest_for_body(board, walls, enter, leave, stops, tolls, start, budget, footprint)
    wrong = []
    for name in ENGINES:
        with use_engine(name):
            terrain = _terrain(board, walls, enter, leave, stops, tolls)
            found = Field(MovementGraph(board, terrain, Mover(footprint=footprint)), start, budget)
            wrong += [] if found.costs == expected else [f"{name}: {seed=} field of a body"]
    return len(expected), wrong


def jump_field_cells(seed: int) -> tuple[int, list[str]]:
    """Compare the cells in reach of a mover that may also jump over cells, on boards without states."""
    chance = random.Random(seed)
    board, walls, enter, leave, stops, tolls, start = _scene(chance)
    if isinstance(board, SquareBoard) and board.diagonals.alternate:
        return 0, []
    cells, budget = [(x, y) for x in range(board.columns) for y in range(board.rows)], chance.randint(0, 30)
    jumps = [(chance.choice(cells), chance.choice(cells), chance.randint(1, 9)) for _ in range(5)]
    reach_from = partial(cheapest, board, walls, enter, leave, stops, tolls)
    expected = _cheapest_with_jumps(reach_from, jumps, enter, stops, start, budget)
    wrong = []
    for name in ENGINES:
        with use_engine(name):
            leaps = tuple(CellJump(one, 0, other, 0, points) for one, other, points in jumps)
            terrain = replace(_terrain(board, walls, enter, leave, stops, tolls), jumps=leaps)
            found = Field(MovementGraph(board, terrain), start, budget)
            wrong += [] if found.costs == expected else [f"{name}: {seed=} field with jumps"]
            ends = [cell for cell in found.costs if found.path(cell)[-1] != cell]
            wrong += [f"{name}: {seed=} path with jumps"] if ends else []
    return len(expected), wrong


def changed_field_cells(seed: int) -> tuple[int, list[str]]:
    """Compare a graph changed in some cells, or in none, with a new one; most movers climb."""
    chance = random.Random(seed)
    board, walls, enter, leave, stops, tolls, start = _scene(chance)
    cells = [(x, y) for x in range(board.columns) for y in range(board.rows)]
    heights = {cell: 5 * chance.randint(0, 3) for cell in chance.choices(cells, k=4)}
    mover = chance.choice((Mover(), Mover(climb=lambda rise: 2 * abs(rise) if rise < 15 else None)))
    changed = chance.choices(cells, k=chance.randint(0, 3))
    other = enter | {cell: chance.randint(cell == start, 5) for cell in changed}
    wrong = []
    for name in ENGINES:
        with use_engine(name):
            old, new = (
                replace(_terrain(board, walls, costs, leave, stops, tolls), heights=heights)
                for costs in (enter, other)
            )
            graph = MovementGraph(board, old, mover)
            if chance.random() < 0.5:
                Field(graph, start, 9)  # a graph that was searched has tables to correct
            found = Field(graph.with_changes(new, changed), start, 40)
            expected = Field(MovementGraph(board, new, mover), start, 40)
            wrong += [] if found.costs == expected.costs else [f"{name}: {seed=} {changed=} field"]
    return len(cells), wrong


def drawn_path_steps(seed: int) -> tuple[int, list[str]]:
    """Compare a drawn path with the sum of its steps; it is never cheaper than the cheapest."""
    chance = random.Random(seed)
    board, walls, enter, leave, _, tolls, start = _scene(chance)
    if isinstance(board, SquareBoard) and board.diagonals.alternate:
        return 0, []
    drawn = [start]
    for _ in range(chance.randint(2, 6)):
        (x, y), (dx, dy) = drawn[-1], LANES[chance.choice(board.lanes(drawn[-1]))]
        drawn.append((x + dx, y + dy))
    steps = [_single_step(board, walls, enter, leave, tolls, *step) for step in pairwise(drawn)]
    expected = None if None in steps else sum(steps)
    wrong = []
    for name in ENGINES:
        with use_engine(name):
            graph = MovementGraph(board, _terrain(board, walls, enter, leave, set(), tolls))
            found, cheapest_cost = route(graph, start, drawn[1:]), Field(graph, start).cost(drawn[-1])
            wrong += [] if (found and found.cost) == expected else [f"{name}: {seed=} drawn path"]
            wrong += [] if found is None or found.path == tuple(drawn) else [f"{name}: {seed=} other cells"]
            wrong += [] if found is None or found.cost >= cheapest_cost else [f"{name}: {seed=} too cheap"]
            alone = route(graph, start, drawn[-1:])
            wrong += [] if (alone and alone.cost) == cheapest_cost else [f"{name}: {seed=} one waypoint"]
    return len(drawn), wrong


def _single_step(board, walls, enter, leave, tolls, here, there):
    """Return the points of one step, the only one on a board of which all other cells are closed."""
    if here not in board or there not in board:
        return None
    cells = [(x, y) for x in range(board.columns) for y in range(board.rows)]
    only = dict.fromkeys(cells, 0) | {here: 1, there: enter.get(there, 1)}
    return cheapest(board, walls, only, leave, set(), tolls, here, 10_000).get(there)


def _cheapest_with_jumps(reach_from, jumps, enter, stops, start, budget):
    """Walk from the start, and again from the end of each jump, until nothing gets cheaper."""
    best: dict = {}
    waiting = [(start, 0, True)]
    while waiting:
        place, spent, is_start = waiting.pop()
        walked = {place: 0} if place in stops and not is_start else reach_from(place, budget - spent)
        for cell, cost in walked.items():
            if spent + cost >= best.get(cell, budget + 1):
                continue
            best[cell] = spent + cost
            if cell in stops and cell != start:
                continue
            for one, other, points in jumps:
                if one == cell and best[cell] + points <= budget and enter.get(other, 1):
                    waiting.append((other, best[cell] + points, other == start))
    return best


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


def _terrain(board, walls, enter, leave, stops, tolls):
    tables = [
        build_table(board, 1, [([cell], cost) for cell, cost in costs.items()]) for costs in (enter, leave)
    ]
    return TerrainCost(*tables, open_terrain(board, walls).barred, enter_toll=tolls, stops=stops)
