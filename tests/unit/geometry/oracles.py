"""Plain searches that share no code with the engine, for tests to compare with."""

import heapq
import math

from enfilade.geometry.board.base import LANES
from enfilade.geometry.board.square import Diagonals, SquareBoard


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
        for b in board.neighbors(a)
        for wall in walls
        if meet(board.center(a), board.center(b), wall.line[:2], wall.line[2:])
        and wall.faces(board.center(a), board.center(b))
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
            if there not in list(board.neighbors(cell)) or (cell, there) in barred:
                continue
            points = points_of(board, cell, there, parity) * leave.get(cell, 1) * enter.get(there, 1)
            if points:
                diagonal = isinstance(board, SquareBoard) and bool(dx and dy)
                heapq.heappush(queue, (cost + points + tolls.get(there, 0), there, (parity + diagonal) % 2))
    found = {}
    for (cell, _), cost in done.items():
        found[cell] = min(cost, found.get(cell, cost))
    return found


def apart(p, q, a, b):
    """How near two segments come, from their ends and whether they cross."""
    if p != q and a != b and turn(p, q, a) * turn(p, q, b) < 0 and turn(a, b, p) * turn(a, b, q) < 0:
        return 0.0
    return min(to_segment(p, a, b), to_segment(q, a, b), to_segment(a, p, q), to_segment(b, p, q))


def to_segment(p, a, b):
    square = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    along = ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / square if square else 0
    along = min(1, max(0, along))
    return math.dist(p, (a[0] + along * (b[0] - a[0]), a[1] + along * (b[1] - a[1])))


def polygon_corners(edges, corners):
    for x1, y1, x2, y2, radius in edges:
        size = radius / math.cos(math.pi / corners) * (1 + 1e-9)
        for x, y in {(x1, y1), (x2, y2)}:
            for k in range(corners):
                angle = 2 * math.pi * (k + 0.5) / corners
                yield (x + size * math.cos(angle), y + size * math.sin(angle))


def shortest_round_polygons(edges, start, goals, budget, corners=24):
    """The lengths of ways among grown segments whose round ends are polygons drawn round the circles."""

    def is_clear(p, q):
        return all(apart(p, q, e[:2], e[2:4]) >= e[4] - 1e-7 * max(1, e[4]) for e in edges)

    nodes = [start, *goals, *(n for n in polygon_corners(edges, corners) if is_clear(n, n))]
    spent, queue = {}, [(0.0, 0)]
    while queue:
        cost, at = heapq.heappop(queue)
        if at in spent:
            continue
        spent[at] = cost
        for there, node in enumerate(nodes):
            total = cost + math.dist(nodes[at], node)
            if there not in spent and total <= budget and is_clear(nodes[at], node):
                heapq.heappush(queue, (total, there))
    return [spent.get(1 + k) for k in range(len(goals))]
