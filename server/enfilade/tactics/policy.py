"""The default policy: what an automatic side does next, greedy on the decision map, in any game.

A token attacks from the place with the best number that it can reach, and moves there first. One that can
attack no one goes toward the nearest enemy. The acts without a target, such as an activation, come in the
order of `Outlook.routine`. Choices of a procedure take their defaults. If no token may act, the policy takes
the first act of the GM that is legal, such as the next round.

A map for every token at every act is dear. The quick policy, which forecasts use, makes none: a token makes
its best attack from where it stands, or goes toward the nearest enemy and faces it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from enfilade.geometry.board.base import Cell
from enfilade.rules.conformance.games import active_tokens
from enfilade.rules.odds import Allowance
from enfilade.rules.procedures import Act
from enfilade.rules.registry import MOVE
from enfilade.rules.resolve import refusal
from enfilade.rules.ruleset import Ruleset
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token
from enfilade.tactics.decision_map import Outlooks, Prospect, prospects, rank
from enfilade.tactics.distances import direction, enemies, gap, nearest
from enfilade.tactics.expected_damage import DamageTable, Strike, attacks, worth

NEAR = 4
"""From how many of the places nearest to an enemy a way there is chosen."""

LOOKED_AT = 24
"""How many places the policy looks at on a gridless board, which has no end of them."""


AttackValue = tuple[Fraction, Fraction]
"""The expected damage of an attack, and its chance."""

NOTHING: AttackValue = (Fraction(0), Fraction(0))


class Option(NamedTuple):
    """An act of a token, and the expected damage that speaks for it."""

    act: Act
    number: Fraction


class Policy:
    """The default policy for one battle. `chance` chooses among ways toward an enemy."""

    def __init__(self, ruleset: Ruleset, chance: random.Random) -> None:
        self._ruleset, self._chance = ruleset, chance
        self._damage = DamageTable(ruleset)

    def act(self, scene: Scene) -> Act | None:
        """Return the next act of the side whose turn it is, or of the GM; None if no act is legal."""
        turn = self._ruleset.turn(scene)
        if turn.is_over or self._ruleset.done_elsewhere(scene):
            return None
        if not turn.token and (not turn.sides or not turn.round):
            found = self._gm_act(scene)
            if found:
                return found
        return self._choose(scene, active_tokens(self._ruleset, scene)) or self._gm_act(scene)

    def _choose(self, scene: Scene, tokens: Sequence[Token]) -> Act | None:
        """Return the best act of the tokens that may act."""
        offers = {token.id: self._offers(scene, token) for token in tokens}
        options = (self._option(scene, token) for token in tokens)
        best = max(filter(None, options), key=lambda option: option.number, default=None)
        return best.act if best else self._routine(scene, tokens, offers)

    def _offers(self, scene: Scene, token: Token) -> list[Act]:
        """Return the legal acts of a token that are its own to take now."""
        kinds = self._ruleset.acts
        acts = [offer.act for offer in self._ruleset.offers(scene, token) if offer.is_legal]
        return [act for act in acts if not kinds[act.kind].is_gm_only and not kinds[act.kind].planned]

    def _gm_act(self, scene: Scene) -> Act | None:
        for token in scene.tokens:
            for offer in self._ruleset.offers(scene, token):
                if offer.is_legal and self._ruleset.is_gm_act(offer.act.kind):
                    return offer.act
        return None

    # A token's attack or move

    def _option(self, scene: Scene, token: Token) -> Option | None:
        checkpoint()
        strike = self._strike(scene, token)
        outlooks = Outlooks(self._ruleset, scene, token.id)
        if outlooks.is_its_turn and outlooks.enemies:
            move = self._better_place(outlooks, strike)
            if move:
                return move
        return Option(strike.act, strike.damage) if strike else None

    def _attacks(self, scene: Scene, token: Token) -> list[Act]:
        return list(self._each_attack(scene, token))

    def _each_attack(self, scene: Scene, token: Token) -> Iterator[Act]:
        if self._may_have_near(scene, token):
            for enemy in enemies(scene, token):
                yield from attacks(self._ruleset, scene, token, enemy)

    def _may_have_near(self, scene: Scene, token: Token) -> bool:
        """Return whether a token may have an enemy that it can attack from where it stands."""
        has_near = self._ruleset.outlook.has_near
        return has_near is None or has_near(scene, token)

    def _strike(self, scene: Scene, token: Token) -> Strike | None:
        """Return the attack from here with the highest expected damage, among equals the highest chance."""
        strikes = [self._damage.strike(scene, act) for act in self._attacks(scene, token)]
        found = max(strikes, key=worth, default=None)
        return found if found and worth(found) > NOTHING else None

    def _better_place(self, outlooks: Outlooks, strike: Strike | None) -> Option | None:
        """Return the move to a place with a better number than here, or toward an enemy; None to stay."""
        found = list(self._prospects(outlooks))
        here = [one for one in found if one.place.at == outlooks.token.at]
        places = sorted((one for one in found if one.own and one not in here), key=rank, reverse=True)
        if strike:
            number = here[0].number if here else strike.damage
            places = [one for one in places if one.number > number]
        for one in places:
            act = self._move(outlooks.scene, outlooks.token, one.place.at, one.place.facing)
            if act:
                return Option(act, one.number)
        if strike or any(one.own for one in here) or self._can_attack_next(outlooks.scene, outlooks.token):
            return None
        taken = {one.place.at: one.taken for one in reversed(found)}
        way = self._approach(outlooks.scene, outlooks.token, taken)
        return Option(way, Fraction(0)) if way else None

    def _prospects(self, outlooks: Outlooks) -> Iterator[Prospect]:
        scene, token = outlooks.scene, outlooks.token
        if scene.grid.kind != "gridless":
            yield from prospects(outlooks)
            return
        places = outlooks.places()
        cells = nearest(scene, token, [place.at for place in places], LOOKED_AT)
        for place in places:
            prospect = outlooks.prospect(place) if place.at in (token.at, *cells) else None
            if prospect:
                yield prospect

    def _can_attack_next(self, scene: Scene, token: Token) -> bool:
        """Return whether a token could attack from where it stands if its turn began."""
        if not self._may_have_near(scene, token):
            return False
        ready = self._ruleset.outlook.ready(scene, (token.id,))
        return next(self._each_attack(ready, ready.token(token.id)), None) is not None

    def _approach(
        self, scene: Scene, token: Token, taken: Mapping[Cell, Fraction] | None = None
    ) -> Act | None:
        """Return a move toward the nearest enemy, now and then a way around; None if there is none.

        `taken` is the expected damage taken at cells. Among those that are nearer to an enemy than the token
        is, the move prefers where it is least.
        """
        cells = [at for at in self._cells(scene, token) if at != token.at]
        places = [one.at for one in enemies(scene, token) if one.at]
        if not cells or not token.at or not places:
            return None
        near = nearest(scene, token, cells, NEAR)
        if gap(scene, token, near[0]) >= gap(scene, token, token.at):
            near = [self._chance.choice(cells)] if not self._chance.randrange(NEAR) else []
        elif not self._chance.randrange(NEAR):
            near = [self._chance.choice(near)]
        elif taken:
            now = gap(scene, token, token.at)
            ahead = [at for at in nearest(scene, token, cells, LOOKED_AT) if gap(scene, token, at) < now]
            near = sorted(ahead, key=lambda at: taken.get(at, Fraction(0)))
        return next(filter(None, (self._move_facing(scene, token, at, places) for at in near)), None)

    def _cells(self, scene: Scene, token: Token) -> Sequence[Cell]:
        """Return the cells that a token can move to now."""
        if self._ruleset.outlook.cells is not None:
            return self._ruleset.outlook.cells(scene, token)
        reach = self._ruleset.reach(scene, token)
        return [(x, y) for x, y, _ in reach.cells] if reach and reach.budget else ()

    def _move_facing(self, scene: Scene, token: Token, at: Cell, places: list[Cell]) -> Act | None:
        """Return a move that ends with the facing toward the nearest of the enemies' places."""
        wanted = direction(scene, at, min(places, key=lambda place: math.dist(at, place)))
        facings = self._ruleset.outlook.facings(scene, token)
        return self._move(scene, token, at, min(facings, key=lambda facing: _turn(facing, wanted)))

    def _move(self, scene: Scene, token: Token, at: Cell, facing: int | None) -> Act | None:
        """Return a move if the rules allow it now, else None."""
        act = Act(kind=MOVE, token=token.id, at=at, facing=facing)
        return None if refusal(scene, self._ruleset.acts[MOVE].procedure, act) else act

    # The acts of a turn without a target

    def _routine(self, scene: Scene, tokens: Sequence[Token], offers: dict[str, list[Act]]) -> Act | None:
        """Return the first act of the game's routine that is legal; without a routine any legal act."""
        routine = self._ruleset.outlook.routine
        for kind in routine:
            able = [token for token in tokens if any(act.kind == kind for act in offers[token.id])]
            if able:
                token = able[0] if len(able) == 1 else max(able, key=lambda one: self._promise(scene, one))
                return _largest([act for act in offers[token.id] if act.kind == kind])
        acts = [act for token in tokens for act in offers[token.id] if not act.target]
        return self._chance.choice(acts) if acts and not routine else None

    def _promise(self, scene: Scene, token: Token) -> tuple[Fraction, float]:
        """Return what tokens are compared by that may be activated: what they could deal, and nearness."""
        outlooks = Outlooks(self._ruleset, scene, token.id)
        places = outlooks.places()
        cells = nearest(scene, token, [place.at for place in places], NEAR)
        looked_at = (place for place in places if place.at in (token.at, *cells))
        found = filter(None, (outlooks.prospect(place, is_suffered=False) for place in looked_at))
        best = max((one.number for one in found if one.own), default=Fraction(-1))
        return best, -gap(scene, token, token.at) if token.at else -math.inf


class QuickPolicy(Policy):
    """The default policy without decision maps, for many continuations of one battle.

    It works the expected damage of an attack out once for each pair of tokens, wherever they stand.
    """

    def __init__(self, ruleset: Ruleset, chance: random.Random) -> None:
        super().__init__(ruleset, chance)
        self._damage = DamageTable(ruleset, _small_allowance)
        self._worths: dict[Hashable, AttackValue] = {}

    def _best_attack(self, scene: Scene, token: Token) -> Act | None:
        found = max(self._attacks(scene, token), key=lambda act: self._worth(scene, act), default=None)
        return found if found and self._worth(scene, found) > NOTHING else None

    def _worth(self, scene: Scene, act: Act) -> AttackValue:
        key = (act.token, act.target, act.kind, act.weapon, act.body)
        if key not in self._worths:
            self._worths[key] = worth(self._damage.strike(scene, act))
        return self._worths[key]

    def _choose(self, scene: Scene, tokens: Sequence[Token]) -> Act | None:
        """Return the first act of the tokens that may act, those nearest to an enemy first."""
        ordered = self._nearest_first(scene, self._ruleset.outlook.acting(scene, tokens))
        *opening, closing = self._ruleset.outlook.routine or ("",)
        for token in ordered:
            checkpoint()
            found = self._best_attack(scene, token) or self._approach_unless_ready(scene, token)
            found = found or self._first_legal(scene, token, opening)
            if found:
                return found
        if closing:
            return next(filter(None, (self._first_legal(scene, one, [closing]) for one in ordered)), None)
        return self._routine(scene, tokens, {one.id: self._offers(scene, one) for one in tokens})

    def _first_legal(self, scene: Scene, token: Token, kinds: Sequence[str]) -> Act | None:
        """Return a legal act of the first kind that has one, the one that takes the most tokens along."""
        for kind in kinds:
            procedure = self._ruleset.acts[kind].procedure
            acts = sorted(self._acts_of(scene, token, kind), key=_tokens_along, reverse=True)
            found = next((act for act in acts if refusal(scene, procedure, act) is None), None)
            if found:
                return found
        return None

    def _acts_of(self, scene: Scene, token: Token, kind: str) -> Sequence[Act]:
        """Return the acts of a kind, legal or not; one with a body is as the game offers it."""
        if self._ruleset.acts[kind].body is None:
            return [Act(kind=kind, token=token.id)]
        if self._ruleset.outlook.acts is not None:
            return self._ruleset.outlook.acts(scene, token, kind)
        return [act for act in self._offers(scene, token) if act.kind == kind]

    def _nearest_first(self, scene: Scene, tokens: Sequence[Token]) -> Sequence[Token]:
        if len(tokens) == 1:
            return tokens
        return sorted(tokens, key=lambda one: gap(scene, one, one.at) if one.at else math.inf)

    def _approach_unless_ready(self, scene: Scene, token: Token) -> Act | None:
        if not self._may_move(scene, token) or self._can_attack_next(scene, token):
            return None
        return self._approach(scene, token)

    def _may_move(self, scene: Scene, token: Token) -> bool:
        if self._ruleset.outlook.may_move is not None:
            return self._ruleset.outlook.may_move(scene, token)
        reach = self._ruleset.reach(scene, token)
        return bool(reach and reach.budget)


def _small_allowance() -> Allowance:
    """Return a hundredth of what the odds of an attack may cost elsewhere."""
    return Allowance(requests=1_200, runs=80)


def _largest(acts: Sequence[Act]) -> Act:
    """Return the act that takes the most tokens along."""
    return max(acts, key=_tokens_along)


def _tokens_along(act: Act) -> int:
    return len(getattr(act.body, "members", ()))


def _turn(facing: int | None, wanted: int) -> int:
    """Return the degrees between two facings."""
    return 0 if facing is None else abs((facing - wanted + 180) % 360 - 180)
