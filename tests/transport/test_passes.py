"""Tickets and resume tokens in time, in every store, and after a restart."""

from __future__ import annotations

import pytest

from enfilade.errors import Forbidden, TooMany
from enfilade.play.members import MOST_WAITING, Members, hashed
from enfilade.store.keys import Member
from enfilade.store.memory import MemoryStore
from enfilade.store.sql import SqlStore
from enfilade.transport.passes import IDLE_SECONDS, TICKET_SECONDS, CopiedTokenError, Passes

MIA = Member(table="t", id="mia", role="player", name="Mia")
HOUR = 3600


class Clock:
    now = 1_000_000.0

    def __call__(self):
        return self.now


class Door:
    def __init__(self, store):
        self.clock, self.store = Clock(), store
        self.members = Members(store.keys, self.clock)
        self.passes = Passes(store.keys, self.members, self.clock)
        store.keys.admit(MIA, hashed("key"))


@pytest.fixture(params=["memory", "sqlite"])
def door(request, tmp_path):
    if request.param == "memory":
        yield Door(MemoryStore())
        return
    store = SqlStore(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    yield Door(store)
    store.close()


def test_a_ticket_is_good_once_and_for_a_minute(door):
    ticket = door.passes.ticket(MIA, "")
    assert door.passes.redeem("t", ticket, "").member == MIA
    late = door.passes.ticket(MIA, "")
    door.clock.now += TICKET_SECONDS
    for used in (ticket, late):
        with pytest.raises(Forbidden):
            door.passes.redeem("t", used, "")


@pytest.mark.parametrize(("table", "origin"), [("u", ""), ("t", "https://evil.example.org")])
def test_a_ticket_that_is_tried_wrongly_is_used_up(door, table, origin):
    ticket = door.passes.ticket(MIA, "")
    with pytest.raises(Forbidden):
        door.passes.redeem(table, ticket, origin)
    with pytest.raises(Forbidden):
        door.passes.redeem("t", ticket, "")


def test_a_token_that_was_idle_too_long_is_dead(door):
    admitted = door.passes.redeem("t", door.passes.ticket(MIA, ""), "")
    door.clock.now += IDLE_SECONDS - 1
    again = door.passes.resume("t", admitted.resume)
    door.clock.now += IDLE_SECONDS
    with pytest.raises(Forbidden):
        door.passes.resume("t", again.resume)


def test_a_token_that_comes_twice_ends_its_whole_line(door):
    admitted = door.passes.redeem("t", door.passes.ticket(MIA, ""), "")
    again = door.passes.resume("t", admitted.resume)
    with pytest.raises(CopiedTokenError) as copied:
        door.passes.resume("t", admitted.resume)
    assert copied.value.session == again.session
    with pytest.raises(Forbidden):
        door.passes.resume("t", again.resume)


def test_whoever_is_sent_away_comes_in_by_nothing(door):
    admitted = door.passes.redeem("t", door.passes.ticket(MIA, ""), "")
    ticket = door.passes.ticket(MIA, "")
    door.members.dismiss("t", "mia")
    for way in (
        lambda: door.members.seated("t", "key"),
        lambda: door.passes.redeem("t", ticket, ""),
        lambda: door.passes.resume("t", admitted.resume),
    ):
        with pytest.raises(Forbidden):
            way()


def test_no_secret_is_kept(door):
    invited = door.members.invite("t", "player", 1)
    joined = door.members.ask("t", invited.secret, "Kit")
    ticket = door.passes.ticket(MIA, "")
    kept = repr(vars(door.store.keys)) if isinstance(door.store, MemoryStore) else dumped(door.store)
    assert hashed(ticket) in kept
    assert not any(secret in kept for secret in (invited.secret, joined.key, ticket))


def dumped(store):
    with store._database.reading() as connection:
        return "\n".join(connection.connection.dbapi_connection.iterdump())


def test_an_invitation_expires(door):
    secret = door.members.invite("t", "player", 1).secret
    door.clock.now += HOUR
    assert door.members.invitations("t") == []
    with pytest.raises(Forbidden):
        door.members.ask("t", secret, "Kit")


def test_only_so_many_may_wait(door):
    secret = door.members.invite("t", "player", 1).secret
    for _ in range(MOST_WAITING):
        door.members.ask("t", secret, "Kit")
    with pytest.raises(TooMany):
        door.members.ask("t", secret, "Kit")


def test_keys_hold_after_a_restart(tmp_path):
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    before = Door(SqlStore(url))
    ticket = before.passes.ticket(MIA, "")
    before.store.close()
    after = SqlStore(url)
    members = Members(after.keys, before.clock)
    assert members.seated("t", "key") == MIA
    assert Passes(after.keys, members, before.clock).redeem("t", ticket, "").member == MIA
    after.close()
