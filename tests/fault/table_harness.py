"""A table in this process with all its seats, and everything each of them was ever sent, as bytes."""

from __future__ import annotations

import hashlib
import itertools
import random
import re
from collections.abc import Callable, Sequence
from typing import Any
from unittest.mock import patch

import gevent
import orjson

from enfilade.errors import EnfiladeError
from enfilade.messages import dump
from enfilade.messages.load import load_command
from enfilade.play.command import Command
from enfilade.play.commands.registry import COMMANDS
from enfilade.play.commit import Commit
from enfilade.play.dice import Chains, rolled_before, take_link
from enfilade.play.table import Table
from enfilade.play.tables import Tables
from enfilade.rules.fair import FairDice
from enfilade.rules.ruleset import Ruleset
from enfilade.runtime.config import Limits
from enfilade.runtime.time_budget import REST_SECONDS
from enfilade.scene.model import GM, Scene, Seat
from enfilade.store.dice_secrets import MemoryDiceSecrets
from enfilade.store.members import Member
from enfilade.store.memory import MemoryStore
from enfilade.store.protocol import GivenAnswer
from enfilade.transport.activity import Activity
from enfilade.transport.envelopes import to_enfilade_error
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.metrics import Metrics
from enfilade.transport.room_overlays import Connection
from enfilade.transport.rooms import Rooms

_LINKS = 256
UNHURRIED = Limits(answer_ms=60_000)
_EPOCH = re.compile(rb'"epoch":"[0-9a-f]+"')
_AT = re.compile(rb'"at_ms":\d+')


class TableHarness:
    """A table and its seats."""

    def __init__(self, ruleset: Ruleset, scene: Scene, seed: int, seats: Sequence[Seat]) -> None:
        drawn = random.Random(f"dice {seed}").randbytes
        store = MemoryStore()
        self._dice_secrets = MemoryDiceSecrets()
        tables = Tables(store, {ruleset.key: ruleset}, Chains(self._dice_secrets, _LINKS, drawn))
        with patch("enfilade.play.tables.secrets.token_hex", lambda size: f"{seed:0{2 * size}x}"):
            links = tables.create(scene)  # dice follow from the table's id too
        self.table, _ = tables.enter(links.table, links.gm_key)
        for seat in seats:
            if seat.role == "player":
                member = Member(table=links.table, id=seat.id, role="player", name=seat.id, is_seated=True)
                store.members.add_member(member, f"key of {seat.id}")
        self.frames: dict[Seat, list[bytes]] = {seat: [] for seat in seats}
        """The updates and answers that each seat was sent, in order, without random values and times."""
        self._rooms = Rooms(self._emit, RateLimiter(UNHURRIED), Metrics(), Activity())
        self._numbers = itertools.count()
        self._seats: dict[str, Seat] = {}
        self._connections: dict[Seat, Connection] = {}
        for seat in seats:
            self.enter(seat)

    def enter(self, seat: Seat) -> None:
        """Connect a seat, or reconnect it without its state."""
        if seat in self._connections:
            self._rooms.leave(self._rooms.of(self.table), self._connections[seat])
        connection = Connection(f"{seat.key} {next(self._numbers)}", seat, None)
        self._seats[connection.sid], self._connections[seat] = seat, connection
        self._rooms.enter(self.table, connection)
        self._settle()

    def open_new_chains(self) -> None:
        """Lose the secrets of the table's dice, so that it opens new chains and tells all seats."""
        self._dice_secrets._secrets.clear()
        self.table._committed._sound = None
        self.table.prepare()
        self._rooms.of(self.table).schedule_broadcast()
        self._settle()

    def ask(self, seat: Seat, command_id: str, kind: str, base: int | None = None, **body: Any) -> bool:
        """Sends a command as a seat; whether it was done."""
        raw = {"v": 1, "id": command_id, "kind": kind, "base": base, "body": body}
        room = self._rooms.of(self.table)
        try:
            ids = patch(
                "enfilade.play.commands.acts.secrets.token_urlsafe", lambda _size: _id_after(command_id)
            )
            salts = patch("enfilade.play.commands.acts.GivenAnswer", _with_salt_of_choice)
            with ids, salts:
                answer = room.answer(seat, load_command(raw), self._connections.get(seat))
        except Exception as exception:
            answer = dump.refusal(command_id, to_enfilade_error(exception))
        self._note(seat, answer)
        self._settle()
        return bool(answer["ok"])

    def read(self, seat: Seat, asked: Callable[[Table], Any]) -> bool:
        """Note a read of the table for a seat, as an HTTP route answers it; return whether it was allowed."""
        try:
            answer = asked(self.table)
        except EnfiladeError as refused:
            self._note(seat, dump.refusal("", refused))
            return False
        self._note(seat, answer if isinstance(answer, dict) else dump.fragment(answer))
        return True

    def _settle(self) -> None:
        """Wait until all updates are sent and all overlays are computed."""
        gevent.idle()
        room = self._rooms.of(self.table)
        while not self._rooms._overlay_scheduler.is_idle or any(
            self._is_behind(c) for c in room.connections.values()
        ):
            gevent.sleep(REST_SECONDS)

    def _is_behind(self, connection: Connection) -> bool:
        is_told = connection.revision == self.table.revision and not connection.is_due
        return connection.is_overlay_outdated or not is_told

    def dry_run(self, command_id: str, kind: str, seat: Seat = GM, **body: Any) -> Any:
        """Return the log entry that a command would make; None if it is refused."""
        command = load_command({"v": 1, "id": command_id, "kind": kind, "body": body})
        salts = patch("enfilade.play.commands.acts.GivenAnswer", _with_salt_of_choice)
        dice = patch.object(self.table, "_dice_for", self._dice_to_come)
        storing = patch.object(self.table, "_store_commit", self._keep_in_memory)  # a question that closes
        kept = self.table._state
        with salts, dice, storing:
            try:
                return self.table._decide(seat, command, COMMANDS[command.kind])
            except EnfiladeError:
                return None
            finally:
                self.table._state = kept

    def _keep_in_memory(self, _seat: Seat, commit: Commit) -> None:
        """Go on from a row that is never stored."""
        self.table._state = commit.after

    def _dice_to_come(self, seat: Seat, command: Command) -> FairDice:
        """The dice that a command would roll now; none is taken."""

        def key() -> bytes:
            rolling = self.table._committed
            assert rolling is not None
            kept = self.table._state
            taken = kept if kept.rolling else rolling.taken(kept, seat, command).after
            chained = next(one for one in (taken.dice, taken.hidden_dice) if one and one.pending)
            if chained.pending is None:
                chained = take_link(chained, kept.scene, command, seat, kept.parts.players_hash)
            assert chained.pending is not None
            return rolling._chains.peek_key(self.table.id, chained, chained.pending)

        return FairDice(key, rolled_before(self.table._state.pending))

    def _emit(self, update: dict[str, Any], connections: list[str]) -> None:
        for seat in {self._seats[sid] for sid in connections}:
            self._note(seat, update)

    def _note(self, seat: Seat, value: Any) -> None:
        if seat in self.frames:
            self.frames[seat].append(self.without_times(value))

    def without_times(self, value: Any) -> bytes:
        """Return a value as JSON, without the random values and the times of a table."""
        data = orjson.dumps(value).replace(self.table.id.encode(), b"TABLE")
        return _AT.sub(b'"at_ms":0', _EPOCH.sub(b'"epoch":""', data))


def _id_after(command_id: str) -> str:
    """An id that follows from another's, and is no longer: answers have their question's id."""
    return hashlib.sha256(command_id.encode()).hexdigest()[:12]


def _with_salt_of_choice(choice: str, seat: str, answer: str, _salt: str) -> GivenAnswer:
    """An answer whose salt follows from its choice: random salts would tell any two worlds apart."""
    return GivenAnswer(choice, seat, answer, hashlib.sha256(choice.encode()).hexdigest()[:32])


def command_for(act: Any) -> tuple[str, dict[str, Any]]:
    """The kind and body of the command that does an act or a move."""
    if act["kind"] == "move":
        return "token.move", {"token": act["token"], "at": act["at"], "facing": act["facing"]}
    return "act", {"act": act}


def decline_choices(world: TableHarness, command_id: str) -> int:
    """Answer no to each open choice as the GM, or cancel the act; return the number of choices."""
    number = 0
    while choice := world.table.snapshot(GM).choice:
        number += 1
        if any(option.key == "no" for option in choice.options):
            said = {"choice": choice.id, "answer": "no"}
            world.ask(GM, f"{command_id}-no-{number}", "choice.answer", **said)
        else:
            world.ask(GM, f"{command_id}-off-{number}", "undo")
    return number
