"""One token moves: an update of the display against a complete rebuild.

The display has the field of twelve points and the visible cells of eight tokens, and the visibility between
all tokens. Tokens of a side share a graph: enemies are closed and double the cost of leaving adjacent cells,
and a move may pass a friend but not end there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import cycle

from bench.geometry.scenes import SIZES, BenchScene, Token, scene
from bench.geometry.timing import Race, here
from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.footprint import ring
from enfilade.geometry.board.padded_grid import build_table, grid_of
from enfilade.geometry.board.shapes import box_body
from enfilade.geometry.board.square import box
from enfilade.geometry.movement.costs import TerrainCost
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.tracker import VisibilityTracker

SHOWN = range(8)
BUDGET = 12
STRIDE = 6


class Display:
    """The display of a scene, kept up to date while tokens move."""

    def __init__(self, scene_: BenchScene) -> None:
        self.scene, self.tokens = scene_, list(scene_.tokens)
        self._blockers = Blockers(scene_.walls)
        self.rebuild()

    def rebuild(self) -> None:
        """Rebuild everything except the effects of walls."""
        self.graphs = {side: MovementGraph(self.scene.board, self._terrain(side)) for side in (False, True)}
        self.fields = {number: self._field(number) for number in SHOWN}
        occupied = {number: box_body(box(t.at, t.size, t.size)) for number, t in enumerate(self.tokens)}
        self.tracker = VisibilityTracker(self.scene.board, self._blockers, occupied)
        self._update_masks()

    def move(self, number: int, at: Cell) -> None:
        """Move a token and update the display."""
        old = self.tokens[number]
        new = Token(at, old.size, old.is_enemy)
        self.tokens[number] = new
        cells = {*old.cells, *new.cells}
        cells |= ring(self.scene.board, old.cells) | ring(self.scene.board, new.cells)
        for side, graph in self.graphs.items():
            self.graphs[side] = graph.with_changes(self._changed(side, graph.terrain, cells), cells)
        for shown, field in self.fields.items():
            if shown == number or field.depends_on(cells):
                self.fields[shown] = self._field(shown)
        self.tracker.move(number, box_body(box(new.at, new.size, new.size)))
        self._update_masks()

    def _field(self, number: int) -> Field:
        token = self.tokens[number]
        return Field(self.graphs[token.is_enemy], token.at, BUDGET)

    def _update_masks(self) -> None:
        self.masks = {number: self.tracker.visible_cells(number) for number in SHOWN}

    def _terrain(self, side: bool) -> TerrainCost:
        friends = [cell for t in self.tokens if t.is_enemy == side for cell in t.cells]
        enemies = {cell for t in self.tokens if t.is_enemy != side for cell in t.cells}
        closed = (self.scene.pillars - set(friends)) | enemies  # a token may leave a pillar
        enter = build_table(self.scene.board, 1, [(self.scene.hard, 2), (closed, 0)])
        beside = self._beside(side).items()
        leave = build_table(self.scene.board, 1, [([cell], 1 << count) for cell, count in beside])
        return TerrainCost(enter, leave, self.scene.terrain.barred, no_end=friends)

    def _beside(self, side: bool) -> dict[Cell, int]:
        counts: dict[Cell, int] = {}
        for token in self.tokens:
            if token.is_enemy != side:
                for cell in ring(self.scene.board, token.cells):
                    counts[cell] = min(3, counts.get(cell, 0) + 1)
        return counts

    def _changed(self, side: bool, terrain: TerrainCost, cells: set[Cell]) -> TerrainCost:
        """Return the terrain of a side, updated in some cells."""
        enter, leave, grid = terrain.enter[:], terrain.leave[:], grid_of(self.scene.board)
        near = [t for t in self.tokens if t.is_enemy != side and _is_near(t, cells)]
        friends = [cell for t in self.tokens if t.is_enemy == side for cell in t.cells]
        closed = (self.scene.pillars - set(friends)).union(*(t.cells for t in near))
        rings = [ring(self.scene.board, t.cells) for t in near]
        for cell in cells:
            enter[grid.index(cell)] = 0 if cell in closed else 1 + (cell in self.scene.hard)
            leave[grid.index(cell)] = 1 << min(3, sum(cell in around for around in rings))
        return TerrainCost(enter, leave, terrain.barred, no_end=friends)


def _is_near(token: Token, cells: set[Cell]) -> bool:
    (x, y), size = token.at, token.size
    return any(x - 1 <= column <= x + size and y - 1 <= row <= y + size for column, row in cells)


def _moves(scene_: BenchScene) -> Callable[[Display], None]:
    """Return a function that moves the next of the first sixty tokens to a free cell at most six away."""
    turns = cycle(n for n, token in enumerate(scene_.tokens[:60]) if token.size == 1)
    chance = random.Random(11)

    def go(display: Display) -> None:
        number = next(turns)
        display.move(number, chance.choice(_free_near(display, display.tokens[number].at)))

    return go


def _free_near(display: Display, at: Cell) -> list[Cell]:
    taken = display.scene.pillars.union(*(token.cells for token in display.tokens))
    steps = range(-STRIDE, STRIDE + 1)
    near = [(at[0] + x, at[1] + y) for x in steps for y in steps]
    return [cell for cell in near if cell in display.scene.board and cell not in taken]


def races() -> Iterator[Race]:
    """Yield the update against the rebuild on each scene; first both must agree."""
    for scale in SIZES:
        display, go = Display(scene(scale)), _moves(scene(scale))
        _agree(display, go)
        runners = {"update": here(lambda d=display, g=go: g(d)), "rebuild": here(display.rebuild)}  # type: ignore[misc]
        yield Race("one_move", scale, runners, rival="rebuild")


def _agree(display: Display, go: Callable[[Display], None]) -> None:
    for _ in range(12):
        go(display)
    updated = {n: field.costs for n, field in display.fields.items()}, display.masks
    display.rebuild()
    assert updated == ({n: field.costs for n, field in display.fields.items()}, display.masks)
