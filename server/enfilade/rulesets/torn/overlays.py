"""Overlay areas: ranges, sight, zones, reactions, cover, threat, and engagements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from enfilade.geometry.board.bitboard import Bits
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Cell
from enfilade.geometry.sight.zones import Zone
from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_scene, recent_by_size
from enfilade.rules.ruleset import Area, Engagement
from enfilade.rulesets.torn.battlefield import Battlefield, battlefield
from enfilade.rulesets.torn.combat.attack_setup import target_refusal
from enfilade.rulesets.torn.combat.reactions import counter_tiles, free_attackers
from enfilade.rulesets.torn.positions import enemies, miniatures
from enfilade.rulesets.torn.profiles import Miniature, Tile, distance_text, read_miniature
from enfilade.rulesets.torn.routes import move_allowance, reach_bits, reachable_with
from enfilade.rulesets.torn.sight import (
    blind_zone,
    cover_sentences,
    covered_bits,
    covered_hexes,
    defense_zone,
    find_blocker,
    unseen_reason,
)
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token


def areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
    """Return the areas of one overlay layer; none for a miniature off the board."""
    if token.at is None or token.at not in battlefield(scene).board or layer not in _LAYERS:
        return ()
    return _LAYERS[layer](scene, read_miniature(token))


def _ranges(scene: Scene, miniature: Miniature) -> Sequence[Area]:
    """Return the range of each attack (TRN-006 to TRN-008)."""
    body, found = battlefield(scene).body(miniature), []
    for tile in _attack_tiles(miniature):
        label = f"{tile.name}: {distance_text(tile.range, tile.unit)}"
        found.append(Area("ranges", label, tuple(hexes_in_range(scene, body, tile).runs())))
    return found


def _sight(scene: Scene, miniature: Miniature) -> Sequence[Area]:
    """Return the body of each other miniature, labeled with who sees whom (TRN-039)."""
    field = battlefield(scene)
    found = []
    for other in miniatures(scene):
        if other.id == miniature.id:
            continue
        checkpoint()
        unseen = unseen_reason(scene, miniature, other)
        if unseen:
            label = localize("torn.area_unseen", other=other.name, reason=unseen)
        elif unseen_reason(scene, other, miniature):
            label = localize("torn.area_seen_unseeing", other=other.name)
        else:
            label = localize("torn.area_seen", other=other.name)
        found.append(_area(scene, "sight", label, field.body(other)))
    return found


def _blind(scene: Scene, miniature: Miniature) -> Sequence[Area]:
    return _zone(scene, "blind", localize("torn.area_blind"), blind_zone(scene, miniature))


def _defense(scene: Scene, miniature: Miniature) -> Sequence[Area]:
    return _zone(scene, "defense", localize("torn.area_defense"), defense_zone(scene, miniature))


def _zone(scene: Scene, layer: str, label: str, zone: Zone) -> Sequence[Area]:
    if not zone.sectors and not zone.lines:
        return ()
    field, rows = battlefield(scene), [0] * scene.grid.rows
    inside = {hexon: hexon in zone for hexon in field.all_hexons}
    for x, y in _all_cells(scene):
        rows[y] |= inside[field.hexon_at((x, y))] << x
    return (Area(layer, label, tuple(Mask(tuple(rows)).runs())),)


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
    return any(not target_refusal(scene, miniature, tile, enemy)[0] for tile in tiles)


def _cover(scene: Scene, miniature: Miniature) -> Sequence[Area]:
    """Return the Hexes with cover for infantry, and the cover of each enemy (TRN-041)."""
    field = battlefield(scene)
    covered = covered_hexes(scene, miniature)
    found = [Area("cover", localize("torn.area_cover"), tuple(covered.runs()))]
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
    attackers = enemies(scene, miniature)
    now, after = threatened_now(scene, attackers), threatened_after_move(scene, attackers)
    return (
        Area("threat", localize("torn.area_threat_now"), tuple(now.runs())),
        Area("threat", localize("torn.area_threat_after_move"), tuple((after - now).runs())),
    )


def _all_cells(scene: Scene) -> Iterator[Cell]:
    for y in range(scene.grid.rows):
        checkpoint()
        yield from ((x, y) for x in range(scene.grid.columns))


def _area(scene: Scene, layer: str, label: str, cells: Iterable[Cell]) -> Area:
    on_board = (cell for cell in cells if cell in battlefield(scene).board)
    return Area(layer, label, tuple(Mask.of(on_board, scene.grid.rows).runs()))


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
    field, every, found = battlefield(scene), miniatures(scene), []
    at: dict[Cell, list[int]] = {}
    for number, one in enumerate(every):
        for cell in field.body(one):
            at.setdefault(cell, []).append(number)
    for number, a in enumerate(every):
        checkpoint()
        beside = {later for cell in field.adjacent_hexes(field.body(a)) for later in at.get(cell, ())}
        for later in sorted(beside):
            b = every[later]
            if later > number and not scene.are_allies(a.token, b.token):
                label = localize("torn.area_engaged", a=a.name, b=b.name)
                found.append(Engagement((a.id, b.id), label))
    return found


# Threat


def hexes_in_range(scene: Scene, hexes: Iterable[Cell], tile: Tile) -> Mask:
    """Return the Hexes of the board in a tile's range from some Hexes, without those (TRN-006 to TRN-008)."""
    field, own = battlefield(scene), frozenset(hexes)
    return field.bits.mask(_in_range(field, own, field.bits.of(own), tile))


def _in_range(field: Battlefield, hexes: frozenset[Cell], own: Bits, tile: Tile) -> Bits:
    """Return the `hexes_in_range` as bits; `own` are the Hexes as bits."""
    if tile.unit == "hex":
        return field.bits.within(own, tile.range) & ~own
    return field.hexons_within(field.place_of(hexes), tile.range) & ~own


def threatened_now(scene: Scene, attackers: Iterable[Miniature]) -> Mask:
    """Return the Hexes in which infantry is a legal target of an attacker, with all actions left.

    Large and huge miniatures are threatened in each of their Hexes.
    """
    return _of_all(scene, _attacked_now, attackers)


def threatened_after_move(scene: Scene, attackers: Iterable[Miniature]) -> Mask:
    """Return the Hexes that an attacker can attack in melee after one Move or Run."""
    return _of_all(scene, _attacked_after_move, attackers)


def _of_all(scene: Scene, attacked: Callable[[Scene, str], Bits], attackers: Iterable[Miniature]) -> Mask:
    field, found = battlefield(scene), 0
    for miniature in attackers:
        checkpoint()
        found |= attacked(scene, miniature.id)
    return field.bits.mask(found & ~field.volume_bits)


@recent_by_size
def _attacked_now(scene: Scene, token_id: str) -> Bits:
    """Return the Hexes that one miniature can attack; cached, because each of its enemies shows them."""
    field, miniature = battlefield(scene), read_miniature(scene.token(token_id))
    body, reached = field.body(miniature), 0
    own = field.bits.of(body)
    for tile in _longest_ranges(_attack_tiles(miniature)):
        reached |= _in_range(field, body, own, tile)
    return _in_sight(scene, miniature, reached)


def _longest_ranges(tiles: Iterable[Tile]) -> Iterable[Tile]:
    """Return the tile with the longest range for each unit: it reaches all Hexes that the others reach."""
    return {tile.unit: tile for tile in sorted(tiles, key=lambda tile: tile.range)}.values()


def hexes_in_sight(scene: Scene, miniature: Miniature, hexes: Mask) -> Mask:
    """Return the Hexes of some in which infantry and the miniature see each other (TRN-039, TRN-040)."""
    field = battlefield(scene)
    return field.bits.mask(_in_sight(scene, miniature, field.bits.of(hexes)))


def _in_sight(scene: Scene, miniature: Miniature, hexes: Bits) -> Bits:
    field, zone = battlefield(scene), blind_zone(scene, miniature)
    seen = hexes & ~covered_bits(scene, miniature)
    return seen & ~_hexes_in_zone(field, seen, zone) if zone.sectors or zone.lines else seen


def _hexes_in_zone(field: Battlefield, hexes: Bits, zone: Zone) -> Bits:
    every = field.all_hexons
    hexons = every if len(every) <= hexes.bit_count() else field.hexons_of(field.bits.cells(hexes))
    return field.bits_of_hexons([hexon for hexon in hexons if hexon in zone])


@recent_by_size
def _attacked_after_move(scene: Scene, token_id: str) -> Bits:
    """Return the Hexes that one miniature can attack in melee after a move; cached as `_attacked_now` is."""
    field, miniature = battlefield(scene), read_miniature(scene.token(token_id))
    melee = [tile for tile in _attack_tiles(miniature) if tile.kind == "melee"]
    moves = _longest_moves(scene, miniature) if melee else []
    melee = [*_longest_ranges(melee)]
    if miniature.profile.size == "infantry":
        ends = 0
        for move in moves:
            ends |= reach_bits(scene, miniature, move)
        around = [_around_hexes(field, ends, tile) for tile in melee]
    else:
        places = {field.hexon_at(at): at for move in moves for at in reachable_with(scene, miniature, move)}
        bodies = [field.body(miniature, at) for at in places.values()]
        own = [(body, field.bits.of(body)) for body in bodies]
        around = [_in_range(field, body, bits, tile) for body, bits in own for tile in melee]
    found = 0
    for hexes in around:
        found |= hexes
    return found


def _longest_moves(scene: Scene, miniature: Miniature) -> Iterable[Tile]:
    """Return the movement tile with the longest way for each unit; a shorter one leads to fewer Hexes."""
    tiles = [tile for tile in miniature.profile.tiles if tile.is_movement]
    tiles.sort(key=lambda tile: move_allowance(scene, miniature, tile))
    return {tile.unit: tile for tile in tiles}.values()


def _around_hexes(field: Battlefield, hexes: Bits, tile: Tile) -> Bits:
    """Return the Hexes in a tile's range from any other of some Hexes."""
    cells = field.bits.cells(hexes)
    if tile.unit == "hexon":
        each = (frozenset((cell,)) for cell in cells)
        found = 0
        for one in each:
            found |= _in_range(field, one, field.bits.of(one), tile)
        return found
    if not tile.range:
        return 0
    # All at once. Then those of the Hexes themselves that are in range of another: most are beside one.
    found = field.bits.within(hexes, tile.range) & ~hexes | field.bits.beside(hexes) & hexes
    for cell in field.bits.cells(hexes & ~found):
        alone = field.bits.of_cell(cell)
        if field.bits.within(alone, tile.range) & hexes & ~alone:
            found |= alone
    return found


def _attack_tiles(miniature: Miniature) -> list[Tile]:
    return [tile for tile in miniature.profile.tiles if tile.is_attack]
