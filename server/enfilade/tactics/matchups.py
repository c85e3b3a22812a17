"""Matchups: what the answers of a token would do against the likely answers of each opponent.

The seat's view decides: a token that the seat cannot see is no opponent and changes no number.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from enfilade.rules.odds import odds
from enfilade.rules.procedures import LikelyAnswers, Matchup, MatchupColumn
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token, Value
from enfilade.tactics.previews import Chance, to_chance

BUDGET = 20_000
"""The number of requests that the exact odds of one row may answer; beyond, they are sampled."""

MAX_OPPONENTS = 12
"""The most opponents of one table of matchups, the nearest first."""


class MatchupRow(Value, frozen=True, kw_only=True):
    """The numbers against one likely answer: for each column a chance, or the mean of an amount."""

    label: str
    values: tuple[Chance, ...]
    exact: bool


class MatchupOpponent(Value, frozen=True, kw_only=True):
    """The rows against one opponent."""

    token: str
    name: str
    rows: tuple[MatchupRow, ...]


class MatchupTable(Value, frozen=True, kw_only=True):
    """The numbers of a token's answers against each opponent. Chances and means are exact fractions."""

    token: str
    columns: tuple[MatchupColumn, ...]
    opponents: tuple[MatchupOpponent, ...]


def matchup_table(scene: Scene, matchup: Matchup, token_id: str, answers: Sequence[str]) -> MatchupTable:
    """Return the numbers of a token's answers, in the order of its questions, against each opponent."""
    token = scene.token(token_id)
    opponents = [
        MatchupOpponent(
            token=other.id,
            name=other.name,
            rows=tuple(
                _row(scene, matchup, token_id, tuple(answers), other.id, likely)
                for likely in matchup.rows(scene, token_id, other.id)
            ),
        )
        for other in _opponents(scene, token)
    ]
    return MatchupTable(
        token=token_id, columns=matchup.columns, opponents=tuple(one for one in opponents if one.rows)
    )


def _opponents(scene: Scene, token: Token) -> list[Token]:
    enemies = [other for other in scene.on_board() if not scene.are_allies(token, other)]
    return sorted(enemies, key=lambda other: _distance(token, other))[:MAX_OPPONENTS]


def _distance(token: Token, other: Token) -> int:
    (x, y), (to_x, to_y) = token.at or (0, 0), other.at or (0, 0)
    return max(abs(x - to_x), abs(y - to_y))


def _row(
    scene: Scene, matchup: Matchup, token: str, answers: tuple[str, ...], other: str, likely: LikelyAnswers
) -> MatchupRow:
    checkpoint()
    found = odds(scene, matchup.procedure, (token, answers, other, likely.answers), BUDGET)
    means = [
        sum((chance * result[i] for result, chance in found.chances.items()), Fraction(0))
        for i in range(len(matchup.columns))
    ]
    values = tuple(
        _amount(mean) if column.is_amount else to_chance(mean)
        for column, mean in zip(matchup.columns, means, strict=True)
    )
    return MatchupRow(label=likely.label, values=values, exact=found.is_exact)


def _amount(mean: Fraction) -> Chance:
    return mean.limit_denominator(10**9).as_integer_ratio()
