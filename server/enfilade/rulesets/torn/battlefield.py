"""The battlefield: Hexes, Hexons, and the landscape on them (TRN-006 to TRN-008, TRN-045).

Torn ignores the walls of a scene. Its landscape is terrain of the kinds in `LANDSCAPE`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from enfilade.geometry.board.base import LANES
from enfilade.geometry.board.bitboard import Bits, bitboard
from enfilade.geometry.board.footprint import ring
from enfilade.geometry.board.hex import HexBoard, Layout, axial_distance
from enfilade.geometry.board.hexon import Hexon, HexonLattice, hexon_distance, hexons_around
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Cell, cell_name
from enfilade.i18n import localize
from enfilade.rules.battle.memo import large, per_cell, per_map, per_scene
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Answer
from enfilade.rules.ruleset import Area
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.hexons import SHARED_CELLS, hexon_bits, hexon_tables
from enfilade.rulesets.torn.profiles import Miniature
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Grid, Scene, Terrain

VOLUME, VORTEX, DANGEROUS, SMOKE, MARKER = "volume", "vortex", "dangerous", "smoke", "marker"
LANDSCAPE = (VOLUME, VORTEX, DANGEROUS, SMOKE, MARKER)
CLOSING = (VOLUME, VORTEX)
"""The landscape that gives cover (TRN-042)."""

MAX_BODIES = 512
"""How many bodies of large miniatures a battlefield caches, at 1 KB each."""

MAX_DISTANCES = 2_048
"""How many distances between bodies a battlefield caches, at 150 bytes each."""


class Battlefield:
    """The board of Hexes with the Hexons over it, and the landscape on it."""

    def __init__(self, board: HexBoard, lattice: HexonLattice, terrain: tuple[Terrain, ...]) -> None:
        self.board, self.lattice = board, lattice
        self._kinds: dict[str, frozenset[Cell]] = {
            kind: frozenset(cell for patch in terrain if terrain_kind(patch) == kind for cell in patch.cells)
            for kind in LANDSCAPE
        }
        self.bits, self.hexon_bits = bitboard(board), hexon_bits(board, lattice)
        self.volume_bits = self.bits.of(self._kinds[VOLUME])
        self._body_cache: dict[tuple[Hexon, ...], frozenset[Cell]] = {}
        self._singles: dict[Cell, frozenset[Cell]] = {}
        self._large: dict[tuple[Cell, tuple[Hexon, ...] | None], frozenset[Cell]] = {}
        self._distances: dict[tuple[frozenset[Cell], frozenset[Cell]], int] = {}
        self._hexon_distances: dict[tuple[frozenset[Cell], frozenset[Cell]], int] = {}
        self._places: dict[frozenset[Cell], frozenset[Hexon]] = {}
        self._tables = hexon_tables(board, lattice)
        self._hexons, self._hexes, self._hexon_bits = (
            self._tables.by_hex,
            self._tables.hexes,
            self._tables.bits,
        )
        self._caches_hexes = board.columns * board.rows <= SHARED_CELLS

    def terrain_cells(self, kind: str) -> frozenset[Cell]:
        """Return the Hexes of a kind of landscape."""
        return self._kinds[kind]

    def hexon_at(self, cell: Cell) -> Hexon:
        """Return the Hexon of a Hex, on the board or off."""
        x, y = cell
        columns = self.board.columns
        if not (0 <= x < columns and 0 <= y < self.board.rows):
            return self.lattice.hexon_of(self.board.axial(cell))
        return self._hexons[y * columns + x] or self._cache_hexon(cell)

    def _cache_hexon(self, cell: Cell) -> Hexon:
        """Compute the Hexon of a Hex, and cache one object for all of its Hexes, as there may be many."""
        checkpoint()
        hexon = self.lattice.hexon_of(self.board.axial(cell))
        for x, y in self.hexes_in(hexon):
            self._hexons[y * self.board.columns + x] = hexon
        return hexon

    def hexons_of(self, cells: Iterable[Cell]) -> frozenset[Hexon]:
        """Return the Hexons of some Hexes."""
        return frozenset([self.hexon_at(cell) for cell in cells])

    def place_of(self, body: frozenset[Cell]) -> frozenset[Hexon]:
        """Return the Hexons of a miniature's body; cached, because each line of sight asks for two."""
        known = self._places.get(body)
        if known is None:
            if len(self._places) >= MAX_BODIES:
                self._places.clear()
            known = self._places[body] = self.hexons_of(body)
        return known

    @lazy
    def closing(self) -> frozenset[Cell]:
        """Return the Hexes of Closing Landscape (TRN-042)."""
        return frozenset[Cell]().union(*(self._kinds[kind] for kind in CLOSING))

    @lazy
    def marker_bits(self) -> Bits:
        """Return the Hexes with markers, in which no move ends."""
        return self.bits.of(self._kinds[MARKER])

    @lazy
    def vortex_bits(self) -> Bits:
        """Return the Hexes with a vortex, in which infantry may stand."""
        return self.bits.of(self._kinds[VORTEX])

    @lazy
    def closing_hexons(self) -> frozenset[Hexon]:
        """Return the Hexons with Closing Landscape."""
        return self.hexons_of(self.closing)

    @property
    def all_hexons(self) -> frozenset[Hexon]:
        """Return the Hexons of the board, whole or cut by its edge."""
        if not self._tables.every:
            found = set[Hexon]()
            for y in range(self.board.rows):
                checkpoint()
                found.update([self.hexon_at((x, y)) for x in range(self.board.columns)])
            self._tables.every = frozenset(found)
        return self._tables.every

    def hexons_within(self, hexons: frozenset[Hexon], steps: int) -> Bits:
        """Return the Hexes of the Hexons that are at most so many Hexons from any of some."""
        if 3 * steps * (steps + 1) >= len(self.all_hexons):
            return self.bits_of_hexons(self._hexons_near(hexons, steps))
        around, found = hexons_around(steps), set[Hexon]()
        for i, j in hexons:
            checkpoint()
            found.update([(i + di, j + dj) for di, dj in around])
        return self.bits_of_hexons(found)

    def _hexons_near(self, hexons: frozenset[Hexon], steps: int) -> Iterator[Hexon]:
        for one in self.all_hexons:
            checkpoint()
            if min([hexon_distance(one, hexon) for hexon in hexons]) <= steps:
                yield one

    def bits_of_hexons(self, hexons: Iterable[Hexon]) -> Bits:
        """Return the Hexes of some Hexons that are on the board."""
        checkpoint()
        if not self._caches_hexes:
            return self._around_centers(hexons)
        found = 0
        for hexon in hexons:
            known = self._hexon_bits.get(hexon)
            if known is None and hexon in self.all_hexons:
                known = self._hexon_bits[hexon] = self.bits.of(self.hexes_in(hexon))
            found |= known or 0
        return found

    def _around_centers(self, hexons: Iterable[Hexon]) -> Bits:
        """Return the Hexes of some Hexons: their centers and all that is beside those, at once."""
        columns, rows, cut = self.board.columns, self.board.rows, list[Cell]()
        centers = []
        for hexon in hexons:
            x, y = self.center(hexon)
            if 0 <= x < columns and 0 <= y < rows:
                centers.append((x, y))
            elif -1 <= x <= columns and -1 <= y <= rows:
                cut += self.hexes_in(hexon)
        middle = self.bits.of(centers)
        return middle | self.bits.beside(middle) | (self.bits.of(cut) if cut else 0)

    def center(self, hexon: Hexon) -> Cell:
        """Return the Hex in the center of a Hexon."""
        known = self._tables.centers.get(hexon)
        if known is None:
            known = self.board.offset(self.lattice.center_hex(hexon))
            if known in self.board:  # there is no end of Hexons off the board
                self._tables.centers[hexon] = known
        return known

    def hexes_in(self, hexon: Hexon) -> tuple[Cell, ...]:
        """Return the Hexes of a Hexon that are on the board."""
        known = self._hexes.get(hexon)
        if known is None:
            cells = (self.board.offset(axial) for axial in self.lattice.hexes(hexon))
            known = tuple(cell for cell in cells if cell in self.board)
            if known and self._caches_hexes:  # there is no end of Hexons off the board
                self._hexes[hexon] = known
        return known

    def is_on_board(self, hexon: Hexon) -> bool:
        """Return whether a miniature can stand on a Hexon: its center is on the board."""
        return self.center(hexon) in self.board

    def adjacent_hexes(self, cells: Iterable[Cell]) -> set[Cell]:
        """Return the Hexes adjacent to some Hexes, without those."""
        return ring(self.board, cells)

    def hexes_touching(self, cells: Iterable[Cell]) -> Iterator[Cell]:
        """Yield the Hexes adjacent to any of some Hexes, on the board or off, some of them twice."""
        for x, y in cells:
            for lane in self.board.lanes((x, y)):
                dx, dy = LANES[lane]
                yield x + dx, y + dy

    def body(self, miniature: Miniature, at: Cell | None = None) -> frozenset[Cell]:
        """Return the Hexes that a miniature fills at its Hex or at another; none off the board.

        Infantry fills its Hex. A large or huge miniature fills its Hexons, from any Hex of the first.
        """
        place = at or miniature.token.at
        if place is None:
            return frozenset()
        profile = miniature.profile
        if profile.size == "infantry":
            return self._singles.get(place) or self._single(place)
        known = self._large.get((place, profile.hexons if profile.size == "huge" else None))
        return known or self._find_large(miniature, place)

    def _find_large(self, miniature: Miniature, place: Cell) -> frozenset[Cell]:
        if len(self._large) >= MAX_BODIES:
            self._large.clear()
        body = self._hexes_of(tuple(self.base(miniature, self.hexon_at(place))))
        hexons = miniature.profile.hexons if miniature.profile.size == "huge" else None
        self._large[place, hexons] = body
        return body

    def _single(self, place: Cell) -> frozenset[Cell]:
        if len(self._singles) >= MAX_BODIES:
            self._singles.clear()
        single = self._singles[place] = frozenset((place,))
        return single

    def distance(self, body: frozenset[Cell], other: frozenset[Cell]) -> int:
        """Return the Hexes between the nearest Hexes of two bodies; cached, because rules ask again."""
        known = self._distances.get((body, other))
        if known is None:
            if len(self._distances) >= MAX_DISTANCES:
                self._distances.clear()
            axial = self.board.axial
            ends = [axial(cell) for cell in other]
            known = min(
                axial_distance((q - to_q, r - to_r)) for q, r in map(axial, body) for to_q, to_r in ends
            )
            self._distances[body, other] = known
        return known

    def hexon_distance(self, body: frozenset[Cell], other: frozenset[Cell]) -> int:
        """Return the Hexons between the nearest Hexons of two bodies; cached as `distance` is."""
        known = self._hexon_distances.get((body, other))
        if known is None:
            if len(self._hexon_distances) >= MAX_DISTANCES:
                self._hexon_distances.clear()
            ends = self.place_of(other)
            known = min([hexon_distance(p, q) for p in self.place_of(body) for q in ends])
            self._hexon_distances[body, other] = known
        return known

    def base(self, miniature: Miniature, first: Hexon) -> list[Hexon]:
        """Return the Hexons of a large or huge miniature's base, counted from its first."""
        offsets = miniature.profile.hexons if miniature.profile.size == "huge" else ((0, 0),)
        return [(first[0] + i, first[1] + j) for i, j in offsets]

    def _hexes_of(self, hexons: tuple[Hexon, ...]) -> frozenset[Cell]:
        known = self._body_cache.get(hexons)
        if known is None:
            if len(self._body_cache) >= MAX_BODIES:
                self._body_cache.clear()
            known = frozenset(cell for hexon in hexons for cell in self.hexes_in(hexon))
            self._body_cache[hexons] = known
        return known


def terrain_kind(patch: Terrain) -> str:
    """Return the kind of landscape. Terrain without a kind that blocks sight and movement is a volume."""
    return patch.kind or (VOLUME if patch.blocks_sight and patch.cost == 0 else "")


@per_scene
def battlefield(scene: Scene) -> Battlefield:
    """Return the battlefield of a scene."""
    chirality, origin = setting(scene, house_rules.CHIRALITY), setting(scene, house_rules.ORIGIN)
    return _build(scene.terrain, scene.grid, str(chirality), int(origin))


@per_map
def _build(terrain: tuple[Terrain, ...], grid: Grid, chirality: str, origin: int) -> Battlefield:
    layout: Layout = grid.kind.removeprefix("hex_")  # type: ignore[assignment]
    lattice = HexonLattice("left" if chirality == "left" else "right", (origin, 0))
    return Battlefield(_board(grid.columns, grid.rows, layout), lattice, terrain)


@lru_cache(maxsize=64)
def _board(columns: int, rows: int, layout: Layout) -> HexBoard:
    # One object for all maps of this size: caches find what they know of a board by its identity.
    return HexBoard(columns, rows, layout)


@per_cell
def hexes_beside(board: HexBoard, cell: Cell) -> tuple[Cell, ...]:
    """Return the neighboring Hexes of a Hex; cached, because each route asks for them."""
    return tuple(board.neighbors(cell))


# Hexes as answers of a choice


def cell_answers(cells: Sequence[Cell]) -> tuple[Answer, ...]:
    """Return an answer for each Hex, with its name as label."""
    return tuple(Answer(f"{x},{y}", cell_name((x, y)), at=(x, y)) for x, y in cells)


def parse_cell(answer: str) -> Cell:
    """Return the Hex of an answer's key."""
    x, y = answer.split(",")
    return int(x), int(y)


# The board as it is drawn


def regions(scene: Scene) -> Sequence[Area]:
    """Return the Hexons of the board, whole or cut by its edge."""
    return _hexon_areas(battlefield(scene))


@large
def _hexon_areas(field: Battlefield) -> Sequence[Area]:
    rows = field.board.rows
    cells = [(column, row) for row in range(rows) for column in range(field.board.columns)]
    areas = []
    for i, j in dict.fromkeys(field.hexon_at(cell) for cell in cells):
        checkpoint()
        runs = Mask.of(field.hexes_in((i, j)), rows).runs()
        areas.append(Area("regions", localize("torn.area_hexon", i=i, j=j), tuple(runs)))
    return tuple(areas)
