"""Scenes of Foundry 8 and 9 in the form that Foundry has had since 10.

Until 9 a scene's `grid` was the size of a cell, the picture's offset was `shiftX` and `shiftY`, and hexes
were measured from point to point. Until 8 a wall's `sense` was what is `sight` now, and walls had other
numbers.
"""

from __future__ import annotations

from typing import Any

SINCE_9 = {1: 20, 2: 10}
"""The numbers of walls since 9 for those before: blocks, and blocks as a second one (sight)."""


def is_from_before_10(raw: dict[str, Any]) -> bool:
    """Return whether scene data has the form of Foundry 9 or earlier."""
    return not isinstance(raw.get("grid"), dict)


def since_10(raw: dict[str, Any]) -> dict[str, Any]:
    """Return scene data from before Foundry 10 in the form since then; broken pieces stay as they are."""
    walls = raw.get("walls")
    return {
        **raw,
        "grid": {
            "size": raw.get("grid"),
            "type": raw.get("gridType", 1),
            "distance": raw.get("gridDistance", 1),
            "units": raw.get("gridUnits", ""),
        },
        "background": {"offsetX": raw.get("shiftX", 0), "offsetY": raw.get("shiftY", 0)},
        "shiftX": 0,
        "shiftY": 0,
        "flags": {"core": {"legacyHex": True}},
        "walls": [_wall(wall) for wall in walls] if isinstance(walls, list) else walls,
    }


def _wall(wall: Any) -> Any:
    if not isinstance(wall, dict):
        return wall
    sight = wall.get("sight", wall.get("sense"))
    numbers = {"move": wall.get("move"), "sight": sight, "light": wall.get("light")}
    renewed = {
        key: SINCE_9.get(number, number)
        for key, number in numbers.items()
        if isinstance(number, int) and not isinstance(number, bool)
    }
    return {**wall, **renewed}
