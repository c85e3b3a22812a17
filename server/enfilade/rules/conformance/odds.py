"""Check a ruleset's odds: that they equal the results of many resolutions, and what they cost.

The cost is counted and not timed: the same on each machine. A crowd of eight against eight is played for some
acts, and the odds of what its tokens may do are worked out.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from enfilade.rules.conformance.games import active_tokens, game
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.odds import Allowance, Cost, odds
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


MAX_RUNS = 5_000
"""The most runs of an act and its parts; a ruleset with more keeps a table waiting."""

MANY_ANSWERS = 100
"""The answers of one request above which an author should read dice by what matters, such as their sum."""

CROWD, STRENGTH, SEEDS = 14, 8, 40
ACTS, EVERY, OF_EACH_KIND, REPORTED = 24, 6, 4, 3


class ActCost(NamedTuple):
    """The cost of the odds of one act."""

    kind: str
    label: str
    cost: Cost
    is_exact: bool

    @property
    def text(self) -> str:
        """Return the cost in words."""
        runs, requests, widest, _ = self.cost
        return f"{self.label} ({self.kind}): {runs} runs, {requests} requests, at most {widest} answers"


class CostReport(NamedTuple):
    """The costliest acts, the first most of all, and advice in sentences."""

    costliest: tuple[ActCost, ...]
    warnings: tuple[str, ...]


def check_costs(ruleset: Ruleset) -> CostReport:
    """Check that the odds of acts in a crowd are exact and affordable. Raises an AssertionError if not."""
    found = sorted(act_costs(ruleset), key=lambda one: -one.cost.runs)
    for one in found:
        assert one.is_exact, f"The odds of {one.text}, are sampled. {_cure(one)}"
        assert one.cost.runs <= MAX_RUNS, f"The odds of {one.text}, cost more than {MAX_RUNS}. {_cure(one)}"
    worst = {one.kind: one for one in reversed(found)}
    warnings = [f"{one.text}. {_cure(one)}" for one in worst.values() if _is_worth_a_warning(one.cost)]
    return CostReport(tuple(found[:REPORTED]), tuple(warnings))


def _is_worth_a_warning(cost: Cost) -> bool:
    return cost.widest > MANY_ANSWERS or cost.is_expanded


def _cure(one: ActCost) -> str:
    if one.cost.is_expanded:
        return "It was worked out as a plain loop: read tokens by their attributes, and encode no scene."
    if one.cost.widest > MANY_ANSWERS:
        return "Give its rolls `read=`, such as sum, and its calls `read=`: equal readings count once."
    return "Put what follows the checks into `Rest`, what each target suffers into `Each`, dice into `Call`."


def act_costs(ruleset: Ruleset) -> list[ActCost]:
    """Return the cost of acts at a target that tokens of a crowd may do; other acts have no preview."""
    found: dict[str, list[ActCost]] = {}
    for scene, act in _acts(ruleset, crowd(ruleset)):
        known = found.setdefault(act.kind, [])
        if act.target and len(known) < OF_EACH_KIND:
            kind = ruleset.acts[act.kind]
            its = odds(scene, kind.procedure, (act,), allowance=Allowance())
            known.append(ActCost(act.kind, kind.label, its.cost, its.is_exact))
    return [one for known in found.values() for one in known]


def crowd(ruleset: Ruleset) -> Scene:
    """Return a small board full of tokens; each call returns an equal one."""
    scenes = (skirmish(ruleset, seed, strength=STRENGTH) for seed in range(SEEDS))
    found = next(scenes)
    while len(found.tokens) < CROWD and (other := next(scenes, None)):
        found = max(found, other, key=lambda scene: len(scene.tokens))
    return found


def _acts(ruleset: Ruleset, scene: Scene) -> Iterator[tuple[Scene, Act]]:
    """Yield acts that were played, and the legal acts of active tokens at others."""
    for number, played in enumerate(game(ruleset, scene, 1)):
        if number >= ACTS:
            return
        yield played.before, played.act
        if not number % EVERY:
            for token in active_tokens(ruleset, played.before):
                for offer in ruleset.offers(played.before, token):
                    if offer.is_legal and offer.act.target:
                        yield played.before, offer.act
