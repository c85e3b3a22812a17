"""Several real processes behind one port, each with a shard of the tables; some are killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests
from gevent.event import Event
from websocket import create_connection

from enfilade.client.http import Client, connect_credentials
from enfilade.client.live import LiveClient
from enfilade.cluster import workers
from enfilade.transport.shards import shard_index
from tests import fork_server
from tests.unit.transport.conftest import wait_until

WORKERS = 2
PATIENCE_SECONDS = 30
"""Only a test that fails waits as long."""


@dataclass(frozen=True)
class Seats:
    """The keys of a table."""

    table: str
    gm_key: str
    spectator_key: str


def serve_arguments(folder: Path, workers: int) -> list[str]:
    """Return the arguments of `enfilade` that serve a data folder with some processes."""
    return ["serve", "--workers", str(workers), "--port", "0", "--data", str(folder)]


class Server:
    def __init__(self, folder: Path, **settings: str) -> None:
        self.log = folder / "server.log"
        with self.log.open("w") as log:
            environment = {**os.environ, **settings}
            self.process = fork_server.start("enfilade", serve_arguments(folder, WORKERS), environment, log)
        assert self.process.stdout
        first = next(line for line in self.process.stdout if line.startswith("GM link"))
        self.port = int(first.split(":")[3].split("/")[0])
        self.url = f"http://127.0.0.1:{self.port}"

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE_SECONDS)
        assert self.process.stdout
        self.process.stdout.close()

    @property
    def workers(self) -> list[int]:
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def table_of(self, worker: int) -> Seats:
        """Create tables until a process serves one; return that table."""
        while True:
            made = requests.post(
                f"{self.url}/api/tables", json={"ruleset": "coup_de_grace"}, timeout=PATIENCE_SECONDS
            ).json()
            if shard_index(made["table"], WORKERS) == worker:
                return Seats(made["table"], made["gm_key"], made["spectator_key"])


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("shared"))
    yield server
    server.end()


@pytest.fixture(scope="module")
def limited(tmp_path_factory):
    """Start a server with room for 20 connections, 12 of them from one address."""
    limits = {"ENFILADE_CONNECTIONS": "20", "ENFILADE_ADDRESS_CONNECTIONS": "12"}
    server = Server(tmp_path_factory.mktemp("limited"), **limits)
    yield server
    server.end()


def name_sides(at_table, name, **options):
    """Name the side of a table with any client."""
    return at_table.send("sides.set", {"sides": [{"id": "blue", "name": name}]}, **options)


def has_side(name):
    return lambda replica: replica.scene and name in [side.name for side in replica.scene.sides]


@pytest.mark.parametrize("worker", range(WORKERS))
def test_tables_of_both_processes_broadcast_to_all_their_seats(server, worker):
    seats = server.table_of(worker)
    with (
        LiveClient(server.url, seats.table, seats.gm_key) as gm,
        LiveClient(server.url, seats.table, seats.spectator_key) as spectator,
    ):
        spectator.wait_until(lambda replica: replica.scene, PATIENCE_SECONDS)
        name_sides(gm, "Orcs")
        spectator.wait_until(has_side("Orcs"), PATIENCE_SECONDS)


def test_a_command_over_http_is_broadcast_to_connected_clients(server):
    for worker in range(WORKERS):
        seats = server.table_of(worker)
        with LiveClient(server.url, seats.table, seats.spectator_key) as spectator:
            spectator.wait_until(lambda replica: replica.scene, PATIENCE_SECONDS)
            name_sides(Client(server.url, seats.table, seats.gm_key), "Orcs")
            spectator.wait_until(has_side("Orcs"), PATIENCE_SECONDS)


def open_from(server, address):
    """Open a connection from an address of this machine."""
    opened = socket.socket()
    opened.settimeout(PATIENCE_SECONDS)
    opened.bind((address, 0))
    opened.connect(("127.0.0.1", server.port))
    return opened


def is_served(server, address, table, key):
    """Return whether a request for a ticket is answered."""
    lines = [f"POST /api/tables/{table}/tickets HTTP/1.1", "Host: x", f"Authorization: Bearer {key}"]
    with open_from(server, address) as asking, suppress(OSError):
        asking.sendall("\r\n".join([*lines, "", ""]).encode())
        return asking.recv(100).startswith(b"HTTP/1.1 201")
    return False


def test_silent_connections_leave_room_for_an_address_that_a_process_knows(limited):
    seats = limited.table_of(0)
    assert is_served(limited, "127.0.0.7", seats.table, seats.gm_key)
    with ExitStack() as stack:
        for number in range(30):
            stack.enter_context(open_from(limited, f"127.0.0.{10 + number % 3}"))
        assert not is_served(limited, "127.0.0.8", seats.table, seats.gm_key)
        assert is_served(limited, "127.0.0.7", seats.table, seats.gm_key)
        assert requests.get(f"{limited.url}/health", timeout=PATIENCE_SECONDS).ok


def test_the_silent_connections_of_an_address_are_limited(limited):
    with ExitStack() as stack:
        silent = [stack.enter_context(open_from(limited, "127.0.0.20")) for _ in range(13)]
        assert silent[12].recv(1) == b""


def test_a_socket_for_another_table_gets_an_instruction(server):
    seats, other = server.table_of(0), server.table_of(1)
    address = f"ws://127.0.0.1:{server.port}/socket.io/?EIO=4&transport=websocket&table={other.table}"
    ws = create_connection(address, timeout=PATIENCE_SECONDS, suppress_origin=True)
    ws.recv()
    ws.send("40" + json.dumps(connect_credentials(server.url, seats.table, seats.gm_key)))
    refusal = ws.recv()
    ws.close()
    assert refusal.startswith("44")
    assert "/socket.io/?table=" in refusal


def test_a_request_line_may_come_in_parts_and_a_connection_serves_one_request(server):
    seats = server.table_of(1)
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_SECONDS) as connection:
        connection.sendall(b"GET /api/tables/" + seats.table[:5].encode())
        requests.get(
            f"{server.url}/health", timeout=PATIENCE_SECONDS
        )  # now the dispatcher has peeked at the first part
        rest = f"{seats.table[5:]}/scene HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {seats.gm_key}\r\n\r\n"
        connection.sendall(rest.encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"\r\nConnection: close\r\n" in answer


def test_a_killed_process_is_restarted_while_the_other_continues(server):
    first, second = server.table_of(0), server.table_of(1)
    with (
        LiveClient(server.url, first.table, first.gm_key) as one,
        LiveClient(server.url, second.table, second.gm_key) as two,
    ):
        name_sides(one, "before")
        killed = server.workers[0]
        os.kill(server.process.pid, signal.SIGSTOP)  # it restarts nothing
        try:
            os.kill(killed, signal.SIGKILL)
            name_sides(two, "meanwhile")
        finally:
            os.kill(server.process.pid, signal.SIGCONT)
        one.wait_until(has_side("before"), timeout=PATIENCE_SECONDS)
        name_sides(one, "after", timeout=PATIENCE_SECONDS)
        assert killed not in server.workers
        assert len(server.workers) == WORKERS
    assert "it is restarted" in server.log.read_text()


def test_metrics_cover_all_processes(server):
    """Any process may answer with the page; the others publish twice a second."""
    for worker in range(WORKERS):
        seats = server.table_of(worker)
        Client(server.url, seats.table, seats.gm_key).send("note", {"text": "The gate is open."})

    def page():
        return requests.get(f"{server.url}/metrics", timeout=PATIENCE_SECONDS).text

    counted = f'enfilade_commands_total{{kind="note",outcome="done"}} {WORKERS}.0'
    wait_until(lambda: counted in page())


class FailingWorker(workers.Worker):
    """A process that has ended and that starts only at the third attempt."""

    def __init__(self):
        super().__init__([], "")
        self.starts = 0
        self.serves = Event()

    def wait(self, _seconds=None):
        if self.starts:
            Event().wait()
        return 1

    def start(self):
        self.starts += 1
        if self.starts < 3:
            raise OSError("Cannot allocate memory")
        self.serves.set()
        return True


def test_a_failed_restart_is_repeated(monkeypatch):
    monkeypatch.setattr(workers, "_RESTART_SECONDS", 0.01)
    worker = FailingWorker()
    worker.supervise()
    assert worker.serves.wait(PATIENCE_SECONDS)
    worker.stop()


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_all_processes_end_with_the_server_and_a_command_that_it_interrupts_logs_no_error(tmp_path, ending):
    server = Server(tmp_path)
    workers, seats = server.workers, server.table_of(0)
    with (
        closing(sqlite3.connect(tmp_path / "enfilade.sqlite", isolation_level=None)) as other,
        LiveClient(server.url, seats.table, seats.gm_key) as line,
    ):
        line.wait_until(lambda replica: replica.scene, PATIENCE_SECONDS)
        other.execute("BEGIN IMMEDIATE")  # makes the command wait for this writer
        with pytest.raises(TimeoutError):
            name_sides(line, "Orcs", timeout=0.5)
        server.process.send_signal(ending)
        assert server.process.wait(PATIENCE_SECONDS) in (0, -ending)
        wait_until(
            lambda: not any(Path(f"/proc/{pid}/cmdline").exists() for pid in workers), PATIENCE_SECONDS
        )
    assert "GreenletExit" not in server.log.read_text()
    server.end()


def test_a_server_that_cannot_start_reports_the_reason_and_ends(tmp_path):
    (tmp_path / "enfilade.sqlite").write_bytes(b"no database")
    ended, alone = (
        fork_server.run("enfilade", serve_arguments(tmp_path, workers), os.environ, PATIENCE_SECONDS)
        for workers in (WORKERS, 1)
    )
    assert ended.status == alone.status != 0
    assert ended.errors.splitlines()[-1] == alone.errors.splitlines()[-1]
