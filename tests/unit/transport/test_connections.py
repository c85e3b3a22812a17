"""Connections that send nothing, too little or too much do not keep others out."""

from __future__ import annotations

import resource
import select
import socket
import time
from contextlib import ExitStack, suppress

import pytest
import requests

from enfilade.transport.limits.connections import ConnectionLimiter

from .conftest import end, launch_game

PATIENCE_SECONDS = 10


@pytest.fixture
def launch(tmp_path):
    """Start the real server with settings of its own."""
    with ExitStack() as stack:

        def launch_one(**settings):
            game = launch_game(tmp_path, **settings)
            stack.callback(end, game.process)
            return game

        yield launch_one


@pytest.fixture(scope="module")
def hasty(tmp_path_factory):
    """Start a server that gives a request one second."""
    game = launch_game(tmp_path_factory.mktemp("hasty"), request_seconds=1)
    yield game
    end(game.process)


def open_connection(game):
    return socket.create_connection(("127.0.0.1", game.port), timeout=PATIENCE_SECONDS)


def send(game, headers):
    """Send a request with these header lines and return the answer."""
    with open_connection(game) as connection:
        lines = ["GET /health HTTP/1.1", f"Host: 127.0.0.1:{game.port}", *headers, "", ""]
        connection.sendall("\r\n".join(lines).encode())
        return connection.recv(65_536)


def test_a_connection_that_sends_nothing_is_closed(hasty):
    with open_connection(hasty) as silent:
        assert silent.recv(1) == b""


def test_a_request_that_arrives_byte_by_byte_is_closed(hasty):
    with open_connection(hasty) as dripping:
        dripping.settimeout(0.1)
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE_SECONDS:
            dripping.sendall(b"G")
            try:
                assert dripping.recv(1) == b""
                break
            except TimeoutError:
                continue
            except ConnectionResetError:
                break
        assert time.monotonic() - began < PATIENCE_SECONDS


def test_a_connection_stays_open_between_requests(hasty):
    with requests.Session() as session:
        session.get(f"{hasty.url}/health", timeout=5)
        time.sleep(1.2)  # longer than the limit of a first request
        with session.get(f"{hasty.url}/health", timeout=5, stream=True) as answer:
            assert answer.ok


def test_a_request_with_too_many_headers_is_refused_without_a_traceback(game):
    headers = [f"X-{number}: 1" for number in range(150)]
    assert send(game, headers).startswith(b"HTTP/1.1 400")
    assert send(game, []).startswith(b"HTTP/1.1 200")
    assert "Traceback" not in game.log()


def test_a_request_with_long_headers_is_refused_before_they_are_parsed(game):
    assert send(game, [f"X-{number}: {'1' * 1_000}" for number in range(40)]).startswith(b"HTTP/1.1 400")
    assert send(game, [f"X-{number}: {'1' * 1_000}" for number in range(20)]).startswith(b"HTTP/1.1 200")


def test_silent_connections_leave_room_for_this_machine():
    limiter = ConnectionLimiter(0, total=8)
    with ExitStack() as stack:
        assert all(stack.enter_context(limiter.acquire(f"192.0.2.{number}")) for number in range(6))
        assert not stack.enter_context(limiter.acquire("192.0.2.9"))
        assert stack.enter_context(limiter.acquire("127.0.0.1"))


def test_silent_connections_leave_room_for_an_address_that_has_shown_a_key():
    limiter = ConnectionLimiter(0, total=8)
    limiter.remember("198.51.100.7")
    with ExitStack() as stack:
        for number in range(6):
            stack.enter_context(limiter.acquire(f"192.0.2.{number}"))
        assert stack.enter_context(limiter.acquire("198.51.100.7"))
        assert stack.enter_context(limiter.acquire("198.51.100.7"))
        assert not stack.enter_context(limiter.acquire("198.51.100.7"))


def status_from(game, address, path, key=""):
    """Send a request from one of this machine's other addresses; return the status of the answer."""
    authorization = f"Authorization: Bearer {key}\r\n" if key else ""
    with socket.create_connection(("127.0.0.1", game.port), PATIENCE_SECONDS, (address, 0)) as connection:
        head = f"{path} HTTP/1.1\r\nHost: 127.0.0.1:{game.port}\r\nConnection: close\r\n{authorization}"
        connection.sendall(f"{head}Content-Length: 0\r\n\r\n".encode())
        return int(connection.recv(65_536).split()[1])


def test_an_address_becomes_known_by_a_key_that_opens_a_table(launch):
    game = launch(connections=8)
    tickets = f"POST /api/tables/{game.table}/tickets"
    assert status_from(game, "127.0.0.71", tickets, game.gm_key) == 201
    assert status_from(game, "127.0.0.72", tickets, "a wrong key") == 403
    with ExitStack() as stack:
        for _ in range(6):
            stack.enter_context(open_connection(game))
        time.sleep(0.2)  # until the server has accepted them all
        statuses = {end: status_from(game, f"127.0.0.{end}", "GET /board/") for end in (71, 72)}
    assert statuses == {71: 200, 72: 503}


def test_a_closed_connection_makes_room():
    limiter = ConnectionLimiter(1)
    with limiter.acquire("192.0.2.1") as first, limiter.acquire("192.0.2.1") as second:
        assert (first, second) == (True, False)
    with limiter.acquire("192.0.2.1") as third:
        assert third


def test_a_page_may_connect_to_its_own_server_only(game):
    policy = requests.get(f"{game.url}/board/", timeout=5).headers["Content-Security-Policy"]
    own = f"127.0.0.1:{game.port}"
    assert f"connect-src 'self' ws://{own} wss://{own}; " in policy


@pytest.mark.parametrize("setting", [{"proxies": 1}, {"public_url": "https://rules.example.org"}])
def test_no_request_counts_as_local_where_a_proxy_may_send_it(launch, setting):
    game = launch(**setting)
    headers = {"Host": "127.0.0.1"}
    made = requests.post(f"{game.url}/api/tables", json={"ruleset": "torn"}, headers=headers, timeout=5)
    metrics = requests.get(f"{game.url}/metrics", headers=headers, timeout=5)
    assert (made.status_code, metrics.status_code) == (403, 403)


def test_an_address_of_this_machine_that_another_program_chose_counts_like_any_other():
    limiter = ConnectionLimiter(0, total=8)
    with ExitStack() as stack:
        opened = [stack.enter_context(limiter.acquire(f"127.0.0.{number}")) for number in range(2, 10)]
        assert opened == [True] * 6 + [False] * 2
        assert stack.enter_context(limiter.acquire("127.0.0.1"))


def test_above_the_limit_a_connection_can_ask_for_the_health_and_nothing_else(launch):
    game = launch(address_connections=2)
    with open_connection(game), open_connection(game):
        answer = requests.get(f"{game.url}/health", timeout=5)
        assert (answer.json(), answer.headers["Connection"]) == ({"ok": True}, "close")
        assert requests.get(f"{game.url}/board/", timeout=5).status_code == 503


def test_connections_above_the_limit_are_few_for_one_address():
    limiter = ConnectionLimiter(1)
    with ExitStack() as stack:
        spare = [stack.enter_context(limiter.acquire_spare("192.0.2.1")) for _ in range(6)]
        assert spare == [True] * 4 + [False] * 2
        assert stack.enter_context(limiter.acquire_spare("192.0.2.2"))


BODY = b"POST /api/tables/x/seats HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n"
UNREAD_BODY = b"GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n"
CHUNKED_BODY = b"POST /api/tables/x/seats HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n200\r\n"


@pytest.mark.parametrize("request_head", [BODY, UNREAD_BODY, CHUNKED_BODY], ids=["read", "unread", "chunked"])
def test_a_body_that_arrives_byte_by_byte_ends_its_connection(hasty, request_head):
    with open_connection(hasty) as dripping:
        dripping.sendall(request_head)
        began = time.monotonic()
        with suppress(OSError):
            while time.monotonic() - began < PATIENCE_SECONDS:
                dripping.sendall(b"{")
                time.sleep(0.1)
                if select.select([dripping], [], [], 0)[0] and dripping.recv(65_536) == b"":
                    break
        assert time.monotonic() - began < 7
    assert "Traceback" not in hasty.log()
    assert requests.get(f"{hasty.url}/health", timeout=5).ok


def test_a_server_raises_its_limit_of_open_files(tmp_path):
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))  # the server inherits it
    try:
        game = launch_game(tmp_path, is_forked=False, connections=500)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    try:
        with ExitStack() as stack:
            for number in range(300):
                silent = socket.socket()
                silent.bind((f"127.0.0.{2 + number % 8}", 0))
                silent.connect(("127.0.0.1", game.port))
                stack.enter_context(silent)
            assert requests.get(f"{game.url}/ready", timeout=5).ok
    finally:
        end(game.process)
