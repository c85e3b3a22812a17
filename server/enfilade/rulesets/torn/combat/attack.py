"""The action Attack, from its declaration to the last removal (TRN-001 to TRN-064, TRN-078 to TRN-096)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.geometry.board.hex import AXIAL_STEPS, Axial
from enfilade.geometry.board.units import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.displace import displace
from enfilade.rules.procedures import Act, Call, Change, Choose, Outcome, Require, Settled, Steps
from enfilade.rulesets.torn.battlefield import battlefield, cell_answers, parse_cell
from enfilade.rulesets.torn.combat.attack_rolls import any_success, effect_roll
from enfilade.rulesets.torn.combat.attack_setup import (
    AttackInstance,
    build_attack,
    defense_modifiers,
    group_targets,
    low_visibility_faces,
    others_in_hexon,
    target_refusal,
)
from enfilade.rulesets.torn.combat.damage import Damage, apply_damage, is_immune, panic_test
from enfilade.rulesets.torn.combat.reactions import counter_attacks
from enfilade.rulesets.torn.combat.simultaneous import resolve_simultaneous
from enfilade.rulesets.torn.dice import table_dice
from enfilade.rulesets.torn.positions import ForcedMoves, is_free
from enfilade.rulesets.torn.profiles import MARKERS, Miniature, Tile, read_miniature
from enfilade.rulesets.torn.turn import expire_markers, require_action, spend_action
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
        if miniature.token.at is None or miniature.token.at not in battlefield(scene).board:
            raise OutOfReach(localize("torn.refuse_off_board", name=miniature.name), "TRN-012", "edge")
    if attacker.id == target.id:
        raise IllegalAct(localize("torn.refuse_itself", name=attacker.name), "TRN-002", "target")
    return attacker, tile, target


def require_legal_attack(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> None:
    """Check step one. Raises IllegalAct or OutOfReach if the action or its target is illegal (TRN-012)."""
    require_action(scene, attacker, tile)
    sentence, rule, cause = target_refusal(scene, attacker, tile, target)
    if sentence:
        raise (OutOfReach if rule in ("TRN-006", "TRN-009") else IllegalAct)(sentence, rule, cause)


def caught(scene: Scene, act: Act) -> Sequence[str]:
    """Return the other miniatures in the Hexons of an Area Attack's target (TRN-011)."""
    if act.kind not in ("melee", "ranged") or not act.target:
        return ()
    attacker, tile, target = read_attack(scene, act)
    return [one.id for one in others_in_hexon(scene, attacker, target)] if tile.area else ()


def attack(scene: Scene, act: Act) -> Steps:
    """Resolve an attack with a tile on a target, with the reactions to it (TRN-004)."""
    attacker, tile, target = read_attack(scene, act)
    yield Require(require_legal_attack, (scene, attacker, tile, target))
    yield _declare(scene, attacker, tile, target)
    scene = yield from spend_action(scene, attacker, tile)
    scene, attacks = yield from gather_attacks(scene, attacker, tile, target)
    if tile.is_harmless:
        return (yield from _attack_without_damage(scene, attacker, tile, target, attacks))
    concerned = ((attacker.id, attacker.wounds), (target.id, target.wounds))
    damage = yield Call(resolve_simultaneous, (attacks,), outcome_arguments=(attacks, concerned))
    outcome = _outcome(attacker, target, damage)
    yield Settled(outcome)
    declared = scene
    scene = yield from apply_damage(scene, damage)
    yield from _end_counters(scene, declared, attacks)
    return outcome


def gather_attacks(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> Steps:
    """Ask for Counter Attacks; return the scene and all attacks that count at the same time (TRN-095).

    A tile that does no harm leaves the Counter Attacks alone.
    """
    area = others_in_hexon(scene, attacker, target) if tile.area else []
    counters: tuple[AttackInstance, ...] = ()
    if tile.kind == "melee":
        scene, counters = yield from counter_attacks(scene, attacker, [target, *area])
    if tile.is_harmless:
        return scene, counters
    first = build_attack(scene, "attack", attacker, tile, target)
    first = first._replace(beside=group_targets(scene, attacker, tile, target))
    others = (build_attack(scene, "area", attacker, tile, other) for other in area)
    return scene, (first, *others, *counters)


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
    removed = localize("torn.outcome_removed") if dealt >= target.wounds else ""
    leaves = (removed, _attacker_leaves(attacker, damage))
    return Outcome("hit" if dealt else "miss", dealt, ", ".join(text for text in leaves if text))


def _attacker_leaves(attacker: Miniature, damage: tuple[Damage, ...]) -> str:
    """Return what an attack costs its attacker, in words; empty if nothing."""
    returned = min(_wounds_of(attacker, damage), attacker.wounds)
    if not returned:
        return ""
    loses = localize("torn.outcome_attacker_loses", wounds=returned)
    if returned < attacker.wounds:
        return loses
    return ", ".join((loses, localize("torn.outcome_attacker_removed")))


def _wounds_of(miniature: Miniature, damage: tuple[Damage, ...]) -> int:
    return sum(total.wounds for total in damage if total.token == miniature.id)


# Attacks without damage


def _attack_without_damage(
    scene: Scene, attacker: Miniature, tile: Tile, target: Miniature, counters: tuple[AttackInstance, ...]
) -> Steps:
    """Apply the tile's effect if the attack succeeds: always without dice (TRN-078 to TRN-081)."""
    succeeds = True
    if any(tile.pool):
        rerolled = low_visibility_faces(scene, tile, target)
        succeeds = yield Call(effect_roll, (attacker.token.side, table_dice(scene), tile.pool, rerolled))
    result = "effect" if succeeds else "no effect"
    yield Change(Explained(kind="effect", facts={"result": result, "effect": tile.effect}))
    damage: tuple[Damage, ...] = ()
    if counters:
        concerned = ((attacker.id, attacker.wounds),)
        damage = yield Call(resolve_simultaneous, (counters,), outcome_arguments=(counters, concerned))
    outcome = Outcome(result, leaves=_attacker_leaves(attacker, damage))
    yield Settled(outcome)
    declared = scene
    if succeeds:
        scene = yield from _apply_effect(scene, attacker, tile, target)
    scene = yield from apply_damage(scene, damage)
    yield from _end_counters(scene, declared, counters)
    return outcome


def _end_counters(scene: Scene, declared: Scene, attacks: Sequence[AttackInstance]) -> Steps:
    """End the activation of each miniature that used it up for a Counter Attack (TRN-089, TRN-092).

    The markers that it had when that was declared bite and end. Those of the attack itself come at the same
    time as the end, and stay for its next activation.
    """
    for one in attacks:
        if one.occasion == "counter" and scene.token(one.attacker).has("activated"):
            held = [marker for marker in MARKERS if declared.token(one.attacker).has(marker)]
            scene = yield from expire_markers(scene, one.attacker, held)
    return scene


def _apply_effect(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> Steps:
    """Apply the effect to the target, or to each enemy in its Hexon (TRN-080); return the scene."""
    targets = [target]
    if tile.area:
        others = others_in_hexon(scene, attacker, target)
        targets += [other for other in others if not scene.are_allies(attacker.token, other.token)]
    for affected in targets:
        if is_immune(affected, tile.type):
            yield Change(Explained(kind="immune", facts={"token": affected.id, "to": tile.type}))
        elif tile.effect in _EFFECTS and scene.token(affected.id).at is not None:
            scene = yield from _EFFECTS[tile.effect](scene, attacker.id, affected.id)
    return scene


def _panic(scene: Scene, attacker: str, target: str) -> Steps:
    del attacker
    return (yield from panic_test(scene, target))


def _shift(scene: Scene, attacker: str, target: str) -> Steps:
    """Move infantry one Hex straight from the attacker, if it is free; larger ones stay (house reading).

    After a successful Dexterity Test its owner chooses the Hex.
    """
    miniature = read_miniature(scene.token(target))
    if miniature.token.at is None:
        return scene
    if miniature.profile.size != "infantry":
        yield Change(Explained(kind="too large", facts={"token": target}))
        return scene
    to = hex_behind(scene, read_miniature(scene.token(attacker)), miniature)
    test = (localize("torn.roll_dexterity_test"), table_dice(scene).agility, miniature.profile.agility)
    passes = yield Call(any_success, test)
    free = [cell for cell in battlefield(scene).board.neighbors(miniature.token.at) if is_free(scene, cell)]
    if passes and free:
        answers = cell_answers(free)
        default = answers[free.index(to)].key if to in free and to else answers[0].key
        question = localize("torn.ask_shift", name=miniature.name)
        to = parse_cell((yield Choose(miniature.token.side, question, answers, default, miniature.id)))
    yield Change(Explained(kind="shifted", facts={"token": target, "passes": passes, "moved": to in free}))
    scene, _ = yield from displace(scene, target, to, "shift", ForcedMoves)
    return scene


def hex_behind(scene: Scene, pusher: Miniature, miniature: Miniature) -> Cell:
    """Return the Hex beside a miniature that lies farthest from the pusher's center, on the board or off.

    A huge pusher pushes from the center of its nearest Hexon.
    """
    field = battlefield(scene)
    assert pusher.token.at is not None
    assert miniature.token.at is not None
    own_q, own_r = field.board.axial(miniature.token.at)
    centers = [field.center(hexon) for hexon in sorted(field.place_of(field.body(pusher)))]
    sources = [pusher.token.at] if pusher.profile.size == "infantry" else centers
    q, r = min(map(field.board.axial, sources), key=lambda at: _squared((own_q - at[0], own_r - at[1])))
    step = max(AXIAL_STEPS, key=lambda step: _squared((own_q + step[0] - q, own_r + step[1] - r)))
    return field.board.offset((own_q + step[0], own_r + step[1]))


def _squared(way: Axial) -> int:
    """Return the square of a distance between centers, in Hexes."""
    q, r = way
    return q * q + r * r + q * r


_EFFECTS: dict[str, Callable[[Scene, str, str], Steps]] = {"panic test": _panic, "shift": _shift}
