"""The conformance suite for rulesets, built-in or external: call `check_conformance(ruleset)` in a test.

The suite knows the ruleset interface and no particular game.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from enfilade.rules.conformance import checks
from enfilade.rules.conformance.games import PlayedAct, game
from enfilade.rules.conformance.odds import check_costs, check_preview, positions
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.profiles import wrong_migrations
from enfilade.rules.registry import require_complete
from enfilade.rules.ruleset import Ruleset

__all__ = [
    "MAX_DRAWN",
    "ConformanceError",
    "End",
    "OddsCostWarning",
    "check_conformance",
    "check_preview",
    "check_random_game",
    "play_checked_game",
    "positions",
    "skirmish",
]

QUESTION_INTERVAL = 48
"""The suite asks everything that can be asked after one act in this many."""


MAX_DRAWN = 20
"""At most one game in this many may end in a draw."""


class OddsCostWarning(UserWarning):
    """The odds of an act cost more than they need to."""


class ConformanceError(AssertionError):
    """A ruleset breaks the ruleset interface; the message names the game and the act."""


def check_conformance(ruleset: Ruleset, games: int = 100, previews: int = 20) -> None:
    """Check a ruleset. Raises IncompleteRuleset, or an AssertionError with the first failure.

    It migrates the examples of older versions, and prints the costliest odds. An act that is wide or could
    not be followed brings an OddsCostWarning with a cure. A ruleset whose tokens only move has no dice and no
    end: its moves and answers are checked.
    """
    require_complete(ruleset)
    old = list(wrong_migrations(ruleset))
    if old:
        raise ConformanceError(f"{ruleset.key}: {' '.join(old)}")
    drawn = sum(not check_random_game(ruleset, seed).is_decided for seed in range(games))
    if ruleset.only_moves:
        return
    if drawn * MAX_DRAWN > games:
        raise ConformanceError(f"{ruleset.key}: {drawn} of {games} games come to no end.")
    for position in positions(ruleset, previews):
        check_preview(ruleset, position)
    report = check_costs(ruleset)
    print(f"{ruleset.key}: the costliest odds are", *[one.text for one in report.costliest], sep="\n  ")
    for warning in report.warnings:
        warnings.warn(f"{ruleset.title}: {warning}", OddsCostWarning, stacklevel=2)


class End(NamedTuple):
    """The end of a game: its number of acts, and whether the rules decided it.

    Where the table does nothing but moves, there is nothing to decide.
    """

    acts: int
    is_decided: bool


def check_random_game(ruleset: Ruleset, seed: int) -> End:
    """Play one random game with every check. Raises ConformanceError."""
    count, is_decided = 0, False
    try:
        for played in play_checked_game(ruleset, seed):
            count += 1
            scene = played.done.scene
            is_decided = ruleset.moves_only(scene) or ruleset.turn(scene).is_over
    except Exception as problem:
        where = f"{ruleset.key}, game {seed}, after act {count}"
        raise ConformanceError(f"{where}: {type(problem).__name__}: {problem}") from problem
    return End(count, is_decided)


def play_checked_game(ruleset: Ruleset, seed: int) -> Iterator[PlayedAct]:
    """Yield the acts of one random game, each checked."""
    chance = random.Random(seed)  # noqa: S311 - repeatable
    for played in game(ruleset, skirmish(ruleset, seed), seed):
        checks.check_act(ruleset, played)
        if not chance.randrange(QUESTION_INTERVAL):
            _check_questions(ruleset, played, chance)
        yield played


def _check_questions(ruleset: Ruleset, played: PlayedAct, chance: random.Random) -> None:
    scene = played.done.scene
    checks.check_determinism(ruleset, played)
    checks.check_random_answers(ruleset, played, chance.randrange(1_000))
    checks.check_offers(ruleset, scene, chance.randrange(1_000))
    checks.check_reach(ruleset, scene, chance)
    checks.check_drawings(ruleset, scene)
    checks.check_sight(ruleset, scene, chance)
    checks.check_invalid_acts(ruleset, scene, chance)
