"""Travel: the reach and the ruling of a token's move on any board, with what its steps provoke."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from msgspec import structs

from enfilade.errors import CannotPay, IllegalAct
from enfilade.geometry.board.base import CELL, Cell, Point
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import runs_of
from enfilade.geometry.movement.gridless import CLOSE, GridlessField
from enfilade.i18n import localize
from enfilade.rules.battle import causes
from enfilade.rules.battle.spaces import Spaces, spaces_of
from enfilade.rules.battle.strides import (
    ANY_BUDGET,
    Provoking,
    Stride,
    gridless_field,
    provoking_field,
    stride_field,
)
from enfilade.rules.procedures import Act, Change, Outcome, Procedure, Step, Steps
from enfilade.rules.ruleset import Area, PathStep, Provocation, Reach, Ruling
from enfilade.runtime.lazy import lazy
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token


@dataclass(frozen=True)
class Travel:
    """The move of a token on the board.

    lengths: how far it moves, by name, the least first; the last of them is its budget.
    zones: the places of the mover within reach of each token that may react, by ID; asked on grids alone.
    shares: the tokens with which it may share its place.
    act: the act with which a provoked token answers, in words.
    rule: the ID of the rule that refuses a move.
    """

    spaces: Spaces
    token: Token
    lengths: Mapping[str, int]
    stride: Stride
    zones: Callable[[], Mapping[str, Mask]]
    act: str
    rule: str
    shares: Callable[[Token], bool] = lambda _: False

    @property
    def most(self) -> int:
        """Return the length of the longest move."""
        return max(self.lengths.values(), default=0)

    @lazy
    def ways(self) -> Provoking:
        """Return the ways over a grid."""
        return provoking_field(self.spaces, self.token, self.most, self.stride, self.zones())

    def gridless(self, most: int) -> GridlessField:
        """Return the ways without a grid within a length."""
        cost = self.stride.cost or (lambda patch: patch.cost)
        closed = [patch for patch in self.spaces.scene.terrain if not cost(patch)]
        return gridless_field(self.spaces, self.token, most, self.stride.passes, closed)

    def shown(self, length: float) -> int:
        """Return a length as a whole number: of the map's units, or of cells if those are not whole."""
        if self.spaces.is_gridless:
            return math.ceil(self.spaces.in_units(length) - CLOSE)
        distance = self.spaces.grid.distance
        return round(length * distance if distance % 1 == 0 else length)

    # Reach

    def reach(self) -> Reach | None:
        """Return the places within the longest move, and what the ways there provoke; None off the board."""
        if not self.spaces.is_placed(self.token):
            return None
        if self.spaces.is_gridless:
            return self._gridless_reach()
        ways, rows = self.ways, self.ends().rows
        ends = sorted([entry for entry in ways.field.entries if rows[entry[1]] >> entry[0] & 1])
        shown = {cost: self.shown(cost) for cost in {cost for *_, cost in ends}}
        cells = tuple([(x, y, shown[cost]) for x, y, cost in ends])
        if ways.safe is ways.field:
            return Reach(self.shown(self.most), cells)
        safe = ways.safe.costs
        steps = {(x, y): ways.provoked_to((x, y)) for x, y, cost in ends if safe.get((x, y)) != cost}
        provoked = {at: found for at, found in steps.items() if found}
        ids = sorted({token for found in provoked.values() for token in found})
        return Reach(
            self.shown(self.most),
            cells,
            tuple([Provocation(key, self.act) for key in ids]),
            tuple([(*at, tuple(map(ids.index, found))) for at, found in provoked.items()]),
            tuple([(*at, self.shown(safe[at])) for at in provoked if at in safe]),
        )

    def ends(self, length: int | None = None) -> Mask:
        """Return the cells where the move may end, those of a shorter move if its length is given."""
        field = self.ways.field
        ends = field.reach - self._full if self._shared else field.ends
        if self._shared and self.ways.narrow:
            ends -= Mask.of(self.ways.narrow, self.spaces.board.rows)
        return ends if length is None else ends & field.within(length)

    @lazy
    def _shared(self) -> list[Token]:
        return [one for one in self.spaces.placed if one.id != self.token.id and self.shares(one)]

    @lazy
    def _full(self) -> Mask:
        """Return the places where another leaves the token no room; asked only if it may share with some."""
        board = self.spaces.board
        cells = [cell for one in self._others for cell in self.spaces.cells(one) if cell in board]
        return self.spaces.places_touching(self.token, Mask.of(cells, board.rows))

    def _gridless_reach(self) -> Reach:
        x, y = self.token.at or (0, 0)
        steps = range(-(self.most // CELL), self.most // CELL + 1)
        places = [(x + dx * CELL, y + dy * CELL) for dx in steps for dy in steps]
        costs = self.gridless(self.most).costs(places)
        cells = [
            (*at, self.shown(cost))
            for at, cost in zip(places, costs, strict=True)
            if cost is not None and self.spaces.has_place(self.token, at) and not self.in_the_way(at)
        ]
        bands = []
        for name, length in self.lengths.items():
            rings, lines = self.gridless(length).outline()
            bands.append(Area("reach", f"{name} {self.spaces.text(length)}", rings=rings, lines=lines))
        return Reach(self.shown(self.most), tuple(sorted(cells)), bands=tuple(bands))

    def areas(self, layer: str) -> list[Area]:
        """Return the cells of a grid within each length, by its name."""
        if self.spaces.is_gridless:
            return []
        return [
            Area(layer, f"{name} {self.spaces.text(length)}", runs_of(self.ends(length)))
            for name, length in self.lengths.items()
        ]

    def priced(self, path: Sequence[Cell]) -> list[tuple[Cell, int]]:
        """Return the cells of a legal way through waypoints after its start, each with its step's cost."""
        found, total, here = list[tuple[Cell, int]](), 0, self.token
        for waypoint in path:
            if len(path) == 1:
                field, cells = self.ways.field, self.ways.path(waypoint)
            else:  # a way of one's own may be dearer than the cheapest one to its cells
                field = stride_field(self.spaces, here, ANY_BUDGET, self.stride.after(total))
                cells = field.path(waypoint)
            costs = [field.cost(cell) or 0 for cell in cells]
            found += [
                (cell, end - start) for cell, (start, end) in zip(cells[1:], pairwise(costs), strict=True)
            ]
            total, here = total + costs[-1], _moved(here, waypoint)
        return found

    # Ruling

    def in_the_way(self, at: Cell) -> str:
        """Return the name of a token that leaves the mover no room at a place; empty if there is room."""
        spaces = self.spaces
        if spaces.is_gridless:
            x, y = at
            near = (
                name
                for name, (there_x, there_y), apart in self._bases
                if abs(x - there_x) < apart and math.hypot(x - there_x, y - there_y) < apart
            )
            return next(near, "")
        body = set(spaces.cells(self.token, at))
        return next((one.name for one in self._others if not body.isdisjoint(spaces.cells(one))), "")

    @lazy
    def _others(self) -> list[Token]:
        """Return the tokens with which it does not share its place."""
        return [one for one in self.spaces.placed if one.id != self.token.id and not self.shares(one)]

    @lazy
    def _bases(self) -> list[tuple[str, Point, float]]:
        """Return the name and the center of each other base, and how far from it the mover's must stay."""
        own = self.spaces.base(self.token).radius
        bases = ((one.name, self.spaces.base(one)) for one in self._others)
        return [(name, base.at, base.radius + own - CLOSE) for name, base in bases]

    def ruling(self, path: Sequence[Cell], refusal: IllegalAct | None = None) -> Ruling:
        """Return the ruling on a move through waypoints, each by the cheapest way from the one before.

        `refusal` is why the token may not move at all now.
        """
        at, spaces, token = path[-1], self.spaces, self.token
        if not spaces.is_placed(token):
            absent = IllegalAct(localize("battle.not_on_board", name=token.name), self.rule, "edge")
            return causes.ruling((refusal or absent,), None, 0)
        budget, reasons = self.shown(self.most), [refusal] if refusal else []
        if at == token.at and len(path) == 1:
            return causes.ruling(reasons, 0, budget, (at,))
        if not spaces.has_place(token, at):
            return causes.ruling((*reasons, causes.off_board(self.rule)), None, budget)
        if blocker := self.in_the_way(at):
            return causes.ruling((*reasons, causes.occupied(blocker, self.rule)), None, budget)
        cost, way = self._way_through(path)
        if cost is None:
            return causes.ruling((*reasons, self._barred(path)), None, budget)
        if cost > self.most + CLOSE:
            most, far = spaces.text(self.most), spaces.text(math.ceil(cost))
            sentence = localize("battle.too_far", name=token.name, most=most, far=far)
            reasons.append(CannotPay(sentence, self.rule))
        return causes.ruling(reasons, self.shown(cost), budget, tuple(way), self._steps(way))

    def _barred(self, path: Sequence[Cell]) -> IllegalAct:
        """Return the refusal of a way that does not lead there, by what bars it; too far if nothing does."""
        spaces = self.spaces

        def leads_there(less: Scene) -> bool:
            there = spaces_of(less, spaces.diagonals, spaces.large_hexes, spaces.sums_heights)
            return replace(self, spaces=there, zones=dict)._way_through(path)[0] is not None

        name, most = self.token.name, spaces.text(self.most)
        if spaces.is_gridless:  # there the search for a way goes as far as the move
            otherwise = IllegalAct(localize("battle.beyond", name=name, most=most), self.rule, "distance")
        else:
            otherwise = IllegalAct(localize("battle.no_way", name=name), self.rule, "ground")
        return causes.barred(spaces.scene, self.token, leads_there, self.rule, otherwise)

    def _way_through(self, path: Sequence[Cell]) -> tuple[float | None, list[Cell]]:
        if self.spaces.is_gridless:
            return self._gridless_way(path)
        return (None, []) if path[-1] in self.ways.narrow else self._way(path)

    def _way(self, path: Sequence[Cell]) -> tuple[int | None, list[Cell]]:
        """Return the cost of a way over a grid, and its cells, the start first."""
        at, board = path[-1], self.spaces.board
        if not all(cell in board for cell in path):
            return None, []
        if len(path) == 1:
            if self.ways.field.cost(at) is not None:
                return self.ways.field.cost(at), self.ways.path(at)
            field = stride_field(self.spaces, self.token, ANY_BUDGET, self.stride)
            return field.cost(at), field.path(at) if field.cost(at) is not None else []
        total, way = 0, [self.token.at or at]
        for waypoint in path:
            here = _moved(self.token, way[-1])
            field = stride_field(self.spaces, here, ANY_BUDGET, self.stride.after(total))
            cost = field.cost(waypoint)
            if cost is None:
                return None, []
            total, way = total + cost, way + field.path(waypoint)[1:]
        return total, way

    def _gridless_way(self, path: Sequence[Cell]) -> tuple[float | None, list[Cell]]:
        total, here = 0.0, self.token
        for waypoint in path:
            field = replace(self, token=here)
            cost = field.gridless(self.most).cost(waypoint)
            if cost is None:
                return None, []
            total, here = total + cost, _moved(here, waypoint)
        return total, [self.token.at or path[-1], *path]

    def _steps(self, way: Sequence[Cell]) -> tuple[PathStep, ...]:
        """Return the steps of a way with whom each of them provokes; empty if none does."""
        if self.spaces.is_gridless or not self.ways.zones:
            return ()
        provoked: dict[Cell, list[str]] = {}
        for cell, token in self.ways.provoked(way):
            provoked.setdefault(cell, []).append(token)
        if not provoked:
            return ()
        return tuple(
            PathStep(cell, "walk", 0, tuple([Provocation(key, self.act) for key in provoked.get(before, ())]))
            for before, cell in pairwise(way)
        )


def told_move(judge: Callable[[Scene, Token, Sequence[Cell], int | None], Ruling], rule: str) -> Procedure:
    """Return the procedure of moves that are judged, explained and not prevented: the table decides.

    `rule` is the ID that refuses a move without a place.
    """

    def move(scene: Scene, act: Act) -> Steps:
        token = scene.token(act.token)
        at = act.at or token.at
        if at is None:
            raise IllegalAct(localize("battle.not_on_board", name=token.name), rule, "edge")
        ruling = judge(scene, token, act.waypoints or (at,), act.facing)
        facts = {"token": token.id, "allowed": ruling.allowed, "reasons": list(ruling.reasons)}
        yield Change(Explained(kind="move", facts={**facts, "cost": ruling.cost}))
        yield Step(token.id, at, token.facing if act.facing is None else act.facing)
        return Outcome("moved")

    return move


def _moved(token: Token, at: Cell) -> Token:
    return structs.replace(token, at=at)
