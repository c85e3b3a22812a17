"""Contacts: who has whom in reach, whose reach a move leaves, who flanks whom, who meets whom where."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.mask import Mask
from enfilade.i18n import localize
from enfilade.rules.battle.corners import Screens
from enfilade.rules.battle.spaces import opposite
from enfilade.rules.ruleset import Engagement
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Token


@dataclass(frozen=True)
class Contacts:
    """The contacts of the tokens on a board.

    reach: how far a token strikes, as a length. reacts: whether it can strike in the turn of others.
    """

    screens: Screens
    reach: Callable[[Token], int]
    reacts: Callable[[Token], bool]

    def enemies(self, token: Token) -> list[Token]:
        """Return the enemies of a token on the board."""
        spaces = self.screens.spaces
        of_sides = {other.side: other for other in spaces.placed}
        foes = {side for side, other in of_sides.items() if not spaces.scene.are_allies(token, other)}
        return [other for other in spaces.placed if other.side in foes]

    def can_strike(self, one: Token, other: Token) -> bool:
        """Return whether a token has another in its reach, and no wall between them."""
        near = self.screens.spaces.distance(one, other) <= self.reach(one)
        return near and self.screens.sees(one, other)

    def struck_from(self, one: Token, rise: int = 0) -> Mask:
        """Return the cells of a grid in which a token strikes others, so much above or below it."""
        spaces = self.screens.spaces
        length = self.reach(one) - (rise if spaces.sums_heights else 0)
        return self.screens.seen(one, length)

    def threats(self, token: Token) -> list[Token]:
        """Return the enemies of a token that can strike in the turn of others."""
        return [enemy for enemy in self.enemies(token) if self.reacts(enemy)]

    def zones(self, mover: Token, length: int, *, of_allies: bool = False) -> dict[str, Mask]:
        """Return the places of a mover within the reach of each enemy that may react to a move so long.

        With `of_allies` also those within the reach of each ally.
        """
        spaces, found = self.screens.spaces, {}
        far = self._longest + length
        for enemy in spaces.near(mover, far):
            rise = spaces.rise(mover, enemy)
            is_other = of_allies or not spaces.scene.are_allies(mover, enemy)
            if rise <= self.reach(enemy) and is_other and self.reacts(enemy):
                found[enemy.id] = spaces.places_touching(mover, self.struck_from(enemy, rise))
        return found

    @lazy
    def _longest(self) -> int:
        """Return the longest reach of a token on the board."""
        return max([self.reach(one) for one in self.screens.spaces.placed], default=0)

    def pairs(self) -> list[tuple[Token, Token]]:
        """Return each token that can react with each enemy in its reach."""
        spaces, scene = self.screens.spaces, self.screens.spaces.scene
        near, found = list[tuple[Token, Token]](), list[tuple[Token, Token]]()
        lengths = {one.id: self.reach(one) for one in spaces.placed if self.reacts(one)}
        for one, other in spaces.near_each(lengths):
            checkpoint()
            if not scene.are_allies(one, other) and spaces.distance(one, other) <= lengths[one.id]:
                near.append((one, other))
        self.screens.look(near)
        for one, enemy in near:
            checkpoint()
            if self.screens.sees(one, enemy):
                found.append((one, enemy))
        return found

    def engagements(self) -> list[Engagement]:
        """Return the pairs of enemies of whom one has the other in its reach."""
        ways: dict[frozenset[str], list[tuple[Token, Token]]] = {}
        for one, other in self.pairs():
            ways.setdefault(frozenset((one.id, other.id)), []).append((one, other))
        keys, found = {1: "battle.reaches", 2: "battle.reach_each_other"}, []
        for both in ways.values():
            checkpoint()
            one, other = both[0]
            label = localize(keys[len(both)], a=one.name, b=other.name)
            found.append(Engagement((one.id, other.id), label))
        return found

    def flankers(self, target: Token, one: Token) -> list[Token]:
        """Return the allies with whom a token flanks an enemy: both strike it, from opposite sides."""
        spaces = self.screens.spaces
        if not self.reacts(one) or not self.can_strike(one, target):
            return []
        return [
            ally
            for ally in self.threats(target)
            if ally.id != one.id
            and spaces.scene.are_allies(ally, one)
            and self.can_strike(ally, target)
            and opposite(spaces, target, one, ally)
        ]


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
