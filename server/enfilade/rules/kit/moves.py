"""Plain moves: one movement profile gives the reach, the ruling and the procedure of a move.

Walls and closed doors bar the way, terrain multiplies the cost of a cell, enemies close their cells, and a
move ends in a free one. A path provokes nothing, so the cheapest one is taken where none is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from enfilade.errors import IllegalAct, OutOfTurn
from enfilade.geometry.board.arcs import full_mask
from enfilade.geometry.board.footprint import block
from enfilade.geometry.board.padded_grid import build_table, grid_of
from enfilade.geometry.board.square import Diagonals, SquareBoard
from enfilade.geometry.board.units import Cell
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.movement.terrain_cost import Mover, TerrainCost
from enfilade.geometry.movement.waypoints import route
from enfilade.i18n import localize
from enfilade.rules.kit.board import Board, board_of, cells_of, distance_text, terrain_costs
from enfilade.rules.kit.turns import TurnOrder
from enfilade.rules.procedures import Act, Change, Outcome, Step, Steps
from enfilade.rules.ruleset import Reach, Ruling
from enfilade.rules.walls import barred_table
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
        board, reasons = board_of(scene), [refusal] if refusal else []
        if not is_on_board(board, token, at) or token.at is None or token.at not in board:
            key = "kit.move_not_on_board" if is_on_board(board, token, at) else "kit.move_off_board"
            return Ruling(False, None, budget, (*reasons, self._reason(key, name=token.name)))
        if at == token.at and len(path) == 1:
            return Ruling(not reasons, 0, budget, tuple(reasons), (at,))
        body = {*cells_of(token, at)}
        others = [other for other in scene.on_board() if other.id != token.id]
        occupants = [other for other in others if not body.isdisjoint(cells_of(other))]
        field = self.field(scene, token, budget)
        if at not in field.ends:
            field = self.field(scene, token, UNLIMITED_COST)
        if occupants or at not in field.ends:
            key = "kit.move_occupied" if occupants else "kit.move_no_path"
            name = occupants[0].name if occupants else token.name
            return Ruling(False, None, budget, (*reasons, self._reason(key, name=name)))
        if len(path) > 1:
            drawn = route(field.graph, token.at, path)
            if drawn is None:
                sentence = self._reason("kit.move_no_path", name=token.name)
                return Ruling(False, None, budget, (*reasons, sentence))
            cost, way = drawn.cost, drawn.path
        else:
            cost, way = field.costs[at], tuple(field.path(at))
        if cost > budget:
            steps, most = distance_text(scene, cost), distance_text(scene, budget)
            reasons.append(self._reason("kit.move_too_far", distance=steps, budget=most, name=token.name))
        return Ruling(not reasons, cost, budget, tuple(reasons), way)

    def move(self, scene: Scene, act: Act) -> Steps:
        """Move a miniature. A move against the rules is explained and not prevented: the table decides."""
        token = scene.token(act.token)
        at = act.at or token.at
        if at is None or not is_on_board(board_of(scene), token, at):
            raise IllegalAct(localize("kit.move_off_board"), self.rule)
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

    def _refusal(self, scene: Scene, token: Token) -> str:
        """Return why a miniature may not move at all now; empty if it may."""
        try:
            self.turns.require(scene, token, "move")
        except (IllegalAct, OutOfTurn) as refused:
            return f"{refused.sentence} ({refused.rule})"
        return ""

    def _reason(self, key: str, **values: object) -> str:
        return f"{localize(key, **values)} ({self.rule})"
