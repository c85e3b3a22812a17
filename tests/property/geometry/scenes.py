"""Random scenes from a seed, many of them degenerate.

Corners touch, walls are in line or have no length, tokens stand on walls, eyes on walls and corners.
"""

import random
from typing import NamedTuple

from enfilade.geometry.board.base import Board, Point
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.shapes import Sense, Wall, box_body, hex_body
from enfilade.geometry.board.square import SquareBoard
from enfilade.geometry.sight.blockers import FLAT_HEXES, POINTY_HEXES, SQUARE, Blockers, TouchRule

TOUCH = ("blocks", "passes")
LAYOUTS = ("odd_r", "even_r", "odd_q", "even_q")


PLAIN = ("normal",)
FIRM = ("normal", "limited", "limited")
ALL_SENSES = (*FIRM, "normal", "proximity", "distance", "none")
"""The senses of a scene's walls: all alike; the same to every eye; of all kinds."""


class SightScene(NamedTuple):
    board: Board
    blockers: Blockers
    eye: Point
    heights: tuple[int, int]


def sight_scene(seed: int) -> SightScene:
    """A small board with a few walls and bodies. Half of the scenes are plain: no heights, no options."""
    r = random.Random(seed)
    columns, rows = r.randint(1, 16), r.randint(1, 16)
    board = HexBoard(columns, rows, r.choice(LAYOUTS)) if r.random() < 0.4 else SquareBoard(columns, rows)
    is_plain = r.random() < 0.5
    step = r.choice((1, 8, 16, 32, 64))
    senses = PLAIN if is_plain else r.choice((FIRM, ALL_SENSES))
    walls = [_wall(r, board, step, senses) for _ in range(r.choice((0, 3, 6, 12, 24)))]
    bodies = [_body(r, board, step, is_plain) for _ in range(r.choice((0, 2, 5, 10)))]
    boxes = [_box(r, board, step) for _ in range(r.randint(0, 6))] if isinstance(board, SquareBoard) else []
    touch_rule = TouchRule() if is_plain else TouchRule(*(r.choice(TOUCH) for _ in range(4)))
    proportions = SQUARE
    if isinstance(board, HexBoard):
        proportions = POINTY_HEXES if board.is_pointy else FLAT_HEXES
    heights = (0, 0) if is_plain else (r.choice((0, 32, 64, 96, 128)), r.choice((0, 32, 64, 100)))
    eye = _eye(r, board, step, walls)
    return SightScene(board, Blockers(walls, boxes, bodies, touch_rule, proportions), eye, heights)


def _point(r: random.Random, board: Board, step: int) -> Point:
    return (
        r.randint(-64 // step, (board.columns * 64 + 64) // step) * step,
        r.randint(-64 // step, (board.rows * 64 + 64) // step) * step,
    )


def _cell_point(r: random.Random, board: Board) -> Point:
    cell = (r.randrange(board.columns), r.randrange(board.rows))
    if isinstance(board, HexBoard):
        return r.choice((board.center(cell), *board.corners(cell)))
    return r.choice((board.center(cell), (cell[0] * 64, cell[1] * 64)))


def _eye(r, board, step, walls) -> Point:
    kind = r.random()
    if kind < 0.7:
        return board.center((r.randrange(board.columns), r.randrange(board.rows)))
    if kind < 0.8 and walls:
        line = r.choice(walls).line
        return r.choice((line[:2], line[2:], ((line[0] + line[2]) // 2, (line[1] + line[3]) // 2)))
    return _point(r, board, step) if kind < 0.85 else _cell_point(r, board)


def _wall(r: random.Random, board: Board, step: int, senses: tuple[Sense, ...]) -> Wall:
    kind = r.random()
    start = _point(r, board, step) if kind < 0.6 else _cell_point(r, board)
    if kind < 0.1 or 0.6 <= kind < 0.65:
        end = start
    elif kind < 0.35:
        length = r.randint(1, 6) * 64
        end = r.choice(((start[0] + length, start[1]), (start[0], start[1] + length)))
    else:
        end = _point(r, board, step) if kind < 0.6 else _cell_point(r, board)
    if senses is PLAIN:
        return Wall(start + end)
    bottom, top = _span_of_heights(r)
    return Wall(
        start + end,
        sight=r.choice(senses),
        one_way=r.choice(("both", "both", "left", "right")),
        bottom=bottom,
        top=top,
        is_open=senses is ALL_SENSES and r.random() < 0.05,
        threshold=r.choice((0, 64, 200, 320)),
    )


def _span_of_heights(r):
    return r.choice((None, None, 0, 32, 64)), r.choice((None, None, 0, 32, 64, 128))


def _box(r, board, step):
    x, y = r.randint(-1, board.columns) * 64, r.randint(-1, board.rows) * 64
    if r.random() < 0.2:
        x, y = _point(r, board, step)
    width, height = r.choice(((1, 1), (1, 1), (2, 2), (3, 3), (2, 1)))
    return (x, y, x + width * 64, y + height * 64)


def _body(r, board, step, is_plain):
    bottom, top = (None, None) if is_plain else _span_of_heights(r)
    if isinstance(board, SquareBoard):
        return box_body(_box(r, board, step), bottom, top)
    cell = (r.randrange(board.columns), r.randrange(board.rows))
    cells = [cell, *board.neighbors(cell)] if r.random() < 0.3 else [cell]
    return hex_body(board, cells, bottom, top)
