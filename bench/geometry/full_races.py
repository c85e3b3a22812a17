"""The whole job after one token has moved: its field, what it sees, and its cover on every other token.

Ours takes walls and tokens as a table does; the peers' graphs, prepared walls and trees are built before.
Lines through the point where two tokens touch pass here, because shapely has no other rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from bench.geometry import prototype
from bench.geometry.movement_races import own
from bench.geometry.peer_graphs import scipy_solver, tcod_solver
from bench.geometry.peer_shapes import ShapelySight
from bench.geometry.prototype_job import PrototypeJob
from bench.geometry.scenes import SIZES, BenchScene, scene
from bench.geometry.sight_jobs import Shooter
from bench.geometry.timing import Race, Runner, here
from enfilade.geometry.units import Cell


def races() -> Iterator[Race]:
    """The whole job on each scene."""
    for scale in SIZES:
        yield Race("full_job", scale, _runners(scale), rival="tcod_shapely")


def _runners(scale: str) -> dict[str, Runner]:
    scene_ = scene(scale)
    shapes = ShapelySight(scene_)
    _agree(scene_, shapes)
    runners = own("full_job", scale)
    runners |= {
        "tcod_shapely": _peer(scene_, tcod_solver(scene_), shapes),
        "scipy_shapely": _peer(scene_, scipy_solver(scene_), shapes),
    }
    kernel = prototype.library()
    if kernel is not None:
        whole, sources = PrototypeJob(kernel, scene_), scene_.rounds()
        runners["prototype"] = here(lambda: whole.run(next(sources)))
    return runners


def _peer(scene_: BenchScene, solve: Callable[[Cell], object], shapes: ShapelySight) -> Runner:
    sources = scene_.rounds()

    def run() -> None:
        at = next(sources)
        solve(at)
        shapes.visible(at)
        shapes.covers(at)

    return here(run)


def _agree(scene_: BenchScene, shapes: ShapelySight) -> None:
    """Raise AssertionError where shapely sees or counts otherwise than we do, for a few places."""
    shooter = Shooter(scene_)
    for at in scene_.sources[:3]:
        shooter.at = at
        ours = np.zeros((scene_.size.side, scene_.size.side), bool)
        for column, row in shooter.visible():
            ours[row, column] = True
        assert (ours == shapes.visible(at)).all(), f"shapely sees otherwise from {at}"
        blocked = [sum(cover.walls) + sum(cover.bodies) for cover in shooter.covers()]
        assert blocked == shapes.covers(at).tolist(), f"shapely counts other cover from {at}"
