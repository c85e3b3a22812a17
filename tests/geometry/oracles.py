"""Plain searches that share no code with the engine, for tests to compare with."""

import heapq

from enfilade.geometry.board import LANES
from enfilade.geometry.diagonals import Diagonals
from enfilade.geometry.square import SquareBoard


def turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def on_segment(a, b, p):
    within = all(min(a[i], b[i]) <= p[i] <= max(a[i], b[i]) for i in (0, 1))
    return turn(a, b, p) == 0 and within


def meet(a, b, c, d):
    """Whether two closed segments have a point in common, by cases."""
    if any((on_segment(a, b, c), on_segment(a, b, d), on_segment(c, d, a), on_segment(c, d, b))):
        return True
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def barred_by_walls(board, walls):
    cells = [(x, y) for x in range(board.columns) for y in range(board.rows)]
    return frozenset(
        (a, b)
        for a in cells
        for b in board.neighbours(a)
        for wall in walls
        if meet(board.centre(a), board.centre(b), wall.line[:2], wall.line[2:])
        and wall.faces(board.centre(a), board.centre(b))
    )


def points_of(board, a, b, diagonals_before):
    if not isinstance(board, SquareBoard) or board.diagonals is Diagonals.ILLEGAL:
        return 1
    straight, odd, even = board.diagonals.value
    if a[0] == b[0] or a[1] == b[1]:
        return straight
    return even if diagonals_before % 2 else odd


def cheapest(board, walls, enter, leave, stops, tolls, start, budget):
    """Dijkstra over (cell, parity of the diagonals so far)."""
    barred = barred_by_walls(board, walls)
    done, queue = {}, [(0, start, 0)]
    while queue:
        cost, cell, parity = heapq.heappop(queue)
        if (cell, parity) in done or cost > budget:
            continue
        done[cell, parity] = cost
        if cell in stops and cell != start:
            continue
        for dx, dy in LANES:
            there = (cell[0] + dx, cell[1] + dy)
            if there not in list(board.neighbours(cell)) or (cell, there) in barred:
                continue
            points = points_of(board, cell, there, parity) * leave.get(cell, 1) * enter.get(there, 1)
            if points:
                diagonal = isinstance(board, SquareBoard) and bool(dx and dy)
                heapq.heappush(queue, (cost + points + tolls.get(there, 0), there, (parity + diagonal) % 2))
    found = {}
    for (cell, _), cost in done.items():
        found[cell] = min(cost, found.get(cell, cost))
    return found
