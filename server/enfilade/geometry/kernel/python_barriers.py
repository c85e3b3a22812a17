"""The obstacles of a gridless board as straight lines from one side of a disc meet them.

An angle is that of the start of a line on the disc, and counts in the direction in which the lines go around
the disc: clockwise on the board if the side is 1, counterclockwise if it is -1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from enfilade.geometry.kernel.python_obstacles import (
    CLOSE,
    KEPT,
    TURN,
    Disc,
    Obstacle,
    Place,
    distance_to,
    meetings,
)

BEND = 0.4
"""The farthest that an edge may lie off the straight line between two of its points."""
BESIDE = 1e-6
"""The angle from a line that touches an obstacle to the lines on both sides of it."""
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
    """The end of a fan's line: the turn, the line's length, the end, and the barrier there or None."""

    turn: float
    length: float
    x: float
    y: float
    barrier: Barrier | None


class View:
    """Obstacles as one side of a disc meets them; each is worked out once for all fans there.

    An angle counts in the direction in which the fans' lines go around the disc.
    """

    def __init__(self, disc: Disc, side: int) -> None:
        self.disc, self.side = disc, side
        self._apart: dict[Obstacle, float] = {}
        self._barriers: dict[Obstacle, Barrier] = {}

    def barriers(self, obstacles: Iterable[Obstacle], within: float) -> list[Barrier]:
        """Return obstacles as the disc meets them, without those that are not within a distance."""
        if len(self._apart) > MOST_OBSTACLES:
            self._apart.clear()
            self._barriers.clear()
        aparts, known = self._apart, self._barriers
        x, y, size = self.disc
        found = []
        for obstacle in obstacles:
            apart = aparts.get(obstacle)
            if apart is None:
                x1, y1, x2, y2, radius = obstacle
                apart = aparts[obstacle] = distance_to(x, y, x1, y1, x2, y2) - radius - size
            if apart <= within:
                barrier = known.get(obstacle)
                if barrier is None:
                    barrier = known[obstacle] = self._find(obstacle, apart)
                found.append(barrier)
        return found

    def locate(self, x: float, y: float) -> tuple[float, float]:
        """Return the angle of the line that leads to a point outside the disc, and the length to it."""
        here_x, here_y, radius = self.disc
        x -= here_x
        y -= here_y
        square = x * x + y * y - radius * radius
        length = math.sqrt(square) if square > 0 else 0.0
        along = self.side * length
        return self.side * math.atan2(y * radius - x * along, x * radius + y * along) % TURN, length

    def _find(self, obstacle: Obstacle, apart: float) -> Barrier:
        x1, y1, x2, y2, radius = obstacle
        touches = self._touches(x1, y1, radius)
        ux = uy = size = 0.0
        is_apart = apart > CLOSE
        if x1 != x2 or y1 != y2:
            size = math.hypot(x2 - x1, y2 - y1)
            ux, uy = (x2 - x1) / size, (y2 - y1) / size
            others = self._touches(x2, y2, radius)
            if is_apart:
                (left, right), (other_left, other_right) = touches, others
                # The lines that meet the obstacle are within half a turn.
                is_first = (other_left[0] - left[0]) % TURN < math.pi
                is_last = (right[0] - other_right[0]) % TURN < math.pi
                touches = [left if is_first else other_left, right if is_last else other_right]
            else:
                touches += others
        first, width = 0.0, TURN
        if is_apart:
            (low, _), (high, _) = touches
            first, width = (low - BESIDE) % TURN, (high - low) % TURN + 2 * BESIDE
        nearest = self._nearest(x1, y1, x2, y2, ux, uy, size)
        if nearest is not None:
            nearest = (nearest[0], nearest[1] - radius)
        return Barrier(
            apart, first, width, tuple(touches), nearest, x1, y1, x2, y2, radius - CLOSE, ux, uy, size
        )

    def _touches(self, x: float, y: float, radius: float) -> list[tuple[float, float]]:
        """Return the lines that touch another disc, the first one first: angle, and length up to the disc.

        The formulas are those of `python_gridless.tangent`, without the ends of a tangent.
        """
        here_x, here_y, size = self.disc
        side = self.side
        x -= here_x
        y -= here_y
        square = x * x + y * y
        found: list[tuple[float, float]] = []
        for offset in (side * (radius - size), -side * (radius + size)):
            under = square - offset * offset
            if square == 0 or under < -CLOSE:
                continue
            length = math.sqrt(under) if under > 0 else 0.0
            angle = math.atan2(-side * (x * length + y * offset), side * (y * length - x * offset))
            found.append((side * angle % TURN, length))
        return found

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


def meet(barrier: Barrier, x: float, y: float, dx: float, dy: float, length: float) -> float:
    """Return how far a line from outside a barrier goes before it enters it, at most its length."""
    _, _, _, _, _, x1, y1, x2, y2, radius, ux, uy, size = barrier
    ox, oy = x - x1, y - y1
    if not size:
        return _meet_end(ox, oy, dx, dy, radius, length)
    off, along = oy * ux - ox * uy, ox * ux + oy * uy
    gap = abs(off) - radius
    if gap >= 0:
        slope = dy * ux - dx * uy
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
    return _meet_end(ox, oy, dx, dy, radius, length)


def _meet_end(ox: float, oy: float, dx: float, dy: float, radius: float, length: float) -> float:
    """Return how far a line goes before it enters a disc, from a start relative to the disc's center."""
    along = ox * dx + oy * dy
    if along >= 0:
        return length
    under = along * along - ox * ox - oy * oy + radius * radius
    if under <= 0:
        return length
    free = -along - math.sqrt(under)
    if free >= length:
        return length
    return free if free > 0 else 0.0


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
    boxes = sorted(
        (min(o[0], o[2]) - o[4], max(o[0], o[2]) + o[4], min(o[1], o[3]) - o[4], max(o[1], o[3]) + o[4], o)
        for o in obstacles
    )
    found: list[Corner] = []
    for number, (_, right, top, bottom, first) in enumerate(boxes, start=1):
        for low, _, above, below, second in boxes[number:]:
            if low > right:
                break
            if above > bottom or below < top:
                continue
            one, other = max(first, second), min(first, second)
            for corner in _crossings(one, other):
                x, y = corner[:2]
                for low, high, above, below, o in boxes:
                    is_other = low < x < high and above < y < below and o is not one and o is not other
                    if is_other and distance_to(x, y, o[0], o[1], o[2], o[3]) < o[4] - 2 * CLOSE:
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
    places += _crossings_of_sides(one, other)
    found = []
    for at in places:
        outs = _out_of(one, *at), _out_of(other, *at)
        if all(abs(math.hypot(*out) - o.radius) < NEAR for out, o in zip(outs, (one, other), strict=True)):
            found.append(Corner(*at, *outs[0], *outs[1]))
    return tuple(found)


def _crossings_of_sides(one: Obstacle, other: Obstacle) -> Iterator[Place]:
    """Yield the places where a straight side of an obstacle crosses the extension of another's."""
    for ax, ay, bx, by in _sides(one):
        for cx, cy, dx, dy in _sides(other):
            px, py, qx, qy = bx - ax, by - ay, dx - cx, dy - cy
            cross = px * qy - py * qx
            if cross:
                along = ((cx - ax) * qy - (cy - ay) * qx) / cross
                if 0 <= along <= 1:
                    yield ax + along * px, ay + along * py


def _out_of(obstacle: Obstacle, x: float, y: float) -> Place:
    """Return the way to a place from the nearest point of an obstacle's segment."""
    x1, y1, x2, y2, _ = obstacle
    dx, dy, px, py = x2 - x1, y2 - y1, x - x1, y - y1
    length = dx * dx + dy * dy
    along = min(1.0, max(0.0, (px * dx + py * dy) / length)) if length else 0.0
    return px - along * dx, py - along * dy


def _sides(obstacle: Obstacle) -> list[tuple[float, float, float, float]]:
    """Return the straight sides of an obstacle."""
    x1, y1, x2, y2, radius = obstacle
    size = math.hypot(x2 - x1, y2 - y1)
    if not size:
        return []
    ox, oy = radius * (y1 - y2) / size, radius * (x2 - x1) / size
    return [(x1 + ox, y1 + oy, x2 + ox, y2 + oy), (x1 - ox, y1 - oy, x2 - ox, y2 - oy)]
