"""The landscape: the cases of a map as characters of each size stand on, step over and attack them.

It has the walls and the terrain of a map without characters, so that all scenes on the map share it.
"""

from __future__ import annotations

from enfilade.geometry.board.base import LANES, lane_to
from enfilade.geometry.board.footprint import ONE_CELL, SHARED_CELL, Footprint, block, ring
from enfilade.geometry.board.padded_grid import grid_of
from enfilade.geometry.board.square import SquareBoard
from enfilade.geometry.board.units import Cell
from enfilade.rules.cache import FEW, MAPS, board_weight, identity_cache, map_weight
from enfilade.rulesets.double_life.profiles import Size
from enfilade.scene.model import Terrain
from enfilade.time_budget import checkpoint

FOOTPRINTS: dict[Size, Footprint] = {"gnome": SHARED_CELL, "common": ONE_CELL, "troll": block(2, 2)}
"""The cases that a character fills, by its size (DBL-052 to DBL-055)."""

CostedCase = tuple[Cell, int]
"""A case with the cost of the costliest case that a character enters there."""


@identity_cache(MAPS, map_weight)
def _step_costs(terrain: tuple[Terrain, ...]) -> dict[Cell, int]:
    costs: dict[Cell, int] = {}
    for patch in terrain:
        for cell in patch.cells:
            known = costs.get(cell, 1)
            costs[cell] = 0 if 0 in (known, patch.cost) else max(known, patch.cost)
    return costs


@identity_cache(MAPS, map_weight)
def known_terrain(terrain: tuple[Terrain, ...]) -> tuple[Terrain, ...]:
    """Return the terrain that is not hidden; cached, so that all scenes on a map share its landscape."""
    shown = tuple([patch for patch in terrain if not patch.hidden])
    return terrain if len(shown) == len(terrain) else shown


class Landscape:
    """The walls and the terrain of a map; each answer is computed when it is first asked."""

    def __init__(self, terrain: tuple[Terrain, ...], barred: bytes, board: SquareBoard) -> None:
        """`barred` has the steps that walls bar, as `rules.walls.barred_table` returns them."""
        self.board = board
        self._costs = _step_costs(terrain)
        self._barred, self._grid = barred, grid_of(board)
        self._places: dict[Size, dict[Cell, CostedCase | None]] = {size: {} for size in FOOTPRINTS}
        self._steps: dict[Size, dict[Cell, tuple[CostedCase, ...]]] = {size: {} for size in FOOTPRINTS}
        self._around: dict[Size, dict[Cell, frozenset[Cell]]] = {size: {} for size in FOOTPRINTS}
        self._attackable: dict[Size, dict[Cell, frozenset[Cell]]] = {size: {} for size in FOOTPRINTS}

    def cells(self, size: Size, at: Cell) -> list[Cell]:
        """Return the cases that a character fills at a case; some may be off the board."""
        return [at] if size != "troll" else FOOTPRINTS[size].cells(self.board, at)

    def cost(self, cell: Cell) -> int:
        """Return the cost of entering a case; 0 if it is closed."""
        return self._costs.get(cell, 1)

    def is_open(self, start: Cell, end: Cell) -> bool:
        """Return whether no wall is between two cases that are the same or adjacent."""
        if start == end:
            return True
        if start not in self.board or end not in self.board:
            return False
        return not self._barred[self._grid.index(start)] >> lane_to(start, end) & 1

    # Places and steps

    def fits(self, size: Size, at: Cell) -> bool:
        """Return whether a character fits on a case: open ground on the board, and no wall through it."""
        return self._place(size, at) is not None

    def _place(self, size: Size, at: Cell) -> CostedCase | None:
        """Return a case with its cost; None if a character does not fit there."""
        known = self._places[size]
        if at not in self.board:
            return None
        if at not in known:
            cells = self.cells(size, at)
            fits = all(cell in self.board and self.cost(cell) and self.is_open(at, cell) for cell in cells)
            known[at] = (at, max(map(self.cost, cells))) if fits else None
        return known[at]

    def steps(self, size: Size, cell: Cell) -> tuple[CostedCase, ...]:
        """Return the cases one step away where a character fits, if no wall bars any part of the step."""
        found = self._steps[size].get(cell)
        if found is None:
            found = tuple(self._find_steps(size, cell))
            if cell in self.board:
                self._steps[size][cell] = found
        return found

    def _find_steps(self, size: Size, cell: Cell) -> list[CostedCase]:
        checkpoint()
        barred = 0
        for own in self.cells(size, cell):
            barred |= self._barred[self._grid.index(own)] if own in self.board else 0
        lanes = [step for lane, step in enumerate(LANES) if not barred >> lane & 1]
        around = [self._place(size, (cell[0] + dx, cell[1] + dy)) for dx, dy in lanes]
        return [place for place in around if place is not None]

    # Attacks

    def around(self, size: Size, at: Cell) -> frozenset[Cell]:
        """Return the cases of the board around a character."""
        found = self._around[size].get(at)
        if found is None:
            found = frozenset(ring(self.board, self.cells(size, at)))
            if at in self.board:
                self._around[size][at] = found
        return found

    def attackable(self, size: Size, at: Cell) -> frozenset[Cell]:
        """Return the cases that a character can attack from a case (DBL-052 to DBL-055).

        A gnome attacks only on its own case. Others attack the adjacent cases and, if a gnome shares
        theirs, their own (C-24).
        """
        found = self._attackable[size].get(at)
        if found is None:
            found = frozenset(self._find_attackable(size, at))
            if at in self.board:
                self._attackable[size][at] = found
        return found

    def _find_attackable(self, size: Size, at: Cell) -> set[Cell]:
        checkpoint()
        own = [cell for cell in self.cells(size, at) if cell in self.board]
        if size == "gnome":
            return set(own)
        around = self.around(size, at)
        return {*own, *(cell for cell in around if any(self._touches(one, cell) for one in own))}

    def _touches(self, start: Cell, end: Cell) -> bool:
        return max(abs(start[0] - end[0]), abs(start[1] - end[1])) <= 1 and self.is_open(start, end)


def _landscape_weight(_terrain: tuple[Terrain, ...], _barred: bytes, board: SquareBoard) -> int:
    return board_weight(board)


@identity_cache(FEW, _landscape_weight)
def landscape_of(terrain: tuple[Terrain, ...], barred: bytes, board: SquareBoard) -> Landscape:
    """Return the landscape of a map; cached."""
    return Landscape(terrain, barred, board)
