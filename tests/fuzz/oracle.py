"""Sight the slow and plain way, one line a cell, in fractions: what the shadow raster is held against.

It shares no code with the engine but the values that describe a scene. Every blocker is asked for the
stretch of the line that lies on it (or inside it), as parameters from 0 at the eye to 1 at the cell.
"""

from fractions import Fraction

from enfilade.geometry.blockers import Blockers
from enfilade.geometry.bodies import Body
from enfilade.geometry.mask import Mask
from enfilade.geometry.walls import Wall


def visible_line_by_line(board, eye, blockers: Blockers, heights=(0, 0)) -> Mask:
    cells = [(x, y) for y in range(board.rows) for x in range(board.columns)]
    return Mask.of([c for c in cells if sees(eye, board.centre(c), blockers, heights)], board.rows)


def sees(eye, point, blockers: Blockers, heights=(0, 0)) -> bool:
    touching = blockers.touching
    limited = 0
    for wall in blockers.walls:
        wall = wall if isinstance(wall, Wall) else Wall(wall)
        if stops(wall, eye, point, heights, touching.wall == "blocks", blockers.proportions):
            if wall.sight != "limited":
                return False
            limited += 1
    if limited > 1:
        return False
    bodies = [box_as_body(box) for box in blockers.boxes] + list(blockers.bodies)
    others = [body for body in bodies if not inside(body, eye) and not inside(body, point)]
    if any(covers(body, eye, point, heights, touching.body == "blocks") for body in others):
        return False
    if touching.pinch == "blocks" and any(pinched(a, b, eye, point, heights) for a, b in pairs(others)):
        return False
    if touching.seam == "blocks" and any(between(a, b, eye, point, heights) for a, b in pairs(others)):
        return False
    return not any(between(body, body, eye, point, heights) for body in others)


def pairs(things):
    return [(a, b) for i, a in enumerate(things) for b in things[i + 1 :]]


def box_as_body(box):
    left, top, right, bottom = box
    return Body((((left, top), (right, top), (right, bottom), (left, bottom)),), ())


def turn(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def stretch_on_segment(a, b, p, q):
    """The parameters of the points of the line a-b that lie on the closed segment p-q; None if none."""
    if a == b:
        on = turn(p, q, a) == 0 and all(min(p[i], q[i]) <= a[i] <= max(p[i], q[i]) for i in (0, 1))
        return (Fraction(0), Fraction(1)) if on else None
    d1, d2 = turn(a, b, p), turn(a, b, q)
    if d1 == d2 == 0:
        axis = 0 if a[0] != b[0] else 1
        ends = sorted(Fraction(end[axis] - a[axis], b[axis] - a[axis]) for end in (p, q))
        low, high = max(ends[0], Fraction(0)), min(ends[1], Fraction(1))
        return (low, high) if low <= high else None
    if d1 * d2 > 0 or d1 == d2:
        return None
    s = Fraction(d1, d1 - d2)
    x, y = p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])
    axis = 0 if a[0] != b[0] else 1
    t = ((x, y)[axis] - a[axis]) / Fraction(b[axis] - a[axis])
    return (t, t) if 0 <= t <= 1 else None


def at_height(stretch, heights, thing, is_closed):
    """Whether the line is between the thing's bottom and top anywhere on a stretch."""
    h, t = heights
    ends = [h + s * (t - h) for s in stretch]
    low, high = min(ends), max(ends)
    top = float("inf") if thing.top is None else thing.top
    bottom = float("-inf") if thing.bottom is None else thing.bottom
    if bottom >= top and not is_closed:
        return False
    if is_closed:
        return low <= top and high >= bottom and bottom <= top
    if low == high:
        return bottom < low < top
    return low < top and high > bottom


def stops(wall, eye, point, heights, is_closed, proportions):
    if wall.sight == "none" or wall.is_open or not crosses_from_its_side(wall, eye, point):
        return False
    if wall.sight in ("proximity", "distance") and wall.threshold > 0:
        apart = square_distance(eye, wall.line[:2], wall.line[2:], proportions)
        limit = wall.threshold**2 * min(proportions)
        if (apart < limit) if wall.sight == "proximity" else (apart > limit):
            return False
    p, q = wall.line[:2], wall.line[2:]
    stretch = stretch_on_segment(eye, point, p, q)
    if stretch is None or not at_height(stretch, heights, wall, True):
        return False
    if is_closed:
        return True
    d1, d2, d3, d4 = turn(eye, point, p), turn(eye, point, q), turn(p, q, eye), turn(p, q, point)
    return d1 * d2 < 0 and d3 * d4 < 0


def crosses_from_its_side(wall, eye, point):
    p, q = wall.line[:2], wall.line[2:]
    to_the_right = turn(p, q, point) - turn(p, q, eye)
    return {"both": True, "left": to_the_right > 0, "right": to_the_right < 0}[wall.one_way]


def square_distance(point, p, q, proportions):
    def norm(x, y):
        return proportions[0] * x * x + proportions[1] * y * y

    steps = [Fraction(0), Fraction(1)]
    vx, vy = q[0] - p[0], q[1] - p[1]
    if (vx, vy) != (0, 0):
        dot = proportions[0] * vx * (point[0] - p[0]) + proportions[1] * vy * (point[1] - p[1])
        foot = Fraction(dot, norm(vx, vy))
        steps += [foot] if 0 <= foot <= 1 else []
    return min(norm(point[0] - p[0] - s * vx, point[1] - p[1] - s * vy) for s in steps)


def edges(part):
    return list(zip(part, part[1:] + part[:1], strict=True))


def inside(body, point):
    if any(all(turn(p, q, point) > 0 for p, q in edges(part)) for part in body.parts):
        return True
    shared = [stretch_on_segment(point, point, p, q) for a in body.parts for p, q in edges(a) if (q, p) in
              [edge for other in body.parts for edge in edges(other)]]
    return any(stretch is not None for stretch in shared)


def covers(body, eye, point, heights, is_closed):
    return any(covers_part(part, body, eye, point, heights, is_closed) for part in body.parts)


def covers_part(part, body, eye, point, heights, is_closed):
    """Split the way at every edge's line; a piece, or its end, is inside or outside as a whole."""
    cuts = {Fraction(0), Fraction(1)}
    for p, q in edges(part):
        d1, d2 = turn(p, q, eye), turn(p, q, point)
        if d1 != d2 and 0 <= (s := Fraction(d1, d1 - d2)) <= 1:
            cuts.add(s)
    cuts = sorted(cuts)
    stretches = list(zip(cuts, cuts[1:], strict=False))
    if is_closed:
        stretches += [(s, s) for s in cuts]
    for stretch in stretches:
        s = (stretch[0] + stretch[1]) / 2
        middle = (eye[0] + s * (point[0] - eye[0]), eye[1] + s * (point[1] - eye[1]))
        sides = [turn(p, q, middle) for p, q in edges(part)]
        is_in = all(side >= 0 for side in sides) if is_closed else all(side > 0 for side in sides)
        if is_in and at_height(stretch, heights, body, is_closed):
            return True
    return False


class Both:
    def __init__(self, a, b):
        self.bottom = max((x.bottom for x in (a, b) if x.bottom is not None), default=None)
        self.top = min((x.top for x in (a, b) if x.top is not None), default=None)


def pinched(a, b, eye, point, heights):
    for one in (part for part in a.parts if len(part) == 4):
        for other in (part for part in b.parts if len(part) == 4):
            for i in range(4):
                corner = one[i]
                stretch = stretch_on_segment(eye, point, corner, corner)
                if corner == other[i - 2] and stretch and at_height(stretch, heights, Both(a, b), True):
                    return True
    return False


def between(a, b, eye, point, heights):
    """Whether the line runs along a stretch of edge that two bodies (or one body's parts) share."""
    for p, q in (edge for part in a.parts for edge in edges(part)):
        for r, s in (edge for part in b.parts for edge in edges(part)):
            if (p, q) == (r, s) or turn(p, q, r) or turn(p, q, s):
                continue
            if (q[0] - p[0]) * (s[0] - r[0]) + (q[1] - p[1]) * (s[1] - r[1]) > 0:
                continue
            low, high = max(min(p, q), min(r, s)), min(max(p, q), max(r, s))
            if low < high and eye != point and turn(eye, point, low) == turn(eye, point, high) == 0:
                stretch = stretch_on_segment(eye, point, low, high)
                if stretch and stretch[0] < stretch[1] and at_height(stretch, heights, Both(a, b), False):
                    return True
    return False
