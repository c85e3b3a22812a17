"""Plain searches that share no code with the engine, for tests to compare with."""

import heapq
import math

from enfilade.geometry.board.base import LANES
from enfilade.geometry.board.shapes import is_faced
from enfilade.geometry.board.square import Diagonals, SquareBoard


def turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def on_segment(a, b, p):
    within = all(min(a[i], b[i]) <= p[i] <= max(a[i], b[i]) for i in (0, 1))
    return turn(a, b, p) == 0 and within


def meet(a, b, c, d):
    """Return whether two closed segments have a point in common, by cases."""
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
        and is_faced(wall, board.center(a), board.center(b))
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


def filled_by(board, footprint, at):
    return [board.shift(at, offset) for offset in footprint.offsets]


def body_fits(board, walls, enter, footprint, at):
    """Return whether a body fits at a cell: on open cells, with no wall between two of them."""
    filled = filled_by(board, footprint, at)
    if not all(cell in board and enter.get(cell, 1) for cell in filled):
        return False
    pairs = [(a, b) for a in filled for b in filled if a != b and are_adjacent(board, a, b)]
    return not any(bars(board, wall, a, b) for wall in walls for a, b in pairs)


def are_adjacent(board, a, b):
    if isinstance(board, SquareBoard):
        return max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1
    return board.distance(a, b) == 1


def bars(board, wall, a, b):
    a, b = board.center(a), board.center(b)
    return meet(a, b, wall.line[:2], wall.line[2:]) and is_faced(wall, a, b)


def body_steps(board, walls, enter, footprint, cell):
    """Yield the steps of a body: each of its cells makes the same step, past no wall, onto open cells."""
    is_square = isinstance(board, SquareBoard)
    for step in LANES if is_square else [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]:
        there = board.shift(cell, step)
        is_diagonal = is_square and bool(step[0] and step[1])
        filled = filled_by(board, footprint, cell)
        is_barred = any(bars(board, wall, one, board.shift(one, step)) for wall in walls for one in filled)
        is_legal = not is_diagonal or board.diagonals.are_legal
        if is_legal and not is_barred and body_fits(board, walls, enter, footprint, there):
            yield there, is_diagonal


def cheapest_for_body(board, walls, enter, leave, stops, tolls, start, budget, footprint):
    """Dijkstra over (cell, parity of the diagonals so far) for a body of several cells."""
    found, queue = {}, [(0, start, 0)]
    while queue:
        cost, cell, parity = heapq.heappop(queue)
        if (cell, parity) in found or cost > budget:
            continue
        found[cell, parity] = cost
        filled = filled_by(board, footprint, cell)
        held = [leave.get(one, 1) for one in filled]
        if (cell != start and stops & set(filled)) or not all(held):
            continue
        for there, is_diagonal in body_steps(board, walls, enter, footprint, cell):
            entered = filled_by(board, footprint, there)
            points = points_of(board, cell, there, parity) * max(held) * max(enter.get(c, 1) for c in entered)
            total = cost + points + max(tolls.get(c, 0) for c in entered)
            heapq.heappush(queue, (total, there, (parity + is_diagonal) % 2))
    return {cell: min(found.get((cell, p), math.inf) for p in (0, 1)) for cell, _ in found}


def apart(p, q, a, b):
    """Return the distance of two segments, from their ends and from whether they cross."""
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
    """Return the lengths of paths among grown segments, with polygons around their round ends."""

    def is_clear(p, q):
        return all(apart(p, q, e[:2], e[2:4]) >= e[4] - 1e-7 * max(1, e[4]) for e in edges)

    nodes = [start, *goals, *(n for n in polygon_corners(edges, corners) if is_clear(n, n))]
    totals, queue = {}, [(0.0, 0)]
    while queue:
        cost, at = heapq.heappop(queue)
        if at in totals:
            continue
        totals[at] = cost
        for there, node in enumerate(nodes):
            total = cost + math.dist(nodes[at], node)
            if there not in totals and total <= budget and is_clear(nodes[at], node):
                heapq.heappush(queue, (total, there))
    return [totals.get(1 + k) for k in range(len(goals))]
