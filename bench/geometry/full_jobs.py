"""Our whole job after one token has moved, made ready to be timed."""

from __future__ import annotations

from collections.abc import Callable

from bench.geometry.scenes import BenchScene, scene
from bench.geometry.sight_jobs import Shooter
from enfilade.geometry.ground import Ground
from enfilade.geometry.movement import Field

Job = Callable[[], object]


def full_job(scale: str) -> Job:
    """The first token moves on, and everything about it is worked out anew."""
    return full_job_of(scene(scale))


def full_job_of(scene_: BenchScene) -> Job:
    """The same on any scene."""
    ground, sources, shooter = Ground(scene_.board, scene_.going), scene_.rounds(), Shooter(scene_)
    _ = ground.links

    def run() -> None:
        shooter.at = next(sources)
        Field(ground, shooter.at)
        shooter.visible()
        shooter.covers()

    return run


FULL_JOBS = {"full_job": full_job}
