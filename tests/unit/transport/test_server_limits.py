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

from .conftest import end, launch_game, open_socket, wait_until

MOVE = {"v": 1, "kind": "token.move", "body": {"token": "nobody", "at": [0, 0]}}


@pytest.fixture
def launch(tmp_path):
    """Start the real server with settings of its own."""
    with ExitStack() as stack:

        def launch_one(**settings):
            game = launch_game(tmp_path, **settings)
            stack.callback(end, game.process)
            return game

        yield launch_one


def connect_gm(game, connect):
    """Return a connected client of the GM."""
    client = connect(game, game.auth())
    assert client.receive().startswith("40{")
    return client


def send_moves(client, number):
    """Send many moves of an unknown token without a pause, and return the errors."""
    for i in range(number):
        client.send(f"42{1_000 + i}" + json.dumps(["command", client.add_number({**MOVE, "id": f"m{i}"})]))
    return [client.wait_for_ack(1_000 + i)["error"] for i in range(number)]


def test_a_limited_seat_gets_a_retry_time_that_holds(launch, connect):
    # A ticket costs one of the burst, and connecting five.
    game = launch(gm_multiplier=1, commands_per_second=10, commands_burst=11)
    client = connect_gm(game, connect)
    errors = send_moves(client, 20)
    assert [error["code"] for error in errors[:5]] == ["not-found"] * 5
    refusal = errors[-1]
    assert (refusal["code"], refusal["retryable"]) == ("rate-limited", True)
    assert 0 < refusal["retry_after_ms"] <= 100
    time.sleep(refusal["retry_after_ms"] / 1000)  # the wait that the server asks for
    assert client.call("command", client.add_number({**MOVE, "id": "again"}))["error"]["code"] == "not-found"


def test_bad_events_count_too(launch, connect):
    game = launch(gm_multiplier=1, commands_per_second=1, commands_burst=10)
    client = connect_gm(game, connect)
    for _ in range(5):
        client.call("nonsense")
    assert client.call("command", client.add_number({**MOVE, "id": "m"}))["error"]["code"] == "rate-limited"


def test_a_limited_http_request_gets_429_and_the_client_waits_by_itself(launch):
    game = launch(gm_multiplier=1, commands_per_second=2, commands_burst=1)
    bridge = Client(game.url, game.table, game.gm_key)
    token = bridge.scene()["tokens"][0]
    bridge.send("token.place", {"token": token})
    url, key = f"{game.url}/api/tables/{game.table}/commands", {"Authorization": f"Bearer {game.gm_key}"}
    refused = requests.post(url, json={**MOVE, "id": "m"}, headers=key, timeout=10)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1")
    assert refused.json()["error"]["retry_after_ms"] > 0
    assert bridge.send("token.place", {"token": token})["ok"]


def test_overlays_over_http_are_limited(launch):
    game = launch(gm_multiplier=1, commands_per_second=1, commands_burst=7)  # five for the scene
    bridge = Client(game.url, game.table, game.gm_key)
    token = bridge.scene()["tokens"][0]["id"]
    bridge.overlay(token)
    with pytest.raises(RateLimited):
        bridge.overlay(token)


HEAVY = {
    "grid": {"kind": "square", "columns": 500, "rows": 500},
    "walls": [
        {"id": f"w{i}", "line": [7 * i % 32_000, 11 * i % 32_000, 13 * i % 32_000, 17 * i % 32_000]}
        for i in range(10_000)
    ],
}


def test_an_answer_that_takes_too_long_is_refused_with_advice(launch, tmp_path):
    game = launch(answer_ms=50)
    bridge = Client(game.url, game.table, game.gm_key)
    path = tmp_path / "heavy.json"
    path.write_text(json.dumps({**bridge.scene(), **HEAVY}))
    bridge.upload_map(path)
    token = bridge.scene()["tokens"][0]["id"]
    with pytest.raises(TooSlow) as refusal:
        bridge.overlay(token)
    assert "fewer walls" in refusal.value.sentence
    assert bridge.overlay(token, ["arc"])["token"] == token


def test_strangers_who_use_up_an_addresss_requests_take_none_from_its_seats(launch):
    game = launch(address_commands_per_second=1, address_commands_burst=8)
    url = f"{game.url}/api/tables/{game.table}/tickets"

    def ask(key):
        return requests.post(url, headers={"Authorization": f"Bearer {key}"}, timeout=10).status_code

    refusals = [ask(secrets.token_urlsafe(32)) for _ in range(20)]
    assert refusals[-1] == 429
    assert [ask(game.gm_key) for _ in range(5)] == [201] * 5


def test_wrong_keys_are_limited_and_the_right_key_of_the_same_address_is_not(launch):
    game = launch(wrong_keys_burst=5)
    codes = []
    for _ in range(8):
        headers = {"Authorization": f"Bearer {secrets.token_urlsafe(24)}"}
        answer = requests.get(f"{game.url}/api/tables/{game.table}/scene", headers=headers, timeout=10)
        codes.append(answer.json()["error"]["code"])
    assert codes[:5] == ["forbidden"] * 5
    assert "rate-limited" in codes[5:]
    right = {"Authorization": f"Bearer {game.gm_key}"}
    assert requests.get(f"{game.url}/api/tables/{game.table}/scene", headers=right, timeout=10).ok


def open_until_refused(game):
    """Open sockets at more than one a second until one is refused; the clock may refill some meanwhile."""
    for _ in range(60):
        open_socket(game).close()


def test_too_many_handshakes_of_an_address_are_refused(launch):
    game = launch(handshakes_burst=3, handshakes_per_second=1)
    with pytest.raises(WebSocketBadStatusException) as refusal:
        open_until_refused(game)
    assert refusal.value.status_code == 429


def test_a_gms_seat_has_at_most_eight_connections(game, connect):
    before = [connect(game, game.auth()) for _ in range(8)]
    assert all(client.receive().startswith("40{") for client in before)
    assert '"seat-full"' in connect(game, game.auth()).receive()
    before[0].ws.close()
    wait_until(lambda: connect(game, game.auth()).receive().startswith("40{"))


def test_a_page_that_finds_its_seat_full_may_close_the_other_pages(game, connect):
    before = [connect(game, game.auth()) for _ in range(8)]
    assert all(client.receive().startswith("40{") for client in before)
    assert connect(game, game.auth(close_others=True)).receive().startswith("40{")
    assert all(client.is_cut() for client in before)


def test_the_connections_of_an_address_are_limited(launch):
    game = launch(address_connections=5)
    with ExitStack() as stack:
        allowed = [stack.enter_context(socket.create_connection(("127.0.0.1", game.port))) for _ in range(5)]
        refused = stack.enter_context(socket.create_connection(("127.0.0.1", game.port), timeout=5))
        assert refused.recv(1) == b""
        for connection in allowed:
            connection.settimeout(0.05)
            with pytest.raises(TimeoutError):
                connection.recv(1)
    wait_until(lambda: is_healthy(game))


def is_healthy(game):
    try:
        return requests.get(f"{game.url}/health", timeout=5).ok
    except requests.ConnectionError:
        return False


def is_refused_soon(game, forwarded):
    """Return whether a handshake is refused; a slow machine refills the limit, so it may take a few."""
    for number in range(40):
        try:
            open_socket(game, header=[f"X-Forwarded-For: {forwarded(number)}"]).close()
        except WebSocketBadStatusException:
            return True
    return False


def test_limits_use_the_address_that_the_proxy_reports(launch):
    game = launch(proxies=1, handshakes_burst=2, handshakes_per_second=1)
    for visitor in ("192.0.2.1", "192.0.2.2"):
        for _ in range(2):
            open_socket(game, header=[f"X-Forwarded-For: 198.51.100.9, {visitor}"]).close()
        assert is_refused_soon(game, lambda number, own=visitor: f"198.51.100.{number}, {own}")


def test_without_a_proxy_forwarded_addresses_are_ignored(launch):
    game = launch(handshakes_burst=2, handshakes_per_second=1)
    assert is_refused_soon(game, lambda number: f"192.0.2.{number}")


@pytest.mark.parametrize("opcode", [ABNF.OPCODE_PING, ABNF.OPCODE_PONG])
def test_a_flood_of_websocket_pings_or_pongs_is_cut(bare, connect, opcode):
    client = connect(bare)
    frames = ABNF.create_frame("", opcode).format() * 200
    start = time.monotonic()
    client.ws.sock.sendall(frames)
    assert client.is_cut()
    assert time.monotonic() - start < 2


def test_a_flood_of_small_frames_is_read_slowly_and_delays_no_client(bare, connect):
    flood, honest = connect(bare), connect(bare)
    honest.receive()
    flood.ws.sock.settimeout(0.2)
    frame = ABNF.create_frame("3", ABNF.OPCODE_TEXT).format() * 500
    with suppress(TimeoutError):
        for _ in range(10**6):
            flood.ws.sock.sendall(frame)
        raise AssertionError("everything was read")
    start = time.monotonic()
    for number in range(20):
        assert honest.call("command", number) == [number]
    assert (time.monotonic() - start) / 20 < 0.25


def test_the_server_reports_health_readiness_and_metrics(game, connect):
    client = connect_gm(game, connect)
    client.call("command", client.add_number({**MOVE, "id": "m", "kind": "<script>"}))
    assert requests.get(f"{game.url}/health", timeout=10).json() == {"ok": True}
    assert requests.get(f"{game.url}/ready", timeout=10).json() == {"ok": True}
    page = requests.get(f"{game.url}/metrics", timeout=10)
    assert page.headers["Content-Type"].startswith("text/plain")
    assert 'enfilade_commands_total{kind="unknown",outcome="bad-schema"}' in page.text
    assert 'enfilade_refusals_total{code="bad-schema"}' in page.text
    assert "enfilade_connections " in page.text
    for secret in (game.table, game.gm_key, game.spectator_key, "<script>"):
        assert secret not in page.text


def test_only_the_operator_reads_the_metrics(launch):
    game = launch(metrics_key="open-sesame-and-let-me-read")
    through_a_proxy = {"X-Forwarded-For": "192.0.2.1"}
    for headers, status in [
        (through_a_proxy, 403),
        ({**through_a_proxy, "Authorization": "Bearer wrong"}, 403),
        ({**through_a_proxy, "Authorization": "Bearer open-sesame-and-let-me-read"}, 200),
        ({}, 200),
    ]:
        assert requests.get(f"{game.url}/metrics", headers=headers, timeout=10).status_code == status


def test_a_server_without_its_store_is_alive_but_not_ready(launch, tmp_path):
    game = launch()
    for name in ("enfilade.sqlite", "enfilade.sqlite-wal"):  # a process that maps a cut-off -shm ends
        (tmp_path / name).write_bytes(b"no database any more" * 500)
    ready = requests.get(f"{game.url}/ready", timeout=10)
    assert (ready.status_code, ready.json()["ok"]) == (503, False)
    assert requests.get(f"{game.url}/health", timeout=10).ok


def test_the_log_has_no_key_and_every_line_is_json(launch, connect):
    game = launch()
    key = f"canary-{secrets.token_urlsafe(24)}"
    hostile = f"{key}\r\nforged: line\x1b[31m"
    provoke_refusals(game, connect, key, hostile)
    game.process.send_signal(15)
    game.process.wait(10)
    written = game.log()
    for line in written.splitlines():
        assert json.loads(line)["message"]
    for secret in (key, game.gm_key, game.spectator_key):
        assert secret not in written


def provoke_refusals(game, connect, key, hostile):
    """Send a key in every place of a request, valid or not, so that the server refuses each."""
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
    refused.receive()
    for text in (f'42["command",{{"key":"{key}"}}]', f'42["{key}"]', f"4{key}", key):
        client = connect(game, game.auth("spectator"))
        client.send(text)
        client.send(key)
        client.is_cut()
