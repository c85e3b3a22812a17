"""Where bodies meet: two boxes at their corners, two shapes along an edge, the parts of one body."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from enfilade.geometry.blockers import Block, Body, Touching
from enfilade.geometry.edges import shared_edges
from enfilade.geometry.units import Point, Segment
from enfilade.geometry.walls import Wall


@dataclass(frozen=True, slots=True)
class Joints:
    """Points that no line passes and seams that no line runs along, as walls as high as the bodies."""

    pinches: tuple[Wall, ...] = ()
    seams: tuple[Seam, ...] = ()


class Seam(NamedTuple):
    """A seam, and the cells of the bodies it joins: from those nothing is hidden by it."""

    wall: Wall
    own: tuple[Block, ...]


def joints(bodies: Sequence[Body], touching: Touching) -> Joints:
    """The joints of some bodies that stop lines by the touching rule, and the seams within each of them."""
    pinches = _pinches(bodies) if touching.pinch == "blocks" else ()
    seams = [_seam(seam, body, body) for body in bodies for seam in body.seams]
    if touching.seam == "blocks":
        seams += _seams_between(bodies)
    return Joints(tuple(pinches), tuple(seams))


def _pinches(bodies: Sequence[Body]) -> Iterator[Wall]:
    """The points where the boxes of two bodies meet at a corner and nowhere else."""
    at: list[dict[Point, list[Body]]] = [{}, {}, {}, {}]
    for body in bodies:
        for part in body.parts:
            if len(part) == 4:
                for corner, point in enumerate(part):
                    at[corner].setdefault(point, []).append(body)
    for ones, others in ((at[2], at[0]), (at[3], at[1])):
        for point in sorted(ones.keys() & others.keys()):
            for a, b in product(ones[point], others[point]):
                yield _joint(point + point, a, b)


def _seams_between(bodies: Sequence[Body]) -> Iterator[Seam]:
    parts = [(part, body) for body in bodies for part in body.parts]
    for seam, i, j in shared_edges([part for part, _ in parts]):
        if parts[i][1] is not parts[j][1]:
            yield _seam(seam, parts[i][1], parts[j][1])


def _seam(line: Segment, a: Body, b: Body) -> Seam:
    return Seam(_joint(line, a, b), a.cells + b.cells)


def _joint(line: Segment, a: Body, b: Body) -> Wall:
    """It is as high as both bodies are."""
    bottoms = [body.bottom for body in (a, b) if body.bottom is not None]
    tops = [body.top for body in (a, b) if body.top is not None]
    return Wall(line, bottom=max(bottoms, default=None), top=min(tops, default=None))
