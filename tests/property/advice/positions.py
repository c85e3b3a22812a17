"""Random positions of random games, and what their decision maps must say: the odds of the real acts.

The reference shares no shortcut with the map: it makes the move with the game's own procedure, asks for the
offers of each token, and takes the mean of each legal act from the odds interpreter.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from msgspec.structs import replace

from enfilade.rules.conformance.games import game
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.dice import SeededDice
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, resolve
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Scene, Token
from enfilade.tactics.decision_map import Outlooks, Prospect

ACTS = 14
"""The acts of a game among which a position is chosen: most battles are decided by then."""

DEFENSES = frozenset({"defend", "fall_back"})
"""The acts at an enemy whose damage is that of the actor, if the defense fails."""


def positions(ruleset: Ruleset, count: int) -> Iterator[tuple[Scene, str]]:
    """Yield moments of random games with two sides or more on the board, and a token."""
    seed = 0
    while count:
        chance = random.Random(seed)
        played = islice(game(ruleset, skirmish(ruleset, seed), seed), ACTS)
        moments = [one.before for one in played]
        seed += 1
        moment = chance.choice(moments)
        tokens = [token for token in moment.on_board() if _has_enemy(moment, token)]
        if tokens and not ruleset.turn(moment).is_over:
            yield moment, chance.choice(tokens).id
            count -= 1


def _has_enemy(scene: Scene, token: Token) -> bool:
    return any(not scene.are_allies(token, other) for other in scene.on_board())


def check(ruleset: Ruleset, scene: Scene, token_id: str, chance: random.Random, places: int = 3) -> int:
    """Check some places of a decision map against the odds of the real acts; return how many attacks."""
    outlooks, attacks = Outlooks(ruleset, scene, token_id), 0
    there = outlooks.places()
    for place in chance.sample(there, min(places, len(there))):
        prospect = outlooks.prospect(place)
        if prospect is None:
            continue
        if not place.provokes:
            attacks += _check_own(ruleset, outlooks, prospect)
        attacks += _check_suffered(ruleset, outlooks, prospect)
    return attacks


def _check_own(ruleset: Ruleset, outlooks: Outlooks, prospect: Prospect) -> int:
    place, token = prospect.place, outlooks.token.id
    moved = outlooks.own
    here = moved.token(token)
    if place.at != here.at or place.facing != here.facing:
        act = Act(kind="move", token=token, at=place.at, facing=place.facing)
        moved = resolve(moved, ruleset.acts["move"].procedure, (act,), Answers(dice=SeededDice(1))).scene
    assert moved.token(token).at == place.at
    best = _best(ruleset, moved, token, [one.id for one in outlooks.enemies])
    assert prospect.dealt == best, f"{token} at {place}: {prospect.dealt} instead of {best}"
    return best > 0


def _check_suffered(ruleset: Ruleset, outlooks: Outlooks, prospect: Prospect) -> int:
    said = {strike.act.token: strike.damage for strike in prospect.suffered}
    there = outlooks.after_move(prospect.place)
    assert there is not None
    for enemy in outlooks.enemies:
        side = tuple(one.id for one in outlooks.enemies if one.side == enemy.side)
        scene = ruleset.outlook.ready(outlooks.scene, side)
        tokens = tuple(_moved(one, there) for one in scene.tokens)
        moved = replace(scene, tokens=tokens, terrain=there.terrain)
        best = _best(ruleset, moved, enemy.id, [outlooks.token.id])
        assert said.get(enemy.id, 0) == best, f"{enemy.id} at {prospect.place}: {said} instead of {best}"
    return len(said)


def _moved(token: Token, there: Scene) -> Token:
    now = there.token(token.id)
    return replace(token, at=now.at, facing=now.facing)


def _best(ruleset: Ruleset, scene: Scene, token: str, targets: list[str]) -> Fraction:
    """Return the highest mean damage of the legal acts of a token at some targets."""
    offered = ruleset.offers(scene, scene.token(token))
    acts = [offer.act for offer in offered if offer.is_legal and offer.act.target in targets]
    acts = [act for act in acts if act.kind not in DEFENSES]
    means = [_mean(ruleset, scene, act) for act in acts]
    return max([Fraction(0), *means])


def _mean(ruleset: Ruleset, scene: Scene, act: Act) -> Fraction:
    found = odds(scene, ruleset.acts[act.kind].procedure, (act,))
    return sum((chance * outcome.damage for outcome, chance in found.chances.items()), Fraction(0))
