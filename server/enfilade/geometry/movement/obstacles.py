"""The obstacles of a round base: walls, other bases and the edge of the board, grown by a radius."""

from __future__ import annotations

from collections.abc import Iterable

from enfilade.geometry.board.shapes import WallShape
from enfilade.geometry.kernel import gridless
from enfilade.geometry.kernel.python_obstacles import CLOSE, Obstacle
from enfilade.geometry.movement.round_bases import Base, GridlessBoard, RoundBase

__all__ = ["CLOSE", "Obstacle", "distance_to", "is_clear", "near"]

distance_to = gridless.distance_to
is_clear = gridless.is_clear


def near(
    board: GridlessBoard, base: RoundBase, budget: int, walls: Iterable[WallShape], others: Iterable[Base]
) -> list[Obstacle]:
    """Return the obstacles that a base can meet within a budget, including the edge of the board.

    An obstacle that the base overlaps at its start is shrunk until it only touches, so that it may leave.
    """
    x, y, width, height = *base.at, board.width, board.height
    far = budget + base.radius
    left, right, top, bottom = x - far, x + far, y - far, y + far
    edges = ((0, 0, width, 0), (width, 0, width, height), (width, height, 0, height), (0, height, 0, 0))
    grown = [(edge, base.radius) for edge in edges]
    for wall in walls:
        x1, y1, x2, y2 = line = wall.line
        # Most walls and bases are far away, so the cheap tests come first.
        if (x1 > right and x2 > right) or (x1 < left and x2 < left):
            continue
        if (y1 > bottom and y2 > bottom) or (y1 < top and y2 < top):
            continue
        if wall.stops_movement and not wall.is_open:
            grown.append((line, base.radius))
    close = [other for other in others if _may_be_within(other, x, y, far)]
    grown += [(edge, base.radius + other.radius) for other in close for edge in other.edges]
    found = ((line, radius, distance_to(x, y, *line)) for line, radius in grown)
    return sorted({Obstacle(*line, min(r, apart)) for line, r, apart in found if apart < budget + r})


def _may_be_within(base: Base, x: int, y: int, far: int) -> bool:
    """Return whether a base may be within a distance of a point, by a cheap test."""
    size = far + (base.radius if isinstance(base, RoundBase) else 2 * base.half)
    return abs(base.at[0] - x) <= size and abs(base.at[1] - y) <= size
