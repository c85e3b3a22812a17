"""The webhook of a real server with real clients, working and failing."""

from __future__ import annotations

import itertools
import json
import time

import pytest
from tests.unit.transport.conftest import GameServer, Raw, end, launch, open_socket
from tests.unit.webhooks.hooks import HOST, Answer

SERVER = "tests.unit.webhooks.posting_server"
IDS = itertools.count()
HIDE = {"v": 1, "id": "w", "kind": "overlay.show", "body": {"token": None}}


class Club:
    """A server with a table, its GM and a spectator."""

    def __init__(self, webhook, folder):
        self.webhook, self.folder, self.clients = webhook, folder, []

    def start(self, *more):
        settings = {"webhook_hosts": f"discord.com,{self.webhook.host}"}
        server = launch(SERVER, [self.webhook.authorities, *more], settings, self.folder, r"\{")
        said = json.loads(server.first_line)
        keys = said["table"], said["gm_key"], said["spectator_key"]
        self.game = GameServer(said["port"], server.process, server.log_path, "", *keys)
        self.gm, self.watcher = self.joined("gm"), self.joined("spectator")

    def joined(self, role):
        raw = Raw(open_socket(self.game))
        self.clients.append(raw)
        assert raw.receive().startswith("0{")
        raw.send("40" + json.dumps(self.game.auth(role)))
        assert raw.receive().startswith("40{")
        return raw

    def do(self, kind, **body):
        command = {"v": 1, "id": f"c{next(IDS)}", "kind": kind, "body": body}
        return self.gm.call("command", self.gm.add_number(command))

    def move(self, to):
        return self.do("token.move", token="bran", at=[2, to])

    def outcome(self, is_it):
        """Return the webhook's state from the GM's updates, once it satisfies a condition."""
        until = time.monotonic() + 20
        while time.monotonic() < until:
            self.do("overlay.show", token=None)  # brings the updates that came before its answer
            sent = [u[1]["body"] for u in self.gm.updates if u[0] == "update"]
            states = [body["webhook"] for body in sent if body.get("webhook")]
            if states and is_it(states[-1]):
                return states[-1]
            time.sleep(0.05)
        raise AssertionError(states[-1:])

    def stop(self):
        for client in self.clients:
            client.ws.shutdown()
        end(self.game.process)


@pytest.fixture
def club(webhook, tmp_path):
    made = Club(webhook, tmp_path)
    made.start()
    yield made
    made.stop()


def test_the_gm_sets_a_webhook_and_the_log_arrives(club, webhook):
    assert club.do("webhook.set", url=webhook.url)["ok"] is True
    assert club.move(7)["ok"] is True
    webhook.wait_for(2)
    assert webhook.names[0] == HOST
    assert webhook.lines[0].startswith("This log is posted to")
    assert webhook.lines[1].startswith("Bran")
    state = club.outcome(lambda state: state["outcome"])
    assert state["hosts"] == ["discord.com", webhook.host]
    assert (state["host"], state["outcome"]) == (webhook.host, f"Posted to {webhook.host}.")


def test_the_url_appears_only_in_the_request(club, webhook):
    webhook.answers = [Answer(204), Answer(503), Answer(404)]
    club.do("webhook.set", url=webhook.url)
    club.move(7)
    webhook.wait_for(3)
    club.outcome(lambda state: state["is_stopped"])
    club.watcher.call("command", club.watcher.add_number(HIDE))
    seen = json.dumps([club.gm.updates, club.watcher.updates])
    assert "posted to" in seen
    assert "s3cr3t" not in seen
    assert '"webhook": {' not in json.dumps(club.watcher.updates)
    assert "DEBUG" in club.game.log()
    assert "s3cr3t" not in club.game.log()


def test_only_the_gm_sets_a_webhook(club, webhook):
    for kind, body in (("webhook.set", {"url": webhook.url}), ("webhook.test", {})):
        command = {"v": 1, "id": kind, "kind": kind, "body": body}
        answer = club.watcher.call("command", club.watcher.add_number(command))
        assert (answer["ok"], answer["error"]["code"]) == (False, "forbidden")


def test_a_killed_server_resumes_delivery(club, webhook):
    webhook.answers = [Answer(204), Answer(503)]
    club.do("webhook.set", url=webhook.url)
    webhook.wait_for(1)
    club.move(7)
    webhook.wait_for(2)
    club.outcome(lambda state: "503" in state["outcome"])
    club.game.process.kill()
    club.stop()
    club.start()
    webhook.wait_for(3)
    club.move(8)
    webhook.wait_for(4)
    first, refused, again, following = webhook.lines
    assert first.startswith("This")
    assert refused == again != following


def test_a_silent_webhook_does_not_delay_the_table(club, webhook):
    webhook.answers = [Answer(204, silent=4)]
    club.do("webhook.set", url=webhook.url)
    webhook.wait_for(1)
    began = time.monotonic()
    for to in (7, 8) * 10:
        assert club.move(to)["ok"] is True
    assert time.monotonic() - began < 3


def test_a_slow_response_is_cut_off(webhook, tmp_path):
    club = Club(webhook, tmp_path)
    club.start("1")
    webhook.answers = [Answer(204, dripped_headers=90)]
    club.do("webhook.set", url=webhook.url)
    state = club.outcome(lambda state: state["outcome"])
    club.stop()
    assert state["outcome"] == f"{webhook.host} could not be reached."


def test_a_message_in_flight_at_a_kill_is_sent_again_after_its_claim(webhook, tmp_path):
    club = Club(webhook, tmp_path)
    club.start("1")
    webhook.answers = [Answer(204, silent=30)]
    club.do("webhook.set", url=webhook.url)
    webhook.wait_for(1)
    club.game.process.kill()
    club.stop()
    club.start()
    webhook.wait_for(2)
    club.stop()
    assert webhook.requests[0][2] == webhook.requests[1][2]
