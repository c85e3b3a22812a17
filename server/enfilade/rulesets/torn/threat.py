"""Where miniatures can strike: from where they stand, and in melee once they have moved (TRN-006 to TRN-012).

Each as if it were its activation and it had all its actions. A Hex is struck where infantry would be a legal
target in it; large and huge miniatures are struck where any of their Hexes is.
"""

from __future__ import annotations

from collections.abc import Iterable

from enfilade.geometry.board.hexon import Hexon, hexon_distance
from enfilade.geometry.board.units import Cell
from enfilade.rulesets.torn.battlefield import VOLUME, Battlefield, battlefield
from enfilade.rulesets.torn.cover import covered_hexes
from enfilade.rulesets.torn.profiles import Miniature, Tile
from enfilade.rulesets.torn.sight import blind_zone
from enfilade.rulesets.torn.ways import ways_with
from enfilade.scene.model import Scene
from enfilade.time_budget import checkpoint


def within(scene: Scene, hexes: Iterable[Cell], tile: Tile) -> set[Cell]:
    """The Hexes of the board that a tile reaches from some Hexes, without those (TRN-006 to TRN-008)."""
    field, own = battlefield(scene), frozenset(hexes)
    if tile.unit == "hexon":
        return {cell for hexon in _near(field, own, tile.range) for cell in field.hexes(hexon)} - own
    reached, rim = set(own), set(own)
    for _ in range(tile.range):
        checkpoint()
        rim = field.beside(rim) - reached
        reached |= rim
    return reached - own


def _near(field: Battlefield, own: frozenset[Cell], most: int) -> set[Hexon]:
    """The Hexons of the board that are at most so far from some Hexes'."""
    hexons = field.hexons_of(own)
    return {hexon for hexon in field.all_hexons if min(hexon_distance(hexon, one) for one in hexons) <= most}


def threatened_now(scene: Scene, strikers: Iterable[Miniature]) -> set[Cell]:
    """The Hexes that any of some miniatures can attack from where it stands."""
    field = battlefield(scene)
    found: set[Cell] = set()
    for mini in strikers:
        checkpoint()
        reached = {cell for tile in _attacks(mini) for cell in within(scene, field.filled(mini), tile)}
        zone = blind_zone(scene, mini)
        hidden = set(covered_hexes(scene, mini))
        found |= {cell for cell in reached - hidden if field.hexon(cell) not in zone}
    return found - field.cells(VOLUME)


def threatened_after_a_move(scene: Scene, strikers: Iterable[Miniature]) -> set[Cell]:
    """The Hexes that any of some miniatures can attack in melee from wherever a Move or Run brings it."""
    field = battlefield(scene)
    found: set[Cell] = set()
    for mini in strikers:
        tiles = [tile for tile in _attacks(mini) if tile.kind == "melee"]
        places = _places(scene, mini) if tiles else ()
        for hexes in set(places):
            checkpoint()
            found |= {cell for tile in tiles for cell in within(scene, hexes, tile)}
    return found - field.cells(VOLUME)


def _attacks(mini: Miniature) -> list[Tile]:
    return [tile for tile in mini.profile.tiles if tile.is_attack]


def _places(scene: Scene, mini: Miniature) -> Iterable[frozenset[Cell]]:
    """What it would fill wherever it can come to: large ones once for each Hexon."""
    field = battlefield(scene)
    for tile in mini.profile.tiles:
        if tile.is_movement:
            yield from (field.filled(mini, cell) for cell in ways_with(scene, mini, tile))
