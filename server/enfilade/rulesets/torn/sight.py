"""Who sees whom: cover behind Closing Landscape, blind zones, defence zones (TRN-039 to TRN-060)."""

from __future__ import annotations

from collections.abc import Callable

from enfilade.geometry.hex import AXIAL_STEPS, Axial
from enfilade.geometry.hexon import Hexon
from enfilade.geometry.units import Cell
from enfilade.rulesets.torn.battlefield import SMOKE, battlefield, closing_hexes
from enfilade.rulesets.torn.profiles import Miniature
from enfilade.scene.model import Scene

Zone = Callable[[Hexon], bool]
"""Whether a Hexon belongs to a zone."""


def why_unseen(scene: Scene, viewer: Miniature, target: Miniature) -> str:
    """Why one miniature does not see another, as a sentence; empty where it does (TRN-039, TRN-040)."""
    if target.has("invisible"):
        return f"{target.name} is invisible."
    if target.token.has("unseen"):
        return f"A God card hides {target.name}."
    if target.profile.size == "huge":
        return ""
    if is_blind(scene, viewer, target):
        return f"{target.name} is in cover: {viewer.name} stands in its blind zone."
    if is_blind(scene, target, viewer):
        return f"{viewer.name} is behind landscape: {target.name} stands in its blind zone."
    return ""


def is_blind(scene: Scene, viewer: Miniature, hider: Miniature) -> bool:
    """Whether a miniature stands, with all of its Hexons, in another's blind zone (TRN-048 to TRN-054)."""
    zone = blind_zone(scene, hider, viewer)
    field = battlefield(scene)
    return zone is not None and all(zone(hexon) for hexon in field.hexons_of(field.filled(viewer)))


def blind_zone(scene: Scene, mini: Miniature, *but: Miniature) -> Zone | None:
    """The Hexons from which a miniature is not seen; None where it has no cover (TRN-046 to TRN-055)."""
    covers = _covers(scene, mini, *but)
    if not covers:
        return None
    own = battlefield(scene).hexon(_place(mini))
    inside = is_on_line if mini.profile.size == "large" else is_between_lines
    return lambda hexon: any(inside(_from(own, hexon), cover) for cover in covers)


def defence_zone(scene: Scene, mini: Miniature) -> Zone | None:
    """The Hexons against which a large miniature takes advantage of landscape (TRN-057, TRN-058)."""
    covers = _covers(scene, mini) if mini.profile.size == "large" else frozenset()
    if not covers:
        return None
    own = battlefield(scene).hexon(_place(mini))
    return lambda hexon: any(is_between_lines(_from(own, hexon), cover) for cover in covers)


def is_in_smoke(scene: Scene, mini: Miniature) -> bool:
    """Whether a miniature stands in a Low Visibility Zone: a Hexon with smoke (TRN-043, TRN-044)."""
    field = battlefield(scene)
    return not field.hexons_of(field.cells(SMOKE)).isdisjoint(field.hexons_of(field.filled(mini)))


def is_between_lines(offset: Axial, cover: Axial) -> bool:
    """Whether a Hexon lies strictly between the two Hexon Lines that run 60 degrees beside a cover."""
    cube, direction = _cube(offset), _cube(cover)
    return cube[direction.index(1)] > 0 and cube[direction.index(-1)] < 0


def is_on_line(offset: Axial, cover: Axial) -> bool:
    """Whether a Hexon lies on the Hexon Line through a cover, at it or beyond."""
    steps = max(abs(part) for part in _cube(offset))
    return steps > 0 and offset == (cover[0] * steps, cover[1] * steps)


def _cube(offset: Axial) -> tuple[int, int, int]:
    return (offset[0], offset[1], -offset[0] - offset[1])


def _covers(scene: Scene, mini: Miniature, *but: Miniature) -> frozenset[Axial]:
    """The directions, in Hexons, in which a miniature stands beside Closing Landscape (TRN-046, TRN-052)."""
    if mini.token.at is None or mini.profile.size == "huge":
        return frozenset()
    field = battlefield(scene)
    closed = closing_hexes(scene, mini, *but)
    if not closed:
        return frozenset()
    own = field.hexon(_place(mini))
    if mini.profile.size == "large":
        near = {hexon for hexon in field.hexons_of(closed) if _from(own, hexon) in AXIAL_STEPS}
    else:
        near = set(field.hexons_of(field.beside([_place(mini)]) & closed)) - {own}
    return frozenset(_from(own, hexon) for hexon in near)


def _place(mini: Miniature) -> Cell:
    assert mini.token.at is not None
    return mini.token.at


def _from(own: Hexon, other: Hexon) -> Axial:
    return (other[0] - own[0], other[1] - own[1])
