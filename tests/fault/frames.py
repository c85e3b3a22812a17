"""Send malformed frames through the whole server, from the packet to the table.

The server must answer each frame or close its connection; no frame may raise, leave a trace in the log or
leak memory. Most frames run in process, through the libraries' own path from a message to its answer; one in
a hundred goes over a real socket.
"""

from __future__ import annotations

import json
import logging
import resource
import select
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import gevent
from websocket import ABNF, WebSocket, WebSocketException, create_connection

from enfilade.app import create_app
from enfilade.client.http import connect_credentials
from enfilade.errors import EnfiladeError
from enfilade.importers.demo import demo_battle
from enfilade.play.commands import acts
from enfilade.play.redaction import seat_tactics
from enfilade.rulesets import BUILT_IN
from enfilade.runtime.config import Config, Limits
from enfilade.transport.http.uploads import put_imported
from enfilade.transport.room_overlays import RoomOverlays
from enfilade.transport.rooms import Room
from enfilade.transport.socketio import handlers, packets
from tests.fault.frame_fuzzer import Fuzzer
from tests.fault.scenario import Verdict
from tests.fault.server import PLAIN, Server

LANES = 2
"""The processes that share the frames."""

OVER_SOCKETS = 100
"""One frame in so many goes over a real socket as well."""

MUTANT_FRAMES = 8_000
PATIENCE_SECONDS = 10
MAX_MEMORY = 32 * 1024 * 1024
RESET_EVERY = 1_000
"""The frames after which the battle is reset, because most of it has been removed by then."""

PROGRESS_EVERY = 500_000
"""The frames between two progress lines of a long run."""

UNLIMITED = {name: 10**9 for name in vars(Limits()) if name.endswith(("_per_second", "_burst"))}


class InProcessServer:
    """A whole server in this process; messages enter where a WebSocket would deliver them."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.wrong: Counter[str] = Counter()
        self.disconnects = self.done = 0
        self._app = create_app(Config(data=folder, limits=Limits(**UNLIMITED)))
        self._server = self._app.socketio.server
        self._server.eio.send_packet = lambda _eio, packet: self._sent(str(packet.encode()))
        self._battle = demo_battle(BUILT_IN[seed % len(BUILT_IN)])
        self._links = self._app.tables.create(self._battle.scene)
        self._table, _ = self._app.tables.enter(self._links.table, self._links.gm_key)
        self.fuzzer = Fuzzer(seed, self._battle, self._credentials())
        self._lives = 0
        self._connect()

    @property
    def _room(self) -> Room:
        """Return the room of the only table, with its only connection."""
        return self._app.rooms.of(self._table)

    def take(self, number: int) -> None:
        """Process one frame as the driver does: pass on a valid message, disconnect for any other."""
        done = self.done
        if number % RESET_EVERY == 0:
            self._reset()
        frame = self._next_frame()
        try:
            if not packets.is_valid_message(frame):
                self._disconnect()
            elif isinstance(frame, str) and frame[0] == "4":
                self._server._handle_eio_message(self._eio, frame[1:])
        except Exception as problem:
            self.wrong["unhandled"] += 1
            print(f"{type(problem).__name__}: {problem}: {frame!r:.300}", file=sys.stderr)
        if not self._server.manager.sid_from_eio_sid(self._eio, "/"):
            self._reconnect()
        if self.done > done or number % 200 == 0:
            gevent.idle()  # run the broadcasts and overlays that follow an answer

    def _connect(self) -> None:
        self._lives += 1
        self._eio = f"eio{self._lives}"
        self._server._handle_eio_connect(self._eio, {"REMOTE_ADDR": "192.0.2.1"})
        self._server._handle_eio_message(self._eio, "0" + json.dumps(self._credentials()))

    def _credentials(self) -> dict[str, str]:
        gm = self._app.tables.members.seated_member(self._links.table, self._links.gm_key)
        return {"table": gm.table, "ticket": self._app.tickets.create(gm, "")}

    def _disconnect(self) -> None:
        self.disconnects += 1
        self._reconnect()

    def _reconnect(self) -> None:
        self._server._handle_eio_disconnect(self._eio, "cut")
        self._connect()

    def _next_frame(self) -> str | bytes:
        self.fuzzer.n = 1 + sum(connection.count for connection in self._room.connections.values())
        waiting = self._table._state.pending
        self.fuzzer.choice = waiting.choice if waiting else None
        return self.fuzzer.frame()

    def _reset(self) -> None:
        with suppress(EnfiladeError):  # while an act waits for an answer
            put_imported(self._room, self._battle)

    def _sent(self, packet: str) -> None:
        self.done += '"ok":true' in packet
        self.wrong["unhandled"] += '"code":"internal"' in packet


class Traces(logging.Handler):
    """Count and print the traces in the log."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.count += 1
            print(self.format(record), file=sys.stderr, flush=True)


def process_frames(count: int, seed: int, *, is_mutant: bool) -> dict[str, int]:
    """Process frames here; return the failures and the growth of memory. A mutant stops once it is caught."""
    traces = Traces()
    logging.basicConfig(level=logging.WARNING, handlers=[traces], force=True)
    with tempfile.TemporaryDirectory(prefix="enfilade-torture-") as folder:
        server = InProcessServer(Path(folder), seed)
        gevent.get_hub().print_exception = lambda *_: server.wrong.update(["unhandled"])
        before = memory = 0
        for number in range(1, count + 1):
            server.take(number)
            if is_mutant and (server.wrong["unhandled"] or traces.count):
                break
            if number == max(1, min(count // 5, 50_000)):
                before = memory_now()
            if number % 10_000 == 0:
                memory = max(memory, memory_now())
            if number % PROGRESS_EVERY == 0:
                sent = f"{number:,} of {count:,} frames, +{(memory - before) // 1024**2} MiB"
                print(sent, file=sys.stderr, flush=True)
        server._app.tables._store.close()  # type: ignore[attr-defined]
    return {
        "unhandled": server.wrong["unhandled"],
        "tracebacks": traces.count,
        "memory": max(0, memory - before),
        "done": server.done,
        "disconnects": server.disconnects,
    }


def memory_now() -> int:
    """Return the resident memory of this process in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def send_over_a_socket(count: int, seed: int) -> Counter[str]:
    """Send frames to a real server; return its failures."""
    wrong: Counter[str] = Counter()
    settings = {f"ENFILADE_{name.upper()}": str(value) for name, value in UNLIMITED.items()}
    with tempfile.TemporaryDirectory(prefix="enfilade-torture-") as folder:
        server = Server(Path(folder), settings=settings)
        try:
            wrong["refused"] = _send(server, count, seed)
        finally:
            server.stop()
        log = (Path(folder) / "server.log").read_text()
        traces = [line for line in log.splitlines() if '"trace"' in line or "Traceback" in line]
        wrong["tracebacks"] = len(traces)
        for trace in traces:
            print(trace, file=sys.stderr, flush=True)
    return wrong


def _send(server: Server, count: int, seed: int) -> int:
    """Send frames, reconnecting as needed; return 1 if an honest client is not served afterward."""
    auth = server.links("gm")
    fuzzer = Fuzzer(seed, demo_battle(BUILT_IN[0]), auth)
    ws = _joined(server, auth)
    for _ in range(count):
        try:
            ws.send(fuzzer.frame(), ABNF.OPCODE_TEXT)
            fuzzer.n += _counted(ws)
        except (WebSocketException, OSError):
            ws.shutdown()
            ws = _joined(server, auth)
            fuzzer.n = 1
    ws.shutdown()
    return int(not _is_served(server, auth))


def _joined(server: Server, auth: dict[str, Any]) -> WebSocket:
    url = f"ws://127.0.0.1:{server.port}/socket.io/?EIO=4&transport=websocket"
    ws = create_connection(url, timeout=PATIENCE_SECONDS, **PLAIN)
    ws.recv()
    ws.send(f"40{json.dumps(connect_credentials(server.url, **auth))}")
    return ws


def _counted(ws: WebSocket) -> int:
    """Read what has arrived and return the number of acknowledged commands; raise if disconnected."""
    counted = 0
    while select.select([ws.sock], [], [], 0)[0]:
        opcode, data = ws.recv_data()
        if opcode == ABNF.OPCODE_CLOSE or b'"code":"out-of-order"' in data:
            raise ConnectionError
        counted += data.startswith(b"43")
    return counted


def _is_served(server: Server, auth: dict[str, Any]) -> bool:
    ws = _joined(server, auth)
    ws.send('4277["command",{"n":1}]')
    try:
        while not str(ws.recv()).startswith("4377"):
            pass
    except (WebSocketException, OSError):
        return False
    finally:
        ws.shutdown()
    return True


MUTANTS: dict[str, tuple[Any, str, Callable[[tuple[Any, ...]], bool]]] = {
    "packet": (packets, "_decode_event", lambda given: given[0] == "[]"),
    "load": (handlers, "load_command", lambda given: isinstance(given[0].get("body"), list)),
    "move": (acts, "redact_move", lambda _: True),
    "overlay": (seat_tactics, "overlay", lambda given: given[4] is None),
    "drawn": (RoomOverlays, "show", lambda _: True),
}
"""The function that each mutant breaks, and for which arguments."""


@contextmanager
def mutated(name: str) -> Iterator[None]:
    """Make one function of this process raise for some arguments; "" changes nothing."""
    if not name:
        yield
        return
    owner, function, is_met = MUTANTS[name]
    original = getattr(owner, function)

    def broken(*arguments: Any, **options: Any) -> Any:
        if is_met(arguments):
            raise ZeroDivisionError(name)
        return original(*arguments, **options)

    with patch.object(owner, function, broken):
        yield


def run(count: int) -> Verdict:
    """Run the frames in two processes and some over a socket, then the mutants."""
    shares = [(count // LANES, seed, "") for seed in range(LANES)]
    with ThreadPoolExecutor(LANES) as lanes:
        found = [result for (result,) in lanes.map(_run_process, shares)]
        mutants = lanes.submit(_run_process, (MUTANT_FRAMES, 0, " ".join(MUTANTS)))
        over_a_socket = send_over_a_socket(max(1, count // OVER_SOCKETS), seed=count)
        caught = dict(zip(MUTANTS, mutants.result(), strict=True))
    memory = max(one["memory"] for one in found)
    return Verdict(
        "frames",
        {
            "unhandled": sum(one["unhandled"] for one in found) + over_a_socket["refused"],
            "tracebacks": sum(one["tracebacks"] for one in found) + over_a_socket["tracebacks"],
            "over_memory": int(memory > MAX_MEMORY),
        },
        {name: one["unhandled"] + one["tracebacks"] for name, one in caught.items()},
        {
            "frames": count,
            "done": sum(one["done"] for one in found),
            "disconnects": sum(one["disconnects"] for one in found),
            "memory": f"+{memory // 1024**2}MiB",
        },
    )


def _run_process(job: tuple[int, int, str]) -> list[dict[str, int]]:
    count, seed, mutants = job
    command = [sys.executable, "-m", "tests.fault.frames", str(count), str(seed), mutants]
    # The traces of mutants are expected; those of the real program are printed.
    errors = subprocess.DEVNULL if mutants else None
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=errors, text=True, check=True)
    results: list[dict[str, int]] = json.loads(done.stdout)
    return results


def main() -> None:
    count, seed, mutants = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3].split() or [""]
    results = []
    for offset, mutant in enumerate(mutants):
        with mutated(mutant):
            results.append(process_frames(count, seed + offset, is_mutant=bool(mutant)))
    print(json.dumps(results))


if __name__ == "__main__":
    main()
