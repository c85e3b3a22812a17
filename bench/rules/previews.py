"""Previews of one archer's shots at forty targets, on the scene the geometry is raced on.

Each call has a scene of its own: what was worked out for the last one must not help.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from msgspec.structs import replace

from bench.geometry.scenes import SIZES, scene
from bench.geometry.timing import Race, here
from enfilade.play.setup import prepare_scene
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Grid, Scene, Side, Token, Wall
from enfilade.tactics.overlays import overlay

RULESET = BUILT_IN[0]
TARGETS = 40
ARCHER = {"armor": "unarmored", "race": "human", "hands": ["bow"]}


def races() -> Iterator[Race]:
    """With the typical scene's walls, and on open ground, where most targets can be hit."""
    for name, walls in (("typical", True), ("typical, no walls", False)):
        yield Race("previews", name, {"enfilade": here(_targets_of(typical_battle(walls)))})


def _targets_of(battle: Scene) -> Callable[[], object]:
    numbers = count()

    def look() -> object:
        fresh = replace(battle, name=f"battle {next(numbers)}")
        return overlay(RULESET, fresh, "archer", 0, ["targets"])

    return look


def typical_battle(has_walls: bool) -> Scene:
    """Return one archer and forty enemies on the typical scene, with its walls or without."""
    found, side = scene("typical"), SIZES["typical"].side
    free = [(x, y) for y in range(1, side, 3) for x in range(1, side, 2)]
    targets = tuple(_token(f"target-{i}", "red", free[i * 11]) for i in range(TARGETS))
    walls = tuple(Wall(id=f"w{i}", line=line) for i, line in enumerate(found.walls)) if has_walls else ()
    bare = Scene(
        ruleset=RULESET.key,
        grid=Grid("square", side, side),
        walls=walls,
        sides=(Side(id="blue", name="Blue"), Side(id="red", name="Red")),
        tokens=(_token("archer", "blue", (30, 59)), *targets),
    )
    return prepare_scene(RULESET, bare)


def _token(name: str, side: str, at: tuple[int, int]) -> Token:
    return Token(id=name, name=name, side=side, at=at, facing=0, profile=ARCHER)
