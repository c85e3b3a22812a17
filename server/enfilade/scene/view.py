"""What one seat may know of a scene, by allow-list: a game master everything, a spectator what shows.

Every answer for a seat is computed from its view, so that nothing hidden shows through a legal move.
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from enfilade.scene.model import Scene, Token, Wall

Role = Literal["gm", "spectator"]


def view(scene: Scene, role: Role) -> Scene:
    """The scene as a seat of this role may know it."""
    if role == "gm":
        return scene
    return replace(
        scene,
        tokens=tuple(token for token in scene.tokens if is_shown(token)),
        walls=tuple(_as_wall(wall) for wall in scene.walls),
    )


def is_shown(token: Token) -> bool:
    """Whether everybody at the table may know of a token."""
    return not token.hidden


def _as_wall(wall: Wall) -> Wall:
    return replace(wall, door="none") if wall.door == "secret" and not wall.is_open else wall
