"""Meetings: the enemies that a token has to do with at each place on a grid, for many places at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from msgspec.structs import replace

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.mask import Mask
from enfilade.rules.battle.corners import Screens
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Token

SIDE = 6
"""The side in cells of the block of places for which an enemy's lines are worked out together."""


class Meetings:
    """The enemies within range of a token at a place, and not wholly covered, for `Outlook.contacts`.

    `screens` are those of a scene without the token. `longest` returns how far a token attacks at most, as a
    length. Heights are left out: that may name an enemy too many.
    """

    def __init__(
        self, screens: Screens, token: Token, enemies: Sequence[Token], longest: Callable[[Token], int]
    ) -> None:
        self._spaces, self._token, self._crossings = screens.spaces, token, screens.crossings(token)
        self._there: dict[Cell, Token] = {}
        self._done: set[tuple[str, Cell]] = set()
        own = longest(token)
        self._ranges = [(one, self._places(one, own), self._places(one, longest(one))) for one in enemies]

    def _places(self, enemy: Token, length: int) -> Mask:
        return self._spaces.places_touching(self._token, self._spaces.within(enemy, length))

    def _at(self, at: Cell) -> Token:
        found = self._there.get(at)
        if found is None:
            found = self._there[at] = replace(self._token, at=at)
        return found

    def attackable(self, at: Cell, facing: int | None) -> Collection[str]:
        """Return the enemies that the token may attack from a cell, by ID."""
        del facing
        here, spaces = self._at(at), self._spaces
        near = [enemy for enemy, own, _ in self._ranges if at in own]
        self._crossings.ahead(spaces, here, near)
        return [one.id for one in near if not self._crossings.covered(spaces, here, one).is_total]

    def attackers(self, at: Cell) -> Collection[str]:
        """Return the enemies that may attack the token at a cell from where they stand, by ID."""
        here, spaces, found = self._at(at), self._spaces, []
        for enemy, _, theirs in self._ranges:
            if at in theirs:
                self._look_around(enemy, at, theirs)
                if not self._crossings.covered(spaces, enemy, here).is_total:
                    found.append(enemy.id)
        return found

    def _look_around(self, enemy: Token, at: Cell, theirs: Mask) -> None:
        """Work out the cover from an enemy at all places of a block that are in its range."""
        left, top = at[0] // SIDE * SIDE, at[1] // SIDE * SIDE
        if (enemy.id, (left, top)) in self._done:
            return
        checkpoint()
        self._done.add((enemy.id, (left, top)))
        block = ((left + dx, top + dy) for dy in range(SIDE) for dx in range(SIDE))
        places = [self._at(cell) for cell in block if cell in theirs]
        self._crossings.ahead(self._spaces, enemy, places)
