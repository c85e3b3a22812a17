"""Reactions to an action: Free Attacks (TRN-065 to TRN-077) and Counter Attacks (TRN-092 to TRN-095)."""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.rules.battle.memo import recent
from enfilade.rules.changes import set_condition
from enfilade.rules.house_rules import is_on
from enfilade.rules.procedures import Act, Answer, Call, Change, Choose, Outcome, Require, Steps
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
        if enemy.melee_tiles
        and can_make_free_attacks(scene, enemy)
        and not (active and enemy.token.conditions.get("free attack") == active)
        and not unseen_reason(scene, enemy, miniature)
    ]


def can_make_free_attacks(scene: Scene, miniature: Miniature) -> bool:
    """Return False with a Condition Marker, on a Vortex and on Dangerous Landscape (TRN-077)."""
    field = battlefield(scene)
    closed = field.terrain_cells(VORTEX) | field.terrain_cells(DANGEROUS)
    return not miniature.has_marker and closed.isdisjoint(field.body(miniature))


def free_attacks(scene: Scene, token_id: str) -> Steps:
    """Resolve the Free Attacks on a miniature that moves, each with one melee tile (TRN-066 to TRN-077).

    Returns the scene; the miniature may be removed in it.
    """
    for attacker in free_attackers(scene, read_miniature(scene.token(token_id))):
        target = read_miniature(scene.token(token_id))
        if target.token.at is None:
            break
        tile = yield from _choose_tile(scene, attacker, target, attacker.melee_tiles, "free")
        if tile is None:
            continue
        facts = {"token": attacker.id, "target": target.id, "act": tile.name}
        yield Change(Explained(kind="free attack", facts=facts))
        active = scene.conditions.get("active")
        if active:
            scene = yield set_condition(scene, attacker.id, "free attack", active)
        attack = build_attack(scene, "free", attacker, tile, target)
        damage = yield Call(resolve_simultaneous, ((attack,),))
        scene = yield from apply_damage(scene, damage)
    return scene


def counter_attacks(scene: Scene, attacker: Miniature, targets: Sequence[Miniature]) -> Steps:
    """Ask the targets that have not been activated for Counter Attacks (TRN-092 to TRN-094).

    Returns the scene and the attacks.
    """
    attacks: list[AttackInstance] = []
    for miniature in targets:
        tiles = counter_tiles(scene, miniature, attacker)
        if not tiles:
            continue
        tile = yield from _choose_tile(scene, miniature, attacker, tiles, "counter")
        if tile is None:
            continue
        counter = build_attack(scene, "counter", miniature, tile, attacker)
        attacks.append(counter._replace(beside=group_targets(scene, miniature, tile, attacker)))
        if is_on(scene, house_rules.COUNTER_USES_ACTIVATION) and scene.track("round"):
            scene = yield set_condition(scene, miniature.id, "activated")
    return scene, tuple(attacks)


def counter_tiles(scene: Scene, miniature: Miniature, attacker: Miniature) -> tuple[Tile, ...]:
    """Return the tiles for a Counter Attack: melee, or ranged with Assault, in range (TRN-093)."""
    if miniature.token.has("activated") or scene.are_allies(miniature.token, attacker.token):
        return ()
    return tuple(
        tile
        for tile in miniature.profile.tiles
        if (tile.kind == "melee" or (tile.kind == "ranged" and tile.assault))
        and tile.damage
        and target_refusal(scene, miniature, tile, attacker)[1] in ("", "TRN-036")
    )


def _choose_tile(
    scene: Scene, miniature: Miniature, target: Miniature, tiles: Sequence[Tile], occasion: Occasion
) -> Steps:
    """Ask with which tile to react, if any; the default has the highest value."""
    specs = [build_attack(scene, occasion, miniature, tile, target).spec for tile in tiles]
    best = max(range(len(tiles)), key=lambda i: expected_value(specs[i])) if len(tiles) > 1 else 0
    answers = (*(Answer(tile.name, tile.name) for tile in tiles), Answer(NO, localize("rules.no")))
    key = "torn.ask_free_attack" if occasion == "free" else "torn.ask_counter_attack"
    question = localize(key, name=miniature.name, target=target.name)
    default = tiles[best].name if expects_gain(specs[best]) else NO
    answer = yield Choose(miniature.token.side, question, answers, default, miniature.id)
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
