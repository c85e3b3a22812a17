"""Who is told what, and when: a room with a table that counts."""

from __future__ import annotations

import gevent
import pytest

from enfilade.config import Limits
from enfilade.errors import NotFound
from enfilade.play.command import Command, Done, Entries
from enfilade.scene.seat import GM, SPECTATOR
from enfilade.transport.gate import Gate
from enfilade.transport.metrics import Metrics
from enfilade.transport.rooms import Connection, Rooms, Shown


class CountingTable:
    """A table whose every command is an entry, or, of kind `ask`, a question without one."""

    id = "t1"

    def __init__(self):
        self.seq = 0
        self.overlays = 0

    def perform(self, _role, command):
        self.seq += command.kind == "act"
        return Done(seq=self.seq, result={}, entry=command if command.kind == "act" else None)

    def snapshot(self, role):
        return {"role": role}

    def entries_after(self, _role, seq):
        return None if seq > self.seq else Entries(entries=(), choice=None)

    def overlay(self, _role, token, _layers):
        if token == "gone":
            raise NotFound("It is gone.")
        self.overlays += 1
        return {"token": token}


@pytest.fixture
def told():
    return []


@pytest.fixture
def rooms(told):
    def emit(update, sids):
        told.append((update["kind"], sorted(sids)))

    return Rooms(emit, Gate(Limits()), Metrics())


def joined(rooms, table, *connections):
    for connection in connections:
        room = rooms.enter(table, connection)
    gevent.sleep(0.01)
    return room


def test_all_of_one_role_are_told_at_once(rooms, told):
    joined(
        rooms,
        CountingTable(),
        *(Connection(sid, GM, None) for sid in "ab"),
        Connection("c", SPECTATOR, None),
    )
    assert told == [("snapshot", ["a", "b"]), ("snapshot", ["c"])]


def test_one_overlay_is_worked_out_for_all_who_look_at_the_same(rooms, told):
    table = CountingTable()
    watching = [Connection(sid, GM, 0, shown=Shown("orc", None)) for sid in "abc"]
    other = Connection("d", GM, 0, shown=Shown("orc", ("reach",)))
    joined(rooms, table, *watching, other)
    assert table.overlays == 2
    assert told[1:] == [("overlay", ["a", "b", "c"]), ("overlay", ["d"])]


def test_a_batch_of_commands_is_told_at_once(rooms, told):
    table = CountingTable()
    room = joined(rooms, table, Connection("a", GM, 0, shown=Shown("orc", None)))
    told.clear()
    for number in range(5):
        room.answer(GM, Command(id=f"c{number}", kind="act"))
    gevent.sleep(0.01)
    assert told == [("entries", ["a"]), ("overlay", ["a"])]


def test_what_makes_no_entry_is_told_too_as_the_table_may_wait_now(rooms, told):
    room = joined(rooms, CountingTable(), Connection("a", GM, 0))
    told.clear()
    room.answer(GM, Command(id="c1", kind="ask"))
    gevent.sleep(0.01)
    assert told == [("entries", ["a"])]


def test_a_preview_is_told_to_nobody(rooms, told):
    room = joined(rooms, CountingTable(), Connection("a", GM, 0))
    told.clear()
    room.answer(GM, Command(id="c1", kind="act.preview"))
    gevent.sleep(0.01)
    assert told == []


def test_an_overlay_that_fails_keeps_nobody_else_waiting(rooms, told):
    gone = Connection("a", GM, 0, shown=Shown("gone", None))
    joined(rooms, CountingTable(), gone, Connection("b", GM, 0, shown=Shown("orc", None)))
    assert told[-1] == ("overlay", ["b"])
    assert gone.shown is None


def test_a_room_is_forgotten_with_its_last_connection(rooms):
    table, connection = CountingTable(), Connection("a", GM, 0)
    room = joined(rooms, table, connection)
    assert rooms.of(table) is room
    rooms.leave(room, connection)
    assert rooms.of(table) is not room
