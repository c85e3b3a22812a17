"""Range: steps straight over the board, or, by a house rule, along the shortest way (CDG-017, ruling 5)."""

from __future__ import annotations

from enfilade.geometry.going import Going
from enfilade.geometry.ground import Ground
from enfilade.geometry.hex import HexBoard
from enfilade.geometry.movement import Field
from enfilade.geometry.places import paint
from enfilade.geometry.units import Cell
from enfilade.rulesets.coup_de_grace import rulings
from enfilade.rulesets.coup_de_grace.battle import Battle
from enfilade.rulesets.coup_de_grace.movement import terrain_costs, wall_table
from enfilade.rulesets.coup_de_grace.remembered import FEW, remembered


def range_between(battle: Battle, a: Cell, b: Cell) -> int | None:
    """The range between two cells; None where it is counted along the way and there is none."""
    if battle.setting(rulings.RANGE) == "path":
        return ranges_from(battle, a).get(b)
    return battle.board.distance(a, b)


@remembered(FEW)
def ranges_from(battle: Battle, start: Cell) -> dict[Cell, int]:
    """The range from a cell to every cell that has one. Miniatures do not stand in the way of range."""
    board = battle.board
    if battle.setting(rulings.RANGE) != "path":
        cells = ((x, y) for y in range(board.rows) for x in range(board.columns))
        return {cell: board.distance(start, cell) for cell in cells}
    closed = [cell for cell, cost in terrain_costs(battle.scene.terrain).items() if not cost]
    going = Going(paint(board, 1, [(closed, 0)]), paint(board, 1), wall_table(battle))
    return Field(Ground(board, going), start).costs


def steps_in_words(battle: Battle, steps: int) -> str:
    """A range as people say it: "1 square", "3 hexes"."""
    one, more = ("hex", "hexes") if isinstance(battle.board, HexBoard) else ("square", "squares")
    return f"{steps} {one if steps == 1 else more}"
