"""A room sends each update once to the right seats."""

from __future__ import annotations

from types import SimpleNamespace

import gevent
import pytest

from enfilade.errors import Damaged, IllegalAct, NotFound, StoreDown
from enfilade.play.command import Choice, Command, CommandResult, Delta, Entries, Snapshot
from enfilade.rules.ruleset import CardLine
from enfilade.runtime.config import Limits
from enfilade.scene.entry import RedactedEntry
from enfilade.scene.model import GM, SPECTATOR, Grid, Scene, Seat
from enfilade.tactics.overlays import Overlay
from enfilade.transport.activity import BUSY_TABLES, Activity
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.metrics import Metrics
from enfilade.transport.room_overlays import BUSY_INTERVAL_SECONDS, Connection, OverlaySubscription
from enfilade.transport.rooms import MOST_WAITING, Greenlets, Rooms

SCENE = Scene(ruleset="any", grid=Grid("square", 5, 5))
SNAPSHOT = Snapshot(role="gm", seat="", scene=SCENE, log=(), choice=None, ruleset={}, hash="")


class CountingTable:
    """A table that counts: an `act` makes an entry and an `ask` a choice, both for the GM only."""

    id = "t1"
    epoch = "0" * 16

    def __init__(self):
        self.seq = 0
        self.revision = 0
        self.choice = None
        self.overlays = 0
        self.ready = set()
        self.is_overlay_the_same = False

    def execute(self, _seat, command, _on_saving=None):
        self.revision += command.kind != "act.preview"
        self.seq += command.kind == "act"
        if command.kind == "ask":
            self.choice = Choice(id=command.id, side="red", question="?", options=(), default="")
        return CommandResult(seq=self.seq, result={})

    def number(self, seat):
        return self.seq if seat == GM else 0

    def audience(self, seat, _place):
        return seat

    def delta(self, seat, last_seq, is_hash_due):
        del is_hash_due
        choice = self.choice if seat == GM else None
        seen = range(last_seq or 0, self.number(seat))
        entries = tuple(RedactedEntry(seq=n + 1, id="c", seat="gm", kind="act", at_ms=0) for n in seen)
        body = SNAPSHOT if last_seq is None else Entries(entries=entries, choice=choice)
        return Delta(place=self.seq, revision=self.revision, number=self.number(seat), body=body)

    def has_overlay(self, _seat, token, _layers):
        return (token, self.revision) in self.ready

    def overlay(self, seat, token, _layers, upcoming=None):
        if token == "gone":
            raise NotFound("It is gone.")
        self.overlays += 1
        revision = (upcoming or self).revision
        self.ready.add((token, revision))
        shown = CardLine("Revision", "any" if self.is_overlay_the_same else str(revision))
        return Overlay(
            token=token,
            seq=self.number(seat),
            card=(shown,),
            reach=None,
            areas=(),
            engagements=(),
            targets=(),
        )


@pytest.fixture
def outgoing():
    return []


@pytest.fixture
def metrics():
    return Metrics()


@pytest.fixture
def rooms(outgoing, metrics):
    def emit(update, sids):
        outgoing.append((update["kind"], sorted(sids)))

    return Rooms(emit, RateLimiter(Limits()), metrics, Activity())


def settle(rooms):
    """Let all broadcasts and overlays finish."""
    with gevent.Timeout(5):
        gevent.idle()
        while _is_sending(rooms):
            gevent.idle()


def _is_sending(rooms):
    is_broadcasting = any(room._is_broadcasting for room in rooms._rooms.values())
    return is_broadcasting or not rooms._overlay_scheduler.is_idle


def join(rooms, table, *connections):
    for connection in connections:
        room = rooms.enter(table, connection)
    settle(rooms)
    return room


def test_one_update_serves_all_seats_of_a_role(rooms, outgoing):
    join(
        rooms,
        CountingTable(),
        *(Connection(sid, GM, None) for sid in "ab"),
        Connection("c", SPECTATOR, None),
    )
    assert outgoing == [("snapshot", ["a", "b"]), ("snapshot", ["c"])]


def test_one_overlay_is_computed_for_all_its_subscribers(rooms, outgoing):
    table = CountingTable()
    watching = [Connection(sid, GM, 0, subscription=OverlaySubscription("orc", None)) for sid in "abc"]
    other = Connection("d", GM, 0, subscription=OverlaySubscription("orc", ("reach",)))
    join(rooms, table, *watching, other)
    assert table.overlays == 2
    assert outgoing[1:] == [("overlay", ["a", "b", "c"]), ("overlay", ["d"])]


def test_a_batch_of_commands_is_broadcast_at_once(rooms, outgoing):
    table = CountingTable()
    room = join(rooms, table, Connection("a", GM, 0, subscription=OverlaySubscription("orc", None)))
    outgoing.clear()
    for number in range(5):
        room.answer(GM, Command(id=f"c{number}", kind="act"))
    settle(rooms)
    assert outgoing == [("entries", ["a"]), ("overlay", ["a"])]


def test_a_choice_without_an_entry_reaches_the_seats_that_decide(rooms, outgoing):
    room = join(rooms, CountingTable(), Connection("a", GM, 0), Connection("b", SPECTATOR, 0))
    outgoing.clear()
    room.answer(GM, Command(id="c1", kind="ask"))
    settle(rooms)
    assert outgoing == [("entries", ["a"])]


class RefusingTable(CountingTable):
    """A table that refuses every command, and still stores an entry for an act."""

    def execute(self, seat, command, on_saving=None):
        super().execute(seat, command, on_saving)
        raise IllegalAct("No.")


@pytest.mark.parametrize(("kind", "expected"), [("act", [("entries", ["a"])]), ("act.preview", [])])
def test_log_entries_of_a_refused_command_are_broadcast(rooms, outgoing, kind, expected):
    room = join(rooms, RefusingTable(), Connection("a", GM, 0))
    outgoing.clear()
    with pytest.raises(IllegalAct):
        room.answer(GM, Command(id="c1", kind=kind))
    settle(rooms)
    assert outgoing == expected


def test_a_seat_that_may_not_know_an_entry_gets_no_frame(rooms, outgoing):
    watching = Connection("b", SPECTATOR, 0, subscription=OverlaySubscription("orc", None))
    room = join(rooms, CountingTable(), Connection("a", GM, 0), watching)
    outgoing.clear()
    room.answer(GM, Command(id="c1", kind="act"))
    settle(rooms)
    assert outgoing == [("entries", ["a"])]


def test_a_desynced_client_gets_a_snapshot_and_is_counted(rooms, metrics, outgoing):
    connection = Connection("a", GM, 0)
    room = join(rooms, CountingTable(), connection)
    outgoing.clear()
    room.answer(GM, Command(id="c1", kind="sync", body={"why": "hash"}), connection)
    settle(rooms)
    assert outgoing == [("snapshot", ["a"])]
    assert b'enfilade_client_desyncs_total{why="hash"} 1.0' in metrics.render()


def test_a_preview_is_not_broadcast(rooms, outgoing):
    room = join(rooms, CountingTable(), Connection("a", GM, 0))
    outgoing.clear()
    room.answer(GM, Command(id="c1", kind="act.preview"))
    settle(rooms)
    assert outgoing == []


def act(rooms, room, name):
    """Have a GM act, and wait for all that follows."""
    room.answer(GM, Command(id=name, kind="act"))
    settle(rooms)


def test_an_overlay_that_is_the_same_after_a_command_is_not_sent_again(rooms, outgoing, metrics):
    table = CountingTable()
    table.is_overlay_the_same = True
    room = watch(rooms, table, outgoing)
    act(rooms, room, "c1")
    assert outgoing == [("entries", ["a"])]
    assert b'enfilade_overlay_updates_total{outcome="unchanged"} 1.0' in metrics.render()
    table.is_overlay_the_same = False
    act(rooms, room, "c2")
    assert outgoing[1:] == [("entries", ["a"]), ("overlay", ["a"])]


def test_the_overlay_in_an_answer_is_not_sent_again_as_an_update(rooms, outgoing):
    table = CountingTable()
    table.is_overlay_the_same = True
    connection = Connection("a", GM, 0)
    room = join(
        rooms, table, connection, Connection("b", GM, 0, subscription=OverlaySubscription("orc", None))
    )
    outgoing.clear()
    room.answer(GM, Command(id="s", kind="overlay.show", body={"token": "orc", "layers": None}), connection)
    act(rooms, room, "c1")
    assert outgoing == [("entries", ["a", "b"])]
    room.answer(GM, Command(id="t", kind="overlay.show", body={"token": None, "layers": None}), connection)
    room.answer(GM, Command(id="u", kind="overlay.show", body={"token": "elf", "layers": None}), connection)
    table.is_overlay_the_same = False
    act(rooms, room, "c2")
    assert outgoing[1:] == [("entries", ["a", "b"]), ("overlay", ["a"]), ("overlay", ["b"])]


def test_an_overlay_follows_a_snapshot_even_if_it_is_the_same(rooms, outgoing):
    table = CountingTable()
    table.is_overlay_the_same = True
    room = watch(rooms, table, outgoing)
    (connection,) = room.connections.values()
    room.answer(GM, Command(id="c1", kind="sync", body={"why": "hash"}), connection)
    settle(rooms)
    assert outgoing == [("snapshot", ["a"]), ("overlay", ["a"])]


def be_busy(rooms):
    for number in range(BUSY_TABLES):
        rooms._activity.note(str(number))


def overlays_in(outgoing):
    return [kind for kind, _ in outgoing].count("overlay")


def test_a_busy_server_shows_the_first_of_quick_changes_at_once_and_the_others_together(rooms, outgoing):
    be_busy(rooms)
    room = watch(rooms, CountingTable(), outgoing)
    gevent.sleep(BUSY_INTERVAL_SECONDS)  # since the overlay that it asked for when it came
    act(rooms, room, "first")
    assert outgoing == [("entries", ["a"]), ("overlay", ["a"])]
    for name in ("second", "third", "fourth"):
        act(rooms, room, name)
    assert overlays_in(outgoing) == 1
    with gevent.Timeout(5):
        while overlays_in(outgoing) < 2:
            gevent.sleep(BUSY_INTERVAL_SECONDS / 4)
    assert outgoing[2:] == [*[("entries", ["a"])] * 3, ("overlay", ["a"])]
    gevent.sleep(2 * BUSY_INTERVAL_SECONDS)
    assert overlays_in(outgoing) == 2


def test_a_server_with_few_tables_shows_each_of_quick_changes(rooms, outgoing):
    room = watch(rooms, CountingTable(), outgoing)
    for name in ("first", "second", "third"):
        act(rooms, room, name)
    assert overlays_in(outgoing) == 3


def test_a_failing_overlay_does_not_delay_others(rooms, outgoing):
    gone = Connection("a", GM, 0, subscription=OverlaySubscription("gone", None))
    join(rooms, CountingTable(), gone, Connection("b", GM, 0, subscription=OverlaySubscription("orc", None)))
    assert outgoing[-1] == ("overlay", ["b"])
    assert gone.subscription is None


def test_a_room_is_forgotten_with_its_last_connection(rooms):
    table, connection = CountingTable(), Connection("a", GM, 0)
    room = join(rooms, table, connection)
    assert rooms.of(table) is room
    rooms.leave(room, connection)
    assert rooms.of(table) is not room


class WaitingTable(CountingTable):
    """A table whose commands wait for a disk, which fails while `is_down`."""

    is_down = False

    def execute(self, seat, command, on_saving=None):
        on_saving(SimpleNamespace(revision=self.revision + 1))
        gevent.idle()
        if self.is_down:
            raise StoreDown("The disk is full.")
        return super().execute(seat, command)


def watch(rooms, table, outgoing):
    """Have a GM watch an orc at a table; return the room."""
    room = join(rooms, table, Connection("a", GM, 0, subscription=OverlaySubscription("orc", None)))
    outgoing.clear()
    table.overlays = 0
    return room


def test_an_overlay_is_computed_while_the_disk_is_awaited_and_sent_after_the_entry(rooms, outgoing):
    table = WaitingTable()
    room = watch(rooms, table, outgoing)
    waiting = gevent.spawn(room.answer, GM, Command(id="c1", kind="act"))
    gevent.sleep(0)
    gevent.sleep(0)
    assert (table.overlays, table.revision, outgoing) == (1, 0, [])
    waiting.get(timeout=1)
    settle(rooms)
    assert table.overlays == 2  # a real table keeps the first and returns it
    assert outgoing == [("entries", ["a"]), ("overlay", ["a"])]


def test_the_server_looks_up_between_two_overlays_that_it_computes_ahead(rooms, outgoing):
    table = WaitingTable()
    room = watch(rooms, table, outgoing)
    room.connections["b"] = Connection("b", GM, 0, subscription=OverlaySubscription("elf", None))
    table.execute(GM, Command(id="c1", kind="act"), room.overlays.compute_ahead)
    assert table.overlays == 1  # stored meanwhile
    settle(rooms)
    assert table.overlays == 1  # the other is left to the scheduler


def test_an_overlay_of_a_state_that_could_not_be_stored_is_not_sent(rooms, outgoing):
    table = WaitingTable()
    room, table.is_down = watch(rooms, table, outgoing), True
    with pytest.raises(StoreDown):
        room.answer(GM, Command(id="c1", kind="act"))
    settle(rooms)
    assert (table.overlays, outgoing) == (1, [])


def test_a_busy_server_computes_no_overlay_ahead(rooms, outgoing):
    be_busy(rooms)
    table = WaitingTable()
    room, table.is_down = watch(rooms, table, outgoing), True
    with pytest.raises(StoreDown):
        room.answer(GM, Command(id="c1", kind="act"))
    assert table.overlays == 0


def test_a_table_without_compute_time_left_computes_no_overlay_ahead(rooms, outgoing):
    table = WaitingTable()
    room, table.is_down = watch(rooms, table, outgoing), True
    rooms._limiter._table_compute.of(table.id).take(10 * Limits().table_compute_ms_burst)
    with pytest.raises(StoreDown):
        room.answer(GM, Command(id="c1", kind="act"))
    assert table.overlays == 0


def test_a_client_that_joins_during_a_write_gets_the_written_entry(rooms, outgoing):
    table = WaitingTable()
    asked = gevent.spawn(rooms.of(table).answer, GM, Command(id="c1", kind="act"))
    gevent.sleep(0)
    connection = Connection("a", GM, None)
    rooms.enter(table, connection)
    asked.get(timeout=1)
    settle(rooms)
    assert outgoing == [("snapshot", ["a"]), ("entries", ["a"])]
    assert connection.last_seq == table.seq


class SlowTable(CountingTable):
    """A table that yields while it computes a delta."""

    def delta(self, seat, last_seq, is_hash_due):
        found = super().delta(seat, last_seq, is_hash_due)
        gevent.idle()
        return found


def test_a_player_gets_what_only_they_may_know_though_it_is_stored_during_a_broadcast(rooms, outgoing):
    player = Seat("player", "ann")

    class Table(CountingTable):
        secrets = 0
        told = []

        def audience(self, seat, _place):
            return SPECTATOR if seat == player and not self.secrets else seat

        def delta(self, seat, last_seq, is_hash_due):
            found = super().delta(seat, last_seq, is_hash_due)
            if seat == GM and self.seq == 1 and not self.secrets:
                self.secrets = 1  # another answer ran while this one rested
                self.revision += 1
            self.told.append((seat, last_seq))
            return found

    table = Table()
    watcher, ann = Connection("s", SPECTATOR, last_seq=0), Connection("p", player, last_seq=0)
    room = join(rooms, table, Connection("g", GM, last_seq=0), watcher, ann)
    table.told.clear()
    room.answer(GM, Command(id="a", kind="act"))
    settle(rooms)
    assert [one for one in table.told if one[0] != GM] == [(SPECTATOR, 0), (player, 0)]


def test_a_resync_during_a_broadcast_gets_a_snapshot(rooms, outgoing):
    connection = Connection("a", GM, 0)
    room = join(rooms, SlowTable(), connection)
    room.answer(GM, Command(id="c1", kind="sync", body={"why": "hash"}), connection)
    settle(rooms)
    assert outgoing[-1] == ("snapshot", ["a"])


class FailingTable(CountingTable):
    """A table whose store does not answer while `is_down`."""

    is_down = True

    def delta(self, seat, last_seq, is_hash_due):
        if self.is_down:
            raise StoreDown("The table cannot be read at the moment.")
        return super().delta(seat, last_seq, is_hash_due)


def test_a_failed_send_is_repeated_in_the_next_broadcast(rooms, outgoing):
    table = FailingTable()
    join(rooms, table, Connection("a", GM, None), Connection("b", SPECTATOR, None))
    assert outgoing == []
    table.is_down = False
    rooms.send_unsent()
    settle(rooms)
    assert outgoing == [("snapshot", ["a"]), ("snapshot", ["b"])]
    rooms.send_unsent()
    settle(rooms)
    assert len(outgoing) == 2


class DamagedTable(CountingTable):
    """A table that is closed because its log is damaged."""

    id = "damaged"
    is_closed = False

    @property
    def revision(self):
        if self.is_closed:
            raise Damaged("Table damaged is closed.")
        return 0

    @revision.setter
    def revision(self, number):
        pass


def test_a_closed_table_does_not_stop_housekeeping_of_the_others(rooms, outgoing, caplog):
    damaged, other = DamagedTable(), FailingTable()
    join(rooms, damaged, Connection("a", GM, 0))
    join(rooms, other, Connection("b", GM, 0))
    outgoing.clear()
    damaged.is_closed, other.is_down = True, False
    rooms.send_unsent()
    settle(rooms)
    assert outgoing == [("entries", ["b"])]
    assert "Table damaged: housekeeping failed" in caplog.text


def test_a_room_without_overlay_subscriptions_does_not_wait_for_the_scheduler(rooms):
    room = rooms.of(CountingTable())
    room.answer(GM, Command(id="c1", kind="act"))
    gevent.sleep(0)
    assert rooms._overlay_scheduler.is_idle


def test_broadcasts_after_each_other_run_in_one_greenlet_and_those_at_once_in_several():
    greenlets, ran = Greenlets(), []

    def broadcast():
        ran.append(gevent.getcurrent())

    def wait_for_others():
        broadcast()
        gevent.sleep(0.01)

    for _ in range(3):
        greenlets.start(broadcast)
        gevent.sleep(0)
    assert len(ran) == 3
    assert len(set(ran)) == 1
    for _ in range(MOST_WAITING + 2):
        greenlets.start(wait_for_others)
    gevent.sleep(0.05)
    assert len(set(ran)) == MOST_WAITING + 2
    before = set(ran)
    for _ in range(MOST_WAITING):
        greenlets.start(wait_for_others)
    gevent.sleep(0.05)
    assert set(ran) == before
