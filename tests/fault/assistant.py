"""Questions to the assistant at a table: all that it tells a seat counts as sent to the seat.

Advice, focus fire, paths, facts, forecasts, replay, overlays of the past, statistics and what if. A question
is chosen from what the seat sees, and may name hidden things by their IDs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import msgspec

from enfilade.analysis.branches import Branches, compare
from enfilade.analysis.past import past_of
from enfilade.messages import dump
from enfilade.messages.load import load_command
from enfilade.play.table import Table
from enfilade.play.view import view
from enfilade.rules.dice import SeededDice
from enfilade.scene.model import Scene, Seat
from enfilade.tactics.forecast import Tally, forecast_of
from tests.fault.table_harness import TableHarness, command_for

Answer = Any
Question = Callable[[TableHarness], bool]
Maker = Callable[[str, Seat, Scene, Sequence[str], random.Random], Question]


def question(
    hall: TableHarness, command_id: str, seat: Seat, hidden: Sequence[str], chance: random.Random
) -> Question:
    """Return a question of a seat, to be asked in this world or in one that looks the same to the seat."""
    seen = view(hall.table.scene, seat)
    ids = [token.id for token in seen.tokens]
    named = [*ids * 3, *hidden, "nobody"]
    return chance.choice(_QUESTIONS)(command_id, seat, seen, named, chance)


def _advice(command_id: str, seat: Seat, seen: Scene, ids: Sequence[str], chance: random.Random) -> Question:
    """The decision map of a token, the first places of it, or all about one place."""
    own = [token.id for token in seen.tokens if seat.id in token.owners]
    token = chance.choice([*own * 4, *ids])
    at = next((list(one.at) for one in seen.tokens if one.id == token and one.at), [0, 0])
    more = chance.choice(({}, {}, {"at": at}, {"most": 3}))
    return lambda hall: hall.ask(seat, command_id, "decision.ask", token=token, **more)


def _focus(command_id: str, seat: Seat, seen: Scene, ids: Sequence[str], chance: random.Random) -> Question:
    own = [token.id for token in seen.tokens if seat.id in token.owners] or list(ids)
    attackers = chance.sample(own, min(len(own), 2))
    body = {"target": chance.choice(ids), "attackers": attackers}
    return lambda hall: hall.ask(seat, command_id, "focus.ask", **body)


def _path(command_id: str, seat: Seat, seen: Scene, ids: Sequence[str], chance: random.Random) -> Question:
    unit = 64 if seen.grid.kind == "gridless" else 1
    end = [chance.randrange(seen.grid.columns) * unit, chance.randrange(seen.grid.rows) * unit]
    body = {"token": chance.choice(ids), "path": [end]}
    return lambda hall: hall.ask(seat, command_id, "path.ask", **body)


def _facts(command_id: str, seat: Seat, seen: Scene, ids: Sequence[str], chance: random.Random) -> Question:
    del command_id, seen
    token, entries = chance.choice([None, *ids]), chance.choice((0, 5, 50))
    return _read(seat, lambda table: table.facts(seat, token, entries))


def _forecast(
    command_id: str, seat: Seat, seen: Scene, ids: Sequence[str], chance: random.Random
) -> Question:
    """The scene that a forecast plays on, which its job sends to other processes, and its first answer."""
    del command_id, seen, ids, chance

    def asked(table: Table) -> Answer:
        scene = table.forecast_scene(seat)
        found = forecast_of("f", table.number(seat), "waiting", 100, scene, Tally())
        return {"scene": msgspec.to_builtins(scene), "forecast": dump.plain(found)}

    return _read(seat, asked)


def _replay(command_id: str, seat: Seat, seen: Scene, ids: Sequence[str], chance: random.Random) -> Question:
    del command_id, seen, ids
    start, limit = chance.choice((None, 0, 2, 7)), chance.choice((3, 200))
    return _read(seat, lambda table: past_of(table).replay(table, seat, start, limit))


def _past_overlays(
    command_id: str, seat: Seat, seen: Scene, ids: Sequence[str], chance: random.Random
) -> Question:
    del command_id, seen
    token, at, count = chance.choice(ids), chance.randrange(6), chance.choice((1, 4))
    return _read(seat, lambda table: list(past_of(table).overlays(table, seat, token, at, count)))


def _statistics(
    command_id: str, seat: Seat, seen: Scene, ids: Sequence[str], chance: random.Random
) -> Question:
    del command_id, seen, ids, chance
    return _read(seat, lambda table: past_of(table).statistics(table, seat))


def _what_if(command_id: str, seat: Seat, seen: Scene, ids: Sequence[str], chance: random.Random) -> Question:
    """A branch of now or of a past moment, an act in it, and its comparison with the battle."""
    at, token, number = chance.choice((None, None, 1)), chance.choice(ids), chance.randrange(10**6)
    unit = 64 if seen.grid.kind == "gridless" else 1
    place = [chance.randrange(seen.grid.columns) * unit, chance.randrange(seen.grid.rows) * unit]
    move = {"token": token, "at": place, "override": "what if"}
    known = any(one.id == token for one in seen.tokens)

    def asked(table: Table) -> Answer:
        with _seeded(number):
            branch = Branches({table.ruleset.key: table.ruleset}).open(table, seat, at)
            offers = table.ruleset.offers(seen, seen.token(token)) if known else ()
            acts = [offer.act for offer in offers if offer.is_legal and offer.act.kind != "move"]
            kind, body = command_for(msgspec.to_builtins(acts[number % len(acts)])) if acts else ("", {})
            played = (kind, body) if acts and number % 2 else ("token.move", move)
            done = _done(branch, seat, command_id, *played)
            differences = [dump.plain(one) for one in compare(table, branch, seat)]
            snapshot = branch.table.snapshot(branch.seat_of(seat))
            shown = msgspec.to_builtins({"log": snapshot.log, "scene": snapshot.scene})
            return {"done": done, "differences": differences, "at": branch.at, "shown": shown}

    return _read(seat, asked)


def _done(branch: Any, seat: Seat, command_id: str, kind: str, body: dict[str, Any]) -> Answer:
    command = load_command({"v": 1, "id": command_id, "kind": kind, "body": body})
    return dump.ack(command_id, branch.execute(seat, command))


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Give branches the same IDs and dice in two worlds, because random ones would tell any two apart."""
    module = "enfilade.analysis.branches"
    acts = "enfilade.play.commands.acts.secrets.token_urlsafe"
    with (
        patch(acts, lambda size: f"{seed:0{size}d}"),
        patch(f"{module}.SystemDice", lambda: SeededDice(seed)),
        patch(f"{module}.secrets.token_hex", lambda size: f"{seed:0{2 * size}x}"),
    ):
        yield


def _read(seat: Seat, asked: Callable[[Table], Answer]) -> Question:
    return lambda hall: hall.read(seat, asked)


_QUESTIONS: tuple[Maker, ...] = (
    _advice,
    _advice,
    _focus,
    _path,
    _facts,
    _forecast,
    _replay,
    _past_overlays,
    _statistics,
    _what_if,
    _what_if,
)
