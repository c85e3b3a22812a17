"""Cover, as it is drawn and told: who is hidden from whom, and by which landscape (TRN-041 to TRN-058)."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.geometry.board.hexon import Hexon
from enfilade.geometry.board.units import Cell, Point
from enfilade.geometry.sight.zones import Zone, infantry_blind_zone
from enfilade.rules.house_rules import setting
from enfilade.rules.ruleset import Blocker, Sight
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import (
    CLOSING,
    VOLUME,
    VORTEX,
    Battlefield,
    battlefield,
    closing_hexes,
    distance,
    kind_of,
    on_battlefield,
)
from enfilade.rulesets.torn.profiles import Miniature, miniature
from enfilade.rulesets.torn.sight import blind_zone, defence_zone, is_blind, is_in_smoke, why_unseen
from enfilade.scene.model import Scene, Token
from enfilade.time_budget import checkpoint

_NAMES = {VOLUME: "Volume Landscape", VORTEX: "Ethereal Vortex"}


def sight(scene: Scene, viewer: Token, target: Token) -> Sight:
    """Whether a miniature sees another, what hides either, and what cover the other has (TRN-039)."""
    board = battlefield(scene).board
    if viewer.at is None or target.at is None or viewer.id == target.id:
        return Sight()
    if viewer.at not in board or target.at not in board:
        return Sight()
    one, other = miniature(viewer), miniature(target)
    why = why_unseen(scene, one, other)
    found = cover_between(scene, one, other) if why else None
    giver, at = found or (None, None)
    return Sight(
        is_seen=not why,
        why=f"{why} {giver.name} gives the cover." if giver else why,
        cover=" ".join(advantages(scene, one, other)),
        distance=_distance(scene, one, other),
        line=(*_middle(scene, one), *_middle(scene, other)),
        at=at,
        blocker=giver,
    )


def advantages(scene: Scene, viewer: Miniature, target: Miniature) -> Iterator[str]:
    """What a target that is seen makes of where it stands, as sentences (TRN-043, TRN-057)."""
    field, zone = battlefield(scene), defence_zone(scene, target)
    if any(hexon in zone for hexon in field.hexons_of(field.filled(viewer))):
        which = " against ranged attacks" if setting(scene, house_rules.ADVANTAGE) == "ranged" else ""
        yield f"{target.name} takes advantage of landscape: +1 Defence die{which}."
    if is_in_smoke(scene, target):
        yield f"{target.name} stands in smoke: successes of ranged attacks are rolled again."


def _distance(scene: Scene, a: Miniature, b: Miniature) -> str:
    hexes, hexons = distance(scene, a, b, "hex"), distance(scene, a, b, "hexon")
    return f"{hexes} {'Hex' if hexes == 1 else 'Hexes'} ({hexons} {'Hexon' if hexons == 1 else 'Hexons'})"


def _middle(scene: Scene, mini: Miniature) -> Point:
    """The middle of what a miniature fills."""
    field = battlefield(scene)
    points = [field.board.center(cell) for cell in sorted(field.filled(mini))]
    return (sum(x for x, _ in points) // len(points), sum(y for _, y in points) // len(points))


def covered_hexes(scene: Scene, viewer: Miniature) -> Iterator[Cell]:
    """The Hexes in which infantry would be in cover from a miniature (TRN-046 to TRN-051)."""
    field, closed = battlefield(scene), closing_hexes(scene, viewer)
    hexons = field.hexons_of(field.filled(viewer))
    for cell in sorted((field.beside(closed) | field.cells(VORTEX)) - field.cells(VOLUME)):
        checkpoint()
        touching = field.hexons_of(field.beside([cell]) & closed)
        if infantry_blind_zone(field.board.axial(cell), touching, field.lattice).contains(hexons):
            yield cell


def cover_between(scene: Scene, viewer: Miniature, target: Miniature) -> tuple[Blocker, Point] | None:
    """What hides one of two miniatures from the other, and where it is; None where cover hides neither."""
    if target.profile.size == "huge":
        return None
    for hider, other in ((target, viewer), (viewer, target)):
        if is_blind(scene, other, hider):
            return _giver(scene, blind_zone(scene, hider, other), other)
    return None


def _giver(scene: Scene, zone: Zone, other: Miniature) -> tuple[Blocker, Point]:
    field = battlefield(scene)
    step = zone.steps_to(field.hexons_of(field.filled(other)))[0]
    hexon = (zone.origin[0] + step[0], zone.origin[1] + step[1])
    return _named(scene, field, hexon), field.board.center(field.centre(hexon))


def _named(scene: Scene, field: Battlefield, hexon: Hexon) -> Blocker:
    """The Closing Landscape in a Hexon, or else the huge miniature there (TRN-042, TRN-056)."""
    hexes = frozenset(field.hexes(hexon))
    for patch in scene.terrain:
        if kind_of(patch) in CLOSING and not hexes.isdisjoint(patch.cells):
            return Blocker("terrain", patch.id, patch.name or _NAMES[kind_of(patch)])
    for mini in on_battlefield(scene):
        if mini.profile.size == "huge" and not hexes.isdisjoint(field.filled(mini)):
            return Blocker("token", mini.id, mini.name)
    return Blocker("terrain", "", "the landscape")
