"""Torn's sweep of a Hexon: today's callee with `concerned`, and a plain loop of `Each`."""

from __future__ import annotations

import time
from typing import Any

from tests.unit.rulesets.torn.test_area_odds import act, battle

from bench.each.compare import fresh
from enfilade.cluster.serve import tune_garbage_collector
from enfilade.rules import odds as module
from enfilade.rules.changes import set_track
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Call, Each, Require, Settled, Steps
from enfilade.rulesets.torn.combat.attack import (
    _declare,
    _outcome,
    attack,
    gather_attacks,
    read_attack,
    require_legal_attack,
    spend_action,
)
from enfilade.rulesets.torn.combat.attack_rolls import attack_roll, defense, exchange
from enfilade.rulesets.torn.combat.damage import Damage


def sweep(scene: Any, order: Any) -> Steps:
    attacker, tile, target = read_attack(scene, order)
    yield Require(require_legal_attack, (scene, attacker, tile, target))
    yield _declare(scene, attacker, tile, target)
    scene = yield from spend_action(scene, attacker, tile)
    scene, attacks = yield from gather_attacks(scene, attacker, tile, target)
    first, *others = attacks
    area = tuple(one for one in attacks if one.occasion != "counter")
    counters = tuple(one for one in others if one.occasion == "counter")
    hits = (yield Call(attack_roll, (first.spec,))).hits
    scene, _ = yield Each(area, defend, (hits,))
    scene, _ = yield Each(counters, strike_back)
    damage = tuple(Damage(one.id, scene.token(one.id).track("hurt")) for one in (attacker, target))
    outcome = _outcome(attacker, target, damage)
    yield Settled(outcome)
    return outcome


def defend(scene: Any, one: Any, hits: Any) -> Steps:
    yield from hurt(scene, one, (yield Call(defense, (one.spec, hits))))


def strike_back(scene: Any, one: Any) -> Steps:
    yield from hurt(scene, one, (yield Call(exchange, (one.spec,))))


def hurt(scene: Any, one: Any, result: Any) -> Steps:
    for token, wounds in ((one.defender, result.dealt), (one.attacker, result.returned)):
        if wounds:
            all_ = min(scene.token(token).track("wounds"), scene.token(token).track("hurt") + wounds)
            scene = yield set_track(scene, token, "hurt", all_)


def timed(board: Any, procedure: Any, order: Any) -> Any:
    times = []
    for _ in range(3):
        fresh()
        module.STATS.clear()
        start = time.process_time()
        found = odds(board, procedure, (order,))
        times.append(time.process_time() - start)
    return sorted(times)[1] * 1000, found


def main() -> None:
    tune_garbage_collector()
    for foes, nearest, dice in (
        (3, "foe0", 3),
        (5, "foe0", 6),
        (7, "foe5", 6),
        (7, "foe5", 10),
        (7, "foe5", 12),
    ):
        board = battle(foes, dice)
        old, a = timed(board, attack, act(nearest))
        new, b = timed(board, sweep, act(nearest))
        print(
            f"{foes} foes, {dice} dice: today {old:.0f} ms exact={a.is_exact}; Each {new:.0f} ms exact={b.is_exact} equal={a.chances == b.chances} {dict(module.STATS)}"
        )


if __name__ == "__main__":
    main()
