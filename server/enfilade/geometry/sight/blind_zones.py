"""Blind zones: what a miniature in cover neither sees nor is seen from.

On hexons (Torn, TRN-045 to TRN-060) cover comes from closing landscape beside a miniature, hexon by hexon.
Let d be the step from the miniature's hexon to the landscape's. The two hexon lines that touch the
landscape run 60 degrees to either side of d, and the open sector between them is an infantry miniature's
blind zone; a large one's is the line along d alone. Where d is +1 on one of the three cube axes and -1 on
another, a hexon p is in the sector exactly when p is positive on the first and negative on the second.

On plain hexes and squares the blind zone of a point is what its lines of sight do not reach.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from enfilade.geometry.board.arcs import full_mask
from enfilade.geometry.board.base import Board
from enfilade.geometry.board.hex import AXIAL_STEPS, Axial, HexBoard
from enfilade.geometry.board.hexon import Hexon, HexonLattice, are_in_line, hexon_line, hexon_neighbours
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Point
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.shadows import Heights
from enfilade.geometry.sight.visible import LEVEL, visible


@dataclass(frozen=True, slots=True)
class Zone:
    """Some hexons seen from one: open sectors of 120 degrees round some steps, and lines along others.

    It has no end; `in` asks about any hexon, on the board or off. A zone never holds its own `origin`.
    """

    origin: Hexon
    sectors: tuple[Axial, ...] = ()
    lines: tuple[Axial, ...] = ()

    def __contains__(self, hexon: Hexon) -> bool:
        i, j = hexon[0] - self.origin[0], hexon[1] - self.origin[1]
        return any(_is_in_sector(i, j, step) for step in self.sectors) or any(
            _is_on_line(i, j, step) for step in self.lines
        )

    def holds(self, hexons: Iterable[Hexon]) -> bool:
        """Whether a miniature on these hexons stands wholly inside."""
        return all(hexon in self for hexon in hexons)

    def steps_to(self, hexons: Iterable[Hexon]) -> list[Axial]:
        """The steps whose sector or line holds any of some hexons: behind what lies that way they are."""
        around = [(i - self.origin[0], j - self.origin[1]) for i, j in hexons]
        sectors = [step for step in self.sectors if any(_is_in_sector(i, j, step) for i, j in around)]
        return sectors + [step for step in self.lines if any(_is_on_line(i, j, step) for i, j in around)]

    def hexes(self, board: HexBoard, lattice: HexonLattice) -> Mask:
        """The hexes of a board whose hexon is in the zone."""
        cells = ((x, y) for y in range(board.rows) for x in range(board.columns))
        held = (cell for cell in cells if lattice.hexon_of(board.axial(cell)) in self)
        return Mask.of(held, board.rows)


def _cube(axial: Axial) -> tuple[int, int, int]:
    return (axial[0], -axial[0] - axial[1], axial[1])


def _is_in_sector(i: int, j: int, step: Axial) -> bool:
    along, toward = _cube((i, j)), _cube(step)
    return along[toward.index(1)] > 0 > along[toward.index(-1)]


def _is_on_line(i: int, j: int, step: Axial) -> bool:
    return are_in_line((0, 0), (i, j)) and i * step[0] + j * step[1] > 0 and i * step[1] == j * step[0]


def infantry_blind_zone(at: Axial, landscape: Collection[Hexon], lattice: HexonLattice) -> Zone:
    """The blind zone of an infantry miniature on a hex (TRN-046 to TRN-051).

    Only closing landscape that touches its very hex counts: none where it stands in a hexon's centre, two
    pieces at most on the rim. The zones of two merge into one, bounded by the hexon line that touches both.
    """
    origin = lattice.hexon_of(at)
    touching = lattice.touching(at)
    steps = (step for step, hexon in _around(origin) if hexon in touching and hexon in landscape)
    return Zone(origin, sectors=tuple(steps))


def large_blind_zone(at: Hexon, landscape: Collection[Hexon]) -> Zone:
    """The blind zone of a large miniature: the lines through landscape beside it (TRN-052 to 054)."""
    return Zone(at, lines=tuple(step for step, hexon in _around(at) if hexon in landscape))


def huge_blind_zone(at: Hexon) -> Zone:
    """Huge miniatures never have cover (TRN-055)."""
    return Zone(at)


def defence_zone(at: Hexon, landscape: Collection[Hexon]) -> Zone:
    """From where attacks give a large miniature beside landscape its one more defence die (TRN-057 to 060).

    Whatever the number of pieces, a hexon is in the zone or it is not, so the die is never more than one.
    """
    return Zone(at, sectors=tuple(step for step, hexon in _around(at) if hexon in landscape))


def border_lines(at: Hexon, landscape: Collection[Hexon], count: int) -> list[list[Hexon]]:
    """The hexon lines of `count` hexons along the landscape beside a hexon that bound its zone (TRN-047).

    Where two pieces lie side by side, the line between their sectors is inside the zone and left out.
    """
    zone = defence_zone(at, landscape)
    lines = []
    for i, step in enumerate(AXIAL_STEPS):
        beside = {AXIAL_STEPS[i - 1], AXIAL_STEPS[(i + 1) % 6]}
        if beside & set(zone.sectors) and (at[0] + step[0], at[1] + step[1]) not in zone:
            lines.append(hexon_line(at, step, count))
    return lines


def _around(hexon: Hexon) -> Iterable[tuple[Axial, Hexon]]:
    return zip(AXIAL_STEPS, hexon_neighbours(hexon), strict=True)


def see_each_other(zone: Zone, hexons: Collection[Hexon], other: Zone, others: Collection[Hexon]) -> bool:
    """Whether two miniatures, each with its blind zone and the hexons it stands on, see each other.

    They do unless one stands wholly in the other's zone (TRN-048 to TRN-050).
    """
    return not zone.holds(others) and not other.holds(hexons)


def blind_cells(board: Board, eye: Point, blockers: Blockers, heights: Heights = LEVEL) -> Mask:
    """The cells of any board that a point does not see."""
    return full_mask(board) - visible(board, eye, blockers, heights)
