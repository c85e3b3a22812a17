"""Facts of a table for programs: places, distances, turn and log as a seat may know them, ready to read.

A program that reads a picture or a log guesses distances. These are the numbers of the rules. Everything
comes from the seat's snapshot, and so from its view.
"""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.geometry.board.base import Cell
from enfilade.play.command import Snapshot
from enfilade.rules.ruleset import Ruleset, Turn
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token, Value
from enfilade.tactics.verdicts import sight_text

MAX_LOG = 200
"""The most log entries of one answer, as many as a snapshot has."""


class TokenFacts(Value, frozen=True, kw_only=True):
    """A token: its side, cell, facing in degrees, hit points if the game has them, and conditions."""

    token: str
    name: str
    side: str
    at: Cell | None
    facing: int | None
    hit_points: int | None
    most_hit_points: int | None
    conditions: tuple[str, ...]


class SightFacts(Value, frozen=True, kw_only=True):
    """The line from the asking token to another: a sentence, seen or not, and the distance of the rules."""

    token: str
    sentence: str
    is_seen: bool | None
    distance: str


class LogFacts(Value, frozen=True):
    """A log entry: its number in the seat's view, and its text."""

    seq: int
    text: str


class Facts(Value, frozen=True, kw_only=True):
    """The facts of a table at one entry (`seq`) in a seat's view."""

    seq: int
    ruleset: str
    grid: str
    columns: int
    rows: int
    round: int
    turn_sides: tuple[str, ...]
    turn_token: str
    is_over: bool
    tokens: tuple[TokenFacts, ...]
    sight: tuple[SightFacts, ...]
    log: tuple[LogFacts, ...]


def facts_of(snapshot: Snapshot, ruleset: Ruleset, seq: int, token: str | None, entries: int) -> Facts:
    """Return the facts of a snapshot, with the lines of a token to all others, and the last log entries."""
    scene = snapshot.scene
    turn: Turn = snapshot.turn
    return Facts(
        seq=seq,
        ruleset=ruleset.title,
        grid=scene.grid.kind,
        columns=scene.grid.columns,
        rows=scene.grid.rows,
        round=turn.round,
        turn_sides=turn.sides,
        turn_token=turn.token,
        is_over=turn.is_over,
        tokens=tuple(_token(ruleset, scene, one) for one in scene.tokens),
        sight=tuple(_sights(ruleset, scene, scene.token(token))) if token else (),
        log=tuple(LogFacts(one.seq, one.text) for one in snapshot.log[-entries:]) if entries else (),
    )


def _token(ruleset: Ruleset, scene: Scene, token: Token) -> TokenFacts:
    bar = ruleset.bar(token)
    return TokenFacts(
        token=token.id,
        name=token.name,
        side=scene.side(token.side).name,
        at=token.at,
        facing=token.facing,
        hit_points=token.track(bar.track, bar.most) if bar else None,
        most_hit_points=bar.most if bar else None,
        conditions=tuple(sorted(token.conditions)),
    )


def _sights(ruleset: Ruleset, scene: Scene, token: Token) -> Sequence[SightFacts]:
    found = []
    for other in scene.on_board():
        checkpoint()
        if other.id == token.id or token.at is None:
            continue
        sight = ruleset.sight(scene, token, other)
        found.append(
            SightFacts(
                token=other.id,
                sentence=sight_text(token, other, sight),
                is_seen=sight.is_seen,
                distance=sight.distance,
            )
        )
    return found
