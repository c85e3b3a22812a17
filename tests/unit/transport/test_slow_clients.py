"""Frames to a client that reads slowly arrive whole; without the transport's own writes they would not."""

from __future__ import annotations

import json
import time

from websocket import WebSocketException

PACKETS, SIZE = 100, 60_000
ROOMY = {"queue_bytes": 64 * 1024 * 1024}


def test_a_slow_reader_gets_every_frame_whole_and_in_order(start, connect):
    assert read_slowly(connect(start("bare_server.py", **ROOMY), receive_buffer=4096)) == list(range(PACKETS))


def test_without_our_writes_a_slow_reader_gets_broken_frames(start, connect):
    client = connect(start("bare_server.py", "stock-writes", **ROOMY), receive_buffer=4096)
    assert read_slowly(client) != list(range(PACKETS))


def read_slowly(client):
    """The numbers of the updates that arrive whole, up to the first that does not."""
    client.next()
    client.ws.settimeout(1)
    client.say(f'42["flood",{{"packets":{PACKETS},"size":{SIZE}}}]')
    time.sleep(0.3)
    numbers = []
    try:
        while len(numbers) < PACKETS:
            event, update = json.loads(client.next().removeprefix("42"))
            assert (event, update["filling"]) == ("update", "x" * SIZE)
            numbers.append(update["number"])
    except (WebSocketException, OSError, ValueError, AssertionError):
        pass
    return numbers
