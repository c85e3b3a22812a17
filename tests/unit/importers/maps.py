"""The smallest maps that are whole, for tests to change."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any

from enfilade.importers import Imported, read_map


def png(width: int, height: int) -> bytes:
    """The start of a PNG picture of a size, which is all that the importer reads."""
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))


def jpeg(width: int, height: int) -> bytes:
    """The start of a JPEG picture of a size: JFIF, then the frame's header."""
    jfif = b"\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
    frame = b"\xff\xc0\x00\x0b\x08" + struct.pack(">HH", height, width) + b"\x01\x01\x11\x00"
    return b"\xff\xd8" + jfif + frame + b"\xff\xd9"


def webp(width: int, height: int) -> bytes:
    """The start of an extended WebP picture of a size."""
    sizes = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    chunk = b"VP8X" + struct.pack("<I", 10) + bytes(4) + sizes
    return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk


PNG = base64.b64encode(png(700, 560)).decode()


def points(*pairs: tuple[float, float]) -> list[dict[str, float]]:
    """A polyline as Universal VTT writes it."""
    return [{"x": x, "y": y} for x, y in pairs]


def universal_vtt(**changes: Any) -> dict[str, Any]:
    """A Universal VTT map of 10 x 8 squares with no walls."""
    resolution = {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 10, "y": 8}, "pixels_per_grid": 70}
    return {"format": 0.3, "resolution": resolution, "line_of_sight": [], "image": PNG, **changes}


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
