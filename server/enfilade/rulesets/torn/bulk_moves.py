"""The ends of moves of several miniatures, all at once: sets of Hexes instead of a route to each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from enfilade.geometry.board.bitboard import Bits, spread
from enfilade.geometry.board.hexon import HEXON_OFFSETS
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.house_rules import is_on
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import battlefield
from enfilade.rulesets.torn.positions import bodies, is_allied
from enfilade.rulesets.torn.profiles import Miniature, Tile
from enfilade.rulesets.torn.routes import is_plain, longest_moves, move_allowance, reachable_with
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene


def ends_of_any(scene: Scene, miniatures: Sequence[Miniature]) -> Bits:
    """Return where any of some miniatures can end a Move or Run, as if it were its turn.

    They are of one side and size, and a huge one is alone. The Hexes are those of infantry, or the centers of
    the first Hexon.
    """
    starts, found = dict[int, Bits](), 0
    for one in miniatures:
        checkpoint()
        start = _start(scene, one)
        for tile in longest_moves(scene, one):
            if start and _counts_steps(one, tile):
                steps = move_allowance(scene, one, tile)
                starts[steps] = starts.get(steps, 0) | start
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
    return field.bits.of([field.center(field.hexon_at(at))]) if _has_room(scene, miniature) else 0


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
    found = 0
    for one, body in bodies(scene):
        found |= body if one.profile.size == "infantry" else 0
    return found


@per_scene
def _bases(scene: Scene) -> tuple[Bits, Bits]:
    """Return the Hexes of large and huge miniatures, and those that two of them fill."""
    found = twice = 0
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


@per_scene
def _enemies(scene: Scene, side: str) -> Bits:
    """Return the Hexes of all miniatures that are no allies of a side."""
    found = 0
    for one, body in bodies(scene):
        checkpoint()
        found |= 0 if is_allied(scene, side, one) else body
    return found


def _has_room(scene: Scene, miniature: Miniature) -> bool:
    """Return whether there surely is room for all infantry that a base may end on."""
    field = battlefield(scene)
    filled = _infantry(scene) | _bases(scene)[0] | field.volume_bits | field.marker_bits
    most = len(HEXON_OFFSETS) * len(field.base(miniature, (0, 0)))
    return field.bits.all.bit_count() - filled.bit_count() >= 2 * most


def _ends_of_infantry(scene: Scene, one: Miniature, starts: Mapping[int, Bits]) -> Bits:
    """Return the free Hexes that infantry reaches: past allies, not past enemies or Volume Landscape."""
    field = battlefield(scene)
    closed = field.volume_bits | _enemies(scene, one.token.side)
    occupied = _infantry(scene) | _bases(scene)[0] | field.marker_bits
    return spread(field.bits.beside, starts, closed) & ~occupied


def _ends_of_bases(scene: Scene, one: Miniature, starts: Mapping[int, Bits]) -> Bits:
    """Return the Hexons that large miniatures or a huge one reach, as `routes.can_pass` and `can_end` say.

    Large ones bar the way for each other. Each bars its own Hexon too, but no way needs to lead back there.
    """
    field, is_huge = battlefield(scene), one.profile.size == "huge"
    hexons, base = field.hexon_bits, field.base(one, (0, 0))
    volume = 0 if is_huge else field.volume_bits
    others = _bases_but(scene, one) if is_huge else _bases(scene)[0]
    no_ends = others if is_on(scene, house_rules.EJECTION) else others | _infantry(scene)
    no_pass = hexons.under(base, _enemies(scene, one.token.side) | others | volume)
    no_end = hexons.under(base, no_ends)
    closed = hexons.centers & ~hexons.on_board(base) | hexons.under(base, volume) | no_pass & no_end
    return spread(hexons.beside, starts, closed, stops=no_pass) & ~no_end
