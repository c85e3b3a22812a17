"""Sight through random doors in random slanted and bent walls, against shapely.

    python -m tests.import_check.doors [COUNT] [SEED]

Each map is a Universal VTT file with a wall and one or two open doors in it, off the wall by up to a 64th of
a cell. Shapely takes the doors from the exact wall; the engine looks along random lines past the imported
walls. Lines that pass an end or a bend of the wall, or an end of a door, within 2/64 of a cell say nothing,
because walls lie on whole 64ths, and are left out.
"""

from __future__ import annotations

import json
import math
import random
import sys

from shapely import LineString, Point
from shapely.ops import substring

from enfilade.geometry.board.base import CELL
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.line_of_sight import first_obstruction
from enfilade.importers import Imported, read_map

LINES = 12
UNSURE = 2
Spot = tuple[float, float]


def main() -> int:
    count, seed = (int(text) for text in [*sys.argv[1:], "1000", "1"][:2])
    numbers = random.Random(seed)
    wrong = lines = through = 0
    for number in range(count):
        wall = random_wall(numbers)
        doors = random_doors(numbers, wall)
        walls = imported_walls(numbers, wall, doors)
        rest = wall
        for door in doors:
            rest = rest.difference(substring(wall, *door).buffer(1e-6))
        stops = [Point(corner) for corner in wall.coords]
        stops += [wall.interpolate(end) for door in doors for end in door]
        for _ in range(LINES):
            a, b = random_line(numbers, wall, doors)
            line = LineString([a, b])
            if any(line.distance(stop) <= UNSURE for stop in stops) or near_wall(rest, a, b):
                continue
            lines += 1
            expected = not line.intersects(rest)
            through += expected and line.intersects(wall)
            if (first_obstruction(a, b, walls) is None) is not expected:
                wrong += 1
                print(f"fault    map {number}: wall {list(wall.coords)}, doors {doors}, line {a} {b}")
    verdict = "FAIL" if wrong else "PASS"
    print(f"import-doors: {verdict} maps={count} lines={lines} through={through} wrong={wrong}")
    return 1 if wrong else 0


def random_wall(numbers: random.Random) -> LineString:
    """Return a wall in 64ths of a cell: straight at any angle, or with a slight bend."""
    x, y, turn = numbers.uniform(200, 440), numbers.uniform(200, 440), numbers.uniform(0, 2 * math.pi)
    half = numbers.uniform(64, 190)
    way = math.cos(turn), math.sin(turn)
    points = [(x - half * way[0], y - half * way[1]), (x + half * way[0], y + half * way[1])]
    if numbers.random() < 0.3:
        off = numbers.uniform(-0.12, 0.12) * half
        points.insert(1, (x - off * way[1], y + off * way[0]))
    return LineString(points)


def random_doors(numbers: random.Random, wall: LineString) -> list[Spot]:
    """Return one or two parts of a wall, from and to a length along it; often up to its very end."""
    stops = sorted(numbers.uniform(0, wall.length) for _ in range(numbers.choice((2, 4))))
    if numbers.random() < 0.2:
        stops[0] = 0.0
    return [(a, b) for a, b in zip(stops[::2], stops[1::2], strict=True) if b - a > 12] or [
        (0.0, wall.length)
    ]


def imported_walls(numbers: random.Random, wall: LineString, doors: list[Spot]) -> Blockers:
    """Return the walls of an imported map with a wall and open doors, each off it by up to a 64th."""
    portals = []
    for start, end in doors:
        off = numbers.uniform(-0.9, 0.9)
        a, b = wall.interpolate(start), wall.interpolate(end)
        long = math.hypot(b.x - a.x, b.y - a.y)
        across = off * (a.y - b.y) / long, off * (b.x - a.x) / long
        bounds = [_spot(one.x + across[0], one.y + across[1]) for one in (a, b)]
        portals.append({"bounds": bounds, "closed": False})
    raw = {
        "format": 0.3,
        "resolution": {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 10, "y": 10}},
        "line_of_sight": [[_spot(*point) for point in wall.coords]],
        "portals": portals,
    }
    imported = read_map(json.dumps(raw).encode(), "doors.uvtt", ruleset="coup_de_grace")
    assert isinstance(imported, Imported)
    return Blockers(walls=imported.scene.walls)


def random_line(
    numbers: random.Random, wall: LineString, doors: list[Spot]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return a sight line across the wall, half of them through a door."""
    start, end = numbers.choice(doors) if numbers.random() < 0.5 else (0.0, wall.length)
    at, turn = wall.interpolate(numbers.uniform(start, end)), numbers.uniform(0, 2 * math.pi)
    far = numbers.uniform(20, 150)
    ends = [(round(at.x + way * math.cos(turn)), round(at.y + way * math.sin(turn))) for way in (-far, far)]
    return ends[0], ends[1]


def near_wall(rest: object, a: Spot, b: Spot) -> bool:
    """Return whether an end of a sight line is so near the wall that its side is unsure."""
    return any(Point(end).distance(rest) <= UNSURE for end in (a, b))  # type: ignore[arg-type]


def _spot(x: float, y: float) -> dict[str, float]:
    return {"x": x / CELL, "y": y / CELL}


if __name__ == "__main__":
    sys.exit(main())
