"""Movement fields in C: the same functions as python_fields.py, with the same answers.

A table goes to C as the address of its memory, so each function keeps its tables in a variable until the
call is over, and sizes every table itself from the same numbers that it hands to C.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from typing import NamedTuple

from enfilade.geometry.kernel.library import declare, require
from enfilade.geometry.kernel.python_fields import MOST, MOST_STATES, NO_STEP, GaitTables

_I, _P = ctypes.c_int32, ctypes.c_void_p

_barriers = declare("enfilade_barriers", None, _I, _P, _I, _P, _P, _I, _P)
_weights = declare("enfilade_weights", None, _I, _I, _P, _P, _P, _P, _P, _I, _I, _P, _P)
_dearest_of = declare("enfilade_dearest", _I, _I, _P)
_flood = declare("enfilade_flood", _I, _I, _I, _P, _I, _P, _I, _I, _P)
_flood_states = declare(
    "enfilade_flood_states", _I, _I, _I, _P, _P, _P, _I, _P, _P, _P, _P, _I, _P, _I, _I, _P
)
_bits = declare("enfilade_bits", None, _I, _I, _P, _I, _I, _P)
_threat = declare("enfilade_threat", _I, _I, _I, _P, _I, _P, _I, _P, _P, _I, _P, _P)


class Links(NamedTuple):
    """A ground ready to be searched: its tables, and the dearest step there is."""

    costs: array[int]
    stride: int
    size: int
    dearest: int
    states: int = 1
    gait: GaitTables | None = None
    extras: array[int] | None = None
    leave: array[int] | None = None


def _at(table: array[int]) -> int:
    return table.buffer_info()[0]


def barriers(lines: array[int], walls: array[int], deltas: array[int], stride: int, size: int) -> bytearray:
    """See `python_fields.barriers`."""
    table = array("B", bytes(size))
    _barriers(len(lines) // 7, _at(lines), len(walls) // 5, _at(walls), _at(deltas), stride, _at(table))
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
    places = array("i", changed)
    _weights(
        columns,
        rows,
        directions,
        _at(points),
        _at(enter),
        _at(leave),
        bytes(barred),
        open_corners,
        len(places),
        None if known is None else _at(places),
        _at(table),
    )
    return table


def links(
    costs: array[int],
    stride: int,
    known: Links | None = None,  # noqa: ARG001 - as in Python; here it saves nothing
    changed: Sequence[int] = (),  # noqa: ARG001
) -> Links:
    """See `python_fields.links`."""
    return Links(costs, stride, len(costs) // 8, _dearest_of(len(costs), _at(costs)))


def state_links(
    costs: array[int], stride: int, extras: array[int] | None, leave: array[int], gait: GaitTables
) -> Links:
    """See `python_fields.state_links`."""
    if gait.states > MOST_STATES:  # no assert: beyond that C would write past its tables
        raise ValueError(f"A gait has {gait.states} states, and the kernel takes {MOST_STATES}.")
    tables = (gait.points, gait.turns, costs)
    walk, turn, weight = (_dearest_of(len(table), _at(table)) for table in tables)
    dearest = max(walk * weight + (max(extras) if extras else 0), turn * max(leave))
    return Links(costs, stride, len(leave), min(dearest, MOST), gait.states, gait, extras, leave)


def flood(ready: Links, flags: bytes | bytearray, start: int, limit: int) -> array[int]:
    """See `python_fields.flood`."""
    spent = array("H", bytes(2 * ready.size * ready.states))
    if ready.gait is None:
        done = _flood(
            ready.stride,
            ready.size,
            _at(ready.costs),
            ready.dearest,
            bytes(flags),
            start,
            limit,
            _at(spent),
        )
    else:
        done = _search_states(ready, ready.gait, bytes(flags), start, limit, spent)
    require(done)
    return spent


def _search_states(
    ready: Links, gait: GaitTables, flags: bytes, start: int, limit: int, spent: array[int]
) -> int:
    states, directions, points, following, turns = gait
    assert ready.leave is not None
    done: int = _flood_states(
        ready.stride,
        ready.size,
        _at(ready.costs),
        None if ready.extras is None else _at(ready.extras),
        _at(ready.leave),
        states,
        directions,
        _at(points),
        following,
        _at(turns),
        ready.dearest,
        flags,
        start,
        limit,
        _at(spent),
    )
    return done


def threat(
    ready: Links,
    flags: bytes | bytearray,
    columns: int,
    footprint: array[int],
    blows: bytes | bytearray,
    enemies: Sequence[tuple[int, int, int]],
) -> array[int]:
    """See `python_fields.threat`."""
    counts = array("H", bytes(2 * ready.size))
    moves = array("i", [number for enemy in enemies for number in enemy])
    done = _threat(
        columns + 2,
        ready.size,
        _at(ready.costs),
        ready.dearest,
        bytes(flags),
        len(footprint) // 4,
        _at(footprint),
        bytes(blows),
        len(enemies),
        _at(moves),
        _at(counts),
    )
    require(done)
    return counts


def bits(columns: int, rows: int, table: array[int], least: int, most: int) -> list[int]:
    """See `python_fields.bits`."""
    width = (columns + 7) // 8
    found = array("B", bytes(width * rows))
    _bits(columns, rows, _at(table), least, most, _at(found))
    filled = found.tobytes()
    return [int.from_bytes(filled[i : i + width], "little") for i in range(0, width * rows, width)]
