"""Our sight, cover and blind zones, made ready to be timed.

Tokens may be passed where they meet at corners only: what shapely and the prototype answer too.
"""

from __future__ import annotations

from collections.abc import Callable

from bench.geometry.scenes import BenchScene, scene
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.shapes import hex_body
from enfilade.geometry.board.square import box, center
from enfilade.geometry.board.units import Box
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.sight.blockers import Blockers, TouchRule
from enfilade.geometry.sight.cover import box_corners, cover_map, covers
from enfilade.geometry.sight.line_of_sight import OpaqueCells, visible

Job = Callable[[], object]
GRAZING = TouchRule(corner="passes")


def boxes_of(scene_: BenchScene) -> list[Box]:
    """What the tokens but the first fill: the first is the one that looks, from every source in turn."""
    return [box(token.at, token.size, token.size) for token in scene_.tokens[1:]]


def blockers_of(scene_: BenchScene) -> Blockers:
    """Walls and tokens, their tables laid beforehand as the peers' prepared shapes are."""
    blockers = Blockers(scene_.walls, boxes_of(scene_), touch_rule=GRAZING)
    _ = blockers.wall_tables, blockers.body_tables, blockers.joints
    return blockers


def visibility(scale: str) -> Job:
    """The cells that a token sees past walls and the others."""
    return visibility_of(scene(scale))


def visibility_of(scene_: BenchScene) -> Job:
    """The same on any scene."""
    blockers, sources = blockers_of(scene_), scene_.rounds()
    return lambda: visible(scene_.board, center(next(sources)), blockers)


def cover_of_all(scale: str) -> Job:
    """The cover of every other token, four corners to four."""
    return cover_of(scene(scale))


def cover_of(scene_: BenchScene) -> Job:
    """The same on any scene."""
    blockers, sources = blockers_of(scene_), scene_.rounds()
    targets = [box_corners(one) for one in boxes_of(scene_)]
    return lambda: covers(box_corners(box(next(sources))), targets, blockers)


def map_of_cover(scale: str) -> Job:
    """The cover of every cell, walls and tokens apart: 32 shadow rasters."""
    scene_ = scene(scale)
    blockers, sources = blockers_of(scene_), scene_.rounds()
    return lambda: cover_map(scene_.board, box_corners(box(next(sources))), blockers)


def full_job(scale: str) -> Job:
    """A token has come to a cell: its field over the whole board, what it sees, the cover of all others."""
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
    """The hexes seen past the closed ones."""
    scene_ = scene(scale)
    board = HexBoard(scene_.size.side, scene_.size.side, "odd_r")
    blockers = Blockers(bodies=[hex_body(board, [cell]) for cell in sorted(scene_.closed)])
    _ = blockers.wall_tables, blockers.body_tables, blockers.joints
    sources = scene_.rounds()
    return lambda: visible(board, board.center(next(sources)), blockers)


def cell_view(scale: str) -> Job:
    """The cells seen past closed cells, no walls: the job of the libraries for dungeons."""
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
    "cell_view": cell_view,
}
