"""The longest time that an answer keeps the server's thread, at the largest scenes that the contract allows.

`python -m bench.rules.slices`: for each game an overlay of every layer, a verdict and the odds of an act on a
board of 500 by 500 cells with 10,000 walls and 500 tokens. Prints a line for each, and the longest slice: the
CPU time between two moments at which other answers may run. As in the server, a long call of the kernel is no
part of a slice, because another thread runs it without the interpreter lock, and garbage is collected seldom.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from enfilade.cluster.serve import tune_garbage_collector
from enfilade.errors import EnfiladeError
from enfilade.play.setup import prepare_scene
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN
from enfilade.runtime.time_budget import TimeBudget, time_limited
from enfilade.scene.model import Grid, GridKind, Scene, Side, Terrain, Token, Wall
from enfilade.tactics.overlays import AREA_LAYERS, overlay
from enfilade.tactics.verdicts import verdict

SIDE, WALLS, TOKENS = 500, 10_000, 500
LIMIT = 1.0
"""The seconds of one answer, as the server limits it."""


def slices() -> dict[str, dict[str, float]]:
    """Return the longest slice in CPU milliseconds of each kind of answer, by game."""
    thresholds = gc.get_threshold()
    tune_garbage_collector()
    try:
        return {ruleset.key: _of_game(ruleset) for ruleset in BUILT_IN}
    finally:  # other measures may follow
        gc.unfreeze()
        gc.set_threshold(*thresholds)


def _of_game(ruleset: Ruleset) -> dict[str, float]:
    largest = largest_scene(ruleset)
    token, other = largest.tokens[0].id, largest.tokens[1].id
    answers: dict[str, Callable[[Scene], object]] = {
        layer: lambda scene, layer=layer: overlay(ruleset, scene, token, 0, [layer])
        for layer in ("reach", *AREA_LAYERS, "engagement", "targets")
    }
    answers["verdict"] = lambda scene: verdict(ruleset, scene, token, other, 0)
    found = {f"{name}_ms": _longest_slice(answer, largest) for name, answer in answers.items()}
    return {"longest_ms": max(found.values()), **found}


def _longest_slice(answer: Callable[[Scene], object], largest: Scene) -> float:
    fresh = replace(largest, walls=(*largest.walls,), terrain=(*largest.terrain,))
    longest, since = 0.0, time.thread_time()

    def rest() -> None:
        nonlocal longest, since
        now = time.thread_time()
        longest, since = max(longest, now - since), now

    def offload(function: Callable[..., object], arguments: Sequence[object]) -> tuple[object, float]:
        nonlocal since
        rest()
        began, result = since, function(*arguments)
        since = time.thread_time()
        return result, since - began

    try:
        with time_limited(TimeBudget(LIMIT, rest, offload=offload)):
            answer(fresh)
    except EnfiladeError as refused:
        print(f"  {type(refused).__name__}: {refused.sentence}")
    rest()
    return round(longest * 1000, 1)


def largest_scene(ruleset: Ruleset) -> Scene:
    """Return a scene of the largest size with walls and tokens all over it."""
    chance = random.Random(1)
    kinds: tuple[GridKind, ...] = ("square", "hex_odd_r", "gridless")
    kind = next(kind for kind in kinds if kind in ruleset.grids)
    walls = tuple(Wall(id=f"w{i}", line=_line(chance)) for i in range(WALLS))
    places = chance.sample([(x, y) for x in range(2, SIDE - 2, 3) for y in range(2, SIDE - 2, 3)], TOKENS)
    unit = 64 if kind == "gridless" else 1
    catalog = ruleset.catalog
    tokens = tuple(
        Token(
            id=f"t{i}",
            name=f"T{i}",
            side="red" if i % 2 else "blue",
            at=(x * unit, y * unit),
            profile=catalog[i % len(catalog)].profile,
        )
        for i, (x, y) in enumerate(places)
    )
    bare = Scene(
        ruleset=ruleset.key,
        grid=Grid(kind, SIDE, SIDE),
        walls=walls,
        terrain=(Terrain(id="wood", name="Wood", cells=tuple((x, 250) for x in range(SIDE)), cost=2),),
        sides=(Side(id="blue", name="Blue"), Side(id="red", name="Red")),
        tokens=tokens,
    )
    return prepare_scene(ruleset, bare)


def _line(chance: random.Random) -> tuple[int, int, int, int]:
    x, y = chance.randrange(SIDE) * 64, chance.randrange(SIDE) * 64
    return (x, y, x + chance.choice((0, 64, 320)), y + chance.choice((0, 64, 320)))


if __name__ == "__main__":
    for game, found in slices().items():
        print(f"slice: {game} " + " ".join(f"{name}={value}" for name, value in found.items()), flush=True)
