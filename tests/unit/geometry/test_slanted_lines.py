"""Lines between different heights: in the kernel and in Python they stop at the same places."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from enfilade.geometry.board.predicates import misses
from enfilade.geometry.board.shapes import Wall, box_body
from enfilade.geometry.board.square import box
from enfilade.geometry.kernel import python_sight, sight
from enfilade.geometry.sight.blockers import Blockers, TouchRule


def point(chance):
    """Return a point that often is on a corner or a line of others."""
    return tuple(64 * chance.randrange(9) + chance.choice([0, 0, 32, 7]) for _ in range(2))


def heights(chance):
    """Return a bottom and a top, or neither."""
    bottom, top = chance.choice([None, 0, 16, 32]), chance.choice([None, 32, 64, 100])
    return {"bottom": bottom, "top": top} if chance.randrange(2) else {}


def blockers(chance):
    sides, rules = ["both", "both", "left", "right"], ["blocks", "passes"]
    walls = [
        Wall(
            (*point(chance), *point(chance)),
            sight=chance.choice(["normal", "normal", "normal", "limited"]),
            one_way=chance.choice(sides),
            **heights(chance),
        )
        for _ in range(chance.randrange(12))
    ]
    cells = [(chance.randrange(8), chance.randrange(8)) for _ in range(chance.randrange(5))]
    cells += [
        (x + 1, y + chance.choice([-1, 0, 1])) for x, y in cells[:2]
    ]  # these meet at a corner or an edge
    bodies = [box_body(box(cell), **heights(chance)) for cell in cells]
    rule = TouchRule(*[chance.choice(rules) for _ in range(4)])
    return Blockers(walls, bodies=bodies, touch_rule=rule)


def parts(hits):
    return [None if hit is None else Fraction(hit.over, hit.under) for hit in hits]


@pytest.mark.parametrize("first", range(0, 600, 100))
def test_both_engines_stop_slanted_lines_at_the_same_places(first):
    for seed in range(first, first + 100):
        chance = random.Random(seed)
        some, levels = blockers(chance), (chance.choice([0, 32, 64]), chance.choice([0, 32, 100]))
        start, ends = point(chance), [point(chance) for _ in range(6)]
        found = sight.first_hits(start, ends, some, levels)
        assert parts(found) == parts(python_sight.first_hits(start, ends, some, levels)), seed
        starts = [start, point(chance)]
        covered = sight.blocked_lines(starts, [ends], some, levels)
        assert covered == python_sight.blocked_lines(starts, [ends], some, levels), seed


def test_walls_between_two_points_are_all_that_may_meet_their_line():
    for seed in range(300):
        chance = random.Random(seed)
        some, a, b = blockers(chance), point(chance), point(chance)
        low, high = min(a[0], b[0]), max(a[0], b[0])
        near = [
            (number, wall)
            for number, wall in some.walls_before(a)
            if max(wall.line[0], wall.line[2]) >= low and min(wall.line[0], wall.line[2]) <= high
        ]
        found = list(some.walls_between(a, b))
        assert [one for one in found if one in near] == near
        assert all(one in list(some.walls_before(a)) for one in found)


def test_the_bodies_near_a_line_are_in_order_and_miss_none_that_it_meets():
    chance = random.Random(5)
    for _ in range(40):
        corners = [(chance.randrange(900), chance.randrange(900)) for _ in range(30)]
        boxes = [(x, y, x + chance.randrange(1, 200), y + chance.randrange(1, 200)) for x, y in corners]
        blockers = Blockers(boxes=boxes)
        a, b = [(chance.randrange(1_100), chance.randrange(1_100)) for _ in range(2)]
        near = [number for number, _ in blockers.bodies_between(a, b)]
        bodies = enumerate(blockers.all_bodies)
        hit = {i for i, body in bodies if not all(misses(a, b, part, 0) for part in body.parts)}
        assert near == sorted(near)
        assert hit <= set(near)
        assert len(near) < len(boxes) or len(hit) > 3
