"""Gridless movement: both engines against polygons around the obstacles, and against each other."""

import math
import random
from itertools import pairwise

from tests.property.geometry.engines import ENGINES, use_engine
from tests.unit.geometry.oracles import shortest_round_polygons, to_segment

from enfilade.geometry.board.shapes import Wall
from enfilade.geometry.movement.gridless import GridlessField, outline
from enfilade.geometry.movement.round_bases import GridlessBoard, RoundBase, SquareBase, gap

BOARD = GridlessBoard(24 * 64, 24 * 64)
NEAR = (-1, 0, 1)
CORNERS = 16
LONGER = math.tan(math.pi / CORNERS) / (math.pi / CORNERS)
"""How much longer the sides of a polygon are than the circle in it."""


def gridless_paths(seed: int) -> tuple[int, list[str]]:
    """Compare shortest paths: each is legal, and none is longer than a path around the oracle's polygons."""
    if seed % 3:
        return 0, []  # the oracle takes longer than all other cases together
    chance = random.Random(seed)
    radius, walls, bases = _obstacles(chance, 2)
    edges = [(*wall.line, radius) for wall in walls] + [(*b.at, *b.at, radius + b.radius) for b in bases]
    start = _free_place(chance, edges)
    goals = [_place(chance) for _ in range(12)]
    expected = shortest_round_polygons(edges, start, goals, 500, corners=16)
    wrong = []
    for name in ENGINES:
        with use_engine(name):
            found = GridlessField(BOARD, RoundBase(start, radius), 500, walls, bases)
            for goal, rough in zip(goals, expected, strict=True):
                cost = found.cost(goal)
                if cost is None:
                    wrong += [] if rough is None else [f"{name}: {seed=} {goal} is not reached"]
                elif rough is not None and cost > rough + 1e-6:
                    wrong.append(f"{name}: {seed=} the path to {goal} is not the shortest")
                elif not _is_legal(found.legs(goal), cost, edges):
                    wrong.append(f"{name}: {seed=} the path to {goal} is not legal")
    return len(goals), wrong


def gridless_outlines(seed: int) -> tuple[int, list[str]]:
    """Compare outlines with the costs of paths, at places a 64th of an inch or more from the edge."""
    chance = random.Random(seed)
    radius, walls, bases = _obstacles(chance, 5)
    starts = [_place(chance) for _ in range(chance.choice((1, 2, 3, 8)))]
    budget = chance.choice((0, 1, 64, 200, 384))
    places = [_place(chance) for _ in range(60)]
    wrong = []
    for name in ENGINES:
        with use_engine(name):
            reach = [GridlessField(BOARD, RoundBase(start, radius), budget, walls, bases) for start in starts]
            rings = outline(reach).rings
            for place in places:
                is_in = _is_inside(rings, place)
                if is_in != _is_reached(reach, place) and _is_clearly(reach, place, not is_in):
                    wrong.append(f"{name}: {seed=} {place} is {'inside' if is_in else 'outside'}")
    return len(places), wrong


def gridless_reach(seed: int) -> tuple[int, list[str]]:
    """Compare outlines with paths around the oracle's polygons, at places not within a 64th of either edge.

    Polygons around the round ends give the most that a path costs; polygons in them, by the share that a
    polygon is longer than its circle, the least.
    """
    if seed % 6 != 1:
        return 0, []  # the oracle takes longer than all other cases together
    chance = random.Random(seed)
    radius, walls, bases = _obstacles(chance, 3)
    edges = [(*wall.line, radius) for wall in walls] + [(*b.at, *b.at, radius + b.radius) for b in bases]
    start, budget = _free_place(chance, edges), chance.choice((64, 200, 384))
    places = [_place_near(chance, start, budget) for _ in range(12)]
    inner = [(*edge[:4], edge[4] * math.cos(math.pi / CORNERS)) for edge in edges]
    most = shortest_round_polygons(edges, start, places, budget, CORNERS)
    least = shortest_round_polygons(inner, start, places, (budget + 2) * LONGER, CORNERS)
    wrong = []
    for name in ENGINES:
        with use_engine(name):
            rings = outline([GridlessField(BOARD, RoundBase(start, radius), budget, walls, bases)]).rings
        for place, above, below in zip(places, most, least, strict=True):
            is_in = _is_inside(rings, place)
            clearance = min((to_segment(place, e[:2], e[2:4]) - e[4] for e in edges), default=math.inf)
            if above is not None and above < budget - 1.5 and clearance > 1.5 and not is_in:
                wrong.append(f"{name}: {seed=} {place} costs {above} of {budget} and is outside")
            is_far = below is None or below / LONGER > budget + 1.5
            if is_in and (clearance < -1.5 or (is_far and clearance > 1.5)):
                wrong.append(f"{name}: {seed=} {place} costs {below} of {budget} and is inside")
    return len(places), wrong


def _place_near(chance, start, budget):
    """Return a place around a start, every other time a few 64ths from the end of a straight move."""
    while True:
        dx, dy = (chance.randint(-budget, budget) for _ in start)
        if chance.random() < 0.5:
            angle, far = chance.uniform(0, 2 * math.pi), budget + chance.choice((-4, -3, -2, 2, 3, 4))
            dx, dy = round(far * math.cos(angle)), round(far * math.sin(angle))
        place = (start[0] + dx, start[1] + dy)
        if all(64 <= n <= 23 * 64 for n in place):
            return place


def base_contact(seed: int) -> tuple[int, list[str]]:
    """Compare gaps with the distance of dense points on the edges, and walk up to contact and no farther."""
    chance = random.Random(seed)
    other = _base(chance)
    mover = RoundBase(_place(chance), chance.choice((16, 32, 64)))
    least = min(math.dist(mover.at, point) for point in _points_of(other)) - mover.radius
    found = gap(mover, other)
    wrong = []
    if not found - 1.01 <= max(0.0, least) <= found + 0.5 and not other.contains(mover.at):
        wrong.append(f"gap: {seed=} {found} instead of {least}")
    if isinstance(other, RoundBase) and found > 0:
        wrong += _contact(seed, mover, other)
    return 1, wrong


def _contact(seed, mover, other):
    """Check that a mover comes into contact with a base, and not a 64th of an inch onto it."""
    apart = math.dist(mover.at, other.at)
    touch = mover.radius + other.radius

    def at(distance):
        share = distance / apart
        x, y = ((o + (m - o) * share) for m, o in zip(mover.at, other.at, strict=True))
        return round(x), round(y)

    wrong = []
    for name in ENGINES:
        with use_engine(name):
            field = GridlessField(BOARD, mover, 64 * 40, (), [other])
            outside, inside = at(touch + 1), at(max(0, touch - 1.5))
            is_on = all(mover.radius <= n <= 24 * 64 - mover.radius for n in outside + mover.at)
            if is_on and math.dist(outside, other.at) >= touch and field.cost(outside) is None:
                wrong.append(f"{name}: {seed=} no contact at {outside}")
            if math.dist(inside, other.at) < touch - 0.01 and field.cost(inside) is not None:
                wrong.append(f"{name}: {seed=} the base moves onto another at {inside}")
    return wrong


def _obstacles(chance, most):
    step = chance.choice((1, 32, 64))

    def point():
        return tuple(chance.randint(5 * 64 // step, 15 * 64 // step) * step for _ in range(2))

    walls = [Wall((*point(), *point())) for _ in range(chance.randint(0, most))]
    bases = [RoundBase(point(), chance.choice((16, 32))) for _ in range(chance.randint(0, most))]
    return chance.choice((8, 16, 32)), [wall for wall in walls if wall.line[:2] != wall.line[2:]], bases


def _place(chance):
    return chance.randint(4 * 64, 16 * 64), chance.randint(4 * 64, 16 * 64)


def _free_place(chance, edges):
    while True:
        at = _place(chance)
        if all(to_segment(at, edge[:2], edge[2:4]) >= edge[4] for edge in edges):
            return at


def _base(chance):
    if chance.random() < 0.5:
        return RoundBase(_place(chance), chance.choice((16, 32, 64)))
    return SquareBase(_place(chance), chance.choice((16, 32)), chance.randrange(360))


def _points_of(base):
    if isinstance(base, RoundBase):
        angles = [math.pi * k / 2000 for k in range(4000)]
        (x, y), r = base.at, base.radius
        return [(x + r * math.cos(a), y + r * math.sin(a)) for a in angles]
    sides = [(k / 500, edge) for k in range(501) for edge in base.edges]
    return [(x1 + t * (x2 - x1), y1 + t * (y2 - y1)) for t, (x1, y1, x2, y2) in sides]


def _is_legal(legs, cost, edges):
    """Return whether a path's parts join, are as long as it says, and keep clear of all obstacles."""
    trail = []
    for leg in legs:
        count = int(leg.length / 6) + 2
        if leg.center is None:
            (x1, y1), (x2, y2) = leg.start, leg.end
            trail += [(x1 + (x2 - x1) * k / count, y1 + (y2 - y1) * k / count) for k in range(count + 1)]
        else:
            trail += _points_of_arc(leg, count)
    is_long = abs(sum(math.dist(a, b) for a, b in pairwise(trail)) - cost) < 1
    return is_long and all(to_segment(p, e[:2], e[2:4]) >= e[4] - 1e-3 for p in trail for e in edges)


def _points_of_arc(leg, count):
    (x, y), radius = leg.center, math.dist(leg.center, leg.start)
    first = math.atan2(leg.start[1] - y, leg.start[0] - x)
    turn = leg.length / radius * (1 if leg.is_clockwise else -1)
    angles = [first + turn * k / (4 * count) for k in range(4 * count + 1)]
    return [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles]


def _is_reached(reach, place):
    return any(field.cost(place) is not None for field in reach)


def _is_clearly(reach, place, is_reached):
    """Return whether a place and all places around it are reached, or none of them is."""
    around = [(place[0] + dx, place[1] + dy) for dx in NEAR for dy in NEAR]
    return all(_is_reached(reach, at) is is_reached for at in around)


def _is_inside(rings, place):
    return any(_winds(ring, *place) for ring in rings)


def _winds(ring, x, y):
    """Return whether a ring goes around a point; raise AssertionError if it goes the wrong way."""
    turns = 0
    for i in range(0, len(ring), 2):
        (x1, y1), (x2, y2) = ring[i : i + 2], (*ring, *ring[:2])[i + 2 : i + 4]
        if (y1 <= y) != (y2 <= y) and x1 + (y - y1) / (y2 - y1) * (x2 - x1) > x:
            turns += 1 if y2 > y1 else -1
    assert turns >= 0, "a ring goes counterclockwise"
    return turns > 0
