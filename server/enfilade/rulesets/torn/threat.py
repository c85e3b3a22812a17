"""Threat: the Hexes that miniatures can attack now, or in melee after a move, all of them at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from enfilade.geometry.board.bitboard import Bits
from enfilade.geometry.board.hexon import HEXON_OFFSETS
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Cell
from enfilade.geometry.sight.zones import Zone
from enfilade.rules.battle.memo import recent_by_size
from enfilade.rulesets.torn.battlefield import Battlefield, battlefield
from enfilade.rulesets.torn.bulk_moves import ends_of_any
from enfilade.rulesets.torn.profiles import Miniature, Tile, read_miniature
from enfilade.rulesets.torn.sight import blind_zone, covered_among
from enfilade.scene.model import Scene

MOST_STEPS = 16
"""The longest range whose Hexes are put down as a stamp."""


def hexes_in_range(scene: Scene, miniature: Miniature, tile: Tile) -> Mask:
    """Return the Hexes in a tile's range of a miniature, without its own (TRN-006 to TRN-008)."""
    field = battlefield(scene)
    return field.bits.mask(_in_range(field, miniature, miniature.token.at, tile))


def _in_range(field: Battlefield, miniature: Miniature, at: Cell | None, tile: Tile) -> Bits:
    """Return the Hexes in a tile's range of a miniature that stands at a Hex."""
    if at is not None and tile.range <= MOST_STEPS:
        if miniature.profile.size == "infantry":
            return _in_range_of_infantry(field, at, tile)
        hexons, body = tuple(field.base(miniature, (0, 0))), field.body(miniature, at)
        if len(body) == len(HEXON_OFFSETS) * len(hexons):  # it has all of its Hexes on the board
            return field.hexon_bits.around(hexons, tile.range, tile.unit).at(field.center(field.hexon_at(at)))
    body = field.body(miniature, at)
    own = field.bits.of(body)
    if tile.unit == "hex":
        return field.bits.within(own, tile.range) & ~own
    return field.hexons_within(field.place_of(body), tile.range) & ~own


def _in_range_of_infantry(field: Battlefield, at: Cell, tile: Tile) -> Bits:
    if tile.unit == "hex":
        return field.hexon_bits.around_hex(tile.range).at(at)
    own = field.hexon_at(at)
    stamp = field.hexon_bits.around(((0, 0),), tile.range, "hexon")
    return (stamp.at(field.center(own)) | field.bits.of(field.hexes_in(own))) & ~field.bits.of_cell(at)


def threatened_now(scene: Scene, attackers: Iterable[Miniature]) -> Mask:
    """Return the Hexes in which infantry is a legal target of an attacker, with all actions left.

    Large and huge miniatures are threatened in each of their Hexes.
    """
    field, found = battlefield(scene), 0
    for miniature in attackers:
        found |= _attacked_now(scene, miniature.id)
    return field.bits.mask(found & ~field.volume_bits)


def threatened_after_move(scene: Scene, attackers: Iterable[Miniature]) -> Mask:
    """Return the Hexes that an attacker can attack in melee after one Move or Run."""
    field, found = battlefield(scene), 0
    alike: dict[Hashable, list[Miniature]] = {}
    for one in attackers:
        if _melee_ranges(one):
            alike.setdefault((one.token.side, _body_kind(one), _melee_ranges(one)), []).append(one)
    for ones in alike.values():
        ends, first = ends_of_any(scene, ones), ones[0]
        for tile in _longest_ranges(first.melee_attacks):
            found |= _around_ends(field, first, ends, tile)
    return field.bits.mask(found & ~field.volume_bits)


def _body_kind(miniature: Miniature) -> Hashable:
    """Return what miniatures that move at once have in common: their size, and huge ones move alone."""
    return miniature.id if miniature.profile.size == "huge" else miniature.profile.size


def _melee_ranges(miniature: Miniature) -> Sequence[tuple[int, str]]:
    return tuple([(tile.range, tile.unit) for tile in _longest_ranges(miniature.melee_attacks)])


def _longest_ranges(tiles: Iterable[Tile]) -> Iterable[Tile]:
    """Return the tile with the longest range for each unit: it reaches all Hexes that the others reach."""
    return {tile.unit: tile for tile in sorted(tiles, key=lambda tile: tile.range)}.values()


def _around_ends(field: Battlefield, miniature: Miniature, ends: Bits, tile: Tile) -> Bits:
    """Return the Hexes in a tile's range of a miniature at any of some Hexes."""
    if miniature.profile.size == "infantry" and tile.unit == "hex":
        return _around_hexes(field, ends, tile.range)
    found = 0
    for at in field.bits.cells(ends):
        found |= _in_range(field, miniature, at, tile)
    return found


def _around_hexes(field: Battlefield, hexes: Bits, steps: int) -> Bits:
    """Return the Hexes that are so near to any other of some Hexes."""
    if not steps:
        return 0
    # All at once. Then those of the Hexes themselves that are near another: most are beside one.
    found = field.bits.within(hexes, steps) & ~hexes | field.bits.beside(hexes) & hexes
    for cell in field.bits.cells(hexes & ~found):
        if field.hexon_bits.around_hex(steps).at(cell) & hexes:
            found |= field.bits.of_cell(cell)
    return found


def hexes_in_sight(scene: Scene, miniature: Miniature, hexes: Mask) -> Mask:
    """Return the Hexes of some in which infantry and the miniature see each other (TRN-039, TRN-040)."""
    field = battlefield(scene)
    return field.bits.mask(_in_sight(scene, miniature, field.bits.of_mask(hexes)))


def _in_sight(scene: Scene, miniature: Miniature, hexes: Bits) -> Bits:
    field, zone = battlefield(scene), blind_zone(scene, miniature)
    seen = hexes & ~covered_among(scene, miniature, hexes)
    return seen & ~_hexes_in_zone(field, seen, zone) if zone.sectors or zone.lines else seen


def _hexes_in_zone(field: Battlefield, hexes: Bits, zone: Zone) -> Bits:
    every = field.all_hexons
    hexons = every if len(every) <= hexes.bit_count() else field.hexons_of(field.bits.cells(hexes))
    return field.bits_of_hexons([hexon for hexon in hexons if hexon in zone])


@recent_by_size
def _attacked_now(scene: Scene, token_id: str) -> Bits:
    """Return the Hexes that one miniature can attack; cached, because each of its enemies shows them."""
    miniature, reached = read_miniature(scene.token(token_id)), 0
    for tile in _longest_ranges(miniature.attacks):
        reached |= _in_range(battlefield(scene), miniature, miniature.token.at, tile)
    return _in_sight(scene, miniature, reached)
