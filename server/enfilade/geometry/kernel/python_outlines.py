"""The outline of what paths of some length reach on a gridless board. The reference of outlines.c.

Every shortest path ends with a straight line that leaves the start, or a round end of an obstacle that the
path goes around. So the reach is a union of fans: the straight lines after one arrival, each up to the rest
of the length or the first obstacle. A fan's edge is sampled, closely where it bends, so that no point of the
true edge is more than half a unit (1/128 inch) off before coordinates are rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from enfilade.geometry.kernel.python_gridless import (
    CLOSE,
    TURN,
    Arrival,
    Disc,
    Obstacle,
    Place,
    Search,
    distance_to,
    tangent,
    turned,
)
from enfilade.time_budget import checkpoint

BEND = 0.4
"""The farthest that an edge may lie off the straight line between two samples."""
FIRST_STEP = math.pi / 8
"""The angle between the first samples."""
LAST_STEP = 1e-5
"""The angle below which no samples are added."""
BESIDE = 1e-6
"""The angle between the samples on both sides of a line that touches an obstacle."""
INSIDE = 0.5
"""How far beyond a point another fan reaches if the point is not on the outline."""
SECTORS = 24
"""The parts of a full turn by which a fan finds its obstacles."""
SECTORS_IN_RADIAN = SECTORS / TURN
HALVINGS = 8
"""How often the end of a line of the outline is searched between two samples."""

Ring = tuple[int, ...]
"""A closed line, clockwise on the board: x, y, x, y, ... in 64ths of an inch, each point once."""


NO_BARRIER = -1
"""The barrier of a line that ends because its length does."""


class Sample(NamedTuple):
    """The end of one line of a fan: the turn after the arrival, the end, and the barrier there, by number."""

    turn: float
    x: float
    y: float
    barrier: int


class Barrier(NamedTuple):
    """An obstacle as a fan meets it: the turns of the lines that may meet it, its segment and its radius.

    `number` tells the barriers of a fan apart.
    `ux` and `uy` are the direction of the segment, `size` its length, `radius` how near a line may not come.
    """

    number: int
    first: float
    width: float
    x1: float
    y1: float
    x2: float
    y2: float
    radius: float
    ux: float
    uy: float
    size: float


class Fan:
    """The straight lines that continue a path after an arrival, the farther around its disc the shorter."""

    def __init__(self, search: Search, arrival: Arrival) -> None:
        self.disc = search.discs[arrival.disc]
        self.x, self.y, self.radius = self.disc
        self.angle, self.side, self.left = arrival.angle, arrival.turn, search.budget - arrival.cost
        self.arc = TURN if self.radius == 0 else min(self._free_arc(search, arrival), self.left / self.radius)
        self.search, self.arrival = search, arrival
        self.inner = max(0.0, self.left - INSIDE) ** 2 if self.left >= INSIDE else -1.0
        self.square = self.radius * self.radius
        self.touches: list[float] = []
        self.count = 0
        self.sectors: list[list[Barrier]] = []

    def find_barriers(self) -> None:
        """Find the obstacles that the fan may meet, once it is known that it is needed."""
        self.sectors = [[] for _ in range(SECTORS)]
        for obstacle in self.search.obstacles:
            barrier = self._barrier(obstacle)
            if barrier is None:
                continue
            first = int(barrier.first * SECTORS_IN_RADIAN)
            last = int((barrier.first + barrier.width) * SECTORS_IN_RADIAN)
            for sector in range(first, min(last, first + SECTORS - 1) + 1):
                self.sectors[sector % SECTORS].append(barrier)

    def is_covered_by(self, other: Fan) -> bool:
        """Return whether another fan around the same disc, which leaves more length, has all of this one."""
        if other.disc != self.disc or other.side != self.side:
            return False
        turn = turned(other.arrival, self.radius, self.angle)
        return turn <= other.arc and other.left - self.radius * turn >= self.left - CLOSE

    def _free_arc(self, search: Search, arrival: Arrival) -> float:
        """Return how far a path can go around the disc before an obstacle, at most once around."""
        free = TURN
        for start, length in search.blocked(arrival.disc):
            to_arc = start - self.angle if self.side > 0 else self.angle - start - length
            offset = to_arc % TURN
            free = min(free, 0.0 if offset + length > TURN + 1e-7 else offset)
        return free

    def _barrier(self, obstacle: Obstacle) -> Barrier | None:
        """Return an obstacle that the fan may meet; note the turns after which its lines touch it."""
        x1, y1, x2, y2, radius = obstacle
        apart = distance_to(self.x, self.y, x1, y1, x2, y2) - radius - self.radius
        if apart > self.left:
            return None
        found: list[float] = []
        for end in {Disc(x1, y1, radius), Disc(x2, y2, radius)} - {self.disc}:
            for side in (1, -1):
                line = tangent(self.disc, self.side, end, side)
                if line is None:
                    continue
                turn = (line.leaves - self.angle) * self.side % TURN
                found.append(turn)
                if turn < self.arc and line.length <= self.left - self.radius * turn:
                    self.touches.append(turn)
        first, width = 0.0, TURN
        if apart > CLOSE and found:
            # No line of the disc is in the way, so the lines that meet the obstacle are those of one angle
            # below half a turn around the one to its middle.
            middle = self._locate((x1 + x2) / 2, (y1 + y2) / 2)[0]
            aside = [(turn - middle + math.pi) % TURN - math.pi for turn in found]
            first, width = (middle + min(aside) - BESIDE) % TURN, max(aside) - min(aside) + 2 * BESIDE
        size = math.hypot(x2 - x1, y2 - y1)
        ux, uy = ((x2 - x1) / size, (y2 - y1) / size) if size else (0.0, 0.0)
        self.count += 1
        return Barrier(self.count, first, width, x1, y1, x2, y2, radius - CLOSE, ux, uy, size)

    def _locate(self, x: float, y: float) -> tuple[float, float]:
        """Return the turn of the line that leads to a point outside the disc, and the length to it."""
        x, y, radius = x - self.x, y - self.y, self.radius
        length = math.sqrt(max(0.0, x * x + y * y - radius * radius))
        along = self.side * length
        angle = math.atan2(y * radius - x * along, x * radius + y * along)
        return (angle - self.angle) * self.side % TURN, length

    def _trace(self, turn: float, length: float) -> Sample:
        """Return the end of the line that leaves after a turn, at a length or at the first obstacle."""
        angle = self.angle + self.side * turn
        cos, sin = math.cos(angle), math.sin(angle)
        x, y = self.x + self.radius * cos, self.y + self.radius * sin
        dx, dy = -self.side * sin, self.side * cos
        barrier = NO_BARRIER
        for number, first, width, x1, y1, x2, y2, radius, ux, uy, size in self._sector(turn):
            if (turn - first) % TURN > width:
                continue
            free = _meet_end(x - x1, y - y1, dx, dy, radius, length)
            if size:
                free = _meet_end(x - x2, y - y2, dx, dy, radius, free)
                off, slope = (y - y1) * ux - (x - x1) * uy, dy * ux - dx * uy
                gap = abs(off) - radius
                if gap >= 0 and slope * off < 0:
                    far = gap / abs(slope)
                    if far < free and 0 <= (x + far * dx - x1) * ux + (y + far * dy - y1) * uy <= size:
                        free = far
            if free < length:
                length, barrier = free, number
        return Sample(turn, x + length * dx, y + length * dy, barrier)

    def sample(self, turn: float) -> Sample:
        """Return the end of the line that leaves after a turn."""
        return self._trace(turn, max(0.0, self.left - self.radius * turn))

    def contains(self, x: float, y: float) -> bool:
        """Return whether a point lies inside the fan, not at its edge."""
        dx, dy = x - self.x, y - self.y
        if not 0 <= dx * dx + dy * dy - self.square <= self.inner:
            return False
        turn, length = self._locate(x, y)
        if turn > self.arc or self.radius * turn + length > self.left - INSIDE:
            return False
        return self._trace(turn, length).barrier == NO_BARRIER

    def _sector(self, turn: float) -> list[Barrier]:
        return self.sectors[int(turn % TURN * SECTORS_IN_RADIAN) % SECTORS]

    def samples(self) -> list[Sample]:
        """Return samples of the fan's edge, close enough that straight lines between them follow it."""
        steps = max(1, math.ceil(self.arc / FIRST_STEP))
        turns = [self.arc * step / steps for step in range(steps + 1)]
        for touch in self.touches:
            turns += [max(0.0, touch - BESIDE), min(self.arc, touch + BESIDE)]
        found: list[Sample] = []
        for turn in sorted(set(turns)):
            here = self.sample(turn)
            if found:
                self._refine(found[-1], here, found)
            found.append(here)
        return found

    def _refine(self, a: Sample, b: Sample, found: list[Sample]) -> None:
        """Add the samples that are needed between two."""
        if b.turn - a.turn < 3 * BESIDE:
            return
        stack = [(a, b)]
        while stack:
            first, last = stack.pop()
            if first is not a:
                found.append(first)
            if last.turn - first.turn < LAST_STEP:
                continue
            middle = self.sample((first.turn + last.turn) / 2)
            if _is_straight(first, middle, last):
                continue
            stack += [(middle, last), (first, middle)]

    def ring(self, samples: Sequence[Sample]) -> Ring:
        """Return the fan's edge: the ends of its lines, and back along its disc."""
        points: list[Place] = [(x, y) for _, x, y, _ in samples]
        if self.radius:
            step = 2 * math.acos(max(0.0, 1 - BEND / self.radius))
            count = max(1, math.ceil(self.arc / step))
            for number in range(count, -1, -1):
                angle = self.angle + self.side * self.arc * number / count
                points.append(
                    (self.x + self.radius * math.cos(angle), self.y + self.radius * math.sin(angle))
                )
        return rounded(points if self.side > 0 else points[::-1])


def _meet_end(ox: float, oy: float, dx: float, dy: float, radius: float, length: float) -> float:
    """Return how far a line goes before it enters a disc, from a start relative to the disc's center."""
    along = ox * dx + oy * dy
    if along >= 0:
        return length
    under = along * along - ox * ox - oy * oy + radius * radius
    return min(length, max(0.0, -along - math.sqrt(under))) if under > 0 else length


def _is_straight(a: Sample, middle: Sample, b: Sample) -> bool:
    if not a.barrier == middle.barrier == b.barrier:
        return math.hypot(b.x - a.x, b.y - a.y) < BEND
    return distance_to(middle.x, middle.y, a.x, a.y, b.x, b.y) < BEND


def rounded(points: Iterable[Place]) -> Ring:
    """Return points in whole units, each once in a row."""
    found: list[int] = []
    for x, y in points:
        at = (math.floor(x + 0.5), math.floor(y + 0.5))
        if len(found) < 2 or at != (found[-2], found[-1]):
            found += at
    return tuple(found)


def outline(searches: Sequence[Search]) -> tuple[list[Ring], list[Ring]]:
    """Return the reach of all searches together as rings that may overlap, and the lines where lengths end.

    A point is in the reach if a ring goes around it. The lines are the part of the outline that no obstacle
    makes.
    """
    fans = _needed_fans(searches)
    rings: list[Ring] = []
    lines: list[Ring] = []
    for fan in fans:
        checkpoint()
        samples = fan.samples()
        ring = fan.ring(samples)
        if len(ring) >= 6:
            rings.append(ring)
        lines += _limit_lines(fan, samples, fans)
    return rings, lines


def _needed_fans(searches: Sequence[Search]) -> list[Fan]:
    """Return the fans that no other one covers, those with the most length left first.

    A start that touches an obstacle may pass where others may not, so none of its fans is left out.
    """
    every = [Fan(search, arrival) for search in searches for arrival in search.arrivals]
    touching = {id(search) for search in searches if _touches_obstacle(search)}
    found: list[Fan] = []
    for fan in sorted(every, key=lambda fan: -fan.left):
        if id(fan.search) in touching or not any(fan.is_covered_by(other) for other in found):
            fan.find_barriers()
            found.append(fan)
    return found


def _touches_obstacle(search: Search) -> bool:
    x, y, _ = search.discs[0]
    return any(distance_to(x, y, *o[:4]) <= o.radius + CLOSE for o in search.obstacles)


def _limit_lines(fan: Fan, samples: Sequence[Sample], fans: Sequence[Fan]) -> list[Ring]:
    """Return the lines of a fan's edge where its length ends, outside all other fans."""
    near = [
        other
        for other in fans
        if other is not fan
        and math.hypot(other.x - fan.x, other.y - fan.y) < other.left + other.radius + fan.left + fan.radius
    ]

    def is_outside(sample: Sample) -> bool:
        return sample.barrier == NO_BARRIER and not _is_in_any(near, sample)

    lines: list[list[Place]] = []
    before, was_outside = samples[0], is_outside(samples[0])
    if was_outside:
        lines.append([before[1:3]])
    for here in samples[1:]:
        is_now = is_outside(here)
        if is_now != was_outside:
            edge = _edge(fan, *((here, before) if is_now else (before, here)), is_outside)
            if is_now:
                lines.append([edge[1:3]])
            else:
                lines[-1].append(edge[1:3])
        if is_now:
            lines[-1].append(here[1:3])
        before, was_outside = here, is_now
    return [line for line in map(rounded, lines) if len(line) >= 4]


def _is_in_any(fans: list[Fan], sample: Sample) -> bool:
    """Return whether a fan contains a sample; it comes first then, as it mostly has the next sample, too."""
    for place, fan in enumerate(fans):
        if fan.contains(sample.x, sample.y):
            fans.insert(0, fans.pop(place))
            return True
    return False


def _edge(fan: Fan, outside: Sample, inside: Sample, is_outside: Callable[[Sample], bool]) -> Sample:
    """Return the last sample outside other fans between two."""
    for _ in range(HALVINGS):
        middle = fan.sample((outside.turn + inside.turn) / 2)
        if is_outside(middle):
            outside = middle
        else:
            inside = middle
    return outside
