"""The scenes of the attacking tables: many walls, and the maxima of the published contract."""

from __future__ import annotations

import random
from typing import Any

from enfilade.messages.scene import MAX_CELLS_PER_SIDE, MAX_TOKENS, MAX_WALLS

_UNITS = 64
_LONGEST_WALL = 3 * _UNITS


def many_walls(like: dict[str, Any]) -> dict[str, Any]:
    """Return a scene of 60 x 60 cells with 4,000 walls and 40 tokens."""
    return _scene(like, cells=60, walls=4_000, tokens=40)


def maxima(like: dict[str, Any]) -> dict[str, Any]:
    """Return the largest scene that the contract allows."""
    return _scene(like, cells=MAX_CELLS_PER_SIDE, walls=MAX_WALLS, tokens=MAX_TOKENS)


def _scene(like: dict[str, Any], cells: int, walls: int, tokens: int) -> dict[str, Any]:
    """Return a scene with the ruleset, the sides and the kinds of units of a demo battle."""
    chance = random.Random(f"{cells} {walls} {tokens}")
    units = like["tokens"]
    step = max(2, int((cells * cells / tokens) ** 0.5))
    places = [[x, y] for y in range(1, cells - 1, step) for x in range(1, cells - 1, step)]
    placed = [
        {**units[number % len(units)], "id": f"t{number}", "name": f"Unit {number}", "at": places[number]}
        for number in range(min(tokens, len(places)))
    ]
    return {
        **like,
        "grid": {**like["grid"], "columns": cells, "rows": cells},
        "background": "",
        "terrain": [],
        "walls": [_wall(number, cells * _UNITS, chance) for number in range(walls)],
        "tokens": placed,
    }


def _wall(number: int, size: int, chance: random.Random) -> dict[str, Any]:
    x, y = chance.randrange(size), chance.randrange(size)
    across, down = (chance.randint(-_LONGEST_WALL, _LONGEST_WALL) for _ in range(2))
    return {"id": f"w{number}", "line": [x, y, min(max(x + across, 0), size), min(max(y + down, 0), size)]}
