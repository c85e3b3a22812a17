"""An unexpected error tells its trace to the log and nothing but an id to the client."""

from __future__ import annotations

import logging

import pytest
from socketio.exceptions import ConnectionRefusedError as Refused

from enfilade.config import Limits
from enfilade.errors import NotFound
from enfilade.transport.answers import as_problem
from enfilade.transport.gate import Gate
from enfilade.transport.metrics import Metrics
from enfilade.transport.rooms import Rooms
from enfilade.transport.sockets import Sockets


class BrokenTables:
    """Tables with a mistake in their code."""

    def enter(self, _table, _key):
        raise ZeroDivisionError("secret words")


def test_an_error_of_ours_is_the_answer_itself():
    problem = NotFound("There is no such table.")
    assert as_problem(problem) is problem


def test_an_unexpected_error_is_answered_by_an_id_that_the_log_explains(caplog):
    with caplog.at_level(logging.ERROR):
        problem = as_problem(ZeroDivisionError("secret words"))
    assert problem.code == "internal"
    assert "secret words" not in problem.sentence
    error_id = problem.sentence.split()[-1].rstrip(".")
    assert f"Unexpected error {error_id}" in caplog.text
    assert "secret words" in caplog.text


def test_a_mistake_in_our_code_refuses_a_client_and_breaks_nothing():
    gate, metrics = Gate(Limits()), Metrics()
    sockets = Sockets(BrokenTables(), Rooms(lambda *_: None, gate, metrics), gate, metrics)
    with pytest.raises(Refused) as refusal:
        sockets.connect("sid", {}, {"table": "t", "key": "k"})
    assert refusal.value.error_args["data"]["code"] == "internal"
    assert sockets.command("sid", {"id": "c1"})["error"]["code"] == "internal"
    sockets.disconnect("sid")
