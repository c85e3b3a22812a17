"""A table over Socket.IO: joining, commands, updates and refusals."""

from __future__ import annotations

import json
import uuid

import pytest

from enfilade.messages.updates import UPDATES, AckSchema, UpdateSchema


@pytest.fixture
def gm(game, connect):
    return Player(connect(game, game.auth()))


@pytest.fixture
def spectator(game, connect):
    return Player(connect(game, game.auth("spectator")))


class Player:
    """A client at a table that checks every message against the contract."""

    def __init__(self, raw):
        self.raw = raw
        assert raw.next().startswith("40{")
        self.hello = self.heard_any()
        assert self.hello["kind"] == "hello"
        self.greeting = self.heard()
        self.epoch = self.greeting["epoch"]

    def heard(self, kinds=("snapshot", "entries", "overlay")):
        """The next update of some kinds: without those about who is there."""
        while (update := self.heard_any())["kind"] not in kinds:
            pass
        return update

    def heard_any(self):
        """The next update."""
        queue = self.raw.updates
        name, update = queue.pop(0) if queue else json.loads(self.raw.next().removeprefix("42"))
        assert name == "update"
        assert not UpdateSchema().validate(update)
        assert not UPDATES[update["kind"]]().validate(update["body"])
        return update

    def does(self, kind, body, **more):
        envelope = {"v": 1, "id": uuid.uuid4().hex, "kind": kind, "base": None, "body": body, **more}
        ack = self.raw.ask("command", self.raw.counted(envelope))
        assert not AckSchema().validate(ack)
        assert ack["id"] == envelope["id"]
        return ack

    @property
    def token(self):
        return next(t for t in self.greeting["body"]["scene"]["tokens"] if t["at"])

    def turns(self, facing):
        return self.does("token.move", {"token": self.token["id"], "at": self.token["at"], "facing": facing})


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
        ({"table": "x", "ticket": "y", "resume": "z"}, "bad-schema"),
        ({"table": "../x", "ticket": "y"}, "bad-schema"),
        ({"table": "absent", "ticket": "wrong"}, "forbidden"),
        ({"table": "absent", "resume": "wrong"}, "forbidden"),
    ],
)
def test_a_refused_join_gets_a_reason(game, connect, auth, code):
    refusal = json.loads(connect(game, auth).next().removeprefix("44"))
    assert refusal["data"]["code"] == code
    assert refusal["message"] == refusal["data"]["sentence"]


def test_a_wrong_key_and_an_absent_table_are_refused_alike(game, connect):
    for what in ("ticket", "resume"):
        wrong = connect(game, {"table": game.table, what: "wrong"}).next()
        assert wrong == connect(game, {"table": "absent", what: "wrong"}).next()


def test_a_command_is_answered_and_broadcast(gm, spectator):
    ack = gm.turns(90)
    assert ack["ok"]
    for player in (gm, spectator):
        (entry,) = player.heard()["body"]["entries"]
        assert (entry["seq"], entry["kind"]) == (ack["seq"], "token.move")


def test_the_answer_precedes_the_broadcast(gm):
    gm.turns(180)
    assert [update["kind"] for _, update in gm.raw.updates if update["kind"] != "players"] == []


def test_a_command_sent_twice_is_done_once(gm):
    body = {"token": gm.token["id"], "at": gm.token["at"], "facing": 270}
    first = gm.does("token.move", body, id="the-same")
    assert gm.does("token.move", body, id="the-same") == {**first, "dup": True}
    other = gm.does("token.move", {**body, "facing": 0}, id="the-same")
    assert other["error"]["code"] == "id-reused"


def test_a_returning_client_gets_the_missing_entries(game, connect, gm):
    seq = gm.turns(0)["seq"]
    gm.turns(90)
    back = Player(connect(game, game.auth(seq=seq, epoch=gm.epoch)))
    assert back.greeting["kind"] == "entries"
    assert [entry["seq"] for entry in back.greeting["body"]["entries"]] == [seq + 1]


def test_a_client_that_lacks_nothing_gets_an_empty_update(game, connect, gm):
    back = Player(connect(game, game.auth(seq=gm.turns(0)["seq"], epoch=gm.epoch)))
    assert (back.greeting["kind"], back.greeting["body"]["entries"]) == ("entries", [])


def test_a_client_ahead_of_the_table_gets_a_snapshot(game, connect, gm):
    assert Player(connect(game, game.auth(seq=10**6, epoch=gm.epoch))).greeting["kind"] == "snapshot"


@pytest.mark.parametrize("epoch", [None, "0" * 16])
def test_a_client_from_another_epoch_gets_a_snapshot(game, connect, gm, epoch):
    seq = gm.turns(0)["seq"]
    assert Player(connect(game, game.auth(seq=seq, epoch=epoch))).greeting["kind"] == "snapshot"


def test_a_returning_client_with_a_wrong_scene_gets_a_snapshot(game, connect, gm):
    known = {"seq": gm.greeting["seq"], "epoch": gm.epoch}
    gm.turns(90)
    right = Player(connect(game, game.auth(**known, hash=gm.greeting["body"]["hash"])))
    assert right.greeting["kind"] == "entries"
    wrong = Player(connect(game, game.auth(**known, hash="0" * 64)))
    assert wrong.greeting["kind"] == "snapshot"


def test_a_returning_client_gets_the_current_hash(game, connect, gm):
    back = Player(connect(game, game.auth(seq=gm.turns(0)["seq"], epoch=gm.epoch)))
    assert back.greeting["body"]["hash"] == Player(connect(game, game.auth())).greeting["body"]["hash"]


def test_a_client_more_than_300_entries_behind_gets_a_snapshot(game, connect, gm):
    start = gm.greeting["seq"]
    for number in range(301):
        gm.raw.say("42" + json.dumps(["command", turn(gm, number)]))
    gm.turns(0)
    assert Player(connect(game, game.auth(seq=start, epoch=gm.epoch))).greeting["kind"] == "snapshot"
    assert Player(connect(game, game.auth(seq=start + 10, epoch=gm.epoch))).greeting["kind"] == "entries"


def test_one_clients_commands_are_done_in_their_order(gm):
    ids = [f"{uuid.uuid4().hex}-{number}" for number in range(500)]
    for number, command_id in enumerate(ids):
        gm.raw.say(f"42{10_000 + number}" + json.dumps(["command", turn(gm, number, id=command_id)]))
    acks = [gm.raw.acknowledgement(10_000 + number) for number in range(500)]
    assert [ack["seq"] for ack in acks] == list(range(acks[0]["seq"], acks[0]["seq"] + 500))
    outgoing = []
    while len(outgoing) < 500:
        outgoing += [entry["id"] for entry in gm.heard()["body"]["entries"]]
    assert outgoing == ids


def turn(player, number, **more):
    body = {"token": player.token["id"], "at": player.token["at"], "facing": 90 * (number % 4)}
    command = {"v": 1, "id": uuid.uuid4().hex, "kind": "token.move", "base": None, "body": body, **more}
    return player.raw.counted(command)


def test_an_overlay_comes_with_the_answer_and_again_after_every_change(gm):
    ack = gm.does("overlay.show", {"token": gm.token["id"], "layers": ["reach"]})
    assert not UPDATES["overlay"]().validate(ack["result"]["overlay"])
    seq = gm.turns(90)["seq"]
    assert gm.heard()["kind"] == "entries"
    overlay = gm.heard()
    assert (overlay["kind"], overlay["body"]["seq"], overlay["body"]["areas"]) == ("overlay", seq, [])


def test_no_overlay_comes_once_it_is_put_away(gm):
    gm.does("overlay.show", {"token": gm.token["id"], "layers": ["reach"]})
    assert gm.does("overlay.show", {"token": None, "layers": None})["result"] == {"overlay": None}
    gm.turns(0)
    gm.turns(90)
    assert [gm.heard()["kind"], gm.heard()["kind"]] == ["entries", "entries"]


def test_a_subscription_without_layers_delays_no_overlay(gm, spectator):
    gm.does("overlay.show", {"token": gm.token["id"], "layers": []})
    spectator.does("overlay.show", {"token": gm.token["id"], "layers": ["reach"]})
    gm.turns(90)
    assert [gm.heard()["kind"], spectator.heard()["kind"]] == ["entries", "entries"]
    overlays = gm.heard(), spectator.heard()
    assert [outgoing["kind"] for outgoing in overlays] == ["overlay", "overlay"]
    assert [outgoing["body"]["reach"] is None for outgoing in overlays] == [True, False]


def test_the_overlay_of_a_token_that_is_gone_just_ends(gm):
    token = {**gm.token, "id": "short-lived", "at": None, "tracks": {}, "conditions": {}}
    gm.does("token.place", {"token": token})
    gm.does("overlay.show", {"token": "short-lived", "layers": None})
    gm.does("token.remove", {"token": "short-lived"})
    assert gm.turns(180)["ok"]


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
    ],
)
def test_a_malformed_command_names_its_fields(gm, command):
    ack = gm.raw.ask("command", gm.raw.counted(command) if isinstance(command, dict) else command)
    assert not AckSchema().validate(ack)
    assert (ack["ok"], ack["error"]["code"]) == (False, "bad-schema")
    assert ack["error"]["fields"]
    assert gm.turns(0)["ok"]


@pytest.mark.parametrize("n", [0, 1, 3, 2**60])
def test_a_command_out_of_its_order_is_refused_and_the_next_one_is_done(gm, n):
    assert gm.turns(0)["ok"]
    before = gm.heard()["seq"]
    late = {**turn(gm, 1), "n": n}
    ack = gm.raw.ask("command", late)
    assert (ack["error"]["code"], ack["error"]["retryable"]) == ("out-of-order", True)
    gm.raw.commands = 1
    assert gm.turns(90)["seq"] == before + 1


@pytest.mark.parametrize("n", [None, "1", True, 1.0])
def test_a_command_that_is_not_counted_is_refused(gm, n):
    ack = gm.raw.ask("command", {**turn(gm, 1), "n": n})
    assert list(ack["error"]["fields"]) == ["n"]


def test_a_stale_act_is_refused_with_the_missing_entries(gm):
    base = gm.turns(0)["seq"]
    gm.turns(90)
    act = {"kind": "melee", "token": gm.token["id"]}
    error = gm.does("act", {"act": act}, base=base)["error"]
    assert (error["code"], error["current"]) == ("stale-base", base + 1)
    assert [entry["seq"] for entry in error["missing"]["entries"]] == [base + 1]
    assert gm.does("act", {"act": act}, base=10**6)["error"]["missing"] is None


def test_a_question_is_answered_on_any_base(gm):
    assert gm.does("overlay.show", {"token": None}, base=0)["ok"]
    assert gm.does("sync", {"why": "gap"}, base=0)["ok"]


def test_only_the_client_that_asks_gets_a_snapshot(gm, spectator):
    assert gm.does("sync", {"why": "hash"})["result"] == {}
    assert gm.heard()["kind"] == "snapshot"
    gm.turns(0)
    assert spectator.heard()["kind"] == "entries"


@pytest.mark.parametrize(
    "payload", ['["command",NaN]', '["connect",{}]', '["nonsense"]', '["command"]', "[]"]
)
def test_an_invalid_command_is_refused_with_an_answer(gm, payload):
    ack = gm.raw.ask_raw(payload)
    assert not AckSchema().validate(ack)
    assert (ack["ok"], ack["error"]["code"]) == (False, "bad-schema")
    assert gm.turns(0)["ok"]


def test_another_version_is_refused_as_such(gm):
    assert gm.does("undo", {}, v=2)["error"]["code"] == "version"


def test_a_spectator_changes_nothing(gm, spectator):
    assert spectator.turns(90)["error"]["code"] == "forbidden"


def test_a_token_that_is_not_there_is_not_found(gm):
    assert gm.does("token.remove", {"token": "nobody"})["error"]["code"] == "not-found"


def test_a_page_of_another_origin_may_not_connect(game, connect):
    with pytest.raises(Exception, match="400"):
        connect(game, game.auth(), origin="https://evil.example.org")
    for origin in ("https://vtt.example.org", game.url):
        assert Player(connect(game, game.auth(origin=origin), origin=origin)).greeting["kind"] == "snapshot"


def test_nothing_of_this_was_worth_a_trace_in_the_log(game):
    assert "Traceback" not in game.log()
