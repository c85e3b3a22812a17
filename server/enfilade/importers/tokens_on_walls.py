"""Tokens on walls: those that a wall through the middle of their cell would blind and hold without a word."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.geometry.board.predicates import touches
from enfilade.i18n import localize
from enfilade.rules.kit.board import board_of, cells_of
from enfilade.scene.model import Scene, Token

MOST_NAMED = 8
"""The tokens that a note names; it counts the others."""


def notes_on_walls(scene: Scene) -> Iterator[str]:
    """Yield a note that names the tokens on the board through whose middle a wall runs."""
    if scene.grid.kind == "gridless":
        return
    found = [token.name for token in scene.tokens if token.at is not None and is_on_wall(scene, token)]
    if found:
        named = ", ".join(found[:MOST_NAMED])
        yield localize("import.tokens_on_walls", count=len(found), names=named)


def is_on_wall(scene: Scene, token: Token) -> bool:
    """Return whether a wall runs through the middle of a cell of a token on a board with cells."""
    board = board_of(scene)
    centers = [board.center(cell) for cell in cells_of(token)]
    return any(
        touches(center, center, wall.line[:2], wall.line[2:])
        for center in centers
        for wall in scene.walls
        if wall.stops_movement or wall.sight != "none"
    )
