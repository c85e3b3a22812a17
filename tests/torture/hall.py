"""A table in this process with all its seats, and everything each of them was ever sent, as bytes."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import gevent
import orjson

from enfilade.config import Limits
from enfilade.errors import EnfiladeError
from enfilade.messages import dump
from enfilade.messages.load import load_command
from enfilade.pace import REST_SECONDS
from enfilade.play.command import Command
from enfilade.play.dice import Chains, taken
from enfilade.play.tables import Tables
from enfilade.rules.fair import FairDice
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Scene
from enfilade.scene.seat import GM, Seat
from enfilade.store.memory import MemoryStore
from enfilade.store.seeds import MemorySeeds
from enfilade.transport.answers import as_problem
from enfilade.transport.gate import Gate
from enfilade.transport.metrics import Metrics
from enfilade.transport.rooms import Connection, Rooms

_LINKS = 256
UNHURRIED = Limits(answer_ms=60_000)
_EPOCH = re.compile(rb'"epoch":"[0-9a-f]+"')
_AT = re.compile(rb'"at_ms":\d+')


class Hall:
    """A table and its seats."""

    def __init__(self, ruleset: Ruleset, scene: Scene, seed: int, seats: Sequence[Seat]) -> None:
        drawn = random.Random(f"dice {seed}").randbytes
        tables = Tables(MemoryStore(), {ruleset.key: ruleset}, Chains(MemorySeeds(), _LINKS, drawn))
        with patch("enfilade.play.tables.secrets.token_hex", lambda size: f"{seed:0{2 * size}x}"):
            links = tables.create(scene)  # dice follow from the table's id too
        self.table, _ = tables.enter(links.table, links.gm_key)
        self.frames: dict[Seat, list[bytes]] = {seat: [] for seat in seats}
        """What each seat was sent: updates and answers, in order, without what is random or the time."""
        self._rooms = Rooms(self._emit, Gate(UNHURRIED), Metrics())
        self._numbers = itertools.count()
        self._seats: dict[str, Seat] = {}
        self._connections: dict[Seat, Connection] = {}
        for seat in seats:
            self.enter(seat)

    def enter(self, seat: Seat) -> None:
        """Has a seat come in, or come again without what it knew."""
        if seat in self._connections:
            self._rooms.leave(self._rooms.of(self.table), self._connections[seat])
        connection = Connection(f"{seat.key} {next(self._numbers)}", seat, None)
        self._seats[connection.sid], self._connections[seat] = seat, connection
        self._rooms.enter(self.table, connection)
        self._settle()

    def ask(self, seat: Seat, command_id: str, kind: str, base: int | None = None, **body: Any) -> bool:
        """Sends a command as a seat; whether it was done."""
        raw = {"v": 1, "id": command_id, "kind": kind, "base": base, "body": body}
        room = self._rooms.of(self.table)
        try:
            answer = room.answer(seat, load_command(raw), self._connections.get(seat))
        except Exception as exception:
            answer = dump.refusal(command_id, as_problem(exception))
        self._note(seat, answer)
        self._settle()
        return bool(answer["ok"])

    def _settle(self) -> None:
        """Waits until everybody has been told everything and every overlay is drawn."""
        gevent.idle()
        room = self._rooms.of(self.table)
        while room._easel._is_drawing or any(self._is_behind(c) for c in room.connections.values()):
            gevent.sleep(REST_SECONDS)

    def _is_behind(self, connection: Connection) -> bool:
        is_told = connection.revision == self.table.revision and not connection.is_due
        return connection.is_behind or not is_told

    def would_be(self, command_id: str, kind: str, seat: Seat = GM, **body: Any) -> Any:
        """What a command, mostly of the game master's, would come to in the log; None where it is refused."""
        command = load_command({"v": 1, "id": command_id, "kind": kind, "body": body})
        with patch.object(self.table, "_dice_for", self._dice_to_come):
            try:
                return self.table._draft(seat, command)
            except EnfiladeError:
                return None

    def _dice_to_come(self, seat: Seat, command: Command) -> FairDice:
        """The dice that a command would roll now; none is taken."""

        def key() -> bytes:
            rolling = self.table._rolling
            assert rolling is not None
            _, chained = rolling.chain_for(command)
            after = taken(chained, self.table.scene, command, seat, "")
            assert after.intake is not None
            return rolling._chains.key_to_come(self.table.id, after, after.intake)

        return FairDice(key)

    def _emit(self, update: dict[str, Any], connections: list[str]) -> None:
        for seat in {self._seats[sid] for sid in connections}:
            self._note(seat, update)

    def _note(self, seat: Seat, value: Any) -> None:
        if seat in self.frames:
            frame = orjson.dumps(value).replace(self.table.id.encode(), b"TABLE")
            self.frames[seat].append(_AT.sub(b'"at_ms":0', _EPOCH.sub(b'"epoch":""', frame)))


def command_for(act: Any) -> tuple[str, dict[str, Any]]:
    """The kind and body of the command that does an act or a move."""
    if act["kind"] == "move":
        return "token.move", {"token": act["token"], "at": act["at"], "facing": act["facing"]}
    return "act", {"act": act}
