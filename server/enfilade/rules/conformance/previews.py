"""Compare odds with the resolver: a preview must equal the result of many resolutions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from enfilade.rules.conformance.games import game
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act
from enfilade.rules.ruleset import Ruleset
from enfilade.rules.sampling import sample
from enfilade.scene.model import Scene

RESOLUTIONS = 20_000
TOLERANCE = Fraction(2, 100)
MAX_GAMES = 1_000

Position = tuple[Scene, Act]


def positions(ruleset: Ruleset, count: int, seed: int = 1) -> Iterator[Position]:
    """Yield moments of random games at which dice are rolled, at most one of each game.

    An act that is planned with a round, and so never played by itself, is taken from the offers.
    """
    chance, found = random.Random(seed), 0  # noqa: S311 - repeatable
    for number in range(MAX_GAMES):
        played = list(game(ruleset, skirmish(ruleset, number), number))
        planned = [(p.before, act) for p in played for act in _planned_acts(ruleset, p.before)]
        acts = planned or [(p.before, p.act) for p in played if p.answers.used_faces]
        if acts:
            yield chance.choice(acts)
            found += 1
        if found == count:
            return
    raise AssertionError(f"Dice are rolled in {found} of {MAX_GAMES} games; {count} are wanted.")


def _planned_acts(ruleset: Ruleset, scene: Scene) -> Iterator[Act]:
    """Yield the legal acts of all tokens that are planned with a round."""
    if not any(kind.planned for kind in ruleset.acts.values()):
        return
    for token in scene.tokens:
        for offer in ruleset.offers(scene, token):
            if offer.is_legal and ruleset.acts[offer.act.kind].planned:
                yield offer.act


def check_preview(ruleset: Ruleset, position: Position) -> None:
    """Check the probability of each outcome of an act against seeded resolutions."""
    scene, act = position
    procedure = ruleset.acts[act.kind].procedure
    found = odds(scene, procedure, (act,))
    assert sum(found.chances.values()) == 1, f"The chances of {act} add up to {sum(found.chances.values())}."
    tally = sample(scene, procedure, (act,), RESOLUTIONS, seed=RESOLUTIONS)
    for outcome in found.chances.keys() | tally.keys():
        share, chance = Fraction(tally[outcome], RESOLUTIONS), found.chances.get(outcome, Fraction(0))
        assert abs(share - chance) < TOLERANCE, (
            f"{act} comes to {outcome} with a chance of {float(chance):.4f}, "
            f"and did so in {float(share):.4f} of {RESOLUTIONS} resolutions."
        )
