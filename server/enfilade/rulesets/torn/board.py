"""The board as Torn lays it out over the Hexes: its Hexons, and what a large or huge miniature fills."""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.geometry.board.hexon import Hexon
from enfilade.geometry.board.mask import Mask, Run
from enfilade.rules.cache import FEW, board_weight, identity_cache
from enfilade.rules.ruleset import Area
from enfilade.rulesets.torn.battlefield import Battlefield, battlefield
from enfilade.rulesets.torn.profiles import miniature
from enfilade.scene.model import Scene, Token
from enfilade.time_budget import checkpoint


def regions(scene: Scene) -> Sequence[Area]:
    """The Hexons, whole or cut by the edge of the board."""
    return _hexons(battlefield(scene))


def _boards_in(field: Battlefield) -> int:
    return board_weight(field.board)


@identity_cache(FEW, _boards_in)
def _hexons(field: Battlefield) -> Sequence[Area]:
    rows = field.board.rows
    cells = [(column, row) for row in range(rows) for column in range(field.board.columns)]
    return tuple(_region(field, hexon) for hexon in dict.fromkeys(field.hexon(cell) for cell in cells))


def _region(field: Battlefield, hexon: Hexon) -> Area:
    checkpoint()
    runs = Mask.of(field.hexes(hexon), field.board.rows).runs()
    return Area("regions", f"Hexon {hexon[0]}, {hexon[1]}", tuple(runs))


def body(scene: Scene, token: Token) -> Sequence[Run]:
    """The Hexes that a large or huge miniature fills; infantry stands in its Hex."""
    mini = miniature(token)
    if mini.profile.size == "infantry":
        return ()
    return tuple(Mask.of(battlefield(scene).filled(mini), scene.grid.rows).runs())
