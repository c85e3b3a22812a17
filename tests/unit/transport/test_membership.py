"""Membership over a real server: invitations, seats, tickets, removal."""

from __future__ import annotations

import json

import pytest
import requests
from tests.contract import differences
from tests.unit.transport.test_socketio import Player

from enfilade.play.members import Members
from enfilade.store.sql.tables import SqlStore

from .conftest import end, launch_game


@pytest.fixture
def own_game(tmp_path):
    """Start a server for one test, because its keys change."""
    game = launch_game(tmp_path)
    yield game
    end(game.process)


@pytest.fixture
def gm(game):
    return GameMaster(game)


class GameMaster:
    """A GM's HTTP requests; each answer is checked against the contract."""

    def __init__(self, game):
        self.game = game

    def __call__(self, method, path, key=None, schema=None, **options):
        answer = self.game.request(method, path, self.game.gm_key if key is None else key, **options)
        if schema:
            assert answer.ok, answer.text
            assert not differences(f"http/{schema}", answer.json())
        return answer

    def invite(self, role="player"):
        return self("POST", "invitations", schema="invitation", json={"role": role}).json()

    def join(self, invitation, name="Mia"):
        body = {"invitation": invitation["secret"], "name": name}
        return self("POST", "seats", "", "joined", json=body).json()

    def seat_player(self, tokens=()):
        joined = self.join(self.invite())
        self("POST", f"seats/{joined['seat']}/approve", schema="seat", json={"tokens": list(tokens)})
        return joined

    def members(self):
        return {m["seat"]: m for m in self("GET", "seats", schema="players").json()["members"]}


def connect_player(game, connect, key):
    return Player(connect(game, {"table": game.table, "ticket": game.ticket(key)}))


def refusal_code(connect, game, auth):
    packet = connect(game, auth).receive()
    assert packet.startswith("44"), packet
    return json.loads(packet.removeprefix("44"))["data"]["code"]


def test_a_player_joins_gets_a_token_moves_it_and_is_removed(game, connect, gm):
    joined = gm.join(gm.invite(), "Mia")
    assert (joined["role"], joined["seated"]) == ("player", False)
    assert gm.members()[joined["seat"]]["name"] == "Mia"
    assert gm("POST", "tickets", joined["key"]).status_code == 403
    token = next(t for t in gm("GET", "scene").json()["tokens"] if t["at"])
    gm("POST", f"seats/{joined['seat']}/approve", schema="seat", json={"tokens": [token["id"]]})
    mia = connect_player(game, connect, joined["key"])
    assert (mia.hello["body"]["role"], mia.hello["body"]["seat"]) == ("player", joined["seat"])
    assert mia.greeting["body"]["seat"] == joined["seat"]
    assert gm.members()[joined["seat"]]["online"]
    moved = mia.send_command("token.move", {"token": token["id"], "at": token["at"], "facing": 90})
    assert moved["ok"]
    assert gm("DELETE", f"seats/{joined['seat']}").status_code == 204
    assert mia.raw.is_cut()
    assert gm("POST", "tickets", joined["key"]).status_code == 403
    assert gm("GET", "scene", joined["key"]).status_code == 403
    owners = {t["id"]: t["owners"] for t in gm("GET", "scene").json()["tokens"]}
    assert owners[token["id"]] == []


def test_a_waiting_player_can_read_only_the_own_seat(gm):
    key = gm.join(gm.invite())["key"]
    assert gm("GET", "seat", key, "seat").json()["seated"] is False
    for method, what in (("GET", "scene"), ("GET", "seats"), ("POST", "tickets"), ("POST", "invitations")):
        assert gm(method, what, key).status_code == 403


def test_a_player_invitation_admits_one_player(gm):
    invitation = gm.invite()
    late = {"invitation": invitation["secret"], "name": "Late"}
    declined = gm.join(invitation)
    assert gm("POST", "seats", "", json=late).status_code == 403
    gm("DELETE", f"seats/{declined['seat']}")
    admitted = gm.join(invitation)
    gm("POST", f"seats/{admitted['seat']}/approve", schema="seat", json={})
    assert gm("POST", "seats", "", json=late).status_code == 403


def test_revoking_a_spectator_link_removes_its_spectators(game, connect, gm):
    invitation = gm.invite("spectator")
    watchers = [connect_player(game, connect, gm.join(invitation, name)["key"]) for name in ("Ada", "Bo")]
    assert {watcher.greeting["body"]["role"] for watcher in watchers} == {"spectator"}
    assert gm("DELETE", f"invitations/{invitation['id']}").status_code == 204
    assert all(watcher.raw.is_cut() for watcher in watchers)
    gone = gm("POST", "seats", "", json={"invitation": invitation["secret"], "name": "Cy"})
    assert gone.status_code == 403


def test_a_ticket_opens_one_connection_of_a_page_of_its_origin(game, connect):
    auth = game.auth()
    Player(connect(game, auth))
    assert refusal_code(connect, game, auth) == "forbidden"
    elsewhere = game.auth(origin="https://vtt.example.org")
    assert refusal_code(connect, game, elsewhere) == "forbidden"


def test_a_ticket_opens_its_own_table_only(game, connect):
    assert refusal_code(connect, game, {**game.auth(), "table": "elsewhere"}) == "forbidden"


def test_a_page_that_returns_closes_its_last_connection_and_no_other(game, connect):
    first, other = ({"page": "a" * 32}, {"page": "b" * 32})
    before = Player(connect(game, {**game.auth(), **first}))
    stays = [Player(connect(game, {**game.auth(), **page})) for page in (other, {}, {})]
    watching = Player(connect(game, {**game.auth("spectator"), **first}))
    after = Player(connect(game, {**game.auth(), **first}))
    assert before.raw.is_cut()
    assert all(answers(player) for player in (*stays, watching, after))


def test_a_page_whose_connections_died_unnoticed_finds_room(game, connect, gm):
    key = gm.seat_player()["key"]
    for _ in range(6):  # more than the seat may have
        page = {"table": game.table, "ticket": game.ticket(key), "page": "c" * 32}
        assert Player(connect(game, page)).hello["kind"] == "hello"


@pytest.fixture
def store(own_game, tmp_path):
    """Open the store of the game's server in this process too."""
    store = SqlStore(f"sqlite:///{tmp_path / 'enfilade.sqlite'}")
    yield store
    store.close()


def answers(player):
    return player.raw.call("command", {})["ok"] is False


def test_another_process_removes_a_member_whose_connections_are_cut(own_game, connect, store):
    game, master = own_game, GameMaster(own_game)
    mia, kit = master.seat_player(), master.seat_player()
    pages = [connect_player(game, connect, mia["key"]) for _ in range(2)]
    stays = connect_player(game, connect, kit["key"])
    Members(store.members).dismiss(game.table, mia["seat"])
    assert all(page.raw.is_cut() for page in pages)
    assert master("POST", "tickets", mia["key"]).status_code == 403
    assert answers(stays)


def test_another_process_replaces_a_key_whose_connections_are_cut(own_game, connect, store):
    game, master, members = own_game, GameMaster(own_game), Members(store.members)
    mia, kit = master.seat_player(), master.seat_player()
    old, last = (connect_player(game, connect, joined["key"]) for joined in (mia, kit))
    _, key = members.replace_player_key(game.table, mia["seat"])
    new = connect_player(game, connect, key)
    assert old.raw.is_cut()
    assert master("POST", "tickets", mia["key"]).status_code == 403
    members.dismiss(game.table, kit["seat"])  # shows that the server has checked all connections again
    assert last.raw.is_cut()
    assert answers(new)


def test_a_wrong_key_and_a_missing_table_get_the_same_answer(game, gm):
    here = gm("POST", "tickets", "wrong")
    headers = {"Authorization": "Bearer wrong"}
    nowhere = requests.post(f"{game.url}/api/tables/nowhere/tickets", headers=headers, timeout=10)
    assert (here.status_code, here.json()) == (nowhere.status_code, nowhere.json())


@pytest.mark.parametrize("name", ["", "   ", "a" * 41, "two\nlines", "a\u202eb", 5, None])
def test_a_deceptive_name_is_refused(gm, name):
    answer = gm("POST", "seats", "", json={"invitation": "x", "name": name})
    assert (answer.status_code, list(answer.json()["error"]["fields"])) == (400, ["name"])


def test_only_the_gm_manages_members(game, gm):
    joined = gm.seat_player()
    for key in (joined["key"], game.spectator_key):
        for method, what in (
            ("POST", "invitations"),
            ("GET", "seats"),
            ("POST", f"seats/{joined['seat']}/approve"),
            ("DELETE", f"seats/{joined['seat']}"),
            ("DELETE", "invitations/any"),
        ):
            assert gm(method, what, key, json={"role": "player"}).status_code == 403


def test_only_present_members_other_than_the_gm_can_be_removed(gm):
    assert gm("DELETE", "seats/gm").status_code == 403
    assert gm("DELETE", "seats/nobody").status_code == 404
    assert gm("POST", "seats/nobody/approve", json={}).status_code == 404


def test_an_unknown_connection_token_is_refused(gm):
    joined = gm.join(gm.invite())
    answer = gm("POST", f"seats/{joined['seat']}/approve", json={"tokens": ["nobody's"[:6]]})
    assert answer.status_code == 404
    assert not gm.members()[joined["seat"]]["seated"]


def test_the_gms_page_gets_the_list_of_members(game, connect, gm):
    page = Player(connect(game, game.auth()))
    joined = gm.join(gm.invite(), "Nia")
    outgoing = {}
    while joined["seat"] not in json.dumps(outgoing):
        outgoing = page.receive_update()
    assert outgoing["kind"] == "players"


def test_only_this_machine_creates_tables_without_the_operators_key(game):
    made = requests.post(f"{game.url}/api/tables", json={"ruleset": "torn", "name": "New"}, timeout=10)
    assert made.status_code == 201
    assert not differences("http/created-table", made.json())
    scene = requests.get(
        f"{game.url}/api/tables/{made.json()['table']}/scene",
        headers={"Authorization": f"Bearer {made.json()['gm_key']}"},
        timeout=10,
    )
    assert (scene.json()["name"], scene.json()["tokens"]) == ("New", [])
    for headers in ({"X-Forwarded-For": "203.0.113.9"}, {"Host": f"evil.example.org:{game.port}"}):
        body = {"ruleset": "torn"}
        answer = requests.post(f"{game.url}/api/tables", json=body, headers=headers, timeout=10)
        assert answer.status_code == 403


@pytest.mark.parametrize("role", ["gm", "spectator"])
def test_a_replaced_key_opens_nothing_and_its_connections_are_cut(own_game, connect, role):
    game = own_game
    old = game.gm_key if role == "gm" else game.spectator_key
    client = connect(game, game.auth(role))
    assert client.receive().startswith("40{")
    answer = game.request("POST", "keys", game.gm_key, json={"role": role})
    assert (answer.status_code, answer.json()["role"]) == (201, role)
    assert client.is_cut()
    assert game.request("GET", "seat", old).status_code == 403
    assert game.request("GET", "seat", answer.json()["key"]).json()["role"] == role


def test_a_player_whose_key_is_replaced_keeps_the_seat(game, connect, gm):
    joined = gm.seat_player()
    client = connect(game, {"table": game.table, "ticket": game.ticket(joined["key"])})
    assert client.receive().startswith("40{")
    replaced = gm("POST", f"seats/{joined['seat']}/key", schema="replaced-key").json()
    assert replaced["role"] == "player"
    assert client.is_cut()
    assert gm("GET", "seat", joined["key"]).status_code == 403
    assert gm("GET", "seat", replaced["key"]).json()["seat"] == joined["seat"]


def test_only_an_admitted_players_key_is_replaced_by_the_gm(game, gm):
    joined = gm.seat_player()
    for key in (joined["key"], game.spectator_key):
        assert gm("POST", f"seats/{joined['seat']}/key", key).status_code == 403
    waiting = gm.join(gm.invite())
    answers = [gm("POST", f"seats/{seat}/key").status_code for seat in ("gm", "nobody", waiting["seat"])]
    assert answers == [404, 404, 403]


def test_only_the_gm_replaces_a_key(game):
    assert game.request("POST", "keys", game.spectator_key, json={"role": "gm"}).status_code == 403
    assert game.request("POST", "keys", game.gm_key, json={"role": "player"}).status_code == 400


def test_the_gm_deletes_the_table_by_repeating_its_name(own_game, connect):
    client = connect(own_game, own_game.auth())
    client.receive()
    name = own_game.request("GET", "scene", own_game.gm_key).json()["name"]

    def delete(key, typed):
        return own_game.request("DELETE", "", key, json={"name": typed}).status_code

    assert delete(own_game.spectator_key, name) == 403
    assert delete(own_game.gm_key, f"{name}?") == 400
    assert own_game.request("GET", "scene", own_game.gm_key).ok
    assert delete(own_game.gm_key, name) == 204
    assert client.is_cut()
    assert own_game.request("GET", "scene", own_game.gm_key).status_code == 403


def test_anyone_reads_the_ready_made_battle_of_a_game_before_there_is_a_table(game):
    games = requests.get(f"{game.url}/api/games", timeout=10).json()["games"]
    assert all(one["summary"] for one in games if one["key"] in {"torn", "double_life"})
    for one in games:
        answer = requests.get(f"{game.url}/api/games/{one['key']}/battle", timeout=10)
        scene = answer.json()
        assert answer.ok
        assert not differences("scene", scene)
        assert scene["tokens"]
        assert not any(token["hidden"] for token in scene["tokens"])


def test_the_battle_of_an_unknown_game_is_refused_with_a_sentence(game):
    answer = requests.get(f"{game.url}/api/games/chess/battle", timeout=10)
    assert answer.status_code == 404
    assert "chess" in answer.json()["error"]["sentence"]
