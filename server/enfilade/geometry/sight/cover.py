"""Cover: how many of the lines between an attacker and a target are blocked, by walls and by bodies apart.

The usual way on squares: from each of the attacker's four corners to each of the target's, the corners
drawn in by 2/64 of a cell so that no line runs along the edge of a token's own square. What the fraction
means (half cover, three quarters) is for a ruleset to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.units import Box, Cell, Point
from enfilade.geometry.kernel import sight
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.shadows import Heights

INSET = 2
LEVEL: Heights = (0, 0)


class Cover(NamedTuple):
    """What a target has from one attacker.

    Attributes:
        walls: for each of the attacker's points, the lines that a wall blocks.
        bodies: for each of them, the lines that no wall but a body blocks.
        lines: the lines from each point.
    """

    walls: tuple[int, ...]
    bodies: tuple[int, ...]
    lines: int

    @property
    def fraction(self) -> Fraction:
        """The part of all lines that is blocked; 0 where there are none."""
        return Fraction(sum(self.walls) + sum(self.bodies), len(self.walls) * self.lines or 1)

    @property
    def by_walls(self) -> Fraction:
        """The part of all lines that walls block."""
        return Fraction(sum(self.walls), len(self.walls) * self.lines or 1)

    @property
    def by_bodies(self) -> Fraction:
        """The part of all lines that bodies block and no wall does."""
        return self.fraction - self.by_walls

    @property
    def from_best_corner(self) -> Fraction:
        """The part blocked from the point that sees most, for rules where the attacker picks his corner."""
        blocked = (a + b for a, b in zip(self.walls, self.bodies, strict=True))
        return Fraction(min(blocked, default=0), self.lines or 1)


def box_corners(box: Box, inset: int = INSET) -> tuple[Point, ...]:
    """The corners of a box on a square board, drawn in."""
    left, top, right, bottom = box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def hex_corners(board: HexBoard, cell: Cell) -> tuple[Point, ...]:
    """The corners of a hex, drawn in by a sixteenth of their distance from its centre."""
    x, y = board.centre(cell)
    return tuple((cx + (x - cx) // 16, cy + (y - cy) // 16) for cx, cy in board.corners(cell))


def cover(
    attacker: Sequence[Point], target: Sequence[Point], blockers: Blockers, heights: Heights = LEVEL
) -> Cover:
    """The cover of a target's points against an attacker's points; give one point for centre to corners.

    A body that holds an end of a line does not block it, so neither of the two hides himself.
    """
    return covers(attacker, [target], blockers, heights)[0]


def covers(
    attacker: Sequence[Point],
    targets: Sequence[Sequence[Point]],
    blockers: Blockers,
    heights: Heights = LEVEL,
) -> list[Cover]:
    """The cover of each of several targets against one attacker."""
    counts = sight.blocked_lines(attacker, targets, blockers, heights)
    return [
        Cover(tuple(count[0::2]), tuple(count[1::2]), len(target))
        for count, target in zip(counts, targets, strict=True)
    ]
