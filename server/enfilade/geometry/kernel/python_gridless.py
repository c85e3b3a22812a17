"""Gridless movement: the shortest paths of a disc's center among obstacles. The reference of gridless.c.

Obstacles are segments grown by a radius: round ends and straight sides. A shortest path consists of tangents
to the round ends and of arcs along them, so a search over arrivals at the round ends finds them all. Touching
is allowed, to within `CLOSE`. All lengths are 64ths of an inch, angles radians from the right, clockwise on
the board. Circles and lines have no common measure, so this is the one part of the kernel that uses floating
point: the two engines agree to a millionth of a unit.

After Y.-H. Liu and S. Arimoto, "Path planning using a tangent graph for mobile robots among polygonal and
curved obstacles", International Journal of Robotics Research 11 (1992).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import NamedTuple

from enfilade.geometry.kernel.python_obstacles import (
    CLOSE,
    TURN,
    Box,
    Disc,
    Obstacle,
    Place,
    blocked_arcs,
    boxed,
    discs_of,
    distance_to,
    is_clear,
    is_nearer,
)
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint

__all__ = ["Search", "distance_to", "is_clear", "turned"]

SLIGHT = 1e-7
"""How far an arc may run into an obstacle, as an angle."""
SOONER = 1e-3
"""How much shorter another way to a place is for certain, in 64ths of an inch."""
BEHIND = 1e-3
"""How far along an obstacle, as a part of its radius, a point on its round end is inside it for certain."""


class Tangent(NamedTuple):
    """A straight line from one disc to another, with the angles at which it leaves and arrives."""

    leaves: float
    arrives: float
    length: float
    start: Place
    end: Place


class Arrival(NamedTuple):
    """An arrival at a disc, to go on around it: `turn` is 1 clockwise on the board, -1 counterclockwise.

    `before` is the number of the arrival before it; the first one is the start, without a tangent.
    """

    cost: float
    disc: int
    turn: int
    angle: float
    before: int = -1
    tangent: Tangent | None = None


IsNeedless = Callable[[Disc, int, Tangent, float], bool]
"""Tells whether an arrival is needless, by its disc, turn, tangent and cost."""

Known = dict[tuple[int, int], list[tuple[Arrival, float]]]
"""The arrivals at a disc with a turn, each with how far a path can go around the disc."""

Step = tuple[float, int, int, int, int, Tangent]
"""A tangent that a search has yet to follow: the cost at its end, a ticket, the disc and the turn there, the
number of the arrival before it, and the line."""

Near = tuple[float, int, float, float, float, Sequence[Place]]
"""A disc as another one has it near: the least length of a tangent to it, its number, the way to it, the
square of that way's length, and the directions along the obstacles that it is a round end of."""


def tangent(a: Disc, a_turn: int, b: Disc, b_turn: int) -> Tangent | None:
    """Return the tangent that leaves one disc and arrives at another with the given turns, or None."""
    vx, vy = b.x - a.x, b.y - a.y
    offset = b.radius * b_turn - a.radius * a_turn
    square = vx * vx + vy * vy
    if square == 0 or square < offset * offset - CLOSE:
        return None
    length = math.sqrt(max(0.0, square - offset * offset))
    dx, dy = (vx * length + vy * offset) / square, (vy * length - vx * offset) / square
    return _along(a, a_turn, b, b_turn, dx, dy, math.atan2(-a_turn * dx, a_turn * dy), length)


def _along(
    a: Disc, a_turn: int, b: Disc, b_turn: int, dx: float, dy: float, leaves: float, length: float
) -> Tangent:
    """Return the tangent of two discs along a direction, which leaves the first at an angle."""
    ax, ay, a_radius = a
    bx, by, b_radius = b
    arrives = leaves if a_turn == b_turn else math.atan2(-b_turn * dx, b_turn * dy)
    start = (ax + a_radius * a_turn * dy, ay - a_radius * a_turn * dx)
    end = (bx + b_radius * b_turn * dy, by - b_radius * b_turn * dx)
    return Tangent(leaves, arrives, length, start, end)


def turned(arrival: Arrival, radius: float, angle: float) -> float:
    """Return the turn from an arrival around its disc to an angle; 0 around a point."""
    if radius == 0:
        return 0.0
    turn = (angle - arrival.angle) * arrival.turn % TURN
    return 0.0 if turn > TURN - 1e-9 else turn


class Search:
    """The shortest paths from a point, among obstacles that do not contain it, up to a length.

    Attributes:
        obstacles: the obstacles.
        budget: the greatest length of a path.
    """

    def __init__(
        self,
        obstacles: Sequence[Obstacle],
        start: Place,
        budget: float,
        others: Sequence[tuple[Place, float]] = (),
    ) -> None:
        """Prepare the search; it runs when its first answer is needed.

        `others` are further starts, each with the length that a path from there has already used: a path to
        a place is then the shortest from any start.
        """
        self.obstacles, self.budget = obstacles, budget
        self._starts = [(start, 0.0), *others]
        self._is_needless: IsNeedless = lambda _disc, _turn, _line, _cost: False
        self._blocked: dict[int, list[tuple[float, float]]] = {}
        self._near: dict[int, list[Near]] = {}
        self._tickets = count()

    def without(self, is_needless: IsNeedless) -> Search:
        """Return the same search without the arrivals at a disc that are needless, and what follows them."""
        (start, _), *others = self._starts
        found = Search(self.obstacles, start, self.budget, others)
        found._is_needless = is_needless
        return found

    @property
    def start(self) -> Place:
        """The first start."""
        return self._starts[0][0]

    @lazy
    def discs(self) -> list[Disc]:
        """The starts as discs of radius 0, then the round ends of the obstacles, each once."""
        return [*(Disc(*place, 0.0) for place, _ in self._starts), *discs_of(self.obstacles, self.start)[1:]]

    @lazy
    def _likely(self) -> list[Box]:
        """The obstacles, those first that were in the way last."""
        return [boxed(obstacle) for obstacle in self.obstacles]

    @lazy
    def obstacle_set(self) -> frozenset[Obstacle]:
        """The obstacles as a set."""
        return frozenset(self.obstacles)

    @lazy
    def arrivals(self) -> list[Arrival]:
        """Every arrival of a shortest path at a disc, the starts first, then in the order of their cost."""
        found = [Arrival(cost, number, 1, 0.0) for number, (_, cost) in enumerate(self._starts)]
        self._free = [TURN] * len(found)
        known: Known = {}
        queue: list[Step] = []
        for number in range(len(found)):
            self._leave(found[number], number, 0.0, queue)
        while queue:
            checkpoint()
            cost, _, disc, turn, before, line = heapq.heappop(queue)
            others = known.setdefault((disc, turn), [])
            if any(self._is_no_worse(other, free, line.arrives, cost) for other, free in others):
                continue
            if self._is_clear(line.start, line.end) and not self._is_late(disc, turn, line, cost, known):
                arrival = Arrival(cost, disc, turn, line.arrives, before, line)
                free = self.free_arc(arrival)
                others.append((arrival, free))
                found.append(arrival)
                self._free.append(free)
                self._leave(arrival, len(found) - 1, self._needed_arc(arrival, free, known), queue)
        self._needed = [
            self._needed_arc(arrival, free, known) for arrival, free in zip(found, self._free, strict=True)
        ]
        return found

    def _needed_arc(self, arrival: Arrival, free: float, known: Known) -> float:
        """Return how far around its disc an arrival may be on a shortest path; `known` has all arrivals.

        Beyond that another arrival is there sooner, after the same turn or after the opposite one.
        """
        radius, cost = self.discs[arrival.disc].radius, arrival.cost
        if radius == 0:
            return free
        arc = min(free, (self.budget - cost) / radius)
        for other, _ in known.get((arrival.disc, arrival.turn), ()):
            turn = turned(arrival, radius, other.angle)
            if turn < arc and other.cost < cost + radius * turn - SOONER:
                arc = turn
        for other, other_free in known.get((arrival.disc, -arrival.turn), ()):
            turn = turned(arrival, radius, other.angle)
            meeting = max(turn - other_free, (other.cost - cost + SOONER + radius * turn) / (2 * radius))
            if other_free >= 0 and meeting < turn and meeting < arc:
                arc = max(0.0, meeting)
        return arc

    @property
    def needed_arcs(self) -> list[float]:
        """The turn around its disc up to which each arrival may be on a shortest path."""
        _ = self.arrivals
        return self._needed

    @property
    def free_arcs(self) -> list[tuple[Arrival, float]]:
        """Every arrival with how far a path can go around its disc (see `free_arc`); a start has no disc."""
        return list(zip(self.arrivals, self._free, strict=True))

    def _is_clear(self, start: Place, end: Place) -> bool:
        """Return whether a straight line stays outside all obstacles.

        An obstacle in its way moves to the front of the list: mostly it is in the way of the next one, too.
        """
        (x1, y1), (x2, y2) = start, end
        left, right = (x1, x2) if x1 < x2 else (x2, x1)
        top, bottom = (y1, y2) if y1 < y2 else (y2, y1)
        for box in self._likely:
            if box[0] < left or box[1] > right or box[2] < top or box[3] > bottom:
                continue
            if is_nearer(box[4], x1, y1, x2, y2, *box[5]):
                if box is not self._likely[0]:
                    self._likely.remove(box)
                    self._likely.insert(0, box)
                return False
        return True

    def _is_late(self, disc: int, turn: int, line: Tangent, cost: float, known: Known) -> bool:
        """Return whether another path comes sooner to the place where a tangent arrives at a disc.

        No shortest path goes on from there, then.
        """
        opposite, sooner = known.get((disc, -turn), ()), cost - SOONER
        return (
            any(self._is_no_worse(other, free, line.arrives, sooner) for other, free in opposite)
            or self.is_seen_sooner(line.end, cost)
            or self._is_needless(self.discs[disc], turn, line, cost)
        )

    def is_seen_sooner(self, place: Place, cost: float) -> bool:
        """Return whether a straight line from a start leads to a place at less than a cost."""
        x, y = place
        return any(
            used + math.hypot(x - start[0], y - start[1]) < cost - SOONER and self._is_clear(start, place)
            for start, used in self._starts
        )

    def _leave(
        self,
        arrival: Arrival,
        number: int,
        free: float,
        queue: list[Step],
    ) -> None:
        """Queue every tangent that continues from an arrival."""
        if free < 0:
            return
        here, left = self.discs[arrival.disc], self.budget + CLOSE - arrival.cost
        for near in self._others_near(arrival.disc, left):
            if near[0] > left:
                break
            for turn, length, line in self._tangents(here, arrival, near, left, free + SLIGHT):
                cost = arrival.cost + length
                heapq.heappush(queue, (cost, next(self._tickets), near[1], turn, number, line))

    def _tangents(
        self, here: Disc, arrival: Arrival, near: Near, left: float, widest: float
    ) -> list[tuple[int, float, Tangent]]:
        """Return the tangents that go on from an arrival to another disc: the turn there, length and line.

        `left` is the greatest length of the arc and the tangent, `widest` the greatest angle of the arc. Most
        tangents leave too late around the disc or are too long, so the rest of them is not worked out. So it
        is for those that touch the disc inside an obstacle along one of its sides: nothing arrives there.
        """
        found: list[tuple[int, float, Tangent]] = []
        _, disc, vx, vy, square, sides = near
        a_turn, there = arrival.turn, self.discs[disc]
        around, size = here.radius * a_turn, there.radius
        for turn in (1, -1):
            offset = size * turn - around
            under = square - offset * offset
            if square == 0 or under < -CLOSE:
                continue
            straight = math.sqrt(under) if under > 0 else 0.0
            if straight > left:
                continue
            dx, dy = (vx * straight + vy * offset) / square, (vy * straight - vx * offset) / square
            for ux, uy in sides:
                if turn * (dy * ux - dx * uy) > BEHIND:
                    break
            else:
                leaves, length = math.atan2(-a_turn * dx, a_turn * dy), straight
                if around:
                    angle = turned(arrival, here.radius, leaves)
                    length += here.radius * angle
                    if angle > widest or length > left:
                        continue
                found.append((turn, length, _along(here, a_turn, there, turn, dx, dy, leaves, straight)))
        return found

    @lazy
    def _sides(self) -> list[list[Place]]:
        """The directions from each disc along the obstacles that it is a round end of."""
        sides: dict[Disc, list[Place]] = {}
        for x1, y1, x2, y2, radius in self.obstacles:
            length = math.hypot(x2 - x1, y2 - y1)
            if length and radius:
                dx, dy = (x2 - x1) / length, (y2 - y1) / length
                sides.setdefault(Disc(x1, y1, radius), []).append((dx, dy))
                sides.setdefault(Disc(x2, y2, radius), []).append((-dx, -dy))
        return [sides.get(disc, []) if disc.radius else [] for disc in self.discs]

    def _others_near(self, disc: int, left: float) -> list[Near]:
        """Return the other discs, nearest first, without those too far away for a tangent.

        `left` is the greatest length of one. The first arrival at a disc leaves the most.
        """
        if disc not in self._near:
            here_x, here_y, radius = self.discs[disc]
            found: list[Near] = []
            for number, (there, sides) in enumerate(zip(self.discs, self._sides, strict=True)):
                x, y, size = there
                x -= here_x
                y -= here_y
                square, reach = x * x + y * y, left + radius + size
                if square <= reach * reach:
                    found.append((math.sqrt(square) - size - radius, number, x, y, square, sides))
            found.sort()
            starts = len(self._starts)
            self._near[disc] = [near for near in found if near[1] >= starts and near[1] != disc]
        return self._near[disc]

    def _onward(self, arrival: Arrival, to: Disc, turn: int) -> tuple[float, Tangent] | None:
        """Return the cost and the tangent to another disc, or None if the arc before it is not clear."""
        disc = self.discs[arrival.disc]
        line = tangent(disc, arrival.turn, to, turn)
        if line is None:
            return None
        angle = turned(arrival, disc.radius, line.leaves)
        cost = arrival.cost + disc.radius * angle + line.length
        if cost > self.budget + CLOSE or angle > self.free_arc(arrival) + SLIGHT:
            return None
        return cost, line

    def _is_no_worse(self, known: Arrival, free: float, angle: float, cost: float) -> bool:
        """Return whether a known arrival leads to another one's angle at no greater cost."""
        radius = self.discs[known.disc].radius
        turn = turned(known, radius, angle)
        return turn <= free + SLIGHT and known.cost + radius * turn <= cost + CLOSE

    def free_arc(self, arrival: Arrival) -> float:
        """Return how far a path can go around the disc of an arrival; below 0 if it ends inside."""
        free = TURN
        for start, length in self.blocked(arrival.disc):
            ahead = start - arrival.angle if arrival.turn > 0 else arrival.angle - start - length
            ahead %= TURN
            if ahead + length > TURN + SLIGHT:
                return -1.0
            free = min(free, ahead)
        return free

    def blocked(self, disc: int) -> list[tuple[float, float]]:
        """Return the parts of a disc's edge inside obstacles, as (first angle, angle of the arc); cached."""
        if disc not in self._blocked:
            self._blocked[disc] = blocked_arcs(self.discs[disc], self.obstacles)
        return self._blocked[disc]

    def arrive(self, point: Place) -> Arrival | None:
        """Return the arrival at a point by the shortest path; None if out of reach or in an obstacle."""
        if point == self.discs[0][:2]:
            return self.arrivals[0]
        if not is_clear(self.obstacles, *point, *point):
            return None
        paths: list[tuple[float, int, Tangent]] = []
        for number, arrival in enumerate(self.arrivals):
            on = self._onward(arrival, Disc(*point, 0.0), 1)
            if on is not None:
                paths.append((on[0], number, on[1]))
        for cost, number, line in sorted(paths, key=lambda path: path[:2]):
            if is_clear(self.obstacles, *line.start, *line.end):
                return Arrival(cost, -1, 1, 0.0, number, line)
        return None

    def costs(self, points: Iterable[Place]) -> list[float | None]:
        """Return the length of the shortest path to each point; None if out of reach or in an obstacle."""
        found = (self.arrive(point) for point in points)
        return [None if arrival is None else arrival.cost for arrival in found]
