"""The battlefield: Hexes, Hexons, and the landscape on them (TRN-006 to TRN-008, TRN-045).

Torn ignores the walls of a scene. Its landscape is terrain of the kinds in `LANDSCAPE`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.bitboard import Bits, bitboard
from enfilade.geometry.board.footprint import ring
from enfilade.geometry.board.hex import AXIAL_STEPS, HexBoard, Layout, axial_distance
from enfilade.geometry.board.hexon import Hexon, HexonLattice, hexon_distance, hexons_around
from enfilade.geometry.board.mask import Mask
from enfilade.i18n import localize
from enfilade.rules.battle.memo import Shelf, large, per_cell, per_map, per_scene
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Answer
from enfilade.rules.ruleset import Area
from enfilade.rules.tell import cell_name
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.hexons import hexon_bits, hexon_tables
from enfilade.rulesets.torn.profiles import Measure, Miniature
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Grid, Scene, Terrain

VOLUME, VORTEX, DANGEROUS, SMOKE, MARKER = "volume", "vortex", "dangerous", "smoke", "marker"
LANDSCAPE = (VOLUME, VORTEX, DANGEROUS, SMOKE, MARKER)
CLOSING = (VOLUME, VORTEX)
"""The landscape that gives cover (TRN-042)."""


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
        self._hexes, self._hexes_of_base, self._bodies, self._places = Shelf(), Shelf(), Shelf(), Shelf()
        self._distances, self._hexon_distances = Shelf(), Shelf()
        self._tables = hexon_tables(board, lattice)
        self._hexons = self._tables.by_hex

    def terrain_cells(self, kind: str) -> frozenset[Cell]:
        """Return the Hexes of a kind of landscape."""
        return self._kinds[kind]

    def hexon_at(self, cell: Cell) -> Hexon:
        """Return the Hexon of a Hex, on the board or off."""
        known: Hexon | None = self._hexons.recent.get(cell)
        return known or self._hexons.add(cell, lambda: self.lattice.hexon_of(self.board.axial(cell)))

    def hexons_of(self, cells: Iterable[Cell]) -> frozenset[Hexon]:
        """Return the Hexons of some Hexes."""
        return frozenset([self.hexon_at(cell) for cell in cells])

    def place_of(self, body: frozenset[Cell]) -> frozenset[Hexon]:
        """Return the Hexons of a miniature's body; cached, because each line of sight asks for two."""
        known: frozenset[Hexon] | None = self._places.recent.get(body)
        return known or self._places.add(body, lambda: self.hexons_of(body))

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

    @lazy
    def smoke_hexons(self) -> frozenset[Hexon]:
        """Return the Hexons with smoke (TRN-044)."""
        return self.hexons_of(self._kinds[SMOKE])

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
        around, found = hexons_around(steps), set[Hexon]()
        for i, j in hexons:
            checkpoint()
            found.update([(i + di, j + dj) for di, dj in around])
        return self.bits_of_hexons(found)

    def bits_of_hexons(self, hexons: Iterable[Hexon]) -> Bits:
        """Return the Hexes of some Hexons that are on the board: the centers and all beside them, at once."""
        centers, cut = list[Cell](), list[Cell]()
        for hexon in self.all_hexons.intersection(hexons):
            if self.is_on_board(hexon):
                centers.append(self.center(hexon))
            else:
                cut += self.hexes_in(hexon)
        middle = self.bits.of(centers)
        return middle | self.bits.beside(middle) | self.bits.of(cut)

    def center(self, hexon: Hexon) -> Cell:
        """Return the Hex in the center of a Hexon."""
        known: Cell | None = self._tables.centers.recent.get(hexon)
        return known or self._tables.centers.add(
            hexon, lambda: self.board.offset(self.lattice.center_hex(hexon))
        )

    def hexes_in(self, hexon: Hexon) -> tuple[Cell, ...]:
        """Return the Hexes of a Hexon that are on the board."""
        known: tuple[Cell, ...] | None = self._hexes.recent.get(hexon)
        return known or self._hexes.add(hexon, lambda: self._find_hexes(hexon))

    def _find_hexes(self, hexon: Hexon) -> tuple[Cell, ...]:
        cells = (self.board.offset(axial) for axial in self.lattice.hexes(hexon))
        return tuple(cell for cell in cells if cell in self.board)

    def is_on_board(self, hexon: Hexon) -> bool:
        """Return whether a miniature can stand on a Hexon: its center is on the board."""
        return self.center(hexon) in self.board

    def adjacent_hexes(self, cells: Iterable[Cell]) -> set[Cell]:
        """Return the Hexes adjacent to some Hexes, without those."""
        return ring(self.board, cells)

    def hexes_touching(self, cells: Iterable[Cell]) -> Iterator[Cell]:
        """Yield the Hexes adjacent to any of some Hexes, on the board or off, some of them twice."""
        board = self.board
        for q, r in [board.axial(cell) for cell in cells]:
            yield from [board.offset((q + dq, r + dr)) for dq, dr in AXIAL_STEPS]

    def body(self, miniature: Miniature, at: Cell | None = None) -> frozenset[Cell]:
        """Return the Hexes that a miniature fills at its Hex or at another; none off the board.

        Infantry fills its Hex. A large or huge miniature fills its Hexons, from any Hex of the first.
        """
        place = at or miniature.token.at
        if place is None:
            return frozenset()
        profile = miniature.profile
        key = (place, profile.size, profile.hexons)
        known: frozenset[Cell] | None = self._bodies.recent.get(key)
        return known or self._bodies.add(key, lambda: self._find_body(miniature, place))

    def _find_body(self, miniature: Miniature, place: Cell) -> frozenset[Cell]:
        if miniature.profile.size == "infantry":
            return frozenset((place,))
        hexons = tuple(self.base(miniature, self.hexon_at(place)))
        # One object for a body at any Hex of its first Hexon: distances are kept by body.
        known: frozenset[Cell] | None = self._hexes_of_base.recent.get(hexons)
        return known or self._hexes_of_base.add(hexons, lambda: self._hexes_of(hexons))

    def apart(self, body: frozenset[Cell], other: frozenset[Cell], unit: Measure) -> int:
        """Return the distance between two bodies in Hexes or in Hexons (TRN-007, TRN-008)."""
        return self.distance(body, other) if unit == "hex" else self.hexon_distance(body, other)

    def distance(self, body: frozenset[Cell], other: frozenset[Cell]) -> int:
        """Return the Hexes between the nearest Hexes of two bodies; cached if there are several."""
        if len(body) == len(other) == 1:
            (start,), (end,) = body, other
            return self.board.distance(start, end)
        known: int | None = self._distances.recent.get((body, other))
        if known is None:
            known = self._distances.add((body, other), lambda: self._find_distance(body, other))
        return known

    def _find_distance(self, body: frozenset[Cell], other: frozenset[Cell]) -> int:
        starts, ends = map(self.board.axial, body), [self.board.axial(cell) for cell in other]
        return min([axial_distance((q - to_q, r - to_r)) for q, r in starts for to_q, to_r in ends])

    def hexon_distance(self, body: frozenset[Cell], other: frozenset[Cell]) -> int:
        """Return the Hexons between the nearest Hexons of two bodies; cached as `distance` is."""
        if len(body) == len(other) == 1:
            (start,), (end,) = body, other
            return hexon_distance(self.hexon_at(start), self.hexon_at(end))
        known: int | None = self._hexon_distances.recent.get((body, other))
        if known is None:
            known = self._hexon_distances.add((body, other), lambda: self._find_hexon_distance(body, other))
        return known

    def _find_hexon_distance(self, body: frozenset[Cell], other: frozenset[Cell]) -> int:
        ends = self.place_of(other)
        return min([hexon_distance(p, q) for p in self.place_of(body) for q in ends])

    def base(self, miniature: Miniature, first: Hexon) -> list[Hexon]:
        """Return the Hexons of a large or huge miniature's base, counted from its first."""
        return [(first[0] + i, first[1] + j) for i, j in miniature.base]

    def _hexes_of(self, hexons: tuple[Hexon, ...]) -> frozenset[Cell]:
        return frozenset([cell for hexon in hexons for cell in self.hexes_in(hexon)])


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
