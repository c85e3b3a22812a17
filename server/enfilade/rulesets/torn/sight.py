"""Who sees whom: cover behind Closing Landscape, blind zones, defence zones (TRN-039 to TRN-060)."""

from __future__ import annotations

from enfilade.geometry.sight.zones import Zone, huge_blind_zone, infantry_blind_zone, large_blind_zone
from enfilade.geometry.sight.zones import defense_zone as zone_of_defence
from enfilade.rulesets.torn.battlefield import SMOKE, battlefield, closing_hexes
from enfilade.rulesets.torn.profiles import Miniature
from enfilade.scene.model import Scene


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
    field = battlefield(scene)
    return blind_zone(scene, hider, viewer).contains(field.hexons_of(field.filled(viewer)))


def blind_zone(scene: Scene, mini: Miniature, *but: Miniature) -> Zone:
    """The Hexons from which a miniature is not seen (TRN-046 to TRN-055).

    Huge miniatures close the view too, but for itself and those named (TRN-056).
    """
    assert mini.token.at is not None
    field = battlefield(scene)
    own, closed = field.hexon(mini.token.at), closing_hexes(scene, mini, *but)
    if mini.profile.size == "huge" or not closed:
        return huge_blind_zone(own)
    if mini.profile.size == "large":
        return large_blind_zone(own, field.hexons_of(closed))
    touching = field.hexons_of(field.beside([mini.token.at]) & closed)
    return infantry_blind_zone(field.board.axial(mini.token.at), touching, field.lattice)


def defence_zone(scene: Scene, mini: Miniature) -> Zone:
    """The Hexons against which a large miniature takes advantage of landscape (TRN-057, TRN-058)."""
    assert mini.token.at is not None
    field = battlefield(scene)
    closed = closing_hexes(scene, mini) if mini.profile.size == "large" else frozenset()
    return zone_of_defence(field.hexon(mini.token.at), field.hexons_of(closed))


def is_in_smoke(scene: Scene, mini: Miniature) -> bool:
    """Whether a miniature stands in a Low Visibility Zone: a Hexon with smoke (TRN-043, TRN-044)."""
    field = battlefield(scene)
    return not field.hexons_of(field.cells(SMOKE)).isdisjoint(field.hexons_of(field.filled(mini)))
