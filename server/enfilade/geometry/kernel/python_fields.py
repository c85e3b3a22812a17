"""Movement fields in Python: the reference for fields.c, and what answers where there is no C.

Tables are laid out by `places.Places`: a border all round, so no loop asks where the board ends. Costs
are 16 bits; `NO_STEP` marks a step that may not be taken, and a place that was not reached.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from enfilade.time_budget import checkpoint

NO_STEP = 0xFFFF
MOST = 0xFFFE
"""The most points a field counts; what costs more is out of reach."""

STOP, NO_END = 1, 2
"""Flags of a place: a move must stop there once it has entered; a move may pass but not end there."""

NO_DIRECTION = 255

_STEPS = ((-1, -1), (0, -1), (1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0))

MOST_STATES = 16

Moves = tuple[tuple[int, int], ...]
"""The moves from a node: (node it leads to, cost)."""


class Links(NamedTuple):
    """A ground made ready to be searched. A node is place * states + state.

    Attributes:
        states: how many states a mover has.
        moves: for each node its steps and turns.
        turns: for each node its turns alone, for where a move must stop.
    """

    states: int
    moves: list[Moves]
    turns: list[Moves]


class GaitTables(NamedTuple):
    """A mover of several states, at most `MOST_STATES`.

    Attributes:
        states: how many.
        directions: as in `weights`.
        points: for each state and each of eight directions the points of a step, or `NO_STEP`.
        following: for each state and direction the state after the step.
        turns: for each state and state the points of turning on the spot, or `NO_STEP`.
    """

    states: int
    directions: bytes
    points: array[int]
    following: bytes
    turns: array[int]


def barriers(lines: array[int], walls: array[int], deltas: array[int], stride: int, size: int) -> bytearray:
    """The lanes of each place that a wall bars, as bits.

    Args:
        lines: seven numbers a scanline, as in `board.Scanline`.
        walls: five numbers a wall: x1, y1, x2, y2, and 0 both ways, 1 from its left, 2 from its right.
        deltas: for each parity of (row, column) and each lane, the step from centre to centre.
        stride: from a place to the one below.
        size: the places of a table.
    """
    table = bytearray(size)
    for i in range(0, len(walls), 5):
        checkpoint()
        wall = tuple(walls[i : i + 5])
        for j in range(0, len(lines), 7):
            for column, row, x, y in _centres_near(wall, tuple(lines[j : j + 7])):
                kind = 16 * (2 * (row & 1) + (column & 1))
                place = (row + 1) * stride + column + 1
                table[place] |= _barred_lanes(wall, x, y, deltas[kind : kind + 16])
    return table


_FARTHEST = 64
"""No step goes farther than this in x or in y."""


def _centres_near(wall: Sequence[int], line: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
    row, first, stride, length, x0, y, pitch = line
    span = _span_near(wall, y)
    if span is None:
        return
    low = max(0, -((x0 - (span[0] - _FARTHEST)) // pitch))
    high = min(length - 1, (span[1] + _FARTHEST - x0) // pitch)
    for k in range(low, high + 1):
        yield first + stride * k, row, x0 + pitch * k, y


def _span_near(wall: Sequence[int], y: int) -> tuple[int, int] | None:
    """From which x to which the wall runs within a step above and below a height; None where it does not."""
    x1, y1, x2, y2 = wall[:4] if wall[1] <= wall[3] else (wall[2], wall[3], wall[0], wall[1])
    top, bottom = max(y1, y - _FARTHEST), min(y2, y + _FARTHEST)
    if top > bottom:
        return None
    if y1 == y2:
        return min(x1, x2), max(x1, x2)
    ends = [(x2 - x1) * (height - y1) // (y2 - y1) + x1 for height in (top, bottom)]
    return min(ends), max(ends) + 1


def _barred_lanes(wall: Sequence[int], x: int, y: int, deltas: array[int]) -> int:
    bits = 0
    for lane in range(8):
        dx, dy = deltas[2 * lane], deltas[2 * lane + 1]
        if (dx or dy) and _bars(wall, x, y, dx, dy):
            bits |= 1 << lane
    return bits


def _bars(wall: Sequence[int], x: int, y: int, dx: int, dy: int) -> bool:
    """Whether the step from (x, y) by (dx, dy) touches the wall, both closed, coming from a side it stops."""
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
    """What each step costs: points of its direction x leaving x entering; eight entries a place.

    Args:
        columns: of the board.
        rows: of the board.
        directions: for each parity of (row, column) and each lane, its place clockwise among the board's
            steps, or `NO_DIRECTION`.
        points: the points of each direction, or `NO_STEP`.
        enter: what entering a place multiplies a step by; 0 is closed.
        leave: what leaving a place multiplies a step by; 0 holds fast.
        barred: lanes that walls bar, as bits.
        open_corners: how many of the two cells beside a diagonal step must be open.
        known: a table that is right but for the steps from some places; or None.
        changed: those places, all on the board.
    """
    stride = columns + 2
    table = array("H", [NO_STEP]) * (8 * len(enter)) if known is None else known[:]
    kinds = [_steps_of(directions[8 * kind : 8 * kind + 8], points, stride) for kind in range(4)]
    for place in _all_places(columns, rows) if known is None else changed:
        out, bits, entry = leave[place], barred[place], 8 * place
        table[entry : entry + 8] = _NO_STEPS
        for lane, offset, across, down, least in kinds[_kind(place, stride)] if out else ():
            cost = least * out * enter[place + offset]
            if not 0 < cost <= MOST or bits >> lane & 1:
                continue
            if across and (enter[place + across] > 0) + (enter[place + down] > 0) < open_corners:
                continue
            table[entry + lane] = cost
    return table


_NO_STEPS = array("H", [NO_STEP]) * 8


def _all_places(columns: int, rows: int) -> Iterator[int]:
    for row in range(1, rows + 1):
        checkpoint()
        yield from range(row * (columns + 2) + 1, row * (columns + 2) + 1 + columns)


def _kind(place: int, stride: int) -> int:
    """2 * (the row is odd) + (the column is odd), counted on the board."""
    row, column = divmod(place, stride)
    return 2 * (row - 1 & 1) + (column - 1 & 1)


def _steps_of(directions: bytes, points: array[int], stride: int) -> list[tuple[int, int, int, int, int]]:
    """Each step of a cell: its lane, from place to place, to the two cells beside a diagonal, its points."""
    steps = []
    for lane, (dx, dy) in enumerate(_STEPS):
        if directions[lane] != NO_DIRECTION and points[directions[lane]] != NO_STEP:
            across, down = (dx, dy * stride) if dx and dy else (0, 0)
            steps.append((lane, dy * stride + dx, across, down, points[directions[lane]]))
    return steps


def links(costs: array[int], stride: int, known: Links | None = None, changed: Sequence[int] = ()) -> Links:
    """A table of costs made ready for a mover of one state; or ready ones put right at some places."""
    offsets = [dy * stride + dx for dx, dy in _STEPS]
    moves: list[Moves] = [()] * (len(costs) // 8) if known is None else known.moves[:]
    for place in range(len(moves)) if known is None else changed:
        steps = zip(offsets, costs[8 * place : 8 * place + 8], strict=True)
        moves[place] = tuple((place + offset, cost) for offset, cost in steps if cost != NO_STEP)
    return Links(1, moves, [()] * len(moves) if known is None else known.turns)


def state_links(
    costs: array[int], stride: int, extras: array[int] | None, leave: array[int], gait: GaitTables
) -> Links:
    """A ground made ready for a mover of several states.

    Args:
        costs: eight weights a place, which the gait's points multiply.
        stride: from a place to the one below.
        extras: eight more a place, which are added; or None.
        leave: what leaving multiplies, for turning on the spot.
        gait: the states.
    """
    states, points = gait.states, gait.turns
    turns = [
        tuple(
            (place * states + other, points[state * states + other] * leave[place])
            for other in range(states)
            if other != state and points[state * states + other] != NO_STEP
        )
        for place in range(len(leave))
        for state in range(states)
    ]
    walks = _walks(costs, stride, extras, gait)
    return Links(states, [walk + turn for walk, turn in zip(walks, turns, strict=True)], turns)


def _walks(costs: array[int], stride: int, extras: array[int] | None, gait: GaitTables) -> Iterator[Moves]:
    states, directions, points, following, _ = gait
    for place in range(len(costs) // 8):
        kind = 8 * _kind(place, stride)
        steps = [
            (place + dy * stride + dx, directions[kind + lane], costs[8 * place + lane], 8 * place + lane)
            for lane, (dx, dy) in enumerate(_STEPS)
            if costs[8 * place + lane] != NO_STEP
        ]
        for state in range(states):
            yield tuple(
                (
                    there * states + following[8 * state + direction],
                    points[8 * state + direction] * weight + (extras[entry] if extras is not None else 0),
                )
                for there, direction, weight, entry in steps
                if points[8 * state + direction] != NO_STEP
            )


def flood(ready: Links, flags: bytes | bytearray, start: int, limit: int) -> array[int]:
    """The least cost from a node to every node, up to a limit (Dial's buckets, one for each cost)."""
    states, moves, turns = ready
    spent = [NO_STEP] * len(moves)
    spent[start] = 0
    has_stops = any(flag & STOP for flag in set(flags))
    buckets: dict[int, list[int]] = {0: [start]}
    cost = farthest = 0
    while cost <= farthest:
        for node in buckets.get(cost, ()):  # a free turn adds to the bucket that is being read
            if spent[node] != cost:
                continue
            place = node // states if has_stops else 0
            is_held = has_stops and flags[place] & STOP and place != start // states
            for there, step in turns[node] if is_held else moves[node]:
                total = cost + step
                if total < spent[there] and total <= limit:
                    spent[there] = total
                    if total in buckets:
                        buckets[total].append(there)
                    else:
                        buckets[total] = [there]
                        farthest = max(farthest, total)
        buckets.pop(cost, None)
        cost += 1
        checkpoint()
    return array("H", spent)


def strike(
    reached: Sequence[int], columns: int, footprint: array[int], blows: bytes | bytearray, reach: int
) -> set[int]:
    """The places struck from where a footprint may stand.

    Args:
        reached: the places it may stand at.
        columns: of the board.
        footprint: for each parity of (row, column), what it fills, as offsets between places.
        blows: for each place the lanes a blow may go along, as bits.
        reach: how many steps a blow carries; 0 strikes the own cells only.
    """
    stride = columns + 2
    offsets = [dy * stride + dx for dx, dy in _STEPS]
    struck: set[int] = set()
    for at in reached:
        filled = {at + offset for offset in _filled(at, stride, footprint)}
        edge, near = filled, set(filled)
        for _ in range(reach):
            edge = {p + o for p in edge for lane, o in enumerate(offsets) if blows[p] >> lane & 1} - near
            near |= edge
        struck |= near - filled if reach else filled
    return struck


def _filled(at: int, stride: int, footprint: array[int]) -> array[int]:
    count, kind = len(footprint) // 4, _kind(at, stride)
    return footprint[kind * count : (kind + 1) * count]


def threat(
    ready: Links,
    flags: bytes | bytearray,
    columns: int,
    footprint: array[int],
    blows: bytes | bytearray,
    enemies: Sequence[tuple[int, int, int]],
) -> array[int]:
    """How many of some enemies can walk to a place and strike each place from there.

    Each enemy is (place, points to move, steps its blow carries); they share a ground and a footprint.
    """
    counts = array("H", bytes(2 * len(ready.moves)))
    for start, limit, reach in enemies:
        spent = flood(ready, flags, start, limit)
        ends = [p for p, c in enumerate(spent) if c != NO_STEP and (p == start or not flags[p] & NO_END)]
        for place in strike(ends, columns, footprint, blows, reach):
            counts[place] += 1
    return counts


def bits(columns: int, rows: int, table: array[int], least: int, most: int) -> list[int]:
    """Which cells have an entry from `least` to `most`: a number a row, bit x for column x."""
    found = []
    for row in range(rows):
        first = (row + 1) * (columns + 2) + 1
        entries = reversed(table[first : first + columns])
        found.append(int("".join("1" if least <= entry <= most else "0" for entry in entries) or "0", 2))
    return found
