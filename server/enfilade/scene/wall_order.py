"""The order of walls: by their place, so that it tells nothing of when and why a wall was drawn or cut."""

from __future__ import annotations

from enfilade.scene.model import Wall


def in_order(walls: tuple[Wall, ...]) -> tuple[Wall, ...]:
    """Return walls by their place; the same value if they already are."""
    ordered = tuple(sorted(walls, key=_place))
    return walls if ordered == walls else ordered


def _place(wall: Wall) -> tuple[object, ...]:
    return wall.line, wall.move, wall.sight, wall.one_way, wall.threshold, wall.door, wall.id
