"""Movement fields in C: the same functions as python_fields.py, with the same answers.

A table goes to C as the address of its memory. Each function therefore keeps its tables in variables until
the call is over, and sizes every table from the same numbers that it passes to C.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from enfilade.geometry.board.mask import Mask, Run
from enfilade.geometry.kernel import python_fields
from enfilade.geometry.kernel.library import call, declare, require, whole_rows
from enfilade.geometry.kernel.python_fields import MAX_COST, MAX_STATES, NO_STEP, Jump, StepCostTables

_I, _P = ctypes.c_int32, ctypes.c_void_p

_barred_lanes = declare("enfilade_barred_lanes", None, _I, _P, _I, _P, _P, _I, _P)
_weights = declare("enfilade_weights", None, _I, _I, _P, _P, _P, _P, _P, _I, _I, _P, _P)
_max_step = declare("enfilade_max_step", _I, _I, _P)
_dijkstra = declare("enfilade_dijkstra", _I, _I, _I, _P, _I, _P, _I, _I, _P)
_dijkstra_states = declare(
    "enfilade_dijkstra_states", _I, _I, _I, _P, _P, _P, _I, _P, _P, _P, _P, _I, _P, _I, _P, _I, _I, _P
)
_range_bits = declare("enfilade_range_bits", None, _I, _I, _P, _I, _I, _P)
_range_runs = declare("enfilade_range_runs", _I, _I, _I, _P, _I, _I, _P)
_range_entries = declare("enfilade_range_entries", _I, _I, _I, _P, _I, _I, _P)
_word_runs = declare("enfilade_word_runs", _I, _I, _P, _P)
_threat = declare("enfilade_threat", _I, _I, _I, _P, _I, _P, _I, _P, _P, _I, _P, _P)


class PreparedGraph(NamedTuple):
    """A graph prepared for searches: its tables, and its costliest step."""

    costs: array[int]
    stride: int
    size: int
    max_step: int
    states: int = 1
    step_costs: StepCostTables | None = None
    extras: array[int] | None = None
    leave: array[int] | None = None
    jumps: array[int] | None = None


def _at(table: array[int]) -> int:
    return table.buffer_info()[0]


def barred_lanes(
    lines: array[int], walls: array[int], deltas: array[int], stride: int, size: int
) -> bytearray:
    """See `python_fields.barred_lanes`."""
    table = array("B", bytes(size))
    work = (len(lines) // 7, _at(lines), len(walls) // 5, _at(walls), _at(deltas), stride, _at(table))
    call(_barred_lanes, size + 16 * len(walls), *work)
    return bytearray(table)


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
    """See `python_fields.weights`."""
    table = array("H", [NO_STEP]) * (8 * len(enter)) if known is None else known[:]
    indexes = array("i", changed)
    if known is not None and not indexes:
        return table  # an empty array has no address, which C would take for all indexes
    barred = bytes(barred)
    call(
        _weights,
        len(enter) if known is None else len(indexes),
        columns,
        rows,
        directions,
        _at(points),
        _at(enter),
        _at(leave),
        barred,
        open_corners,
        len(indexes),
        None if known is None else _at(indexes),
        _at(table),
    )
    return table


def prepare(
    costs: array[int],
    stride: int,
    known: PreparedGraph | None = None,  # noqa: ARG001 - as in Python; here it saves nothing
    changed: Sequence[int] = (),  # noqa: ARG001
) -> PreparedGraph:
    """See `python_fields.prepare`."""
    return PreparedGraph(costs, stride, len(costs) // 8, _max_step(len(costs), _at(costs)))


def prepare_states(
    costs: array[int],
    stride: int,
    extras: array[int] | None,
    leave: array[int],
    step_costs: StepCostTables,
    jumps: Sequence[Jump] = (),
) -> PreparedGraph:
    """See `python_fields.prepare_states`."""
    if step_costs.states > MAX_STATES:  # no assert: beyond that C would write past its tables
        raise ValueError(f"Step costs have {step_costs.states} states, and the kernel takes {MAX_STATES}.")
    tables = (step_costs.points, step_costs.turns, costs, leave, extras or array("H"))
    points, turn, weight, turned, extra = (_max_step(len(table), _at(table)) for table in tables)
    farthest = max((cost for _, _, cost in jumps), default=0)
    max_step = min(max(points * weight + extra, turn * turned, farthest), MAX_COST)
    sorted_jumps = array("i", chain.from_iterable(sorted(jumps)))
    return PreparedGraph(
        costs, stride, len(leave), max_step, step_costs.states, step_costs, extras, leave, sorted_jumps
    )


def dijkstra(graph: PreparedGraph, flags: bytes | bytearray, start: int, limit: int) -> array[int]:
    """See `python_fields.dijkstra`."""
    totals = array("H", bytes(2 * graph.size * graph.states))
    if graph.step_costs is None:
        blocked = bytes(flags)
        done = call(
            _dijkstra,
            graph.size,
            graph.stride,
            graph.size,
            _at(graph.costs),
            graph.max_step,
            blocked,
            start,
            limit,
            _at(totals),
        )
    else:
        done = _search_states(graph, graph.step_costs, bytes(flags), start, limit, totals)
    require(done)
    return totals


def _search_states(
    graph: PreparedGraph, step_costs: StepCostTables, flags: bytes, start: int, limit: int, totals: array[int]
) -> int:
    states, directions, points, next_states, turns = step_costs
    assert graph.leave is not None
    done: int = call(
        _dijkstra_states,
        graph.size * states,
        graph.stride,
        graph.size,
        _at(graph.costs),
        None if graph.extras is None else _at(graph.extras),
        _at(graph.leave),
        states,
        directions,
        _at(points),
        next_states,
        _at(turns),
        0 if not graph.jumps else len(graph.jumps) // 3,
        None if not graph.jumps else _at(graph.jumps),
        graph.max_step,
        flags,
        start,
        limit,
        _at(totals),
    )
    return done


def threat(
    graph: PreparedGraph,
    flags: bytes | bytearray,
    columns: int,
    footprint: array[int],
    lanes: bytes | bytearray,
    enemies: Sequence[tuple[int, int, int]],
) -> array[int]:
    """See `python_fields.threat`."""
    counts = array("H", bytes(2 * graph.size))
    moves = array("i", [number for enemy in enemies for number in enemy])
    blocked, barred = bytes(flags), bytes(lanes)
    done = call(
        _threat,
        graph.size,
        columns + 2,
        graph.size,
        _at(graph.costs),
        graph.max_step,
        blocked,
        len(footprint) // 4,
        _at(footprint),
        barred,
        len(enemies),
        _at(moves),
        _at(counts),
    )
    require(done)
    return counts


def range_bits(columns: int, rows: int, table: array[int], low: int, high: int) -> list[int]:
    """See `python_fields.range_bits`."""
    width = (columns + 63) // 64
    found = array("Q", bytes(8 * width * rows))
    call(_range_bits, 0, columns, rows, _at(table), low, high, _at(found))
    return whole_rows(found, width)


def range_runs(columns: int, rows: int, table: array[int], low: int, high: int) -> list[Run]:
    """See `python_fields.range_runs`."""
    found = array("i", [0]) * (3 * rows * ((columns + 1) // 2))
    count = call(_range_runs, 0, columns, rows, _at(table), low, high, _at(found))
    return _as_runs(found[: 3 * count])


def range_entries(
    columns: int, rows: int, table: array[int], low: int, high: int
) -> list[tuple[int, int, int]]:
    """See `python_fields.range_entries`."""
    found = array("i", [0]) * (3 * rows * columns)
    count = call(_range_entries, 0, columns, rows, _at(table), low, high, _at(found))
    return _as_runs(found[: 3 * count])


def mask_runs(mask: Mask) -> list[Run]:
    """See `python_fields.mask_runs`."""
    try:
        table = array("Q", mask.rows)
    except OverflowError:  # a row of more than 64 columns
        return python_fields.mask_runs(mask)
    found = array("i", [0]) * (3 * 32 * len(table))
    count = _word_runs(len(table), _at(table), _at(found))
    return _as_runs(found[: 3 * count])


def _as_runs(table: array[int]) -> list[Run]:
    numbers = table.tolist()
    return [*zip(numbers[0::3], numbers[1::3], numbers[2::3], strict=True)]
