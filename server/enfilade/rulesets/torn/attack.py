"""The action Attack, from its declaration to its last removal (TRN-001 to TRN-064, TRN-078 to TRN-096)."""

from __future__ import annotations

from typing import Any

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.rules.modifiers import Modifier
from enfilade.rules.procedures import Act, Call, Change, Outcome, Require, Settled, Steps
from enfilade.rulesets.torn.attack_setup import (
    Blow,
    blow,
    defence_dice,
    group_targets,
    is_harmless,
    others_in_hexon,
    why_illegal,
)
from enfilade.rulesets.torn.battlefield import battlefield
from enfilade.rulesets.torn.damage import suffer
from enfilade.rulesets.torn.effects import bring_about, takes_effect
from enfilade.rulesets.torn.profiles import Miniature, Tile, miniature
from enfilade.rulesets.torn.reactions import counter_attacks
from enfilade.rulesets.torn.simultaneous import clash
from enfilade.rulesets.torn.suffered import Suffered
from enfilade.rulesets.torn.turn import must_be_able, spend
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene


def named(scene: Scene, act: Act) -> tuple[Miniature, Tile, Miniature]:
    """The attacker, the tile and the target of an act; raises NotFound, IllegalAct for a wrong tile."""
    attacker, target = miniature(scene.token(act.token)), miniature(scene.token(act.target))
    tile = attacker.tile(act.weapon)
    if tile is None or not tile.is_attack or tile.kind != act.kind:
        raise IllegalAct(f"{attacker.name} has no {act.kind} attack '{act.weapon}'.", "TRN-001")
    for mini in (attacker, target):
        if mini.token.at is None or mini.token.at not in battlefield(scene).board:
            raise OutOfReach(f"{mini.name} is not on the battlefield.", "TRN-012")
    if attacker.id == target.id:
        raise IllegalAct(f"{attacker.name} cannot attack itself.", "TRN-002")
    return attacker, tile, target


def must_be_legal(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> None:
    """Step one: raises the IllegalAct that says why the target or the act is not legal (TRN-012)."""
    must_be_able(scene, attacker, tile)
    sentence, rule = why_illegal(scene, attacker, tile, target)
    if sentence:
        raise (OutOfReach if rule in ("TRN-006", "TRN-009") else IllegalAct)(sentence, rule)


def attack(scene: Scene, act: Act) -> Steps:
    """An attack with a tile on a target, with the reactions to it (TRN-004)."""
    attacker, tile, target = named(scene, act)
    yield Require(must_be_legal, (scene, attacker, tile, target))
    yield _declared(scene, attacker, tile, target)
    scene = yield from spend(scene, attacker, tile)
    area = others_in_hexon(scene, attacker, target) if tile.area and not is_harmless(tile) else []
    blows: tuple[Blow, ...] = ()
    if tile.kind == "melee":
        scene, blows = yield from counter_attacks(scene, attacker, [target, *area])
    if is_harmless(tile):
        return (yield from _without_damage(scene, attacker, tile, target, blows))
    all_blows = (
        blow(scene, "attack", attacker, tile, target),
        *(blow(scene, "area", attacker, tile, other) for other in area),
        *blows,
    )
    beside = tuple(group_targets(scene, attacker, tile, target)) if not tile.area else ()
    suffered = yield Call(clash, (all_blows, beside))
    outcome = _outcome(attacker, target, suffered)
    yield Settled(outcome)
    yield from suffer(scene, suffered)
    return outcome


def _without_damage(
    scene: Scene, attacker: Miniature, tile: Tile, target: Miniature, counters: tuple[Blow, ...]
) -> Steps:
    succeeds = yield from takes_effect(scene, attacker, tile)
    outcome = Outcome("effect" if succeeds else "no effect")
    yield Settled(outcome)
    yield Change(Explained(kind="effect", facts={"result": outcome.result, "effect": tile.effect}))
    suffered = (yield Call(clash, (counters,))) if counters else ()
    if succeeds:
        scene = yield from bring_about(scene, attacker, tile, target)
    yield from suffer(scene, suffered)
    return outcome


def _outcome(attacker: Miniature, target: Miniature, suffered: tuple[Suffered, ...]) -> Outcome:
    wounds = {one.token: one.wounds for one in suffered}
    dealt = min(wounds.get(target.id, 0), target.wounds)
    back = min(wounds.get(attacker.id, 0), attacker.wounds)
    leaves = [
        "removed" if dealt >= target.wounds else "",
        f"attacker loses {back}" if back else "",
        "attacker removed" if back >= attacker.wounds else "",
    ]
    return Outcome("hit" if dealt else "miss", dealt, ", ".join(word for word in leaves if word))


def _declared(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> Change:
    modifiers = defence_dice(scene, attacker, tile, target)
    facts: dict[str, Any] = {
        "token": attacker.id,
        "target": target.id,
        "act": tile.name,
        "pool": tile.pool._asdict(),
        "damage": tile.damage,
        "type": tile.type,
        "ethereal": tile.ethereal,
        "defences": [_plain(modifier) for modifier in modifiers],
    }
    return Change(Explained(kind="declared", facts=facts))


def _plain(modifier: Modifier) -> dict[str, Any]:
    return {"reason": modifier.reason, "value": modifier.value, "rule": modifier.rule, "counts": True}
