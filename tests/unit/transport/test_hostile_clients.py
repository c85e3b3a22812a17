"""Invalid data over a real socket is refused and costs the server nothing."""

from __future__ import annotations

import contextlib
import socket
import time

import pytest
from tests.unit.transport.conftest import Raw, open_socket
from websocket import ABNF, WebSocketException

MIB = 1024 * 1024
CUT_WITHIN_SECONDS = 5


@pytest.fixture
def client(bare, connect):
    joined = connect(bare)
    assert joined.next().startswith("40{")
    return joined


def test_an_event_is_acknowledged(client):
    assert client.ask("command", {"a": 1}) == [{"a": 1}]


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
def test_a_bad_event_is_answered_and_the_connection_lives_on(client, payload):
    assert client.ask_raw(payload) == "unusable"
    assert client.ask("command", 1) == [1]


def test_sixty_four_lists_in_each_other_are_taken(client):
    deep = "[" * 62 + "]" * 62
    assert client.ask_raw(f'["command",{deep}]') != "unusable"


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
def test_a_client_that_speaks_something_else_is_cut(client, message):
    client.say(message)
    assert client.is_cut()


@pytest.mark.parametrize("message", ['42["command",1]', "42[]", "41", "40/other,"])
def test_a_client_that_does_not_authenticate_first_is_disconnected(bare, message):
    client = Raw(open_socket(bare))
    with contextlib.ExitStack() as leaving:
        leaving.callback(client.ws.shutdown)
        assert client.next().startswith("0{")
        client.say(message)
        assert client.is_cut()


def test_a_client_that_has_left_is_hung_up_on(client):
    client.say("41")
    client.say('42["command",1]')
    assert client.is_cut()
    assert not client.updates


def test_a_client_that_is_refused_reads_why_and_is_hung_up_on(game, connect):
    refused = connect(game, {"table": game.table, "ticket": "wrong"})
    assert refused.next().startswith("44{")
    assert refused.is_cut()


def test_binary_messages_are_refused(client):
    client.ws.send_binary(b"\x04hello")
    assert client.is_cut()


def test_a_giant_message_is_cut(client):
    client.say("42" + '["command","' + "x" * 70_000 + '"]')
    assert client.is_cut()


def test_a_message_of_nearly_the_limit_is_taken(client):
    assert client.ask("command", "x" * 60_000) == ["x" * 60_000]


def test_a_fragmented_message_of_200_mb_is_cut_early_and_costs_no_memory(bare, connect, client):
    before = client.ask("memory")
    hostile = connect(bare)
    hostile.ws.send_frame(ABNF.create_frame('42["command","', ABNF.OPCODE_TEXT, fin=0))
    more = ABNF.create_frame("x" * 60_000, ABNF.OPCODE_CONT, fin=0)
    assert sent_until_cut(lambda: hostile.ws.send_frame(more), 200 * MIB) < 20 * MIB
    assert client.ask("memory") - before < 8 * MIB


def test_a_stream_of_attachments_is_cut_early_and_costs_no_memory(bare, connect, client):
    before = client.ask("memory")
    hostile = connect(bare)
    hostile.say('45999999-["command",{"_placeholder":true,"num":0}]')
    assert sent_until_cut(lambda: hostile.ws.send_binary(b"x" * 60_000), 200 * MIB) < 20 * MIB
    assert client.ask("memory") - before < 8 * MIB


def test_a_client_that_never_reads_is_cut_and_costs_no_more_than_its_queue(bare, connect, client):
    before = client.ask("memory")
    slow = connect(bare, receive_buffer=4096)
    wish = '42["flood",{"packets":50,"size":60000}]'
    assert sent_until_cut(lambda: slow.ws.send(wish), 1 * MIB) < 1 * MIB
    assert client.ask("memory") - before < 32 * MIB


def test_one_clients_events_stay_in_order_however_long_each_takes(client):
    for number in range(100):
        client.say(f'42{1000 + number}["unevenly",{number}]')
    answers = [client.next() for _ in range(100)]
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
def test_half_an_upgrade_is_refused_and_nothing_waits_for_the_rest(bare, headers):
    asked = ["GET /socket.io/?EIO=4&transport=websocket HTTP/1.1", f"Host: 127.0.0.1:{bare.port}", *headers]
    with socket.create_connection(("127.0.0.1", bare.port), timeout=CUT_WITHIN_SECONDS) as connection:
        connection.sendall("".join(f"{line}\r\n" for line in (*asked, "")).encode())
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 400 ")


def test_nothing_a_client_does_leaves_a_trace_in_the_log(bare, client):
    assert client.ask("command", 1) == [1]
    assert bare.log() == ""


ENDINGS = {
    "leaves": lambda client: client.say("41"),
    "hangs up": lambda client: client.ws.shutdown(),
    "says goodbye": lambda client: client.ws.close(),
    "bad-packet": lambda client: client.say("x"),
    "sends a giant message": lambda client: client.say("42" + "x" * 70_000),
    "never reads": lambda client: client.say('42["flood",{"packets":4000,"size":4000}]'),
}


@pytest.mark.parametrize("end", ENDINGS.values(), ids=ENDINGS)
def test_a_connection_that_has_ended_is_let_go_of_before_the_garbage_is_collected(bare, connect, client, end):
    before = client.ask("held")
    for _ in range(3):
        end(connect(bare))
    until = time.monotonic() + CUT_WITHIN_SECONDS
    while client.ask("held") > before and time.monotonic() < until:
        time.sleep(0.05)
    assert client.ask("held") <= before


def sent_until_cut(send, most):
    """Return the number of bytes sent before the server closed the connection."""
    sent, start = 0, time.monotonic()
    with contextlib.suppress(OSError, WebSocketException):
        while sent < most:
            sent += send()
    assert time.monotonic() - start < CUT_WITHIN_SECONDS
    return sent
