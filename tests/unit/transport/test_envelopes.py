"""The log gets the traceback of an unexpected error, the client only its ID."""

from __future__ import annotations

import logging

import pytest
from socketio.exceptions import ConnectionRefusedError as Refused

from enfilade.errors import NotFound
from enfilade.play.tables import Tables
from enfilade.rules.dice import SystemDice
from enfilade.runtime.config import Limits
from enfilade.store.memory import MemoryStore
from enfilade.transport.activity import Activity
from enfilade.transport.clients import Clients
from enfilade.transport.envelopes import to_enfilade_error
from enfilade.transport.limits.connections import UploadMemory
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.metrics import Metrics
from enfilade.transport.rooms import Rooms
from enfilade.transport.socketio.handlers import SocketHandlers
from enfilade.transport.socketio.parts import PartialCommands


class BrokenTokens:
    """ConnectionTokens with a bug."""

    def redeem(self, _table, _ticket, _origin):
        raise ZeroDivisionError("secret words")


def do_nothing(*_):
    """Stand in for a callback."""


def test_an_enfilade_error_is_answered_unchanged():
    problem = NotFound("There is no such table.")
    assert to_enfilade_error(problem) is problem


def test_an_unexpected_error_is_answered_with_an_id_that_the_log_explains(caplog):
    with caplog.at_level(logging.ERROR):
        problem = to_enfilade_error(ZeroDivisionError("secret words"))
    assert problem.code == "internal"
    assert "secret words" not in problem.sentence
    error_id = problem.sentence.split()[-1].rstrip(".")
    assert f"Unexpected error {error_id}" in caplog.text
    assert "secret words" in caplog.text


def test_a_bug_in_the_server_refuses_the_client_and_breaks_nothing():
    limiter, metrics, tables = RateLimiter(Limits()), Metrics(), Tables(MemoryStore(), {}, SystemDice())
    rooms = Rooms(do_nothing, limiter, metrics, Activity())
    clients = Clients(tables.members, rooms, metrics, do_nothing, do_nothing)
    parts = PartialCommands(Limits(), UploadMemory(Limits()))
    sockets = SocketHandlers(tables, rooms, BrokenTokens(), clients, limiter, metrics, parts)
    with pytest.raises(Refused) as refusal:
        sockets.connect("sid", {}, {"table": "t", "ticket": "k"})
    assert refusal.value.error_args["data"]["code"] == "internal"
    assert sockets.command("sid", {"id": "c1"})["error"]["code"] == "forbidden"
    sockets.disconnect("sid")
