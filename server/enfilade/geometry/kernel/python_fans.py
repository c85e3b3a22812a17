"""The straight lines at the end of shortest paths on a gridless board, each up to its length or an obstacle.

The lines after one arrival are a fan. What ends them changes only at a few angles: where a line touches an
obstacle or leads to a place where two obstacles overlap, and where the length just reaches an obstacle. So a
fan has a few spans, each ended by the length or by one obstacle, and a span's edge is known in closed form.
A turn is an angle from the fan's first line, along the way around its disc.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from enfilade.geometry.kernel.python_barriers import BEND, BESIDE, Barrier, Corner, End, View, meet
from enfilade.geometry.kernel.python_gridless import Arrival, Search
from enfilade.geometry.kernel.python_obstacles import CLOSE, TURN, Place

OVERLAP = 2.0
"""How far the lines of one fan go beyond the first line of another one around the same disc."""
SMOOTH, SUDDEN = -1, -2
"""How ends of lines change where no line touches a barrier."""
INSIDE = 0.5
"""How far beyond a point another fan reaches if the point is not on the outline."""
NARROW = 0.2
"""The width of a gap, at the end of its lines, in which a change is not searched any more."""


class Span(NamedTuple):
    """Neighboring lines of a fan that all end at one barrier, or all at their length: the outer two."""

    first: End
    last: End


class Fan:
    """The straight lines that continue a path after an arrival, the farther around its disc the shorter.

    Attributes:
        view: the obstacles as the fan's disc and side meet them.
        x, y, radius, side: the disc, and 1 if the lines go around it clockwise on the board, -1 if not.
        left: the length of the first line, if no obstacle ends it.
        spans: the spans.
        box: bounds of its ring, once that is drawn: left, upper, right, lower.
        edges: for each span that the length ends, the turns and the ends of lines that follow its edge.
        arc: the turn of the last line.
    """

    def __init__(
        self, search: Search, arrival: Arrival, free_arc: float, needed_arc: float, view: View
    ) -> None:
        self.search, self.view, self.side = search, view, arrival.turn
        self.x, self.y, self.radius = view.disc
        self.start, self.left = self.side * arrival.angle % TURN, search.budget - arrival.cost
        free = TURN if self.radius == 0 else max(0.0, free_arc)
        self.free = self.arc = free if self.radius == 0 else min(free, self.left / self.radius)
        if needed_arc < self.free and self.radius:
            # Rings whose corners are rounded must overlap, or there would be gaps between them.
            overlap = math.acos(max(0.0, 1 - OVERLAP / self.radius))
            self.arc = min(self.free, max(0.0, needed_arc) + overlap)
        self.inner = max(0.0, self.left - INSIDE) ** 2 if self.left >= INSIDE else -1.0
        self.square = self.radius * self.radius
        self.spans: list[Span] = []
        self._lasts: list[float] = []
        self.edges: list[tuple[list[float], list[Place]]] = []
        self.box = (0, 0, 0, 0)
        self._barriers: list[tuple[float, Barrier]] = []

    def is_covered_by(self, other: Fan) -> bool:
        """Return whether another fan of the same view has all lines of this one."""
        turn = (self.start - other.start) % TURN
        if self.radius == 0 or turn > TURN - 1e-9:
            turn = 0.0
        if turn > other.free or other.left - self.radius * turn < self.left - CLOSE:
            return False
        if other.search is self.search:
            return True
        mine = self.search.obstacle_set
        added = (obstacle for obstacle in other.search.obstacles if obstacle not in mine)
        return turn + self.arc <= other.free + CLOSE and not any(
            self._may_meet(barrier) for barrier in self.view.barriers(added, self.left)
        )

    def _may_meet(self, barrier: Barrier) -> bool:
        """Return whether a line of the fan may meet a barrier."""
        turn = (barrier.first - self.start) % TURN
        if turn + barrier.width >= TURN:
            return True
        if turn > self.arc:
            return False
        if barrier.nearest is None:
            return True
        angle, length = barrier.nearest
        turn = (angle - self.start) % TURN
        return turn > self.arc or length + self.radius * turn <= self.left + CLOSE

    def find_spans(self, corners: Sequence[Corner]) -> None:
        """Find the spans. `corners` are the places where outlines of obstacles cross, from left to right."""
        barriers = self.view.barriers(self.search.obstacles, self.left)
        found = [barrier for barrier in barriers if self._may_meet(barrier)]
        found.sort(key=lambda barrier: barrier.apart)
        self._barriers = [((barrier.first - self.start) % TURN, barrier) for barrier in found]
        self._flat = [(barrier.apart, first, barrier.width, barrier) for first, barrier in self._barriers]
        last = self._end(0.0)
        for turn, length, kind in self._events(corners) if found else ():
            if last.barrier is not None and self._is_behind(last.barrier, turn, length - 1):
                continue
            both = self._beside(turn, length, kind)
            if both is None:
                continue  # what would change is behind an obstacle
            before, after = both
            self._add(last, before)
            last = after
        self._add(last, self._end(self.arc))
        self._lasts = [span.last.turn for span in self.spans]
        self.edges = [self._edge(span) for span in self.spans]

    def _is_behind(self, barrier: Barrier, turn: float, length: float) -> bool:
        """Return whether the line after a turn meets a barrier before a length."""
        side, radius = self.side, self.radius
        angle = side * (self.start + turn)
        cos, sin = math.cos(angle), math.sin(angle)
        return (
            meet(barrier, self.x + radius * cos, self.y + radius * sin, -side * sin, side * cos, length)
            < length
        )

    def _beside(self, turn: float, length: float, kind: int) -> tuple[End, End] | None:
        """Return the lines on both sides of an event, which may be one; None if the event is out of view.

        Of the two lines beside one that touches a barrier, one goes on and the other ends at the barrier.
        """
        if kind == SMOOTH:
            before = self._end(turn)
            return None if before.length < length - 1 else (before, before)
        low, high = max(0.0, turn - BESIDE), min(self.arc, turn + BESIDE)
        if kind & 1:
            after = self._end(high)
            if after.length < length - 1:
                return None
            stopped = self._stopped(self._barriers[kind >> 1][1], low, length, after)
            return stopped or self._end(low), after
        before = self._end(low)
        if before.length < length - 1:
            return None
        if kind == SUDDEN:
            return before, self._end(high)
        return before, self._stopped(self._barriers[kind >> 1][1], high, length, before) or self._end(high)

    def _stopped(self, barrier: Barrier, turn: float, length: float, beyond: End) -> End | None:
        """Return the end of a line at a barrier that the line beside it passes and goes far beyond."""
        if beyond.length < length + 1:
            return None
        side, radius = self.side, self.radius
        angle = side * (self.start + turn)
        cos, sin = math.cos(angle), math.sin(angle)
        x, y, dx, dy = self.x + radius * cos, self.y + radius * sin, -side * sin, side * cos
        free = meet(barrier, x, y, dx, dy, length + 1)
        return End(turn, free, x + free * dx, y + free * dy, barrier) if free < length + 1 else None

    def _events(self, corners: Sequence[Corner]) -> list[tuple[float, float, int]]:
        """Return where the ends of lines may change: turn, length, and how they do so.

        That is `SMOOTH`, `SUDDEN`, or for the first touch of a barrier twice its number, for the last 1 more.
        """
        start, arc, left, radius = self.start, self.arc, self.left, self.radius
        events: list[tuple[float, float, int]] = []
        for number, (first, barrier) in enumerate(self._barriers):
            count, is_apart = len(events), barrier.width != TURN
            kind = 2 * number if is_apart else SUDDEN
            for angle, length in barrier.touches:
                turn = (angle - start) % TURN
                if turn < arc and length + radius * turn <= left:
                    events.append((turn, length, kind))
                kind += is_apart
            if barrier.nearest is not None:
                angle, length = barrier.nearest
                turn = (angle - start) % TURN
                # If it does not touch the disc and one of the two touches is in reach, that one is enough.
                is_needed = len(events) == count or not is_apart
                if is_needed and turn < arc and length + radius * turn <= left:
                    events.append((turn, length, SMOOTH))
                if first + barrier.width >= TURN and arc > math.pi:
                    # The lines that meet it may be those at both ends of the arc and none between.
                    turn = (turn + math.pi) % TURN
                    if turn < arc and radius * turn <= left:
                        events.append((turn, 0.0, SMOOTH))
        self._add_corners(corners, events)
        events.sort()
        return events

    def _add_corners(self, corners: Sequence[Corner], events: list[tuple[float, float, int]]) -> None:
        """Add the lines to corners, without those behind one of the two obstacles that make the corner."""
        here_x, here_y, square, far, side = self.x, self.y, self.square, self.left * self.left, self.side
        around, wide = self.radius * side, self.left + self.radius
        first, last = (bisect_left(corners, (x,)) for x in (here_x - wide - 1, here_x + wide + 1))
        for x, y, nx, ny, mx, my in corners[first:last]:
            vx, vy = x - here_x, y - here_y
            apart = vx * vx + vy * vy - square
            if 0 < apart <= far:
                length = math.sqrt(apart)
                dx, dy, slight = vx * length - vy * around, vy * length + vx * around, CLOSE * apart
                if dx * nx + dy * ny <= slight and dx * mx + dy * my <= slight:
                    turn = (math.atan2(-dx, side * dy) - self.start) % TURN
                    if turn < self.arc and length + self.radius * turn <= self.left:
                        events.append((turn, length, SUDDEN))

    def _add(self, first: End, last: End) -> None:
        """Add the spans between two lines where nothing changes but what the length reaches."""
        if first.barrier is last.barrier:
            self._extend(first, last)
            return
        low, high = self._near_limit(first, last)
        while (high.turn - low.turn) * self.left > NARROW and high.turn - low.turn > BESIDE:
            middle = self._end((low.turn + high.turn) / 2)
            if middle.barrier is low.barrier:
                low = middle
            elif middle.barrier is high.barrier:
                high = middle
            else:
                self._extend(first, low)
                self._add(low, middle)
                self._add(middle, high)
                break
        else:
            self._extend(first, low)
        self._extend(high, last)

    def _near_limit(self, first: End, last: End) -> tuple[End, End]:
        """Return two lines like the given ones, closer to where the length just reaches a barrier."""
        barrier = first.barrier or last.barrier
        if barrier is None or (first.barrier and last.barrier):
            return first, last
        low, high, is_first_met = first.turn, last.turn, barrier is first.barrier
        while (high - low) * self.left > NARROW / 2:
            middle = (low + high) / 2
            length = max(0.0, self.left - self.radius * middle)
            angle = self.side * (self.start + middle)
            cos, sin = math.cos(angle), math.sin(angle)
            x, y = self.x + self.radius * cos, self.y + self.radius * sin
            is_met = meet(barrier, x, y, -self.side * sin, self.side * cos, length) < length
            if is_met == is_first_met:
                low = middle
            else:
                high = middle
        before = first if low == first.turn else self._end(low)
        after = last if high == last.turn else self._end(high)
        if before.barrier is first.barrier and after.barrier is last.barrier:
            return before, after
        return first, last

    def _extend(self, first: End, last: End) -> None:
        """Add a span, or make the last one longer if it ends at the same barrier."""
        if first is last:
            return
        if self.spans:
            before = self.spans[-1]
            if before.last.barrier is first.barrier and first.turn - before.last.turn < 3 * BESIDE:
                self.spans[-1] = Span(before.first, last)
                return
        self.spans.append(Span(first, last))

    def _end(self, turn: float) -> End:
        """Return the end of the line that leaves after a turn, at its length or at the first obstacle."""
        side, radius = self.side, self.radius
        length = self.left - radius * turn
        if length < 0:
            length = 0.0
        angle = side * (self.start + turn)
        cos, sin = math.cos(angle), math.sin(angle)
        x, y = self.x + radius * cos, self.y + radius * sin
        dx, dy = -side * sin, side * cos
        ended_by = None
        for apart, first, width, barrier in self._flat:
            if apart > length:
                break
            if (turn - first) % TURN <= width:
                free = meet(barrier, x, y, dx, dy, length)
                if free < length:
                    length, ended_by = free, barrier
        return End(turn, length, x + length * dx, y + length * dy, ended_by)

    def end(self, turn: float) -> Place:
        """Return the end of a line of a span that the length ends."""
        angle = self.side * (self.start + turn)
        cos, sin = math.cos(angle), math.sin(angle)
        radius = self.radius
        length = self.left - radius * turn
        length = self.side * length if length > 0 else 0.0
        return self.x + radius * cos - length * sin, self.y + radius * sin + length * cos

    def origin(self, turn: float) -> Place:
        """Return the start of a line."""
        angle = self.side * (self.start + turn)
        return self.x + self.radius * math.cos(angle), self.y + self.radius * math.sin(angle)

    def contains(self, x: float, y: float) -> bool:
        """Return whether a point outside the disc lies inside the fan, not at its edge."""
        # The formula of `View.locate`, which would cost a call for each point of an outline.
        radius, side = self.radius, self.side
        x -= self.x
        y -= self.y
        square = x * x + y * y - self.square
        length = math.sqrt(square) if square > 0 else 0.0
        along = side * length
        angle = side * math.atan2(y * radius - x * along, x * radius + y * along) % TURN
        turn = (angle - self.start) % TURN
        if turn > self.arc or radius * turn + length > self.left - INSIDE:
            return False
        number = bisect_left(self._lasts, turn)
        if number == len(self.spans):
            return False
        barrier = self.spans[number].first.barrier
        if barrier is None:
            return True
        angle *= side
        cos, sin = math.cos(angle), math.sin(angle)
        start_x, start_y = self.x + radius * cos, self.y + radius * sin
        return meet(barrier, start_x, start_y, -side * sin, side * cos, length) >= length

    def _edge(self, span: Span) -> tuple[list[float], list[Place]]:
        """Return lines that follow the edge of a span, their turns and their ends; none if at a barrier."""
        if span.first.barrier is not None:
            return [], []
        turn, last, left, radius = span.first.turn, span.last.turn, self.left, self.radius
        turns = [turn]
        while True:
            # The edge bends as a circle whose radius is the length of the line.
            length = left - radius * turn
            turn += math.sqrt(8 * BEND / length) if length > BEND else TURN
            if turn >= last:
                break
            turns.append(turn)
        turns.append(last)
        x, y, start, side = self.x, self.y, self.start, self.side
        places = []
        for turn in turns:
            angle, length = side * (start + turn), left - radius * turn
            cos, sin = math.cos(angle), math.sin(angle)
            length = side * length if length > 0 else 0.0
            places.append((x + radius * cos - length * sin, y + radius * sin + length * cos))
        return turns, places

    def edge_of_disc(self) -> list[Place]:
        """Return the arc of the disc from which the lines leave, the last line's start first."""
        if self.radius == 0:
            return []
        step = 2 * math.acos(max(0.0, 1 - BEND / self.radius))
        count = max(1, math.ceil(self.arc / step))
        angles = [self.side * (self.start + self.arc * number / count) for number in range(count, -1, -1)]
        return [
            (self.x + self.radius * math.cos(angle), self.y + self.radius * math.sin(angle))
            for angle in angles
        ]
