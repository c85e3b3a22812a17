"""Positions: the map and the bases on it, with what depends on nothing else.

Most events of a battle move no one. So distances, clear lines and reaches are kept for positions, which scene
after scene shares. All lengths are in 64ths of an inch.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple, TypeVar

from enfilade.geometry.board.base import CELL, Cell, Point, Segment
from enfilade.geometry.board.shapes import Wall as GeometryWall
from enfilade.geometry.movement.gridless import CLOSE, GridlessField, distance_to
from enfilade.geometry.movement.round_bases import RoundBase, gap
from enfilade.rules.battle.memo import per_crowd, per_map
from enfilade.rulesets.miniatures_combat.inches import Scale, Size, scale_of
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Terrain, Wall

COVER = "cover"
"""The kind of terrain that gives cover to adjacent models (MNC-021)."""

Box = Segment

T = TypeVar("T")
Bounded = tuple[T, Segment, int, int, int, int]
"""A thing with its line, and the least and the most x, and the least and the most y of that."""

Spot = tuple[Point, int]
"""The center of a base, and the distance from it at which the center of another base is in contact."""

WALL = "the wall"
"""What stands for a wall on a line between two bases."""


class TokenPosition(NamedTuple):
    """A token on the board: its place, its size in cells, and whether it takes part in the fight."""

    id: str
    at: Cell
    size: Size
    is_fighting: bool


class InchTerrain:
    """The terrain of a map in inches."""

    def __init__(self, terrain: tuple[Terrain, ...], scale: Scale) -> None:
        self._terrain, self._scale = terrain, scale

    @lazy
    def closed(self) -> list[Box]:
        """The boxes of terrain that stops movement."""
        return list(self._boxes(patch for patch in self._terrain if patch.cost == 0))

    @lazy
    def cover(self) -> list[Box]:
        """The boxes of covering terrain (MNC-021)."""
        return list(self._boxes(patch for patch in self._terrain if patch.kind == COVER))

    @lazy
    def _patches(self) -> dict[Cell, list[Terrain]]:
        found: dict[Cell, list[Terrain]] = {}
        for patch in self._terrain:
            for cell in patch.cells:
                checkpoint()
                found.setdefault(cell, []).append(patch)
        return found

    def under(self, base: RoundBase) -> Collection[Terrain]:
        """Return the terrain in the cell under the center of a base."""
        x, y = self._scale.on_map(base.at)
        return self._patches.get((x // CELL, y // CELL), ())

    def covers(self, base: RoundBase) -> bool:
        """Return whether a base touches covering terrain (MNC-021)."""
        return any(_distance_to_box(base.at, box) <= base.radius for box in self.cover)

    def blocker(self, line: Segment) -> Terrain | None:
        """Return the first terrain listed that a line of sight enters or touches, and that blocks it."""
        for patch in self._terrain:
            if patch.blocks_sight and any(_meets(line, box) for box in self._boxes([patch])):
                return patch
        return None

    def _boxes(self, patches: Iterable[Terrain]) -> Iterator[Box]:
        return (self._scale.box(cell) for patch in patches for cell in patch.cells)


class BattleMap:
    """The walls and terrain of a map in inches."""

    def __init__(self, walls: tuple[Wall, ...], terrain: InchTerrain, scale: Scale) -> None:
        self.terrain, self.scale, self.board = terrain, scale, scale.board
        self._walls = walls

    @lazy
    def barriers(self) -> tuple[GeometryWall, ...]:
        """The walls that stop movement."""
        walls = []
        for wall in self._walls:
            checkpoint()
            if wall.move != "none" and not wall.is_open:
                walls.append(GeometryWall(line=self.scale.line(wall.line)))
        return tuple(walls)

    @lazy
    def walls(self) -> tuple[GeometryWall, ...]:
        """The walls and closed terrain that stop movement."""
        boxes = self.terrain.closed
        return (*self.barriers, *(GeometryWall(line=line) for box in boxes for line in _sides(box)))

    def blocker(self, start: Point, end: Point) -> Wall | Terrain | None:
        """Return the first wall or terrain listed that blocks the line of sight between two points."""
        line = (*start, *end)
        for wall in crossed(line, self._opaque):
            return wall
        return self.terrain.blocker(line)

    @lazy
    def _opaque(self) -> list[Bounded[Wall]]:
        walls = [wall for wall in self._walls if wall.sight != "none" and not wall.is_open]
        return [bounded(wall, self.scale.line(wall.line)) for wall in walls]

    @lazy
    def solid(self) -> list[Bounded[GeometryWall]]:
        """The walls and closed terrain that stop movement, each within its bounds."""
        return [bounded(wall, wall.line) for wall in self.walls]


class Positions:
    """The bases on a map, and the distances and lines between them."""

    def __init__(self, battle_map: BattleMap, tokens: Collection[TokenPosition]) -> None:
        self.map, self.scale = battle_map, battle_map.scale
        self.bodies = {one.id: self.scale.base(one.size, one.at) for one in tokens}
        """The bases of all tokens on the board, also of those that lie helpless, by ID."""
        self.bases = {one.id: self.bodies[one.id] for one in tokens if one.is_fighting}
        """The bases of the models that take part in the fight, by ID."""
        self.lunges: dict[tuple[str, str, int], Cell | None] = {}
        """Where lunges end that were asked for, by model, target and reach of the weapon."""
        self._gaps: dict[str, dict[str, int]] = {}
        self._lines: dict[tuple[str, str], str | None] = {}
        self._fields: dict[tuple[str, int, tuple[str, ...]], GridlessField] = {}

    def gaps(self, key: str) -> dict[str, int]:
        """Return the distances from base to base from a model that fights to all, by ID; 0 in contact."""
        found = self._gaps.get(key)
        if found is None:
            base = self.bases[key]
            found = self._gaps[key] = {other: self.gap(base, one) for other, one in self.bases.items()}
        return found

    def pairs_within(self, distance: int) -> Iterator[tuple[str, str]]:
        """Yield the pairs of models that fight and may be at most so far apart, without a look at all pairs.

        None is farther apart than that across or down the board.
        """
        spans = [
            (x - one.radius, x + one.radius, y, one.radius, key)
            for key, one in self.bases.items()
            for x, y in [one.at]
        ]
        ordered = sorted(spans)
        for number, (_, right, y, radius, key) in enumerate(ordered, 1):
            checkpoint()
            for left, _, other_y, other_radius, other in islice(ordered, number, None):
                if left > right + distance:
                    break
                if abs(other_y - y) <= distance + radius + other_radius:
                    yield key, other

    def gap(self, a: RoundBase, b: RoundBase) -> int:
        """Return the distance from base to base; 0 in contact."""
        checkpoint()
        apart = gap(a, b)
        return 0 if apart <= self.scale.slack else apart

    def has_clear_line(self, a: str, b: str) -> bool:
        """Return whether no base and no wall is on the line from center to center (MNC-064)."""
        return self.line_blocker(a, b) is None

    def line_blocker(self, a: str, b: str) -> str | None:
        """Return what is on the line from center to center: `WALL`, or a base's ID; None if it is clear."""
        if (a, b) not in self._lines:
            line = (*self.bases[a].at, *self.bases[b].at)
            is_walled = any(True for _ in crossed(line, self.map.solid))
            self._lines[a, b] = WALL if is_walled else self.base_on_line(line, (a, b))
        return self._lines[a, b]

    def base_on_line(self, line: Segment, ignored: Collection[str]) -> str | None:
        """Return the first base that a line crosses, but for some; None if it crosses none."""
        for key, base in self.bases.items():
            checkpoint()
            if key not in ignored and distance_to(*base.at, *line) < base.radius - CLOSE:
                return key
        return None

    def is_on_board(self, at: Point, radius: int) -> bool:
        """Return whether a whole base with this center is on the board."""
        (x, y), board = at, self.map.board
        return radius <= x <= board.width - radius and radius <= y <= board.height - radius

    def others_within(self, key: str, distance: int) -> list[Spot]:
        """Return where the others are that a token could overlap after a move of at most a distance."""
        checkpoint()
        mover = self.bodies[key]
        far, radius = distance + mover.radius, mover.radius - self.scale.slack // 2
        return [
            (one.at, radius + one.radius)
            for other, one in self.bodies.items()
            if math.dist(mover.at, one.at) < far + one.radius and other != key
        ]

    def overlapping(self, at: Point, radius: int, bodies: Mapping[str, RoundBase]) -> list[str]:
        """Return the tokens whose bases a base with this center overlaps; contact is no overlap."""
        checkpoint()
        radius -= self.scale.slack // 2
        return [key for key, other in bodies.items() if math.dist(at, other.at) < radius + other.radius]

    def field(self, key: str, budget: int, obstacles: tuple[str, ...]) -> GridlessField:
        """Return the reach of a model within a budget among the bases of some others; cached."""
        known = self._fields.get((key, budget, obstacles))
        if known is None:
            known = GridlessField(
                self.map.board, self.bases[key], budget, self.map.walls, self.grown(obstacles)
            )
            self._fields[key, budget, obstacles] = known
        return known

    def grown(self, obstacles: Iterable[str]) -> list[RoundBase]:
        """Return the bases of models that stop a move, smaller by what rounding may take from the way."""
        bases = [self.bases[key] for key in obstacles]
        if not self.scale.slack:
            return bases
        return [RoundBase(base.at, base.radius - self.scale.slack // 2) for base in bases]


def positions(scene: Scene, tokens: tuple[TokenPosition, ...]) -> Positions:
    """Return the positions of the tokens of a scene that are on the board; cached."""
    scale = scale_of(scene.grid)
    return _positions(_battle_map(scene.walls, _terrain(scene.terrain, scale), scale), tokens)


@per_map
def _terrain(terrain: tuple[Terrain, ...], scale: Scale) -> InchTerrain:
    return InchTerrain(terrain, scale)


@per_map
def _battle_map(walls: tuple[Wall, ...], terrain: InchTerrain, scale: Scale) -> BattleMap:
    return BattleMap(walls, terrain, scale)


@per_crowd
def _positions(battle_map: BattleMap, tokens: tuple[TokenPosition, ...]) -> Positions:
    return Positions(battle_map, tokens)


def is_free_of(others: Iterable[Spot], center: Point) -> bool:
    """Return whether a base with this center overlaps none of some others; contact is no overlap."""
    checkpoint()
    near = [at for at, contact in others if math.dist(center, at) < contact]
    return not near


# Lines and boxes


def bounded(thing: T, line: Segment) -> Bounded[T]:
    """Return a thing with its line, and the least and the most of both coordinates of that."""
    ax, ay, bx, by = line
    return thing, line, min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)


def crossed(line: Segment, things: Iterable[Bounded[T]]) -> Iterator[T]:
    """Yield the things whose lines a line meets, in order. Most are far from it."""
    checkpoint()
    ax, ay, bx, by = line
    left, right, top, bottom = min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)
    for thing, other, first, last, upper, lower in things:
        if last < left or first > right or lower < top or upper > bottom:
            continue
        checkpoint()
        if _crosses(line, other):
            yield thing


def _turn(a: Point, b: Point, c: Point) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _crosses(line: Segment, other: Segment) -> bool:
    """Return whether two segments meet; two that lie on one line do not."""
    ax, ay, bx, by = line
    cx, cy, dx, dy = other
    a, b, c, d = (ax, ay), (bx, by), (cx, cy), (dx, dy)
    first, second, third, fourth = _turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)
    if first == second == 0:
        return False
    return _is_between_signs(first, second) and _is_between_signs(third, fourth)


def _is_between_signs(a: int, b: int) -> bool:
    return min(a, b) <= 0 <= max(a, b)


def _sides(box: Box) -> tuple[Segment, ...]:
    left, top, right, bottom = box
    return (
        (left, top, right, top),
        (right, top, right, bottom),
        (right, bottom, left, bottom),
        (left, bottom, left, top),
    )


def _meets(line: Segment, box: Box) -> bool:
    """Return whether a segment enters a box or touches its edge."""
    ax, ay, bx, by = line
    left, top, right, bottom = box
    if max(ax, bx) < left or min(ax, bx) > right or max(ay, by) < top or min(ay, by) > bottom:
        return False
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    turns = [_turn((ax, ay), (bx, by), corner) for corner in corners]
    return _is_between_signs(min(turns), max(turns))


def _distance_to_box(point: Point, box: Box) -> float:
    left, top, right, bottom = box
    x, y = point
    return math.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom))
