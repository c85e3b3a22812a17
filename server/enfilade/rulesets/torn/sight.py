"""Visibility and cover: closing landscape, blind and defense zones, smoke, blockers (TRN-039 to TRN-060)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_

from enfilade.geometry.board.base import Cell, Point
from enfilade.geometry.board.bitboard import NO_CELLS, Bits
from enfilade.geometry.board.hex import Axial
from enfilade.geometry.board.hexon import Hexon, hexon_neighbors
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.sight import zones
from enfilade.geometry.sight.zones import Zone
from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_scene, recent, recent_by_size
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.ruleset import Blocker, Sight
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import CLOSING, VOLUME, Battlefield, battlefield, terrain_kind
from enfilade.rulesets.torn.positions import distance, miniatures, stands_on_board
from enfilade.rulesets.torn.profiles import Miniature, Size, distance_text, read_miniature
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token


class Closing:
    """The Hexes that are closed, and their Hexons."""

    def __init__(self, field: Battlefield, hexes: frozenset[Cell], hexons: frozenset[Hexon]) -> None:
        self.hexes, self.hexons, self._field = hexes, hexons, field

    @lazy
    def beside(self) -> frozenset[Cell]:
        """Return the Hexes next to its Hexes."""
        bits = self._field.bits
        return frozenset(bits.cells(bits.beside(bits.of(self.hexes))))

    @lazy
    def hexons_beside(self) -> frozenset[Hexon]:
        """Return the Hexons next to its Hexons."""
        return frozenset([there for hexon in self.hexons for there in hexon_neighbors(hexon)])

    @lazy
    def covered_sides(self) -> dict[Axial, Bits]:
        """Return the Hexes in which infantry touches the landscape, by the step to its Hexon (TRN-046).

        An open sector around each step hides it from viewers.
        """
        field, closed = self._field, self._field.bits.of(self.hexes)
        free = (field.bits.all & ~closed | field.vortex_bits) & ~field.volume_bits
        sides = field.hexon_bits.sides(closed)
        return {step: hexes & free for step, hexes in sides.items() if hexes & free}

    @lazy
    def covered(self) -> Bits:
        """Return the Hexes in which infantry may be in cover from somewhere: few of the board."""
        return reduce(or_, self.covered_sides.values(), NO_CELLS)


def closing_landscape(scene: Scene, *excluded: Miniature) -> Closing:
    """Return the Closing Landscape, with huge miniatures except some (TRN-042, TRN-056)."""
    if not any(one.profile.size == "huge" for one in excluded):
        return all_closing(scene)
    field, ids = battlefield(scene), {miniature.id for miniature in excluded}
    return _closing_with(
        field, tuple([field.body(one) for one in huge_with_cover(scene) if one.id not in ids])
    )


@per_scene
def all_closing(scene: Scene) -> Closing:
    """Return the Closing Landscape with all huge miniatures that give cover."""
    field = battlefield(scene)
    return _closing_with(field, tuple([field.body(one) for one in huge_with_cover(scene)]))


def is_beside_closing(scene: Scene, miniature: Miniature) -> bool:
    """Return whether a miniature has landscape beside it that may hide it: most have none."""
    at, closing = miniature.token.at, all_closing(scene)
    assert at is not None
    if miniature.profile.size == "infantry":
        return at in closing.beside
    return battlefield(scene).hexon_at(at) in closing.hexons_beside


@per_scene
def huge_with_cover(scene: Scene) -> tuple[Miniature, ...]:
    """Return the huge miniatures that give cover."""
    if not is_on(scene, house_rules.HUGE_GIVE_COVER):
        return ()
    return tuple([other for other in miniatures(scene) if other.profile.size == "huge"])


@recent_by_size
def _closing_with(field: Battlefield, bodies: tuple[frozenset[Cell], ...]) -> Closing:
    """Return the Closing Landscape of a map with bodies; kept until one of them moves."""
    if not bodies:
        return Closing(field, field.closing, field.closing_hexons)
    hexons = [field.place_of(body) for body in bodies]
    return Closing(field, field.closing.union(*bodies), field.closing_hexons.union(*hexons))


def unseen_reason(scene: Scene, viewer: Miniature, target: Miniature) -> str:
    """Return the reason why a miniature does not see a target; empty if it does (TRN-039, TRN-040)."""
    if target.has("invisible"):
        return localize("torn.unseen_invisible", target=target.name)
    if target.token.has("unseen"):
        return localize("torn.unseen_god_card", target=target.name)
    if target.profile.size == "huge":
        return ""
    if is_blind(scene, viewer, target):
        return localize("torn.unseen_in_cover", target=target.name, viewer=viewer.name)
    if is_blind(scene, target, viewer):
        return localize("torn.unseen_behind_landscape", target=target.name, viewer=viewer.name)
    return ""


@per_scene
def plainly_seen(scene: Scene) -> frozenset[str]:
    """Return the miniatures, by ID, of which any two see each other: no landscape or property hides them."""
    found = set()
    for one in miniatures(scene):
        checkpoint()
        if not (one.has("invisible") or one.token.has("unseen") or is_beside_closing(scene, one)):
            found.add(one.id)
    return frozenset(found)


def is_blind(scene: Scene, viewer: Miniature, hider: Miniature) -> bool:
    """Return whether a viewer stands, with all its Hexons, in a hider's blind zone (TRN-048 to TRN-054)."""
    if not is_beside_closing(scene, hider):  # rules ask about each pair
        return False
    field = battlefield(scene)
    return blind_zone(scene, hider, viewer).contains(field.place_of(field.body(viewer)))


def blind_zone(scene: Scene, miniature: Miniature, *excluded: Miniature) -> Zone:
    """Return the Hexons from which a miniature is not seen (TRN-046 to TRN-055).

    Other huge miniatures give cover too, except the excluded ones (TRN-056).
    """
    assert miniature.token.at is not None
    closing = closing_landscape(scene, miniature, *excluded)
    return _blind_zone(closing, battlefield(scene), miniature.token.at, miniature.profile.size)


@recent
def _blind_zone(closing: Closing, field: Battlefield, at: Cell, size: Size) -> Zone:
    own = field.hexon_at(at)
    if size == "huge":
        return zones.huge_blind_zone(own)
    if size == "large":
        return zones.large_blind_zone(own, closing.hexons)
    touching = field.hexons_of(field.adjacent_hexes([at]) & closing.hexes)
    return zones.infantry_blind_zone(field.board.axial(at), touching, field.lattice)


def defense_zone(scene: Scene, miniature: Miniature, *excluded: Miniature) -> Zone:
    """Return the Hexons against which a large miniature has advantage of landscape (TRN-057, TRN-058).

    Other huge miniatures are landscape too, except the excluded ones, such as its attacker (TRN-056).
    """
    assert miniature.token.at is not None
    field = battlefield(scene)
    is_large = miniature.profile.size == "large"
    closing = closing_landscape(scene, miniature, *excluded).hexons if is_large else frozenset[Hexon]()
    return zones.defense_zone(field.hexon_at(miniature.token.at), closing)


@recent_by_size
def hexes_in_zone(field: Battlefield, zone: Zone) -> Bits:
    """Return the Hexes of the board in a zone; kept, because miniatures stay where they are."""
    is_empty = not (zone.sectors or zone.lines)
    return NO_CELLS if is_empty else field.bits_of_hexons([one for one in field.all_hexons if one in zone])


def is_in_smoke(scene: Scene, miniature: Miniature) -> bool:
    """Return whether a miniature stands in a Low Visibility Zone: a Hexon with smoke (TRN-043, TRN-044)."""
    field = battlefield(scene)
    smoke = field.smoke_hexons
    return bool(smoke) and not smoke.isdisjoint(field.place_of(field.body(miniature)))


# Cover as it is shown


def sight(scene: Scene, viewer: Token, target: Token) -> Sight:
    """Return whether a miniature sees another, the landscape that hides it, and its cover (TRN-039)."""
    if viewer.id == target.id or not all(stands_on_board(scene, one) for one in (viewer, target)):
        return Sight()
    one, other = read_miniature(viewer), read_miniature(target)
    why = unseen_reason(scene, one, other)
    blocker, at = (find_blocker(scene, one, other) if why else None) or (None, None)
    hexes, hexons = distance(scene, one, other, "hex"), distance(scene, one, other, "hexon")
    return Sight(
        is_seen=not why,
        why=localize("torn.unseen_by", reason=why, blocker=blocker.name) if blocker else why,
        cover=" ".join(cover_sentences(scene, one, other)),
        distance=f"{distance_text(hexes, 'hex')} ({distance_text(hexons, 'hexon')})",
        line=(*_center(scene, one), *_center(scene, other)),
        at=at,
        blocker=blocker,
    )


def _center(scene: Scene, miniature: Miniature) -> Point:
    field = battlefield(scene)
    points = [field.board.center(cell) for cell in sorted(field.body(miniature))]
    return (sum(x for x, _ in points) // len(points), sum(y for _, y in points) // len(points))


def cover_sentences(scene: Scene, viewer: Miniature, target: Miniature) -> Iterator[str]:
    """Yield a sentence for each advantage of a visible target's position (TRN-043, TRN-057)."""
    field, zone = battlefield(scene), defense_zone(scene, target, viewer)
    if any(hexon in zone for hexon in field.place_of(field.body(viewer))):
        if setting(scene, house_rules.ADVANTAGE) == "ranged":
            yield localize("torn.cover_landscape_ranged", target=target.name)
        else:
            yield localize("torn.cover_landscape", target=target.name)
    if is_in_smoke(scene, target):
        yield localize("torn.cover_smoke", target=target.name)


def covered_hexes(scene: Scene, viewer: Miniature) -> Mask:
    """Return the Hexes in which infantry is in cover from a viewer (TRN-046 to TRN-051)."""
    field = battlefield(scene)
    return field.bits.mask(covered_among(scene, viewer, field.bits.all))


def covered_among(scene: Scene, viewer: Miniature, hexes: Bits) -> Bits:
    """Return those of some Hexes in which infantry is in cover from a viewer, with all Hexons of its base."""
    field, closing = battlefield(scene), closing_landscape(scene, viewer)
    hexes &= closing.covered
    for hexon in field.place_of(field.body(viewer)) if hexes else ():
        hexes = _covered_from(field, closing.covered_sides, hexon, hexes)
    return hexes


def _covered_from(field: Battlefield, sides: Mapping[Axial, Bits], hexon: Hexon, hexes: Bits) -> Bits:
    """Return those of some Hexes that have landscape between them and a Hexon, at one of their sides."""
    found = list[Cell]()
    for step, touching in sides.items():
        checkpoint()
        positive, negative = zones.SECTOR_AXES[step]
        for cell in field.bits.cells(touching & hexes):
            i, j = field.hexon_at(cell)
            i, j = hexon[0] - i, hexon[1] - j
            along = (i, -i - j, j)
            if along[positive] > 0 > along[negative]:
                found.append(cell)
    return field.bits.of(found)


def find_blocker(scene: Scene, viewer: Miniature, target: Miniature) -> tuple[Blocker, Point] | None:
    """Return the cover that hides one of two miniatures from the other, and its point; None without cover."""
    if target.profile.size == "huge":
        return None
    field = battlefield(scene)
    for hider, other in ((target, viewer), (viewer, target)):
        if is_blind(scene, other, hider):
            zone = blind_zone(scene, hider, other)
            step = zone.steps_to(field.place_of(field.body(other)))[0]
            hexon = (zone.origin[0] + step[0], zone.origin[1] + step[1])
            return _blocker_in(scene, hexon), field.board.center(field.center(hexon))
    return None


def _blocker_in(scene: Scene, hexon: Hexon) -> Blocker:
    """Return the Closing Landscape in a Hexon, or the huge miniature on it (TRN-042, TRN-056)."""
    field = battlefield(scene)
    hexes = frozenset(field.hexes_in(hexon))
    for patch in scene.terrain:
        kind = terrain_kind(patch)
        if kind in CLOSING and not hexes.isdisjoint(patch.cells):
            default = localize("torn.name_volume") if kind == VOLUME else localize("torn.name_vortex")
            return Blocker("terrain", patch.id, patch.name or default)
    for miniature in miniatures(scene):
        if miniature.profile.size == "huge" and not hexes.isdisjoint(field.body(miniature)):
            return Blocker("token", miniature.id, miniature.name)
    return Blocker("terrain", "", localize("torn.name_landscape"))
