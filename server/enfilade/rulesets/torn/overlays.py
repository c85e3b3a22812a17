"""Overlay areas: ranges, sight, zones, reactions, cover, threat, and engagements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.mask import runs_of_cells
from enfilade.geometry.board.padded_grid import runs_of
from enfilade.geometry.sight.zones import Zone
from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.ruleset import Area, Engagement
from enfilade.rulesets.torn.battlefield import battlefield
from enfilade.rulesets.torn.combat.attack_setup import target_refusal
from enfilade.rulesets.torn.combat.reactions import counter_tiles, free_attackers
from enfilade.rulesets.torn.positions import beside_enemies, enemies, is_allied, miniatures, stands_on_board
from enfilade.rulesets.torn.profiles import Miniature, distance_text, read_miniature
from enfilade.rulesets.torn.sight import (
    blind_zone,
    cover_sentences,
    covered_hexes,
    defense_zone,
    find_blocker,
    hexes_in_zone,
    plainly_seen,
    unseen_reason,
)
from enfilade.rulesets.torn.threat import hexes_in_range, threatened_after_move, threatened_now
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token


def areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
    """Return the areas of one overlay layer; none for a miniature off the board."""
    if layer not in _LAYERS or not stands_on_board(scene, token):
        return ()
    return _LAYERS[layer](scene, read_miniature(token))


def _ranges(scene: Scene, miniature: Miniature) -> Sequence[Area]:
    """Return the range of each attack (TRN-006 to TRN-008)."""
    return [
        Area("ranges", label, runs_of(hexes_in_range(scene, miniature, tile)))
        for tile in miniature.attacks
        for label in [f"{tile.name}: {distance_text(tile.range, tile.unit)}"]
    ]


def _sight(scene: Scene, miniature: Miniature) -> Sequence[Area]:
    """Return the body of each other miniature, labeled with who sees whom (TRN-039)."""
    field, plain = battlefield(scene), plainly_seen(scene)
    found, is_plain = [], miniature.id in plain
    for other in miniatures(scene):
        if other.id == miniature.id:
            continue
        checkpoint()
        if is_plain and other.id in plain:
            label = localize("torn.area_seen", other=other.name)
        else:
            label = _sight_label(scene, miniature, other)
        found.append(_area(scene, "sight", label, field.body(other)))
    return found


def _sight_label(scene: Scene, miniature: Miniature, other: Miniature) -> str:
    unseen = unseen_reason(scene, miniature, other)
    if unseen:
        return localize("torn.area_unseen", other=other.name, reason=unseen)
    if unseen_reason(scene, other, miniature):
        return localize("torn.area_seen_unseeing", other=other.name)
    return localize("torn.area_seen", other=other.name)


def _blind(scene: Scene, miniature: Miniature) -> Sequence[Area]:
    return _zone(scene, "blind", localize("torn.area_blind"), blind_zone(scene, miniature))


def _defense(scene: Scene, miniature: Miniature) -> Sequence[Area]:
    return _zone(scene, "defense", localize("torn.area_defense"), defense_zone(scene, miniature))


def _zone(scene: Scene, layer: str, label: str, zone: Zone) -> Sequence[Area]:
    if not zone.sectors and not zone.lines:
        return ()
    field = battlefield(scene)
    return (Area(layer, label, runs_of(field.bits.mask(hexes_in_zone(field, zone)))),)


def _reactions(scene: Scene, miniature: Miniature) -> Sequence[Area]:
    """Return the enemies with a Free Attack or a Counter Attack, by act (TRN-066, TRN-092)."""
    field = battlefield(scene)
    tiles = localize("rules.or").join(tile.name for tile in miniature.profile.tiles if tile.is_movement)
    act = tiles or localize("torn.act_move_short")
    found = []
    for enemy in free_attackers(scene, miniature):
        label = localize("torn.area_free_attack", act=act, name=enemy.name)
        found.append(_area(scene, "reactions", label, field.body(enemy)))
    for enemy in enemies(scene, miniature):
        if _can_attack_in_melee(scene, miniature, enemy) and counter_tiles(scene, enemy, miniature):
            label = localize("torn.area_counter_attack", name=enemy.name)
            found.append(_area(scene, "reactions", label, field.body(enemy)))
    return found


def _can_attack_in_melee(scene: Scene, miniature: Miniature, enemy: Miniature) -> bool:
    tiles = (tile for tile in miniature.profile.tiles if tile.kind == "melee")
    return any(target_refusal(scene, miniature, tile, enemy) is None for tile in tiles)


def _cover(scene: Scene, miniature: Miniature) -> Sequence[Area]:
    """Return the Hexes with cover for infantry, and the cover of each enemy (TRN-041)."""
    field = battlefield(scene)
    covered = covered_hexes(scene, miniature)
    found = [Area("cover", localize("torn.area_cover"), runs_of(covered))]
    for enemy in enemies(scene, miniature):
        checkpoint()
        if find_blocker(scene, miniature, enemy) is not None:
            label = localize("torn.area_enemy_in_cover", name=enemy.name)
        else:
            label = " ".join(cover_sentences(scene, miniature, enemy))
        if label:
            found.append(_area(scene, "cover", label, field.body(enemy)))
    return found


def _threat(scene: Scene, miniature: Miniature) -> Sequence[Area]:
    """Return the Hexes that enemies can attack now, and those they can attack in melee after a move."""
    return _threat_to(scene, miniature.token.side)


@per_scene
def _threat_to(scene: Scene, side: str) -> Sequence[Area]:
    """Return what threatens a side; cached, because all of its miniatures show the same."""
    attackers = [one for one in miniatures(scene) if not is_allied(scene, side, one)]
    now, after = threatened_now(scene, attackers), threatened_after_move(scene, attackers)
    return (
        Area("threat", localize("torn.area_threat_now"), runs_of(now)),
        Area("threat", localize("torn.area_threat_after_move"), runs_of(after - now)),
    )


def _area(scene: Scene, layer: str, label: str, cells: Iterable[Cell]) -> Area:
    board = battlefield(scene).board
    return Area(layer, label, runs_of_cells([cell for cell in cells if cell in board]))


_LAYERS: dict[str, Callable[[Scene, Miniature], Sequence[Area]]] = {
    "ranges": _ranges,
    "sight": _sight,
    "blind": _blind,
    "defense": _defense,
    "reactions": _reactions,
    "threat": _threat,
    "cover": _cover,
}


@per_scene
def engagements(scene: Scene) -> list[Engagement]:
    """Return the pairs of enemies in neighboring Hexes (TRN-065)."""
    field, every, pairs = battlefield(scene), beside_enemies(scene), list[tuple[int, int]]()
    at: dict[Cell, list[int]] = {}
    for number, one in reversed(list(enumerate(every))):
        checkpoint()
        body = field.body(one)
        beside = {later for cell in field.adjacent_hexes(body) for later in at.get(cell, ())}
        pairs += [(number, later) for later in beside]
        for cell in body:
            at.setdefault(cell, []).append(number)
    engaged = [(every[one], every[other]) for one, other in sorted(pairs)]
    return [
        Engagement((a.id, b.id), localize("torn.area_engaged", a=a.name, b=b.name))
        for a, b in engaged
        if not scene.are_allies(a.token, b.token)
    ]
