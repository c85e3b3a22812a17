"""Races of movement fields. Before each race every peer must give our answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from bench.geometry import prototype, remote
from bench.geometry.jobs import job
from bench.geometry.peer_graphs import scipy_solver, tcod_solver
from bench.geometry.scenes import SIZES, BenchScene, scene
from bench.geometry.timing import Race, Runner, here
from enfilade.geometry.board.base import Cell
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph

OWN = (
    "movement_field_and_graph",
    "hex_field",
    "facing_field",
    "alternating_field",
    "threat_map",
    "gridless_field",
    "group_outline",
)


def races() -> Iterator[Race]:
    """Yield all races of movement."""
    for scale in SIZES:
        yield Race("movement_field", scale, _field_runners(scale), rival="tcod")
        for name in OWN:
            yield Race(name, scale, own(name, scale))


def own(name: str, scale: str) -> dict[str, Runner]:
    """Return the runners of our engine with C and without."""
    return {
        "enfilade_c": here(job(name, scale)),
        "enfilade_python": remote.without_kernel().runner(name, scale),
    }


def _field_runners(scale: str) -> dict[str, Runner]:
    scene_ = scene(scale)
    peers: dict[str, Callable[[Cell], object]] = {"tcod": tcod_solver(scene_), "scipy": scipy_solver(scene_)}
    agree(scene_, peers)
    runners = own("movement_field", scale)
    runners |= {name: _timed(solve, scene_) for name, solve in peers.items()}
    kernel = prototype.library()
    if kernel is not None:
        prepared = prototype.PrototypeField(kernel, scene_, rebuild=False)
        agree_with_prototype(scene_, prepared)
        runners["prototype"] = _timed(prepared.solve, scene_)
    node = remote.node()
    if node is not None:  # an easier job: every step costs 1
        runners["rot_js"] = node.runner("movement_field", scale)
    return runners


def _timed(solve: Callable[[Cell], object], scene_: BenchScene) -> Runner:
    sources = scene_.rounds()
    return here(lambda: solve(next(sources)))


def agree(scene_: BenchScene, peers: dict[str, Callable[[Cell], object]]) -> None:
    """Raise AssertionError if a peer finds another cost from a few sources."""
    side, graph = scene_.size.side, MovementGraph(scene_.board, scene_.terrain)
    for start in scene_.sources[:3]:
        costs = Field(graph, start).costs
        for name, solve in peers.items():
            found = np.asarray(solve(start), float).reshape(side, side)
            theirs = {(x, y): found[y, x] for y, x in np.argwhere(found < 1 << 30)}
            assert theirs == costs, f"{name} differs on a scene {side} cells wide"


def agree_with_prototype(scene_: BenchScene, prepared: prototype.PrototypeField) -> None:
    """Raise AssertionError if the prototype finds another cost; it writes 0 into closed cells."""
    graph = MovementGraph(scene_.board, scene_.terrain)
    for start in scene_.sources[:3]:
        found, field = prepared.solve(start), Field(graph, start)
        for cell in set(scene_.sources) - {start}:
            cost = int(found[graph.grid.index(cell)])
            assert field.cost(cell) == (None if cost == 0xFFFF else cost), f"the prototype differs at {cell}"
