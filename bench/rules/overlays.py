"""Whole overlays, mostly with nothing cached: each call has walls, terrain and tokens of its own.

"typical" and "large": the units of a game on 60 by 60 cells with 300 walls and 40 tokens, and on 120 by 120
with 2,000 and 100. "moved": the median of all units on the first after a step of another: the walls and the
other tokens are those of the state before. Coup-de-Grace: an archer too, on the typical scene of the geometry
with 40 enemies. The other games: each miniature of their demo battle. "watched": ten overlays of
Coup-de-Grace that are shown again after each step of a miniature. Garbage is collected as seldom as in the
server. Each figure is the least of some rounds: what else runs on the machine only adds to it.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Sequence

from msgspec.structs import replace

from bench.geometry.scenes import Size, make
from bench.rules.previews import typical_battle
from enfilade.cluster.serve import tune_garbage_collector
from enfilade.importers.demo import demo_battle
from enfilade.play.setup import prepare_scene
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Grid, GridKind, Scene, Side, Token, Wall
from enfilade.tactics.overlays import overlay

ROUNDS = 15
FIELDS = {"typical": Size(60, 40, 300), "large": Size(120, 100, 2_000)}
"""Sides of boards in cells, tokens and walls."""
WATCHED, STEPS = 10, 5


def overlays() -> dict[str, dict[str, float]]:
    """Return the CPU milliseconds of overlays: all layers and the slow ones of each game."""
    tune_garbage_collector()
    rulesets = {ruleset.key: ruleset for ruleset in BUILT_IN}
    found = {key: _of_demo(rulesets[key]) for key in rulesets if key != "coup_de_grace"}
    found["coup_de_grace"] = _of_archer(rulesets["coup_de_grace"])
    for key, ruleset in rulesets.items():
        for name, size in FIELDS.items():
            found[key][f"{name}_ms"] = _least(ruleset, field_battle(ruleset, size), "t0")
        found[key]["moved_ms"] = _after_a_step(ruleset, field_battle(ruleset, FIELDS["typical"]))
    return {**found, "watched": {"update_ms": _update(rulesets["coup_de_grace"])}}


def field_battle(ruleset: Ruleset, size: Size) -> Scene:
    """Return a battle of a game's units in two sides all over a board of a size with its walls."""
    found, chance = make(size, seed="overlays"), random.Random(size.side)
    kinds: tuple[GridKind, ...] = ("square", "hex_odd_r", "gridless")
    kind = next(kind for kind in kinds if kind in ruleset.grids)
    places = chance.sample(
        [(x, y) for x in range(2, size.side - 2, 3) for y in range(2, size.side - 2, 3)], size.tokens
    )
    unit = 64 if kind == "gridless" else 1
    tokens = tuple(
        Token(
            id=f"t{i}",
            name=f"Unit {i}",
            side="red" if i % 2 else "blue",
            at=(x * unit, y * unit),
            profile=ruleset.catalog[i % len(ruleset.catalog)].profile,
        )
        for i, (x, y) in enumerate(places)
    )
    bare = Scene(
        ruleset=ruleset.key,
        grid=Grid(kind, size.side, size.side),
        walls=tuple(Wall(id=f"w{i}", line=line) for i, line in enumerate(found.walls)),
        sides=(Side(id="blue", name="Blue"), Side(id="red", name="Red")),
        tokens=tokens,
    )
    return prepare_scene(ruleset, bare)


def _of_archer(ruleset: Ruleset) -> dict[str, float]:
    battle = typical_battle(has_walls=True)
    return {
        "all_ms": _least(ruleset, battle, "archer"),
        "threat_ms": _least(ruleset, battle, "archer", ["threat"]),
        "targets_ms": _least(ruleset, battle, "archer", ["targets"]),
    }


def _of_demo(ruleset: Ruleset) -> dict[str, float]:
    battle = demo_battle(ruleset).scene
    tokens = [token.id for token in battle.on_board()]
    each = [_least(ruleset, battle, token) for token in tokens]
    threat = [_least(ruleset, battle, token, ["threat"]) for token in tokens]
    return {
        "median_ms": round(statistics.median(each), 2),
        "worst_ms": max(each),
        "threat_ms": round(statistics.median(threat), 2),
    }


def _least(ruleset: Ruleset, battle: Scene, token: str, layers: Sequence[str] | None = None) -> float:
    times = []
    for _ in range(ROUNDS):
        scene = fresh(battle)
        start = time.process_time()
        overlay(ruleset, scene, token, 0, layers)
        times.append(time.process_time() - start)
    return round(min(times) * 1000, 2)


def _after_a_step(ruleset: Ruleset, battle: Scene) -> float:
    """Return the median over all tokens of an overlay after another has stepped, the least of some steps."""
    found = []
    for place, token in enumerate(battle.tokens):
        overlay(ruleset, battle, token.id, 0)
        times, others = [], [*battle.tokens[:place], *battle.tokens[place + 1 :]]
        for mover in others[:STEPS]:
            assert mover.at is not None
            stepped = replace(mover, at=(mover.at[0] + 1, mover.at[1]))
            tokens = tuple(stepped if one is mover else one for one in battle.tokens)
            scene = replace(battle, tokens=tokens)
            start = time.process_time()
            overlay(ruleset, scene, token.id, 0)
            times.append(time.process_time() - start)
        found.append(min(times) * 1000)
    return round(statistics.median(found), 2)


def fresh(battle: Scene) -> Scene:
    """Return an equal scene of new values, for which nothing is cached."""
    return replace(
        battle,
        walls=tuple(map(replace, battle.walls)),
        terrain=tuple(map(replace, battle.terrain)),
        tokens=tuple(map(replace, battle.tokens)),
    )


def _update(ruleset: Ruleset) -> float:
    """Return the time of ten watched overlays after one miniature moved; only it and the scene are new."""
    battle, times = typical_battle(has_walls=True), []
    watched = [token.id for token in battle.tokens[:WATCHED]]
    mover = battle.tokens[-1]
    for number in range(ROUNDS + 1):
        moved = replace(mover, at=(number, 58))
        scene = replace(battle, tokens=(*battle.tokens[:-1], moved))
        start = time.process_time()
        for token in watched:
            overlay(ruleset, scene, token, 0)
        times.append(time.process_time() - start)
    return round(min(times[1:]) * 1000, 2)
