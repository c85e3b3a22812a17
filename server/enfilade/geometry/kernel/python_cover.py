"""Which lines between sets of points are blocked, in Python: the reference for cover.c.

For each target the blockers are first thinned out to those near the band in which all its lines lie, and
the wall that stopped the last line is tried first on the next. Only where there are walls or bodies that
do not stop every line is each line looked at by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from enfilade.geometry.board.bodies import Body, corners_of
from enfilade.geometry.board.predicates import crosses, misses, overlaps, touches
from enfilade.geometry.board.units import Box, Point, Segment
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.intersections import bodies_met, walls_met
from enfilade.geometry.sight.joints import Joint
from enfilade.geometry.sight.shadows import Heights
from enfilade.time_budget import checkpoint

Points = Sequence[Point]


def blocked_lines(
    attacker: Points, targets: Sequence[Points], blockers: Blockers, heights: Heights
) -> list[list[int]]:
    """For each target, from each of the attacker's points, two numbers.

    They are the lines to the target's points that a wall blocks, and those that no wall but a body does.
    """
    if blockers.are_plain and attacker:
        near = _Near(blockers)
        return [list(near.count(attacker, target)) for target in targets]
    return [list(_count_one_by_one(attacker, target, blockers, heights)) for target in targets]


def clear_pairs(
    points: Points,
    blockers: Blockers,
    heights: Heights,
    clear: bytearray,
    changed: Sequence[Box] | None = None,
) -> None:
    """Whether the line from each of some points to each other is clear: 1 or 0 in row `from`, column `to`.

    With `changed` boxes only the pairs whose line meets one are looked at again, the rest of `clear` stays.
    """
    for i, a in enumerate(points):
        for j, b in enumerate(points):
            if changed is None or any(not misses(a, b, corners_of(box), 0) for box in changed):
                stops = chain(walls_met(a, b, heights, blockers), bodies_met(a, b, heights, blockers))
                clear[i * len(points) + j] = not any(stops)


def _count_one_by_one(
    attacker: Points, target: Points, blockers: Blockers, heights: Heights
) -> Iterator[int]:
    for eye in attacker:
        checkpoint()
        past = [point for point in target if not any(walls_met(eye, point, heights, blockers))]
        yield len(target) - len(past)
        yield sum(any(bodies_met(eye, point, heights, blockers)) for point in past)


class _Near:
    """Plain blockers with their bounds, to find those that some lines may meet."""

    def __init__(self, blockers: Blockers) -> None:
        self.blockers = blockers
        self.slack = blockers.touching.slacks[1]
        self.meets = touches if blockers.touching.wall == "blocks" else crosses
        self.walls = [wall.line for wall in blockers.standing_walls]
        self.bounds = [(*body.bounds, body) for body in blockers.all_bodies]

    def count(self, attacker: Points, target: Points) -> Iterator[int]:
        """Two numbers for each of the attacker's points; see `blocked_lines`."""
        if not target:
            yield from [0, 0] * len(attacker)
            return
        walls, bodies, joints = self._near([*attacker, *target])
        for eye in attacker:
            checkpoint()
            past = [point for point in target if not self._walls_stop(eye, point, walls)]
            yield len(target) - len(past)
            yield sum(self._bodies_stop(eye, point, bodies, joints) for point in past)

    def _near(self, points: Points) -> tuple[list[Segment], list[Body], list[Joint]]:
        """The walls, bodies and joints that lines between any of the points may meet."""
        left, right = min(x for x, _ in points), max(x for x, _ in points)
        top, bottom = min(y for _, y in points), max(y for _, y in points)
        band = _Band(points)
        walls = [
            line
            for line in self.walls
            if not (
                line[0] < left > line[2]
                or line[0] > right < line[2]
                or line[1] < top > line[3]
                or line[1] > bottom < line[3]
            )
            and band.meets_segment(*line)
        ]
        bodies = [
            body
            for low, up, high, down, body in self.bounds
            if low <= right
            and high >= left
            and up <= bottom
            and down >= top
            and band.meets([corner for part in body.parts for corner in part])
        ]
        joints = [joint for joint in self.blockers.joints if band.meets_segment(*joint.wall.line)]
        return walls, bodies, joints

    def _walls_stop(self, a: Point, b: Point, near: list[Segment]) -> bool:
        for i, (x1, y1, x2, y2) in enumerate(near):
            if self.meets(a, b, (x1, y1), (x2, y2)):
                near[0], near[i] = near[i], near[0]
                return True
        return False

    def _bodies_stop(self, a: Point, b: Point, near: Sequence[Body], joints: Sequence[Joint]) -> bool:
        for body in near:
            is_missed = all(misses(a, b, part, self.slack) for part in body.parts)
            if not is_missed and not body.holds(a) and not body.holds(b):
                return True
        return any(self._joint_stops(a, b, joint) for joint in joints)

    def _joint_stops(self, a: Point, b: Point, joint: Joint) -> bool:
        line = joint.wall.line
        meets = overlaps if joint.is_seam else touches
        if not meets(a, b, line[:2], line[2:]):
            return False
        return not any(self.blockers.all_bodies[i].holds(end) for i in joint.bodies for end in (a, b))


class _Band:
    """A band round the line from the first to the last of some points that holds all of them."""

    def __init__(self, points: Points) -> None:
        (self.x, self.y), (x, y) = points[0], points[-1]
        self.dx, self.dy = x - self.x, y - self.y
        sides = self._sides(points)
        self.low, self.high = min(sides), max(sides)

    def _sides(self, points: Points) -> list[int]:
        return [self.dx * (y - self.y) - self.dy * (x - self.x) for x, y in points]

    def meets(self, corners: Points) -> bool:
        """Whether what has these corners may reach into the band."""
        sides = self._sides(corners)
        return max(sides) >= self.low and min(sides) <= self.high

    def meets_segment(self, x1: int, y1: int, x2: int, y2: int) -> bool:
        """The same for a segment."""
        one = self.dx * (y1 - self.y) - self.dy * (x1 - self.x)
        other = self.dx * (y2 - self.y) - self.dy * (x2 - self.x)
        return not (one < self.low > other or one > self.high < other)
