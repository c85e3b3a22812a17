"""Replicas of one table stay equal to their seat's view, and get nothing else, on a faulty network."""

from __future__ import annotations

import itertools

import gevent
import orjson
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.example import FIRST_BLOOD
from tests.seeds import examples

from enfilade.client.replica import Replica
from enfilade.errors import EnfiladeError
from enfilade.messages.load import load_command, load_connect
from enfilade.play.dice import Chains
from enfilade.play.tables import Tables
from enfilade.play.view import view
from enfilade.runtime.config import Limits
from enfilade.scene.model import GM, SPECTATOR, Grid, Scene, Seat, Side, Token
from enfilade.scene.scene_json import state_hash
from enfilade.store.dice_secrets import MemoryDiceSecrets
from enfilade.store.memory import MemoryStore
from enfilade.transport.activity import Activity
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.metrics import Metrics
from enfilade.transport.room_overlays import Connection
from enfilade.transport.rooms import Rooms

MIA = Seat("player", "mia")
SEATS = (GM, SPECTATOR, MIA)
SECRET = {SPECTATOR: ("Canary", "Mias cat"), MIA: ("Canary",)}
"""The names of tokens that stay hidden from a seat: no frame to it may contain them."""

SCENE = Scene(
    ruleset="first_blood",
    grid=Grid("square", 8, 8),
    sides=(Side(id="blue", name="Blue"), Side(id="red", name="Red")),
    tokens=(
        Token(id="ann", name="Ann", side="blue", at=(1, 1)),
        Token(id="canary", name="Canary", side="red", at=(6, 6), hidden=True),
        Token(id="cat", name="Mias cat", side="blue", at=(5, 5), hidden=True, owners=("mia",)),
        Token(id="orc", name="Orc", side="red", at=(2, 1)),
    ),
)
IDS = itertools.count()


class Client:
    """A seat's client on a faulty network: updates arrive only when `deliver` lets them."""

    def __init__(self, game, seat):
        self.game, self.seat = game, seat
        self.replica, self.inbox = Replica(), []
        self.connection = None
        self.reconnect()

    def reconnect(self):
        if self.connection:
            self.game.leave(self)
        self.inbox.clear()
        self.replica.expect_snapshot()
        known = load_connect({"table": "t", "ticket": "k", **self.replica.position()}).known
        last_seq = self.game.table.log_position(self.seat, known) if known else None
        self.connection = Connection(f"c{next(IDS)}", self.seat, last_seq)
        self.game.enter(self)

    def deliver(self, count, fate="arrives"):
        for _ in range(count):
            if not self.inbox:
                return
            update = self.inbox.pop(0)
            times = {"arrives": 1, "lost": 0, "doubled": 2}[fate]
            for _ in range(times):
                self.receive(update)

    def receive(self, update):
        before = self.replica.seq
        why = self.replica.apply(update)
        if why:
            assert self.game.execute(self.seat, "sync", {"why": why}, self.connection)["ok"]
            self.inbox.clear()  # a client ignores the updates before the answer
            self.replica.expect_snapshot()
        elif update["kind"] == "entries" and update["body"]["entries"]:
            assert self.replica.seq >= before

    def is_in_sync(self):
        scene = view(self.game.table.scene, self.seat)
        return (
            self.replica.scene == scene
            and self.replica.seq == self.game.table.number(self.seat)
            and state_hash(self.replica.scene) == state_hash(scene)
        )


class ReplicaTable:
    """A table, its room, and a client of each seat; `frames` keeps what the server sent."""

    def __init__(self):
        self.frames = {seat: [] for seat in SEATS}
        tables = Tables(MemoryStore(), {"first_blood": FIRST_BLOOD}, Chains(MemoryDiceSecrets(), links=64))
        links = tables.create(SCENE)
        self.table, _ = tables.enter(links.table, links.gm_key)
        self.rooms = Rooms(self.emit, RateLimiter(Limits()), Metrics(), Activity())
        self.by_sid = {}
        self.clients = [Client(self, seat) for seat in SEATS]
        self.settle()

    def enter(self, client):
        self.by_sid[client.connection.sid] = client
        self.room = self.rooms.enter(self.table, client.connection)

    def leave(self, client):
        del self.by_sid[client.connection.sid]
        self.rooms.leave(self.room, client.connection)

    def emit(self, update, sids):
        text = orjson.dumps(update)
        for sid in sids:
            if sid in self.by_sid:
                client = self.by_sid[sid]
                client.inbox.append(orjson.loads(text))
                self.frames[client.seat].append(text.decode())

    def execute(self, seat, kind, body, connection=None):
        command = load_command({"v": 1, "id": f"c{next(IDS)}", "kind": kind, "body": body})
        try:
            return self.rooms.of(self.table).answer(seat, command, connection)
        except EnfiladeError as problem:
            return problem

    def settle(self):
        """Deliver all updates until there are no more."""
        gevent.idle()
        while self.room._is_broadcasting or any(client.inbox for client in self.clients):
            for client in self.clients:
                client.deliver(1000)
            gevent.idle()


def command_of(kind, token, cell, facing):
    scene = {t.id: t for t in SCENE.tokens}
    placed = {"id": token, "name": scene[token].name, "side": scene[token].side, "at": list(cell)}
    return {
        "move": ("token.move", {"token": token, "at": list(cell), "facing": facing}),
        "hide": ("token.place", {"token": {**placed, "hidden": True, "owners": list(scene[token].owners)}}),
        "show": ("token.place", {"token": {**placed, "hidden": token in ("canary", "cat")}}),
        "remove": ("token.remove", {"token": token}),
        "strike": ("act", {"act": {"kind": "strike", "token": token, "target": "orc"}, "override": "x"}),
        "undo": ("undo", {}),
    }[kind]


COMMANDS = st.builds(
    command_of,
    st.sampled_from(["move", "move", "hide", "show", "remove", "strike", "undo"]),
    st.sampled_from([token.id for token in SCENE.tokens]),
    st.tuples(st.integers(0, 7), st.integers(0, 7)),
    st.sampled_from([0, 90, 180, 270]),
)
FAULTS = st.tuples(
    st.sampled_from(range(len(SEATS))),
    st.sampled_from(["arrives", "arrives", "lost", "doubled", "reconnects"]),
    st.integers(1, 4),
)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(COMMANDS | FAULTS, max_size=60))
def test_replicas_converge_over_a_faulty_network(steps):
    game = ReplicaTable()
    for step in steps:
        if len(step) == 2:
            game.execute(GM, *step)
            gevent.sleep(0)
        else:
            client, fate, count = game.clients[step[0]], step[1], step[2]
            if fate == "reconnects":
                client.reconnect()
            else:
                client.deliver(count, fate)
    game.settle()
    game.execute(GM, "undo", {})  # ends an act that waits for an answer
    game.execute(GM, "token.place", {"token": {"id": "last", "name": "Last", "side": "red", "at": [0, 0]}})
    game.settle()
    for client in game.clients:
        assert client.is_in_sync(), client.seat
    for seat, names in SECRET.items():
        frames = "".join(game.frames[seat])
        assert not [name for name in names if name in frames]


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(COMMANDS, max_size=25))
def test_a_view_gets_only_its_own_changes_in_dense_numbers(commands):
    game = ReplicaTable()
    for kind, body in commands:
        before = {seat: (view(game.table.scene, seat), game.table.number(seat)) for seat in SEATS}
        counts = {seat: len(game.frames[seat]) for seat in SEATS}
        last, asked = game.table.seq, {seat: game.table.snapshot(seat).choice for seat in SEATS}
        game.execute(GM, kind, body)
        game.settle()
        entries = game.table._store.entries(game.table.id, last, 10)
        for client in game.clients:
            scene, number = before[client.seat]
            known = [entry for entry in entries if entry.is_known_to(client.seat)]
            assert game.table.number(client.seat) == number + len(known)
            is_asked = game.table.snapshot(client.seat).choice != asked[client.seat]
            assert len(game.frames[client.seat]) - counts[client.seat] == bool(known or is_asked)
            assert known or view(game.table.scene, client.seat) == scene
            assert client.is_in_sync()


def test_a_secret_entry_takes_no_number_and_sends_no_frame():
    game = ReplicaTable()
    spectator = game.clients[1]
    frames, number = len(game.frames[SPECTATOR]), game.table.number(SPECTATOR)
    game.execute(GM, *command_of("hide", "canary", (7, 7), 0))
    game.execute(GM, *command_of("hide", "cat", (7, 6), 0))
    game.settle()
    assert (len(game.frames[SPECTATOR]), game.table.number(SPECTATOR)) == (frames, number)
    assert game.table.number(MIA) == number + 1
    game.execute(GM, *command_of("move", "ann", (1, 2), 0))
    game.settle()
    assert spectator.replica.seq == number + 1 < game.table.seq
    (entry,) = orjson.loads(game.frames[SPECTATOR][-1])["body"]["entries"]
    assert entry["seq"] == number + 1
