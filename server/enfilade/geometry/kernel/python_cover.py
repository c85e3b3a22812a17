"""Which lines between sets of points are blocked, in Python: the reference for cover.c.

For each target the blockers are first thinned out to those near the band in which all its lines lie, and
the wall that stopped the last line is tried first on the next. Only where there are walls or bodies that
do not stop every line is each line looked at by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from enfilade.geometry.blockers import Blockers
from enfilade.geometry.crossing import bodies_met, walls_met
from enfilade.geometry.joints import Joint
from enfilade.geometry.lines import crosses, misses, overlaps, touches
from enfilade.geometry.shadows import Heights
from enfilade.geometry.units import Corners, Point, Segment

Points = Sequence[Point]


def blocked_lines(
    attacker: Points, targets: Sequence[Points], blockers: Blockers, heights: Heights
) -> list[list[int]]:
    """For each target, from each of the attacker's points, two numbers.

    They are the lines to the target's points that a wall blocks, and those that no wall but a body does.
    """
    if blockers.are_plain:
        return [list(_count(attacker, target, blockers)) if attacker else [] for target in targets]
    return [list(_count_one_by_one(attacker, target, blockers, heights)) for target in targets]


def _count_one_by_one(
    attacker: Points, target: Points, blockers: Blockers, heights: Heights
) -> Iterator[int]:
    for eye in attacker:
        past = [point for point in target if not any(walls_met(eye, point, heights, blockers))]
        yield len(target) - len(past)
        yield sum(any(bodies_met(eye, point, heights, blockers)) for point in past)


def _count(attacker: Points, target: Points, blockers: Blockers) -> Iterator[int]:
    """The same, where all blockers are plain."""
    if not target:
        yield from [0, 0] * len(attacker)
        return
    near = _Band(attacker, target)
    walls = [wall.line for wall in blockers.standing_walls if near.has_segment(wall.line)]
    bodies = [i for i, body in enumerate(blockers.all_bodies) if any(map(near.has_shape, body.parts))]
    joints = [joint for joint in blockers.joints if near.has_segment(joint.wall.line)]
    meets = touches if blockers.touching.wall == "blocks" else crosses
    for eye in attacker:
        past = []
        for point in target:
            for i, (x1, y1, x2, y2) in enumerate(walls):
                if meets(eye, point, (x1, y1), (x2, y2)):
                    walls[0], walls[i] = walls[i], walls[0]
                    break
            else:
                past.append(point)
        yield len(target) - len(past)
        yield sum(_bodies_stop(eye, point, blockers, bodies, joints) for point in past)


def _bodies_stop(
    a: Point, b: Point, blockers: Blockers, near: Sequence[int], joints: Sequence[Joint]
) -> bool:
    slack = blockers.touching.slacks[1]
    for number in near:
        body = blockers.all_bodies[number]
        if (
            not all(misses(a, b, part, slack) for part in body.parts)
            and not body.holds(a)
            and not body.holds(b)
        ):
            return True
    return any(_joint_stops(a, b, blockers, joint) for joint in joints)


def _joint_stops(a: Point, b: Point, blockers: Blockers, joint: Joint) -> bool:
    line = joint.wall.line
    meets = overlaps if joint.is_seam else touches
    if not meets(a, b, line[:2], line[2:]):
        return False
    return not any(blockers.all_bodies[i].holds(end) for i in joint.bodies for end in (a, b))


class _Band:
    """Where all lines from one set of points to another lie: a box, and a band round one of the lines."""

    def __init__(self, attacker: Points, target: Points) -> None:
        points = [*attacker, *target]
        self.left, self.right = min(x for x, _ in points), max(x for x, _ in points)
        self.top, self.bottom = min(y for _, y in points), max(y for _, y in points)
        (self.x, self.y), (x, y) = points[0], points[-1]
        self.dx, self.dy = x - self.x, y - self.y
        sides = [self._side(x, y) for x, y in points]
        self.low, self.high = min(sides), max(sides)

    def _side(self, x: int, y: int) -> int:
        return self.dx * (y - self.y) - self.dy * (x - self.x)

    def has_segment(self, line: Segment) -> bool:
        """Whether a segment may meet any of the lines."""
        x1, y1, x2, y2 = line
        if x1 < self.left > x2 or x1 > self.right < x2 or y1 < self.top > y2 or y1 > self.bottom < y2:
            return False
        one, other = self._side(x1, y1), self._side(x2, y2)
        return not (one < self.low > other or one > self.high < other)

    def has_shape(self, corners: Corners) -> bool:
        """Whether a convex shape may meet any of the lines."""
        if max(x for x, _ in corners) < self.left or min(x for x, _ in corners) > self.right:
            return False
        if max(y for _, y in corners) < self.top or min(y for _, y in corners) > self.bottom:
            return False
        sides = [self._side(x, y) for x, y in corners]
        return max(sides) >= self.low and min(sides) <= self.high
