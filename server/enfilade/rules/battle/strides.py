"""Strides: the cells, or the places without a grid, that a token of any size reaches, and what it provokes.

A game says which other tokens a mover passes, and on which cells it is within the reach of whom. A step out
of such a reach provokes. Among the cheapest ways the one that provokes nothing is taken.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace as resized

from enfilade.geometry.board.base import CELL, LANES, Board, Cell, lane_to
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import PaddedGrid, build_table, grid_of
from enfilade.geometry.board.shapes import Wall as WallShape
from enfilade.geometry.movement.costs import Mover, TerrainCost, under_footprint
from enfilade.geometry.movement.field import Bend, Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.movement.gridless import GridlessField
from enfilade.rules.battle.ground import entry_costs
from enfilade.rules.battle.spaces import Spaces
from enfilade.rules.kit.board import barred_table
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Terrain, Token

ANY_BUDGET = 50_000
"""A budget above the cost of any way over a board."""


class Stride(NamedTuple):
    """A way of moving.

    passes: whether it may move through another token. slowed: whether that one's space costs it double.
    cost: the factor of terrain, 0 for closed; None is the terrain's own.
    keeps_corners: a diagonal step needs open ground, not other tokens, on both cells beside it.
    extra: what each cell costs more, as for one that crawls.
    shuns: those to whom no step brings it nearer.
    ceiling: the length of a way beyond which a cell of terrain, or one without any (None), is not entered, as
        for one whose speeds differ by mode.
    squeezes: a big body passes where one of a size less fits: "difficult" ground to it, where it does not
        stay; or "pressed", where a cell costs 1 more. Empty: it does not pass.
    """

    passes: Callable[[Token], bool]
    slowed: Callable[[Token], bool] = lambda _: False
    cost: Callable[[Terrain], int] | None = None
    keeps_corners: bool = False
    extra: int = 0
    shuns: tuple[Token, ...] = ()
    ceiling: Callable[[Terrain | None], int] | None = None
    squeezes: str = ""

    def after(self, length: int) -> Stride:
        """Return the way of moving after a first part of so much."""
        ceiling = self.ceiling
        return self if ceiling is None else self._replace(ceiling=lambda patch: ceiling(patch) - length)


def stride_field(
    spaces: Spaces, token: Token, budget: int, stride: Stride, barred: bytes | None = None
) -> Field:
    """Return the cost of each cell of a grid that a token on the board reaches, in lengths.

    `barred` are steps that it does not take beside those through walls, by the places of the token.
    """
    return _field_over(spaces, token, budget, _ground(spaces, token, budget, stride).terrain, barred)


class _Ground(NamedTuple):
    """The costs of the places of a token, and those in which it only passes."""

    terrain: TerrainCost
    narrow: frozenset[Cell] = frozenset()


def _ground(spaces: Spaces, token: Token, budget: int, stride: Stride) -> _Ground:
    """Return what each place of a token costs to enter; a place that it enters too late is closed."""
    ground = _open_ground(spaces, token, budget, stride)
    if stride.ceiling is None:
        return ground
    ceilings, places = _ceilings(spaces, stride.ceiling), grid_of(spaces.board)
    while True:  # closing a place can only make other ways dearer
        field = _field_over(spaces, token, budget, ground.terrain, None)
        late = [at for at in field.reach if at != token.at and _is_late(spaces, token, at, field, ceilings)]
        if not late:
            return ground
        for at in late:
            ground.terrain.enter[places.index(at)] = 0


def _ceilings(spaces: Spaces, ceiling: Callable[[Terrain | None], int]) -> Mapping[Cell, int]:
    """Return the ceiling of each cell of a board."""
    plain = ceiling(None)
    found = {(x, y): plain for x in range(spaces.board.columns) for y in range(spaces.board.rows)}
    on_patches: dict[Cell, int] = {}
    for patch in spaces.scene.terrain:
        most = ceiling(patch)
        for cell in patch.cells:
            on_patches[cell] = min(most, on_patches.get(cell, most))
    return found | on_patches


def _is_late(spaces: Spaces, token: Token, at: Cell, field: Field, ceilings: Mapping[Cell, int]) -> bool:
    return field.costs[at] > min([ceilings.get(cell, 0) for cell in spaces.cells(token, at)])


def _field_over(
    spaces: Spaces, token: Token, budget: int, terrain: TerrainCost, barred: bytes | None
) -> Field:
    assert token.at is not None
    if barred is not None:
        terrain = replace(terrain, barred=_both(terrain.barred, barred))
    graph = MovementGraph(spaces.board, terrain, Mover())
    # A wall may run through a big body, which leaves its place all the same.
    return Field(graph, token.at, budget, may_start_closed=True)


def _open_ground(spaces: Spaces, token: Token, budget: int, stride: Stride) -> _Ground:
    """Return what each place of a token costs to enter, with the walls and the other tokens on the way.

    Tokens beyond the budget are left out: no way comes to them.
    """
    board, places = spaces.board, grid_of(spaces.board)
    (enter, closed), taken = _entry_table(spaces, stride), []
    corners = _corner_lanes(board, closed) if stride.keeps_corners and closed else b""
    for other in spaces.near(token, budget):
        body = [cell for cell in spaces.cells(other) if cell in board]
        taken += body
        passes, factor = stride.passes(other), stride.extra + (2 if stride.slowed(other) else 1)
        for index in map(places.index, body):
            enter[index] = max(enter[index], factor) if passes and enter[index] else 0
    for cell in spaces.cells(token):
        if cell in board:
            enter[places.index(cell)] |= 1  # a token may leave closed ground
    walls = barred_table(spaces.scene.walls, board)
    walls = _both(walls, corners) if corners else walls
    for other in stride.shuns:
        walls = _both(walls, _nearer_lanes(spaces, other))
    terrain = TerrainCost(enter, build_table(board, 1), walls, no_end=taken)
    whole = under_footprint(board, terrain, spaces.footprint(token))
    if max(token.size) == 1:
        return _Ground(whole)
    found = _squeezed(spaces, token, terrain, whole, stride) if stride.squeezes else _Ground(whole)
    return found._replace(terrain=replace(found.terrain, steps=_block_steps(spaces, token, enter, whole)))


def _block_steps(
    spaces: Spaces, token: Token, enter: array[int], whole: TerrainCost
) -> dict[tuple[Cell, int], int]:
    """Return the steps of a big body for which it pays less than for all that is under it afterwards.

    It pays for the costliest cell that it newly covers.
    """
    board, places, found = spaces.board, grid_of(spaces.board), {}
    known = {cell for patch in spaces.scene.terrain for cell in patch.cells if cell in board}
    known.update(cell for one in spaces.placed for cell in spaces.cells(one) if cell in board)
    dear = [cell for cell in known if enter[places.index(cell)] > 1]
    for there in spaces.places_touching(token, Mask.of(dear, board.rows)) if dear else ():
        checkpoint()
        full, body = whole.enter[places.index(there)], spaces.cells(token, there)
        if not full or all(enter[places.index(cell)] == full for cell in body):
            continue
        for here in board.neighbors(there):
            new = set(body).difference(spaces.cells(token, here))
            factor = max([enter[places.index(cell)] for cell in new], default=full)
            if factor != full:
                found[here, lane_to(here, there)] = factor
    return found


def _squeezed(
    spaces: Spaces, token: Token, terrain: TerrainCost, whole: TerrainCost, stride: Stride
) -> _Ground:
    """Return the ground of a big body that squeezes itself through where one of a size less fits."""
    board, places = spaces.board, grid_of(spaces.board)
    less = (max(1, token.size[0] - 1), max(1, token.size[1] - 1))
    part = under_footprint(board, terrain, spaces.footprint(resized(token, size=less)))
    is_pressed = stride.squeezes == "pressed"
    # A body leaves each place where all of it is on the board, also a closed one.
    costs = enumerate(zip(whole.enter, part.enter, whole.leave, strict=True))
    found = [index for index, (cost, squeezed, leaves) in costs if squeezed and leaves and not cost]
    enter = whole.enter[:]
    for index in found:
        cost = part.enter[index]
        enter[index] = cost + 1 if is_pressed else max(cost, 2 + stride.extra)
    ground = replace(whole, enter=enter, barred=_barred_as(places, found, part.barred, whole.barred))
    if is_pressed:
        return _Ground(ground)
    narrow = [places.cell(index) for index in found]
    return _Ground(replace(ground, no_end=(*whole.no_end, *narrow)), frozenset(narrow))


def _barred_as(places: PaddedGrid, found: Iterable[int], part: bytes, whole: bytes) -> bytes:
    """Return the barred lanes: of `part` for steps into and out of some places, else of `whole`."""
    marks = bytearray(places.size)
    for index in found:
        marks[index] = 1
    ends = int.from_bytes(marks, "little")
    steps = ends * 255
    for lane, offset in enumerate(places.lanes):
        starts = ends >> 8 * offset if offset > 0 else ends << 8 * -offset
        steps |= starts << lane
    one, other = int.from_bytes(part, "little"), int.from_bytes(whole, "little")
    return (one & steps | other & ~steps).to_bytes(len(whole), "little")


def _both(one: bytes, other: bytes) -> bytes:
    """Return the lanes that either of two tables bars."""
    both = int.from_bytes(one, "little") | int.from_bytes(other, "little")
    return both.to_bytes(len(one), "little")


def _nearer_lanes(spaces: Spaces, other: Token) -> bytes:
    """Return the lanes that lead nearer to a token on the board."""
    board, places, body = spaces.board, grid_of(spaces.board), spaces.cells(other)
    lanes = bytearray(places.size)

    def far(cell: Cell) -> int:
        return min(board.distance(cell, own) for own in body)

    for index in places.on_board():
        checkpoint()
        (x, y), here = places.cell(index), far(places.cell(index))
        for lane in board.adjacent_lanes((x, y)):
            cell = x + LANES[lane][0], y + LANES[lane][1]
            if cell in board and far(cell) < here:
                lanes[index] |= 1 << lane
    return bytes(lanes)


def _corner_lanes(board: Board, closed: Iterable[Cell]) -> bytes:
    """Return the diagonal lanes that closed ground beside them bars."""
    places = grid_of(board)
    lanes = bytearray(places.size)
    for x, y in closed:
        checkpoint()
        for dx in (1, -1):
            for up in (1, -1):
                beside, across = (x + dx, y), (x, y + up)
                if beside in board:
                    lanes[places.index(beside)] |= 1 << LANES.index((-dx, up))
                if across in board:
                    lanes[places.index(across)] |= 1 << LANES.index((dx, -up))
    return bytes(lanes)


def _entry_table(spaces: Spaces, stride: Stride) -> tuple[array[int], list[Cell]]:
    """Return the factor of entering each cell, without other tokens, and the cells that are closed."""
    board, scene = spaces.board, spaces.scene
    costs = entry_costs(scene.terrain)
    if stride.cost is not None:
        costs = {}
        for patch in scene.terrain:
            factor = stride.cost(patch)
            for cell in patch.cells:
                known = costs.get(cell, 1)
                costs[cell] = 0 if 0 in (known, factor) else max(known, factor)
    more = stride.extra
    dear = [([cell], cost and cost + more) for cell, cost in costs.items() if cell in board]
    closed = [cell for cell, cost in costs.items() if not cost and cell in board]
    return build_table(board, 1 + more, dear), closed


@dataclass(frozen=True)
class Provoking:
    """The ways of a token within a budget, and those that leave no one's reach.

    zones: for each token that may react, the places of the mover at which it is within reach.
    narrow: the places in which the mover passes and does not stay.
    """

    field: Field
    safe: Field
    zones: Mapping[str, Mask]
    narrow: frozenset[Cell] = frozenset()

    def path(self, to: Cell) -> list[Cell]:
        """Return the cheapest way to a cell in reach; of equal ones, one that provokes nothing."""
        is_free = self.safe.cost(to) == self.field.cost(to)
        return (self.safe if is_free else self.field).path(to)

    def provoked(self, path: Sequence[Cell]) -> list[tuple[Cell, str]]:
        """Return whom the steps of a way provoke: the cell that is left, and the token; each token once."""
        checkpoint()
        found: dict[str, Cell] = {}
        for one, other in pairwise(path):
            for token in self._reached_by.get(one, ()):
                if other not in self.zones[token]:
                    found.setdefault(token, one)
        return [(cell, token) for token, cell in found.items()]

    def provoked_to(self, to: Cell) -> list[str]:
        """Return whom the cheapest way to a cell in reach provokes, if none that is as cheap is free."""
        back = self.field.back
        if back is None:
            return [token for _, token in self.provoked(self.field.path(to))]
        checkpoint()
        known, reached_by, bend = self._known, self._reached_at, back.end(to)
        later = []
        while bend not in known and (before := back.before(bend)):
            later.append((bend, before[0]))
            bend = before
        found = known.setdefault(bend, [])
        for bend, left in reversed(later):
            if reached := reached_by.get(left):
                still = reached_by.get(bend[0], ())
                new = [token for token in reached if token not in still and token not in found]
                found = [*found, *new] if new else found
            known[bend] = found
        return found

    @lazy
    def _known(self) -> dict[Bend, list[str]]:
        """Return whom the ways to bends provoke, as far as they were asked for."""
        return {}

    @lazy
    def _reached_at(self) -> dict[int, list[str]]:
        """Return the same as `_reached_by`, by the index of the place."""
        index = self.field.graph.grid.index
        return {index(cell): tokens for cell, tokens in self._reached_by.items()}

    @lazy
    def _reached_by(self) -> dict[Cell, list[str]]:
        """Return the tokens within whose reach the mover is, by its place."""
        found: dict[Cell, list[str]] = {}
        for token, zone in self.zones.items():
            checkpoint()
            for cell in zone:
                found.setdefault(cell, []).append(token)
        return found


def provoking_field(
    spaces: Spaces, token: Token, budget: int, stride: Stride, zones: Mapping[str, Mask]
) -> Provoking:
    """Return the ways of a token, and those on which no step leaves the reach of one that may react."""
    ground, narrow = _ground(spaces, token, budget, stride)
    field = _field_over(spaces, token, budget, ground, None)
    if not zones:
        return Provoking(field, field, zones, narrow)
    places = grid_of(spaces.board)
    barred = bytearray(places.size)
    for zone in zones.values():
        checkpoint()
        inside = {places.index(cell) for cell in zone}
        for index in inside:
            for lane, offset in enumerate(places.lanes):
                if index + offset not in inside:
                    barred[index] |= 1 << lane
    return Provoking(field, _field_over(spaces, token, budget, ground, bytes(barred)), zones, narrow)


def gridless_field(
    spaces: Spaces, token: Token, budget: int, passes: Callable[[Token], bool], closed: Iterable[Terrain] = ()
) -> GridlessField:
    """Return the places that a token reaches without a grid; it may not stop in another, nor pass it.

    `closed` is terrain that it does not enter. What terrain costs is not counted.
    """
    scene = spaces.scene
    others = [spaces.base(one) for one in spaces.placed if one.id != token.id and not passes(one)]
    walls = [WallShape(wall.line) for wall in scene.walls if wall.stops_movement and not wall.is_open]
    for patch in closed:
        for x, y in patch.cells:
            left, top, right, bottom = x * CELL, y * CELL, (x + 1) * CELL, (y + 1) * CELL
            for line in (
                (left, top, right, top),
                (right, top, right, bottom),
                (right, bottom, left, bottom),
                (left, bottom, left, top),
            ):
                walls.append(WallShape(line))  # noqa: PERF401
    return GridlessField(spaces.gridless_board, spaces.base(token), budget, walls, others)
