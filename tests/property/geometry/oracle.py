"""Sight by a slow and plain method, one line per cell, in fractions: the oracle of the engines.

It shares only the values of a scene with the engines. For every blocker it finds the stretch of the line on
it (or inside it), from 0 at the eye to 1 at the point.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise

from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.shapes import Wall
from enfilade.geometry.sight.blockers import Blockers

ZERO, ONE = Fraction(0), Fraction(1)


class Body:
    """A body's parts and heights, and the edges that two of its parts share."""

    def __init__(self, parts, bottom=None, top=None):
        self.parts, self.bottom, self.top = parts, bottom, top
        self.seams = [joint.line for a, b in combinations(parts, 2) for joint in shared(a, b, self, self)]

    def contains(self, point):
        if any(all(turn(p, q, point) > 0 for p, q in edges(part)) for part in self.parts):
            return True
        return any(is_on(point, *line) for line in self.seams)


class Joint:
    """A point or a stretch of edge where two bodies, or two parts of one, meet."""

    def __init__(self, line, a, b):
        self.line, self.bodies = line, (a, b)
        self.bottom = max((x.bottom for x in (a, b) if x.bottom is not None), default=None)
        self.top = min((x.top for x in (a, b) if x.top is not None), default=None)


def turn(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def is_on(point, p, q):
    level = all(min(p[i], q[i]) <= point[i] <= max(p[i], q[i]) for i in (0, 1))
    return level and turn(p, q, point) == 0


def edges(part):
    return list(zip(part, part[1:] + part[:1], strict=True))


def shared(a, b, body, other):
    """Yield the stretches along which the edges of two parts touch, as joints."""
    for p, q in edges(a):
        for r, s in edges(b):
            is_opposite = (q[0] - p[0]) * (s[0] - r[0]) + (q[1] - p[1]) * (s[1] - r[1]) < 0
            if is_opposite and turn(p, q, r) == turn(p, q, s) == 0:
                low, high = max(min(p, q), min(r, s)), min(max(p, q), max(r, s))
                if low < high:
                    yield Joint((low, high), body, other)


def stretch_on(a, b, p, q):
    """Return the stretch of the line a-b on the closed segment p-q, or None."""
    if a == b:
        return (ZERO, ONE) if is_on(a, p, q) else None
    at_p, at_q = turn(a, b, p), turn(a, b, q)
    axis = 0 if a[0] != b[0] else 1
    if at_p == at_q == 0:
        low, high = sorted(Fraction(end[axis] - a[axis], b[axis] - a[axis]) for end in (p, q))
        low, high = max(low, ZERO), min(high, ONE)
        return (low, high) if low <= high else None
    if at_p * at_q > 0:
        return None
    part = Fraction(at_p, at_p - at_q)
    crossing = p[axis] + part * (q[axis] - p[axis])
    fraction = (crossing - a[axis]) / (b[axis] - a[axis])
    return (fraction, fraction) if 0 <= fraction <= 1 else None


def is_at_height(stretch, heights, thing, is_closed):
    """Return whether the line is between a bottom and a top anywhere on a stretch."""
    if thing.bottom is None and thing.top is None:
        return True
    top = float("inf") if thing.top is None else thing.top
    bottom = float("-inf") if thing.bottom is None else thing.bottom
    low, high = sorted(heights[0] + fraction * (heights[1] - heights[0]) for fraction in stretch)
    if is_closed:
        return bottom <= top and low <= top and high >= bottom
    return bottom < top and (bottom < low < top if low == high else low < top and high > bottom)


def square_distance(point, p, q, proportions):
    def norm(x, y):
        return proportions[0] * x * x + proportions[1] * y * y

    fractions = [ZERO, ONE]
    vx, vy = q[0] - p[0], q[1] - p[1]
    if (vx, vy) != (0, 0):
        dot = proportions[0] * vx * (point[0] - p[0]) + proportions[1] * vy * (point[1] - p[1])
        foot = Fraction(dot, norm(vx, vy))
        fractions += [foot] if 0 <= foot <= 1 else []
    return min(
        norm(point[0] - p[0] - fraction * vx, point[1] - p[1] - fraction * vy) for fraction in fractions
    )


class Oracle:
    """A scene, ready for queries about any line from one eye."""

    def __init__(self, eye, blockers: Blockers, heights=(0, 0)):
        self.eye, self.heights, self.touch_rule = eye, heights, blockers.touch_rule
        walls = [wall if isinstance(wall, Wall) else Wall(wall) for wall in blockers.walls]
        self.walls = [wall for wall in walls if self.is_opaque(wall, blockers.proportions)]
        squares = [Body((((x, y), (z, y), (z, w), (x, w)),)) for x, y, z, w in blockers.boxes]
        bodies = squares + [Body(body.parts, body.bottom, body.top) for body in blockers.bodies]
        self.bodies = [body for body in bodies if not body.contains(eye)]
        self.corner_joints = list(self.find_corner_joints()) if self.touch_rule.corner == "blocks" else []
        self.seams = [Joint(line, body, body) for body in self.bodies for line in body.seams]
        if self.touch_rule.edge == "blocks":
            for one, other in combinations(self.bodies, 2):
                self.seams += [s for a in one.parts for b in other.parts for s in shared(a, b, one, other)]

    def is_opaque(self, wall, proportions):
        if wall.sight == "none" or wall.is_open:
            return False
        if wall.sight in ("proximity", "distance") and wall.threshold > 0:
            apart = square_distance(self.eye, wall.line[:2], wall.line[2:], proportions)
            limit = wall.threshold**2 * min(proportions)
            return not (apart < limit if wall.sight == "proximity" else apart > limit)
        return True

    def find_corner_joints(self):
        for one, other in combinations(self.bodies, 2):
            for a in (part for part in one.parts if len(part) == 4):
                for b in (part for part in other.parts if len(part) == 4):
                    for i in range(4):
                        if a[i] == b[i - 2]:
                            yield Joint((a[i], a[i]), one, other)

    def sees(self, point) -> bool:
        return not self.walls_stop(point) and not self.bodies_stop(point)

    def walls_stop(self, point) -> bool:
        limited = 0
        for wall in self.walls:
            if self.meets_wall(wall, point):
                limited += wall.sight == "limited"
                if limited > 1 or wall.sight != "limited":
                    return True
        return False

    def meets_wall(self, wall, point):
        p, q = wall.line[:2], wall.line[2:]
        if wall.one_way != "both":
            to_the_right = turn(p, q, point) - turn(p, q, self.eye)
            if to_the_right <= 0 if wall.one_way == "left" else to_the_right >= 0:
                return False
        stretch = stretch_on(self.eye, point, p, q)
        if stretch is None or not is_at_height(stretch, self.heights, wall, True):
            return False
        if self.touch_rule.wall == "blocks":
            return True
        sides = turn(self.eye, point, p) * turn(self.eye, point, q)
        return sides < 0 and turn(p, q, self.eye) * turn(p, q, point) < 0

    def bodies_stop(self, point) -> bool:
        holding = {id(body) for body in self.bodies if body.contains(point)}
        others = [body for body in self.bodies if id(body) not in holding]
        if any(self.meets_part(part, body, point) for body in others for part in body.parts):
            return True
        for joint in self.corner_joints + self.seams:
            if turn(self.eye, point, joint.line[0]) or turn(self.eye, point, joint.line[1]):
                continue
            is_corner = joint.line[0] == joint.line[1]
            stretch = stretch_on(self.eye, point, *joint.line)
            if stretch is None or not is_at_height(stretch, self.heights, joint, is_corner):
                continue
            is_met = is_corner or (self.eye != point and stretch[0] < stretch[1])
            if is_met and not any(id(body) in holding for body in joint.bodies):
                return True
        return False

    def meets_part(self, part, body, point) -> bool:
        """Split the line at every edge's line; each piece, or its end, is wholly inside or outside."""
        sides = [turn(self.eye, point, corner) for corner in part]
        if min(sides) > 0 or max(sides) < 0:
            return False
        is_closed, cuts = self.touch_rule.body == "blocks", {ZERO, ONE}
        for p, q in edges(part):
            here, there = turn(p, q, self.eye), turn(p, q, point)
            if here < 0 and there < 0:
                return False
            if here != there and 0 <= (fraction := Fraction(here, here - there)) <= 1:
                cuts.add(fraction)
        ordered = sorted(cuts)
        stretches = [*pairwise(ordered), *((fraction, fraction) for fraction in ordered if is_closed)]
        return any(self.is_inside(part, body, point, stretch, is_closed) for stretch in stretches)

    def is_inside(self, part, body, point, stretch, is_closed):
        fraction = (stretch[0] + stretch[1]) / 2
        n, x, y = fraction.denominator, *(fraction.numerator * (point[i] - self.eye[i]) for i in (0, 1))
        inside = 0 if is_closed else 1
        for p, q in edges(part):
            off = (q[0] - p[0]) * (n * (self.eye[1] - p[1]) + y) - (q[1] - p[1]) * (
                n * (self.eye[0] - p[0]) + x
            )
            if off < inside:
                return False
        return is_at_height(stretch, self.heights, body, is_closed)


def visible_line_by_line(board, eye, blockers: Blockers, heights=(0, 0)) -> Mask:
    cells = [(x, y) for y in range(board.rows) for x in range(board.columns)]
    return Mask.of([c for c in cells if sees(eye, board.center(c), blockers, heights)], board.rows)


def sees(eye, point, blockers: Blockers, heights=(0, 0)) -> bool:
    """Tell whether a point sees another, or itself: a wall that it stands on does not hide it."""
    walls = () if eye == point else blockers.walls
    return Oracle(eye, replace(blockers, walls=walls), heights).sees(point)
