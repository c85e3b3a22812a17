"""One client's WebSocket: however much it says at once, it does not have the server to itself."""

from __future__ import annotations

from itertools import pairwise

import gevent

from enfilade.transport.websocket import Connection


class Flooded(Connection):
    """A connection on which hundreds of messages have come at once."""

    def __init__(self):
        self.connected, self.input_buffer, self._taken = True, ["1"] * 400, 0


def test_of_hundreds_of_messages_that_came_at_once_few_are_read_before_others_have_their_turn():
    connection, read, turns = Flooded(), [], []

    def other():
        while connection.input_buffer:
            turns.append(len(read))
            gevent.sleep(0)

    gevent.spawn(other)
    while connection.input_buffer:
        read.append(connection.receive())
    waits = [after - before for before, after in pairwise(turns)]
    assert 0 < max(waits) <= 10
