"""The server shows how long one computation kept all others waiting."""

from __future__ import annotations

import re

import requests
from tests.unit.transport.conftest import wait_until

from enfilade.client.http import Client


def longest(game):
    page = requests.get(f"{game.url}/metrics", timeout=5).text
    return float(re.search(r"^enfilade_longest_slice_seconds (\S+)$", page, re.M)[1])


def test_the_longest_slice_of_a_busy_server_is_shown(game):
    bridge = Client(game.url, game.table, game.gm_key)
    token = bridge.scene()["tokens"][0]["id"]
    bridge.overlay(token)
    wait_until(lambda: longest(game) > 0)
    assert longest(game) < 1
