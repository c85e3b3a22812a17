"""The suite that every ruleset passes, built-in or from outside: `must_conform(ruleset)` in a test.

Knows the seam and no game in particular.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from enfilade.rules.conformance import checks
from enfilade.rules.conformance.games import RulesVersion, game
from enfilade.rules.conformance.previews import must_preview_what_it_resolves, positions
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.registry import require_complete
from enfilade.rules.ruleset import Ruleset

__all__ = [
    "MOST_DRAWN",
    "BrokenError",
    "must_conform",
    "must_play_soundly",
    "must_preview_what_it_resolves",
    "played_game",
    "positions",
    "skirmish",
]

LOOK_CLOSELY = 48
"""On one act in so many, everything that could be asked at that moment is asked."""


MOST_DRAWN = 20
"""At most one game in so many may end in a draw."""


class BrokenError(AssertionError):
    """A ruleset does not keep to the seam; says which, in which game, at which act."""


def must_conform(ruleset: Ruleset, games: int = 100, previews: int = 20) -> None:
    """Checks everything; raises IncompleteRuleset, or an AssertionError that says what does not hold."""
    require_complete(ruleset)
    drawn = sum(not must_play_soundly(ruleset, seed).is_decided for seed in range(games))
    if drawn * MOST_DRAWN > games:
        raise BrokenError(f"{ruleset.key}: {drawn} of {games} games come to no end.")
    for position in positions(ruleset, previews):
        must_preview_what_it_resolves(ruleset, position)


class End(NamedTuple):
    """How a game ended: after so many acts, and by the rules or in a draw."""

    acts: int
    is_decided: bool


def must_play_soundly(ruleset: Ruleset, seed: int) -> End:
    """Plays one random game with every check; raises BrokenError."""
    count, is_decided = 0, False
    try:
        for played in played_game(ruleset, seed):
            count += 1
            is_decided = ruleset.turn(played.done.scene).is_over
    except Exception as problem:
        where = f"{ruleset.key}, game {seed}, after act {count}"
        raise BrokenError(f"{where}: {type(problem).__name__}: {problem}") from problem
    return End(count, is_decided)


def played_game(ruleset: Ruleset, seed: int) -> Iterator[RulesVersion]:
    """The acts of one random game, each checked."""
    chance = random.Random(seed)
    for played in game(ruleset, skirmish(ruleset, seed), seed):
        checks.must_be_sound(ruleset, played)
        if not chance.randrange(LOOK_CLOSELY):
            _look_closely(ruleset, played, chance)
        yield played


def _look_closely(ruleset: Ruleset, played: RulesVersion, chance: random.Random) -> None:
    scene = played.done.scene
    checks.must_repeat(ruleset, played)
    checks.must_offer_what_it_allows(ruleset, scene, chance.randrange(1_000))
    checks.must_judge_as_it_reaches(ruleset, scene, chance)
    checks.must_draw(ruleset, scene)
    checks.must_look(ruleset, scene, chance)
    checks.must_answer_anything(ruleset, scene, chance)
