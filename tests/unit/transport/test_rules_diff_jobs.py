"""A battle under other house rules: started, read and cancelled by the GM, in a process of its own."""

from __future__ import annotations

import time

import pytest
import requests
from tests.contract import differences

from enfilade.client.http import Client

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


def test_a_cancelled_run_is_gone(game):
    job = ask(game, "POST", "rules-diff", json={"house_rules": {}}).json()["job"]
    assert ask(game, "DELETE", f"rules-diff/{job}").status_code == 204
    assert ask(game, "GET", f"rules-diff/{job}").status_code == 404
