"""Our sight, cover and blind zones, prepared for timing.

Lines pass between tokens that meet at a corner only, as in shapely and the prototype.
"""

from __future__ import annotations

from collections.abc import Callable

from bench.geometry.scenes import BenchScene, scene
from enfilade.geometry.board.base import Box
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.shapes import hex_body
from enfilade.geometry.board.square import box, center
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.sight.blockers import Blockers, TouchRule
from enfilade.geometry.sight.cover import box_corners, cover_map, covers
from enfilade.geometry.sight.line_of_sight import OpaqueCells, visible

Job = Callable[[], object]
GRAZING = TouchRule(corner="passes")


def boxes_of(scene_: BenchScene) -> list[Box]:
    """Return the boxes of all tokens except the first, which looks from each source in turn."""
    return [box(token.at, token.size, token.size) for token in scene_.tokens[1:]]


def blockers_of(scene_: BenchScene) -> Blockers:
    """Return walls and tokens with prepared tables, as the peers have prepared shapes."""
    blockers = Blockers(scene_.walls, boxes_of(scene_), touch_rule=GRAZING)
    _ = blockers.wall_tables, blockers.body_tables, blockers.joints
    return blockers


def visibility(scale: str) -> Job:
    """Prepare the cells that a token sees past walls and other tokens."""
    return visibility_of(scene(scale))


def visibility_of(scene_: BenchScene) -> Job:
    """Prepare the same job on any scene."""
    blockers, sources = blockers_of(scene_), scene_.rounds()
    return lambda: visible(scene_.board, center(next(sources)), blockers)


def cover_of_all(scale: str) -> Job:
    """Prepare the cover of every other token, four corners to four."""
    return cover_of(scene(scale))


def cover_of(scene_: BenchScene) -> Job:
    """Prepare the same job on any scene."""
    blockers, sources = blockers_of(scene_), scene_.rounds()
    targets = [box_corners(one) for one in boxes_of(scene_)]
    return lambda: covers(box_corners(box(next(sources))), targets, blockers)


def map_of_cover(scale: str) -> Job:
    """Prepare the cover of every cell, by walls and by tokens: 32 shadow rasters."""
    scene_ = scene(scale)
    blockers, sources = blockers_of(scene_), scene_.rounds()
    return lambda: cover_map(scene_.board, box_corners(box(next(sources))), blockers)


def full_job(scale: str) -> Job:
    """Prepare everything for a token on a new cell: its field, its visible cells, the cover of all others."""
    scene_ = scene(scale)
    graph, blockers, sources = (
        MovementGraph(scene_.board, scene_.terrain),
        blockers_of(scene_),
        scene_.rounds(),
    )
    targets = [box_corners(one) for one in boxes_of(scene_)]
    _ = graph.prepared

    def run() -> None:
        cell = next(sources)
        Field(graph, cell)
        visible(scene_.board, center(cell), blockers)
        covers(box_corners(box(cell)), targets, blockers)

    return run


def hex_blind_zone(scale: str) -> Job:
    """Prepare the visible hexes past closed ones."""
    scene_ = scene(scale)
    board = HexBoard(scene_.size.side, scene_.size.side, "odd_r")
    blockers = Blockers(bodies=[hex_body(board, [cell]) for cell in sorted(scene_.closed)])
    _ = blockers.wall_tables, blockers.body_tables, blockers.joints
    sources = scene_.rounds()
    return lambda: visible(board, board.center(next(sources)), blockers)


def field_of_view(scale: str) -> Job:
    """Prepare the field of view past closed cells without walls: the job of roguelike libraries."""
    scene_ = scene(scale)
    opaque = OpaqueCells(scene_.board, Mask.of(scene_.closed, scene_.size.side))
    sources = scene_.rounds()
    return lambda: opaque.visible_from(next(sources))


SIGHT_JOBS = {
    "visibility": visibility,
    "cover": cover_of_all,
    "cover_map": map_of_cover,
    "full_job": full_job,
    "hex_blind_zone": hex_blind_zone,
    "field_of_view": field_of_view,
}
