"""Plain moves: one movement profile gives the reach, the ruling and the procedure of a move.

Walls and closed doors bar the way, terrain multiplies the cost of a cell, enemies close their cells, and a
move ends in a free one. A path provokes nothing, so the cheapest one is taken where none is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from enfilade.errors import Cause, IllegalAct
from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.footprint import block
from enfilade.geometry.board.mask import full_mask
from enfilade.geometry.board.padded_grid import build_table, grid_of
from enfilade.geometry.board.square import Diagonals, SquareBoard
from enfilade.geometry.movement.costs import Mover, TerrainCost
from enfilade.geometry.movement.field import Field, route
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.i18n import localize
from enfilade.rules.battle.causes import barred, ruling
from enfilade.rules.kit.board import Board, barred_table, board_of, cells_of, distance_text, terrain_costs
from enfilade.rules.kit.turns import TurnOrder
from enfilade.rules.procedures import Act, Change, Outcome, Step, Steps
from enfilade.rules.resolve import check_refusal
from enfilade.rules.ruleset import Reach, Ruling
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token


def is_on_board(board: Board, token: Token, at: Cell) -> bool:
    """Return whether the whole body of a miniature at a cell is on the board."""
    return all(cell in board for cell in cells_of(token, at))


@lru_cache(maxsize=64)
def _mover(size: tuple[int, int]) -> Mover:
    return Mover(footprint=block(*size))


def _under_body(board: Board, terrain: TerrainCost, token: Token) -> TerrainCost:
    """Return the terrain as a body of several hexes meets it, by the hex of its first column and row."""
    if token.size == (1, 1):
        return terrain
    places, taken = grid_of(board), set(terrain.no_end)
    enter, ends = build_table(board, 0), []
    for cell in full_mask(board):
        body = cells_of(token, cell)
        if all(part in board for part in body):
            costs = [terrain.enter[places.index(part)] for part in body]
            enter[places.index(cell)] = max(costs) if all(costs) else 0
            if not taken.isdisjoint(body):
                ends.append(cell)
    return replace(terrain, enter=enter, no_end=ends)


UNLIMITED_COST = 50_000
"""A budget above the cost of any path over a board."""


@dataclass(frozen=True)
class Walk:
    """The walk of miniatures: their speed in cells, the turn order, and the rule that a refusal names.

    `passes_allies` lets a miniature walk through allies. `diagonals` says how squares count diagonal steps;
    speed is in its points, of which a straight step costs 1 in most.
    """

    speed: Callable[[Token], int]
    turns: TurnOrder
    rule: str
    passes_allies: bool = True
    diagonals: Diagonals = Diagonals.EQUIDISTANT

    def reach(self, scene: Scene, token: Token) -> Reach | None:
        """Return the cells that a miniature can move to now; None off the board."""
        if token.at is None or token.at not in board_of(scene):
            return None
        budget = 0 if self._refusal(scene, token) else self.speed(token)
        field = self.field(scene, token, budget)
        cells = ((*cell, field.costs[cell]) for cell in sorted(field.ends))
        return Reach(budget, tuple(cells))

    def judge(self, scene: Scene, token: Token, path: Sequence[Cell], facing: int | None) -> Ruling:
        """Return the ruling on a move through waypoints, by the cheapest ways. Turning is free."""
        del facing
        at, budget, refusal = path[-1], self.speed(token), self._refusal(scene, token)
        reasons = [refusal] if refusal else []
        if off_board := self._off_board(scene, token, at):
            return ruling((*reasons, off_board), None, budget)
        assert token.at is not None
        if at == token.at and len(path) == 1:
            return ruling(reasons, 0, budget, (at,))
        body = {*cells_of(token, at)}
        others = [other for other in scene.on_board() if other.id != token.id]
        occupants = [other for other in others if not body.isdisjoint(cells_of(other))]
        field = self.field(scene, token, budget)
        if at not in field.ends:
            field = self.field(scene, token, UNLIMITED_COST)
        if occupants:
            stands = self._refused("occupied", "kit.move_occupied", name=occupants[0].name)
            return ruling((*reasons, stands), None, budget)
        is_drawn = len(path) > 1
        drawn = route(field.graph, token.at, path) if is_drawn else None
        if at not in field.ends or (is_drawn and drawn is None):
            return ruling((*reasons, self._barred(scene, token, path)), None, budget)
        cost, way = (drawn.cost, drawn.path) if drawn else (field.costs[at], tuple(field.path(at)))
        if cost > budget:
            steps, most = distance_text(scene, cost), distance_text(scene, budget)
            far = {"distance": steps, "budget": most, "name": token.name}
            reasons.append(self._refused("cost", "kit.move_too_far", **far))
        return ruling(reasons, cost, budget, way)

    def move(self, scene: Scene, act: Act) -> Steps:
        """Move a miniature. A move against the rules is explained and not prevented: the table decides."""
        token = scene.token(act.token)
        at = act.at or token.at
        if at is None or not is_on_board(board_of(scene), token, at):
            raise IllegalAct(localize("kit.move_off_board"), self.rule, "edge")
        yield Change(Explained(kind="move", facts={"token": token.id}))
        scene = yield Step(token.id, at, token.facing if act.facing is None else act.facing)
        yield from self.turns.after(scene, token, "move")
        return Outcome("moved")

    def field(self, scene: Scene, token: Token, budget: int) -> Field:
        """Return the cost of each cell within a budget, from the cell of a token on the board."""
        assert token.at is not None
        board = board_of(scene, self.diagonals)
        places = grid_of(board)
        costs = terrain_costs(scene.terrain)
        enter = build_table(board, 1, [([cell], cost) for cell, cost in costs.items() if cell in board])
        taken = []
        for other in scene.on_board():
            if other.id == token.id:
                continue
            body = [cell for cell in cells_of(other) if cell in board]
            taken += body
            if not (self.passes_allies and scene.are_allies(token, other)):
                for cell in body:
                    enter[places.index(cell)] = 0
        for cell in cells_of(token):
            if cell in board:
                enter[places.index(cell)] |= 1  # a miniature may leave closed terrain
        walls = barred_table(scene.walls, board)
        terrain = TerrainCost(enter, build_table(board, 1), walls, no_end=taken)
        if isinstance(board, SquareBoard):
            graph = MovementGraph(board, terrain, _mover(token.size))
        else:
            graph = MovementGraph(board, _under_body(board, terrain, token))
        # A wall may run through a big body, which leaves its place all the same.
        return Field(graph, token.at, budget, may_start_closed=token.size != (1, 1))

    def _refusal(self, scene: Scene, token: Token) -> IllegalAct | None:
        """Return the error that refuses any move of a miniature now, or None."""
        return check_refusal(self.turns.require, scene, token, "move")

    def _refused(self, cause: Cause, key: str, **values: object) -> IllegalAct:
        return IllegalAct(localize(key, **values), self.rule, cause)

    def _off_board(self, scene: Scene, token: Token, at: Cell) -> IllegalAct | None:
        """Return the refusal of a move that begins or ends off the board, or None."""
        board = board_of(scene)
        if not is_on_board(board, token, at):
            return self._refused("edge", "kit.move_off_board")
        if token.at is None or token.at not in board:
            return self._refused("edge", "kit.move_not_on_board", name=token.name)
        return None

    def _barred(self, scene: Scene, token: Token, path: Sequence[Cell]) -> IllegalAct:
        """Return the refusal of a way through waypoints that does not lead there, by what bars it."""
        start = token.at
        assert start is not None

        def leads_there(less: Scene) -> bool:
            field = self.field(less, token, UNLIMITED_COST)
            return path[-1] in field.ends and (len(path) == 1 or route(field.graph, start, path) is not None)

        otherwise = self._refused("ground", "kit.move_no_path", name=token.name)
        return barred(scene, token, leads_there, self.rule, otherwise)
