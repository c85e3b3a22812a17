"""The scenes of all races, built from fixed seeds: the same on every machine."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import cycle

from enfilade.geometry.board.base import CELL, Cell, Segment
from enfilade.geometry.board.padded_grid import build_table
from enfilade.geometry.board.shapes import Wall
from enfilade.geometry.board.square import Diagonals, SquareBoard
from enfilade.geometry.movement.costs import TerrainCost, open_terrain


@dataclass(frozen=True)
class Size:
    """The size of a scene: cells per side, tokens and walls."""

    side: int
    tokens: int
    walls: int


SIZES = {
    "small": Size(30, 12, 60),
    "typical": Size(60, 40, 300),
    "large": Size(200, 200, 2000),
}


@dataclass(frozen=True)
class Token:
    """A token's top left cell, its cells per side, and whether it is an enemy of the first token."""

    at: Cell
    size: int
    is_enemy: bool

    @property
    def cells(self) -> list[Cell]:
        """The cells it fills."""
        (x, y), size = self.at, self.size
        return [(x + i, y + j) for j in range(size) for i in range(size)]


@dataclass(frozen=True)
class BenchScene:
    """A square board with walls (three in four along the grid), tokens and terrain."""

    size: Size
    walls: tuple[Segment, ...]
    tokens: tuple[Token, ...]
    hard: frozenset[Cell]
    pillars: frozenset[Cell]

    @cached_property
    def board(self) -> SquareBoard:
        """A board with eight neighbors and equal steps, which all peers support."""
        return SquareBoard(self.size.side, self.size.side, Diagonals.EQUIDISTANT)

    @cached_property
    def enemies(self) -> list[Token]:
        """The enemies of the first token."""
        return [token for token in self.tokens if token.is_enemy]

    @cached_property
    def closed(self) -> frozenset[Cell]:
        """The cells that the first token cannot enter: pillars and enemies."""
        return self.pillars.union(*(token.cells for token in self.enemies))

    @cached_property
    def near(self) -> dict[Cell, int]:
        """The factor on leaving a cell: doubled for each adjacent enemy, at most three times."""
        counts: dict[Cell, int] = {}
        for token in self.enemies:
            (x, y), size = token.at, token.size
            for cell in ((x + i, y + j) for i in range(-1, size + 1) for j in range(-1, size + 1)):
                counts[cell] = counts.get(cell, 0) + (cell not in token.cells)
        return {cell: 1 << min(3, count) for cell, count in counts.items()}

    @cached_property
    def terrain(self) -> TerrainCost:
        """The terrain for the first token."""
        enter = build_table(self.board, 1, [(self.hard, 2), (self.closed, 0)])
        leave = build_table(self.board, 1, [([cell], cost) for cell, cost in self.near.items()])
        return TerrainCost(enter, leave, open_terrain(self.board, [Wall(line) for line in self.walls]).barred)

    @cached_property
    def sources(self) -> list[Cell]:
        """The start cells, one after the other."""
        cells = [(x, y) for y in range(self.size.side) for x in range(self.size.side)]
        taken = self.closed.union(*(token.cells for token in self.tokens))
        return random.Random(5).sample([cell for cell in cells if cell not in taken], 48)

    def rounds(self) -> cycle[Cell]:
        """Return an endless cycle of the sources."""
        return cycle(self.sources)


@cache
def scene(scale: str) -> BenchScene:
    """Return one of the three named scenes."""
    return make(SIZES[scale], seed=scale)


def make(size: Size, seed: str) -> BenchScene:
    """Build a scene of a size; the same seed builds the same scene."""
    chance = random.Random(seed)
    cells = [(x, y) for y in range(size.side) for x in range(size.side)]
    return BenchScene(
        size,
        tuple(_wall(chance, size.side) for _ in range(size.walls)),
        tuple(_tokens(chance, size)),
        frozenset(cell for cell in cells if chance.random() < 0.2),
        frozenset(cell for cell in cells if chance.random() < 0.04),
    )


def _wall(chance: random.Random, side: int) -> Segment:
    length = chance.randint(1, 6)
    x, y = chance.randint(0, side - length), chance.randint(1, side - 1)
    if chance.random() < 0.375:
        return (x * CELL, y * CELL, (x + length) * CELL, y * CELL)
    if chance.random() < 0.6:
        return (y * CELL, x * CELL, y * CELL, (x + length) * CELL)
    x1, y1 = chance.randint(0, side * CELL), chance.randint(0, side * CELL)
    x2, y2 = (min(max(v + chance.randint(-4 * CELL, 4 * CELL), 0), side * CELL) for v in (x1, y1))
    return (x1, y1, x2, y2) if (x1, y1) != (x2, y2) else _wall(chance, side)


def _tokens(chance: random.Random, size: Size) -> list[Token]:
    tokens: list[Token] = []
    taken: set[Cell] = set()
    while len(tokens) < size.tokens:
        width = chance.choices((1, 2, 3), (82, 13, 5))[0]
        at = (chance.randint(0, size.side - width), chance.randint(0, size.side - width))
        token = Token(at, width, is_enemy=len(tokens) % 2 == 1)
        if taken.isdisjoint(token.cells):
            taken.update(token.cells)
            tokens.append(token)
    return tokens
