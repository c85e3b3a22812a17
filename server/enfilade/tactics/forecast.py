"""Forecasts: many continuations of a battle from one moment, both sides playing the quick default policy.

A continuation is a whole battle with seeded dice, resolved by the procedures of the rules. A forecast is a
count of many: who wins, after how many rounds, and who falls. It is cut into batches, which any process can
play: `play_batch` needs a job, which is plain data, and returns a tally, which is plain data too.

Doors that are closed and not locked count as open, because no act of the rules opens one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from enfilade.errors import EnfiladeError
from enfilade.rules.dice import SeededDice
from enfilade.rules.registry import load_rulesets
from enfilade.rules.resolve import Answers, resolve
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Scene, Token, Value, Wall
from enfilade.tactics.policy import QuickPolicy
from enfilade.tactics.previews import Chance

K = TypeVar("K", str, int)

MAX_ROUNDS = 40
"""The rounds after which a continuation counts as undecided."""
MAX_CONTINUATIONS = 5_000
"""The most continuations of one forecast."""
MAX_ACTS = 1_500
"""The acts after which it does."""


class Job(Value, frozen=True):
    """A moment to continue from: the key of the ruleset, the scene in a seat's view, and a seed."""

    ruleset: str
    scene: Scene
    seed: int


class Tally(Value, frozen=True):
    """The counts of some continuations.

    `wins` is by side, `rounds` by the number of further rounds, `fallen` by token. Allies win together, so
    the wins may add up to more than `played`.
    """

    played: int = 0
    undecided: int = 0
    wins: dict[str, int] = {}
    rounds: dict[int, int] = {}
    fallen: dict[str, int] = {}

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.played + other.played,
            self.undecided + other.undecided,
            _sum(self.wins, other.wins),
            _sum(self.rounds, other.rounds),
            _sum(self.fallen, other.fallen),
        )


def _sum(one: dict[K, int], other: dict[K, int]) -> dict[K, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in one | other}


class SideForecast(Value, frozen=True):
    """A side and its share of the continuations that it wins."""

    side: str
    name: str
    chance: Chance


class TokenForecast(Value, frozen=True):
    """A token and the share of the continuations in which it falls."""

    token: str
    name: str
    side: str
    chance: Chance


class Forecast(Value, frozen=True, kw_only=True):
    """The outcome of a battle from one entry of a table (`seq`) on, as far as it is counted.

    `state` is "waiting", "running", "done", "cancelled" or "failed". `margin` bounds the error of each
    chance: 95 of 100 counts stay below it. `rounds` has the share of each number of further rounds.
    """

    forecast: str
    seq: int
    state: str
    total: int
    played: int
    undecided: Chance
    margin: float
    sides: tuple[SideForecast, ...]
    rounds: tuple[tuple[int, int], ...]
    tokens: tuple[TokenForecast, ...]


def sides_and_fallen(
    scene: Scene, tally: Tally
) -> tuple[tuple[SideForecast, ...], tuple[TokenForecast, ...]]:
    """Return the chance of each side to win, and of each token to fall, the likeliest first."""
    sides = tuple(
        SideForecast(one.id, one.name, _share(tally.wins.get(one.id, 0), tally)) for one in scene.sides
    )
    on_board = sorted(scene.on_board(), key=lambda one: -tally.fallen.get(one.id, 0))
    tokens = (
        TokenForecast(one.id, one.name, one.side, _share(tally.fallen.get(one.id, 0), tally))
        for one in on_board
    )
    return sides, tuple(tokens)


def forecast_of(name: str, seq: int, state: str, total: int, scene: Scene, tally: Tally) -> Forecast:
    """Return a forecast from what is counted so far."""
    sides, tokens = sides_and_fallen(scene, tally)
    return Forecast(
        forecast=name,
        seq=seq,
        state=state,
        total=total,
        played=tally.played,
        undecided=_share(tally.undecided, tally),
        margin=round(0.98 / tally.played**0.5, 4) if tally.played else 1.0,
        sides=sides,
        rounds=tuple(sorted(tally.rounds.items())),
        tokens=tokens,
    )


def _share(count: int, tally: Tally) -> Chance:
    return count, max(1, tally.played)


# Continuations


class Ending(NamedTuple):
    """The end of a continuation: its winners, the further rounds, and who fell. No winners: undecided."""

    winners: tuple[str, ...]
    rounds: int
    fallen: tuple[str, ...]


def play_batch(job: bytes, first: int, count: int) -> bytes:
    """Play the continuations with the numbers from `first` on; job and tally are JSON.

    Raises EnfiladeError for an unknown ruleset.
    """
    ready = _prepare(job)
    tally = Tally()
    for number in range(first, first + count):
        tally += _tally(ready.continuation(number))
    return msgspec.json.encode(tally)


@lru_cache(maxsize=1)
def _prepare(job: bytes) -> Continuations:
    """Return the continuations of a job; a process that plays many batches of it shares what is cached."""
    found = msgspec.json.decode(job, type=Job)
    rulesets = load_rulesets(BUILT_IN)
    if found.ruleset not in rulesets:
        raise EnfiladeError(f"There is no ruleset '{found.ruleset}'.")
    return Continuations(rulesets[found.ruleset], found.scene, found.seed)


def _tally(ending: Ending) -> Tally:
    return Tally(
        1,
        int(not ending.winners),
        dict.fromkeys(ending.winners, 1),
        {ending.rounds: 1},
        dict.fromkeys(ending.fallen, 1),
    )


class Continuations:
    """The continuations of one moment, by number: each has dice of its own."""

    def __init__(self, ruleset: Ruleset, scene: Scene, seed: int) -> None:
        self._ruleset, self._seed = ruleset, seed
        self._scene = replace(scene, walls=tuple(map(_opened, scene.walls)))
        self._chance = random.Random()  # noqa: S311 - imagined turns, never dice at a table
        self._policy = QuickPolicy(ruleset, self._chance)
        self._start = [one.id for one in scene.on_board() if not self._is_down(one)]

    def continuation(self, number: int) -> Ending:
        """Play one to its end, or until it is undecided for too long or no act is legal."""
        seed = f"{self._seed}/{number}"
        self._chance.seed(seed)
        scene, dice = self._scene, SeededDice(self._chance.randrange(2**62))
        began = self._ruleset.turn(scene).round
        for _ in range(MAX_ACTS):
            turn = self._ruleset.turn(scene)
            act = None if turn.round - began > MAX_ROUNDS else self._policy.act(scene)
            if act is None:
                break
            try:
                procedure = self._ruleset.acts[act.kind].procedure
                scene = resolve(scene, procedure, (act,), Answers(dice=dice)).scene
            except EnfiladeError:  # a state that the rules do not foresee, such as of a scene file
                break
        turn = self._ruleset.turn(scene)
        now = {one.id: one for one in scene.tokens}
        fallen = tuple(key for key in self._start if key not in now or self._is_down(now[key]))
        return Ending(turn.winners if turn.is_over else (), max(0, turn.round - began), fallen)

    def _is_down(self, token: Token) -> bool:
        bar = self._ruleset.bar(token)
        is_gone = token.at is None or any(token.has(name) for name in self._ruleset.outlook.down)
        return is_gone or (bar is not None and token.track(bar.track, bar.most) <= 0)


def _opened(wall: Wall) -> Wall:
    return replace(wall, state="open") if wall.door == "door" and wall.state == "closed" else wall


def total_of(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of tallies."""
    return sum(tallies, Tally())
