"""No seat can make the server connect to its own machine or network."""

from __future__ import annotations

import os
import socket
import threading
from contextlib import closing

import pytest
from tests.example import FIRST_BLOOD
from tests.unit.play.duel import SCENE
from tests.unit.webhooks.vectors import ALLOWED, INSIDE, OUTSIDE, edges_of_private_networks, urls

from enfilade.errors import BadMessage, EnfiladeError, Forbidden
from enfilade.messages.load import load_command
from enfilade.play.tables import Tables
from enfilade.rules.dice import SeededDice
from enfilade.store.memory import MemoryStore
from enfilade.webhooks.http import AddressPolicy, UnfitAddressError, WebhookSender, is_public

SECRET = "https://discord.com/api/webhooks/1/x"


class Canary:
    """Listens on every address of this machine and counts who comes."""

    def __init__(self):
        self.came = 0
        self.sockets = [socket.create_server(("0.0.0.0", 0))]
        self.port = self.sockets[0].getsockname()[1]
        if socket.has_ipv6:
            with_six = socket.create_server(("::", self.port), family=socket.AF_INET6)
            self.sockets.append(with_six)
        for listening in self.sockets:
            threading.Thread(target=self.count, args=(listening,), daemon=True).start()

    def count(self, listening):
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            self.came += 1
            connection.close()

    def close(self):
        for listening in self.sockets:
            listening.close()


@pytest.fixture
def canary():
    with closing(Canary()) as made:
        yield made


def set_to(url, hosts=(ALLOWED,)):
    """Run a GM's command from the decoded message to the table's row."""
    tables = Tables(MemoryStore(), {"first_blood": FIRST_BLOOD}, SeededDice(7), hosts)
    links = tables.create(SCENE)
    table, seat = tables.enter(links.table, links.gm_key)
    raw = {"v": 1, "id": "set", "kind": "webhook.set", "body": {"url": url}}
    table.execute(seat, load_command(raw))
    return table.webhook


def test_only_urls_of_allowed_hosts_are_stored(canary):
    vectors = urls(canary.port)
    for url in vectors:
        with pytest.raises((BadMessage, Forbidden)) as refused:
            set_to(url)
        assert url not in refused.value.sentence
    assert (len(vectors) > 100, canary.came) == (True, 0)
    assert set_to(SECRET).host == ALLOWED


def test_an_allowed_name_never_leads_to_a_private_address(canary):
    vectors = INSIDE + edges_of_private_networks()
    for address in vectors:
        reach = AddressPolicy(resolve=lambda _host, _port, found=address: [found])
        outcome = WebhookSender(reach).post(f"https://{ALLOWED}:{canary.port}/x", ALLOWED, "Ann moves.")
        assert (address, outcome.kind) == (address, "refused")
    assert (len(vectors) > 100, canary.came) == (True, 0)


def test_the_same_vectors_reach_the_canary_without_the_address_check(canary):
    """Without the check the tests above would see a connection."""
    reach = AddressPolicy(resolve=lambda _host, _port: ["127.0.0.1"], is_fit=lambda _address: True)
    assert (
        WebhookSender(reach).post(f"https://{ALLOWED}:{canary.port}/x", ALLOWED, "Ann moves.").kind == "later"
    )
    assert canary.came == 1


def test_one_private_address_among_several_is_refused(canary):
    for found in (["1.1.1.1", "127.0.0.1"], ["127.0.0.1", "1.1.1.1"], ["2606:4700::1", "::1"]):
        with pytest.raises(UnfitAddressError):
            AddressPolicy(lambda _host, _port, found=found: found).choose_address(ALLOWED, canary.port)


def test_a_name_is_resolved_once(canary):
    answers = iter([["127.0.0.1"], ["127.0.0.1"], ["127.0.0.1"]])
    looked = []

    def rebinding(host, port):
        looked.append(host)
        return next(answers)

    def fits_once(address):
        return len(looked) == 1

    WebhookSender(AddressPolicy(rebinding, fits_once)).post(
        f"https://{ALLOWED}:{canary.port}/x", ALLOWED, "Ann moves."
    )
    assert (looked, canary.came) == ([ALLOWED], 1)


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
def test_a_proxy_in_the_environment_is_not_used(canary, monkeypatch, name):
    for scheme in ("http", "https", "socks5"):
        monkeypatch.setitem(os.environ, name, f"{scheme}://127.0.0.1:{canary.port}")
        reach = AddressPolicy(resolve=lambda _host, _port: ["10.0.0.1"])
        assert WebhookSender(reach).post(SECRET, ALLOWED, "Ann moves.").kind == "refused"
    assert canary.came == 0


def test_the_system_resolver_is_checked_as_well(canary):
    outcome = WebhookSender().post(f"https://localhost:{canary.port}/x", "localhost", "Ann moves.")
    assert (outcome.kind, canary.came) == ("refused", 0)


@pytest.mark.parametrize("address", OUTSIDE)
def test_public_addresses_are_fit(address):
    assert is_public(address)


def test_a_name_without_an_address_is_tried_later():
    assert (
        WebhookSender(AddressPolicy(resolve=lambda _host, _port: [])).post(SECRET, ALLOWED, "Ann moves.").kind
        == "later"
    )


def test_without_allowed_hosts_there_is_no_webhook():
    with pytest.raises(EnfiladeError, match="posts to no webhook"):
        set_to(SECRET, hosts=())
