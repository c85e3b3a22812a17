"""Two server processes on one PostgreSQL: a member removed at one is disconnected at the other."""

from __future__ import annotations

import json
import time

import pytest
from tests.unit.transport.conftest import Raw, end, launch_game, open_socket
from tests.unit.transport.test_membership import GameMaster

from enfilade.transport.housekeeping import INTERVAL_SECONDS


@pytest.fixture
def workers(postgres_url, tmp_path):
    """Two processes that serve the same tables."""
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder in folders:
        folder.mkdir()
    first, second = (launch_game(folder, store=postgres_url) for folder in folders)
    second.table, second.gm_key = first.table, first.gm_key
    yield first, second
    for server in (first, second):
        end(server.process)


def connect_player(server, auth):
    raw = Raw(open_socket(server))
    raw.receive()
    raw.send("40" + json.dumps(auth))
    while not raw.receive().startswith("42"):
        pass
    return raw


def test_a_member_removed_at_one_process_is_disconnected_at_the_other(workers):
    first, second = workers
    gm = GameMaster(first)
    joined = gm.seat_player()
    auth = {"table": second.table, "ticket": second.ticket(joined["key"])}
    mia = connect_player(second, auth)
    assert first.request("DELETE", f"seats/{joined['seat']}", first.gm_key).status_code == 204
    began = time.monotonic()
    is_cut = mia.is_cut()
    waited = time.monotonic() - began
    mia.ws.shutdown()
    assert is_cut
    assert waited < INTERVAL_SECONDS + 2
