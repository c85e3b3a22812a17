"""Kill a server with SIGKILL between sealed answers: no acknowledged answer is lost, none is revealed.

Two players commit and change their minds over HTTP; the server dies at a random moment. What is stored then
has every acknowledged answer, or a later one that was under way. A spectator and the GM read the same as when
the round began, until the GM closes it. The closed round has exactly the acknowledged answers.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from pathlib import Path
from threading import Timer
from typing import Any

import requests
from msgspec.structs import replace
from websocket import WebSocketException, create_connection

from enfilade.cli.verify import verify_lines
from enfilade.client.http import Client
from enfilade.importers.demo import demo_battle
from enfilade.play.members import hash_secret
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.store.members import Member
from enfilade.store.protocol import TableState, iter_entries
from tests.fault import game
from tests.fault.scenario import Verdict
from tests.fault.server import PLAIN, UNHURRIED, Server

MUTANTS = {"ack-before-commit": "lost"}
_MUTANT_KILLS = 20
_LIFE_SECONDS = (0.05, 0.5)
_CLOSE_EVERY = 4
"""Every so many lives the GM closes the round."""

PLAYERS = ("ann", "tom")
Answers = dict[str, str]


class Lane:
    """One server's data through all its lives, and every answer that it acknowledged."""

    def __init__(self, folder: Path, mutant: str = "") -> None:
        self.folder = folder
        self.mutant = mutant
        self.chance = random.Random("sealed kill")
        self.wrong: Counter[str] = Counter()
        self.figures: Counter[str] = Counter()
        self.acknowledged: dict[str, Answers] = {player: {} for player in PLAYERS}
        self.under_way: dict[str, Answers] = {player: {} for player in PLAYERS}
        self.seen: list[Any] = []
        self.choices: list[dict[str, Any]] = []
        self._make_table()

    def _make_table(self) -> None:
        store = game.store_in(self.folder)
        scene = demo_battle(DOUBLE_LIFE).scene
        scene = replace(scene, sides=tuple(replace(side, conditions={}) for side in scene.sides))
        first = scene.sides[0].id
        own = [token.id for token in scene.tokens if token.side == first]
        self.tokens = dict(zip(PLAYERS, own, strict=False))
        owners = {token: (player,) for player, token in self.tokens.items()}
        tokens = tuple(replace(token, owners=owners.get(token.id, ())) for token in scene.tokens)
        self.links = game.tables_of(store).create(replace(scene, tokens=tokens))
        for player in PLAYERS:
            member = Member(table=self.links.table, id=player, role="player", name=player, is_seated=True)
            store.members.add_member(member, hash_secret(player))
        store.close()

    def live(self, number: int) -> None:
        """Start a server, let it answer until it is killed, and look at what is left."""
        server = Server(self.folder, self.mutant, UNHURRIED)
        killer = Timer(self.chance.uniform(*_LIFE_SECONDS), server.kill)
        try:
            self._begin_round(server)
            self._look(server, is_first=not self.seen)
            killer.start()
            while True:
                self._commit(server)
        except (requests.RequestException, WebSocketException, OSError):
            self.figures["kills"] += 1
        finally:
            killer.cancel()
            server.kill()
        self._judge()
        if number % _CLOSE_EVERY == _CLOSE_EVERY - 1:
            self._close()

    def _client(self, server: Server, key: str) -> Client:
        return Client(server.url, self.links.table, key)

    def _begin_round(self, server: Server) -> None:
        if self.seen:
            return
        self.acknowledged = {player: {} for player in PLAYERS}
        self.under_way = {player: {} for player in PLAYERS}
        answer = self._client(server, self.links.gm_key).send("act", {"act": {"kind": "round"}})
        first = answer["result"]["waiting"]
        self.choices = [first, *first["others"]]

    def _commit(self, server: Server) -> None:
        player = self.chance.choice(PLAYERS)
        own = [choice for choice in self.choices if choice["token"] == self.tokens[player]]
        answers = {choice["id"]: self.chance.choice(choice["options"])["key"] for choice in own}
        (choice, answer), *rest = answers.items()
        self.under_way[player] = answers
        body = {"choice": choice, "answer": answer, "also": dict(rest)}
        self._client(server, player).send("choice.answer", body)
        self.acknowledged[player] = answers
        self.figures["answers"] += 1

    def _state(self) -> TableState:
        """Return the stored table; only while no server runs, whose files the reader would close."""
        store = game.store_in(self.folder)
        state = store.load(self.links.table)
        store.close()
        assert state is not None
        return state

    def _judge(self) -> None:
        """Compare the stored answers with the acknowledged ones."""
        pending = self._state().pending
        assert pending is not None
        for player in PLAYERS:
            given = {one.choice: one.answer for one in pending.given if one.seat == f"player:{player}"}
            is_kept = given == self.acknowledged[player]
            self.wrong["lost"] += not is_kept and given != self.under_way[player]
            self.acknowledged[player] = given

    def _look(self, server: Server, *, is_first: bool) -> None:
        """Compare what the GM and a spectator are sent, and the export, with the start of the round."""
        seen: list[Any] = [_snapshot(server, self.links.table, key) for key in self._watchers()]
        log = requests.get(
            f"{server.url}/api/tables/{self.links.table}/log",
            headers={"Authorization": f"Bearer {self.links.gm_key}"},
            timeout=10,
        ).text
        seen.append(log)
        if is_first:
            self.seen = seen
        self.wrong["revealed"] += seen != self.seen

    def _watchers(self) -> tuple[str, ...]:
        return (self.links.gm_key, self.links.spectator_key)

    def _close(self) -> None:
        """Close the round; its answers are the acknowledged ones, and the log proves them."""
        server = Server(self.folder, "", UNHURRIED)
        try:
            gm = self._client(server, self.links.gm_key)
            gm.send("choice.close", {"choice": self.choices[0]["id"]})
        finally:
            server.stop()
        store = game.store_in(self.folder)
        *_, last = iter_entries(store.entries, self.links.table, 0)
        lines = "".join(game.tables_of(store).enter(self.links.table, self.links.gm_key)[0].export_log())
        store.close()
        opened = {one.choice: one.answer for sealed in last.sealed for one in sealed.answers}
        given = {choice: answer for own in self.acknowledged.values() for choice, answer in own.items()}
        self.wrong["lost"] += not given.items() <= opened.items()
        self.wrong["unproven"] += not verify_lines(lines.encode().splitlines(keepends=True)).holds
        self.figures["rounds"] += 1
        self.seen = []


def _snapshot(server: Server, table: str, key: str) -> Any:
    """Return the first snapshot that a seat is sent, without its time-dependent parts."""
    auth = Client(server.url, table, key).connect_credentials()
    url = f"ws://127.0.0.1:{server.port}/socket.io/?EIO=4&transport=websocket"
    socket = create_connection(url, timeout=10, **PLAIN)
    try:
        socket.recv()
        socket.send(f"40{json.dumps(auth)}")
        while True:
            packet = socket.recv()
            if packet == "2":
                socket.send("3")
            if packet.startswith("42") and json.loads(packet[2:])[1]["kind"] == "snapshot":
                return json.loads(packet[2:])[1]
    finally:
        socket.close()


def torture(kills: int, mutant: str = "") -> Lane:
    """Kill one server so often; a mutant only until it is caught."""
    with tempfile.TemporaryDirectory(prefix="enfilade-sealed-") as folder:
        lane = Lane(Path(folder), mutant)
        for number in range(kills):
            lane.live(number)
            if mutant and lane.wrong[MUTANTS[mutant]]:
                break
    return lane


def run(kills: int) -> Verdict:
    """Run the scenario and its mutants."""
    lane = torture(kills)
    caught = {name: torture(_MUTANT_KILLS, name).wrong[what] for name, what in MUTANTS.items()}
    wrong = {what: lane.wrong[what] for what in ("lost", "revealed", "unproven")}
    return Verdict("sealed-kill", wrong, caught, dict(lane.figures))
