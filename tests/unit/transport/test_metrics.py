"""The page of metrics has all that was counted, and how long one computation kept all others waiting."""

from __future__ import annotations

import re

import pytest
import requests
from tests.unit.transport.conftest import wait_until

from enfilade.client.http import Client
from enfilade.transport import metrics as metrics_module
from enfilade.transport.metrics import DONE, Metrics


def longest(game):
    page = requests.get(f"{game.url}/metrics", timeout=5).text
    return float(re.search(r"^enfilade_longest_slice_seconds (\S+)$", page, re.M)[1])


def test_the_longest_slice_of_a_busy_server_is_shown(game):
    bridge = Client(game.url, game.table, game.gm_key)
    token = bridge.scene()["tokens"][0]["id"]
    bridge.overlay(token)
    wait_until(lambda: longest(game) > 0)
    assert longest(game) < 1


def value(metrics, name):
    return float(re.search(rf"^{re.escape(name)} (\S+)$", metrics.render().decode(), re.M)[1])


def test_a_page_has_what_was_counted_and_measured_up_to_it():
    metrics = Metrics()
    for outcome in (DONE, DONE, "stale-base"):
        with metrics.answers.time():
            metrics.count_command("act", outcome)
        metrics.count_overlays(sent=2, unchanged=1)
    assert value(metrics, 'enfilade_commands_total{kind="act",outcome="done"}') == 2
    assert value(metrics, 'enfilade_commands_total{kind="act",outcome="stale-base"}') == 1
    assert value(metrics, 'enfilade_overlay_updates_total{outcome="sent"}') == 6
    assert value(metrics, "enfilade_answer_seconds_count") == 3
    metrics.count_command("act", DONE)
    assert value(metrics, 'enfilade_commands_total{kind="act",outcome="done"}') == 3


def test_a_block_that_raises_is_measured():
    metrics = Metrics()
    with pytest.raises(ValueError, match="a torn page"), metrics.storing.time():
        raise ValueError("a torn page")
    assert value(metrics, "enfilade_store_seconds_count") == 1


def test_durations_do_not_pile_up_while_nobody_asks(monkeypatch):
    monkeypatch.setattr(metrics_module, "_MOST_KEPT", 10)
    metrics = Metrics()
    for _ in range(25):
        with metrics.answers.time():
            pass
    assert value(metrics, "enfilade_answer_seconds_count") == 10
    with metrics.answers.time():
        pass
    assert value(metrics, "enfilade_answer_seconds_count") == 11
