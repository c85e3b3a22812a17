"""Obstacles: what stands in the way of lines from corners to corners, and how many lines it blocks.

Lines go from one corner of the attacker's space to the corners of one part of the target's. The corner and
the part with the fewest blocked lines count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from operator import add
from typing import NamedTuple
from weakref import WeakValueDictionary

from enfilade.geometry.board.base import CELL, Cell, Corners, Point
from enfilade.geometry.board.shapes import Body
from enfilade.geometry.sight.blockers import CLOSED, Blockers, Heights
from enfilade.geometry.sight.cover import blocked_counts, lines_blocked
from enfilade.rules.battle.memo import Shelf, scene_weight
from enfilade.rules.battle.spaces import Spaces
from enfilade.rules.kit.board import board_on, cell_body, opaque_walls, wall_blockers
from enfilade.scene.model import Grid, Scene, Terrain, Token, Wall

QUARTERS = 4
"""Blocked lines are counted in quarters of the corners of a part, rounded up: hexes have six corners."""


class Covered(NamedTuple):
    """The obstacles of an attack: the blocked lines from the best corner, in quarters.

    walls: those that walls and terrain block. bodies: those that these or creatures block. `is_total`: walls
    and terrain block every line from every corner.
    """

    walls: int = 0
    bodies: int = 0
    is_total: bool = False


TOTAL = Covered(QUARTERS, QUARTERS, is_total=True)


class Obstacles(NamedTuple):
    """Blockers: walls and terrain alone, and these with the creatures that are in the way of attacks."""

    fixed: Blockers
    all: Blockers

    def covered(
        self,
        points: Corners,
        targets: Sequence[Sequence[Corners]],
        heights: Heights,
        centers: tuple[Point, Sequence[Point]] | None = None,
    ) -> list[Covered]:
        """Return what is between points of one height and the parts of each of some targets of another.

        With `centers`, those of the attacker and of each target, the line between two centers alone counts.
        Whether cover is total depends on all lines all the same.
        """
        parts = [part for target in targets for part in target]
        if self._is_plain and all(len(part) == QUARTERS for part in parts) and len(parts) == len(targets):
            found = _of_cells(lines_blocked(points, parts, self.all, heights))
        else:
            counted = iter(zip(self._blocked(points, parts, heights), map(len, parts), strict=True))
            found = [_least([*islice(counted, len(target))]) for target in targets]
        if centers is None:
            return found
        start, ends = centers
        lines = self._blocked((start,), [(end,) for end in ends], heights)
        return [
            one if one.is_total else Covered(QUARTERS * walls[0], QUARTERS * any_[0])
            for one, (walls, any_) in zip(found, lines, strict=True)
        ]

    @property
    def _is_plain(self) -> bool:
        """Return whether no terrain is in the way: of the blocked lines, those by walls count as such."""
        return not self.fixed.bodies

    def _blocked(
        self, points: Corners, targets: Sequence[Corners], heights: Heights
    ) -> list[tuple[list[int], list[int]]]:
        """Return for each target the lines from each point that walls and terrain block, and anything."""
        found = blocked_counts(points, targets, self.all, heights)
        if self._is_plain:
            return found
        if self.all is self.fixed:  # of the bodies, those of terrain count as walls
            return [(any_, any_) for _, any_ in found]
        fixed = blocked_counts(points, targets, self.fixed, heights)
        return [(walls, any_) for (_, walls), (_, any_) in zip(fixed, found, strict=True)]


def _of_cells(counts: Iterable[list[int]]) -> list[Covered]:
    """Return the same as `_least` for targets of one part with four corners: advice asks for thousands.

    Each count has the lines from each corner that walls block, and those that only bodies block, in turn.
    """
    found = []
    for count in counts:
        walls = count[0::2]
        by_all, by_walls = min(zip(map(add, walls, count[1::2]), walls, strict=True))
        # the walls of the best corner block all its lines only if those of each corner do
        found.append(TOTAL if by_walls == QUARTERS else Covered(by_walls, by_all))
    return found


def _least(parts: Sequence[tuple[tuple[list[int], list[int]], int]]) -> Covered:
    """Return the fewest blocked lines to any part of a target, and what walls block of them.

    A part has its lines from each corner that walls block, those that anything blocks, and their number.
    """
    if all(min(walls) == lines for (walls, _), lines in parts):
        return TOTAL
    by_all, by_walls = min(
        (_quarters(blocked, lines), _quarters(by_wall, lines))
        for (walls, any_), lines in parts
        for blocked, by_wall in zip(any_, walls, strict=True)
    )
    return Covered(by_walls, by_all)


def _quarters(blocked: int, lines: int) -> int:
    return -(-blocked * QUARTERS // lines)


Spot = tuple[Cell | None, tuple[int, int], int]
"""The place, the size and the elevation of a token: all that lines depend on."""


def spot_of(token: Token) -> Spot:
    """Return what lines from or to a token depend on."""
    return token.at, token.size, token.elevation


class Crossings:
    """The cover between a token at any place and others, in all scenes in which the same others stand.

    A body is never in the way of a line that ends in it, so the obstacles are those without the token. One
    answer asks for hundreds of places: their scenes share these crossings while it holds them.
    """

    def __init__(self, obstacles: Obstacles, *, by_centers: bool = False) -> None:
        self.obstacles, self._by_centers = obstacles, by_centers
        self._known: dict[tuple[Spot, Spot], Covered] = {}

    def ahead(self, spaces: Spaces, attacker: Token, targets: Iterable[Token]) -> None:
        """Work out the cover of some targets at once, before they are asked for one by one."""
        here, groups = spot_of(attacker), dict[int, list[Token]]()
        for one in targets:
            if (here, spot_of(one)) not in self._known:
                groups.setdefault(spaces.middle(one), []).append(one)
        for height, ones in groups.items():
            parts, heights = [spaces.parts(one) for one in ones], (spaces.middle(attacker), height)
            centers = (spaces.center(attacker), [*map(spaces.center, ones)]) if self._by_centers else None
            known = self.obstacles.covered(spaces.outer(attacker), parts, heights, centers)
            for one, found in zip(ones, known, strict=True):
                self._known[here, spot_of(one)] = found

    def covered(self, spaces: Spaces, attacker: Token, target: Token) -> Covered:
        """Return what is in the way of an attack."""
        key = spot_of(attacker), spot_of(target)
        if key not in self._known:
            self.ahead(spaces, attacker, (target,))
        return self._known[key]


class Fixed:
    """The walls and the terrain of a map that may be in the way of lines; all scenes on the map share it."""

    def __init__(self, scene: Scene) -> None:
        self.scene_parts = scene.walls, scene.terrain  # kept, so that no others get their identity
        self.walls: list[Wall] = opaque_walls(scene.walls)
        hiding = _hiding(scene.terrain, scene.grid)
        self.terrain = [patch for patch, _ in hiding]
        self._hiding = [body for _, body in hiding]
        self.blockers = wall_blockers(scene.walls, CLOSED).with_bodies((), self._hiding)
        self.seen, self.bodies, self.near_sides = Shelf(256), Shelf(512), Shelf(1_024)
        self.crossings: WeakValueDictionary[tuple[object, ...], Crossings] = WeakValueDictionary()

    def with_tokens(self, spaces: Spaces, solid: Sequence[Token]) -> Obstacles:
        """Return the obstacles of a scene on the map in which some tokens are in the way of attacks."""
        if not solid:
            return Obstacles(self.blockers, self.blockers)
        bodies = [*self._hiding, *[self._body(spaces, one) for one in solid]]
        return Obstacles(self.blockers, self.blockers.with_bodies((), bodies))

    def _body(self, spaces: Spaces, token: Token) -> Body:
        """Return a token as a body: it depends on the map and on the token's place alone."""
        key = spaces.large_hexes, token.at, token.size, token.elevation
        found: Body | None = self.bodies.recent.get(key)
        return found or self.bodies.add(key, lambda: spaces.body(token))


_fixed = Shelf(16)


def fixed_of(scene: Scene) -> Fixed:
    """Return the walls and terrain of a scene's map as obstacles."""
    key = (id(scene.walls), id(scene.terrain), scene.grid)
    found: Fixed | None = _fixed.recent.get(key)
    if found is None:
        found = _fixed.add(key, lambda: Fixed(scene), scene_weight(scene))
    return found


def _hiding(terrain: tuple[Terrain, ...], grid: Grid) -> list[tuple[Terrain, Body]]:
    """Return the terrain that blocks sight, each cell as a body up to its height; 0 is without an end."""
    board = board_on(grid)
    cells = [(patch, cell) for patch in terrain if patch.blocks_sight for cell in patch.cells]
    return [
        (patch, replace(cell_body(board, cell), top=_top(patch, grid)))
        for patch, cell in cells
        if cell in board
    ]


def _top(patch: Terrain, grid: Grid) -> int | None:
    return round(patch.height * CELL / grid.distance) if patch.height else None
