"""Arcs against angles in floating point, measured on the real board and not on the squeezed one."""

import math
import random

from enfilade.geometry.board.arcs import arc
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.square import SquareBoard

NEAR = 1e-5
"""Degrees from a border within which floating point does not decide."""


def arc_cells(seed: int) -> tuple[int, list[str]]:
    """Compare every cell of an arc with a random facing and width, often a multiple of 15 degrees."""
    chance = random.Random(seed)
    layout = chance.choice(("odd_r", "even_r", "odd_q", "even_q"))
    columns, rows = chance.randint(1, 12), chance.randint(1, 12)
    board = chance.choice((SquareBoard(columns, rows), HexBoard(columns, rows, layout)))
    step = chance.choice((1, 15, 45))
    facing, width = step * chance.randrange(360 // step), step * chance.randint(1, 360 // step)
    at = (chance.randrange(columns), chance.randrange(rows))
    found = set(arc(board, board.center(at), facing, width))
    wrong, compared = [], 0
    for cell in ((x, y) for x in range(columns) for y in range(rows)):
        offset = 0.0 if cell == at else (_bearing(board, at, cell) - (facing - width // 2)) % 360
        if cell != at and width < 360 and min(offset, abs(offset - width), 360 - offset) < NEAR:
            continue
        compared += 1
        if (cell in found) != (cell != at and (offset < width or width >= 360)):
            wrong.append(f"arc: {seed=} {facing=} {width=} {at} {cell}")
    return compared, wrong


def _bearing(board, a, b) -> float:
    """Return the compass angle from one cell to another on the real board, in degrees."""
    (x1, y1), (x2, y2) = board.center(a), board.center(b)
    across, down = float(x2 - x1), float(y2 - y1)
    if isinstance(board, HexBoard):
        squeeze = math.sqrt(3) / 2
        across, down = (across, down / squeeze) if board.is_pointy else (across / squeeze, down)
    return math.degrees(math.atan2(across, -down)) % 360
