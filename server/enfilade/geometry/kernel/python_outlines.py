"""The outline of what paths of some length reach on a gridless board. The reference of outlines.c.

Every shortest path ends with a straight line that leaves the start, or a round end of an obstacle that the
path goes around. So the reach is a union of fans: the straight lines after one arrival, each up to the rest
of the length or the first obstacle. No point of the true edge is more than half a unit (1/128 inch) off
before coordinates are rounded. The edges come from closed forms here (`python_fans`) and from samples in C,
so the two engines draw the same regions with different points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from enfilade.geometry.kernel.python_barriers import Corner, View, along_barrier, corners_of, view
from enfilade.geometry.kernel.python_fans import Fan
from enfilade.geometry.kernel.python_gridless import Arrival, Search, Tangent, turned
from enfilade.geometry.kernel.python_obstacles import CLOSE, Disc, Obstacle, Place, distance_to
from enfilade.runtime.time_budget import checkpoint

HALVINGS = 8
"""How often the end of a line of the outline is searched between two samples."""

Ring = tuple[int, ...]
"""A closed line, clockwise on the board: x, y, x, y, ... in 64ths of an inch, each point once."""

Nearby = list[tuple[float, float, float, float, Fan]]
"""Fans with what tells most places outside them cheaply: x, y, the square of the radius and of the length."""


def outline(searches: Sequence[Search]) -> tuple[list[Ring], list[Ring]]:
    """Return the reach of all searches together as rings that may overlap, and the lines where lengths end.

    A point is in the reach if a ring goes around it. The lines are the part of the outline that no obstacle
    makes.
    """
    fans = _needed_fans(_joined(searches))
    corners: dict[int, list[Corner]] = {}
    rings: list[Ring] = []
    for fan in fans:
        checkpoint()
        if id(fan.search) not in corners:
            corners[id(fan.search)] = sorted(corners_of(fan.search.obstacles))
        fan.find_spans(corners[id(fan.search)])
        ring = _ring(fan)
        across, down = ring[::2], ring[1::2]
        fan.box = min(across) - 1, min(down) - 1, max(across) + 1, max(down) + 1
        if len(ring) >= 6:
            rings.append(ring)
    lines: list[Ring] = []
    for fan in fans:
        checkpoint()
        lines += _limit_lines(fan, fans)
    return rings, lines


def _joined(searches: Sequence[Search]) -> list[Search]:
    """Return searches with the same reach, as few as may be: one with many starts takes less than many.

    Two are joined if neither can come near an obstacle that is an obstacle for the other alone. Bases that
    differ in size, or that overlap an obstacle at their start, are not joined.
    """
    found: list[list[Search]] = []
    for search in searches:
        for group in found:
            if all(_are_alike(search, other) for other in group):
                group.append(search)
                break
        else:
            found.append([search])
    found.sort(key=len, reverse=True)
    most = _join(found[0]) if found else None
    return [] if most is None else [most, *(_rest_of(_join(group), most) for group in found[1:])]


def _rest_of(search: Search, most: Search) -> Search:
    """Return a search that leaves out the arrivals after which another search reaches no less."""
    others: dict[tuple[Disc, int], list[tuple[Arrival, float]]] = {}
    for arrival, free_arc in most.free_arcs:
        place = most.discs[arrival.disc], arrival.turn
        others.setdefault(place, []).append((arrival, free_arc))
    missing = most.obstacle_set - search.obstacle_set

    def is_needless(disc: Disc, side_of_disc: int, line: Tangent, cost: float) -> bool:
        left = search.budget - cost
        x, y = line.end
        if any(distance_to(x, y, *o[:4]) - o.radius <= left for o in missing):
            return False
        for other, free in others.get((disc, side_of_disc), ()):
            turn = turned(other, disc.radius, line.arrives)
            if turn <= free and most.budget - other.cost - disc.radius * turn >= left - CLOSE:
                return True
        return most.is_seen_sooner(line.end, most.budget - left)

    return search.without(is_needless)


def _are_alike(one: Search, other: Search) -> bool:
    return _is_far(one, other.obstacle_set - one.obstacle_set) and _is_far(
        other, one.obstacle_set - other.obstacle_set
    )


def _is_far(search: Search, obstacles: Iterable[Obstacle]) -> bool:
    """Return whether a search comes to none of some obstacles."""
    x, y = search.start
    return all(distance_to(x, y, *o[:4]) >= search.budget + o.radius for o in obstacles)


def _join(group: Sequence[Search]) -> Search:
    """Join several searches into one; the search with the largest budget starts with its whole budget."""
    if len(group) == 1:
        return group[0]
    budget = max(search.budget for search in group)
    obstacles = sorted(frozenset().union(*(search.obstacle_set for search in group)))
    starts = [(search.start, budget - search.budget) for search in group]
    (first, _), *others = sorted(starts, key=lambda start: start[1])
    return Search(obstacles, first, budget, others)


def _needed_fans(searches: Sequence[Search]) -> list[Fan]:
    """Return the fans that no other one covers, those with the most length left first."""
    every = [
        Fan(search, arrival, free, needed, view(search.discs[arrival.disc], arrival.turn))
        for search in searches
        for (arrival, free), needed in zip(search.free_arcs, search.needed_arcs, strict=True)
    ]
    found: dict[View, list[Fan]] = {}
    for fan in sorted(every, key=lambda fan: -fan.left):
        others = found.setdefault(fan.view, [])
        if not any(fan.is_covered_by(other) for other in others):
            others.append(fan)
    return sorted((fan for fans in found.values() for fan in fans), key=lambda fan: -fan.left)


def _ring(fan: Fan) -> Ring:
    """Return a fan's edge: the ends of its lines, and back along its disc."""
    points: list[Place] = []
    for span, (_, edge) in zip(fan.spans, fan.edges, strict=True):
        if edge:
            points += edge
        else:
            points += along_barrier(*span, fan.origin((span.first.turn + span.last.turn) / 2))
    points += fan.edge_of_disc()
    return rounded(points if fan.side > 0 else points[::-1])


def rounded(points: Iterable[Place]) -> Ring:
    """Return points in whole units, each once in a row."""
    found: list[int] = []
    last_x = last_y = None
    floor = math.floor
    for x, y in points:
        x, y = floor(x + 0.5), floor(y + 0.5)
        if x != last_x or y != last_y:
            found += (x, y)
            last_x, last_y = x, y
    return tuple(found)


def _limit_lines(fan: Fan, fans: Sequence[Fan]) -> list[Ring]:
    """Return the lines of a fan's edge where its length ends, outside all other fans."""
    edges = [(turns, places) for turns, places in fan.edges if turns]
    if not edges:
        return []
    near: Nearby = []
    places = [place for _, edge in edges for place in edge]
    across, down = zip(*places, strict=True)
    x1, y1, x2, y2 = min(across), min(down), max(across), max(down)
    for other in fans:
        left, top, right, bottom = other.box
        if left < x2 and right > x1 and top < y2 and bottom > y1 and other.inner >= 0 and other is not fan:
            near.append((other.x, other.y, other.square, other.inner, other))
    found: list[list[Place]] = []
    for turns, edge in edges:
        found += _outside(fan, turns, edge, lambda place: not _is_in_any(near, place))
    return [line for line in map(rounded, found) if len(line) >= 4]


def _outside(
    fan: Fan, turns: Sequence[float], places: Sequence[Place], is_outside: Callable[[Place], bool]
) -> list[list[Place]]:
    """Return the lines of a span's edge that are outside other fans."""
    lines: list[list[Place]] = []
    before, was_outside = 0.0, False
    for number, (turn, place) in enumerate(zip(turns, places, strict=True)):
        is_now = is_outside(place)
        if number and is_now != was_outside:
            edge = fan.end(_edge(fan, *((turn, before) if is_now else (before, turn)), is_outside))
            if is_now:
                lines.append([edge])
            else:
                lines[-1].append(edge)
        elif is_now and not number:
            lines.append([])
        if is_now:
            lines[-1].append(place)
        before, was_outside = turn, is_now
    return lines


def _is_in_any(fans: Nearby, place: Place) -> bool:
    """Return whether a fan contains a place; it comes first then, as it mostly has the next place, too."""
    x, y = place
    for number, (center_x, center_y, square, inner, fan) in enumerate(fans):
        dx, dy = x - center_x, y - center_y
        if 0 <= dx * dx + dy * dy - square <= inner and fan.contains(x, y):
            fans.insert(0, fans.pop(number))
            return True
    return False


def _edge(fan: Fan, outside: float, inside: float, is_outside: Callable[[Place], bool]) -> float:
    """Return the last turn outside other fans between two."""
    for _ in range(HALVINGS):
        middle = (outside + inside) / 2
        if is_outside(fan.end(middle)):
            outside = middle
        else:
            inside = middle
    return outside
