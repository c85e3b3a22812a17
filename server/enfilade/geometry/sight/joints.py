"""Where bodies meet: two boxes at their corners, two shapes along an edge, the parts of one body."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from enfilade.geometry.board.bodies import Body
from enfilade.geometry.board.edges import shared_edges
from enfilade.geometry.board.units import Point, Segment
from enfilade.geometry.board.walls import Wall
from enfilade.geometry.sight.touching import Touching


class Joint(NamedTuple):
    """A point that no line passes or a seam that no line runs along, as a wall as high as both bodies.

    `bodies` are the places of the one or two bodies among all; they hide nothing from or in themselves.
    """

    wall: Wall
    bodies: tuple[int, int]
    is_seam: bool


def joints_of(bodies: Sequence[Body], touching: Touching) -> Iterator[Joint]:
    """The joints of some bodies that stop lines by the touching rule, and the seams within each of them."""
    if touching.pinch == "blocks":
        yield from _pinches(bodies)
    if touching.seam == "blocks":
        yield from _seams_between(bodies)
    for number, body in enumerate(bodies):
        for seam in body.seams:
            yield _joint(bodies, seam, number, number, True)


def _pinches(bodies: Sequence[Body]) -> Iterator[Joint]:
    """The points where the boxes of two bodies meet at a corner and nowhere else."""
    at: list[dict[Point, list[int]]] = [{}, {}, {}, {}]
    for number, body in enumerate(bodies):
        for part in body.parts:
            if len(part) == 4:
                for corner, point in enumerate(part):
                    at[corner].setdefault(point, []).append(number)
    for ones, others in ((at[2], at[0]), (at[3], at[1])):
        for point in sorted(ones.keys() & others.keys()):
            for a, b in product(ones[point], others[point]):
                yield _joint(bodies, point + point, a, b, False)


def _seams_between(bodies: Sequence[Body]) -> Iterator[Joint]:
    parts = [(part, number) for number, body in enumerate(bodies) for part in body.parts]
    for seam, i, j in shared_edges([part for part, _ in parts]):
        if parts[i][1] != parts[j][1]:
            yield _joint(bodies, seam, parts[i][1], parts[j][1], True)


def _joint(bodies: Sequence[Body], line: Segment, a: int, b: int, is_seam: bool) -> Joint:
    bottoms = [body.bottom for body in (bodies[a], bodies[b]) if body.bottom is not None]
    tops = [body.top for body in (bodies[a], bodies[b]) if body.top is not None]
    wall = Wall(line, bottom=max(bottoms, default=None), top=min(tops, default=None))
    return Joint(wall, (a, b), is_seam)
