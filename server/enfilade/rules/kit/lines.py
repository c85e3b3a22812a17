"""Lines of sight on squares past walls and terrain, cached for what they depend on.

Each map has one `Hiding` and one `Blockers`, and each line is worked out once for its ends on them: scenes
that differ in wounds and turns share their lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from enfilade.geometry.board.base import Point
from enfilade.geometry.board.shapes import Body, box_body
from enfilade.geometry.board.square import box
from enfilade.geometry.sight.blockers import CLOSED, Blockers
from enfilade.geometry.sight.line_of_sight import Obstruction, SightLine, best_sight_line
from enfilade.rules.cache import MANY, MAPS, identity_cache, map_weight
from enfilade.rules.kit.board import opaque_walls, stopped_by, wall_blockers
from enfilade.rules.ruleset import Blocker
from enfilade.scene.model import Terrain, Wall


@dataclass(frozen=True, eq=False, slots=True)
class Hiding:
    """The bodies that stop lines beside walls, and for each the blocker to name."""

    bodies: Sequence[Body]
    blockers: Sequence[Blocker]


@identity_cache(MAPS, map_weight)
def hiding_terrain(terrain: tuple[Terrain, ...]) -> Hiding:
    """Return the squares of terrain that blocks sight."""
    found = [(patch, cell) for patch in terrain if patch.blocks_sight for cell in patch.cells]
    return Hiding(
        [box_body(box(cell)) for _, cell in found],
        [Blocker("terrain", patch.id, patch.name) for patch, _ in found],
    )


def _blockers_weight(walls: tuple[Wall, ...], hiding: Hiding) -> int:
    return map_weight(walls) + len(hiding.bodies) // 2_000


@identity_cache(MAPS, _blockers_weight)
def blockers_of(walls: tuple[Wall, ...], hiding: Hiding) -> Blockers:
    """Return walls and what else hides as the geometry takes them; what only touches a wall is stopped."""
    return wall_blockers(walls, CLOSED).with_bodies((), hiding.bodies)


def _line_weight(blockers: Blockers, *_ends: object) -> int:
    return 1 + (len(blockers.walls) + len(blockers.bodies)) // 2_000


@identity_cache(MANY, _line_weight)
def best_line(blockers: Blockers, eyes: tuple[Point, ...], points: tuple[Point, ...]) -> SightLine:
    """Return the best line between two places with some ends each, and what stops it."""
    return best_sight_line(eyes, points, blockers)


def blocker_of(stop: Obstruction, walls: tuple[Wall, ...], hiding: Hiding) -> Blocker:
    """Return what stops a line past a map's walls and what else hides, with its name for people."""
    if stop.body is not None:
        return hiding.blockers[stop.body]
    return stopped_by(None if stop.wall is None else opaque_walls(walls)[stop.wall])
