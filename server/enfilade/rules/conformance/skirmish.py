"""Small random battles for any ruleset: its own ready-made units on a little board with walls."""

from __future__ import annotations

import random
from typing import get_args

from msgspec.structs import replace

from enfilade.geometry.units import Cell
from enfilade.rules.house_rules import Setting
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Grid, GridKind, Scene, Side, Terrain, Token, Wall

UNIT = 64
"""64ths of a cell, or of an inch on a gridless board."""


def skirmish(ruleset: Ruleset, seed: int, size: int = 6, strength: int = 2) -> Scene:
    """A battle of two or three sides with `strength` miniatures each, the same one for the same seed.

    Every house rule is at its default or at another of its options.
    """
    chance = random.Random(seed)
    sides = _sides(chance)
    bare = Scene(
        ruleset=ruleset.key,
        name=f"Skirmish {seed}",
        grid=Grid(_grid_kind(ruleset, chance), size, size),
        house_rules=_house_rules(ruleset, chance),
        walls=tuple(_wall(chance, i, size) for i in range(chance.randrange(4))),
        terrain=_terrain(chance, size),
        sides=sides,
    )
    return replace(bare, tokens=_tokens(ruleset, chance, bare, strength))


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


def _wall(chance: random.Random, index: int, size: int) -> Wall:
    x, y = chance.randrange(1, size) * UNIT, chance.randrange(size - 1) * UNIT
    length = chance.randrange(1, 3) * UNIT
    line = (x, y, x, y + length) if chance.randrange(2) else (y, x, y + length, x)
    door = chance.choice(("none", "none", "door"))
    return Wall(id=f"w{index}", line=line, door="door" if door == "door" else "none")


def _terrain(chance: random.Random, size: int) -> tuple[Terrain, ...]:
    if chance.randrange(2):
        return ()
    middle = size // 2
    return (Terrain(id="rough", name="Rough ground", cells=((middle, middle), (middle, middle - 1)), cost=2),)


def _tokens(ruleset: Ruleset, chance: random.Random, scene: Scene, strength: int) -> tuple[Token, ...]:
    cells = [(x, y) for x in range(scene.grid.columns) for y in range(scene.grid.rows)]
    places = iter(chance.sample(cells, strength * len(scene.sides)))
    tokens = [
        ruleset.entering(_token(ruleset, chance, side, number, _place(scene, next(places))))
        for side in scene.sides
        for number in range(1, strength + 1)
    ]
    return tuple(sorted(tokens, key=lambda token: token.id))


def _place(scene: Scene, cell: Cell) -> Cell:
    if scene.grid.kind != "gridless":
        return cell
    return cell[0] * UNIT + UNIT // 2, cell[1] * UNIT + UNIT // 2


def _token(ruleset: Ruleset, chance: random.Random, side: Side, number: int, at: Cell) -> Token:
    unit = chance.choice(ruleset.catalogue)
    return Token(
        id=f"{side.id}-{number}",
        name=f"{side.name} {number}",
        side=side.id,
        at=at,
        facing=chance.randrange(0, 360, 30),
        profile=unit.profile,
    )
