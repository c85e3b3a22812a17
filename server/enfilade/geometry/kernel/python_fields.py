"""Movement fields in Python: the reference for fields.c, and the engine if there is no C.

Tables are laid out by `PaddedGrid`: the border on all sides makes bounds checks unnecessary. Costs are 16
bits; `NO_STEP` marks a forbidden step and an index that was not reached.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from enfilade.geometry.board.mask import Mask, Run
from enfilade.runtime.time_budget import checkpoint

NO_STEP = 0xFFFF
MAX_COST = 0xFFFE
"""The most points a field counts; anything above is out of reach."""

STOP, NO_END = 1, 2
"""Flags of an index: a move must stop after it enters; a move may pass but not end there."""

NO_DIRECTION = 255

_STEPS = ((-1, -1), (0, -1), (1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0))

MAX_STATES = 16

Moves = tuple[tuple[int, int], ...]
"""The moves from a node: (next node, cost)."""

Jump = tuple[int, int, int]
"""A move over other cells: (node, next node, cost)."""


class PreparedGraph(NamedTuple):
    """A graph prepared for searches. A node is index * states + state.

    Attributes:
        states: the number of the mover's states.
        moves: for each node its steps and turns.
        turns: for each node its turns alone, for cells where a move must stop.
    """

    states: int
    moves: list[Moves]
    turns: list[Moves]


class StepCostTables(NamedTuple):
    """A mover of several states, at most `MAX_STATES`.

    Attributes:
        states: the number of states.
        directions: as in `weights`.
        points: for each state and each of eight directions the points of a step, or `NO_STEP`.
        next_states: for each state and direction the state after the step.
        turns: for each two states the points of a turn on the spot, or `NO_STEP`.
    """

    states: int
    directions: bytes
    points: array[int]
    next_states: bytes
    turns: array[int]


def barred_lanes(
    lines: array[int], walls: array[int], deltas: array[int], stride: int, size: int
) -> bytearray:
    """Return the lanes of each index that a wall bars, as bits.

    Args:
        lines: seven numbers per scanline, as in `board.Scanline`, sorted by y, the sixth.
        walls: five numbers per wall: x1, y1, x2, y2, and 0 for both sides, 1 from its left, 2 from its right.
        deltas: for each parity of (row, column) and each lane, the step from center to center.
        stride: the offset from an index to the one below.
        size: the length of a table.
    """
    table = bytearray(size)
    for i in range(0, len(walls), 5):
        checkpoint()
        wall = tuple(walls[i : i + 5])
        for j in range(0, len(lines), 7):
            for column, row, x, y in _centers_near(wall, tuple(lines[j : j + 7])):
                kind = 16 * (2 * (row & 1) + (column & 1))
                steps = deltas[kind : kind + 16]
                for lane in range(8):
                    dx, dy = steps[2 * lane], steps[2 * lane + 1]
                    if (dx or dy) and _is_barred(wall, x, y, dx, dy):
                        table[(row + 1) * stride + column + 1] |= 1 << lane
    return table


_MAX_STEP = 64
"""No step is longer than this in x or in y."""


def _centers_near(wall: Sequence[int], line: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
    row, first, stride, length, x0, y, pitch = line
    span = _span_near(wall, y)
    if span is None:
        return
    low = max(0, -((x0 - (span[0] - _MAX_STEP)) // pitch))
    high = min(length - 1, (span[1] + _MAX_STEP - x0) // pitch)
    for k in range(low, high + 1):
        yield first + stride * k, row, x0 + pitch * k, y


def _span_near(wall: Sequence[int], y: int) -> tuple[int, int] | None:
    """Return the x-range of the wall within a step above and below a height; None if there is none."""
    x1, y1, x2, y2 = wall[:4] if wall[1] <= wall[3] else (wall[2], wall[3], wall[0], wall[1])
    top, bottom = max(y1, y - _MAX_STEP), min(y2, y + _MAX_STEP)
    if top > bottom:
        return None
    if y1 == y2:
        return min(x1, x2), max(x1, x2)
    ends = [(x2 - x1) * (height - y1) // (y2 - y1) + x1 for height in (top, bottom)]
    return min(ends), max(ends) + 1


def _is_barred(wall: Sequence[int], x: int, y: int, dx: int, dy: int) -> bool:
    """Return whether the closed step from (x, y) by (dx, dy) touches the closed wall from a side it stops."""
    x1, y1, x2, y2, side = wall
    wx, wy = x2 - x1, y2 - y1
    across = wx * dy - wy * dx
    if (side == 1 and across <= 0) or (side == 2 and across >= 0):
        return False
    s1, s2 = dx * (y1 - y) - dy * (x1 - x), dx * (y2 - y) - dy * (x2 - x)
    s3, s4 = wx * (y - y1) - wy * (x - x1), wx * (y + dy - y1) - wy * (x + dx - x1)
    if s1 > 0 < s2 or s1 < 0 > s2 or s3 > 0 < s4 or s3 < 0 > s4:
        return False
    return _overlap(x, x + dx, x1, x2) and _overlap(y, y + dy, y1, y2)


def _overlap(a: int, b: int, c: int, d: int) -> bool:
    return max(min(a, b), min(c, d)) <= min(max(a, b), max(c, d))


def weights(
    columns: int,
    rows: int,
    directions: bytes,
    points: array[int],
    enter: array[int],
    leave: array[int],
    barred: bytes | bytearray,
    open_corners: int,
    known: array[int] | None = None,
    changed: Sequence[int] = (),
) -> array[int]:
    """Return the cost of each step: points of its direction x leaving x entering; eight entries per index.

    Args:
        columns: the width of the board.
        rows: the height of the board.
        directions: for each parity of (row, column) and each lane, its number among the board's steps,
            clockwise, or `NO_DIRECTION`.
        points: the points of each direction, or `NO_STEP`.
        enter: the factor on a step that enters an index; 0 is closed.
        leave: the factor on a step that leaves an index; 0 holds the mover there.
        barred: the lanes that walls bar, as bits.
        open_corners: how many of the two cells beside a diagonal step must be open.
        known: a table that is correct except for the steps from some indexes; or None.
        changed: those indexes, all on the board.
    """
    stride = columns + 2
    table = array("H", [NO_STEP]) * (8 * len(enter)) if known is None else known[:]
    kinds = [_steps_of(directions[8 * kind : 8 * kind + 8], points, stride) for kind in range(4)]
    for index in _all_indexes(columns, rows) if known is None else changed:
        out, bits, entry = leave[index], barred[index], 8 * index
        table[entry : entry + 8] = _NO_STEPS
        for lane, offset, across, down, least in kinds[_parity(index, stride)] if out else ():
            cost = least * out * enter[index + offset]
            if not 0 < cost <= MAX_COST or bits >> lane & 1:
                continue
            if across and (enter[index + across] > 0) + (enter[index + down] > 0) < open_corners:
                continue
            table[entry + lane] = cost
    return table


_NO_STEPS = array("H", [NO_STEP]) * 8


def _all_indexes(columns: int, rows: int) -> Iterator[int]:
    for row in range(1, rows + 1):
        checkpoint()
        yield from range(row * (columns + 2) + 1, row * (columns + 2) + 1 + columns)


def _parity(index: int, stride: int) -> int:
    """Return 2 * (the row is odd) + (the column is odd), counted on the board."""
    row, column = divmod(index, stride)
    return 2 * (row - 1 & 1) + (column - 1 & 1)


def _steps_of(directions: bytes, points: array[int], stride: int) -> list[tuple[int, int, int, int, int]]:
    """Return each step of a cell: its lane, its offset, the offsets beside a diagonal, and its points."""
    steps = []
    for lane, (dx, dy) in enumerate(_STEPS):
        if directions[lane] != NO_DIRECTION and points[directions[lane]] != NO_STEP:
            across, down = (dx, dy * stride) if dx and dy else (0, 0)
            steps.append((lane, dy * stride + dx, across, down, points[directions[lane]]))
    return steps


def prepare(
    costs: array[int], stride: int, known: PreparedGraph | None = None, changed: Sequence[int] = ()
) -> PreparedGraph:
    """Prepare a table of costs for a mover of one state, or correct a prepared one at some indexes."""
    offsets = [dy * stride + dx for dx, dy in _STEPS]
    moves: list[Moves] = [()] * (len(costs) // 8) if known is None else known.moves[:]
    for index in range(len(moves)) if known is None else changed:
        steps = zip(offsets, costs[8 * index : 8 * index + 8], strict=True)
        moves[index] = tuple((index + offset, cost) for offset, cost in steps if cost != NO_STEP)
    return PreparedGraph(1, moves, [()] * len(moves) if known is None else known.turns)


def prepare_states(
    costs: array[int],
    stride: int,
    extras: array[int] | None,
    leave: array[int],
    step_costs: StepCostTables,
    jumps: Sequence[Jump] = (),
) -> PreparedGraph:
    """Prepare a table of weights for a mover of several states.

    Args:
        costs: eight weights per index, which multiply the points of a step.
        stride: the offset from an index to the one below.
        extras: eight more per index, which are added; or None.
        leave: the factor on turns on the spot.
        step_costs: the states.
        jumps: moves beside the steps, from 1 point up.
    """
    states, points = step_costs.states, step_costs.turns
    turns = [
        tuple(
            (index * states + other, points[state * states + other] * leave[index])
            for other in range(states)
            if other != state and points[state * states + other] != NO_STEP
        )
        for index in range(len(leave))
        for state in range(states)
    ]
    steps = _state_steps(costs, stride, extras, step_costs)
    moves = [step + turn for step, turn in zip(steps, turns, strict=True)]
    for node, there, cost in jumps:
        moves[node] += ((there, cost),)
    return PreparedGraph(states, moves, turns)


def _state_steps(
    costs: array[int], stride: int, extras: array[int] | None, step_costs: StepCostTables
) -> Iterator[Moves]:
    states, directions, points, next_states, _ = step_costs
    for index in range(len(costs) // 8):
        kind = 8 * _parity(index, stride)
        steps = [
            (index + dy * stride + dx, directions[kind + lane], costs[8 * index + lane], 8 * index + lane)
            for lane, (dx, dy) in enumerate(_STEPS)
            if costs[8 * index + lane] != NO_STEP
        ]
        for state in range(states):
            yield tuple(
                (
                    there * states + next_states[8 * state + direction],
                    points[8 * state + direction] * weight + (extras[entry] if extras is not None else 0),
                )
                for there, direction, weight, entry in steps
                if points[8 * state + direction] != NO_STEP
            )


def dijkstra(graph: PreparedGraph, flags: bytes | bytearray, start: int, limit: int) -> array[int]:
    """Return the least cost from a node to every node, up to a limit (Dial's buckets, one per cost)."""
    states, moves, turns = graph
    totals = [NO_STEP] * len(moves)
    totals[start] = 0
    has_stops = any(flag & STOP for flag in set(flags))
    buckets: dict[int, list[int]] = {0: [start]}
    cost = farthest = 0
    while cost <= farthest:
        for node in buckets.get(cost, ()):  # a free turn adds to the bucket that is being read
            if totals[node] != cost:
                continue
            index = node // states if has_stops else 0
            must_stop = has_stops and flags[index] & STOP and index != start // states
            for there, step in turns[node] if must_stop else moves[node]:
                total = cost + step
                if total < totals[there] and total <= limit:
                    totals[there] = total
                    if total in buckets:
                        buckets[total].append(there)
                    else:
                        buckets[total] = [there]
                        farthest = max(farthest, total)
        buckets.pop(cost, None)
        cost += 1
        checkpoint()
    return array("H", totals)


def threat(
    graph: PreparedGraph,
    flags: bytes | bytearray,
    columns: int,
    footprint: array[int],
    lanes: bytes | bytearray,
    enemies: Sequence[tuple[int, int, int]],
) -> array[int]:
    """Return how many enemies can move to an index and attack each index from there.

    Args:
        graph: the graph that all enemies share.
        flags: the flags of each index.
        columns: the width of the board.
        footprint: for each parity of (row, column), the cells filled, as offsets between indexes.
        lanes: for each index the lanes of an attack, as bits.
        enemies: (index, points to move, reach of the attack in steps); 0 reaches the own cells only.
    """
    counts = array("H", bytes(2 * len(graph.moves)))
    for start, limit, reach in enemies:
        totals = dijkstra(graph, flags, start, limit)
        ends = [i for i, c in enumerate(totals) if c != NO_STEP and (i == start or not flags[i] & NO_END)]
        for index in _attacked_from(ends, columns + 2, footprint, lanes, reach):
            counts[index] += 1
    return counts


def _attacked_from(
    ends: Sequence[int], stride: int, footprint: array[int], lanes: bytes | bytearray, reach: int
) -> set[int]:
    """Return the indexes attacked from any of the positions where a footprint may end."""
    offsets = [dy * stride + dx for dx, dy in _STEPS]
    count = len(footprint) // 4
    attacked: set[int] = set()
    for at in ends:
        kind = _parity(at, stride)
        filled = {at + offset for offset in footprint[kind * count : (kind + 1) * count]}
        edge, near = filled, set(filled)
        for _ in range(reach):
            edge = {p + o for p in edge for lane, o in enumerate(offsets) if lanes[p] >> lane & 1} - near
            near |= edge
        attacked |= near - filled if reach else filled
    return attacked


def range_bits(columns: int, rows: int, table: array[int], low: int, high: int) -> list[int]:
    """Return the cells with an entry from `low` to `high`: one integer per row, bit x for column x."""
    found = []
    for row in range(rows):
        first = (row + 1) * (columns + 2) + 1
        entries = reversed(table[first : first + columns])
        found.append(int("".join("1" if low <= entry <= high else "0" for entry in entries) or "0", 2))
    return found


def range_runs(columns: int, rows: int, table: array[int], low: int, high: int) -> list[Run]:
    """Return the cells with an entry from `low` to `high` as runs: row, first and last column."""
    found = []
    for row in range(rows):
        checkpoint()
        start = (row + 1) * (columns + 2) + 1
        first = -1
        for column, entry in enumerate(table[start : start + columns]):
            if not low <= entry <= high:
                first = -1
            elif first < 0:
                first = column
                found.append((row, first, column))
            else:
                found[-1] = (row, first, column)
    return found


def range_entries(
    columns: int, rows: int, table: array[int], low: int, high: int
) -> list[tuple[int, int, int]]:
    """Return the column, the row and the entry of each cell with an entry from `low` to `high`."""
    found = []
    for row in range(rows):
        checkpoint()
        start = (row + 1) * (columns + 2) + 1
        found += [
            (column, row, entry)
            for column, entry in enumerate(table[start : start + columns])
            if low <= entry <= high
        ]
    return found


def mask_runs(mask: Mask) -> list[Run]:
    """Return a mask as runs."""
    return mask.runs()
