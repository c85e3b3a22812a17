"""Random boards and graphs for Hypothesis."""

from hypothesis import strategies as st

from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.padded_grid import build_table
from enfilade.geometry.board.shapes import Wall
from enfilade.geometry.board.square import Diagonals, SquareBoard
from enfilade.geometry.movement.costs import Mover, TerrainCost, open_terrain
from enfilade.geometry.movement.graph import MovementGraph

sizes = st.integers(1, 7)
hex_boards = st.builds(HexBoard, sizes, sizes, st.sampled_from(["odd_r", "even_r", "odd_q", "even_q"]))
square_boards = st.builds(SquareBoard, sizes, sizes, st.sampled_from(Diagonals))
boards = st.one_of(hex_boards, square_boards)


def terrain(board, *, closed=(), enter=(), leave=(), walls=(), **more):
    plain = open_terrain(board, walls)
    enter_table = build_table(board, 1, [*enter, (closed, 0)])
    return TerrainCost(enter_table, build_table(board, 1, leave), plain.barred, **more)


@st.composite
def graphs(draw):
    """Draw a board with random terrain, walls, stops and tolls, as dicts, and an open start."""
    board = draw(boards)
    cells = st.tuples(st.integers(0, board.columns - 1), st.integers(0, board.rows - 1))
    coordinates = st.one_of(st.integers(0, 512), st.integers(0, 8).map(lambda n: 64 * n))
    line = st.tuples(coordinates, coordinates, coordinates, coordinates)
    sides = st.sampled_from(["both", "left", "right"])
    walls = draw(st.lists(st.builds(Wall, line, one_way=sides), max_size=4))
    enter = draw(st.dictionaries(cells, st.integers(0, 5), max_size=12))
    leave = draw(st.dictionaries(cells, st.sampled_from([0, 1, 2, 4, 8]), max_size=6))
    stops = draw(st.sets(cells, max_size=3))
    tolls = draw(st.dictionaries(cells, st.integers(0, 4), max_size=3))
    start = draw(cells)
    if enter.get(start) == 0:  # a move cannot start on a closed cell
        del enter[start]
    return board, walls, enter, leave, stops, tolls, start


def graph_of(board, walls, enter, leave, stops, tolls, mover=None):
    tables = terrain(
        board,
        enter=[([cell], cost) for cell, cost in enter.items()],
        leave=[([cell], cost) for cell, cost in leave.items()],
        walls=walls,
        stops=stops,
        enter_toll=tolls,
    )
    return MovementGraph(board, tables, mover or Mover())
