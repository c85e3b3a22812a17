"""The action Attack, from its declaration to the last removal (TRN-001 to TRN-064, TRN-078 to TRN-096)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.procedures import Act, Call, Change, Outcome, Require, Settled, Steps
from enfilade.rulesets.torn.combat.attack_setup import (
    AttackInstance,
    build_attack,
    defense_modifiers,
    group_targets,
    others_in_hexon,
    target_refusal,
)
from enfilade.rulesets.torn.combat.damage import Damage, apply_damage
from enfilade.rulesets.torn.combat.effects import apply_effect, play_effect, roll_effect
from enfilade.rulesets.torn.combat.reactions import HarmlessCounter, counter_attacks
from enfilade.rulesets.torn.combat.simultaneous import resolve_simultaneous
from enfilade.rulesets.torn.positions import stands_on_board
from enfilade.rulesets.torn.profiles import MARKERS, Miniature, Tile, read_miniature
from enfilade.rulesets.torn.turn import action_refusal, expire_markers, require_action, spend_action
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene


def read_attack(scene: Scene, act: Act) -> tuple[Miniature, Tile, Miniature]:
    """Return the attacker, the tile and the target of an act.

    Raises NotFound for an unknown token, IllegalAct for a wrong tile, OutOfReach off the board.
    """
    attacker, target = read_miniature(scene.token(act.token)), read_miniature(scene.token(act.target))
    tile = attacker.tile(act.weapon)
    if tile is None or not tile.is_attack or tile.kind != act.kind:
        key = {"melee": "torn.refuse_no_melee", "ranged": "torn.refuse_no_ranged"}[act.kind]
        raise IllegalAct(localize(key, name=attacker.name, tile=act.weapon), "TRN-001", "missing")
    for miniature in (attacker, target):
        if not stands_on_board(scene, miniature.token):
            raise OutOfReach(localize("torn.refuse_off_board", name=miniature.name), "TRN-012", "edge")
    if attacker.id == target.id:
        raise IllegalAct(localize("torn.refuse_itself", name=attacker.name), "TRN-002", "target")
    return attacker, tile, target


def require_legal_attack(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> None:
    """Check step one. Raises IllegalAct or OutOfReach if the action or its target is illegal (TRN-012)."""
    require_action(scene, attacker, tile)
    refused = _refused_at(scene, attacker, tile, target)
    if refused is not None:
        raise refused


def _refused_at(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> IllegalAct | None:
    refused = target_refusal(scene, attacker, tile, target)
    if refused is None:
        return None
    return (OutOfReach if refused.rule in ("TRN-006", "TRN-009") else IllegalAct)(*refused)


@per_scene
def _aim(
    scene: Scene, token_id: str, kind: str, weapon: str
) -> tuple[Miniature, Tile, IllegalAct | None] | None:
    """Return the attacker and the tile of attacks, and what refuses them at all targets.

    None if it is no such attack, or the attacker is off the board.
    """
    attacker = read_miniature(scene.token(token_id))
    tile = attacker.tile(weapon)
    if tile is None or not tile.is_attack or tile.kind != kind or not stands_on_board(scene, attacker.token):
        return None
    return attacker, tile, action_refusal(scene, attacker, tile)


def attack_refusal(scene: Scene, act: Act) -> IllegalAct | None:
    """Return the error that step one of an attack raises; None also if the act names no attack."""
    aim, target = _aim(scene, act.token, act.kind, act.weapon), read_miniature(scene.token(act.target))
    if aim is None or aim[0] is target or not stands_on_board(scene, target.token):
        return None
    attacker, tile, refused = aim
    return refused or _refused_at(scene, attacker, tile, target)


def attack(scene: Scene, act: Act) -> Steps:
    """Resolve an attack with a tile on a target, with the reactions to it (TRN-004)."""
    attacker, tile, target = read_attack(scene, act)
    yield Require(require_legal_attack, (scene, attacker, tile, target))
    yield _declare(scene, attacker, tile, target)
    scene = yield from spend_action(scene, attacker, tile)
    scene, attacks, effects = yield from gather_attacks(scene, attacker, tile, target)
    if tile.is_harmless:
        return (yield from _attack_without_damage(scene, attacker, tile, target, attacks, effects))
    concerned = ((attacker.id, attacker.wounds), (target.id, target.wounds))
    damage = yield Call(resolve_simultaneous, (attacks,), outcome_arguments=(attacks, concerned))
    outcome = _outcome(attacker, target, damage)
    yield Settled(outcome)
    declared = scene
    scene = yield from _play_counters(scene, effects, attacker.id)
    scene = yield from apply_damage(scene, damage)
    yield from _end_counters(scene, declared, attacks, effects)
    return outcome


def gather_attacks(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> Steps:
    """Ask for Counter Attacks; return the scene and all attacks that count at the same time (TRN-095).

    The third part are the Counter Attacks without damage. A tile that does no harm leaves those of others
    alone.
    """
    area = others_in_hexon(scene, attacker, target) if tile.area else []
    counters: tuple[AttackInstance, ...] = ()
    effects: tuple[HarmlessCounter, ...] = ()
    if tile.kind == "melee":
        scene, counters, effects = yield from counter_attacks(scene, attacker, [target, *area])
    if tile.is_harmless:
        return scene, counters, effects
    first = build_attack(scene, "attack", attacker, tile, target)
    first = first._replace(beside=group_targets(scene, attacker, tile, target))
    others = (build_attack(scene, "area", attacker, tile, other) for other in area)
    return scene, (first, *others, *counters), effects


def _declare(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> Change:
    facts: dict[str, Any] = {
        "token": attacker.id,
        "target": target.id,
        "act": tile.name,
        "pool": tile.pool._asdict(),
        "damage": tile.damage,
        "type": tile.type,
        "ethereal": tile.ethereal,
        "defenses": [
            {"reason": m.reason, "value": m.value, "rule": m.rule, "counts": True}
            for m in defense_modifiers(scene, attacker, tile, target)
        ],
    }
    return Change(Explained(kind="declared", facts=facts))


def _outcome(attacker: Miniature, target: Miniature, damage: tuple[Damage, ...]) -> Outcome:
    dealt = min(_wounds_of(target, damage), target.wounds)
    lost = "torn.outcome_transformed" if target.profile.becomes else "torn.outcome_removed"
    leaves = (localize(lost) if dealt >= target.wounds else "", _attacker_leaves(attacker, damage))
    return Outcome("hit" if dealt else "miss", dealt, ", ".join(text for text in leaves if text))


def _attacker_leaves(attacker: Miniature, damage: tuple[Damage, ...]) -> str:
    """Return what an attack costs its attacker, in words; empty if nothing."""
    returned = min(_wounds_of(attacker, damage), attacker.wounds)
    if not returned:
        return ""
    loses = localize("torn.outcome_attacker_loses", wounds=returned)
    if returned < attacker.wounds:
        return loses
    lost = "torn.outcome_attacker_transforms" if attacker.profile.becomes else "torn.outcome_attacker_removed"
    return ", ".join((loses, localize(lost)))


def _wounds_of(miniature: Miniature, damage: tuple[Damage, ...]) -> int:
    return sum(total.wounds for total in damage if total.token == miniature.id)


# Attacks without damage


def _attack_without_damage(
    scene: Scene,
    attacker: Miniature,
    tile: Tile,
    target: Miniature,
    counters: tuple[AttackInstance, ...],
    effects: Sequence[HarmlessCounter],
) -> Steps:
    """Apply the tile's effect if the attack succeeds: always without dice (TRN-078 to TRN-081)."""
    succeeds = yield from roll_effect(scene, attacker, tile, target)
    damage: tuple[Damage, ...] = ()
    if counters:
        concerned = ((attacker.id, attacker.wounds),)
        damage = yield Call(resolve_simultaneous, (counters,), outcome_arguments=(counters, concerned))
    result = "effect" if succeeds else "no effect"
    outcome = Outcome(result, leaves=_attacker_leaves(attacker, damage))
    yield Settled(outcome)
    declared = scene
    if succeeds:
        scene = yield from apply_effect(scene, attacker, tile, _affected(scene, attacker, tile, target))
    scene = yield from _play_counters(scene, effects, attacker.id)
    scene = yield from apply_damage(scene, damage)
    yield from _end_counters(scene, declared, counters, effects)
    return outcome


def _affected(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> Sequence[Miniature]:
    """Return the target, and the other enemies in the Hexon of an area (TRN-080)."""
    others = others_in_hexon(scene, attacker, target) if tile.area else []
    return [target, *(other for other in others if not scene.are_allies(attacker.token, other.token))]


def _play_counters(scene: Scene, effects: Sequence[HarmlessCounter], attacker: str) -> Steps:
    """Play the Counter Attacks without damage, each on the attacker alone; return the scene (TRN-095)."""
    for counter in effects:
        one, target = read_miniature(scene.token(counter.token)), read_miniature(scene.token(attacker))
        scene = yield from play_effect(scene, one, counter.tile, target)
    return scene


def _end_counters(
    scene: Scene, declared: Scene, attacks: Sequence[AttackInstance], effects: Sequence[HarmlessCounter]
) -> Steps:
    """End the activation of each miniature that used it up for a Counter Attack (TRN-089, TRN-092).

    The markers that it had when that was declared bite and end. Those of the attack itself come at the same
    time as the end, and stay for its next activation.
    """
    counters = [one.attacker for one in attacks if one.occasion == "counter"]
    for key in (*counters, *(one.token for one in effects)):
        if scene.token(key).has("activated"):
            held = [marker for marker in MARKERS if declared.token(key).has(marker)]
            scene = yield from expire_markers(scene, key, held)
    return scene
