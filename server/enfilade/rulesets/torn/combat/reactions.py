"""Reactions to an action: Free Attacks (TRN-065 to TRN-077) and Counter Attacks (TRN-092 to TRN-095)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.rules.battle.memo import recent
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.procedures import (
    Act,
    Answer,
    Call,
    Change,
    Choose,
    ChooseAll,
    Outcome,
    Require,
    Steps,
    set_condition,
)
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import DANGEROUS, VORTEX, battlefield
from enfilade.rulesets.torn.combat.attack_setup import (
    AttackInstance,
    Occasion,
    build_attack,
    group_targets,
    target_refusal,
)
from enfilade.rulesets.torn.combat.damage import apply_damage
from enfilade.rulesets.torn.combat.decisions import expected_value, expects_gain
from enfilade.rulesets.torn.combat.effects import play_effect
from enfilade.rulesets.torn.combat.simultaneous import resolve_simultaneous
from enfilade.rulesets.torn.positions import engaged_enemies
from enfilade.rulesets.torn.profiles import Miniature, Tile, read_miniature
from enfilade.rulesets.torn.sight import unseen_reason
from enfilade.rulesets.torn.turn import require_action, spend_action
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene

NO = "no"
"""The answer that makes no reaction."""


@recent
def free_attackers(scene: Scene, miniature: Miniature) -> Sequence[Miniature]:
    """Return the enemies with a Free Attack if this miniature moves (TRN-066, TRN-071, TRN-074).

    A Free Attack is a melee attack, so the enemy must see the miniature (TRN-009, TRN-067).
    """
    active = scene.conditions.get("active", "")
    return [
        enemy
        for enemy in engaged_enemies(scene, miniature)
        if free_tiles(scene, enemy)
        and can_make_free_attacks(scene, enemy)
        and not (active and enemy.token.conditions.get("free attack") == active)
        and not unseen_reason(scene, enemy, miniature)
    ]


def free_tiles(scene: Scene, miniature: Miniature) -> tuple[Tile, ...]:
    """Return the melee tiles for a Free Attack: with damage, others by a house rule (TRN-074)."""
    has_harmless = is_on(scene, house_rules.HARMLESS_REACTIONS)
    return miniature.melee_attacks if has_harmless else miniature.melee_tiles


def can_make_free_attacks(scene: Scene, miniature: Miniature) -> bool:
    """Return False with a Condition Marker, on a Vortex and on Dangerous Landscape (TRN-077)."""
    field = battlefield(scene)
    closed = field.terrain_cells(VORTEX) | field.terrain_cells(DANGEROUS)
    return not miniature.has_marker and closed.isdisjoint(field.body(miniature))


def free_attacks(scene: Scene, token_id: str) -> Steps:
    """Resolve the Free Attacks on a miniature that moves, each with one melee tile (TRN-066 to TRN-077).

    Returns the scene; the miniature may be removed in it.
    """
    attackers = free_attackers(scene, read_miniature(scene.token(token_id)))
    asked_at_once = yield from _declared_at_once(scene, token_id, attackers)
    for attacker in attackers:
        target = read_miniature(scene.token(token_id))
        if target.token.at is None:
            break
        if asked_at_once is None:
            asked = _reaction(scene, attacker, target, free_tiles(scene, attacker), "free")
            tile = _tile_of(attacker, (yield asked))
        else:
            tile = asked_at_once[attacker.id]
        if tile is None:
            continue
        facts = {"token": attacker.id, "target": target.id, "act": tile.name}
        yield Change(Explained(kind="free attack", facts=facts))
        active = scene.conditions.get("active")
        if active:
            scene = yield set_condition(scene, attacker.id, "free attack", active)
        if tile.is_harmless:
            scene = yield from play_effect(scene, attacker, tile, target)
            continue
        attack = build_attack(scene, "free", attacker, tile, target)
        damage = yield Call(resolve_simultaneous, ((attack,),))
        scene = yield from apply_damage(scene, damage)
    return scene


def _declared_at_once(scene: Scene, token_id: str, attackers: Sequence[Miniature]) -> Steps:
    """Ask all for their Free Attacks at the same time, by a house rule; return their tiles, or None."""
    if not attackers or not _is_at_once(scene):
        return None
    target = read_miniature(scene.token(token_id))
    asked = [_reaction(scene, one, target, free_tiles(scene, one), "free") for one in attackers]
    answers = yield ChooseAll(tuple(asked))
    return {one.id: _tile_of(one, answer) for one, answer in zip(attackers, answers, strict=True)}


def _is_at_once(scene: Scene) -> bool:
    """Return whether all reactions to one declaration are declared at the same time (TRN-094)."""
    return setting(scene, house_rules.REACTIONS) == "all at once"


class HarmlessCounter(NamedTuple):
    """A Counter Attack without damage: the ID of who makes it, and its tile."""

    token: str
    tile: Tile


def counter_attacks(scene: Scene, attacker: Miniature, targets: Sequence[Miniature]) -> Steps:
    """Ask the targets that have not been activated for Counter Attacks (TRN-092 to TRN-094).

    Returns the scene, the attacks, and those without damage.
    """
    able = [(one, tiles) for one in targets if (tiles := counter_tiles(scene, one, attacker))]
    asked = [_reaction(scene, one, attacker, tiles, "counter") for one, tiles in able]
    answers: list[str] = []
    if asked and _is_at_once(scene):
        answers = yield ChooseAll(tuple(asked))
    else:
        for choice in asked:
            answers.append((yield choice))
    attacks: list[AttackInstance] = []
    harmless: list[HarmlessCounter] = []
    for (miniature, _), answer in zip(able, answers, strict=True):
        tile = _tile_of(miniature, answer)
        if tile is None:
            continue
        if tile.is_harmless:
            harmless.append(HarmlessCounter(miniature.id, tile))
        else:
            counter = build_attack(scene, "counter", miniature, tile, attacker)
            attacks.append(counter._replace(beside=group_targets(scene, miniature, tile, attacker)))
        if is_on(scene, house_rules.COUNTER_USES_ACTIVATION) and scene.track("round"):
            scene = yield set_condition(scene, miniature.id, "activated")
    return scene, tuple(attacks), tuple(harmless)


def counter_tiles(scene: Scene, miniature: Miniature, attacker: Miniature) -> tuple[Tile, ...]:
    """Return the tiles for a Counter Attack: melee, or ranged with Assault, in range (TRN-093)."""
    if miniature.token.has("activated") or scene.are_allies(miniature.token, attacker.token):
        return ()
    if miniature.token.has("stunned") and not is_on(scene, house_rules.STUNNED_COUNTER):
        return ()
    has_harmless = is_on(scene, house_rules.HARMLESS_REACTIONS)
    tiles = (
        tile
        for tile in miniature.profile.tiles
        if (tile.kind == "melee" or (tile.kind == "ranged" and tile.assault))
        and (tile.damage or has_harmless)
    )
    return tuple([tile for tile in tiles if _may_answer(scene, miniature, tile, attacker)])


def _may_answer(scene: Scene, miniature: Miniature, tile: Tile, attacker: Miniature) -> bool:
    """Return whether a tile reaches an attacker, which need not be the closest enemy."""
    refused = target_refusal(scene, miniature, tile, attacker)
    return refused is None or refused.rule == "TRN-036"


def _reaction(
    scene: Scene, miniature: Miniature, target: Miniature, tiles: Sequence[Tile], occasion: Occasion
) -> Choose:
    """Return the question with which tile to react, if any; the default has the highest value."""
    specs = {tile.name: build_attack(scene, occasion, miniature, tile, target).spec for tile in tiles}
    best, *others = specs
    if others:
        best = max(specs, key=lambda name: expected_value(specs[name]))
    answers = (*(Answer(tile.name, tile.name) for tile in tiles), Answer(NO, localize("rules.no")))
    key = "torn.ask_free_attack" if occasion == "free" else "torn.ask_counter_attack"
    question = localize(key, name=miniature.name, target=target.name)
    default = best if expects_gain(specs[best]) else NO
    return Choose(miniature.token.side, question, answers, default, miniature.id)


def _tile_of(miniature: Miniature, answer: str) -> Tile | None:
    """Return the tile that an answer names; None for no reaction."""
    return None if answer == NO else miniature.tile(answer)


def concentrate(scene: Scene, act: Act) -> Steps:
    """Do the action Concentration. It draws no Free Attacks; its chapter is missing (TRN-066)."""
    miniature = read_miniature(scene.token(act.token))
    tile = miniature.tile(act.weapon)
    if tile is None or tile.kind != "concentration":
        sentence = localize("torn.refuse_no_concentration", name=miniature.name, tile=act.weapon)
        raise IllegalAct(sentence, "TRN-066", "missing")
    yield Require(require_action, (scene, miniature, tile))
    yield Change(Explained(kind="concentrate", facts={"token": miniature.id}))
    yield from spend_action(scene, miniature, tile)
    return Outcome("concentrated")
