"""A table over Socket.IO: joining, commands, updates and refusals."""

from __future__ import annotations

import json
import uuid

import pytest
from tests.contract import differences


@pytest.fixture
def gm(game, connect):
    return Player(connect(game, game.auth()))


@pytest.fixture
def spectator(game, connect):
    return Player(connect(game, game.auth("spectator")))


class Player:
    """A client at a table; it checks every message against the contract."""

    def __init__(self, raw):
        self.raw = raw
        assert raw.receive().startswith("40{")
        self.hello = self.receive_update()
        assert self.hello["kind"] == "hello"
        self.greeting = self.next_update()
        self.epoch = self.greeting["epoch"]

    def next_update(self, kinds=("snapshot", "entries", "overlay")):
        """Return the next update of some kinds; by default, those about members are skipped."""
        while (update := self.receive_update())["kind"] not in kinds:
            pass
        return update

    def receive_update(self):
        """Return the next update of any kind."""
        queue = self.raw.updates
        name, update = queue.pop(0) if queue else json.loads(self.raw.receive().removeprefix("42"))
        assert name == "update"
        assert not differences("update", update)
        assert not differences(f"updates/{update['kind']}", update["body"])
        return update

    def send_command(self, kind, body, **more):
        envelope = {"v": 1, "id": uuid.uuid4().hex, "kind": kind, "base": None, "body": body, **more}
        ack = self.raw.call("command", self.raw.add_number(envelope))
        assert not differences("ack", ack)
        assert ack["id"] == envelope["id"]
        return ack

    @property
    def token(self):
        return next(t for t in self.greeting["body"]["scene"]["tokens"] if t["at"])

    def step(self, columns):
        """Move the token some columns from where it started."""
        column, row = self.token["at"]
        return self.send_command("token.move", {"token": self.token["id"], "at": [column + columns, row]})

    def turn_token(self, facing):
        return self.send_command(
            "token.move", {"token": self.token["id"], "at": self.token["at"], "facing": facing}
        )


def test_a_joining_client_gets_a_snapshot(gm, spectator):
    assert (gm.greeting["kind"], gm.greeting["body"]["role"]) == ("snapshot", "gm")
    assert spectator.greeting["body"]["role"] == "spectator"


@pytest.mark.parametrize(
    ("auth", "code"),
    [
        (None, "bad-schema"),
        ([], "bad-schema"),
        ({"table": "x"}, "bad-schema"),
        ({"table": "x", "ticket": 5}, "bad-schema"),
        ({"table": "x", "key": "y"}, "bad-schema"),
        ({"table": "x", "ticket": "y", "page": "not an ID"}, "bad-schema"),
        ({"table": "x", "ticket": "y", "resume": "z"}, "bad-schema"),
        ({"table": "../x", "ticket": "y"}, "bad-schema"),
        ({"table": "absent", "ticket": "wrong"}, "forbidden"),
    ],
)
def test_a_refused_join_gets_a_reason(game, connect, auth, code):
    refusal = json.loads(connect(game, auth).receive().removeprefix("44"))
    assert refusal["data"]["code"] == code
    assert refusal["message"] == refusal["data"]["sentence"]


def test_a_wrong_key_and_a_missing_table_get_the_same_refusal(game, connect):
    wrong = connect(game, {"table": game.table, "ticket": "wrong"}).receive()
    assert wrong == connect(game, {"table": "absent", "ticket": "wrong"}).receive()


def test_a_command_is_answered_and_broadcast(gm, spectator):
    ack = gm.turn_token(90)
    assert ack["ok"]
    for player in (gm, spectator):
        (entry,) = player.next_update()["body"]["entries"]
        assert (entry["seq"], entry["kind"]) == (ack["seq"], "token.move")


def test_the_answer_precedes_the_broadcast(gm):
    gm.turn_token(180)
    assert [update["kind"] for _, update in gm.raw.updates if update["kind"] != "players"] == []


def test_a_command_sent_twice_is_done_once(gm):
    body = {"token": gm.token["id"], "at": gm.token["at"], "facing": 270}
    first = gm.send_command("token.move", body, id="the-same")
    assert gm.send_command("token.move", body, id="the-same") == {**first, "dup": True}
    other = gm.send_command("token.move", {**body, "facing": 0}, id="the-same")
    assert other["error"]["code"] == "id-reused"


def test_a_returning_client_gets_the_missing_entries(game, connect, gm):
    seq = gm.turn_token(0)["seq"]
    gm.turn_token(90)
    back = Player(connect(game, game.auth(seq=seq, epoch=gm.epoch)))
    assert back.greeting["kind"] == "entries"
    assert [entry["seq"] for entry in back.greeting["body"]["entries"]] == [seq + 1]


def test_a_client_that_lacks_nothing_gets_an_empty_update(game, connect, gm):
    back = Player(connect(game, game.auth(seq=gm.turn_token(0)["seq"], epoch=gm.epoch)))
    assert (back.greeting["kind"], back.greeting["body"]["entries"]) == ("entries", [])


def test_a_client_ahead_of_the_table_gets_a_snapshot(game, connect, gm):
    assert Player(connect(game, game.auth(seq=10**6, epoch=gm.epoch))).greeting["kind"] == "snapshot"


@pytest.mark.parametrize("epoch", [None, "0" * 16])
def test_a_client_from_another_epoch_gets_a_snapshot(game, connect, gm, epoch):
    seq = gm.turn_token(0)["seq"]
    assert Player(connect(game, game.auth(seq=seq, epoch=epoch))).greeting["kind"] == "snapshot"


def test_a_returning_client_with_a_wrong_scene_gets_a_snapshot(game, connect, gm):
    known = {"seq": gm.greeting["seq"], "epoch": gm.epoch}
    gm.turn_token(90)
    right = Player(connect(game, game.auth(**known, hash=gm.greeting["body"]["hash"])))
    assert right.greeting["kind"] == "entries"
    wrong = Player(connect(game, game.auth(**known, hash="0" * 64)))
    assert wrong.greeting["kind"] == "snapshot"


def test_a_returning_client_gets_the_current_hash(game, connect, gm):
    back = Player(connect(game, game.auth(seq=gm.turn_token(0)["seq"], epoch=gm.epoch)))
    assert back.greeting["body"]["hash"] == Player(connect(game, game.auth())).greeting["body"]["hash"]


def test_a_client_far_behind_gets_a_snapshot_and_one_a_little_behind_the_entries(game, connect, gm):
    start = gm.greeting["seq"]
    for number in range(301):
        gm.raw.send("42" + json.dumps(["command", turn(gm, number)]))
    gm.turn_token(0)
    assert Player(connect(game, game.auth(seq=start, epoch=gm.epoch))).greeting["kind"] == "snapshot"
    assert Player(connect(game, game.auth(seq=start + 290, epoch=gm.epoch))).greeting["kind"] == "entries"


def test_commands_of_one_client_run_in_order(gm):
    ids = [f"{uuid.uuid4().hex}-{number}" for number in range(500)]
    for number, command_id in enumerate(ids):
        gm.raw.send(f"42{10_000 + number}" + json.dumps(["command", turn(gm, number, id=command_id)]))
    acks = [gm.raw.wait_for_ack(10_000 + number) for number in range(500)]
    assert [ack["seq"] for ack in acks] == list(range(acks[0]["seq"], acks[0]["seq"] + 500))
    received = []
    while len(received) < 500:
        received += [entry["id"] for entry in gm.next_update()["body"]["entries"]]
    assert received == ids


def turn(player, number, **more):
    """Return the command that turns a token, with its number on the connection."""
    body = {"token": player.token["id"], "at": player.token["at"], "facing": 90 * (number % 4)}
    command = {"v": 1, "id": uuid.uuid4().hex, "kind": "token.move", "base": None, "body": body, **more}
    return player.raw.add_number(command)


def test_an_overlay_is_sent_in_the_answer_and_after_every_change_of_it(gm):
    ack = gm.send_command("overlay.show", {"token": gm.token["id"], "layers": ["reach"]})
    assert not differences("updates/overlay", ack["result"]["overlay"])
    gm.turn_token(90)  # the reach is the same
    seq = gm.step(1)["seq"]
    assert [gm.next_update()["kind"] for _ in range(2)] == ["entries", "entries"]
    overlay = gm.next_update()
    assert (overlay["kind"], overlay["body"]["seq"], overlay["body"]["areas"]) == ("overlay", seq, [])


def test_an_ended_subscription_sends_no_overlay(gm):
    gm.send_command("overlay.show", {"token": gm.token["id"], "layers": ["reach"]})
    assert gm.send_command("overlay.show", {"token": None, "layers": None})["result"] == {"overlay": None}
    gm.turn_token(0)
    gm.turn_token(90)
    assert [gm.next_update()["kind"], gm.next_update()["kind"]] == ["entries", "entries"]


def test_a_subscription_without_layers_delays_no_overlay(gm, spectator):
    gm.send_command("overlay.show", {"token": gm.token["id"], "layers": []})
    shown = spectator.send_command("overlay.show", {"token": gm.token["id"], "layers": ["reach"]})
    assert shown["result"]["overlay"]["reach"]
    gm.step(1)
    assert [gm.next_update()["kind"], spectator.next_update()["kind"]] == ["entries", "entries"]
    overlay = spectator.next_update()
    assert (overlay["kind"], overlay["body"]["reach"] is None) == ("overlay", False)


def test_a_subscription_ends_with_its_token(gm):
    token = {**gm.token, "id": "short-lived", "at": None, "tracks": {}, "conditions": {}}
    gm.send_command("token.place", {"token": token})
    gm.send_command("overlay.show", {"token": "short-lived", "layers": None})
    gm.send_command("token.remove", {"token": "short-lived"})
    assert gm.turn_token(180)["ok"]


@pytest.mark.parametrize(
    "command",
    [
        None,
        5,
        [],
        {},
        {"v": 1, "id": "a", "kind": "token.move"},
        {"v": 1, "id": "a", "kind": "nonsense", "body": {}},
        {"v": 1, "id": "a", "kind": "token.move", "body": {"token": "x", "at": [0.5, 1]}},
        {"v": 1, "id": "a", "kind": "token.move", "body": {}, "more": 1},
        {"v": 1, "id": "a" * 65, "kind": "undo", "body": {}},
        {"v": 1, "id": "a", "kind": ["undo"], "body": {}},
        {"v": 1, "id": "a", "kind": {"undo": 1}, "body": {}},
    ],
)
def test_a_malformed_command_names_its_fields(gm, command):
    ack = gm.raw.call("command", gm.raw.add_number(command) if isinstance(command, dict) else command)
    assert not differences("ack", ack)
    assert (ack["ok"], ack["error"]["code"]) == (False, "bad-schema")
    assert ack["error"]["fields"]
    assert gm.turn_token(0)["ok"]


@pytest.mark.parametrize("n", [0, 1, 3, 2**60])
def test_a_command_out_of_order_is_refused_and_the_next_one_runs(gm, n):
    assert gm.turn_token(0)["ok"]
    before = gm.next_update()["seq"]
    late = {**turn(gm, 1), "n": n}
    ack = gm.raw.call("command", late)
    assert (ack["error"]["code"], ack["error"]["retryable"]) == ("out-of-order", True)
    gm.raw.commands = 1
    assert gm.turn_token(90)["seq"] == before + 1


@pytest.mark.parametrize("n", [None, "1", True, 1.0])
def test_a_command_without_a_number_is_refused(gm, n):
    ack = gm.raw.call("command", {**turn(gm, 1), "n": n})
    assert list(ack["error"]["fields"]) == ["n"]


def test_a_stale_act_is_refused_with_the_missing_entries(gm):
    base = gm.turn_token(0)["seq"]
    gm.turn_token(90)
    act = {"kind": "melee", "token": gm.token["id"]}
    error = gm.send_command("act", {"act": act}, base=base)["error"]
    assert (error["code"], error["current"]) == ("stale-base", base + 1)
    assert [entry["seq"] for entry in error["missing"]["entries"]] == [base + 1]
    assert gm.send_command("act", {"act": act}, base=10**6)["error"]["missing"] is None


def test_a_query_is_answered_on_any_base(gm):
    assert gm.send_command("overlay.show", {"token": None}, base=0)["ok"]
    assert gm.send_command("sync", {"why": "gap"}, base=0)["ok"]


def test_only_the_client_that_asks_gets_a_snapshot(gm, spectator):
    assert gm.send_command("sync", {"why": "hash"})["result"] == {}
    assert gm.next_update()["kind"] == "snapshot"
    gm.turn_token(0)
    assert spectator.next_update()["kind"] == "entries"


@pytest.mark.parametrize(
    "payload", ['["command",NaN]', '["connect",{}]', '["nonsense"]', '["command"]', "[]"]
)
def test_an_invalid_command_is_refused_with_an_answer(gm, payload):
    ack = gm.raw.call_raw(payload)
    assert not differences("ack", ack)
    assert (ack["ok"], ack["error"]["code"]) == (False, "bad-schema")
    assert gm.turn_token(0)["ok"]


def test_a_command_of_another_version_is_refused(gm):
    assert gm.send_command("undo", {}, v=2)["error"]["code"] == "version"


def test_a_spectator_changes_nothing(gm, spectator):
    assert spectator.turn_token(90)["error"]["code"] == "forbidden"


def test_a_missing_token_is_not_found(gm):
    assert gm.send_command("token.remove", {"token": "nobody"})["error"]["code"] == "not-found"


def test_only_pages_of_allowed_origins_can_connect(game, connect):
    with pytest.raises(Exception, match="400"):
        connect(game, game.auth(), origin="https://evil.example.org")
    for origin in ("https://vtt.example.org", game.url):
        assert Player(connect(game, game.auth(origin=origin), origin=origin)).greeting["kind"] == "snapshot"


def test_the_log_has_no_traceback(game):
    assert "Traceback" not in game.log()
