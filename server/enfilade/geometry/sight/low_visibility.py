"""Zones of low visibility: smoke, mist, dusk. They stop no line, but make what lies in or behind them dim.

Torn, TRN-043 and TRN-044: a target in such a zone is hit less often. Rules that also count what a line
passes through on its way ask for that here too.
"""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.geometry.board.arcs import full_mask
from enfilade.geometry.board.base import Board
from enfilade.geometry.board.bodies import Body
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Point
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.intersections import meets_body
from enfilade.geometry.sight.shadows import Heights
from enfilade.geometry.sight.touching import CLOSED, Touching
from enfilade.geometry.sight.visible import LEVEL, visible


def zones_in_the_way(a: Point, b: Point, zones: Sequence[Body], heights: Heights = LEVEL) -> list[int]:
    """Which of the zones (by their places) the line from a to b starts in, ends in or passes through."""
    return [
        number
        for number, zone in enumerate(zones)
        if zone.holds(a) or zone.holds(b) or meets_body(a, b, heights, zone, CLOSED) is not None
    ]


def dim_cells(board: Board, eye: Point, zones: Sequence[Body], heights: Heights = LEVEL) -> Mask:
    """The cells whose centre an eye would see only in or through a zone; all of them from inside one."""
    everything = full_mask(board)
    if any(zone.holds(eye) for zone in zones):
        return everything
    clear = visible(board, eye, Blockers(bodies=zones, touching=Touching(pinch="passes")), heights)
    return everything - (clear - _filled(board, zones))


def _filled(board: Board, zones: Sequence[Body]) -> Mask:
    """The cells of a board whose centre some zone holds."""
    rows = [0] * board.rows
    for top, bottom, left, right in (block for zone in zones for block in zone.cells):
        for row in range(max(0, top), min(board.rows - 1, bottom) + 1):
            rows[row] |= (1 << max(0, right + 1)) - (1 << max(0, left)) if right >= max(0, left) else 0
    return Mask(tuple(rows)) & full_mask(board)
