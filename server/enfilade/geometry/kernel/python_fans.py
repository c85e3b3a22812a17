"""The straight lines at the end of shortest paths on a gridless board, each up to its length or an obstacle.

The lines after one arrival are a fan. What ends them changes only at a few angles: where a line touches an
obstacle or leads to a place where two obstacles overlap, and where the length just reaches an obstacle. So a
fan has a few spans, each ended by the length or by one obstacle, and a span's edge is known in closed form.
A turn is an angle from the fan's first line, along the way around its disc.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeGuard

from enfilade.geometry.kernel.python_gridless import (
    CLOSE,
    KEPT,
    TURN,
    Arrival,
    Disc,
    Obstacle,
    Place,
    Search,
    distance_to,
    meetings,
    tangent,
)

BEND = 0.4
"""The farthest that an edge may lie off the straight line between two of its points."""
BESIDE = 1e-6
"""The angle from a line that touches an obstacle to the lines on both sides of it."""
INSIDE = 0.5
"""How far beyond a point another fan reaches if the point is not on the outline."""
NARROW = 0.2
"""The width of a gap, at the end of its lines, in which a change is not searched any more."""
MOST_VIEWS, MOST_OBSTACLES = 2048, 128
"""How many views are kept from one outline to the next, and how many obstacles in each."""
NEAR = 1e-4
"""How far a place may be from an outline that it lies on."""

class Barrier(NamedTuple):
    """An obstacle as lines from one side of a disc meet it. Angles are those of the lines' starts.

    `apart` is its distance from the disc. Lines from `first` on, `width` wide, may meet it. `touches` are the
    lines that touch it and `nearest` is the one that meets it at a right angle, each with its length.
    `ux` and `uy` are the direction of the segment, `size` its length, `radius` how near a line may not come.
    """

    apart: float
    first: float
    width: float
    touches: tuple[tuple[float, float], ...]
    nearest: tuple[float, float] | None
    x1: float
    y1: float
    x2: float
    y2: float
    radius: float
    ux: float
    uy: float
    size: float


class Corner(NamedTuple):
    """A place where the outlines of two obstacles cross, and the directions straight out of both."""

    x: float
    y: float
    out_x: float
    out_y: float
    other_out_x: float
    other_out_y: float


class End(NamedTuple):
    """The end of a fan's line: the turn, the line's length, the end, and the barrier there if there is one."""

    turn: float
    length: float
    x: float
    y: float
    barrier: Barrier | None


class Span(NamedTuple):
    """Neighboring lines of a fan that all end at one barrier, or all at their length: the outer two."""

    first: End
    last: End


class View:
    """Obstacles as one side of a disc meets them; each is worked out once for all fans there.

    An angle counts in the direction in which the fans' lines go around the disc.
    """

    def __init__(self, disc: Disc, side: int) -> None:
        self.disc, self.side = disc, side
        self._apart: dict[Obstacle, float] = {}
        self._barriers: dict[Obstacle, Barrier] = {}

    def barrier(self, obstacle: Obstacle, within: float) -> Barrier | None:
        """Return an obstacle as the disc meets it, or None if it is not within a distance."""
        apart = self._apart.get(obstacle)
        if apart is None:
            if len(self._apart) > MOST_OBSTACLES:
                self._apart.clear()
                self._barriers.clear()
            x1, y1, x2, y2, radius = obstacle
            x, y, size = self.disc
            apart = self._apart[obstacle] = distance_to(x, y, x1, y1, x2, y2) - radius - size
        if apart > within:
            return None
        found = self._barriers.get(obstacle)
        if found is None:
            found = self._barriers[obstacle] = self._find(obstacle, apart)
        return found

    def locate(self, x: float, y: float) -> tuple[float, float]:
        """Return the angle of the line that leads to a point outside the disc, and the length to it."""
        x, y, radius = x - self.disc.x, y - self.disc.y, self.disc.radius
        length = math.sqrt(max(0.0, x * x + y * y - radius * radius))
        along = self.side * length
        return self.side * math.atan2(y * radius - x * along, x * radius + y * along) % TURN, length

    def _find(self, obstacle: Obstacle, apart: float) -> Barrier:
        x1, y1, x2, y2, radius = obstacle
        size = math.hypot(x2 - x1, y2 - y1)
        ux, uy = ((x2 - x1) / size, (y2 - y1) / size) if size else (0.0, 0.0)
        touches = self._touches(Disc(x1, y1, radius))
        if size:
            touches += self._touches(Disc(x2, y2, radius))
        first, width = 0.0, TURN
        if apart > CLOSE and touches:
            # No line of the disc is in the way, so the lines that meet the obstacle are those of one angle
            # below half a turn around the one to its middle.
            before = self.locate((x1 + x2) / 2, (y1 + y2) / 2)[0] - math.pi
            aside = [((touch[0] - before) % TURN, touch) for touch in touches]
            (low, left), (high, right) = min(aside), max(aside)
            first, width = (before + low - BESIDE) % TURN, high - low + 2 * BESIDE
            touches = [left, right]
        nearest = self._nearest(x1, y1, x2, y2, ux, uy, size)
        if nearest is not None:
            nearest = (nearest[0], nearest[1] - radius)
        return Barrier(
            apart, first, width, tuple(touches), nearest, x1, y1, x2, y2, radius - CLOSE, ux, uy, size
        )

    def _touches(self, disc: Disc) -> list[tuple[float, float]]:
        """Return the lines that touch another disc: the angle of each, and the length up to the disc."""
        lines = (tangent(self.disc, self.side, disc, turn) for turn in (1, -1))
        return [(line.leaves * self.side % TURN, line.length) for line in lines if line is not None]

    def _nearest(
        self, x1: float, y1: float, x2: float, y2: float, ux: float, uy: float, size: float
    ) -> tuple[float, float] | None:
        """Return the line that meets a segment, or the nearer end of it, at a right angle."""
        x, y, radius = self.disc
        if size:
            off = (x - x1) * uy - (y - y1) * ux
            sign = -1 if off > 0 else 1
            # The line goes across the segment, towards it, and starts a quarter of a turn around the disc.
            dx, dy = sign * uy, -sign * ux
            along = (x + self.side * radius * dy - x1) * ux + (y - self.side * radius * dx - y1) * uy
            if 0 <= along <= size:
                start_off = (x + self.side * radius * dy - x1) * uy - (y - self.side * radius * dx - y1) * ux
                return math.atan2(-dx, self.side * dy) % TURN, abs(start_off)
            if along > size:
                x1, y1 = x2, y2
        if (x1 - x) ** 2 + (y1 - y) ** 2 <= radius * radius:
            return None
        return self.locate(x1, y1)


@lru_cache(maxsize=MOST_VIEWS)
def view(disc: Disc, side: int) -> View:
    """Return the view from one side of a disc; kept from one outline to the next, as most walls stay."""
    return View(disc, side)


class Fan:
    """The straight lines that continue a path after an arrival, the farther around its disc the shorter.

    Attributes:
        view: the obstacles as the fan's disc and side meet them.
        x, y, radius, side: the disc, and 1 if the lines go around it clockwise on the board, -1 if not.
        left: the length of the first line, if no obstacle ends it.
        arc: the turn of the last line.
    """

    def __init__(self, search: Search, arrival: Arrival, view: View) -> None:
        self.search, self.view, self.side = search, view, arrival.turn
        self.x, self.y, self.radius = view.disc
        self.start, self.left = self.side * arrival.angle % TURN, search.budget - arrival.cost
        free = TURN if self.radius == 0 else max(0.0, search.free_arc(arrival))
        self.arc = free if self.radius == 0 else min(free, self.left / self.radius)
        self.inner = max(0.0, self.left - INSIDE) ** 2 if self.left >= INSIDE else -1.0
        self.square = self.radius * self.radius
        self.spans: list[Span] = []
        self._lasts: list[float] = []
        self._barriers: list[tuple[float, Barrier]] = []

    def is_covered_by(self, other: Fan) -> bool:
        """Return whether another fan of the same view has all lines of this one."""
        turn = (self.start - other.start) % TURN
        if self.radius == 0 or turn > TURN - 1e-9:
            turn = 0.0
        if turn > other.arc or other.left - self.radius * turn < self.left - CLOSE:
            return False
        if other.search is self.search:
            return True
        mine = self.search.obstacle_set
        return turn + self.arc <= other.arc + CLOSE and not any(
            self._may_meet(self.view.barrier(obstacle, self.left))
            for obstacle in other.search.obstacles
            if obstacle not in mine
        )

    def _may_meet(self, barrier: Barrier | None) -> TypeGuard[Barrier]:
        """Return whether a line of the fan may meet a barrier."""
        if barrier is None:
            return False
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

    def find_spans(self, corners: Iterable[Corner]) -> None:
        """Find the spans. `corners` are the places where the outlines of two obstacles cross."""
        barriers = (self.view.barrier(obstacle, self.left) for obstacle in self.search.obstacles)
        found = [barrier for barrier in barriers if self._may_meet(barrier)]
        found.sort(key=lambda barrier: barrier.apart)
        self._barriers = [((barrier.first - self.start) % TURN, barrier) for barrier in found]
        self._flat = [(barrier.apart, first, barrier.width, barrier) for first, barrier in self._barriers]
        last = self._end(0.0)
        for turn, length, is_smooth in self._events(corners) if found else ():
            before = self._end(turn if is_smooth else max(0.0, turn - BESIDE))
            if before.length < length - 1:
                continue  # what would change is behind an obstacle
            self._add(last, before)
            last = before if is_smooth else self._end(min(self.arc, turn + BESIDE))
        self._add(last, self._end(self.arc))
        self._lasts = [span.last.turn for span in self.spans]

    def _events(self, corners: Iterable[Corner]) -> list[tuple[float, float, bool]]:
        """Return where the ends of lines may change: the turn, the length, and whether they do so smoothly."""
        start, arc, left, radius = self.start, self.arc, self.left, self.radius
        lines: list[tuple[float, float, bool]] = []
        for first, barrier in self._barriers:
            lines += [(angle, length, False) for angle, length in barrier.touches]
            if barrier.nearest is not None:
                angle, length = barrier.nearest
                lines.append((angle, length, True))
                if first + barrier.width >= TURN and arc > math.pi:
                    # The lines that meet it may be those at both ends of the arc and none between.
                    lines.append((angle + math.pi, 0.0, True))
        lines += [(angle, length, False) for angle, length in self._corners_in_view(corners)]
        events = []
        for angle, length, is_smooth in lines:
            turn = (angle - start) % TURN
            if turn < arc and length + radius * turn <= left:
                events.append((turn, length, is_smooth))
        events.sort()
        return events

    def _corners_in_view(self, corners: Iterable[Corner]) -> Iterator[tuple[float, float]]:
        """Yield the lines to corners, without those behind one of the two obstacles that make the corner."""
        here_x, here_y, square, far = self.x, self.y, self.square, self.left * self.left
        around = self.radius * self.side
        for x, y, nx, ny, mx, my in corners:
            vx, vy = x - here_x, y - here_y
            apart = vx * vx + vy * vy - square
            if 0 < apart <= far:
                length = math.sqrt(apart)
                dx, dy = vx * length - vy * around, vy * length + vx * around
                if dx * nx + dy * ny <= CLOSE * apart and dx * mx + dy * my <= CLOSE * apart:
                    yield math.atan2(-dx, self.side * dy), length

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
        length = max(0.0, self.left - self.radius * turn)
        angle = self.side * (self.start + turn)
        cos, sin = math.cos(angle), math.sin(angle)
        x, y = self.x + self.radius * cos, self.y + self.radius * sin
        dx, dy = -self.side * sin, self.side * cos
        met = None
        for apart, first, width, barrier in self._flat:
            if apart > length:
                break
            if (turn - first) % TURN <= width:
                free = meet(barrier, x, y, dx, dy, length)
                if free < length:
                    length, met = free, barrier
        return End(turn, length, x + length * dx, y + length * dy, met)

    def end(self, turn: float) -> Place:
        """Return the end of a line of a span that the length ends."""
        angle = self.side * (self.start + turn)
        cos, sin = math.cos(angle), math.sin(angle)
        length = self.side * max(0.0, self.left - self.radius * turn)
        return self.x + self.radius * cos - length * sin, self.y + self.radius * sin + length * cos

    def origin(self, turn: float) -> Place:
        """Return the start of a line."""
        angle = self.side * (self.start + turn)
        return self.x + self.radius * math.cos(angle), self.y + self.radius * math.sin(angle)

    def contains(self, x: float, y: float) -> bool:
        """Return whether a point outside the disc lies inside the fan, not at its edge."""
        angle, length = self.view.locate(x, y)
        turn = (angle - self.start) % TURN
        if turn > self.arc or self.radius * turn + length > self.left - INSIDE:
            return False
        number = bisect_left(self._lasts, turn)
        if number == len(self.spans):
            return False
        barrier = self.spans[number].first.barrier
        if barrier is None:
            return True
        angle *= self.side
        cos, sin = math.cos(angle), math.sin(angle)
        start_x, start_y = self.x + self.radius * cos, self.y + self.radius * sin
        return meet(barrier, start_x, start_y, -self.side * sin, self.side * cos, length) >= length

    def turns(self, span: Span) -> list[float]:
        """Return the turns of lines of a span that the length ends, close enough to follow its edge."""
        turn, last = span.first.turn, span.last.turn
        found = [turn]
        while True:
            # The edge bends as a circle whose radius is the length of the line.
            length = self.left - self.radius * turn
            turn += math.sqrt(8 * BEND / length) if length > BEND else TURN
            if turn >= last:
                break
            found.append(turn)
        found.append(last)
        return found

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


def meet(barrier: Barrier, x: float, y: float, dx: float, dy: float, length: float) -> float:
    """Return how far a line from outside a barrier goes before it enters it, at most its length."""
    _, _, _, _, _, x1, y1, x2, y2, radius, ux, uy, size = barrier
    ox, oy = x - x1, y - y1
    if size:
        off, slope = oy * ux - ox * uy, dy * ux - dx * uy
        gap, along = abs(off) - radius, ox * ux + oy * uy
        if gap >= 0:
            if slope * off >= 0:
                return length
            far = gap / abs(slope)
            if far >= length:
                return length
            along += far * (dx * ux + dy * uy)
            if 0 <= along <= size:
                return far
        if along > size:
            ox, oy = x - x2, y - y2
    along = ox * dx + oy * dy
    if along < 0:
        under = along * along - ox * ox - oy * oy + radius * radius
        if under > 0:
            free = -along - math.sqrt(under)
            if free < length:
                return free if free > 0 else 0.0
    return length


def along_barrier(first: End, last: End, viewer: Place) -> list[Place]:
    """Return the part of a barrier's outline between the ends of two lines that it ends, with both.

    `viewer` is a place from which the part is in view.
    """
    barrier = first.barrier
    assert barrier is not None
    x1, y1, x2, y2, radius, ux, uy, size = barrier[5:]
    found = [(first.x, first.y)]
    ends = ((x1, y1), (x2, y2))
    # A round end is part 0 or 2, the straight side between them part 1.
    part, last_part = (_part(end, x1, y1, ux, uy, size) for end in (first, last))
    off = (viewer[1] - y1) * ux - (viewer[0] - x1) * uy
    across = (-uy * radius, ux * radius) if off > 0 else (uy * radius, -ux * radius)
    while part != last_part:
        further = part + (1 if last_part > part else -1)
        center = ends[0] if 0 in (part, further) else ends[1]
        join = (center[0] + across[0], center[1] + across[1])
        if part != 1:
            found += _around_end(center, radius, found[-1], join)
        found.append(join)
        part = further
    if part != 1:
        found += _around_end(ends[part // 2], radius, found[-1], (last.x, last.y))
    found.append((last.x, last.y))
    return found


def _part(end: End, x: float, y: float, ux: float, uy: float, size: float) -> int:
    along = (end.x - x) * ux + (end.y - y) * uy
    return 0 if along <= 0 else 2 if along >= size else 1


def _around_end(center: Place, radius: float, first: Place, last: Place) -> list[Place]:
    """Return the places between two along the shorter arc of a circle, close enough to follow it."""
    if radius <= BEND:
        return []
    (x, y), step = center, math.sqrt(8 * BEND / radius)
    begin = math.atan2(first[1] - y, first[0] - x)
    turn = (math.atan2(last[1] - y, last[0] - x) - begin + math.pi) % TURN - math.pi
    count = math.ceil(abs(turn) / step)
    angles = [begin + turn * number / count for number in range(1, count)]
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def corners_of(obstacles: Sequence[Obstacle]) -> list[Corner]:
    """Return the places where the outlines of two obstacles cross, outside all others."""
    boxes = [
        (min(o[0], o[2]) - o[4], max(o[0], o[2]) + o[4], min(o[1], o[3]) - o[4], max(o[1], o[3]) + o[4], o)
        for o in obstacles
    ]
    found: list[Corner] = []
    for number, (left, right, top, bottom, one) in enumerate(boxes):
        for low, high, above, below, other in boxes[:number]:
            if low > right or high < left or above > bottom or below < top:
                continue
            for corner in _crossings(one, other):
                x, y = corner[:2]
                for low, high, above, below, o in boxes:
                    if low < x < high and above < y < below and o is not one and o is not other:
                        if distance_to(x, y, o[0], o[1], o[2], o[3]) < o[4] - 2 * CLOSE:
                            break
                else:
                    found.append(corner)
    return found


@lru_cache(maxsize=KEPT)
def _crossings(one: Obstacle, other: Obstacle) -> tuple[Corner, ...]:
    """Return the places where the outlines of two obstacles cross."""
    places: list[Place] = []
    for a, b in ((one, other), (other, one)):
        for x, y in {(a.x1, a.y1), (a.x2, a.y2)}:
            disc = Disc(x, y, a.radius)
            places += [
                (x + a.radius * math.cos(angle), y + a.radius * math.sin(angle))
                for angle in meetings(disc, b)
            ]
    for ax, ay, bx, by in sides(one):
        for cx, cy, dx, dy in sides(other):
            px, py, qx, qy = bx - ax, by - ay, dx - cx, dy - cy
            cross = px * qy - py * qx
            if cross:
                t = ((cx - ax) * qy - (cy - ay) * qx) / cross
                if 0 <= t <= 1:
                    places.append((ax + t * px, ay + t * py))
    found = []
    for at in places:
        outs = _out_of(one, *at), _out_of(other, *at)
        if all(abs(math.hypot(*out) - o.radius) < NEAR for out, o in zip(outs, (one, other), strict=True)):
            found.append(Corner(*at, *outs[0], *outs[1]))
    return tuple(found)


def _out_of(obstacle: Obstacle, x: float, y: float) -> Place:
    """Return the way to a place from the nearest point of an obstacle's segment."""
    x1, y1, x2, y2, _ = obstacle
    dx, dy, px, py = x2 - x1, y2 - y1, x - x1, y - y1
    length = dx * dx + dy * dy
    along = min(1.0, max(0.0, (px * dx + py * dy) / length)) if length else 0.0
    return px - along * dx, py - along * dy


def sides(obstacle: Obstacle) -> list[tuple[float, float, float, float]]:
    """Return the straight sides of an obstacle."""
    x1, y1, x2, y2, radius = obstacle
    size = math.hypot(x2 - x1, y2 - y1)
    if not size:
        return []
    ox, oy = radius * (y1 - y2) / size, radius * (x2 - x1) / size
    return [(x1 + ox, y1 + oy, x2 + ox, y2 + oy), (x1 - ox, y1 - oy, x2 - ox, y2 - oy)]
