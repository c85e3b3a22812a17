"""Random procedures with `Each`: their odds equal those of the plain loop, and samples.

`make fuzz-odds` checks 500, `make fuzz-odds SEEDS="500 900"` others.
"""

from __future__ import annotations

import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import pytest

from enfilade.errors import EnfiladeError
from enfilade.rules.exact.plain import expanded_act
from enfilade.rules.odds import Allowance, Odds, odds
from enfilade.rules.sampling import sample
from tests.property.odds.programs import IDS, act, random_act, start, state_of

REFUSED = (12, 102, 316)
"""Seeds whose parts refuse what the dice have led to."""

SEEDS = 27
SHORT, LONG = 40_000, 400_000
"""The most requests of a plain loop that is followed; `make fuzz-odds` follows the long ones too.

Of the first 30 seeds two are long. Each takes longer than all the others.
"""


def odds_of(procedure: Any, arguments: Any, most: int, has_aftermath: bool = False) -> Odds | str:
    """Return the odds of an act, or why it is refused."""
    try:
        return odds(start(), procedure, arguments, most, Allowance(10**9), has_aftermath=has_aftermath)
    except EnfiladeError as error:
        return str(error)


def check(seed: int, samples: int = 0, most: int = SHORT) -> str:
    arguments = random_act(seed)
    plain = odds_of(expanded_act(act), arguments, most)
    if not isinstance(plain, str) and not plain.is_exact:
        return "too large"
    new = odds_of(act, arguments, most)
    if isinstance(plain, str) or isinstance(new, str):
        assert plain == new, seed
        return "refused"
    if not new.is_exact:
        return "too large"
    assert new.chances == plain.chances, seed
    if samples:
        check_samples(new, sample(start(), act, arguments, samples, seed), samples, seed)
    return "expanded" if new.cost.is_expanded else "equal"


def check_samples(found: Odds, counts: Counter[Any], samples: int, seed: int) -> None:
    assert set(counts) <= set(found.chances), seed
    for result, p in found.chances.items():
        off = abs(counts[result] / samples - p)
        assert off <= 5.5 * sqrt(p * (1 - p) / samples) + 2 / samples, (seed, result)


def check_aftermath(seed: int, most: int = SHORT) -> str:
    """The states of each token and the number of weak ones equal those of the loop."""
    program, ending, _, _ = random_act(seed)
    if any(word in repr(program) for word in ("'remove'", "'place'")):
        return "other tokens"
    plain = odds_of(expanded_act(act), (program, ending, IDS, False), most)
    if isinstance(plain, str) or not plain.is_exact:
        return "not followed"
    found = odds_of(act, (program, ending, (), False), most, has_aftermath=True)
    if isinstance(found, str) or found.aftermath is None:
        return "not followed"
    after = found.aftermath
    for i, one in enumerate(IDS):
        wanted = merged((result[1 + i], p) for result, p in plain.chances.items())
        assert merged((state_of(token), p) for token, p in after.states(one)) == wanted, (seed, one)
        mean = sum(p * dict(state[0])["hp"] for state, p in wanted.items())
        assert after.mean(one, lambda token: token.track("hp")) == mean, (seed, one)
    weak = merged(
        (sum(dict(state[0])["hp"] < 3 for state in result[1:5]), p) for result, p in plain.chances.items()
    )
    assert after.number(lambda token: token.track("hp") < 3) == dict(sorted(weak.items())), seed
    return "equal"


def merged(pairs: Any) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for key, p in pairs:
        found[key] = found.get(key, Fraction(0)) + p
    return found


@cache
def checked(seed: int) -> str:
    """Return what a check with samples finds; two tests ask for it."""
    return check(seed, 2_000)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_odds_with_each_equal_those_of_the_loop_and_samples(seed: int) -> None:
    checked(seed)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_aftermath_of_each_equals_that_of_the_loop(seed: int) -> None:
    check_aftermath(seed)


@pytest.mark.parametrize("seed", REFUSED)
def test_an_act_that_a_part_refuses_is_refused_by_both(seed: int) -> None:
    assert check(seed) == "refused"


def test_most_random_procedures_are_followed() -> None:
    """Else the tests above would compare the loop with itself."""
    found = Counter(checked(seed) for seed in range(SEEDS))
    assert found["equal"] > 20, found


if __name__ == "__main__":
    first, last = map(int, sys.argv[1:])
    print("results:", dict(Counter(check(seed, 4_000, LONG) for seed in range(first, last))), flush=True)
    print("aftermath:", dict(Counter(check_aftermath(seed, LONG) for seed in range(first, last))))
