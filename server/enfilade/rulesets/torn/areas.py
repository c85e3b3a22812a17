"""What a miniature's overlay shows besides its reach and targets: ranges, sight, zones, reactions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from enfilade.geometry.blind_zones import Zone
from enfilade.geometry.hexon import hexon_distance
from enfilade.geometry.mask import Mask
from enfilade.geometry.units import Cell
from enfilade.pace import breathe
from enfilade.rules.ruleset import Area
from enfilade.rulesets.torn.battlefield import battlefield, enemies, on_battlefield
from enfilade.rulesets.torn.blows import why_illegal
from enfilade.rulesets.torn.profiles import Miniature, Tile, miniature
from enfilade.rulesets.torn.reactions import counters, free_attackers
from enfilade.rulesets.torn.sight import blind_zone, defence_zone, why_unseen
from enfilade.scene.model import Scene, Token


def areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
    """The areas of one overlay layer; none for a miniature off the board."""
    if token.at is None or token.at not in battlefield(scene).board or layer not in _LAYERS:
        return ()
    return _LAYERS[layer](scene, miniature(token))


def _ranges(scene: Scene, mini: Miniature) -> Sequence[Area]:
    """How far every attack reaches (TRN-006 to TRN-008)."""
    return [_range(scene, mini, tile) for tile in mini.profile.tiles if tile.is_attack]


def _range(scene: Scene, mini: Miniature, tile: Tile) -> Area:
    field = battlefield(scene)
    filled = field.filled(mini)
    if tile.unit == "hex":
        cells = (c for c in _all(scene) if min(field.board.distance(c, own) for own in filled) <= tile.range)
        unit = "Hex" if tile.range == 1 else "Hexes"
    else:
        hexons = field.hexons_of(filled)
        near = {
            hexon
            for hexon in field.hexons_of(_all(scene))
            if min(hexon_distance(hexon, own) for own in hexons) <= tile.range
        }
        cells = (cell for cell in _all(scene) if field.hexon(cell) in near)
        unit = "Hexon" if tile.range == 1 else "Hexons"
    return _area(scene, "ranges", f"{tile.name}: {tile.range} {unit}", (c for c in cells if c not in filled))


def _sight(scene: Scene, mini: Miniature) -> Sequence[Area]:
    """Whom it sees, who sees it, and whom it does not see, each by the Hexes they fill (TRN-039)."""
    field = battlefield(scene)
    found = []
    for other in on_battlefield(scene):
        if other.id == mini.id:
            continue
        breathe()
        unseen, hidden = why_unseen(scene, mini, other), why_unseen(scene, other, mini)
        label = f"Sees {other.name}" if not unseen else f"Does not see {other.name}: {unseen}"
        if hidden and not unseen:
            label = f"Sees {other.name}, who does not see it"
        found.append(_area(scene, "sight", label, field.filled(other)))
    return found


def _blind(scene: Scene, mini: Miniature) -> Sequence[Area]:
    return _zone(scene, "blind", "Blind zone", blind_zone(scene, mini))


def _defence(scene: Scene, mini: Miniature) -> Sequence[Area]:
    return _zone(scene, "defence", "Defence Zone: +1 Defence die", defence_zone(scene, mini))


def _zone(scene: Scene, layer: str, label: str, zone: Zone) -> Sequence[Area]:
    if not zone.sectors and not zone.lines:
        return ()
    field = battlefield(scene)
    return (_area(scene, layer, label, (cell for cell in _all(scene) if field.hexon(cell) in zone)),)


def _reactions(scene: Scene, mini: Miniature) -> Sequence[Area]:
    """Who gets a Free Attack on which acts, and who may counter a melee attack (TRN-066, TRN-092)."""
    field, free = battlefield(scene), free_attackers(scene, mini)
    acts = " or ".join(tile.name for tile in mini.profile.tiles if tile.is_movement)
    found = [
        _area(scene, "reactions", f"{acts or 'Move'}: Free Attack by {other.name}", field.filled(other))
        for other in free
    ]
    for other in enemies(scene, mini):
        if _is_in_melee(scene, mini, other) and counters(scene, other, mini):
            label = f"Melee attack: Counter Attack by {other.name}"
            found.append(_area(scene, "reactions", label, field.filled(other)))
    return found


def _is_in_melee(scene: Scene, mini: Miniature, other: Miniature) -> bool:
    tiles = (tile for tile in mini.profile.tiles if tile.kind == "melee")
    return any(not why_illegal(scene, mini, tile, other)[0] for tile in tiles)


def _all(scene: Scene) -> Iterator[Cell]:
    for y in range(scene.grid.rows):
        breathe()
        yield from ((x, y) for x in range(scene.grid.columns))


def _area(scene: Scene, layer: str, label: str, cells: Iterable[Cell]) -> Area:
    on_board = (cell for cell in cells if cell in battlefield(scene).board)
    return Area(layer, label, tuple(Mask.of(on_board, scene.grid.rows).runs()))


_LAYERS: dict[str, Callable[[Scene, Miniature], Sequence[Area]]] = {
    "ranges": _ranges,
    "sight": _sight,
    "blind": _blind,
    "defence": _defence,
    "reactions": _reactions,
}
