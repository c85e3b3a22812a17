"""The overlay of a model on a squared board: the cells in its reach and in sight of its missiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from enfilade.geometry.board.mask import Run
from enfilade.geometry.board.units import Cell
from enfilade.i18n import localize
from enfilade.rules.ruleset import Area
from enfilade.rulesets.miniatures_combat.battlefield import Battlefield, battlefield
from enfilade.rulesets.miniatures_combat.groups import MISSILE_RANGE
from enfilade.rulesets.miniatures_combat.profiles import Fighter, read_fighter
from enfilade.scene.model import Scene, Token


def areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
    """Return the areas of a layer: "threat" for the reach of the weapon, "ranges" for missiles.

    On a board without a grid areas have outlines instead of cells, and there is none here.
    """
    fighter, field = read_fighter(token), battlefield(scene)
    if fighter.id not in field.fighters or scene.grid.kind == "gridless":
        return ()
    if layer == "threat":
        label = localize("miniatures_combat.area_reach")
        return [Area(layer, label, _runs(field, lambda at: _gap(field, fighter, at) <= fighter.reach))]
    if layer == "ranges" and fighter.profile.missiles:
        label = localize("miniatures_combat.area_missiles")
        return [Area(layer, label, _runs(field, lambda at: _gap(field, fighter, at) <= MISSILE_RANGE))]
    return ()


def _gap(field: Battlefield, fighter: Fighter, at: Cell) -> int:
    """Return the distance from a model to a base of an inch in a cell."""
    return field.gap_to_cell(fighter.id, at)


def _runs(field: Battlefield, is_inside: Callable[[Cell], bool]) -> tuple[Run, ...]:
    runs: list[Run] = []
    for row in range(field.scene.grid.rows):
        inside = [column for column in range(field.scene.grid.columns) if is_inside((column, row))]
        for column in inside:
            if runs and runs[-1][0] == row and runs[-1][2] == column - 1:
                runs[-1] = (row, runs[-1][1], column)
            else:
                runs.append((row, column, column))
    return tuple(runs)
