"""One client's WebSocket: a flood of messages does not block the other clients."""

from __future__ import annotations

from itertools import pairwise

import gevent

from enfilade.runtime.config import Limits
from enfilade.transport.socketio import driver as driver_module
from enfilade.transport.socketio.driver import Connection, Driver
from enfilade.transport.socketio.outbox import Outbox


class Flooded(Connection):
    """A connection that has received hundreds of messages at once."""

    def __init__(self):
        self.connected, self.input_buffer, self._received = True, ["1"] * 400, 0


def test_other_greenlets_run_after_a_few_messages_of_one_client():
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
        """Handle nothing."""


class OnlyPongs:
    """A connection that sends nothing but pongs."""

    def receive(self, timeout):
        gevent.idle()
        return "3" if timeout is None or timeout > 0.01 else None


def test_answering_pings_is_not_authentication(monkeypatch):
    monkeypatch.setattr(driver_module, "_CONNECT_TIMEOUT_SECONDS", 0.1)
    driver = Driver(Engine().handle, None, limits=Limits(), on_cut=print)
    driver._connection = OnlyPongs()
    with gevent.Timeout(5):
        while driver.wait():
            pass
