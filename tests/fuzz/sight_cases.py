"""The fuzz cases of sight: engine against oracle, and the symmetries that must hold."""
from collections.abc import Iterator

from enfilade.geometry.sight import blocked, visible
from tests.fuzz.oracle import sees, visible_line_by_line
from tests.fuzz.scenes import sight_scene


def compare(seed: int) -> tuple[int, list[str]]:
    """How many cells of a scene were compared, and a line for each that differs."""
    board, blockers, eye, heights = sight_scene(seed)
    seen = visible(board, eye, blockers, heights)
    slow = visible_line_by_line(board, eye, blockers, heights)
    differences = [f"visible {seed=} {cell}" for cell in set(seen) ^ set(slow)]
    for cell in [(seed % board.columns, seed // 7 % board.rows)]:
        p = board.centre(cell)
        if (blocked(eye, p, blockers, heights) is None) != (cell in slow):
            differences.append(f"blocked {seed=} {cell}")
    return board.columns * board.rows, differences
