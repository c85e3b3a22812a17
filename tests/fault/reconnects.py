"""Clients that vanish and come back at random moments under traffic: each then knows what its seat may know.

Real Socket.IO clients keep a replica of their table through all their lives: a snapshot, then entries folded
in. At a random moment of each life the replica's hash is taken down with its place in the log; at the end
every one is compared with the view that the log itself leads to at that place.
"""

from __future__ import annotations

import hashlib
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

import engineio
import msgspec
import socketio
from socketio.exceptions import ConnectionError as NotConnectedError

from enfilade.client.http import Client
from enfilade.play.view import view
from enfilade.scene.apply import fold_all
from enfilade.scene.entry import Entry
from enfilade.scene.events import AnyEvent
from enfilade.scene.model import Scene, Seat, seat_of
from enfilade.store.protocol import iter_entries
from tests.fault import game
from tests.fault.scenario import Verdict
from tests.fault.server import PLAIN, UNHURRIED, Server

SEATS = ("gm", "spectator") * 4
MUTANT_RECONNECTS = 60
LIFE_SECONDS = (0.0, 0.15)
PATIENCE_SECONDS = 10
FORGETS = 0.1
"""The share of reconnects without the replica, which request a snapshot."""

TOKENS = ("bran", "aldis", "wren", "ilvane", "orc-1", "orc-2")


class Replica:
    """A seat's own copy of its table, as a front end keeps it."""

    def __init__(self, wrong: Counter[str]) -> None:
        self.seq: int | None = None
        self.epoch = ""
        self.scene: Scene | None = None
        self._wrong = wrong

    def take(self, update: dict[str, Any]) -> None:
        """Takes an update in."""
        if update["kind"] == "snapshot":
            self.epoch = update["epoch"]
            self.seq, self.scene = update["seq"], msgspec.convert(update["body"]["scene"], Scene)
        elif update["kind"] == "entries" and self.seq is not None:
            for sent in update["body"]["entries"]:
                self._follow(sent)

    def _follow(self, sent: dict[str, Any]) -> None:
        if sent["seq"] <= (self.seq or 0):
            return
        self._wrong["gaps"] += sent["seq"] != (self.seq or 0) + 1
        assert self.scene is not None
        self.scene = fold_all(self.scene, msgspec.convert(sent["events"], list[AnyEvent]))
        self.seq = sent["seq"]


class InOrder(engineio.Client):
    """Takes messages in as they come; python-engineio has a thread for each, and threads overtake."""

    def _trigger_event(self, event: str, *arguments: Any, **how: Any) -> Any:
        return super()._trigger_event(event, *arguments, **{**how, "run_async": False})


class OrderlyClient(socketio.Client):
    """A Socket.IO client whose updates are heard in order, as in a browser."""

    def _engineio_client_class(self) -> type[engineio.Client]:
        return InOrder


def rules_hash(scene: Scene) -> str:
    """A scene's hash, the same wherever it was worked out."""
    return hashlib.sha256(msgspec.json.encode(scene, order="sorted")).hexdigest()


class Restless:
    """A client that connects, listens for a while and vanishes, over and over."""

    def __init__(self, server: Server, seat: str, dice: random.Random) -> None:
        self.seat = seat_of(seat)
        self.seen: list[tuple[int, str]] = []
        self.wrong: Counter[str] = Counter()
        self._url = server.url
        self._server = server
        self._dice = dice
        self._replica = Replica(self.wrong)
        self._lock = Lock()

    def live(self, lives: int) -> None:
        """So many lives."""
        for _ in range(lives):
            if self._dice.random() < FORGETS:
                self._replica = Replica(self.wrong)
            self._live_once()

    def _live_once(self) -> None:
        client = OrderlyClient(reconnection=False, handle_sigint=False, websocket_extra_options=PLAIN)
        heard, is_over = Event(), Event()

        def take(update: dict[str, Any]) -> None:
            with self._lock:
                if not is_over.is_set():  # what an old connection still brings is not listened to
                    self._replica.take(update)
            heard.set()

        client.on("update", take)
        known = {} if self._replica.seq is None else {"seq": self._replica.seq, "epoch": self._replica.epoch}
        with suppress(NotConnectedError):
            auth = {**self._server.connect_credentials(self.seat.role), **known}
            client.connect(self._url, auth=auth, transports=["websocket"], wait_timeout=10)
        if not heard.wait(PATIENCE_SECONDS):
            self.wrong["silent"] += 1
        time.sleep(self._dice.uniform(*LIFE_SECONDS))
        self._note(is_over)
        self._vanish(client)

    def _note(self, is_over: Event) -> None:
        with self._lock:
            is_over.set()
            if self._replica.scene is not None and self._replica.seq is not None:
                self.seen.append((self._replica.seq, rules_hash(self._replica.scene)))

    def _vanish(self, client: socketio.Client) -> None:
        if self._dice.random() < 0.5 and client.eio.ws:
            with suppress(OSError):
                client.eio.ws.shutdown()  # without a word
        client.disconnect()


class Traffic:
    """A game master who moves, hides, shows and attacks without a pause."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._ends = Event()
        self._thread = Thread(target=self._run)
        self.commands = 0

    def __enter__(self) -> Traffic:
        game.make_undying(self._client)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    def _run(self) -> None:
        dice = random.Random(1)
        tokens = {token["id"]: token for token in self._client.scene()["tokens"]}
        while not self._ends.is_set():
            name, at = dice.choice(TOKENS), [dice.randrange(8), dice.randrange(8)]
            if self.commands % 10 == 0:
                self._client.send("act", {"act": game.ATTACK, "override": "Torture"})
            elif self.commands % 3 == 0:
                hidden = {**tokens[name], "at": at, "hidden": dice.random() < 0.5}
                self._client.send("token.place", {"token": hidden})
            else:
                self._client.send("token.move", {"token": name, "at": at})
            self.commands += 1


def torture(reconnects: int, broken: str = "", seed: int = 0) -> tuple[Counter[str], int, int]:
    """Return the failures of that many reconnects, the compared hashes, and the commands done meanwhile."""
    with tempfile.TemporaryDirectory(prefix="enfilade-reconnects-") as place:
        server = Server(Path(place), broken, UNHURRIED)
        clients = [Restless(server, seat, random.Random(f"{seed}/{i}")) for i, seat in enumerate(SEATS)]
        try:
            traffic = Traffic(Client(server.url, **server.links("gm")))
            with traffic, ThreadPoolExecutor(len(clients)) as pool:
                list(pool.map(lambda client: client.live(reconnects // len(clients)), clients))
            table = server.links("gm")["table"]
        finally:
            server.kill()
        wrong = sum((client.wrong for client in clients), Counter())
        wrong["other"] = judged(Path(place), table, clients)
        return wrong, sum(len(client.seen) for client in clients), traffic.commands


def judged(folder: Path, table: str, clients: list[Restless]) -> int:
    """Count the replicas that differ from the view that the log leads to."""
    store = game.store_in(folder)
    kept = store.load(table)
    assert kept is not None
    wanted = {(client.seat, seq) for client in clients for seq, _ in client.seen}
    hashes = dict(_hashes(kept.scene, iter_entries(store.entries, table, 0), wanted))
    store.close()
    return sum(hashes.get((c.seat, seq)) != seen for c in clients for seq, seen in c.seen)


def _hashes(scene: Scene, log: Any, wanted: set[tuple[Seat, int]]) -> Iterator[tuple[tuple[Seat, int], str]]:
    """The hash of each seat's view after each entry asked for. The log begins by setting a scene."""
    seats = {seat for seat, _ in wanted}
    entry: Entry
    for entry in log:
        scene = fold_all(scene, entry.events)
        for seat in seats:
            if (seat, entry.number(seat)) in wanted:
                yield (seat, entry.number(seat)), rules_hash(view(scene, seat))


def run(reconnects: int) -> Verdict:
    """The whole scenario, with its control."""
    with ThreadPoolExecutor() as pool:
        mutant = pool.submit(torture, MUTANT_RECONNECTS, "skip-one-delta")
        wrong, compared, commands = torture(reconnects)
        caught, _, _ = mutant.result()
    return Verdict(
        "reconnects",
        {kind: wrong[kind] for kind in ("other", "gaps", "silent")},
        {"skip-one-delta": caught["other"]},
        {"reconnects": reconnects, "compared": compared, "commands": commands},
    )
