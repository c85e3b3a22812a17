"""The Socket.IO client of the shell and of bots, against the real server over a real port."""

from __future__ import annotations

import gc
import json
import select
import socket
import struct
import time
from contextlib import closing, suppress
from threading import Thread

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.transport.test_membership import GameMaster

from enfilade.client.http import Client
from enfilade.client.live import LiveClient, PendingCommand, RetryPolicy
from enfilade.errors import Forbidden, NotFound, StaleBase
from enfilade.scene.model import Scene
from enfilade.scene.state_hash import state_hash


@pytest.fixture
def line(game):
    with LiveClient(game.url, game.table, game.gm_key) as line:
        line.wait_until(lambda replica: replica.scene)
        yield line


def turn(line, facing):
    token = next(token for token in line.replica.scene.tokens if token.at)
    return line.send("token.move", {"token": token.id, "at": list(token.at), "facing": facing})


def in_step(game, line):
    there = msgspec.convert(Client(game.url, game.table, game.gm_key).scene(), Scene)
    return state_hash(there) == state_hash(line.replica.scene)


def test_a_clients_replica_follows_its_commands(game, line):
    seq = turn(line, 90)["seq"]
    line.wait_until(lambda replica: replica.seq == seq)
    assert in_step(game, line)


def test_a_refusal_is_raised_as_the_error_it_is(line):
    with pytest.raises(NotFound):
        line.send("token.remove", {"token": "nobody"})


def test_a_client_applies_the_missing_entries_of_a_stale_refusal(game, line):
    base = turn(line, 0)["seq"]
    other = Client(game.url, game.table, game.gm_key)
    token = next(token for token in line.replica.scene.tokens if token.at)
    other.send("token.move", {"token": token.id, "at": list(token.at), "facing": 180})
    with pytest.raises(StaleBase):
        line.send("undo", {}, base=base)
    assert line.replica.seq == base + 1
    assert in_step(game, line)


def test_a_broken_connection_is_taken_up_again_without_a_snapshot(game, line):
    epoch = line.replica.epoch
    line._socket.eio.ws.shutdown()
    seq = turn(line, 270)["seq"]
    line.wait_until(lambda replica: replica.seq == seq)
    assert (line.replica.epoch, dict(line.replica.desyncs)) == (epoch, {})
    assert in_step(game, line)


def test_a_desynced_replica_gets_a_snapshot(game, line):
    token = line.replica.scene.tokens[0]
    line.replica.scene = replace(
        line.replica.scene, tokens=(replace(token, name="?"), *line.replica.scene.tokens[1:])
    )
    for facing in range(40):
        turn(line, facing)
    line.wait_until(lambda replica: replica.desyncs["hash"] and replica.scene.tokens[0].name != "?")
    seq = turn(line, 1)["seq"]
    line.wait_until(lambda replica: replica.seq == seq)
    assert in_step(game, line)


def test_a_refused_connection_gets_a_reason(game):
    with LiveClient(game.url, game.table, "wrong") as line, pytest.raises(Forbidden):
        line.send("undo", {})


def test_a_players_line_takes_part_in_the_dice_by_itself(game):
    """A client commits at once, reveals within seconds, and contributes to the dice from then on."""
    joined = GameMaster(game).seated()
    given = []

    def receive(update):
        if update["kind"] == "entries":
            given.extend(e["dice"] for e in update["body"]["entries"] if e["kind"] == "dice.given")

    with LiveClient(game.url, game.table, joined["key"], on_update=receive) as mia:
        mia.wait_until(lambda _: given, timeout=15)
        (part,) = given[0]["parts"]
        assert (part["seat"], part["value"]) == (joined["seat"], mia.dice_contribution.values[0])
        assert mia.dice_contribution.is_in({"players": given[0]["players"]})
    assert not mia.dice_contribution.is_in({"players": ""})
    assert not mia.dice_contribution.is_in(None)


def test_a_command_with_an_id_of_ones_own_is_done_once(line):
    token = next(token for token in line.replica.scene.tokens if token.at)
    body = {"token": token.id, "at": list(token.at), "facing": 45}
    done = line.send("token.move", body, command_id="mine")
    assert line.send("token.move", body, command_id="mine") == {**done, "dup": True}


def test_a_wish_to_connect_that_comes_twice_does_not_end_a_line(game, line):
    wish = {"table": game.table, "ticket": "used up"}
    first = line._socket
    first.eio.send(f"0{json.dumps(wish)}")
    ends = time.monotonic() + 5
    while line._socket is first and time.monotonic() < ends:
        time.sleep(0.01)
    assert line._socket is not first
    assert turn(line, 135)["ok"]


class Wire:
    """A wire between a client and its server that breaks once, right before the server sends a given text."""

    def __init__(self, port, cut_before):
        self._port = port
        self._cut_before = cut_before
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with suppress(OSError):
            while True:
                Thread(target=self._carry, args=self._listening.accept()[:1], daemon=True).start()

    def _carry(self, near):
        with near, socket.create_connection(("127.0.0.1", self._port)) as far, suppress(OSError):
            other = {near: far, far: near}
            while True:
                for source in select.select([near, far], [], [])[0]:
                    self._pass_on(source.recv(65_536), other[source])

    def _pass_on(self, data, to):
        if not data:
            raise BrokenPipeError
        before, said, _ = data.partition(self._cut_before)
        to.sendall(before if said else data)
        if said:
            self._cut_before = b"\0 never said"
            to.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raise ConnectionResetError

    def close(self):
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()


BREAKS = {"before it is opened": b'0{"sid"', "before it is let in": b'40{"sid"', "in play": b'"update"'}


@pytest.mark.parametrize("said", BREAKS.values(), ids=BREAKS)
def test_a_connection_that_is_reset_is_taken_up_again_and_leaves_no_socket_behind(game, said):
    with closing(Wire(game.port, said)) as wire, LiveClient(wire.url, game.table, game.gm_key) as line:
        line.wait_until(lambda replica: replica.scene, timeout=5)  # half of the library's own timeout
        assert turn(line, 90)["ok"]
    gc.collect()  # a socket that was left open would be told of here


def test_the_retry_policy_sets_the_wait_for_an_answer():
    waiting = PendingCommand({}, RetryPolicy(answer=0.2, longest_answer=0.3))
    for _ in range(20):
        waiting.count_attempt()
        assert 0.1 < waiting.due - time.monotonic() < 0.5


def test_waits_stay_within_the_retry_policy_after_days():
    patience = RetryPolicy(answer=0.2, longest_answer=0.3, pause=0.1, longest_pause=0.4)
    assert 0.1 <= patience.reconnect_delay(100_000) <= 0.4
    assert 0.2 <= patience.answer_timeout(100_000) <= 0.5
