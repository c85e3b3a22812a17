"""Six faults put into the walk on purpose: each makes random procedures differ from their loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from typing import Any

import pytest

from enfilade.errors import EnfiladeError
from enfilade.rules.dice import numbered
from enfilade.rules.exact import each, parts, runs, worlds
from enfilade.rules.exact.plain import expanded_act
from enfilade.rules.odds import Allowance, forget, odds
from tests.property.odds.programs import act, random_act, start
from tests.property.odds.test_each_odds import check, check_aftermath
from tests.unit.rules.test_each import board, sweep

SEEDS = 200
FIRST_SEED = {"reads_of_conditions_are_not_noted": 129}
"""The seed from which a fault is tried. If none from there on finds it, the earlier ones are tried too."""


def factor_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kept part has the factor of the world that it was worked out in."""

    def kept(leaves: list[Any], ids: set[str]) -> Any:
        return sound(leaves=[leaf._replace(weight=leaf.weight * leaf.factor) for leaf in leaves], ids=ids)

    sound = parts.kept_leaves
    monkeypatch.setattr(each, "kept_leaves", kept)


def reads_of_conditions_are_not_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts.KeptParts, "_values", without(parts.KeptParts._values, "conditions"))


def without(values: Callable[..., Any], field: str) -> Callable[..., Any]:
    def fewer(self: Any, reads: Any, world: Any) -> Any:
        return values(self, [read for read in reads if read[1] != field], world)

    return fewer


def reads_of_tracks_are_not_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts.KeptParts, "_values", without(parts.KeptParts._values, "tracks"))


def writes_of_tracks_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    fewer = {kind: fields - {"tracks"} for kind, fields in runs._WRITES.items()}
    monkeypatch.setattr(runs, "_WRITES", fewer)


def older_states_win(monkeypatch: pytest.MonkeyPatch) -> None:
    def over(known: Any, new: Any) -> Any:
        return tuple(sorted({**dict(new), **dict(known)}.items()))

    monkeypatch.setattr(worlds, "_over", over)
    monkeypatch.setattr(worlds.Worlds, "_forgetting", lambda _self, world, _one: (1, world))


def tokens_are_independent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A split leaves the other tokens as they were before the split."""

    def split(self: Any, world: Any, one: str) -> Any:
        found = sound(self, world, one)
        return [(factor, found[0][1]) for factor, _ in found]

    sound = worlds.Worlds.split
    monkeypatch.setattr(worlds.Worlds, "split", split)


def outcome(run: Callable[[int], str], seed: int) -> str:
    """Return how a check ends; each with a memory of its own, because a fault leaves wrong parts."""
    forget()
    try:
        return run(seed)
    except AssertionError:
        return "differs"
    except Exception as error:
        return type(error).__name__


def check_sweep(seed: int) -> str:
    """Return how the odds of a sweep end in which each item also changes one token."""
    count, faces = ((3, 3), (4, 2))[seed]
    scene, asked = board(count), (numbered(faces),)
    found = odds(scene, sweep, asked)
    if found.cost.is_expanded:
        return "expanded"
    return str(found.chances == odds(scene, expanded_act(sweep), asked, 10**6, Allowance(10**7)).chances)


@cache
def has_short_loop(seed: int) -> bool:
    """Return whether the plain loop of a random procedure is short."""
    try:
        return odds(start(), expanded_act(act), random_act(seed), 4_000, Allowance(10**6, runs=0)).is_exact
    except EnfiladeError:
        return False


@cache
def sound_outcome(run: Callable[[int], str], seed: int) -> str:
    """Return how a check ends without a fault; each fault is compared with it."""
    return outcome(run, seed)


@pytest.fixture(scope="module", autouse=True)
def _forget() -> Iterator[None]:
    yield
    forget()


@pytest.mark.parametrize(
    "fault",
    [
        factor_is_kept,
        reads_of_conditions_are_not_noted,
        reads_of_tracks_are_not_noted,
        writes_of_tracks_are_lost,
        older_states_win,
        tokens_are_independent,
    ],
)
def test_a_fault_is_caught(fault: Callable[[pytest.MonkeyPatch], None]) -> None:
    """By a difference, or by the walk itself, which then works out the loop where it need not."""
    first = FIRST_SEED.get(fault.__name__, 0)
    seeds = filter(has_short_loop, chain(range(first, SEEDS), range(first)))
    runs_of_seeds = ((run, seed) for seed in seeds for run in (check, check_aftermath))
    for run, seed in chain([(check_sweep, 0), (check_sweep, 1)], runs_of_seeds):
        sound = sound_outcome(run, seed)
        with pytest.MonkeyPatch.context() as patched:
            fault(patched)
            if outcome(run, seed) != sound:
                return
    pytest.fail(f"No seed finds the fault {fault.__name__}.")
