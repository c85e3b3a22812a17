"""Frames to a slow reader arrive complete; without the outbox they would not."""

from __future__ import annotations

import json

from tests.unit.transport.conftest import wait_until
from websocket import WebSocketException

PACKETS, SIZE = 100, 60_000
LARGE_QUEUE = {"queue_bytes": 64 * 1024 * 1024}


def test_a_slow_reader_gets_every_frame_complete_and_in_order(start, connect):
    assert read_late(start(**LARGE_QUEUE), connect) == list(range(PACKETS))


def test_without_our_writes_a_slow_reader_gets_broken_frames(start, connect):
    assert read_late(start("stock-writes", **LARGE_QUEUE), connect) != list(range(PACKETS))


def read_late(server, connect):
    """Return the numbers of the updates that arrive complete, up to the first that does not.

    The client reads only after the server has filled the socket: then the server answers another client.
    """
    client, other = connect(server, receive_buffer=4096), connect(server)
    client.receive()
    other.receive()
    client.ws.settimeout(1)
    client.send(f'42["flood",{{"packets":{PACKETS},"size":{SIZE}}}]')
    wait_until(lambda: other.call("floods"))
    numbers = []
    try:
        while len(numbers) < PACKETS:
            event, update = json.loads(client.receive().removeprefix("42"))
            assert (event, update["filling"]) == ("update", "x" * SIZE)
            numbers.append(update["number"])
    except (WebSocketException, OSError, ValueError, AssertionError):
        pass
    return numbers
