"""Drawn areas: the tokens in the outline of a tabletop's template, and their cover from its origin."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from enfilade.geometry.board.areas import is_inside, outlined
from enfilade.geometry.board.base import HALF, Point
from enfilade.i18n import localize
from enfilade.rules.battle.corners import Screens
from enfilade.rules.battle.obstacles import Covered
from enfilade.rules.ruleset import Caught, CoverLevel
from enfilade.scene.model import Token

CoverOf = Callable[[Covered], tuple[str, CoverLevel, int | None]]
"""A game's word for some cover, its level, and what it adds to a defense."""


def tokens_in(
    screens: Screens, outline: Sequence[Point], origin: Point, cover_of: CoverOf
) -> tuple[Caught, ...]:
    """Return the tokens with a cell in an outline; without a grid those whose center is.

    A token that walls and terrain hide wholly from the origin is spared.
    """
    spaces = screens.spaces
    if spaces.is_gridless:
        inside = [one for one in spaces.placed if is_inside(outline, spaces.center(one))]
        return tuple(_caught(screens, origin, one, cover_of, is_hidden=False) for one in inside)
    cells = outlined(spaces.board, outline)
    open_cells = cells - screens.hidden_from(origin)
    found = []
    for one in spaces.placed:
        own = spaces.cells(one)
        if any(cell in cells for cell in own):
            is_hidden = not any(cell in open_cells for cell in own)
            found.append(_caught(screens, origin, one, cover_of, is_hidden=is_hidden))
    return tuple(found)


def _caught(screens: Screens, origin: Point, token: Token, cover_of: CoverOf, *, is_hidden: bool) -> Caught:
    covered = screens.covered_from(origin, HALF, token)
    if is_hidden or covered.is_total:
        spared = localize("battle.spared")
        return Caught(token=token.id, cover=spared, cover_level="total", cover_bonus=None, is_spared=True)
    name, level, bonus = cover_of(covered)
    return Caught(token=token.id, cover=name, cover_level=level, cover_bonus=bonus)
