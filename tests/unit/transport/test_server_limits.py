"""The limits of one client at a real server, and the metrics that show them."""

from __future__ import annotations

import json
import secrets
import socket
import time
from contextlib import ExitStack, suppress

import pytest
import requests
from websocket import ABNF, WebSocketBadStatusException

from enfilade.client.http import Client
from enfilade.errors import RateLimited, TooSlow

from .conftest import end, launch_game, open_socket

MOVE = {"v": 1, "kind": "token.move", "body": {"token": "nobody", "at": [0, 0]}}


@pytest.fixture
def launch(tmp_path):
    """Starts the real server with other settings than the usual ones."""
    with ExitStack() as stack:

        def launch_one(**settings):
            game = launch_game(tmp_path, **settings)
            stack.callback(end, game.process)
            return game

        yield launch_one


def seated(game, connect):
    """A game master's client that has been let in."""
    client = connect(game, game.auth())
    assert client.next().startswith("40{")
    return client


def moves(client, number):
    """Return the codes of many moves of an unknown token, sent without a pause."""
    for i in range(number):
        client.say(f"42{1_000 + i}" + json.dumps(["command", client.counted({**MOVE, "id": f"m{i}"})]))
    return [client.acknowledgement(1_000 + i)["error"] for i in range(number)]


def test_a_limited_seat_gets_a_retry_time_that_holds(launch, connect):
    game = launch(
        gm_multiplier=1, commands_per_second=10, commands_burst=11
    )  # a ticket is one, connecting five
    client = seated(game, connect)
    outgoing = moves(client, 20)
    assert [error["code"] for error in outgoing[:5]] == ["not-found"] * 5
    over = outgoing[-1]
    assert (over["code"], over["retryable"]) == ("rate-limited", True)
    assert 0 < over["retry_after_ms"] <= 100
    time.sleep(over["retry_after_ms"] / 1000)
    assert client.ask("command", client.counted({**MOVE, "id": "again"}))["error"]["code"] == "not-found"


def test_bad_events_count_too(launch, connect):
    game = launch(gm_multiplier=1, commands_per_second=1, commands_burst=10)
    client = seated(game, connect)
    for _ in range(5):
        client.ask("nonsense")
    assert client.ask("command", client.counted({**MOVE, "id": "m"}))["error"]["code"] == "rate-limited"


def test_over_http_it_is_429_with_a_header_and_the_client_waits_by_itself(launch):
    game = launch(gm_multiplier=1, commands_per_second=2, commands_burst=1)
    bridge = Client(game.url, game.table, game.gm_key)
    token = bridge.scene()["tokens"][0]
    bridge.send("token.place", {"token": token})
    url, key = f"{game.url}/api/tables/{game.table}/commands", {"Authorization": f"Bearer {game.gm_key}"}
    refused = requests.post(url, json={**MOVE, "id": "m"}, headers=key, timeout=10)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1")
    assert refused.json()["error"]["retry_after_ms"] > 0
    assert bridge.send("token.place", {"token": token})["ok"]


def test_an_overlay_too_many_is_refused_over_http(launch):
    game = launch(gm_multiplier=1, commands_per_second=1, commands_burst=7)  # five for the scene
    bridge = Client(game.url, game.table, game.gm_key)
    token = bridge.scene()["tokens"][0]["id"]
    bridge.overlay(token)
    with pytest.raises(RateLimited):
        bridge.overlay(token)


HEAVY = {
    "grid": {"kind": "square", "columns": 300, "rows": 300},
    "walls": [
        {"id": f"w{i}", "line": [7 * i % 19_000, 11 * i % 19_000, 13 * i % 19_000, 17 * i % 19_000]}
        for i in range(5_000)
    ],
}


def test_an_answer_that_takes_too_long_ends_with_a_sentence(launch, tmp_path):
    game = launch(answer_ms=10)
    bridge = Client(game.url, game.table, game.gm_key)
    path = tmp_path / "heavy.json"
    path.write_text(json.dumps({**bridge.scene(), **HEAVY}))
    bridge.upload_map(path)
    token = bridge.scene()["tokens"][0]["id"]
    with pytest.raises(TooSlow) as refusal:
        bridge.overlay(token)
    assert "fewer walls" in refusal.value.sentence
    assert bridge.overlay(token, ["arc"])["token"] == token


def test_keys_cannot_be_guessed(launch):
    game = launch(wrong_keys_burst=5)
    codes = []
    for _ in range(8):
        headers = {"Authorization": f"Bearer {secrets.token_urlsafe(24)}"}
        answer = requests.get(f"{game.url}/api/tables/{game.table}/scene", headers=headers, timeout=10)
        codes.append(answer.json()["error"]["code"])
    assert codes[:5] == ["forbidden"] * 5
    assert "rate-limited" in codes[5:]


def test_an_address_that_connects_too_often_is_turned_away_before_it_costs_anything(launch, connect):
    game = launch(handshakes_burst=3)
    for _ in range(3):
        connect(game, game.auth())
    with pytest.raises(WebSocketBadStatusException) as refusal:
        open_socket(game)
    assert refusal.value.status_code == 429


def test_a_seat_is_open_four_times_and_no_more(game, connect):
    before = [connect(game, game.auth()) for _ in range(4)]
    assert all(client.next().startswith("40{") for client in before)
    assert '"rate-limited"' in connect(game, game.auth()).next()
    before[0].ws.close()
    assert connect_in_the_end(game, connect)


def connect_in_the_end(game, connect):
    for _ in range(20):
        if connect(game, game.auth()).next().startswith("40{"):
            return True
        time.sleep(0.1)
    return False


def test_an_address_has_so_many_connections(launch):
    game = launch(address_connections=5)
    with ExitStack() as stack:
        held = [stack.enter_context(socket.create_connection(("127.0.0.1", game.port))) for _ in range(5)]
        time.sleep(0.2)
        acquire = stack.enter_context(socket.create_connection(("127.0.0.1", game.port), timeout=5))
        assert acquire.recv(1) == b""
        for one in held:
            one.settimeout(0.05)
            with pytest.raises(TimeoutError):
                one.recv(1)
    time.sleep(0.2)
    assert requests.get(f"{game.url}/health", timeout=5).ok


def test_behind_a_proxy_the_address_that_it_names_counts(launch):
    game = launch(proxies=1, handshakes_burst=2)
    for visitor in ("192.0.2.1", "192.0.2.2"):
        for _ in range(2):
            open_socket(game, header=[f"X-Forwarded-For: 198.51.100.9, {visitor}"]).close()
        with pytest.raises(WebSocketBadStatusException):
            open_socket(game, header=[f"X-Forwarded-For: 198.51.100.{secrets.randbelow(99)}, {visitor}"])


def test_without_a_proxy_no_header_makes_another_address(launch):
    game = launch(handshakes_burst=2)
    for number in range(2):
        open_socket(game, header=[f"X-Forwarded-For: 192.0.2.{number}"]).close()
    with pytest.raises(WebSocketBadStatusException):
        open_socket(game, header=["X-Forwarded-For: 192.0.2.77"])


@pytest.mark.parametrize("opcode", [ABNF.OPCODE_PING, ABNF.OPCODE_PONG])
def test_a_flood_of_the_websockets_own_pings_and_pongs_is_cut(bare, connect, opcode):
    client = connect(bare)
    frames = ABNF.create_frame("", opcode).format() * 200
    start = time.monotonic()
    client.ws.sock.sendall(frames)
    assert client.is_cut()
    assert time.monotonic() - start < 2


def test_a_flood_of_small_frames_is_read_slowly_and_delays_no_client(bare, connect):
    flood, honest = connect(bare), connect(bare)
    honest.next()
    flood.ws.sock.settimeout(0.2)
    frame = ABNF.create_frame("3", ABNF.OPCODE_TEXT).format() * 500
    with suppress(TimeoutError):
        for _ in range(10**6):
            flood.ws.sock.sendall(frame)
        raise AssertionError("everything was read")
    start = time.monotonic()
    for number in range(20):
        assert honest.ask("command", number) == [number]
    assert (time.monotonic() - start) / 20 < 0.25


def test_the_server_says_whether_it_is_alive_ready_and_how_it_does(game, connect):
    client = seated(game, connect)
    client.ask("command", client.counted({**MOVE, "id": "m", "kind": "<script>"}))
    assert requests.get(f"{game.url}/health", timeout=10).json() == {"ok": True}
    assert requests.get(f"{game.url}/ready", timeout=10).json() == {"ok": True}
    page = requests.get(f"{game.url}/metrics", timeout=10)
    assert page.headers["Content-Type"].startswith("text/plain")
    assert 'enfilade_commands_total{kind="unknown",outcome="bad-schema"}' in page.text
    assert 'enfilade_refusals_total{code="bad-schema"}' in page.text
    assert "enfilade_connections " in page.text
    for secret in (game.table, game.gm_key, game.spectator_key, "<script>"):
        assert secret not in page.text


def test_the_metrics_are_for_the_operator(launch):
    game = launch(metrics_key="open-sesame-and-let-me-read")
    through_a_proxy = {"X-Forwarded-For": "192.0.2.1"}
    for headers, status in [
        (through_a_proxy, 403),
        ({**through_a_proxy, "Authorization": "Bearer wrong"}, 403),
        ({**through_a_proxy, "Authorization": "Bearer open-sesame-and-let-me-read"}, 200),
        ({}, 200),
    ]:
        assert requests.get(f"{game.url}/metrics", headers=headers, timeout=10).status_code == status


def test_a_server_whose_store_is_gone_is_alive_but_not_ready(launch, tmp_path):
    game = launch()
    for path in tmp_path.glob("enfilade.sqlite*"):
        path.write_bytes(b"no database any more" * 500)
    ready = requests.get(f"{game.url}/ready", timeout=10)
    assert (ready.status_code, ready.json()["ok"]) == (503, False)
    assert requests.get(f"{game.url}/health", timeout=10).ok


def test_no_key_comes_into_the_log_and_every_line_is_json(launch, connect):
    game = launch()
    key = f"canary-{secrets.token_urlsafe(24)}"
    hostile = f"{key}\r\nforged: line\x1b[31m"
    every_way_to_fail(game, connect, key, hostile)
    game.process.send_signal(15)
    game.process.wait(10)
    written = game.log()
    for line in written.splitlines():
        assert json.loads(line)["message"]
    for secret in (key, game.gm_key, game.spectator_key):
        assert secret not in written


def every_way_to_fail(game, connect, key, hostile):
    """Sends a key where one belongs and where none does, each so that something is refused."""
    api = f"{game.url}/api/tables/{game.table}"
    bearer = {"Authorization": f"Bearer {key}"}
    real = {"Authorization": f"Bearer {game.gm_key}"}
    for url in (f"{api}/scene", f"{api}/scene?key={key}", f"{game.url}/api/tables/{key}/scene"):
        requests.get(url, headers=bearer, timeout=10)
    requests.post(f"{api}/commands", data=json.dumps({"key": hostile}), headers=real, timeout=10)
    requests.post(f"{api}/map?name={key}", data=json.dumps({"grid": hostile}), headers=real, timeout=10)
    requests.post(f"{api}/map", data=b"{" * 1000 + key.encode(), headers=real, timeout=10)
    requests.get(f"{game.url}/plugin/{key}", timeout=10)
    for line in (
        f"GET /{key}",
        f"{key} / HTTP/1.1",
        f"GET / HTTP/9.9 {key}",
        "GET / HTTP/9",
        f"GET / HTTP/1.1\r\n{key}",
    ):
        with socket.create_connection(("127.0.0.1", game.port), timeout=5) as raw:
            raw.sendall(f"{line}\r\n\r\n".encode())
            raw.recv(1000)
    refused = connect(game, {"table": game.table, "key": key})
    refused.next()
    for text in (f'42["command",{{"key":"{key}"}}]', f'42["{key}"]', f"4{key}", key):
        client = connect(game, game.auth("spectator"))
        client.say(text)
        client.say(key)
        client.is_cut()
