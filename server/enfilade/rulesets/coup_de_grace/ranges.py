"""Range: steps straight over the board, or, by a house rule, along the shortest way (CDG-017, ruling 5)."""

from __future__ import annotations

from array import array

from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import build_table, grid_of, mask_in_range
from enfilade.geometry.board.units import Cell
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.movement.terrain_cost import TerrainCost
from enfilade.rules.cache import FEW, identity_cache
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import Battle, Board, boards_of
from enfilade.rulesets.coup_de_grace.movement import terrain_costs, wall_table

NO_RANGE = 0xFFFF
"""Stands in a table of ranges for none: more than any board has."""


def range_between(battle: Battle, a: Cell, b: Cell) -> int | None:
    """The range between two cells; None where it is counted along the way and there is none."""
    if battle.setting(house_rules.RANGE) == "path":
        steps = ranges_from(battle, a)[grid_of(battle.board).index(b)] if b in battle.board else NO_RANGE
        return None if steps == NO_RANGE else steps
    return battle.board.distance(a, b)


@identity_cache(FEW, boards_of)
def ranges_from(battle: Battle, start: Cell) -> array[int]:
    """The range from a cell to every cell, as a table of the board; `NO_RANGE` where there is none.

    Miniatures do not stand in the way of range.
    """
    is_path = battle.setting(house_rules.RANGE) == "path"
    return _along_ways(battle, start) if is_path else _straight(battle.board, start)


def in_range(battle: Battle, start: Cell, least: int, most: int) -> Mask:
    """The cells whose range from a cell is from `least` to `most`."""
    most = min(most, NO_RANGE - 1)
    return mask_in_range(grid_of(battle.board), ranges_from(battle, start), least, most)


def farthest(battle: Battle, start: Cell) -> int:
    """The longest range from a cell."""
    return max(steps for steps in ranges_from(battle, start) if steps != NO_RANGE)


def _straight(board: Board, start: Cell) -> array[int]:
    table, places = build_table(board, NO_RANGE), grid_of(board)
    for row in range(board.rows):
        first = places.index((0, row))
        ranges = [board.distance(start, (column, row)) for column in range(board.columns)]
        table[first : first + board.columns] = array("H", ranges)
    return table


def _along_ways(battle: Battle, start: Cell) -> array[int]:
    board = battle.board
    costs = terrain_costs(battle.scene.terrain).items()
    closed = [cell for cell, cost in costs if not cost and cell != start]
    going = TerrainCost(build_table(board, 1, [(closed, 0)]), build_table(board, 1), wall_table(battle))
    table, places = build_table(board, NO_RANGE), grid_of(board)
    for cell, steps in Field(MovementGraph(board, going), start).costs.items():
        table[places.index(cell)] = steps
    return table


def steps_in_words(battle: Battle, steps: int) -> str:
    """A range as people say it: "1 square", "3 hexes"."""
    one, more = ("hex", "hexes") if isinstance(battle.board, HexBoard) else ("square", "squares")
    return f"{steps} {one if steps == 1 else more}"
