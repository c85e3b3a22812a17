"""Which lines between sets of points are blocked, in C: the same as python_cover.py, with the same answers.

Lines that rise or fall, and walls that some eyes see through, are left to Python.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from itertools import accumulate, chain

from enfilade.geometry.board.units import Box
from enfilade.geometry.kernel import python_cover
from enfilade.geometry.kernel.c_blockers import BlockersStruct, at, fit, struct_of
from enfilade.geometry.kernel.library import declare, require
from enfilade.geometry.kernel.python_cover import Points
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.joints import Joint
from enfilade.geometry.sight.shadows import Heights, margins

_I, _P = ctypes.c_int32, ctypes.c_void_p
_SIZES = (_I, _P, _I, _P, _I, _P, _P, _P)
_cover = declare("enfilade_cover", _I, _P, ctypes.POINTER(BlockersStruct), *_SIZES)
_pairs = declare("enfilade_pairs", _I, _P, ctypes.POINTER(BlockersStruct), *(_I, _P) * 3, _P)


def blocked_lines(
    attacker: Points, targets: Sequence[Points], blockers: Blockers, heights: Heights
) -> list[list[int]]:
    """See `python_cover.blocked_lines`."""
    starting = list(chain.from_iterable(attacker))
    ends = list(chain.from_iterable(chain.from_iterable(targets)))
    is_level = heights[0] == heights[1]
    if not is_level or not blockers.stop_every_eye or not fit(blockers, (0, *starting, *ends, *heights)):
        return python_cover.blocked_lines(attacker, targets, blockers, heights)
    joints = _joints(blockers, heights)
    start, end, firsts = array("i", starting), array("i", ends), _starts(targets)
    view = array("i", (0, 0, *heights, *blockers.touching.slacks))
    width = 2 * len(attacker)
    blocked = array("i", bytes(4 * width * len(targets)))
    require(
        _cover(
            at(view),
            struct_of(blockers, None),
            len(joints) // 7,
            at(joints),
            len(attacker),
            at(start),
            len(targets),
            at(firsts),
            at(end),
            at(blocked),
        )
    )
    return [blocked[width * i : width * (i + 1)].tolist() for i in range(len(targets))]


def clear_pairs(
    points: Points,
    blockers: Blockers,
    heights: Heights,
    clear: bytearray,
    changed: Sequence[Box] | None = None,
) -> None:
    """See `python_cover.clear_pairs`."""
    flat = list(chain.from_iterable(points))
    is_level = heights[0] == heights[1]
    if not is_level or not blockers.stop_every_eye or not fit(blockers, (0, *flat, *heights)):
        python_cover.clear_pairs(points, blockers, heights, clear, changed)
        return
    joints, table, count = _joints(blockers, heights), array("i", flat), len(points)
    view = array("i", (0, 0, *heights, *blockers.touching.slacks))
    boxes = array("i", chain.from_iterable(changed or ()))
    asked = -1 if changed is None else len(changed)
    buffer = (ctypes.c_uint8 * len(clear)).from_buffer(clear)
    struct = struct_of(blockers, None)
    require(
        _pairs(at(view), struct, len(joints) // 7, at(joints), count, at(table), asked, at(boxes), buffer)
    )


def _joints(blockers: Blockers, heights: Heights) -> array[int]:
    """The joints that level lines meet, seven numbers each."""
    met = (joint for joint in blockers.joints if _reaches(joint, heights))
    return array("i", chain.from_iterable((*j.wall.line, j.is_seam, *j.bodies) for j in met))


def _reaches(joint: Joint, heights: Heights) -> bool:
    """Whether level lines meet a joint: a seam is open at its top and bottom, a pinch is closed."""
    slack = 1 if joint.is_seam else 0
    return all(at_eye >= slack for at_eye, _ in margins(joint.wall, heights))


def _starts(targets: Sequence[Points]) -> array[int]:
    return array("i", accumulate(map(len, targets), initial=0))
