"""The obstacles of a round base: walls, other bases and the edge of the board, grown by a radius."""

from __future__ import annotations

from collections.abc import Iterable

from enfilade.geometry.board.shapes import WallShape
from enfilade.geometry.kernel import gridless
from enfilade.geometry.kernel.python_gridless import CLOSE, Obstacle
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
        x1, y1, x2, y2 = wall.line
        # Most walls are far away, so the cheap tests come first.
        if (x1 > right and x2 > right) or (x1 < left and x2 < left):
            continue
        if (y1 > bottom and y2 > bottom) or (y1 < top and y2 < top):
            continue
        if wall.stops_movement and not wall.is_open:
            grown.append((wall.line, base.radius))
    for other in others:
        grown += [(edge, base.radius + other.radius) for edge in other.edges]
    found = set()
    for line, radius in grown:
        distance = distance_to(x, y, *line)
        if distance < budget + radius:
            found.add(Obstacle(*line, min(radius, distance)))
    return sorted(found)
