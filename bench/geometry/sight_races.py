"""Races of sight and cover. Before each race every peer must give our answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import tcod.constants
import tcod.map

from bench.geometry import prototype, remote
from bench.geometry.movement_races import own
from bench.geometry.peer_graphs import scipy_solver, tcod_solver
from bench.geometry.prototype_sight import PrototypeSight
from bench.geometry.scenes import SIZES, BenchScene, scene
from bench.geometry.shapely_peer import ShapelyPeer
from bench.geometry.sight_jobs import blockers_of, boxes_of
from bench.geometry.timing import Race, Runner, here
from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.square import box, center
from enfilade.geometry.sight.cover import box_corners, covers
from enfilade.geometry.sight.line_of_sight import visible

Answer = Callable[[Cell], object]


def races() -> Iterator[Race]:
    """Yield all races of sight."""
    for scale in SIZES:
        yield from _raced(scale)
        yield Race("hex_blind_zone", scale, _hex_runners(scale), rival="honeycomb_grid")
        yield Race("field_of_view", scale, _field_of_view_runners(scale), rival="tcod")


def _raced(scale: str) -> Iterator[Race]:
    scene_ = scene(scale)
    peer = ShapelyPeer(scene_)
    agree(scene_, peer)
    kernel = prototype.library()
    old = PrototypeSight(kernel, scene_) if kernel else None
    if old is not None:
        agree_with_prototype(scene_, old)
    yield Race("visibility", scale, _with(scene_, "visibility", peer.visible, old and old.visible), "shapely")
    yield Race("cover", scale, _with(scene_, "cover", peer.cover, old and old.cover), "shapely")
    yield Race("cover_map", scale, _with(scene_, "cover_map", None, old and old.cover_map), "prototype")
    yield Race("full_job", scale, _whole(scene_, scale, peer, old), rival="tcod_shapely")


def _with(scene_: BenchScene, name: str, shapely: Answer | None, old: Answer | None) -> dict[str, Runner]:
    scale = next(scale for scale in SIZES if scene(scale) is scene_)
    peers = {"shapely": shapely, "prototype": old}
    return own(name, scale) | {name: _timed(solve, scene_) for name, solve in peers.items() if solve}


def _whole(
    scene_: BenchScene, scale: str, peer: ShapelyPeer, old: PrototypeSight | None
) -> dict[str, Runner]:
    """Return the runners of field, sight and cover in one call, with each peer's parts combined."""
    runners = own("full_job", scale)
    for name, solve in (("tcod", tcod_solver(scene_)), ("scipy", scipy_solver(scene_))):
        runners[f"{name}_shapely"] = _timed(_in_turn(solve, peer.visible, peer.cover), scene_)
    kernel = prototype.library()
    if kernel is not None and old is not None:
        prepared = prototype.PrototypeField(kernel, scene_, rebuild=False)
        runners["prototype"] = _timed(_in_turn(prepared.solve, old.visible, old.cover), scene_)
    return runners


def _in_turn(*parts: Answer) -> Answer:
    return lambda cell: [part(cell) for part in parts]


def _timed(solve: Answer, scene_: BenchScene) -> Runner:
    sources = scene_.rounds()
    return here(lambda: solve(next(sources)))


def _hex_runners(scale: str) -> dict[str, Runner]:
    runners = own("hex_blind_zone", scale)
    node = remote.node()
    if node is not None and scale != "large":  # its lines to every hex take seconds
        runners["honeycomb_grid"] = node.runner("hex_blind_zone", scale)
    return runners


def _field_of_view_runners(scale: str) -> dict[str, Runner]:
    """Return the runners of field of view. Rules differ: tcod and rot.js approximate, ours is exact."""
    scene_ = scene(scale)
    side = scene_.size.side
    clear = np.ones((side, side), bool)
    for x, y in scene_.closed:
        clear[y, x] = False
    algorithm = tcod.constants.FOV_SYMMETRIC_SHADOWCAST
    runners = own("field_of_view", scale)
    runners["tcod"] = _timed(
        lambda cell: tcod.map.compute_fov(clear, (cell[1], cell[0]), algorithm=algorithm), scene_
    )
    node = remote.node()
    if node is not None:
        runners["rot_js"] = node.runner("field_of_view", scale)
    return runners


def agree(scene_: BenchScene, peer: ShapelyPeer) -> None:
    """Raise AssertionError if shapely finds other visible cells or other cover."""
    side, blockers = scene_.size.side, blockers_of(scene_)
    targets = [box_corners(one) for one in boxes_of(scene_)]
    for start in scene_.sources[:3]:
        seen = peer.visible(start).reshape(side, side)
        theirs = {(int(x), int(y)) for y, x in np.argwhere(seen)}
        assert theirs == set(visible(scene_.board, center(start), blockers)), (
            f"shapely sees other cells: {start}"
        )
        ours = [sum(c.walls) + sum(c.bodies) for c in covers(box_corners(box(start)), targets, blockers)]
        assert peer.cover(start).tolist() == ours, f"shapely finds another cover from {start}"


def agree_with_prototype(scene_: BenchScene, old: PrototypeSight) -> None:
    """Raise AssertionError if the prototype finds other visible cells or other cover."""
    side, blockers = scene_.size.side, blockers_of(scene_)
    targets = [box_corners(one) for one in boxes_of(scene_)]
    for start in scene_.sources[:3]:
        bits = np.unpackbits(old.visible(start).view(np.uint8), axis=1, bitorder="little")[:, :side]
        theirs = {(int(x), int(y)) for y, x in np.argwhere(bits == 0)}
        ours = set(visible(scene_.board, center(start), blockers))
        assert theirs == ours, f"the prototype sees other cells from {start}"
        found = [sum(c.walls) + sum(c.bodies) for c in covers(box_corners(box(start)), targets, blockers)]
        assert old.cover(start)[1:].sum(1).tolist() == found, (
            f"the prototype finds another cover from {start}"
        )
