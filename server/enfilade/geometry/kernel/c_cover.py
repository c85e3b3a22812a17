"""Which lines between sets of points are blocked, in C: the same as python_cover.py, with the same answers.

Lines that rise or fall, and walls that some eyes see through, are left to Python.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from itertools import accumulate, chain

from enfilade.geometry.blockers import Blockers
from enfilade.geometry.joints import Joint
from enfilade.geometry.kernel import python_cover
from enfilade.geometry.kernel.c_blockers import BlockersStruct, at, fit, struct_of
from enfilade.geometry.kernel.library import declare, require
from enfilade.geometry.kernel.python_cover import Points
from enfilade.geometry.shadows import Heights, margins

_I, _P = ctypes.c_int32, ctypes.c_void_p
_SIZES = (_I, _P, _I, _P, _I, _P, _P, _P)
_cover = declare("enfilade_cover", _I, _P, ctypes.POINTER(BlockersStruct), *_SIZES)


def blocked_lines(
    attacker: Points, targets: Sequence[Points], blockers: Blockers, heights: Heights
) -> list[list[int]]:
    """See `python_cover.blocked_lines`."""
    starting = list(chain.from_iterable(attacker))
    ends = list(chain.from_iterable(point for target in targets for point in target))
    is_level = heights[0] == heights[1]
    if not is_level or not blockers.stop_every_eye or not fit(blockers, (0, *starting, *ends, *heights)):
        return python_cover.blocked_lines(attacker, targets, blockers, heights)
    joints = [joint for joint in blockers.joints if _reaches(joint, heights)]
    numbers = array("i", chain.from_iterable((*j.wall.line, j.is_seam, *j.bodies) for j in joints))
    start, end, firsts = array("i", starting), array("i", ends), _starts(targets)
    view = array("i", (0, 0, *heights, *blockers.touching.slacks))
    width = 2 * len(attacker)
    blocked = array("i", bytes(4 * width * len(targets)))
    require(
        _cover(
            at(view),
            struct_of(blockers, None),
            len(joints),
            at(numbers),
            len(attacker),
            at(start),
            len(targets),
            at(firsts),
            at(end),
            at(blocked),
        )
    )
    return [blocked[width * i : width * (i + 1)].tolist() for i in range(len(targets))]


def _reaches(joint: Joint, heights: Heights) -> bool:
    """Whether level lines meet a joint: a seam is open at its top and bottom, a pinch is closed."""
    slack = 1 if joint.is_seam else 0
    return all(at_eye >= slack for at_eye, _ in margins(joint.wall, heights))


def _starts(targets: Sequence[Points]) -> array[int]:
    return array("i", accumulate(map(len, targets), initial=0))
