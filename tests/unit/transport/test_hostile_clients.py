"""Invalid data over a real socket is refused and costs the server nothing."""

from __future__ import annotations

import contextlib
import socket
import struct
import time

import pytest
from tests.unit.transport.conftest import Raw, open_socket, wait_until
from websocket import ABNF, WebSocketException

MIB = 1024 * 1024
CUT_WITHIN_SECONDS = 5


@pytest.fixture
def client(bare, connect):
    client = connect(bare)
    assert client.receive().startswith("40{")
    return client


def test_an_event_is_acknowledged(client):
    assert client.call("command", {"a": 1}) == [{"a": 1}]


@pytest.mark.parametrize(
    "payload",
    [
        '["command",NaN]',
        '["command",-Infinity]',
        '["command",{"a":1,"a":2}]',
        '["command","\\ud800"]',
        '["command",' + "[" * 65 + "]" * 65 + "]",
        "[" * 5_000,
        '["command"',
        '["connect",{}]',
        '["disconnect"]',
        "[]",
        "[1]",
        "[{}]",
        "{}",
        '["nonsense",1]',
        "[null]",
    ],
)
def test_a_bad_event_is_answered_and_the_connection_stays_open(client, payload):
    assert client.call_raw(payload) == "unusable"
    assert client.call("command", 1) == [1]


def test_sixty_four_nested_lists_are_accepted(client):
    deep = "[" * 62 + "]" * 62
    assert client.call_raw(f'["command",{deep}]') != "unusable"


@pytest.mark.parametrize(
    "message",
    [
        "",
        "x",
        "2",
        "5",
        "6",
        "0{}",
        "4",
        "4x",
        "45999999-1[]",
        "46-",
        "4[]",
        "4{}",
        "431[]",
        "44",
        "b4AAAA",
        "40/" + "a" * 99,
        "40",
        '42/other,["command",1]',
    ],
)
def test_a_client_that_violates_the_protocol_is_cut(client, message):
    client.send(message)
    assert client.is_cut()


@pytest.mark.parametrize("message", ['42["command",1]', "42[]", "41", "40/other,"])
def test_a_client_that_does_not_authenticate_first_is_disconnected(bare, message):
    client = Raw(open_socket(bare))
    with contextlib.ExitStack() as stack:
        stack.callback(client.ws.shutdown)
        assert client.receive().startswith("0{")
        client.send(message)
        assert client.is_cut()


def test_a_client_that_sends_after_its_disconnect_is_cut(client):
    client.send("41")
    client.send('42["command",1]')
    assert client.is_cut()
    assert not client.updates


def test_a_refused_client_reads_the_reason_and_is_cut(game, connect):
    refused = connect(game, {"table": game.table, "ticket": "wrong"})
    assert refused.receive().startswith("44{")
    assert refused.is_cut()


def test_a_client_that_sends_a_binary_message_is_cut(client):
    client.ws.send_binary(b"\x04hello")
    assert client.is_cut()


def test_a_client_that_sends_a_giant_message_is_cut(client):
    client.send("42" + '["command","' + "x" * 70_000 + '"]')
    assert client.is_cut()


def test_a_client_that_announces_a_giant_message_is_cut_before_it_comes(client):
    client.ws.sock.sendall(struct.pack("!BBQ", 0x81, 0x80 | 127, 10 * MIB) + b"mask")
    opcode, data = client.ws.recv_data()
    assert opcode == ABNF.OPCODE_CLOSE
    assert struct.unpack("!H", data[:2]) == (1009,)
    assert client.is_cut()


def test_a_message_just_below_the_limit_is_accepted(client):
    assert client.call("command", "x" * 60_000) == ["x" * 60_000]


def test_a_fragmented_message_of_200_mib_is_cut_early_and_costs_no_memory(bare, connect, client):
    before = client.call("memory")
    hostile = connect(bare)
    hostile.ws.send_frame(ABNF.create_frame('42["command","', ABNF.OPCODE_TEXT, fin=0))
    more = ABNF.create_frame("x" * 60_000, ABNF.OPCODE_CONT, fin=0)
    assert sent_until_cut(lambda: hostile.ws.send_frame(more), 200 * MIB) < 20 * MIB
    assert client.call("memory") - before < 8 * MIB


def test_a_stream_of_attachments_is_cut_early_and_costs_no_memory(bare, connect, client):
    before = client.call("memory")
    hostile = connect(bare)
    hostile.send('45999999-["command",{"_placeholder":true,"num":0}]')
    assert sent_until_cut(lambda: hostile.ws.send_binary(b"x" * 60_000), 200 * MIB) < 20 * MIB
    assert client.call("memory") - before < 8 * MIB


def test_a_client_that_never_reads_is_cut_once_its_queue_is_full(bare, connect, client):
    before = client.call("memory")
    slow = connect(bare, receive_buffer=4096)
    flood = '42["flood",{"packets":50,"size":60000}]'
    assert sent_until_cut(lambda: slow.ws.send(flood), 1 * MIB) < 1 * MIB
    assert client.call("memory") - before < 32 * MIB


def test_events_of_one_client_are_answered_in_order(client):
    for number in range(100):
        client.send(f'42{1000 + number}["unevenly",{number}]')
    answers = [client.receive() for _ in range(100)]
    assert answers == [f"43{1000 + number}[{number}]" for number in range(100)]


def test_compression_is_not_accepted(bare, connect):
    offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
    assert "sec-websocket-extensions" not in connect(bare, header=[offer]).ws.headers


UPGRADE = ("Upgrade: websocket", "Connection: Upgrade")
VERSION, KEY = "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="


@pytest.mark.parametrize(
    "headers",
    [
        (),
        UPGRADE[:1],
        UPGRADE[1:],
        (UPGRADE[0], "Connection: keep-alive", VERSION, KEY),
        (*UPGRADE, VERSION),
        (*UPGRADE, KEY),
        (*UPGRADE, KEY, "Sec-WebSocket-Version: 12"),
        (*UPGRADE, VERSION, KEY, "Host: \u00ff"),
        (*UPGRADE, VERSION, KEY, "Sec-WebSocket-Protocol: \u00ff"),
    ],
)
def test_an_incomplete_upgrade_request_is_refused_at_once(bare, headers):
    request = ["GET /socket.io/?EIO=4&transport=websocket HTTP/1.1", f"Host: 127.0.0.1:{bare.port}", *headers]
    with socket.create_connection(("127.0.0.1", bare.port), timeout=CUT_WITHIN_SECONDS) as connection:
        connection.sendall("".join(f"{line}\r\n" for line in (*request, "")).encode())
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("other", ["Transfer-Encoding: chunked", "Content-Length: 5"])
def test_a_request_with_two_lengths_is_refused(bare, other):
    request = ["POST / HTTP/1.1", f"Host: 127.0.0.1:{bare.port}", "Content-Length: 0", other]
    with socket.create_connection(("127.0.0.1", bare.port), timeout=CUT_WITHIN_SECONDS) as connection:
        connection.sendall("".join(f"{line}\r\n" for line in (*request, "")).encode())
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 400 ")


def test_no_client_caused_a_log_line(bare, client):
    assert client.call("command", 1) == [1]
    assert bare.log() == ""


ENDINGS = {
    "disconnects": lambda client: client.send("41"),
    "drops the connection": lambda client: client.ws.shutdown(),
    "closes the WebSocket": lambda client: client.ws.close(),
    "sends a bad packet": lambda client: client.send("x"),
    "sends a giant message": lambda client: client.send("42" + "x" * 70_000),
    "never reads": lambda client: client.send('42["flood",{"packets":4000,"size":4000}]'),
}


@pytest.mark.parametrize("end", ENDINGS.values(), ids=ENDINGS)
def test_an_ended_connection_is_freed_without_the_garbage_collector(bare, connect, client, end):
    before = client.call("connections")
    for _ in range(3):
        end(connect(bare))
    wait_until(lambda: client.call("connections") <= before, CUT_WITHIN_SECONDS)


def sent_until_cut(send, max_bytes):
    """Return the number of bytes sent before the server cut the connection, at most about `max_bytes`."""
    sent, start = 0, time.monotonic()
    with contextlib.suppress(OSError, WebSocketException):
        while sent < max_bytes:
            sent += send()
    assert time.monotonic() - start < CUT_WITHIN_SECONDS
    return sent
