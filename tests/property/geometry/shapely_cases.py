"""Plain closed walls against shapely, where it is installed (the extra `bench`)."""

from importlib.util import find_spec

from tests.property.geometry.scenes import sight_scene

from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.line_of_sight import visible

IS_THERE = find_spec("shapely") is not None


def walls_by_shapely(seed: int) -> tuple[int, list[str]]:
    """Every cell of a scene's bare walls."""
    import shapely

    board, blockers, eye, _ = sight_scene(seed)
    lines = [wall.line for wall in blockers.walls if wall.line[:2] != wall.line[2:]]
    walls = shapely.multilinestrings([[(line[:2], line[2:])] for line in lines]) if lines else []
    seen = visible(board, eye, Blockers(lines))
    cells = [(x, y) for y in range(board.rows) for x in range(board.columns) if board.center((x, y)) != eye]
    ways = shapely.linestrings([(eye, board.center(cell)) for cell in cells]) if cells else []
    wrong = []
    for cell, way in zip(cells, ways, strict=True):
        if (cell in seen) == bool(shapely.intersects(walls, way).any() if len(lines) else False):
            wrong.append(f"shapely: {seed=} {cell}")
    return len(cells), wrong
