"""Frames as no client sends them, through everything from the packet to the table.

Each is answered or ends its connection, and none raises, leaves a trace in the log or takes memory for good.
In this process as many as asked for, by the libraries' own way from a message to its answer; and some
thousands over a real socket.
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
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import gevent
from websocket import ABNF, WebSocket, WebSocketException, create_connection

from enfilade.app import create_app
from enfilade.client.http import connect_credentials
from enfilade.config import Config, Limits
from enfilade.demo import demo_battle
from enfilade.errors import EnfiladeError
from enfilade.play import table, views
from enfilade.rulesets import BUILT_IN
from enfilade.transport.http.maps import put_imported
from enfilade.transport.rooms import Room
from enfilade.transport.socketio import handlers, packets
from tests.fault.fuzzed import Fuzzer
from tests.fault.server import PLAIN, Server
from tests.fault.verdict import Verdict

LANES = 2
"""How many processes share the frames."""

OVER_SOCKETS = 100
"""Of so many frames one more goes over a real socket."""

CONTROL_FRAMES = 8_000
PATIENCE_SECONDS = 10
MOST_MEMORY = 32 * 1024 * 1024
FRESH_SCENE = 1_000
"""After so many frames the battle begins anew, for most of it has been removed by then."""

TOLD_EVERY = 500_000
"""After so many frames of a long run it says how far it is."""

UNLIMITED = {name: 10**9 for name in vars(Limits()) if name.endswith(("_per_second", "_burst"))}


class Inside:
    """A whole server in this process, with a client's messages put in where its WebSocket would be."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.wrong: Counter[str] = Counter()
        self.cuts = self.done = 0
        self._app = create_app(Config(data=folder, limits=Limits(**UNLIMITED)))
        self._server = self._app.socketio.server
        self._server.eio.send_packet = lambda _eio, packet: self._sent(str(packet.encode()))
        self._battle = demo_battle(BUILT_IN[seed % len(BUILT_IN)])
        self._links = self._app.tables.create(self._battle.scene)
        self._table, _ = self._app.tables.enter(self._links.table, self._links.gm_key)
        self.fuzzer = Fuzzer(seed, self._battle, self._way_in())
        self._lives = 0
        self._connect()

    @property
    def _room(self) -> Room:
        """The room of the one table, with the one connection that there is."""
        return self._app.rooms.of(self._table)

    def take(self, number: int) -> None:
        """Takes one frame as the driver does: a message that is spoken here goes on, any other cuts."""
        done = self.done
        if number % FRESH_SCENE == 0:
            self._begin_anew()
        frame = self._next_frame()
        try:
            if not packets.is_spoken_here(frame):
                self._cut()
            elif isinstance(frame, str) and frame[0] == "4":
                self._server._handle_eio_message(self._eio, frame[1:])
        except Exception as problem:
            self.wrong["unhandled"] += 1
            print(f"{type(problem).__name__}: {problem}: {frame!r:.300}", file=sys.stderr)
        if not self._server.manager.sid_from_eio_sid(self._eio, "/"):
            self._hang_up()
        if self.done > done or number % 200 == 0:
            gevent.idle()  # what is told and drawn after an answer is

    def _connect(self) -> None:
        self._lives += 1
        self._eio = f"eio{self._lives}"
        self._server._handle_eio_connect(self._eio, {"REMOTE_ADDR": "192.0.2.1"})
        self._server._handle_eio_message(self._eio, "0" + json.dumps(self._way_in()))

    def _way_in(self) -> dict[str, str]:
        gm = self._app.tables.members.seated(self._links.table, self._links.gm_key)
        return {"table": gm.table, "ticket": self._app.connection_tokens.ticket(gm, "")}

    def _cut(self) -> None:
        self.cuts += 1
        self._hang_up()

    def _hang_up(self) -> None:
        self._server._handle_eio_disconnect(self._eio, "cut")
        self._connect()

    def _next_frame(self) -> str | bytes:
        self.fuzzer.n = 1 + sum(connection.count for connection in self._room.connections.values())
        waiting = self._table._kept.pending
        self.fuzzer.choice = waiting.choice if waiting else None
        return self.fuzzer.frame()

    def _begin_anew(self) -> None:
        with suppress(EnfiladeError):  # while an act waits for an answer
            put_imported(self._room, self._battle)

    def _sent(self, packet: str) -> None:
        self.done += '"ok":true' in packet
        self.wrong["unhandled"] += '"code":"internal"' in packet


class Traces(logging.Handler):
    """Counts the traces that go to the log, and says what they are."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.count += 1
            print(self.format(record), file=sys.stderr, flush=True)


def go_through(count: int, seed: int) -> dict[str, int]:
    """Takes so many frames in this process; what went wrong, and how much more memory it has at the end."""
    traces = Traces()
    logging.basicConfig(level=logging.WARNING, handlers=[traces], force=True)
    with tempfile.TemporaryDirectory(prefix="enfilade-torture-") as folder:
        inside = Inside(Path(folder), seed)
        gevent.get_hub().print_exception = lambda *_: inside.wrong.update(["unhandled"])
        before = memory = 0
        for number in range(1, count + 1):
            inside.take(number)
            if number == max(1, min(count // 5, 50_000)):
                before = memory_now()
            if number % 10_000 == 0:
                memory = max(memory, memory_now())
            if number % TOLD_EVERY == 0:
                told = f"{number:,} of {count:,} frames, +{(memory - before) // 1024**2} MiB"
                print(told, file=sys.stderr, flush=True)
        inside._app.tables._store.close()  # type: ignore[attr-defined]
    return {
        "unhandled": inside.wrong["unhandled"],
        "tracebacks": traces.count,
        "memory": max(0, memory - before),
        "done": inside.done,
        "cuts": inside.cuts,
    }


def memory_now() -> int:
    """The bytes of memory this process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def go_over_a_socket(count: int, seed: int) -> Counter[str]:
    """Sends so many frames to a real server; what went wrong in it."""
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
    """Sends frames over one connection after another; how often an honest client was then not served."""
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
    """Reads what has come, and how many commands were counted; raises where the server has hung up."""
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


def plant(crash: str) -> None:
    """Breaks this process at one place, for one kind of frame."""
    module, name, is_met = PLANTS[crash]
    whole = getattr(module, name)

    def broken(*arguments: Any, **options: Any) -> Any:
        if is_met(arguments):
            raise ZeroDivisionError(crash)
        return whole(*arguments, **options)

    setattr(module, name, broken)


PLANTS: dict[str, tuple[Any, str, Callable[[tuple[Any, ...]], bool]]] = {
    "packet": (packets, "_check_name", lambda given: given[0] == []),
    "load": (handlers, "load_command", lambda given: isinstance(given[0].get("body"), list)),
    "move": (table, "move_token", lambda _: True),
    "overlay": (views, "overlay", lambda given: given[4] is None),
    "drawn": (Room, "_show", lambda _: True),
}
"""What is broken, and for which arguments."""


def run(count: int) -> Verdict:
    """The ordeal: so many frames in this machine's two cores, some over a socket, and the planted crashes."""
    found = _in_lanes([(count // LANES, seed, "") for seed in range(LANES)])
    over_a_socket = go_over_a_socket(max(1, count // OVER_SOCKETS), seed=count)
    memory = max(one["memory"] for one in found)
    planted = [(CONTROL_FRAMES, seed, crash) for seed, crash in enumerate(PLANTS)]
    broken = dict(zip(PLANTS, _in_lanes(planted), strict=True))
    caught = {crash: one["unhandled"] + one["tracebacks"] for crash, one in broken.items()}
    return Verdict(
        "frames",
        {
            "unhandled": sum(one["unhandled"] for one in found) + over_a_socket["refused"],
            "tracebacks": sum(one["tracebacks"] for one in found) + over_a_socket["tracebacks"],
            "over_memory": int(memory > MOST_MEMORY),
        },
        caught,
        {
            "frames": count,
            "done": sum(one["done"] for one in found),
            "cut": sum(one["cuts"] for one in found),
            "memory": f"+{memory // 1024**2}MiB",
        },
    )


def _in_lanes(jobs: list[tuple[int, int, str]]) -> list[dict[str, int]]:
    """What came of each job, two at a time, each in a process of its own."""
    with ThreadPoolExecutor(LANES) as lanes:
        return list(lanes.map(_in_a_process, jobs))


def _in_a_process(job: tuple[int, int, str]) -> dict[str, int]:
    count, seed, crash = job
    command = [sys.executable, "-m", "tests.fault.frames", str(count), str(seed), crash]
    # What a planted crash says is what was planted; of a whole server every word is wanted.
    quiet = subprocess.DEVNULL if crash else None
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=quiet, text=True, check=True)
    result: dict[str, int] = json.loads(done.stdout)
    return result


def main() -> None:
    count, seed, crash = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    if crash:
        plant(crash)
    print(json.dumps(go_through(count, seed)))


if __name__ == "__main__":
    main()
