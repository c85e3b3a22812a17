"""nginx, as configured for several processes, leaves a process that accepts connections and says nothing."""

from __future__ import annotations

import http.server
import json
import os
import shutil
import socket
import subprocess
import threading
import time

import pytest
import requests

from tests.cluster.proxy import write_configuration


@pytest.fixture(autouse=True)
def nginx():
    """Skip where nginx is missing, and say so; where CI runs it must be there."""
    if not shutil.which("nginx"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("nginx is not installed here")


class Process(http.server.BaseHTTPRequestHandler):
    """Answers every request with its path and its body, after the pause of its server."""

    def do_POST(self):
        time.sleep(self.server.pause)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        answer = json.dumps({"path": self.path, "body": body}).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_arguments):
        pass


@pytest.fixture
def silent():
    """The address of a stopped process: its kernel accepts connections, and no program reads them."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture
def process():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Process)
    server.pause, server.status, server.address = 0, 200, f"127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def start(tmp_path):
    """Start nginx before these processes; return its URL."""
    started = []

    def start(*addresses):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            listen = f"127.0.0.1:{probe.getsockname()[1]}"
        command = ["nginx", "-p", str(tmp_path), "-c", str(write_configuration(tmp_path, addresses, listen))]
        started.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
        for _ in range(100):
            try:
                socket.create_connection(listen.split(":")).close()
                break
            except OSError:
                time.sleep(0.05)
        return f"http://{listen}"

    yield start
    for nginx in started:
        nginx.terminate()
        nginx.wait(10)


@pytest.fixture
def tables(process, silent, start):
    """Return nginx's URL, and a table that it sends to the silent process first."""
    url = start(silent, process.address)
    for number in range(50):
        try:
            requests.post(f"{url}/api/tables/t{number}/scene", timeout=0.3)
        except requests.Timeout:
            return url, f"t{number}"
    raise AssertionError("nginx sends all tables to one process")


def test_a_ticket_comes_from_another_process_within_two_seconds(tables):
    url, table = tables
    began = time.monotonic()
    answer = requests.post(f"{url}/api/tables/{table}/tickets", timeout=5)
    assert (answer.status_code, answer.json()["path"]) == (200, f"/api/tables/{table}/tickets")
    assert time.monotonic() - began < 2


def test_after_a_ticket_without_an_answer_the_sockets_go_to_the_other_process_too(tables):
    url, table = tables
    requests.post(f"{url}/api/tables/{table}/tickets", timeout=5)
    began = time.monotonic()
    assert requests.post(f"{url}/socket.io/?EIO=4&table={table}", timeout=5).status_code == 200
    assert time.monotonic() - began < 1


def test_a_page_comes_from_the_other_process(tables):
    url, table = tables
    began = time.monotonic()
    assert requests.post(f"{url}/api/tables/{table}/scene", timeout=10).status_code == 200
    assert time.monotonic() - began < 4


def test_a_command_reaches_the_other_process_with_its_whole_body(tables):
    url, table = tables
    body = json.dumps({"id": "x" * 20_000})
    answer = requests.post(f"{url}/api/tables/{table}/commands", data=body, timeout=8)
    assert (answer.status_code, answer.json()["body"]) == (200, body)


@pytest.fixture
def drained():
    """Start a process that drains; return its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Process)
    server.status, server.pause = 503, 0
    with server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_request_that_names_a_process_reaches_that_one_only(process, drained, start):
    url = start(drained, process.address)
    named = {
        requests.post(f"{url}/api/tables/t/seats?process={name}", timeout=5).status_code for name in "ab"
    }
    unnamed = {requests.post(f"{url}/api/tables/t{n}/seats", timeout=5).status_code for n in range(10)}
    assert (named, unnamed) == ({200, 503}, {200})


def test_a_socket_that_names_a_process_that_drains_reaches_another(process, drained, start):
    url = start(drained, process.address)
    statuses = {
        requests.post(f"{url}/socket.io/?table=t{number}&process=a", timeout=5).status_code
        for number in range(10)
    }
    assert statuses == {200}


def test_a_process_is_found_although_all_were_just_down(start, process):
    url = start(process.address, process.address)  # both names are one process
    process.status = 503
    assert requests.post(f"{url}/api/tables/t/seats", timeout=5).status_code == 503
    process.status = 200
    assert requests.post(f"{url}/api/tables/t/seats", timeout=5).status_code == 200


def test_a_stopped_process_holds_nothing_up_although_the_other_is_slow(tables, process):
    url, table = tables
    process.pause = 1.5
    # Afterwards both are down for nginx.
    ticket = requests.post(f"{url}/api/tables/{table}/tickets", timeout=8)
    process.pause = 0
    command = requests.post(f"{url}/api/tables/{table}/commands", timeout=5)
    assert (ticket.status_code, command.status_code) == (200, 200)


def test_a_request_that_names_a_dead_process_reaches_another(start, process):
    with socket.create_server(("127.0.0.1", 0)) as probe:
        dead = f"127.0.0.1:{probe.getsockname()[1]}"
    url = start(process.address, dead)
    assert requests.post(f"{url}/api/tables/t/seats?process=b", timeout=5).status_code == 200


def test_a_ticket_is_waited_for_if_all_processes_are_slow(start, process):
    url = start(process.address, process.address)
    process.pause = 1.5
    assert requests.post(f"{url}/api/tables/t/tickets", timeout=10).status_code == 200
