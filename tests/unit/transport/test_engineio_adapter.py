"""The pinned Engine.IO has the private parts that the adapter replaces, and the server uses our classes."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from flask import Flask

from enfilade.runtime.config import Config
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.metrics import Metrics
from enfilade.transport.socketio.driver import Driver
from enfilade.transport.socketio.engineio_adapter import engine_socket_of, install, outbox_of
from enfilade.transport.socketio.outbox import Outbox
from enfilade.transport.socketio.server import create_socketio


@pytest.fixture
def socketio():
    config = Config()
    return create_socketio(Flask(__name__), config, RateLimiter(config.limits), Metrics())


def test_the_queue_of_a_new_connection_is_our_outbox(socketio):
    engine = socketio.server.eio
    assert isinstance(engine.create_queue(), Outbox)


def test_a_websocket_is_served_by_our_driver(socketio):
    make = socketio.server.eio._async["websocket"]
    handler = SimpleNamespace(queue=socketio.server.eio.create_queue())

    class EngineSocket:
        queue = handler.queue

        def handle(self, _websocket):
            """Not called."""

    engine_socket = EngineSocket()
    driver = make(engine_socket.handle, socketio.server.eio)
    assert isinstance(driver, Driver)
    assert engine_socket_of(engine_socket.handle) is engine_socket


def test_a_connection_that_has_ended_has_no_outbox(socketio):
    assert outbox_of(socketio, "gone") is None


def test_an_engine_without_these_classes_is_refused():
    with pytest.raises(RuntimeError, match="unsupported"):
        install(SimpleNamespace(_async={"queue": None}), websocket=Driver, queue=Outbox)
