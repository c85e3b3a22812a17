"""Drawn areas: who is in an area that a tabletop draws, before it is placed."""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.geometry.board.base import Point
from enfilade.rules.ruleset import Caught, Ruleset
from enfilade.scene.model import Scene, Value


class DrawnArea(Value, frozen=True, kw_only=True):
    """The tokens in a drawn area at one entry of a table (`seq`), with their cover from its origin."""

    seq: int
    caught: tuple[Caught, ...]


def drawn_area(
    ruleset: Ruleset, scene: Scene, outline: Sequence[Point], origin: Point, seq: int
) -> DrawnArea:
    """Return who is in an outline, in a seat's view of the scene."""
    return DrawnArea(seq=seq, caught=tuple(ruleset.outlined(scene, outline, origin)))
