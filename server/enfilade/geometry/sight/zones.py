"""Blind zones, which cover hides from sight, and zones of low visibility such as smoke.

On hexons (Torn, TRN-045 to TRN-060) cover comes from closing landscape beside a miniature, hexon by hexon.
Let d be the step from the miniature's hexon to the landscape's. The two hexon lines that touch the
landscape run 60 degrees to either side of d, and the open sector between them is an infantry miniature's
blind zone. The blind zone of a large miniature is the line along d alone. If d is +1 on one of the three
cube axes and -1 on another, a hexon p is in the sector exactly if p is positive on the first and negative
on the second.

On plain hexes and squares the blind zone of a point is every cell that its lines of sight do not reach.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from enfilade.geometry.board.base import Board, Point
from enfilade.geometry.board.hex import AXIAL_STEPS, Axial, HexBoard
from enfilade.geometry.board.hexon import Hexon, HexonLattice, are_in_line, hexon_line, hexon_neighbors
from enfilade.geometry.board.mask import Mask, full_mask
from enfilade.geometry.board.shapes import Body
from enfilade.geometry.sight.blockers import CLOSED, LEVEL, Blockers, Heights, TouchRule
from enfilade.geometry.sight.intersections import meets_body
from enfilade.geometry.sight.line_of_sight import visible


@dataclass(frozen=True, slots=True)
class Zone:
    """Hexons seen from one hexon: open sectors of 120 degrees around some steps, and lines along others.

    A zone is unlimited: `in` accepts any hexon, on or off the board. It never contains its own `origin`.
    """

    origin: Hexon
    sectors: tuple[Axial, ...] = ()
    lines: tuple[Axial, ...] = ()

    def __contains__(self, hexon: Hexon) -> bool:
        i, j = hexon[0] - self.origin[0], hexon[1] - self.origin[1]
        along = (i, -i - j, j)
        for step in self.sectors:
            positive, negative = SECTOR_AXES[step]
            if along[positive] > 0 > along[negative]:
                return True
        return any(_is_on_line(i, j, step) for step in self.lines)

    def contains(self, hexons: Iterable[Hexon]) -> bool:
        """Return whether a miniature on these hexons is wholly inside the zone."""
        # A loop, because a generator takes twice as long, and rules ask about each pair.
        for hexon in hexons:  # noqa: SIM110
            if hexon not in self:
                return False
        return True

    def steps_to(self, hexons: Iterable[Hexon]) -> list[Axial]:
        """Return the steps whose sector or line contains any of the hexons."""
        around = [(i - self.origin[0], j - self.origin[1]) for i, j in hexons]
        sectors = [step for step in self.sectors if any(_is_in_sector(i, j, step) for i, j in around)]
        return sectors + [step for step in self.lines if any(_is_on_line(i, j, step) for i, j in around)]

    def hexes(self, board: HexBoard, lattice: HexonLattice) -> Mask:
        """Return the hexes of a board whose hexon is in the zone."""
        cells = ((x, y) for y in range(board.rows) for x in range(board.columns))
        inside = (cell for cell in cells if lattice.hexon_of(board.axial(cell)) in self)
        return Mask.of(inside, board.rows)


def _cube(axial: Axial) -> tuple[int, int, int]:
    return (axial[0], -axial[0] - axial[1], axial[1])


SECTOR_AXES = {step: (_cube(step).index(1), _cube(step).index(-1)) for step in AXIAL_STEPS}
"""The cube axes on which hexons in the open sector around a step are positive and negative."""


def _is_in_sector(i: int, j: int, step: Axial) -> bool:
    along, (positive, negative) = _cube((i, j)), SECTOR_AXES[step]
    return along[positive] > 0 > along[negative]


def _is_on_line(i: int, j: int, step: Axial) -> bool:
    return are_in_line((0, 0), (i, j)) and i * step[0] + j * step[1] > 0 and i * step[1] == j * step[0]


def infantry_blind_zone(at: Axial, landscape: Collection[Hexon], lattice: HexonLattice) -> Zone:
    """Return the blind zone of an infantry miniature on a hex (TRN-046 to TRN-051).

    Only closing landscape that touches its own hex counts: none in the center of a hexon, at most two pieces
    on the rim. The zones of two pieces merge into one, bounded by the hexon line that touches both.
    """
    return zone_beside(lattice.hexon_of(at), lattice.adjacent_hexons(at).intersection(landscape))


def zone_beside(at: Hexon, landscape: Collection[Hexon]) -> Zone:
    """Return the zone of open sectors around the steps from a hexon to those with landscape."""
    return Zone(at, sectors=tuple([step for step, hexon in _around(at) if hexon in landscape]))


def large_blind_zone(at: Hexon, landscape: Collection[Hexon]) -> Zone:
    """Return the blind zone of a large miniature: lines through adjacent landscape (TRN-052 to TRN-054)."""
    return Zone(at, lines=tuple(step for step, hexon in _around(at) if hexon in landscape))


def huge_blind_zone(at: Hexon) -> Zone:
    """Return the empty zone: huge miniatures never have cover (TRN-055)."""
    return Zone(at)


def defense_zone(at: Hexon, landscape: Collection[Hexon]) -> Zone:
    """Return the zone of attackers against which landscape gives a large miniature a defense die.

    A hexon is in the zone or not, for any number of pieces, so the bonus is never more than one die
    (TRN-057 to TRN-060).
    """
    return zone_beside(at, landscape)


def border_lines(at: Hexon, landscape: Collection[Hexon], count: int) -> list[list[Hexon]]:
    """Return the hexon lines of `count` hexons that bound the zone of a hexon (TRN-047).

    If two pieces of landscape are adjacent, the line between their sectors is inside the zone and left out.
    """
    zone = defense_zone(at, landscape)
    lines = []
    for i, step in enumerate(AXIAL_STEPS):
        beside = {AXIAL_STEPS[i - 1], AXIAL_STEPS[(i + 1) % 6]}
        if beside & set(zone.sectors) and (at[0] + step[0], at[1] + step[1]) not in zone:
            lines.append(hexon_line(at, step, count))
    return lines


def _around(hexon: Hexon) -> Iterable[tuple[Axial, Hexon]]:
    return zip(AXIAL_STEPS, hexon_neighbors(hexon), strict=True)


def see_each_other(zone: Zone, hexons: Collection[Hexon], other: Zone, others: Collection[Hexon]) -> bool:
    """Return whether two miniatures, each with its blind zone and its hexons, see each other.

    They do unless one is wholly in the other's zone (TRN-048 to TRN-050).
    """
    return not zone.contains(others) and not other.contains(hexons)


def blind_cells(board: Board, eye: Point, blockers: Blockers, heights: Heights = LEVEL) -> Mask:
    """Return the cells of any board that a point does not see."""
    return full_mask(board) - visible(board, eye, blockers, heights)


def zones_on_line(a: Point, b: Point, zones: Sequence[Body], heights: Heights = LEVEL) -> list[int]:
    """Return the numbers of the zones of low visibility that a line starts in, ends in or passes through.

    Zones of low visibility stop no line, but dim their inside and the cells behind them: a target there is
    hit less often (Torn, TRN-043 and TRN-044). For rulesets that count every zone on a line; none does yet.
    """
    return [
        number
        for number, zone in enumerate(zones)
        if zone.contains(a) or zone.contains(b) or meets_body(a, b, heights, zone, CLOSED) is not None
    ]


def low_visibility_cells(board: Board, eye: Point, zones: Sequence[Body], heights: Heights = LEVEL) -> Mask:
    """Return the cells that an eye sees only in or through a zone; all cells if the eye is in a zone.

    For the overlays of rulesets with smoke or darkness; none asks for it yet.
    """
    everything = full_mask(board)
    if any(zone.contains(eye) for zone in zones):
        return everything
    clear = visible(board, eye, Blockers(bodies=zones, touch_rule=TouchRule(corner="passes")), heights)
    return everything - (clear - _filled(board, zones))


def _filled(board: Board, zones: Sequence[Body]) -> Mask:
    """Return the cells of a board whose center is in a zone."""
    rows = [0] * board.rows
    for top, bottom, left, right in (block for zone in zones for block in zone.cells):
        for row in range(max(0, top), min(board.rows - 1, bottom) + 1):
            rows[row] |= (1 << max(0, right + 1)) - (1 << max(0, left)) if right >= max(0, left) else 0
    return Mask(tuple(rows)) & full_mask(board)
