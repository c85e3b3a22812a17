"""A battle under other house rules: started, read and cancelled by the GM, in a process of its own."""

from __future__ import annotations

import time

import gevent
import pytest
import requests
from gevent.event import Event
from tests.contract import differences

from enfilade.client.http import Client
from enfilade.transport import rules_diff_jobs as module
from enfilade.transport.rules_diff_jobs import RulesDiffJobs

SECONDS = 60


@pytest.fixture
def bridge(game):
    return Client(game.url, game.table, game.gm_key)


def ask(game, method, path, key=None, **more):
    headers = {"Authorization": f"Bearer {key or game.gm_key}"}
    return requests.request(
        method, f"{game.url}/api/tables/{game.table}/{path}", headers=headers, timeout=SECONDS, **more
    )


def test_a_battle_runs_again_under_other_rules(game, bridge):
    token = next(token for token in bridge.scene()["tokens"] if token["at"])
    bridge.send("token.move", {"token": token["id"], "at": token["at"], "facing": 90, "override": "turns"})
    before = bridge.scene()
    answer = ask(game, "POST", "rules-diff", json={"house_rules": {}})
    assert answer.status_code == 202
    job = answer.json()
    end = time.monotonic() + SECONDS
    while not job["result"] and not job["failed"] and time.monotonic() < end:
        time.sleep(0.1)
        job = ask(game, "GET", f"rules-diff/{job['job']}").json()
        assert not differences("rules-diff", job)
    assert job["failed"] == ""
    assert job["result"]["acts"] >= 1
    assert job["result"]["verdicts"] == []
    assert job["done"] == job["of"]
    assert bridge.scene() == before


def test_only_the_gm_may_try_rules_and_only_real_ones(game):
    body = {"house_rules": {}}
    assert ask(game, "POST", "rules-diff", game.spectator_key, json=body).status_code == 403
    unknown = ask(game, "POST", "rules-diff", json={"house_rules": {"no.such": True}})
    assert unknown.status_code == 400
    assert "house_rules.no.such" in unknown.json()["error"]["fields"]


class Process:
    """A process that prints nothing until it is ended."""

    is_failed = False
    began = []

    def __init__(self, _command, task, _seconds):
        Process.began.append(b"".join(task).decode())
        self._over = Event()

    def lines(self):
        self._over.wait()
        return iter(())

    def end(self):
        self._over.set()


def test_tables_that_try_many_rules_delay_another_by_one_run(monkeypatch):
    monkeypatch.setattr(module, "WorkerProcess", Process)
    monkeypatch.setattr(module, "MAX_JOBS", 1)
    monkeypatch.setattr(Process, "began", [])
    jobs = RulesDiffJobs()

    def start(table, what):
        job = jobs.start(table, iter([what]), 1, {})
        gevent.idle()
        return job

    start("a", "a 1")
    start("b", "b 1")
    waiting = start("b", "b 2")  # in place of its own that waits
    assert waiting.as_answer().is_waiting
    start("a", "a 2")  # ends the one that runs, and comes after the other table
    assert Process.began == ["a 1", "b 2"]
    jobs.cancel("b")
    gevent.idle()
    assert Process.began == ["a 1", "b 2", "a 2"]
    jobs.close()


def test_a_cancelled_run_is_gone(game):
    job = ask(game, "POST", "rules-diff", json={"house_rules": {}}).json()["job"]
    assert ask(game, "DELETE", f"rules-diff/{job}").status_code == 204
    assert ask(game, "GET", f"rules-diff/{job}").status_code == 404
