"""The smallest maps that are whole, for tests to change."""

from __future__ import annotations

import base64
import json
from typing import Any

from enfilade.importers import Imported, read_map

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n and more").decode()


def points(*pairs: tuple[float, float]) -> list[dict[str, float]]:
    """A polyline as Universal VTT writes it."""
    return [{"x": x, "y": y} for x, y in pairs]


def universal_vtt(**changes: Any) -> dict[str, Any]:
    """A Universal VTT map of 10 x 8 squares with no walls."""
    resolution = {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 10, "y": 8}, "pixels_per_grid": 70}
    return {"format": 0.3, "resolution": resolution, "line_of_sight": [], **changes}


def foundry(**changes: Any) -> dict[str, Any]:
    """A Foundry scene of 10 x 6 squares without padding and with nothing on it."""
    grid = {"type": 1, "size": 100, "distance": 5, "units": "ft"}
    return {"name": "Yard", "width": 1000, "height": 600, "padding": 0, "grid": grid, **changes}


def read(raw: Any, **options: Any) -> Imported:
    """The map that a file with this content gives."""
    data = raw if isinstance(raw, bytes) else json.dumps(raw).encode()
    found = read_map(data, "the map.uvtt", ruleset="coup_de_grace", **options)
    assert isinstance(found, Imported)
    return found
