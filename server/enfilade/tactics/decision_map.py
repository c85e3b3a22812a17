"""Decision maps: for each place that a token can move to, what it could do there and what it would suffer.

All is worked out from a seat's view of the scene, for one activation of the token and then one of each enemy
that can attack it from where it stands. A number of a place is the expected damage of the token's best
attack there, minus that of the best attack of each enemy, minus what the way there provokes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from msgspec.structs import replace

from enfilade.errors import EnfiladeError, TooSlow
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.outlook import Contacts, with_token
from enfilade.rules.ruleset import Provocation, Reach, Ruleset
from enfilade.runtime.time_budget import checkpoint, time_share
from enfilade.scene.model import Scene, Token
from enfilade.tactics.expected_damage import DamageTable, Strike, worth

NOTHING = Fraction(0)
"""No damage."""
MAX_PLACES = 600
"""The most cells of one map, those that cost least first."""


class Place(NamedTuple):
    """A cell with a facing that a token can move to, at a cost, and the provocations of the way there."""

    at: Cell
    facing: int | None
    cost: int
    provokes: tuple[Provocation, ...] = ()


class Prospect(NamedTuple):
    """A place, the token's best attack there, and the best attack of each enemy on it there."""

    place: Place
    own: Strike | None
    suffered: tuple[Strike, ...]

    @property
    def dealt(self) -> Fraction:
        """Return the expected damage of the token's best attack."""
        return self.own.damage if self.own else NOTHING

    @property
    def taken(self) -> Fraction:
        """Return the expected damage of all enemies' best attacks."""
        return sum([strike.damage for strike in self.suffered], NOTHING)

    @property
    def provoked(self) -> Fraction:
        """Return the expected damage of what the way there provokes, as far as the game works it out."""
        known = [provoked.damage for provoked in self.place.provokes]
        return sum([Fraction(*damage) for damage in known if damage], NOTHING)

    @property
    def number(self) -> Fraction:
        """Return the number of the place: the damage dealt minus the damage taken."""
        lost = self.taken + self.provoked if self.place.provokes else self.taken
        return self.dealt - lost if lost else self.dealt


class Outlooks:
    """The prospects of one token in one view of the scene; equal attacks are worked out once."""

    def __init__(self, ruleset: Ruleset, scene: Scene, token_id: str) -> None:
        """Raises NotFound for an unknown token."""
        self.ruleset, self.scene = ruleset, scene
        self.token = scene.token(token_id)
        self.enemies = [one for one in scene.on_board() if not scene.are_allies(one, self.token)]
        turn = ruleset.turn(scene)
        self.is_its_turn = turn.round > 0 and turn.token in (token_id, "") and self._is_active(turn.sides)
        self.own = scene if self.is_its_turn else ruleset.outlook.ready(scene, (token_id,))
        self._sides = [
            ([one.id for one in side], ruleset.outlook.ready(scene, tuple(one.id for one in side)))
            for _, side in self._by_side()
        ]
        self._damage = DamageTable(ruleset)
        self.is_cut_short = False
        self._strikes: dict[Hashable, Strike | None] = {}
        self._attackers: dict[Cell, set[str]] = {}
        self._contacts = [
            (ids, ruleset.outlook.contacts(_without(ready, token_id), self.token, ids))
            for ids, ready in self._sides
        ]

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what the numbers leave out, in sentences: acts that take too long, and places."""
        cut = (localize("tactics.map_cut_short"),) if self.is_cut_short else ()
        return (*dict.fromkeys(self._damage.too_slow.values()), *cut)

    def _is_active(self, sides: Sequence[str]) -> bool:
        if sides and self.token.side not in sides:
            return False
        reach = self.ruleset.reach(self.scene, self.token)
        return bool(reach and reach.budget)

    def _by_side(self) -> Iterator[tuple[str, list[Token]]]:
        ordered = sorted(self.enemies, key=lambda one: one.side)
        for side, ones in groupby(ordered, key=lambda one: one.side):
            yield side, list(ones)

    def places(self, most: int = MAX_PLACES) -> list[Place]:
        """Return where the token can go, at most so many cells: its own first, then the cheapest."""
        here = self.own.token(self.token.id)
        if here.at is None:
            return []
        reach = self.ruleset.reach(self.own, here) or Reach(0, ())
        provokes = {(x, y): ids for x, y, ids in reach.provokes}
        costs = {(x, y): cost for x, y, cost in reach.cells} | {here.at: 0}
        cheapest = sorted(costs, key=lambda cell: (cell != here.at, costs[cell], cell))[:most]
        return [
            Place(cell, facing, costs[cell], tuple(reach.provocations[i] for i in provokes.get(cell, ())))
            for cell in cheapest
            for facing in self.ruleset.outlook.facings(self.own, here)
        ]

    def prospect(self, place: Place, is_suffered: bool = True) -> Prospect | None:
        """Return the prospect of a place; None if the token cannot afford it.

        Without `is_suffered` it leaves out the attacks of enemies.
        """
        checkpoint()
        attackable = self._in_contact(lambda contacts: contacts.attackable(place.at, place.facing))
        attackers = self._attackers_at(place.at) if is_suffered else set()
        if not attackable and not attackers and place.at != self.token.at:
            return Prospect(place, None, ())
        there = self.after_move(place)
        if there is None:
            return None
        suffered = tuple(self._suffered(there, attackers)) if attackers else ()
        return Prospect(place, self._best(there, attackable), suffered)

    def _attackers_at(self, at: Cell) -> set[str]:
        """Return the enemies that may attack the token at a cell, with any facing."""
        if at not in self._attackers:
            self._attackers[at] = self._in_contact(lambda contacts: contacts.attackers(at))
        return self._attackers[at]

    def _in_contact(self, which: Callable[[Contacts], Collection[str]]) -> set[str]:
        """Return the enemies that matter at a place, by ID."""
        found: set[str] = set()
        for ids, contacts in self._contacts:
            found.update(ids if contacts is None else which(contacts))
        return found

    def after_move(self, place: Place) -> Scene | None:
        """Return the scene in which the token has moved to a place and may still act."""
        here = self.own.token(self.token.id)
        return self.ruleset.outlook.arrive(self.own, here, place.at, place.facing, place.cost)

    def _best(self, there: Scene, attackable: Collection[str]) -> Strike | None:
        token = there.token(self.token.id)
        best: Strike | None = None
        for enemy in self.enemies:
            strike = self._strike(there, token, enemy, attackable) if enemy.id in attackable else None
            if strike and (best is None or worth(strike) > worth(best)):
                best = strike
        return best

    def _strike(self, scene: Scene, token: Token, enemy: Token, among: Collection[str] = ()) -> Strike | None:
        """Return the best attack of a token on an enemy; places of one situation share it."""
        situation = self.ruleset.outlook.situation(scene, token, enemy)
        if situation is None:
            return self._damage.best(scene, token, enemy, among)
        key = (token.id, enemy.id, situation)
        if key not in self._strikes:
            self._strikes[key] = self._damage.best(scene, token, enemy, among)
        return self._strikes[key]

    def enemies_turn(self, there: Scene) -> Iterator[tuple[Scene, list[str]]]:
        """Yield the scene after a move with each side of enemies ready to act, and their IDs."""
        changed = {
            now.id: (now.at, now.facing)
            for was, now in zip(self.own.tokens, there.tokens, strict=True)
            if was is not now
        }
        for side, scene in self._sides:
            tokens = tuple(
                replace(one, at=changed[one.id][0], facing=changed[one.id][1]) if one.id in changed else one
                for one in scene.tokens
            )
            yield replace(scene, tokens=tokens, terrain=there.terrain), side

    def _suffered(self, there: Scene, attackers: Collection[str]) -> Iterator[Strike]:
        for scene, side in self.enemies_turn(there):
            token = scene.token(self.token.id)
            for enemy in [one for one in side if one in attackers]:
                strike = self._strike(scene, scene.token(enemy), token)
                if strike:
                    yield strike


def _without(scene: Scene, token_id: str) -> Scene:
    """Return the scene with a token off the board: it hides no one from where it stood."""
    token = scene.token(token_id)
    return with_token(scene, replace(token, at=None))


def prospects(outlooks: Outlooks, most: int | None = None) -> list[Prospect]:
    """Return the best facing of each cell, by its number: all cells, or the `most` that cost least.

    If the time is over, it returns those that are done, and `outlooks.is_cut_short` is set. Raises TooSlow if
    none is.
    """
    found: dict[Cell, Prospect] = {}
    try:
        with time_share(0):
            for prospect in _each_prospect(outlooks, MAX_PLACES if most is None else most):
                known = found.get(prospect.place.at)
                if known is None or rank(prospect) > rank(known):
                    found[prospect.place.at] = prospect
    except TooSlow:
        if not found:
            raise
        outlooks.is_cut_short = True
    return list(found.values())


def _each_prospect(outlooks: Outlooks, most: int) -> Iterator[Prospect]:
    for place in outlooks.places(most):
        try:
            prospect = outlooks.prospect(place)
        except TooSlow:
            raise
        except EnfiladeError:  # a state that the rules do not foresee, such as of a scene file
            continue
        if prospect is not None:
            yield prospect


def rank(prospect: Prospect) -> tuple[Fraction, Fraction, int]:
    """Return what prospects are compared by: the number, the damage dealt, and a low cost."""
    return prospect.number, prospect.dealt, -prospect.place.cost
