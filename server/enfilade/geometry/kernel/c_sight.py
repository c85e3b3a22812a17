"""Shadows and blocked lines in C: the same functions as python_sight.py, with the same answers.

Python handles the rest: boards too large for the kernel's numbers, and the few walls and joints that an eye
looks along. If such a wall may be a limited one, Python does the whole board, because limited shadows are
counted. Areas and tables of lines that rise or fall, and walls that are transparent to some eyes, are left to
Python too.
"""

from __future__ import annotations

import ctypes
import sys
from array import array
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any

from enfilade.geometry.board.base import Board, Box, Cell, Point
from enfilade.geometry.kernel import python_sight
from enfilade.geometry.kernel.library import call, declare, require, whole_rows
from enfilade.geometry.kernel.python_sight import Hit, Points, Rows, Viewer
from enfilade.geometry.sight.blockers import NOT_INTEGERS, Blockers, Heights, Joint
from enfilade.geometry.sight.casting import add_edge_on, edge_on_blockers
from enfilade.geometry.sight.raster import Lattice, ShadowRaster, lattices
from enfilade.geometry.sight.shadows import margins
from enfilade.geometry.sight.tables import table_heights
from enfilade.runtime.time_budget import checkpoint

MAX_SPAN = 1 << 15
"""Coordinates and heights must be closer together than this, so that products fit into 64 bits."""

_TESTS = 1 << 18
"""The tests of one line and one blocker that a call makes before other answers go on: two milliseconds."""

MAX_VIEW_SIDE = 500
"""The largest board, in cells per side, for which the fractions of field_of_view.c fit."""

_JOINT = 9
"""The numbers of a joint in its table."""

_LEFT = 1
"""What a function returns that leaves all to Python."""

_I, _P = ctypes.c_int32, ctypes.c_void_p


class _LatticeStruct(ctypes.Structure):
    """lattice_t of sight.h: the fields of `raster.Lattice`."""

    _fields_ = [(name, _I) for name in Lattice.__slots__]


class _BlockersStruct(ctypes.Structure):
    """blockers_t of sight.h. It points into the tables of a `Blockers` value and is valid as long as that."""

    _fields_ = [
        ("walls", _I),
        ("bodies", _I),
        ("lines", _P),
        ("facts", _P),
        ("transparent", ctypes.c_char_p),
        *((name, _P) for name in ("heights", "part_starts", "corner_starts")),
        *((name, _P) for name in ("corners", "block_starts", "blocks")),
    ]


_VIEW = (ctypes.POINTER(_LatticeStruct), _P, ctypes.POINTER(_BlockersStruct), _I, _P)
_SIZES = (_I, _P, _I, _P, _I, _P, _P, _P)
_shadows = declare("enfilade_shadows", _I, *_VIEW, _P, _P, _P)
_seen_by_any = declare("enfilade_seen_by_any", _I, *_VIEW, _I, _P, _P, _P, _P, _P)
_blocked_cells = declare("enfilade_blocked_cells", _I, *_VIEW[:2], _I, _P, _I, _P, _P, _P, _I, _P, _P)
_field_of_view = declare("enfilade_field_of_view", _I, _I, _I, ctypes.c_char_p, _I, _I, _P)
_cover = declare("enfilade_cover", _I, _P, ctypes.POINTER(_BlockersStruct), *_SIZES)
_any_clear = declare(
    "enfilade_any_clear", _I, _P, ctypes.POINTER(_BlockersStruct), _I, _P, _I, _P, _P, _P, _P, _P
)
_first_hits = declare(
    "enfilade_first_hits", None, _P, ctypes.POINTER(_BlockersStruct), _I, _P, _P, _I, _P, _P
)
_pairs = declare("enfilade_pairs", _I, _P, ctypes.POINTER(_BlockersStruct), *(_I, _P) * 3, _P)


def cast_shadows(lattice: Lattice, eye: Point, heights: Heights, blockers: Blockers) -> ShadowRaster:
    """See `python_sight.cast_shadows`."""
    corner = lattice.center(lattice.columns, lattice.rows)
    if not _fits(blockers, (lattice.x, lattice.y, *corner, *eye, *heights)):
        return python_sight.cast_shadows(lattice, eye, heights, blockers)
    checkpoint()  # new blockers have just got their tables
    word_count = (lattice.columns + 63) // 64
    rows = array("Q", bytes(8 * word_count * lattice.rows))
    found = array("i", bytes(4 * (len(blockers.all_walls) + len(blockers.all_bodies) + 1)))
    counts = array("i", (0, 0))
    view = array("i", (*eye, *heights, *blockers.touch_rule.slacks))
    is_level = heights[0] == heights[1]
    joints = _joint_table(blockers, heights) if is_level else array("i")
    struct = _blockers_struct(blockers, _transparent_to(eye, blockers))
    tables = (struct, len(joints) // _JOINT, _at(joints), _at(rows), _at(found), _at(counts))
    require(call(_shadows, lattice.columns * lattice.rows, _lattice_struct(lattice), _at(view), *tables))
    looked_along, around_eye = found[: counts[0]], set(found[counts[0] : sum(counts)])
    if looked_along and blockers.wall_tables.facts:
        return python_sight.cast_shadows(lattice, eye, heights, blockers)
    dark = ShadowRaster(lattice, eye, whole_rows(rows, word_count))
    checkpoint()
    walls = [blockers.all_walls[number] for number in looked_along]
    for blocker in [] if is_level else edge_on_blockers(eye, blockers, walls, around_eye):
        add_edge_on(dark, heights, blocker)
    return dark


def blocked_cells(
    board: Board, eyes: Points, offsets: Points, layers: Sequence[Sequence[Blockers]], heights: Heights
) -> list[list[Rows]]:
    """See `python_sight.blocked_cells`."""
    found, shown = None, layers[0]
    if all(one is other for more in layers[1:] for one, other in zip(shown, more, strict=True)):
        found = _blocked_rows(board, eyes, offsets, shown, heights)
    if found is None:
        return python_sight.blocked_cells(board, eyes, offsets, layers, heights, cast_shadows)
    return found


def _blocked_rows(
    board: Board, eyes: Points, offsets: Points, layers: Sequence[Blockers], heights: Heights
) -> list[list[Rows]] | None:
    """Return `blocked_cells` of layers that are the same for each offset; None if C does not take them."""
    parts = lattices(board)
    if all(blockers.are_plain for blockers in layers):
        heights = heights[0], heights[0]
    if any(part.stride != 1 for part in parts) or len({blockers.touch_rule for blockers in layers}) > 1:
        return None
    ends = [part.center(part.columns, part.rows) for part in parts]
    farthest = max(abs(number) for offset in offsets for number in offset)
    low = min([part.x for part in parts] + [part.y for part in parts]) - farthest
    high = max(chain.from_iterable(ends)) + farthest
    starting = [*chain.from_iterable(eyes)]
    if not all(_takes_level(blockers, heights, (low, high, *starting, *heights)) for blockers in layers):
        return None
    found = [[[0] * board.rows for _ in offsets] for _ in layers]
    for part in parts:
        if not _add_blocked(part, array("i", starting), offsets, layers, heights, found):
            return None
    return found


def _add_blocked(
    lattice: Lattice,
    eyes: array[int],
    offsets: Points,
    layers: Sequence[Blockers],
    heights: Heights,
    found: list[list[Rows]],
) -> bool:
    """Fill the rows of a lattice; return False if an eye looks along a wall that C leaves to Python."""
    width = (lattice.columns + 63) // 64
    size, count, many = width * lattice.rows, len(offsets), len(layers)
    least = array("Q", bytes(8 * size * count * many))
    view = array("i", (0, 0, *heights, *layers[0].touch_rule.slacks))
    shifts = array("i", chain.from_iterable(offsets))
    structs = [_blockers_struct(blockers, None) for blockers in layers]
    joints = [_joint_table(blockers, heights) for blockers in layers]
    done = call(
        _blocked_cells,
        lattice.columns * lattice.rows * count * len(eyes) // 2,
        _lattice_struct(lattice),
        _at(view),
        len(eyes) // 2,
        _at(eyes),
        many,
        (ctypes.POINTER(_BlockersStruct) * many)(*map(ctypes.pointer, structs)),
        (_I * many)(*[len(table) // _JOINT for table in joints]),
        (_P * many)(*map(_at, joints)),
        count,
        _at(shifts),
        _at(least),
    )
    if done == _LEFT:
        return False
    require(done)
    rows = whole_rows(least, width)
    lines = slice(lattice.top, lattice.top + lattice.step * lattice.rows, lattice.step)
    for number, counts in enumerate(found):
        for line, board_rows in enumerate(counts):
            first = lattice.rows * (number * count + line)
            board_rows[lines] = rows[first : first + lattice.rows]
    return True


def field_of_view(columns: int, rows: int, opaque: bytes, cell: Cell) -> list[int]:
    """See `python_sight.field_of_view`."""
    if max(columns, rows) > MAX_VIEW_SIDE:
        return python_sight.field_of_view(columns, rows, opaque, cell)
    word_count = (columns + 63) // 64
    seen = array("Q", bytes(8 * word_count * rows))
    require(call(_field_of_view, columns * rows, columns, rows, opaque, *cell, _at(seen)))
    return whole_rows(seen, word_count)


def blocked_lines(
    attacker: Points, targets: Sequence[Points], blockers: Blockers, heights: Heights
) -> list[list[int]]:
    """See `python_sight.blocked_lines`."""
    starting, heights = list(chain.from_iterable(attacker)), _heights_that_count(blockers, heights)
    ends = list(chain.from_iterable(chain.from_iterable(targets)))
    if not _takes(blockers, (0, *heights, *starting, *ends)):
        return python_sight.blocked_lines(attacker, targets, blockers, heights)
    joints = _joint_table(blockers, heights)
    start, end = _integers(starting), _integers(ends)
    firsts = array("i", accumulate(map(len, targets), initial=0))
    view = _integers((0, 0, *heights, *blockers.touch_rule.slacks))
    width = 2 * len(attacker)
    blocked = array("i", bytes(4 * width * len(targets)))
    struct = _blockers_struct(blockers, None)
    require(
        call(
            _cover,
            len(end) * len(blockers.all_walls),
            _at(view),
            struct,
            len(joints) // _JOINT,
            _at(joints),
            len(attacker),
            _at(start),
            len(targets),
            _at(firsts),
            _at(end),
            _at(blocked),
        )
    )
    numbers = blocked.tolist()
    return [numbers[i : i + width] for i in range(0, len(numbers), width)] if width else [[] for _ in targets]


def any_clear(pairs: Sequence[tuple[Points, Points]], blockers: Blockers, heights: Heights) -> list[bool]:
    """See `python_sight.any_clear`."""
    starting = list(chain.from_iterable(chain.from_iterable([eyes for eyes, _ in pairs])))
    ends = list(chain.from_iterable(chain.from_iterable([points for _, points in pairs])))
    heights = _heights_that_count(blockers, heights)
    if not _takes(blockers, (0, *heights, *starting, *ends)):
        return python_sight.any_clear(pairs, blockers, heights)
    joints, clear = _joint_table(blockers, heights), array("B", bytes(len(pairs)))
    start, end = _integers(starting), _integers(ends)
    from_starts = array("i", accumulate([len(eyes) for eyes, _ in pairs], initial=0))
    to_starts = array("i", accumulate([len(points) for _, points in pairs], initial=0))
    view = _integers((0, 0, *heights, *blockers.touch_rule.slacks))
    struct = _blockers_struct(blockers, None)
    require(
        call(
            _any_clear,
            len(end) * len(blockers.all_walls),
            _at(view),
            struct,
            len(joints) // _JOINT,
            _at(joints),
            len(pairs),
            _at(from_starts),
            _at(start),
            _at(to_starts),
            _at(end),
            _at(clear),
        )
    )
    return [*map(bool, clear)]


def first_hits(start: Point, ends: Points, blockers: Blockers, heights: Heights) -> list[Hit | None]:
    """See `python_sight.first_hits`."""
    numbers, heights = [*start, *chain.from_iterable(ends)], _heights_that_count(blockers, heights)
    if not _takes(blockers, (0, *heights, *numbers)):
        return python_sight.first_hits(start, ends, blockers, heights)
    checkpoint()  # new blockers have just got their tables
    joints, table = _joint_table(blockers, heights), _integers(numbers)
    view = array("i", (0, 0, *heights, *blockers.touch_rule.slacks))
    struct, found = _blockers_struct(blockers, None), array("q", bytes(8 * 4 * len(ends)))
    at_once = max(
        1, _TESTS // (len(blockers.all_walls) + len(blockers.all_bodies) + len(joints) // _JOINT + 1)
    )
    for first in range(0, len(ends), at_once):
        checkpoint()
        count = min(at_once, len(ends) - first)
        to, here = table.buffer_info()[0] + 8 * (first + 1), found.buffer_info()[0] + 32 * first
        _first_hits(_at(view), struct, len(joints) // _JOINT, _at(joints), _at(table), count, to, here)
    hits = found.tolist()
    return [None if hits[i] > hits[i + 1] else Hit(*hits[i : i + 4]) for i in range(0, len(hits), 4)]


def seen_by_any(
    board: Board, viewers: Sequence[Viewer], blockers: Blockers, heights: Heights
) -> tuple[int, ...]:
    """See `python_sight.seen_by_any`."""
    return seen_by_each(board, [viewers], blockers, heights)[0]


def seen_by_each(
    board: Board, parties: Sequence[Sequence[Viewer]], blockers: Blockers, heights: Heights
) -> list[tuple[int, ...]]:
    """See `python_sight.seen_by_each`."""
    parts, viewers = lattices(board), [*chain.from_iterable(parties)]
    corners = [part.center(part.columns, part.rows) for part in parts]
    ends = [number for eye, _ in viewers for number in eye]
    is_taken = _takes_level(blockers, heights, (*heights, *chain.from_iterable(corners), *ends))
    if not is_taken or any(part.stride != 1 for part in parts):
        return python_sight.seen_by_each(board, parties, blockers, heights)
    rows, left = [[0] * board.rows for _ in parties], set[int]()
    numbers = array("i", [number for number, party in enumerate(parties) for _ in party])
    for part in parts:
        left |= _add_seen(part, viewers, numbers, blockers, heights, rows)
    for place in sorted(left):
        more = python_sight.seen_by_any(board, [viewers[place]], blockers, heights)
        own = rows[numbers[place]]
        own[:] = [one | other for one, other in zip(own, more, strict=True)]
    return [*map(tuple, rows)]


def _add_seen(
    lattice: Lattice,
    viewers: Sequence[Viewer],
    parties: array[int],
    blockers: Blockers,
    heights: Heights,
    rows: list[Rows],
) -> set[int]:
    """Add the cells of a lattice that are seen to the rows; return the viewers that C leaves to Python."""
    width = (lattice.columns + 63) // 64
    size, undone = width * lattice.rows, array("B", bytes(len(viewers)))
    seen, joints = array("Q", bytes(8 * size * len(rows))), _joint_table(blockers, heights)
    view = array("i", (0, 0, *heights, *blockers.touch_rule.slacks))
    struct = _blockers_struct(blockers, None)
    at_once = max(1, _TESTS // (16 * (len(blockers.all_walls) + len(blockers.all_bodies) + size)))
    lines = slice(lattice.top, lattice.top + lattice.step * lattice.rows, lattice.step)
    # The eyes of one large body want the same cells.
    masks = {id(wanted): wanted for _, wanted in viewers} if width > 1 else {}
    words = {key: _words(wanted.rows[lines], width) for key, wanted in masks.items()}
    for first in range(0, len(viewers), at_once):
        checkpoint()
        some = viewers[first : first + at_once]
        eyes = array("i", [number for eye, _ in some for number in eye])
        if width == 1:
            table = array("Q", [*chain.from_iterable([wanted.rows[lines] for _, wanted in some])])
        else:
            table = array("Q", b"".join([words[id(wanted)] for _, wanted in some]))
        require(
            _seen_by_any(
                _lattice_struct(lattice),
                _at(view),
                struct,
                len(joints) // _JOINT,
                _at(joints),
                len(some),
                _at(eyes),
                parties.buffer_info()[0] + parties.itemsize * first,
                _at(table),
                _at(seen),
                undone.buffer_info()[0] + first,
            )
        )
    found = whole_rows(seen, width)
    for number, own in enumerate(rows):
        more = found[lattice.rows * number : lattice.rows * (number + 1)]
        own[lines] = [one | other for one, other in zip(own[lines], more, strict=True)] if any(own) else more
    return {number for number, is_left in enumerate(undone) if is_left}


def _words(rows: Sequence[int], width: int) -> bytes:
    """Return the rows of a mask as words of 64 bits, several for each row."""
    empty = bytes(8 * width)
    data = b"".join([row.to_bytes(8 * width, "little") if row else empty for row in rows])
    if sys.byteorder == "little":
        return data
    table = array("Q", data)
    table.byteswap()
    return table.tobytes()


def clear_pairs(
    points: Points,
    blockers: Blockers,
    heights: Heights,
    clear: bytearray,
    changed: Sequence[Box] | None = None,
) -> None:
    """See `python_sight.clear_pairs`."""
    flat = list(chain.from_iterable(points))
    if not _takes_level(blockers, heights, (0, *heights, *flat)):
        python_sight.clear_pairs(points, blockers, heights, clear, changed)
        return
    joints, table, count = _joint_table(blockers, heights), array("i", flat), len(points)
    view = array("i", (0, 0, *heights, *blockers.touch_rule.slacks))
    boxes = array("i", chain.from_iterable(changed or ()))
    box_count = -1 if changed is None else len(changed)
    buffer = (ctypes.c_uint8 * len(clear)).from_buffer(clear)
    struct = _blockers_struct(blockers, None)
    joint_count = len(joints) // _JOINT
    # No `call`: no other greenlet may read the caller's table while it changes.
    require(
        _pairs(_at(view), struct, joint_count, _at(joints), count, _at(table), box_count, _at(boxes), buffer)
    )


def _integers(numbers: Sequence[int]) -> array[int]:
    try:
        return array("i", numbers)
    except TypeError:
        raise ValueError(NOT_INTEGERS) from None


def _heights_that_count(blockers: Blockers, heights: Heights) -> Heights:
    """Return the heights of a line; a level one meets the same blockers if none has a top or a bottom."""
    return (heights[0], heights[0]) if blockers.are_plain else heights


def _takes_level(blockers: Blockers, heights: Heights, numbers: Sequence[int]) -> bool:
    """Return whether C takes lines with these coordinates that neither rise nor fall."""
    return heights[0] == heights[1] and _takes(blockers, numbers)


def _takes(blockers: Blockers, numbers: Sequence[int]) -> bool:
    """Return whether C takes lines with these coordinates and heights."""
    return _fits(blockers, numbers) and blockers.stop_every_eye


def _fits(blockers: Blockers, numbers: Sequence[int]) -> bool:
    """Return whether the blockers and some more coordinates are close enough together for C."""
    try:
        low, high = blockers.span
    except OverflowError:  # not even 32 bits
        return False
    return max(high, *numbers) - min(low, *numbers) < MAX_SPAN


def _transparent_to(eye: Point, blockers: Blockers) -> bytes | None:
    """Return, for each wall, whether it is transparent to this eye; None if all walls stop every eye."""
    if blockers.stop_every_eye:
        return None
    before = {number for number, _ in blockers.walls_before(eye)}
    return bytes(number not in before for number in range(len(blockers.all_walls)))


def _joint_table(blockers: Blockers, heights: Heights) -> array[int]:
    """Return the joints that lines of some heights may meet; built once for them."""
    kept = blockers.kernel_tables
    if heights not in kept:
        reached = (joint for joint in blockers.joints if _reaches(joint, heights))
        kept[heights] = array("i", chain.from_iterable(map(_joint_numbers, reached)))
    table: Any = kept[heights]
    return table  # type: ignore[no-any-return]


def _joint_numbers(joint: Joint) -> tuple[int, ...]:
    wall = joint.wall
    return (*wall.line, joint.is_seam, *joint.bodies, *table_heights(wall.bottom, wall.top))


def _reaches(joint: Joint, heights: Heights) -> bool:
    """Return whether lines may meet a joint: a seam is open at its top and bottom, a corner is closed."""
    slack = 1 if joint.is_seam else 0
    return all(max(ends) >= slack for ends in margins(joint.wall, heights))


def _at(table: array[int]) -> int | None:
    """Return the address of a table; None for an empty one."""
    return table.buffer_info()[0] if table else None


def _blockers_struct(blockers: Blockers, transparent: bytes | None) -> _BlockersStruct:
    """Return the structure of some blockers; `transparent` marks the walls that this eye sees through.

    The structure for eyes that see through no wall is built once.
    """
    kept = blockers.kernel_tables.get("struct") if transparent is None else None
    if isinstance(kept, _BlockersStruct):
        return kept
    walls, bodies = blockers.wall_tables, blockers.body_tables
    tables = (_at(table) for table in bodies[:6])
    count = len(bodies.part_starts) - 1
    lines, facts = _at(walls.lines), _at(walls.facts)
    struct = _BlockersStruct(len(walls.lines) // 4, count, lines, facts, transparent, *tables)
    if transparent is None:
        blockers.kernel_tables["struct"] = struct
    return struct


@lru_cache(maxsize=64)
def _lattice_struct(lattice: Lattice) -> Any:
    return _LatticeStruct(*(getattr(lattice, name) for name in Lattice.__slots__))
