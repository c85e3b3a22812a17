"""A process serves a table only while its lease is current, and names the right process to the others."""

from __future__ import annotations

import pytest

from enfilade.errors import Forbidden, OtherProcess, StoreDown
from enfilade.store.sql.leases import Owner
from enfilade.transport import ownership as module
from enfilade.transport.ownership import Ownership, redirect_target


class Leases:
    """Leases in memory, whose database can be cut; the real ones are tested with PostgreSQL."""

    lease_seconds, name = 4.0, "a"

    def __init__(self):
        self.owners, self.is_cut = {}, False

    def _reach(self):
        if self.is_cut:
            raise StoreDown("cut")

    def claim(self, table):
        self._reach()
        return self.owners.setdefault(table, Owner(True, 1, "this"))

    def owner(self, table):
        self._reach()
        return self.owners.get(table, Owner(False, 0, ""))

    def renew(self):
        self._reach()
        return {table: owner.fence for table, owner in self.owners.items() if owner.is_this}

    def release_all(self):
        self._reach()
        self.owners = {}


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def process(clock):
    leases, fences, lost = Leases(), [], []
    found = Ownership(leases, fences.append)
    found.listeners.append(lost.append)
    found.leases, found.fences, found.lost = leases, fences, lost
    return found


def test_a_table_without_an_owner_is_owned_once_it_is_asked_for(process):
    assert not process.has("t")
    process.require_owned("t")
    assert process.has("t")
    assert process.fences == [{"t": 1}]


def test_the_table_of_another_process_is_refused_with_its_name(process):
    process.leases.owners["t"] = Owner(False, 3, "b")
    with pytest.raises(OtherProcess) as refusal:
        process.require_owned("t")
    assert (refusal.value.process, process.has("t")) == ("b", False)


def test_a_sender_without_a_key_is_refused_before_the_table_is_taken(process):
    def require_key():
        raise Forbidden("no key")

    with pytest.raises(Forbidden):
        process.require_local("t", require_key)
    assert (process.leases.owners, process.has("t")) == ({}, False)
    process.require_local("t", lambda: None)
    process.require_local("t", require_key)  # it has the table: the route itself checks the key


def hand_over_when_awaited(process, monkeypatch, next_owner):
    """Give the table to another owner at the first wait; return the list of the seconds waited."""
    waits = []

    def sleep(seconds):
        waits.append(seconds)
        process.leases.owners["t"] = next_owner

    monkeypatch.setattr(module.gevent, "sleep", sleep)
    return waits


def test_the_end_of_the_lease_of_a_late_process_is_awaited(process, monkeypatch):
    process.leases.owners["t"] = Owner(False, 3, "b", seconds_left=1.5)
    waits = hand_over_when_awaited(process, monkeypatch, Owner(True, 4, "this"))
    process.require_owned("t")
    assert (process.has("t"), [round(wait, 1) for wait in waits]) == (True, [1.5])


def test_a_late_process_that_renews_its_lease_after_all_is_named(process, monkeypatch):
    process.leases.owners["t"] = Owner(False, 3, "b", seconds_left=1.5)
    monkeypatch.setattr(module.gevent, "sleep", lambda _: None)
    with pytest.raises(OtherProcess) as refusal:
        process.require_owned("t")
    assert refusal.value.process == "b"


def test_the_process_that_the_proxy_cannot_reach_is_waited_for_although_it_is_not_late(process, monkeypatch):
    process.leases.owners["t"] = Owner(False, 3, "b", seconds_left=3.9)
    waits = hand_over_when_awaited(process, monkeypatch, Owner(True, 4, "a"))
    with pytest.raises(OtherProcess):
        process.require_local("t", lambda: None, "c")
    process.require_local("t", lambda: None, "b")
    assert (process.has("t"), [round(wait, 1) for wait in waits]) == (True, [3.9])


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (Owner(False, 3, "b", seconds_left=3), "b"),
        (Owner(False, 3, "b", seconds_left=2), "a"),
        (Owner(False, 3, ""), "a"),
        (Owner(True, 3, "a", seconds_left=3), "a"),
        (None, "a"),
    ],
)
def test_clients_are_sent_to_a_living_owner_and_else_to_the_process_that_they_ask(process, owner, name):
    process.leases.owners["t"] = owner
    assert process.process_of("t") == name


def test_clients_of_an_own_table_are_sent_here_without_a_question_to_the_database(process):
    process.require_owned("t")
    process.leases.is_cut = True
    assert process.process_of("t") == "a"


def test_a_process_that_wakes_after_its_lease_serves_nothing_before_it_has_renewed(process, clock):
    process.require_owned("t")
    clock[0] += Leases.lease_seconds
    assert not process.has("t")
    with pytest.raises(StoreDown):
        process.require_owned("t")
    process.leases.owners["t"] = Owner(False, 2, "b")
    process.renew()
    assert (process.lost, process.has("t")) == (["t"], False)


def test_it_stops_before_its_lease_ends(process, clock):
    process.require_owned("t")
    clock[0] += Leases.lease_seconds * 0.8
    assert not process.has("t")


def test_a_renewal_keeps_the_tables_and_cuts_nobody(process, clock):
    process.require_owned("t")
    clock[0] += 2
    process.renew()
    clock[0] += 2
    assert (process.has("t"), process.lost) == (True, [])


def test_a_table_that_came_back_with_a_new_number_is_read_again(process):
    process.require_owned("t")
    process.leases.owners["t"] = Owner(True, 3, "this")
    process.renew()
    assert (process.lost, process.fences[-1]) == (["t"], {"t": 3})


def test_without_the_database_the_tables_are_dropped_once_the_lease_ends(process, clock):
    process.require_owned("t")
    process.leases.is_cut = True
    process._drop_if_ended()
    assert process.lost == []
    clock[0] += Leases.lease_seconds
    process._drop_if_ended()
    assert process.lost == ["t"]


def test_a_table_that_is_claimed_during_a_renewal_is_kept(process):
    renew = process.leases.renew

    def renewed():
        owned = renew()
        process.require_owned("t")
        return owned

    process.leases.renew = renewed
    process.renew()
    assert (process.has("t"), process.lost) == (True, [])


def test_a_late_renewal_before_the_end_of_the_lease_keeps_the_clients(process, clock):
    process.require_owned("t")
    clock[0] += Leases.lease_seconds * 0.9
    process._drop_if_ended()
    assert (process.has("t"), process.lost) == (False, [])
    process.renew()
    assert (process.has("t"), process.lost) == (True, [])


@pytest.mark.parametrize("is_cut", [False, True])
def test_a_process_that_drains_cuts_its_clients_and_is_not_ready(process, is_cut):
    process.require_owned("t")
    process.leases.is_cut = is_cut
    process.drain()
    assert (process.lost, process.is_ready, process.fences[-1]) == (["t"], False, {})
    with pytest.raises(OtherProcess) as refusal:
        process.require_owned("t")
    assert refusal.value.process == ""


@pytest.mark.parametrize(
    ("path", "status"),
    [("/api/tables/t/log", "503"), ("/socket.io/", "503"), ("/health", "200"), ("/apis", "200")],
)
def test_while_it_drains_the_proxy_is_told_to_ask_another(process, path, status):
    def app(_environ, start_response):
        start_response("200 OK", [])
        return []

    process.drain()
    found = []
    process.refuse_unready(app)({"PATH_INFO": path}, lambda line, _headers: found.append(line[:3]))
    assert found == [status]


@pytest.mark.parametrize(
    ("process", "query", "target"),
    [
        ("b", "", "/x?process=b"),
        ("b", "after=3&process=a", "/x?after=3&process=b"),
        ("b", "process=b", ""),
        ("", "", ""),
    ],
)
def test_a_request_is_sent_on_once_to_the_named_process(process, query, target):
    assert redirect_target(OtherProcess("", process), "/x", query) == target
