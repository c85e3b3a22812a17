"""One client's WebSocket: however much it says at once, it does not have the server to itself."""

from __future__ import annotations

from itertools import pairwise

import gevent

from enfilade.config import Limits
from enfilade.transport.socketio import driver as driver_module
from enfilade.transport.socketio.driver import Connection, Driver
from enfilade.transport.socketio.outbox import Outbox


class Flooded(Connection):
    """A connection on which hundreds of messages have come at once."""

    def __init__(self):
        self.connected, self.input_buffer, self._received = True, ["1"] * 400, 0


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


class Engine:
    """The arguments that Engine.IO passes to a driver."""

    queue = Outbox(limits=Limits(), on_cut=print)

    def handle(self, _):
        """Nothing is asked of it."""


class OnlyPongs:
    """A connection that says nothing but that it is still there."""

    def receive(self, timeout):
        gevent.sleep(0.001)
        return "3" if timeout is None or timeout > 0.01 else None


def test_answering_pings_is_not_authentication(monkeypatch):
    monkeypatch.setattr(driver_module, "_CONNECT_TIMEOUT_SECONDS", 0.1)
    driver = Driver(Engine().handle, None, limits=Limits(), on_cut=print)
    driver._connection = OnlyPongs()
    with gevent.Timeout(5):
        while driver.wait():
            pass
