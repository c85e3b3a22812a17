"""The live client against the real server over a real port."""

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
from tests.unit.transport.conftest import wait_until

from enfilade.client.http import Client
from enfilade.client.live import LiveClient, PendingCommand, RetryPolicy
from enfilade.errors import Forbidden, NotFound, StaleBase
from enfilade.scene.model import Scene
from enfilade.scene.scene_json import state_hash


@pytest.fixture
def client(game):
    with LiveClient(game.url, game.table, game.gm_key) as client:
        client.wait_until(lambda replica: replica.scene)
        yield client


def turn(client, facing):
    token = next(token for token in client.replica.scene.tokens if token.at)
    return client.send("token.move", {"token": token.id, "at": list(token.at), "facing": facing})


def is_in_sync(game, client):
    served = msgspec.convert(Client(game.url, game.table, game.gm_key).scene(), Scene)
    return state_hash(served) == state_hash(client.replica.scene)


def test_a_clients_replica_follows_its_commands(game, client):
    seq = turn(client, 90)["seq"]
    client.wait_until(lambda replica: replica.seq == seq)
    assert is_in_sync(game, client)


def test_a_refusal_is_raised_as_the_error_it_is(client):
    with pytest.raises(NotFound):
        client.send("token.remove", {"token": "nobody"})


def test_a_scene_larger_than_a_message_is_sent_in_parts(client):
    scene = json.loads(msgspec.json.encode(client.replica.scene))
    walls = [{"id": f"w{i}", "line": [i % 400, 0, 64 + i // 400, 200]} for i in range(3_000)]
    seq = client.replica.seq
    scene["name"] = "\U0001f9f1" * 200
    answer = client.send("scene.set", {"scene": {**scene, "walls": walls}})
    assert answer["seq"] == seq + 1
    client.wait_until(lambda replica: len(replica.scene.walls) == 3_000)
    assert client.replica.scene.name == scene["name"]


def test_a_client_applies_the_missing_entries_of_a_stale_refusal(game, client):
    base = turn(client, 0)["seq"]
    other = Client(game.url, game.table, game.gm_key)
    token = next(token for token in client.replica.scene.tokens if token.at)
    other.send("token.move", {"token": token.id, "at": list(token.at), "facing": 180})
    with pytest.raises(StaleBase):
        client.send("undo", {}, base=base)
    assert client.replica.seq == base + 1
    assert is_in_sync(game, client)


def test_a_client_resumes_a_broken_connection_without_a_snapshot(game, client):
    epoch, first = client.replica.epoch, client._socket
    client._socket.eio.ws.sock.shutdown(socket.SHUT_RDWR)  # ws.shutdown() would wait for the next ping
    seq = turn(client, 270)["seq"]
    client.wait_until(lambda replica: replica.seq == seq)
    assert client._socket is not first
    assert (client.replica.epoch, dict(client.replica.desyncs)) == (epoch, {})
    assert is_in_sync(game, client)


def test_a_desynced_replica_gets_a_snapshot(game, client):
    token = client.replica.scene.tokens[0]
    client.replica.scene = replace(
        client.replica.scene, tokens=(replace(token, name="?"), *client.replica.scene.tokens[1:])
    )
    for facing in range(40):
        turn(client, facing)
    client.wait_until(lambda replica: replica.desyncs["hash"] and replica.scene.tokens[0].name != "?")
    seq = turn(client, 1)["seq"]
    client.wait_until(lambda replica: replica.seq == seq)
    assert is_in_sync(game, client)


def test_a_refused_connection_gets_a_reason(game):
    with LiveClient(game.url, game.table, "wrong") as client, pytest.raises(Forbidden):
        client.send("undo", {})


def test_a_command_sent_twice_with_one_id_runs_once(client):
    token = next(token for token in client.replica.scene.tokens if token.at)
    body = {"token": token.id, "at": list(token.at), "facing": 45}
    done = client.send("token.move", body, command_id="mine")
    assert client.send("token.move", body, command_id="mine") == {**done, "dup": True}


def test_a_duplicate_connect_packet_does_not_end_the_client(game, client):
    credentials = {"table": game.table, "ticket": "used up"}
    first = client._socket
    first.eio.send(f"0{json.dumps(credentials)}")
    wait_until(lambda: client._socket is not first)
    assert turn(client, 135)["ok"]


class BreakingProxy:
    """A proxy whose connection breaks once, right before the server sends a given text."""

    def __init__(self, port, cut_before):
        self._port = port
        self._cut_before = cut_before
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with suppress(OSError):
            while True:
                Thread(target=self._forward, args=self._listening.accept()[:1], daemon=True).start()

    def _forward(self, client):
        with client, socket.create_connection(("127.0.0.1", self._port)) as server, suppress(OSError):
            other = {client: server, server: client}
            while True:
                for source in select.select([client, server], [], [])[0]:
                    self._send(source.recv(65_536), other[source])

    def _send(self, data, to):
        if not data:
            raise BrokenPipeError
        before, is_found, _ = data.partition(self._cut_before)
        to.sendall(before if is_found else data)
        if is_found:
            self._cut_before = b"\0 never sent"
            to.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raise ConnectionResetError

    def close(self):
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()


CUTS = {"before it opens": b'0{"sid"', "before it is accepted": b'40{"sid"', "in play": b'"update"'}


@pytest.mark.parametrize("cut_before", CUTS.values(), ids=CUTS)
def test_a_client_reconnects_after_a_reset_and_leaves_no_socket_open(game, cut_before):
    with (
        closing(BreakingProxy(game.port, cut_before)) as proxy,
        LiveClient(proxy.url, game.table, game.gm_key) as client,
    ):
        client.wait_until(lambda replica: replica.scene, timeout=5)  # half of the library's own timeout
        assert turn(client, 90)["ok"]
    gc.collect()  # pytest reports a socket that is still open


def test_the_retry_policy_sets_the_wait_for_an_answer():
    pending = PendingCommand({}, RetryPolicy(answer=0.2, longest_answer=0.3))
    for _ in range(20):
        pending.count_attempt()
        assert 0.1 < pending.due - time.monotonic() < 0.5


def test_waits_stay_within_the_retry_policy_after_days():
    policy = RetryPolicy(answer=0.2, longest_answer=0.3, pause=0.1, longest_pause=0.4)
    assert 0.1 <= policy.reconnect_delay(100_000) <= 0.4
    assert 0.2 <= policy.answer_timeout(100_000) <= 0.5
