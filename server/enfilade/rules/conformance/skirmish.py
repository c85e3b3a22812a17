"""Small random battles for any ruleset: its own units on a small board with walls."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from typing import get_args

from msgspec.structs import replace

from enfilade.geometry.board.base import Cell, Point
from enfilade.geometry.board.hex import HexBoard
from enfilade.rules.house_rules import Setting
from enfilade.rules.kit.board import board_on
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Grid, GridKind, Scene, Side, Terrain, Token, Wall

UNIT = 64
"""64ths of a cell, or of an inch on a gridless board."""


def skirmish(
    ruleset: Ruleset, seed: int, size: int = 6, strength: int = 2, body: tuple[int, int] = (1, 1)
) -> Scene:
    """Return a battle of two or three sides with up to `strength` tokens each, the same for each seed.

    Each house rule is at its default or at another of its options. Tokens have a body of so many columns and
    rows before the ruleset prepares them.
    """
    chance = random.Random(seed)  # noqa: S311 - repeatable
    sides = _sides(chance)
    grid = Grid(_grid_kind(ruleset, chance), size, size)
    bare = Scene(
        ruleset=ruleset.key,
        name=f"Skirmish {seed}",
        grid=grid,
        house_rules=_house_rules(ruleset, chance),
        walls=tuple(wall for i in range(chance.randrange(3)) for wall in _walls(chance, i, grid)),
        terrain=_terrain(chance, size),
        sides=sides,
    )
    return replace(bare, tokens=_tokens(ruleset, chance, bare, chance.randint(1, strength), body))


def _grid_kind(ruleset: Ruleset, chance: random.Random) -> GridKind:
    return chance.choice([kind for kind in get_args(GridKind) if kind in ruleset.grids])


def _sides(chance: random.Random) -> tuple[Side, ...]:
    two = (Side(id="blue", name="Blue"), Side(id="red", name="Red"))
    if chance.randrange(4):
        return two
    # Sometimes a third, alone or with the first.
    return (*two, Side(id="white", name="White")) if chance.randrange(2) else _with_an_ally(two)


def _with_an_ally(two: tuple[Side, Side]) -> tuple[Side, ...]:
    return replace(two[0], team="east"), two[1], Side(id="white", name="White", team="east")


def _house_rules(ruleset: Ruleset, chance: random.Random) -> dict[str, Setting]:
    return {rule.key: chance.choice(rule.options) for rule in ruleset.house_rules if chance.randrange(3) == 0}


def _walls(chance: random.Random, number: int, grid: Grid) -> list[Wall]:
    """Return one to three walls along the edges of a cell, as people draw them."""
    around = corners(grid, (chance.randrange(1, grid.columns), chance.randrange(1, grid.rows)))
    edges = list(pairwise(around))[: chance.randrange(1, 4)]
    is_door = not chance.randrange(3)
    return [
        Wall(id=f"w{number}-{i}", line=(*start, *end), door="door" if is_door else "none")
        for i, (start, end) in enumerate(edges)
    ]


def _terrain(chance: random.Random, size: int) -> tuple[Terrain, ...]:
    if chance.randrange(2):
        return ()
    middle = size // 2
    return (Terrain(id="rough", name="Rough ground", cells=((middle, middle), (middle, middle - 1)), cost=2),)


def _tokens(
    ruleset: Ruleset, chance: random.Random, scene: Scene, strength: int, body: tuple[int, int]
) -> tuple[Token, ...]:
    cells = [(x, y) for x in range(scene.grid.columns) for y in range(scene.grid.rows)]
    places = iter(chance.sample(cells, strength * len(scene.sides)))
    tokens = [
        ruleset.prepare_token(
            replace(_token(ruleset, chance, side, number, _place(scene, next(places))), size=body)
        )
        for side in scene.sides
        for number in range(1, strength + 1)
    ]
    return tuple(sorted(_with_room(ruleset, scene, tokens), key=lambda token: token.id))


def _with_room(ruleset: Ruleset, scene: Scene, tokens: list[Token]) -> list[Token]:
    """Return the tokens; one that does not fit where it stands gets free cells, the largest first.

    One without room is left out: no player brings it on, and its side could not be beaten.
    """
    taken: set[Cell] = set()
    placed = []
    for token in sorted(tokens, key=lambda token: -token.size[0] * token.size[1]):
        here = token.at
        if scene.grid.kind != "gridless" and here is not None:
            blocks = _blocks(ruleset, scene, token)
            free = (at for at in (here, *blocks) if at in blocks and not blocks[at] & taken)
            here = next(free, None)
            if here is None:
                continue
            taken |= blocks[here]
        placed.append(replace(token, at=here))
    return placed


def _blocks(ruleset: Ruleset, scene: Scene, token: Token) -> dict[Cell, set[Cell]]:
    """Return the cells that a token fills at each place where its whole body is on the board."""
    grid = scene.grid
    cells = [(x, y) for x in range(grid.columns) for y in range(grid.rows)]
    bodies = {at: ruleset.body(scene, replace(token, at=at)) for at in cells}
    own = {
        at: {(x, row) for row, first, last in runs for x in range(first, last + 1)}
        for at, runs in bodies.items()
    }
    most = max(map(len, own.values()))
    if most:  # its body differs from its size
        return {at: block for at, block in own.items() if len(block) == most}
    return {at: block for at in cells if _fits(grid, block := _block(token, at))}


def _block(token: Token, at: Cell) -> set[Cell]:
    return {(at[0] + dx, at[1] + dy) for dx in range(token.size[0]) for dy in range(token.size[1])}


def _fits(grid: Grid, cells: set[Cell]) -> bool:
    return all(x < grid.columns and y < grid.rows for x, y in cells)


def _place(scene: Scene, cell: Cell) -> Cell:
    if scene.grid.kind != "gridless":
        return cell
    return cell[0] * UNIT + UNIT // 2, cell[1] * UNIT + UNIT // 2


def _token(ruleset: Ruleset, chance: random.Random, side: Side, number: int, at: Cell) -> Token:
    unit = chance.choice(ruleset.catalog)
    return Token(
        id=f"{side.id}-{number}",
        name=f"{side.name} {number}",
        side=side.id,
        at=at,
        facing=chance.randrange(0, 360, 30),
        profile=unit.profile,
    )


def center_of(grid: Grid) -> Callable[[Cell], Point]:
    """Return a function for the centers of cells, or of positions on a gridless board."""
    return _itself if grid.kind == "gridless" else board_on(grid).center


def _itself(at: Cell) -> Point:
    return at


def corners(grid: Grid, cell: Cell) -> tuple[Point, ...]:
    """Return the corners of a cell, clockwise; those of a square inch without a grid."""
    board = board_on(grid)
    if isinstance(board, HexBoard):
        return board.corners(cell)
    x, y = cell[0] * UNIT, cell[1] * UNIT
    return (x, y), (x + UNIT, y), (x + UNIT, y + UNIT), (x, y + UNIT)
