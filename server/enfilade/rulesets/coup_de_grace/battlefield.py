"""The battlefield: a scene with the board, the miniatures and the house rules (CDG-011 to CDG-018)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from enfilade.geometry.board.arcs import arc, is_in_arc, nearest_facing
from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.footprint import ONE_CELL
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.square import AHEAD, FACINGS, Diagonals, is_in_front_arc
from enfilade.i18n import localize
from enfilade.rules.battle.battle import Battle, BattleRules
from enfilade.rules.battle.ground import Footing, footing_of, ground_of
from enfilade.rules.battle.memo import per_cell, per_scene
from enfilade.rules.house_rules import HouseRule, Setting, is_on, setting
from enfilade.rules.kit.board import Board, barred_table, board_on
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.profiles import Fighter, reader
from enfilade.runtime.lazy import lazy
from enfilade.scene.model import Grid, Scene, Token

GRIDS = frozenset({"square", "hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"})

SQUARE_ARC, HEX_ARC = 90, 120

_FACINGS = {
    0: localize("coup_de_grace.facing_north"),
    30: localize("coup_de_grace.facing_northeast"),
    60: localize("coup_de_grace.facing_northeast"),
    90: localize("coup_de_grace.facing_east"),
    120: localize("coup_de_grace.facing_southeast"),
    150: localize("coup_de_grace.facing_southeast"),
    180: localize("coup_de_grace.facing_south"),
    210: localize("coup_de_grace.facing_southwest"),
    240: localize("coup_de_grace.facing_southwest"),
    270: localize("coup_de_grace.facing_west"),
    300: localize("coup_de_grace.facing_northwest"),
    330: localize("coup_de_grace.facing_northwest"),
}


def facing_text(facing: int) -> str:
    """Return the name of a facing in degrees clockwise from north: "north", "southwest", or the degrees."""
    return _FACINGS.get(facing) or localize("coup_de_grace.facing_degrees", degrees=facing)


@per_cell
def cells_beside(board: Board, cell: Cell) -> tuple[Cell, ...]:
    """Return the adjacent cells, clockwise from north; cached, because each move asks for each enemy."""
    return tuple(board.neighbors(cell))


def front_arc(board: Board, cell: Cell, facing: int) -> Mask:
    """Return the front arc of a cell: 90 degrees on squares, 120 on hexes (CDG-015)."""
    if isinstance(board, HexBoard):
        return arc(board, board.center(cell), facing, HEX_ARC)
    return board.arc(cell, facing, SQUARE_ARC)


def _diagonals(scene: Scene) -> Diagonals:
    """Return whether a cell beside is one across a corner too (CDG-012)."""
    has_diagonals = setting(scene, house_rules.ADJACENCY) == "edges and corners"
    return Diagonals.EQUIDISTANT if has_diagonals else Diagonals.ILLEGAL


@lru_cache(maxsize=64)
def _rules(grid: Grid) -> tuple[tuple[int, ...], BattleRules[Fighter]]:
    """Return the facings that a miniature may have, toward the edges of its cell (CDG-013), and the rules."""
    board = board_on(grid)
    facings = board.facings if isinstance(board, HexBoard) else FACINGS
    return facings, BattleRules(read=reader(facings), diagonals=_diagonals)


class Battlefield(Battle[Fighter]):
    """The battle with facings: what is ahead of a miniature, and what is behind it."""

    def __init__(self, scene: Scene) -> None:
        self.facings, rules = _rules(scene.grid)
        super().__init__(rules, scene)
        self._allied: dict[tuple[str, str], bool] = {}
        self._enemies: dict[str, dict[str, Fighter]] = {}
        self._fighters: dict[str, Fighter] = {}

    def is_on(self, house_rule: HouseRule) -> bool:
        """Return whether a yes-or-no house rule is on at this table."""
        return is_on(self.scene, house_rule)

    def setting(self, house_rule: HouseRule) -> Setting:
        """Return the table's choice for a house rule."""
        return setting(self.scene, house_rule)

    # The board

    @lazy
    def barred_steps(self) -> bytes:
        """The steps that walls and closed doors block, as a table of the movement graph (CDG-045).

        It has the steps across corners too, so it serves boards that count steps in any way.
        """
        return barred_table(self.scene.walls, board_on(self.scene.grid))

    @property
    def crawling_board(self) -> Board:
        """The board as a crawler counts steps (CDG-072)."""
        return board_on(self.scene.grid) if self._crawls_diagonally else self.board

    @property
    def _crawls_diagonally(self) -> bool:
        return self.is_on(house_rules.CRAWL_DIAGONALLY)

    def nearest_facing(self, facing: int | None) -> int | None:
        """Return the nearest facing that a miniature may have (CDG-013)."""
        return None if facing is None else nearest_facing(facing, self.facings)

    def cell_toward(self, cell: Cell, facing: int) -> Cell:
        """Return the cell one step along a facing. It may be off the board."""
        if isinstance(self.board, HexBoard):
            return self.board.toward(cell, facing)
        return self.board.shift(cell, AHEAD[facing])

    def square_distance(self, a: Cell, b: Cell) -> int:
        """Return the squared straight distance of two cells, to compare distances on this board."""
        (ax, ay), (bx, by) = self.board.center(a), self.board.center(b)
        across, down = self._proportions
        return across * (ax - bx) ** 2 + down * (ay - by) ** 2

    @property
    def _proportions(self) -> tuple[int, int]:
        # A hex board's units are squeezed along one axis by the root of 3/4 (geometry.hex).
        if isinstance(self.board, HexBoard):
            return (3, 4) if self.board.is_pointy else (4, 3)
        return (1, 1)

    def are_adjacent(self, a: Cell, b: Cell) -> bool:
        """Return whether two cells are adjacent (CDG-012)."""
        if abs(a[0] - b[0]) > 1 or abs(a[1] - b[1]) > 1:
            return False  # on hexes too; most are asked about those far away
        return self.board.distance(a, b) == 1

    def is_in_front_arc(self, cell: Cell, facing: int, other: Cell) -> bool:
        """Return whether a cell is in the front arc: 90 degrees on squares, 120 on hexes (CDG-015)."""
        if isinstance(self.board, HexBoard):
            return is_in_arc(self.board, self.board.center(cell), facing, HEX_ARC, self.board.center(other))
        return is_in_front_arc(cell, facing, other)

    def is_behind(self, target: Fighter, cell: Cell) -> bool:
        """Return whether a standing target faces directly away from a cell (CDG-054)."""
        if target.facing is None or target.token.at is None:
            return False
        half = len(self.facings) // 2
        back = self.cell_toward(target.token.at, self.facings[self.facings.index(target.facing) - half])
        if isinstance(self.board, HexBoard) and self.setting(house_rules.REAR) == "rear three":
            return self.are_adjacent(cell, target.token.at) and self.board.distance(cell, back) < 2
        return cell == back

    # The miniatures

    def fighter(self, token_id: str) -> Fighter:
        """Return a miniature by its ID. Raises NotFound."""
        known = self._fighters.get(token_id)
        if known is None:
            known = self._fighters[token_id] = self.rules.read(self.scene.token(token_id))
        return known

    @lazy
    def on_board(self) -> list[Fighter]:
        """Return the miniatures on the board, without those out of action."""
        found = [one for one in self.units if one.token.at is not None]
        self._fighters = {one.token.id: one for one in found}
        return found

    @lazy
    def with_earth(self) -> list[Fighter]:
        """Return the miniatures whose Staff of Earth slows enemies this round."""
        return [one for one in self.on_board if "earth" in one.token.conditions]

    @lazy
    def with_banner(self) -> list[Fighter]:
        """Return the standing miniatures with a banner."""
        return [one for one in self.on_board if "banner" in one.profile.hands and not one.is_downed]

    @lazy
    def _at(self) -> dict[Cell, list[Fighter]]:
        found: dict[Cell, list[Fighter]] = {}
        for one in self.on_board:
            if one.token.at is not None:
                found.setdefault(one.token.at, []).append(one)
        return found

    def cells(self, one: Fighter, at: Cell | None = None) -> list[Cell]:
        """Return the one cell of a miniature, at its place or another (CDG-011); none off the board."""
        place = at or one.token.at
        return [] if place is None else [place]

    def beside(self, cell: Cell) -> list[Fighter]:
        """Return the miniatures in the adjacent cells, clockwise from north."""
        there = self._at
        found: list[Fighter] = []
        for other in cells_beside(self.board, cell):
            if other in there:
                found += there[other]
        return found

    def are_allies(self, a: Fighter, b: Fighter) -> bool:
        """Return whether two miniatures are on the same team (CDG-052)."""
        sides = (a.token.side, b.token.side)
        if sides not in self._allied:
            self._allied[sides] = self.scene.are_allies(a.token, b.token)
        return self._allied[sides]

    def enemies_of(self, one: Fighter) -> Mapping[str, Fighter]:
        """Return a miniature's enemies on the board by ID; the same for all of its side."""
        side = one.token.side
        if side not in self._enemies:
            sides = {other.token.side: other for other in self.on_board}
            hostile = {side for side, other in sides.items() if not self.are_allies(one, other)}
            self._enemies[side] = {
                other.token.id: other for other in self.on_board if other.token.side in hostile
            }
        return self._enemies[side]

    def enemies_beside(self, one: Fighter, cell: Cell) -> list[Fighter]:
        """Return the enemies of a miniature in the cells adjacent to a cell."""
        beside = self.beside(cell)
        return [other for other in beside if not self.are_allies(one, other)] if beside else beside

    def is_facing(self, one: Fighter, cell: Cell) -> bool:
        """Return whether a miniature stands and faces an adjacent cell (CDG-014)."""
        if one.facing is None or one.token.at is None:
            return False
        return self.cell_toward(one.token.at, one.facing) == cell

    def _footing_under(self, token: Token) -> Footing:
        """Return the ground as a forced move meets it: a straight way may lead over corners (CDG-045)."""
        del token
        board = board_on(self.scene.grid)
        return footing_of(ground_of(self.scene.terrain, self.scene.walls, board), ONE_CELL)

    # The turn

    @lazy
    def is_in_play(self) -> bool:
        """Return whether the first round has begun.

        Before it, each miniature may act as if newly activated.
        """
        return self.scene.track("round") > 0

    def is_active(self, one: Fighter) -> bool:
        """Return whether it is a miniature's activation. Before the first round, each miniature is active."""
        return not self.is_in_play or self.scene.conditions.get("active") == one.id

    def points_left(self, one: Fighter) -> int:
        """Return the movement points that a miniature may still spend now (CDG-020, CDG-033)."""
        if not self.is_in_play:
            return one.allowance
        may_act = self.is_active(one) and not one.token.has("acted")
        return max(0, one.token.track("mp")) if may_act else 0


@per_scene
def battlefield(scene: Scene) -> Battlefield:
    """Return the battlefield of a scene; cached."""
    return Battlefield(scene)
