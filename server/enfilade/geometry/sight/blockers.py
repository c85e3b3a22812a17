"""What can stop a line of sight: walls, the bodies of tokens and blocks, and what touching them means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from enfilade.geometry.board.bodies import Body, box_body
from enfilade.geometry.board.units import Box, Point, Segment
from enfilade.geometry.board.walls import Wall
from enfilade.geometry.sight.joints import Joint, joints_of
from enfilade.geometry.sight.tables import BodyTables, WallTables, body_tables, wall_tables
from enfilade.geometry.sight.touching import Touching

Proportions = tuple[int, int]
"""The squares of a board's true length across and down, for one unit each; at least 1 is the smaller."""

SQUARE: Proportions = (1, 1)
POINTY_HEXES: Proportions = (3, 4)
FLAT_HEXES: Proportions = (4, 3)


@dataclass(frozen=True)
class Blockers:
    """Everything that may stop a line on one board, and the touching rule.

    A plain segment among the walls is a wall that stops every line; a plain box stands for the body that
    fills it on a square board, from the ground to the sky. `proportions` are for thresholds only.
    """

    walls: Sequence[Segment | Wall] = ()
    boxes: Sequence[Box] = ()
    bodies: Sequence[Body] = ()
    touching: Touching = field(default_factory=Touching)
    proportions: Proportions = SQUARE

    @cached_property
    def standing_walls(self) -> list[Wall]:
        """All the walls as walls, in order."""
        return [wall if isinstance(wall, Wall) else Wall(wall) for wall in self.walls]

    @cached_property
    def all_bodies(self) -> list[Body]:
        """The boxes as bodies, in order, and then the bodies."""
        return [*map(box_body, self.boxes), *self.bodies]

    @cached_property
    def joints(self) -> list[Joint]:
        """Where bodies meet and no line passes."""
        return list(joints_of(self.all_bodies, self.touching))

    @cached_property
    def stop_every_eye(self) -> bool:
        """Whether no wall is such that some eyes, or all, see through it."""
        return all(wall.sight in ("normal", "limited") and not wall.is_open for wall in self.standing_walls)

    @cached_property
    def wall_tables(self) -> WallTables:
        """The walls as the kernel takes them."""
        return wall_tables(self.standing_walls)

    @cached_property
    def body_tables(self) -> BodyTables:
        """The bodies as the kernel takes them."""
        return body_tables(self.all_bodies)

    @cached_property
    def are_plain(self) -> bool:
        """Whether all walls and bodies stop every line of every eye that meets them."""
        return self.stop_every_eye and not self.wall_tables.facts and not self.body_tables.heights

    def with_bodies(self, boxes: Sequence[Box], bodies: Sequence[Body] = ()) -> Blockers:
        """The same walls with other bodies; what was worked out for the walls is kept."""
        moved = replace(self, boxes=boxes, bodies=bodies)
        for kept in ("standing_walls", "stop_every_eye", "wall_tables"):
            if kept in self.__dict__:
                moved.__dict__[kept] = self.__dict__[kept]
        return moved

    def walls_before(self, eye: Point) -> Iterator[tuple[int, Wall]]:
        """The walls that may stop lines from an eye, with their numbers: not those it sees through."""
        for number, wall in enumerate(self.standing_walls):
            if wall.sight != "none" and not wall.is_open and not self._is_seen_through(eye, wall):
                yield number, wall

    def _is_seen_through(self, eye: Point, wall: Wall) -> bool:
        if wall.sight not in ("proximity", "distance") or wall.threshold <= 0:
            return False
        apart = _square_distance(eye, wall.line, self.proportions)
        limit = wall.threshold * wall.threshold * min(self.proportions)
        return apart < limit if wall.sight == "proximity" else apart > limit


def _square_distance(point: Point, segment: Segment, proportions: Proportions) -> Fraction:
    """The square of the distance from a point to a segment, in the board's proportions."""
    (across, down), (x1, y1, x2, y2) = proportions, segment
    vx, vy, px, py = x2 - x1, y2 - y1, point[0] - x1, point[1] - y1
    length = across * vx * vx + down * vy * vy
    along = max(0, min(length, across * vx * px + down * vy * py))
    part = Fraction(along, length or 1)
    return across * (px - part * vx) ** 2 + down * (py - part * vy) ** 2
