"""Movement fields: what every cell in reach costs, and the way there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from enfilade.geometry.board.base import LANES, Board
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import mask_of, paint
from enfilade.geometry.board.units import Cell
from enfilade.geometry.board.walls import Wall
from enfilade.geometry.kernel.python_fields import MOST, NO_END, NO_STEP
from enfilade.geometry.movement.barriers import barriers
from enfilade.geometry.movement.graph import Ground, Node
from enfilade.geometry.movement.terrain_cost import Going


class Step(NamedTuple):
    """One step, or turn on the spot, of a way: the cell and the gait's state it leads to, and its points."""

    cell: Cell
    state: int
    cost: int


class Field:
    """What each cell in reach costs from the start, and the cheapest way to it.

    Attributes:
        ground: what was moved over.
        start: the cell moved from; it costs 0.
        budget: the most points that may be spent; a field never counts beyond `MOST`.

    Raises ValueError where the start is off the board, or the gait has no such state.
    """

    def __init__(self, ground: Ground, start: Cell, budget: int = MOST, state: int = 0) -> None:
        if start not in ground.board:
            raise ValueError(f"{start} is not on the board.")
        if not 0 <= state < ground.gait.states:
            raise ValueError(f"The gait has no state {state}.")
        self.ground, self.start, self.budget = ground, start, budget
        self._first: Node = (ground.places.of(start), state)
        self._spent = ground.search(start, state, budget)
        self._states = ground.gait.states

    def cost(self, cell: Cell) -> int | None:
        """The points of the cheapest way to a cell, in whichever state it arrives; None out of reach."""
        if cell not in self.ground.board:
            return None
        node = self._states * self.ground.places.of(cell)
        cost = min(self._spent[node : node + self._states])
        return None if cost == NO_STEP else cost

    @cached_property
    def costs(self) -> dict[Cell, int]:
        """Every cell in reach with its cost, also cells that may be passed but not ended on."""
        cells = ((column, row) for row in range(self.ground.board.rows) for column in self._columns)
        costs = zip(cells, self._least(), strict=True)
        return {cell: cost for cell, cost in costs if cost != NO_STEP}

    @property
    def _columns(self) -> range:
        return range(self.ground.board.columns)

    def _least(self) -> Iterator[int]:
        spent, states = self._spent, self._states
        for place in self.ground.places.on_board():
            yield min(spent[states * place : states * place + states]) if states > 1 else spent[place]

    @cached_property
    def reach(self) -> Mask:
        """The cells in reach."""
        if self._states == 1:
            return mask_of(self.ground.places, self._spent, 0, MOST)
        return Mask.of(self.costs, self.ground.board.rows)

    @cached_property
    def ends(self) -> Mask:
        """The cells in reach where the move may end; the start always."""
        places, flags = self.ground.places, self.ground.flags
        closed = [place for place, flag in enumerate(flags) if flag & NO_END]
        cells = [cell for cell in map(places.cell, closed) if cell in self.reach and cell != self.start]
        return self.reach - Mask.of(cells, self.ground.board.rows)

    def depends_on(self, cells: Iterable[Cell]) -> bool:
        """Whether this field could be another if the going of some cells were.

        A search asks about the cells it reaches and about those beside them, and about no others. So when
        a token moves, ask about the cells it left and came to, and, where enemies beside a cell change its
        cost, about the ring round them.
        """
        board, offsets = self.ground.board, self.ground.mover.footprint.offsets
        standing = {board.shift(cell, (-dx, -dy)) for cell in cells for dx, dy in offsets}
        for x, y in standing:
            beside = [(x + LANES[lane][0], y + LANES[lane][1]) for lane in board.touching((x, y))]
            if any(self.cost(cell) is not None for cell in ((x, y), *beside)):
                return True
        return False

    def path(self, cell: Cell) -> list[Cell]:
        """The cells of the cheapest way, the start first; raises KeyError out of reach."""
        cells = [self.start]
        cells += [step.cell for step, before in self._moves(cell) if step.cell != before]
        return cells

    def steps(self, cell: Cell) -> list[Step]:
        """The steps and turns of the cheapest way, each with its cost; raises KeyError out of reach."""
        return [step for step, _ in self._moves(cell)]

    def _moves(self, cell: Cell) -> list[tuple[Step, Cell]]:
        nodes = self._way_back(cell)
        nodes.reverse()
        moves = []
        for before, node in pairwise(nodes):
            cost = self._spent_at(node) - self._spent_at(before)
            step = Step(self.ground.places.cell(node[0]), node[1], cost)
            moves.append((step, self.ground.places.cell(before[0])))
        return moves

    def _spent_at(self, node: Node) -> int:
        return self._spent[self._states * node[0] + node[1]]

    def _way_back(self, cell: Cell) -> list[Node]:
        """The nodes from a cell back to the start, as straight as the costs allow.

        Free turns make rings of nodes that cost the same, so nodes are not visited twice.
        """
        if self.cost(cell) is None:
            raise KeyError(cell)
        place = self.ground.places.of(cell)
        way = [min(((place, state) for state in range(self._states)), key=self._spent_at)]
        tried, lanes = {way[0]}, [-1]
        while way[-1] != self._first:
            found = self._before(way[-1], lanes[-1], tried)
            if found is None:
                way.pop()
                lanes.pop()
                continue
            node, lane = found
            tried.add(node)
            way.append(node)
            lanes.append(lanes[-1] if lane is None else lane)
        return way

    def _before(self, node: Node, ahead: int, tried: set[Node]) -> tuple[Node, int | None] | None:
        """The best node before one on a cheapest way: along the same lane if it can be."""
        spent, best = self._spent_at(node), None
        for before, lane, cost in self.ground.arrivals(node, self._first[0]):
            if before not in tried and self._spent_at(before) + cost == spent:
                best = (before, lane) if best is None or lane == ahead else best
        return best


def open_going(board: Board, walls: Iterable[Wall] = ()) -> Going:
    """A board where every step costs what the board counts, but for walls: something to paint on."""
    return Going(paint(board, 1), paint(board, 1), barriers(board, tuple(walls)))
