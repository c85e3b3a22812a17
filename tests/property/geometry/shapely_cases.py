"""Plain closed walls against shapely, if it is installed (the extra `bench`)."""

from importlib.util import find_spec

from tests.property.geometry.scenes import sight_scene

from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.line_of_sight import visible

IS_THERE = find_spec("shapely") is not None


def walls_by_shapely(seed: int) -> tuple[int, list[str]]:
    """Compare every cell of a scene with walls alone."""
    import shapely

    board, blockers, eye, _ = sight_scene(seed)
    lines = [wall.line for wall in blockers.walls if wall.line[:2] != wall.line[2:]]
    walls = shapely.multilinestrings([[(line[:2], line[2:])] for line in lines]) if lines else []
    seen = visible(board, eye, Blockers(lines))
    cells = [(x, y) for y in range(board.rows) for x in range(board.columns) if board.center((x, y)) != eye]
    sight_lines = shapely.linestrings([(eye, board.center(cell)) for cell in cells]) if cells else []
    wrong = []
    for cell, line in zip(cells, sight_lines, strict=True):
        if (cell in seen) == bool(shapely.intersects(walls, line).any() if len(lines) else False):
            wrong.append(f"shapely: {seed=} {cell}")
    return len(cells), wrong
