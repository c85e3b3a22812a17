"""The battlefield: Hexes, Hexons, what stands where, and how far apart (TRN-006 to TRN-008, TRN-045).

A scene's walls mean nothing in Torn; its landscape is terrain of the kinds named here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from enfilade.geometry.board.base import LANES
from enfilade.geometry.board.footprint import ring
from enfilade.geometry.board.hex import HexBoard, Layout
from enfilade.geometry.board.hexon import Hexon, HexonLattice, hexon_distance
from enfilade.geometry.board.units import Cell
from enfilade.rules.cache import MAPS, identity_cache, map_weight
from enfilade.rules.house_rules import is_on, setting
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.profiles import Miniature, Unit, miniature
from enfilade.scene.model import Grid, Scene, Terrain
from enfilade.time_budget import checkpoint

VOLUME, VORTEX, DANGEROUS, SMOKE, MARKER = "volume", "vortex", "dangerous", "smoke", "marker"
LANDSCAPE = {
    VOLUME: "Volume Landscape: closes the view and the way.",
    VORTEX: "Ethereal Vortex: closes the view; nobody on it makes Free Attacks.",
    DANGEROUS: "Dangerous Landscape: nobody on it makes Free Attacks.",
    SMOKE: "Smoke: its Hexons are Low Visibility Zones.",
    MARKER: "A marker: nobody ends a move on it.",
}
CLOSING = (VOLUME, VORTEX)
"""The landscape that gives cover (TRN-042)."""


MOST_BASES = 512
"""Of how many places what a large miniature fills there is remembered: 1 KB each."""


class Battlefield:
    """The board of Hexes with the Hexons over it, and the landscape on it."""

    def __init__(self, board: HexBoard, lattice: HexonLattice, terrain: tuple[Terrain, ...]) -> None:
        self.board, self.lattice = board, lattice
        self._kinds: dict[str, frozenset[Cell]] = {
            kind: frozenset(cell for patch in terrain if kind_of(patch) == kind for cell in patch.cells)
            for kind in LANDSCAPE
        }
        self._bases: dict[tuple[Hexon, ...], frozenset[Cell]] = {}
        self._hexons: list[Hexon | None] = [None] * (board.columns * board.rows)

    def cells(self, kind: str) -> frozenset[Cell]:
        """The Hexes of a kind of landscape."""
        return self._kinds[kind]

    def hexon(self, cell: Cell) -> Hexon:
        """The Hexon a Hex belongs to."""
        x, y = cell
        columns = self.board.columns
        if not (0 <= x < columns and 0 <= y < self.board.rows):
            return self.lattice.hexon_of(self.board.axial(cell))
        return self._hexons[y * columns + x] or self._found(cell)

    def _found(self, cell: Cell) -> Hexon:
        """The Hexon of a Hex that was not asked for yet; its other Hexes share it, as there may be many."""
        checkpoint()
        hexon = self.lattice.hexon_of(self.board.axial(cell))
        for x, y in self.hexes(hexon):
            self._hexons[y * self.board.columns + x] = hexon
        return hexon

    def hexons_of(self, cells: Iterable[Cell]) -> frozenset[Hexon]:
        """The Hexons that some Hexes belong to."""
        return frozenset(self.hexon(cell) for cell in cells)

    @cached_property
    def all_hexons(self) -> frozenset[Hexon]:
        """The Hexons of the board, whole or cut by its edge."""
        return self.hexons_of((x, y) for y in range(self.board.rows) for x in range(self.board.columns))

    def centre(self, hexon: Hexon) -> Cell:
        """The Hex in the middle of a Hexon."""
        return self.board.offset(self.lattice.center_hex(hexon))

    def hexes(self, hexon: Hexon) -> list[Cell]:
        """The Hexes of a Hexon that are on the board."""
        cells = (self.board.offset(axial) for axial in self.lattice.hexes(hexon))
        return [cell for cell in cells if cell in self.board]

    def is_on_board(self, hexon: Hexon) -> bool:
        """Whether a Hexon can be stood on: its middle is on the board."""
        return self.centre(hexon) in self.board

    def beside(self, cells: Iterable[Cell]) -> set[Cell]:
        """The Hexes adjacent to any of some Hexes."""
        return ring(self.board, cells)

    def filled(self, mini: Miniature, at: Cell | None = None) -> frozenset[Cell]:
        """The Hexes a miniature fills where it stands, or would fill at another; none off the board.

        Infantry fills its Hex; a large or huge miniature fills its Hexons whichever Hex of the first it
        is put on.
        """
        place = at or mini.token.at
        if place is None:
            return frozenset()
        if mini.profile.size == "infantry":
            return frozenset((place,))
        return self._hexes_of(tuple(self.hexons_at(mini, self.hexon(place))))

    def hexons_at(self, mini: Miniature, first: Hexon) -> list[Hexon]:
        """The Hexons a large or huge miniature covers, counted from its first."""
        offsets = mini.profile.hexons if mini.profile.size == "huge" else ((0, 0),)
        return [(first[0] + i, first[1] + j) for i, j in offsets]

    def _hexes_of(self, covered: tuple[Hexon, ...]) -> frozenset[Cell]:
        known = self._bases.get(covered)
        if known is None:
            if len(self._bases) >= MOST_BASES:
                self._bases.clear()
            known = self._bases[covered] = frozenset(cell for hexon in covered for cell in self.hexes(hexon))
        return known


def kind_of(patch: Terrain) -> str:
    """What a patch of terrain is in Torn; one that says only that it closes view and way is a volume."""
    return patch.kind or (VOLUME if patch.blocks_sight and patch.cost == 0 else "")


def battlefield(scene: Scene) -> Battlefield:
    """The battlefield of a scene."""
    chirality, origin = setting(scene, house_rules.CHIRALITY), setting(scene, house_rules.ORIGIN)
    return _laid_out(scene.terrain, scene.grid, str(chirality), int(origin))


@identity_cache(MAPS, map_weight)
def _laid_out(terrain: tuple[Terrain, ...], grid: Grid, chirality: str, origin: int) -> Battlefield:
    layout: Layout = grid.kind.removeprefix("hex_")  # type: ignore[assignment]
    twist = HexonLattice("left" if chirality == "left" else "right", (origin, 0))
    return Battlefield(HexBoard(grid.columns, grid.rows, layout), twist, terrain)


def on_battlefield(scene: Scene) -> Iterator[Miniature]:
    """The miniatures on the board."""
    return (miniature(token) for token in scene.on_board())


def enemies(scene: Scene, mini: Miniature) -> list[Miniature]:
    """The enemy miniatures on the board."""
    return [other for other in on_battlefield(scene) if not scene.are_allies(mini.token, other.token)]


def hex_distance(scene: Scene, a: Miniature, b: Miniature) -> int:
    """Hexes between the nearest Hexes of two miniatures; 1 is beside (TRN-007)."""
    field = battlefield(scene)
    distance = field.board.distance
    return min(distance(p, q) for p in field.filled(a) for q in field.filled(b))


def distance(scene: Scene, a: Miniature, b: Miniature, unit: Unit) -> int:
    """How far two miniatures are apart, in Hexes or in Hexons (TRN-007, TRN-008)."""
    if unit == "hex":
        return hex_distance(scene, a, b)
    field = battlefield(scene)
    ours, theirs = field.hexons_of(field.filled(a)), field.hexons_of(field.filled(b))
    return min(hexon_distance(p, q) for p in ours for q in theirs)


def are_adjacent(scene: Scene, a: Miniature, b: Miniature) -> bool:
    """Whether two miniatures have neighbouring Hexes (TRN-065)."""
    field = battlefield(scene)
    others = field.filled(b)
    return any(
        (x + dx, y + dy) in others
        for x, y in field.filled(a)
        for dx, dy in (LANES[lane] for lane in field.board.lanes((x, y)))
    )


def closing_hexes(scene: Scene, *but: Miniature) -> frozenset[Cell]:
    """The Hexes of Closing Landscape, and of huge miniatures other than some (TRN-042, TRN-056)."""
    checkpoint()
    field = battlefield(scene)
    closing = [field.cells(kind) for kind in CLOSING]
    if is_on(scene, house_rules.HUGE_GIVE_COVER):
        ids = {mini.id for mini in but}
        huge = (other for other in on_battlefield(scene) if other.profile.size == "huge")
        closing += [field.filled(other) for other in huge if other.id not in ids]
    return frozenset[Cell]().union(*closing)


def is_free(scene: Scene, cell: Cell, *but: str) -> bool:
    """Whether infantry may end in a Hex: no miniature, marker or Volume Landscape is there."""
    field = battlefield(scene)
    if cell in field.cells(VOLUME) or cell in field.cells(MARKER):
        return False
    return not any(cell in field.filled(other) for other in on_battlefield(scene) if other.id not in but)
