"""The default policy: what an automatic side does next, greedy on the decision map, in any game.

A token attacks from the place with the best number that it can reach, and moves there first. One that can
attack no one goes toward the nearest enemy. The acts without a target, such as an activation, come in the
order of `Outlook.routine`. Choices of a procedure take their defaults. If no token may act, the policy takes
the first act of the GM that is legal, such as the next round.

A map of every token at every act is dear. The quick policy looks only at where a token stands and at a few
places near an enemy, and leaves out what enemies would do. Forecasts use it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import nsmallest
from typing import NamedTuple

from enfilade.geometry.board.units import Cell
from enfilade.rules.conformance.boards import center
from enfilade.rules.conformance.games import active_tokens
from enfilade.rules.procedures import Act
from enfilade.rules.registry import MOVE
from enfilade.rules.resolve import refusal
from enfilade.rules.ruleset import Offer, Ruleset
from enfilade.scene.model import Scene, Token
from enfilade.tactics.decision_map import Outlooks, Prospect, prospects, rank
from enfilade.tactics.expected_damage import DamageTable, Strike, worth
from enfilade.time_budget import checkpoint

NEAR = 4
"""How many of the places nearest to an enemy the quick policy looks at, and from how many a way is chosen."""

LOOKED_AT = 24
"""How many places the policy looks at on a gridless board, which has no end of them."""


class Option(NamedTuple):
    """What a token may do next, and the expected damage that speaks for it."""

    act: Act
    number: Fraction


class Policy:
    """The default policy for one battle. `chance` chooses among ways toward an enemy."""

    def __init__(self, ruleset: Ruleset, chance: random.Random, is_quick: bool = False) -> None:
        self._ruleset, self._chance, self._is_quick = ruleset, chance, is_quick
        self._damage = DamageTable(ruleset)

    def act(self, scene: Scene) -> Act | None:
        """Return the next act of the side whose turn it is, or of the GM; None if no act is legal."""
        turn = self._ruleset.turn(scene)
        if not turn.token and (not turn.sides or not turn.round):
            found = self._gm_act(scene)
            if found:
                return found
        tokens = active_tokens(self._ruleset, scene)
        offers = {token.id: self._offers(scene, token) for token in tokens}
        options = (self._option(scene, token, offers[token.id]) for token in tokens)
        best = max(filter(None, options), key=lambda option: option.number, default=None)
        return best.act if best else self._routine(scene, tokens, offers) or self._gm_act(scene)

    def _offers(self, scene: Scene, token: Token) -> list[Offer]:
        """Return the legal acts of a token that are its own to take now."""
        acts = self._ruleset.acts
        return [
            offer
            for offer in self._ruleset.offers(scene, token)
            if offer.is_legal and not acts[offer.act.kind].is_gm_only and not acts[offer.act.kind].planned
        ]

    def _gm_act(self, scene: Scene) -> Act | None:
        for token in scene.tokens:
            for offer in self._ruleset.offers(scene, token):
                if offer.is_legal and self._ruleset.is_gm_act(offer.act.kind):
                    return offer.act
        return None

    # A token's attack or move

    def _option(self, scene: Scene, token: Token, offers: Sequence[Offer]) -> Option | None:
        checkpoint()
        strike = self._best_strike(scene, token, offers)
        outlooks = Outlooks(self._ruleset, scene, token.id)
        if outlooks.is_its_turn and outlooks.enemies:
            move = self._better_place(outlooks, strike)
            if move:
                return move
        return Option(strike.act, strike.damage) if strike else None

    def _best_strike(self, scene: Scene, token: Token, offers: Sequence[Offer]) -> Strike | None:
        targets = {other.id for other in scene.on_board() if not scene.are_allies(other, token)}
        acts = [offer.act for offer in offers if offer.act.target in targets]
        strikes = [self._damage.strike(scene, act) for act in acts]
        found = max(strikes, key=worth, default=None)
        return found if found and found.damage > 0 else None

    def _better_place(self, outlooks: Outlooks, strike: Strike | None) -> Option | None:
        """Return the move to a place with a better number than here, or toward an enemy; None to stay."""
        if self._is_quick and strike:
            return None
        found = list(self._prospects(outlooks, self._is_quick))
        here = [one for one in found if one.place.at == outlooks.token.at]
        places = sorted((one for one in found if one.own and one not in here), key=rank, reverse=True)
        if strike:
            number = here[0].number if here else strike.damage
            places = [one for one in places if one.number > number]
        for one in places:
            act = self._move(outlooks, one.place.at, one.place.facing)
            if act:
                return Option(act, one.number)
        return None if strike or any(one.own for one in here) else self._approach(outlooks)

    def _prospects(self, outlooks: Outlooks, is_quick: bool) -> Iterator[Prospect]:
        """Yield the prospects to choose from; quick ones are few and without the attacks of enemies."""
        scene, token = outlooks.scene, outlooks.token
        if not is_quick and scene.grid.kind != "gridless":
            yield from prospects(outlooks)
            return
        places = outlooks.places()
        cells = _nearest(scene, token, [place.at for place in places], NEAR if is_quick else LOOKED_AT)
        for place in places:
            if place.at == token.at or place.at in cells:
                prospect = outlooks.prospect(place, is_suffered=not is_quick)
                if prospect:
                    yield prospect

    def _approach(self, outlooks: Outlooks) -> Option | None:
        """Return a move toward the nearest enemy, now and then a way around; None for one that can attack."""
        scene, token = outlooks.scene, outlooks.token
        if self._can_attack_next(scene, token):
            return None
        cells = [place.at for place in outlooks.places() if place.at != token.at]
        cells = list(dict.fromkeys(cells))
        if not cells:
            return None
        near = _nearest(scene, token, cells, NEAR)
        is_nearer = _gap(scene, token, near[0]) < _gap(scene, token, token.at or near[0])
        if not is_nearer or not self._chance.randrange(NEAR):
            near = [self._chance.choice(cells if not is_nearer else near)]
        for at in near:
            act = self._move(outlooks, at, self._facing(outlooks, at))
            if act:
                return Option(act, Fraction(0))
        return None

    def _can_attack_next(self, scene: Scene, token: Token) -> bool:
        """Return whether a token could attack from where it stands if its turn began."""
        ready = self._ruleset.outlook.ready(scene, (token.id,))
        there = ready.token(token.id)
        enemies = [one for one in ready.on_board() if not ready.are_allies(one, there)]
        return any(self._damage.best(ready, there, enemy) for enemy in enemies)

    def _facing(self, outlooks: Outlooks, at: Cell) -> int | None:
        facings = self._ruleset.outlook.facings(outlooks.own, outlooks.own.token(outlooks.token.id))
        enemy = min(outlooks.enemies, key=lambda one: _distance(outlooks.scene, at, one.at or at))
        wanted = _direction(outlooks.scene, at, enemy.at or at)
        return min(facings, key=lambda facing: 0 if facing is None else abs((facing - wanted + 180) % 360 - 180))

    def _move(self, outlooks: Outlooks, at: Cell, facing: int | None) -> Act | None:
        """Return a move if the rules allow it now, else None."""
        act = Act(kind=MOVE, token=outlooks.token.id, at=at, facing=facing)
        refused = refusal(outlooks.scene, self._ruleset.acts[MOVE].procedure, act)
        return None if refused else act

    # The acts of a turn without a target

    def _routine(self, scene: Scene, tokens: Sequence[Token], offers: dict[str, list[Offer]]) -> Act | None:
        """Return the first act of the game's routine that is legal; without a routine any legal act."""
        routine = self._ruleset.outlook.routine
        for kind in routine:
            able = [t for t in tokens if any(offer.act.kind == kind for offer in offers[t.id])]
            if able:
                token = able[0] if len(able) == 1 else max(able, key=lambda one: self._promise(scene, one))
                acts = [offer.act for offer in offers[token.id] if offer.act.kind == kind]
                return max(acts, key=lambda act: len(getattr(act.body, "members", ())))
        acts = [offer.act for one in offers.values() for offer in one if not offer.act.target]
        return self._chance.choice(acts) if acts and not routine else None

    def _promise(self, scene: Scene, token: Token) -> tuple[Fraction, float]:
        """Return what tokens that may be activated are compared by: what they can deal, and how near they are."""
        gap = -_gap(scene, token, token.at) if token.at else -math.inf
        if self._is_quick:
            return Fraction(0), gap
        outlooks = Outlooks(self._ruleset, scene, token.id)
        best = max((one.number for one in self._prospects(outlooks, is_quick=True) if one.own), default=Fraction(-1000))
        return best, gap


# Distances, as a way toward an enemy needs them


def _nearest(scene: Scene, token: Token, cells: Sequence[Cell], count: int) -> list[Cell]:
    """Return some cells that are nearest to an enemy of a token, the nearest first."""
    return nsmallest(count, dict.fromkeys(cells), key=lambda cell: (_gap(scene, token, cell), cell))


def _gap(scene: Scene, token: Token, at: Cell) -> float:
    """Return the distance from a cell to the nearest enemy of a token."""
    enemies = [one.at for one in scene.on_board() if one.at and not scene.are_allies(one, token)]
    return min((_distance(scene, at, other) for other in enemies), default=math.inf)


def _distance(scene: Scene, a: Cell, b: Cell) -> float:
    return math.dist(center(scene.grid, a), center(scene.grid, b))


def _direction(scene: Scene, start: Cell, end: Cell) -> int:
    """Return the compass degrees from one cell to another."""
    (x, y), (to_x, to_y) = center(scene.grid, start), center(scene.grid, end)
    return round(math.degrees(math.atan2(to_x - x, y - to_y))) % 360
