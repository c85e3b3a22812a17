"""Focus fire: five attackers around one target, of each game, nothing of the scene cached.

The target is the unit of the demo battle with the most hit points that five others can hurt, on an empty
board. Around it stand five enemies, each of a unit that can hurt it from there. The chances of equal rolls
stay cached between the rounds, as in a server that runs; "cold" is the first round.
"""

from __future__ import annotations

import time

from msgspec.structs import replace

from enfilade.importers.demo import demo_battle
from enfilade.play.setup import prepare_scene
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Scene, Token
from enfilade.tactics.expected_damage import DamageTable
from enfilade.tactics.focus_fire import focus_fire

ATTACKERS, ROUNDS, ENOUGH = 5, 15, 5.0
INCH = 64

Place = tuple[int, int]

CENTER: dict[str, Place] = {"square": (10, 10), "hex_odd_r": (10, 10), "gridless": (10 * INCH, 10 * INCH)}

AROUND: dict[str, tuple[Place, ...]] = {
    "square": ((0, 1), (-1, 0), (1, 0), (-1, 1), (1, 1), (1, -3), (-1, -3)),
    "hex_odd_r": ((1, 0), (-1, 0), (0, -1), (0, 1), (3, 0)),
    "gridless": ((128, 0), (-128, 0), (0, 128), (0, -128), (90, 90)),
}
"""Places of attackers from the target, in cells or 64ths of an inch, those that are tried first."""


def focus() -> dict[str, float]:
    """Return the CPU milliseconds of focus fire for each game, cold and warm."""
    found: dict[str, float] = {}
    for ruleset in (game for game in BUILT_IN if not game.only_moves):
        scene = battle(ruleset)
        found[f"{ruleset.key}_cold_ms"] = _least(ruleset, scene, 1)
        found[f"{ruleset.key}_ms"] = _least(ruleset, scene, ROUNDS)
    return found


def battle(ruleset: Ruleset) -> Scene:
    """Return five attackers in place around the toughest unit of the demo battle that they can hurt."""
    scene = demo_battle(ruleset).scene
    for target in sorted(scene.on_board(), key=lambda one: -_hit_points(ruleset, one)):
        enemies = [one for one in scene.on_board() if not scene.are_allies(one, target)]
        center = replace(target, id="target", at=CENTER[scene.grid.kind])
        found = _surrounded(ruleset, replace(scene, walls=(), terrain=(), tokens=(center,)), enemies)
        keys = [one.id for one in found.tokens if one.id != "target"]
        if len(keys) == ATTACKERS and all(_can_hurt(ruleset, found, key) for key in keys):
            return found
    raise AssertionError(f"{ruleset.key}: no five units of the demo battle can hurt one")


def _surrounded(ruleset: Ruleset, scene: Scene, enemies: list[Token]) -> Scene:
    """Return the scene with up to five attackers, a unit from among the enemies at each place."""
    (x, y), count = CENTER[scene.grid.kind], 0
    for dx, dy in AROUND[scene.grid.kind]:
        at, facing = (x + dx, y + dy), _facing(scene, dx, dy)
        key = f"attacker-{count}"
        for one in (*enemies[count % len(enemies) :], *enemies[: count % len(enemies)]):
            attacker = replace(one, id=key, at=at, facing=facing)
            there = prepare_scene(ruleset, replace(scene, tokens=(*scene.tokens, attacker)))
            if count < ATTACKERS and _can_hurt(ruleset, there, key):
                scene, count = there, count + 1
                break
    return scene


def _can_hurt(ruleset: Ruleset, scene: Scene, attacker: str) -> bool:
    ready = ruleset.outlook.ready(scene, (attacker,))
    return DamageTable(ruleset).best(ready, ready.token(attacker), ready.token("target")) is not None


def _hit_points(ruleset: Ruleset, token: Token) -> int:
    bar = ruleset.bar(ruleset.prepare_token(token))
    return bar.most if bar else 0


def _facing(scene: Scene, dx: int, dy: int) -> int:
    """Return the facing toward the target from a place, to the nearest 90 degrees, or 45 between two."""
    if scene.grid.kind == "hex_odd_r":
        return 0
    if abs(dx) == abs(dy):
        return {(1, 1): 315, (-1, 1): 45, (1, -1): 225, (-1, -1): 135}[dx // abs(dx), dy // abs(dy)]
    if abs(dx) > abs(dy):
        return 270 if dx > 0 else 90
    return 0 if dy > 0 else 180


def _least(ruleset: Ruleset, scene: Scene, rounds: int) -> float:
    """Return the least time of several, because the machine is never idle."""
    order, times = [f"attacker-{i}" for i in range(ATTACKERS)], []
    for _ in range(rounds):
        fresh = replace(scene, tokens=tuple(map(replace, scene.tokens)))
        start = time.process_time()
        found = focus_fire(ruleset, fresh, "target", order, 0)
        times.append(time.process_time() - start)
        assert len(found.best) == ATTACKERS
        if sum(times) > ENOUGH:
            break
    return round(min(times) * 1000, 2)


if __name__ == "__main__":
    print(focus())
