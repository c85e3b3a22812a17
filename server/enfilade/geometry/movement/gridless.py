"""Movement without cells: the shortest paths of a round base among walls and other bases.

A base keeps its whole disc clear, so its center moves among obstacles grown by its radius: round ends and
straight sides. A shortest path then consists of tangents to the round ends and of arcs along them. The
tangents are the edges of the search, found only within the budget. There is no grid, and no polygons replace
the circles: the cost of a path is correct to a millionth of a 64th of an inch.

After Y.-H. Liu and S. Arimoto, "Path planning using a tangent graph for mobile robots among polygonal and
curved obstacles", International Journal of Robotics Research 11 (1992).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from enfilade.geometry.board.shapes import Wall
from enfilade.geometry.board.units import Point
from enfilade.geometry.movement.obstacles import CLOSE, Obstacle, arc_is_clear, blocked_arcs, is_clear, near
from enfilade.geometry.movement.round_bases import Base, GridlessBoard, RoundBase
from enfilade.time_budget import checkpoint

TURN = 2 * math.pi


class Disc(NamedTuple):
    """A round end of an obstacle, or a point if the radius is 0."""

    x: float
    y: float
    radius: float


class Tangent(NamedTuple):
    """A straight line from one disc to another, with the angles at which it leaves and arrives."""

    leaves: float
    arrives: float
    length: float
    start: tuple[float, float]
    end: tuple[float, float]


class Leg(NamedTuple):
    """A part of a path in 64ths of an inch: a straight line, or an arc around `center` (None if straight).

    `is_clockwise` is the direction of the arc on the screen.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    length: float
    center: tuple[float, float] | None = None
    is_clockwise: bool = False


@dataclass(frozen=True, slots=True)
class Arrival:
    """An arrival at a disc, to go on around it: `turn` is 1 clockwise on the board, -1 counterclockwise."""

    cost: float
    disc: int
    turn: int
    angle: float
    before: Arrival | None
    tangent: Tangent | None


def tangent(a: Disc, a_turn: int, b: Disc, b_turn: int) -> Tangent | None:
    """Return the tangent that leaves one disc and arrives at another with the given turns, or None."""
    vx, vy = b.x - a.x, b.y - a.y
    offset = b.radius * b_turn - a.radius * a_turn
    square = vx * vx + vy * vy
    if square == 0 or square < offset * offset - CLOSE:
        return None
    length = math.sqrt(max(0.0, square - offset * offset))
    dx, dy = (vx * length + vy * offset) / square, (vy * length - vx * offset) / square
    leaves, arrives = math.atan2(-a_turn * dx, a_turn * dy), math.atan2(-b_turn * dx, b_turn * dy)
    start = (a.x + a.radius * a_turn * dy, a.y - a.radius * a_turn * dx)
    end = (b.x + b.radius * b_turn * dy, b.y - b.radius * b_turn * dx)
    return Tangent(leaves, arrives, length, start, end)


@dataclass(slots=True)
class GridlessField:
    """The reach of a round base within a budget, in 64ths of an inch.

    Attributes:
        board: the board, which the whole base stays on.
        base: the mover at its start. It may leave an obstacle that it overlaps, but not enter it.
        budget: the greatest length of a path.
        walls: the walls; open doors, and walls that stop only sight, are ignored.
        others: the bases it must not overlap; leave out those of friends that it may pass.

    Raises ValueError if the budget is below 0.
    """

    board: GridlessBoard
    base: RoundBase
    budget: int
    walls: Iterable[Wall] = ()
    others: Iterable[Base] = ()
    _obstacles: list[Obstacle] = field(init=False)
    _discs: list[Disc] = field(init=False)
    _blocked: dict[int, list[tuple[float, float]]] = field(init=False, default_factory=dict)
    _arrivals: dict[tuple[int, int], list[Arrival]] = field(init=False, default_factory=dict)
    _near: dict[int, list[tuple[float, int]]] = field(init=False, default_factory=dict)
    _ticket: Iterator[int] = field(init=False, default_factory=count)

    def __post_init__(self) -> None:
        if not isinstance(self.budget, int) or self.budget < 0:
            raise ValueError(f"A budget is an integer from 0 up, not {self.budget!r}.")
        self._obstacles = near(self.board, self.base, self.budget, self.walls, self.others)
        self._discs = [Disc(*self.base.at, 0.0)]
        self._discs += sorted({Disc(x, y, o.radius) for o in self._obstacles for x, y in o.ends})
        self._search()

    # ---- the search ------------------------------------------------------------------------------------

    def _search(self) -> None:
        start = Arrival(0.0, 0, 1, 0.0, None, None)
        self._arrivals[0, 1] = [start]
        queue: list[tuple[float, int, Arrival]] = []
        self._leave(start, queue)
        while queue:
            checkpoint()
            _, _, arrival = heapq.heappop(queue)
            known = self._arrivals.setdefault((arrival.disc, arrival.turn), [])
            if any(self._is_no_worse(other, arrival) for other in known):
                continue
            assert arrival.tangent is not None
            if is_clear(self._obstacles, *arrival.tangent.start, *arrival.tangent.end):
                known.append(arrival)
                self._leave(arrival, queue)

    def _leave(self, arrival: Arrival, queue: list[tuple[float, int, Arrival]]) -> None:
        """Queue every tangent that continues from an arrival, shortest first."""
        for at_least, disc in self._others_near(arrival.disc):
            if arrival.cost + at_least > self.budget + CLOSE:
                break
            for turn in (1, -1):
                on = self._onward(arrival, self._discs[disc], turn)
                if on is not None:
                    cost, line = on
                    there = Arrival(cost, disc, turn, line.arrives, arrival, line)
                    heapq.heappush(queue, (cost, next(self._ticket), there))

    def _others_near(self, disc: int) -> list[tuple[float, int]]:
        """Return the other discs, nearest first, each with a lower bound of the length of a tangent to it."""
        if disc not in self._near:
            here = self._discs[disc]
            self._near[disc] = sorted(
                (math.hypot(d.x - here.x, d.y - here.y) - d.radius - here.radius, number)
                for number, d in enumerate(self._discs)
                if number not in (0, disc)
            )
        return self._near[disc]

    def _onward(self, arrival: Arrival, to: Disc, turn: int) -> tuple[float, Tangent] | None:
        """Return the cost and the tangent to another disc, or None if the arc before it is not clear."""
        disc = self._discs[arrival.disc]
        line = tangent(disc, arrival.turn, to, turn)
        if line is None:
            return None
        angle = self._turned(arrival, line.leaves)
        cost = arrival.cost + disc.radius * angle + line.length
        if cost > self.budget + CLOSE or not self._arc_is_clear(arrival, angle):
            return None
        return cost, line

    def _is_no_worse(self, known: Arrival, arrival: Arrival) -> bool:
        """Return whether a known arrival leads to this one's angle at no greater cost."""
        angle = self._turned(known, arrival.angle)
        cost = known.cost + self._discs[known.disc].radius * angle
        return cost <= arrival.cost + CLOSE and self._arc_is_clear(known, angle)

    def _turned(self, arrival: Arrival, angle: float) -> float:
        """Return the turn around an arrival's disc to an angle, in radians."""
        if self._discs[arrival.disc].radius == 0:
            return 0.0
        turn = (angle - arrival.angle) * arrival.turn % TURN
        return 0.0 if turn > TURN - 1e-9 else turn

    def _arc_is_clear(self, arrival: Arrival, angle: float) -> bool:
        if arrival.disc not in self._blocked:
            self._blocked[arrival.disc] = blocked_arcs(self._discs[arrival.disc], self._obstacles)
        first = arrival.angle if arrival.turn > 0 else arrival.angle - angle
        return arc_is_clear(self._blocked[arrival.disc], first, angle)

    # ---- the results -----------------------------------------------------------------------------------

    def cost(self, point: Point) -> float | None:
        """Return the length of the shortest path of the base's center to a point; None if out of reach."""
        last = self._last(point)
        return None if last is None else last.cost

    def legs(self, point: Point) -> list[Leg]:
        """Return the lines and arcs of the shortest path to a point. Raises KeyError if out of reach."""
        last = self._last(point)
        if last is None:
            raise KeyError(point)
        legs: list[Leg] = []
        while last is not None and last.tangent is not None:
            line = last.tangent
            legs.append(Leg(line.start, line.end, line.length))
            before = last.before
            if before is not None and before.tangent is not None:
                legs.append(self._arc(before, line))
            last = before
        return [leg for leg in reversed(legs) if leg.length > CLOSE]

    def _arc(self, arrival: Arrival, line: Tangent) -> Leg:
        disc = self._discs[arrival.disc]
        length = disc.radius * self._turned(arrival, line.leaves)
        assert arrival.tangent is not None
        return Leg(arrival.tangent.end, line.start, length, (disc.x, disc.y), arrival.turn > 0)

    def _last(self, point: Point) -> Arrival | None:
        """Return the arrival at a point by the shortest clear path."""
        if point == self.base.at:
            return self._arrivals[0, 1][0]
        if point not in self.board or not is_clear(self._obstacles, *point, *point):
            return None
        target = Disc(*point, 0.0)
        paths: list[tuple[float, int, Arrival, Tangent]] = []
        for arrival in (a for known in self._arrivals.values() for a in known):
            on = self._onward(arrival, target, 1)
            if on is not None:
                paths.append((on[0], len(paths), arrival, on[1]))
        for cost, _, arrival, line in sorted(paths, key=lambda path: path[:2]):
            if is_clear(self._obstacles, *line.start, *line.end):
                return Arrival(cost, -1, 1, 0.0, arrival, line)
        return None
