"""Closing Landscape, which gives cover: that of the map, and huge miniatures (TRN-042, TRN-056)."""

from __future__ import annotations

from enfilade.geometry.board.bitboard import Bits
from enfilade.geometry.board.hex import Axial
from enfilade.geometry.board.hexon import Hexon, hexon_neighbors
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Cell
from enfilade.rules.battle.memo import per_scene, recent_by_size
from enfilade.rules.house_rules import is_on
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import Battlefield, battlefield
from enfilade.rulesets.torn.positions import miniatures
from enfilade.rulesets.torn.profiles import Miniature
from enfilade.runtime.lazy import lazy
from enfilade.scene.model import Scene


class Closing:
    """The Hexes that are closed, and their Hexons."""

    def __init__(self, field: Battlefield, hexes: frozenset[Cell], hexons: frozenset[Hexon]) -> None:
        self.hexes, self.hexons, self._field = hexes, hexons, field

    @lazy
    def beside(self) -> Mask:
        """Return the Hexes next to its Hexes."""
        bits = self._field.bits
        return bits.mask(bits.beside(bits.of(self.hexes)))

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
    at, size = miniature.token.at, miniature.profile.size
    if at is None or size == "huge":
        return False
    closing = all_closing(scene)
    if size == "infantry":
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
