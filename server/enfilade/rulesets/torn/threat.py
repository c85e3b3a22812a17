"""Threat: where miniatures could move, and what they can attack now or then, all of them at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.bitboard import NO_CELLS, Bits, spread
from enfilade.geometry.board.hexon import HEXON_OFFSETS
from enfilade.geometry.board.mask import Mask
from enfilade.rules.battle.memo import per_profile, per_scene, recent_by_size
from enfilade.rules.house_rules import is_on
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import Battlefield, battlefield
from enfilade.rulesets.torn.positions import bodies, enemy_bodies
from enfilade.rulesets.torn.profiles import Kind, Miniature, Profile, Tile, read_miniature
from enfilade.rulesets.torn.routes import is_plain, longest_moves, move_allowance, reachable_with
from enfilade.rulesets.torn.sight import blind_zone, covered_among, hexes_in_zone, is_beside_closing
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene


def ends_of_any(scene: Scene, miniatures: Sequence[Miniature]) -> Bits:
    """Return where any of some miniatures can end a Move or Run, as if it were its turn.

    They are of one side and size, and a huge one is alone. The Hexes are those of infantry, or the centers of
    the first Hexon.
    """
    starts, found = dict[int, Bits](), NO_CELLS
    for one in miniatures:
        checkpoint()
        start = _start(scene, one)
        for tile in longest_moves(scene, one):
            if start and _counts_steps(one, tile):
                steps = move_allowance(scene, one, tile)
                starts[steps] = starts.get(steps, NO_CELLS) | start
            else:
                found |= _ends_of_routes(scene, one, tile)
    find = _ends_of_infantry if miniatures[0].profile.size == "infantry" else _ends_of_bases
    return found | find(scene, miniatures[0], starts) if starts else found


def _start(scene: Scene, miniature: Miniature) -> Bits:
    """Return where the ways of a miniature start; nothing if only routes tell its ends."""
    field, at = battlefield(scene), miniature.token.at
    assert at is not None
    if miniature.profile.size == "infantry":
        return field.bits.of([at])
    # Infantry that steps out from under a base needs room, and a way needs a center to start from.
    return field.bits.of([field.center(field.hexon_at(at))]) if _has_room(scene, miniature) else NO_CELLS


def _counts_steps(miniature: Miniature, tile: Tile) -> bool:
    """Return whether a move counts Hexes for infantry and Hexons for others, wherever they lead."""
    if miniature.profile.size == "infantry":
        return is_plain(miniature, tile)
    return not miniature.token.has("panic")


def _ends_of_routes(scene: Scene, miniature: Miniature, tile: Tile) -> Bits:
    field, routes = battlefield(scene), reachable_with(scene, miniature, tile)
    if miniature.profile.size == "infantry":
        return field.bits.of(routes)
    return field.bits.of({field.center(field.hexon_at(at)) for at in routes})


@per_scene
def _infantry(scene: Scene) -> Bits:
    """Return the Hexes of all infantry."""
    found = NO_CELLS
    for one, body in bodies(scene):
        found |= body if one.profile.size == "infantry" else NO_CELLS
    return found


@per_scene
def _bases(scene: Scene) -> tuple[Bits, Bits]:
    """Return the Hexes of large and huge miniatures, and those that two of them fill."""
    found = twice = NO_CELLS
    for one, body in bodies(scene):
        if one.profile.size != "infantry":
            twice |= found & body
            found |= body
    return found, twice


def _bases_but(scene: Scene, one: Miniature) -> Bits:
    """Return the Hexes of large and huge miniatures except one."""
    own = battlefield(scene).bits.of(battlefield(scene).body(one))
    found, twice = _bases(scene)
    return found & ~own | twice


_ROOM = 2 * len(HEXON_OFFSETS)
"""The free Hexes that are enough for each Hexon of a base: those it fills, and those for infantry there."""


def _has_room(scene: Scene, miniature: Miniature) -> bool:
    """Return whether there surely is room for all infantry that a base may end on."""
    field = battlefield(scene)
    filled = _infantry(scene) | _bases(scene)[0] | field.volume_bits | field.marker_bits
    free = field.bits.all & ~filled
    return free.bit_count() >= _ROOM * len(miniature.base)


def _ends_of_infantry(scene: Scene, one: Miniature, starts: Mapping[int, Bits]) -> Bits:
    """Return the free Hexes that infantry reaches: past allies, not past enemies or Volume Landscape."""
    field = battlefield(scene)
    closed = field.volume_bits | enemy_bodies(scene, one.token.side)
    occupied = _infantry(scene) | _bases(scene)[0] | field.marker_bits
    return spread(field.bits.beside, starts, closed) & ~occupied


def _ends_of_bases(scene: Scene, one: Miniature, starts: Mapping[int, Bits]) -> Bits:
    """Return the Hexons that large miniatures or a huge one reach, as `routes.can_pass` and `can_end` say.

    Large ones bar the way for each other. Each bars its own Hexon too, but no way needs to lead back there.
    """
    field, is_huge = battlefield(scene), one.profile.size == "huge"
    hexons, base = field.hexon_bits, one.base
    volume = NO_CELLS if is_huge else field.volume_bits
    others = _bases_but(scene, one) if is_huge else _bases(scene)[0]
    no_ends = others if is_on(scene, house_rules.EJECTION) else others | _infantry(scene)
    no_pass = hexons.under(base, enemy_bodies(scene, one.token.side) | others | volume)
    no_end = hexons.under(base, no_ends)
    closed = hexons.centers & ~hexons.on_board(base) | hexons.under(base, volume) | no_pass & no_end
    return spread(hexons.beside, starts, closed, stops=no_pass) & ~no_end


MOST_STEPS = 16
"""The longest range whose Hexes are put down as a stamp."""


def hexes_in_range(scene: Scene, miniature: Miniature, tile: Tile) -> Mask:
    """Return the Hexes in a tile's range of a miniature, without its own (TRN-006 to TRN-008)."""
    field = battlefield(scene)
    return field.bits.mask(_in_range(field, miniature, miniature.token.at, tile))


def _in_range(field: Battlefield, miniature: Miniature, at: Cell | None, tile: Tile) -> Bits:
    """Return the Hexes in a tile's range of a miniature that stands at a Hex; none off the board."""
    if at is None:
        return NO_CELLS
    if tile.range <= MOST_STEPS:
        if miniature.profile.size == "infantry":
            return _in_range_of_infantry(field, at, tile)
        hexons, body = miniature.base, field.body(miniature, at)
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
    field, found = battlefield(scene), NO_CELLS
    for miniature in attackers:
        found |= _attacked_now(scene, miniature.id)
    return field.bits.mask(found & ~field.volume_bits)


def threatened_after_move(scene: Scene, attackers: Iterable[Miniature]) -> Mask:
    """Return the Hexes that an attacker can attack in melee after one Move or Run."""
    field, found = battlefield(scene), NO_CELLS
    alike: dict[Hashable, list[Miniature]] = {}
    for one in attackers:
        if _melee_ranges(one):
            alike.setdefault((one.token.side, _body_kind(one), _melee_ranges(one)), []).append(one)
    for ones in alike.values():
        ends, first = ends_of_any(scene, ones), ones[0]
        for tile in _longest_ranges(first.profile, "melee"):
            found |= _around_ends(field, first, ends, tile)
    return field.bits.mask(found & ~field.volume_bits)


def _body_kind(miniature: Miniature) -> Hashable:
    """Return what miniatures that move at once have in common: their size, and huge ones move alone."""
    return miniature.id if miniature.profile.size == "huge" else miniature.profile.size


def _melee_ranges(miniature: Miniature) -> Sequence[tuple[int, str]]:
    return tuple([(tile.range, tile.unit) for tile in _longest_ranges(miniature.profile, "melee")])


@per_profile
def _longest_ranges(profile: Profile, *kinds: Kind) -> tuple[Tile, ...]:
    """Return the attack with the longest range for each unit: it reaches all Hexes that the others reach."""
    tiles = [tile for tile in profile.tiles if tile.kind in kinds]
    return tuple({tile.unit: tile for tile in sorted(tiles, key=lambda tile: tile.range)}.values())


def _around_ends(field: Battlefield, miniature: Miniature, ends: Bits, tile: Tile) -> Bits:
    """Return the Hexes in a tile's range of a miniature at any of some Hexes."""
    if miniature.profile.size == "infantry" and tile.unit == "hex":
        return _around_hexes(field, ends, tile.range)
    found = NO_CELLS
    for at in field.bits.cells(ends):
        found |= _in_range(field, miniature, at, tile)
    return found


def _around_hexes(field: Battlefield, hexes: Bits, steps: int) -> Bits:
    """Return the Hexes that are so near to any other of some Hexes."""
    if not steps:
        return NO_CELLS
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
    seen = hexes & ~covered_among(scene, miniature, hexes)
    if not is_beside_closing(scene, miniature):
        return seen
    return seen & ~hexes_in_zone(battlefield(scene), blind_zone(scene, miniature))


@recent_by_size
def _attacked_now(scene: Scene, token_id: str) -> Bits:
    """Return the Hexes that one miniature can attack; cached, because each of its enemies shows them."""
    miniature, reached = read_miniature(scene.token(token_id)), NO_CELLS
    for tile in _longest_ranges(miniature.profile, "melee", "ranged"):
        reached |= _in_range(battlefield(scene), miniature, miniature.token.at, tile)
    return _in_sight(scene, miniature, reached)
