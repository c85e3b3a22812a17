"""What a miniature's overlay shows besides its reach and targets: ranges, sight, zones, reactions, threat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Cell
from enfilade.geometry.sight.zones import Zone
from enfilade.rules.ruleset import Area, Engagement
from enfilade.rulesets.torn.attack_setup import why_illegal
from enfilade.rulesets.torn.battlefield import battlefield, enemies, on_battlefield
from enfilade.rulesets.torn.cover import advantages, cover_between, covered_hexes
from enfilade.rulesets.torn.profiles import Miniature, Tile, miniature
from enfilade.rulesets.torn.reactions import counters, free_attackers
from enfilade.rulesets.torn.sight import blind_zone, defence_zone, why_unseen
from enfilade.rulesets.torn.threat import threatened_after_a_move, threatened_now, within
from enfilade.scene.model import Scene, Token
from enfilade.time_budget import checkpoint


def areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
    """The areas of one overlay layer; none for a miniature off the board."""
    if token.at is None or token.at not in battlefield(scene).board or layer not in _LAYERS:
        return ()
    return _LAYERS[layer](scene, miniature(token))


def _ranges(scene: Scene, mini: Miniature) -> Sequence[Area]:
    """How far every attack reaches (TRN-006 to TRN-008)."""
    return [_range(scene, mini, tile) for tile in mini.profile.tiles if tile.is_attack]


def _range(scene: Scene, mini: Miniature, tile: Tile) -> Area:
    words = {"hex": ("Hex", "Hexes"), "hexon": ("Hexon", "Hexons")}[tile.unit]
    label = f"{tile.name}: {tile.range} {words[tile.range != 1]}"
    return _area(scene, "ranges", label, within(scene, battlefield(scene).filled(mini), tile))


def _sight(scene: Scene, mini: Miniature) -> Sequence[Area]:
    """Whom it sees, who sees it, and whom it does not see, each by the Hexes they fill (TRN-039)."""
    field = battlefield(scene)
    found = []
    for other in on_battlefield(scene):
        if other.id == mini.id:
            continue
        checkpoint()
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


def _cover(scene: Scene, mini: Miniature) -> Sequence[Area]:
    """Where infantry would be in cover from it, and what cover those have that it could attack (TRN-041)."""
    field = battlefield(scene)
    found = [_area(scene, "cover", "Infantry here is in cover", covered_hexes(scene, mini))]
    for other in enemies(scene, mini):
        checkpoint()
        is_hidden = cover_between(scene, mini, other) is not None
        says = [f"{other.name} is in cover."] if is_hidden else list(advantages(scene, mini, other))
        if says:
            found.append(_area(scene, "cover", " ".join(says), field.filled(other)))
    return found


def _threat(scene: Scene, mini: Miniature) -> Sequence[Area]:
    """Where its enemies can strike: from where they stand, and beside wherever they can come to."""
    strikers = enemies(scene, mini)
    now, after = threatened_now(scene, strikers), threatened_after_a_move(scene, strikers)
    return (
        _area(scene, "threat", "Enemies can strike here from where they stand", now),
        _area(scene, "threat", "Enemies can come and strike here in melee", after - now),
    )


def engagements(scene: Scene) -> list[Engagement]:
    """Enemies in neighbouring Hexes (TRN-065)."""
    field, found = battlefield(scene), []
    for one, other in combinations(on_battlefield(scene), 2):
        checkpoint()
        if scene.are_allies(one.token, other.token):
            continue
        if not field.beside(field.filled(one)).isdisjoint(field.filled(other)):
            label = f"{one.name} and {other.name} are Engaged"
            found.append(Engagement((one.id, other.id), label))
    return found


def _is_in_melee(scene: Scene, mini: Miniature, other: Miniature) -> bool:
    tiles = (tile for tile in mini.profile.tiles if tile.kind == "melee")
    return any(not why_illegal(scene, mini, tile, other)[0] for tile in tiles)


def _all(scene: Scene) -> Iterator[Cell]:
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
    "defence": _defence,
    "reactions": _reactions,
    "threat": _threat,
    "cover": _cover,
}
