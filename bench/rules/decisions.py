"""Decision maps: 150 reachable cells against 20 enemies on the typical scene, nothing of the scene cached.

Coup-de-Grace: its units on squares, with the walls of the scene. Torn: its units on Hexes with landscape. The
other games: their units on the squares, with the cells that their first unit reaches, at most as many. The
odds of equal attacks stay cached between the rounds, and garbage is collected as seldom, as in a server that
runs; "cold" is the first round, in which the odds are worked out too. "first": the cells that a page colors
before the whole map is there.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec.structs import replace

from bench.geometry.scenes import SIZES, scene
from enfilade.cluster.serve import tune_garbage_collector
from enfilade.play.setup import prepare_scene
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Grid, Scene, Side, Terrain, Token, Wall
from enfilade.tactics.advice import decision_map

ENEMIES, CELLS, FIRST = 20, 150, 20
ROUNDS = 9
POINTS = 16

Place = tuple[int, int]


def decisions() -> dict[str, float]:
    """Return the CPU milliseconds of maps: the whole, cold and warm, and the first colors."""
    tune_garbage_collector()
    found: dict[str, float] = {}
    games = {ruleset.key: ruleset for ruleset in BUILT_IN}
    for key, battle in (("coup_de_grace", _fast(squares(BUILT_IN[0]))), ("torn", hexes())):
        ruleset = games.pop(key)
        found[f"{key}_cold_ms"] = _least(ruleset, battle, CELLS, rounds=1)
        found[f"{key}_ms"] = _least(ruleset, battle, CELLS)
        found[f"{key}_first_ms"] = _least(ruleset, battle, FIRST)
    for key, ruleset in games.items():
        found[f"{key}_ms"] = _least(ruleset, squares(ruleset), CELLS, is_fast=False)
    return found


def _least(
    ruleset: Ruleset, battle: Scene, cells: int, rounds: int = ROUNDS, *, is_fast: bool = True
) -> float:
    """Return the least time of several, because the machine is never idle.

    A fast hero reaches all the cells.
    """
    times = []
    for _ in range(rounds):
        fresh = replace(
            battle,
            walls=tuple(map(replace, battle.walls)),
            terrain=tuple(map(replace, battle.terrain)),
            tokens=tuple(map(replace, battle.tokens)),
        )
        start = time.process_time()
        found = decision_map(ruleset, fresh, "hero", 0, most=cells)
        times.append(time.process_time() - start)
        reached = len(found.cells)
        assert reached == cells if is_fast else reached > 1, f"{ruleset.key}: {reached} cells in reach"
    return round(min(times) * 1000, 1)


def _tokens(ruleset: Ruleset, hero: Place, places: Sequence[Place]) -> tuple[Token, ...]:
    units = [unit for unit in ruleset.catalog if unit.profile.get("size") not in ("large", "huge")]
    enemies = tuple(
        Token(
            id=f"enemy-{i}",
            name=f"Enemy {i}",
            side="red",
            at=at,
            facing=(i * 90) % 360,
            profile=units[i % len(units)].profile,
        )
        for i, at in enumerate(places)
    )
    return (Token(id="hero", name="Hero", side="blue", at=hero, profile=units[0].profile), *enemies)


def squares(ruleset: Ruleset) -> Scene:
    """Return the typical scene with a hero in the middle of 20 enemies."""
    found, side = scene("typical"), SIZES["typical"].side
    hero = (30, 30)
    around = [(30 + dx * 5, 30 + dy * 5) for dx in (-2, -1, 0, 1, 2) for dy in (-2, -1, 0, 1, 2)]
    places = [at for at in around if at != hero][:ENEMIES]
    bare = Scene(
        ruleset=ruleset.key,
        grid=Grid("square", side, side),
        walls=tuple(Wall(id=f"w{i}", line=line) for i, line in enumerate(found.walls)),
        sides=(Side(id="blue", name="Blue"), Side(id="red", name="Red")),
        tokens=_tokens(ruleset, hero, places),
    )
    return prepare_scene(ruleset, bare)


def _fast(battle: Scene) -> Scene:
    """Return the battle in the hero's turn, with enough movement points to reach the cells."""
    tokens = tuple(
        replace(one, tracks={**one.tracks, "mp": POINTS}) if one.id == "hero" else one
        for one in battle.tokens
    )
    return replace(battle, tokens=tokens, tracks={"round": 1}, conditions={"active": "hero"})


def hexes() -> Scene:
    """Return a field of Hexes with landscape, a fast hero and 20 enemies."""
    ruleset = next(ruleset for ruleset in BUILT_IN if ruleset.key == "torn")
    hero = (20, 20)
    around = [(20 + dx * 4, 20 + dy * 4) for dx in (-2, -1, 0, 1, 2) for dy in (-2, -1, 0, 1, 2)]
    blocks = tuple(
        Terrain(f"rock-{i}", "Rock", ((x, y), (x + 1, y)), 0, blocks_sight=True, kind="volume")
        for i, (x, y) in enumerate([(14, 17), (22, 23), (26, 14), (17, 25), (25, 26), (13, 22)])
    )
    bare = Scene(
        ruleset=ruleset.key,
        grid=Grid("hex_odd_r", 40, 40, units="Hexes"),
        terrain=blocks,
        sides=(Side(id="blue", name="Blue"), Side(id="red", name="Red")),
        tokens=_tokens(ruleset, hero, [at for at in around if at != hero][:ENEMIES]),
    )
    return prepare_scene(ruleset, _runner(bare))


def _runner(battle: Scene) -> Scene:
    """Return the battle with a hero who runs eight Hexes."""
    hero = battle.token("hero")
    tiles = [{**tile, "range": 8} if tile["kind"] == "run" else tile for tile in hero.profile["tiles"]]
    profile = {**hero.profile, "tiles": tiles}
    return replace(
        battle, tokens=tuple(replace(one, profile=profile) if one is hero else one for one in battle.tokens)
    )


if __name__ == "__main__":
    print(decisions())
