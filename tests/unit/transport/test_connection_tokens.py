"""Tickets and resume tokens in time, in every store, and after a restart."""

from __future__ import annotations

import gevent
import pytest

from enfilade.app import create_app
from enfilade.config import Config
from enfilade.errors import Forbidden, RateLimited, TooMany
from enfilade.messages.examples import SCENE
from enfilade.messages.load import load_scene
from enfilade.play.members import MAX_WAITING, Members, hash_secret
from enfilade.store.members import Member
from enfilade.store.memory import MemoryStore
from enfilade.store.sql.members import SqlMembers
from enfilade.store.sql.tables import SqlStore
from enfilade.transport.tokens import IDLE_SECONDS, TICKET_SECONDS, ConnectionTokens, CopiedTokenError

MIA = Member(table="t", id="mia", role="player", name="Mia")
HOUR = 3600


def is_free(member, line):
    """Nothing keeps a member from coming in."""


class Clock:
    now = 1_000_000.0

    def __call__(self):
        return self.now


class Door:
    def __init__(self, store):
        self.clock, self.store = Clock(), store
        self.members = Members(store.members, self.clock)
        self.connection_tokens = ConnectionTokens(store.members, self.members, self.clock)
        store.members.add_member(MIA, hash_secret("key"))


@pytest.fixture(params=["memory", "sqlite"])
def door(request, tmp_path):
    if request.param == "memory":
        yield Door(MemoryStore())
        return
    store = SqlStore(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    yield Door(store)
    store.close()


def test_a_ticket_is_good_once_and_for_a_minute(door):
    ticket = door.connection_tokens.create_ticket(MIA, "")
    assert door.connection_tokens.redeem("t", ticket, "").member == MIA
    late = door.connection_tokens.create_ticket(MIA, "")
    door.clock.now += TICKET_SECONDS
    for used in (ticket, late):
        with pytest.raises(Forbidden):
            door.connection_tokens.redeem("t", used, "")


@pytest.mark.parametrize(("table", "origin"), [("u", ""), ("t", "https://evil.example.org")])
def test_a_ticket_that_is_tried_wrongly_is_used_up(door, table, origin):
    ticket = door.connection_tokens.create_ticket(MIA, "")
    with pytest.raises(Forbidden):
        door.connection_tokens.redeem(table, ticket, origin)
    with pytest.raises(Forbidden):
        door.connection_tokens.redeem("t", ticket, "")


def test_a_token_that_was_idle_too_long_is_dead(door):
    admitted = door.connection_tokens.redeem("t", door.connection_tokens.create_ticket(MIA, ""), "")
    door.clock.now += IDLE_SECONDS - 1
    again = door.connection_tokens.resume("t", admitted.resume, is_free)
    door.clock.now += IDLE_SECONDS
    with pytest.raises(Forbidden):
        door.connection_tokens.resume("t", again.resume, is_free)


def test_a_token_that_comes_twice_ends_its_whole_line(door):
    admitted = door.connection_tokens.redeem("t", door.connection_tokens.create_ticket(MIA, ""), "")
    again = door.connection_tokens.resume("t", admitted.resume, is_free)
    with pytest.raises(CopiedTokenError) as copied:
        door.connection_tokens.resume("t", admitted.resume, is_free)
    assert copied.value.session == again.session
    with pytest.raises(Forbidden):
        door.connection_tokens.resume("t", again.resume, is_free)


def test_a_token_that_is_refused_entry_is_good_still(door):
    admitted = door.connection_tokens.redeem("t", door.connection_tokens.create_ticket(MIA, ""), "")

    def is_full(member, line):
        assert (member, line) == (MIA, admitted.session)
        raise RateLimited("This table is full.", 1000)

    for _ in range(3):
        with pytest.raises(RateLimited):
            door.connection_tokens.resume("t", admitted.resume, is_full)
    assert door.connection_tokens.resume("t", admitted.resume, is_free).session == admitted.session


def test_a_token_is_good_for_two_hours_after_its_connection_was_last_there(door):
    admitted = door.connection_tokens.redeem("t", door.connection_tokens.create_ticket(MIA, ""), "")
    for _ in range(5):
        door.clock.now += IDLE_SECONDS - 1
        door.connection_tokens.extend([admitted.session])
        door.connection_tokens.redeem(
            "t", door.connection_tokens.create_ticket(MIA, ""), ""
        )  # which forgets what has expired
    door.clock.now += IDLE_SECONDS - 1
    assert door.connection_tokens.resume("t", admitted.resume, is_free).session == admitted.session


def test_lines_that_were_taken_up_elsewhere_or_sent_away_are_known_to_have_ended(door):
    first, second = (
        door.connection_tokens.redeem("t", door.connection_tokens.create_ticket(MIA, ""), "")
        for _ in range(2)
    )
    lines = {line.session: line.token for line in (first, second)}
    assert door.connection_tokens.find_ended(lines) == {}
    door.connection_tokens.resume("t", first.resume, is_free)
    assert door.connection_tokens.find_ended(lines) == {first.session: first.token}
    door.members.dismiss("t", "mia")
    assert door.connection_tokens.find_ended(lines) == lines


def test_more_lines_than_one_statement_names_are_all_looked_up(door):
    lines = [
        door.connection_tokens.redeem("t", door.connection_tokens.create_ticket(MIA, ""), "")
        for _ in range(3)
    ]
    known = {line.session: line.token for line in lines}
    gone = {f"gone-{number}": "x" for number in range(1_200)}
    assert door.connection_tokens.find_ended({**gone, **known}) == gone
    door.connection_tokens.extend([*gone, *known])


def test_a_removed_member_cannot_return(door):
    admitted = door.connection_tokens.redeem("t", door.connection_tokens.create_ticket(MIA, ""), "")
    ticket = door.connection_tokens.create_ticket(MIA, "")
    door.members.dismiss("t", "mia")
    for way in (
        lambda: door.members.seated_member("t", "key"),
        lambda: door.connection_tokens.redeem("t", ticket, ""),
        lambda: door.connection_tokens.resume("t", admitted.resume, is_free),
    ):
        with pytest.raises(Forbidden):
            way()


def test_no_secret_is_kept(door):
    invited = door.members.invite("t", "player", 1)
    joined = door.members.ask("t", invited.secret, "Kit")
    ticket = door.connection_tokens.create_ticket(MIA, "")
    kept = repr(vars(door.store.members)) if isinstance(door.store, MemoryStore) else dumped(door.store)
    assert hash_secret(ticket) in kept
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
    for _ in range(MAX_WAITING):
        door.members.ask("t", secret, "Kit")
    with pytest.raises(TooMany):
        door.members.ask("t", secret, "Kit")


def test_keys_hold_after_a_restart(tmp_path):
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    before = Door(SqlStore(url))
    ticket = before.connection_tokens.create_ticket(MIA, "")
    before.store.close()
    after = SqlStore(url)
    members = Members(after.members, before.clock)
    assert members.seated_member("t", "key") == MIA
    assert ConnectionTokens(after.members, members, before.clock).redeem("t", ticket, "").member == MIA
    after.close()


def test_however_many_come_back_at_once_a_seat_has_no_more_sockets_than_it_may(tmp_path, monkeypatch):
    renew = SqlMembers.renew_session
    monkeypatch.setattr(SqlMembers, "renew_session", lambda *given: gevent.sleep(0.01) or renew(*given))
    app = create_app(Config(data=tmp_path))
    links = app.tables.create(load_scene(SCENE))
    gm = app.tables.members.seated_member(links.table, links.gm_key)
    connect = app.socketio.server.handlers["/"]["connect"]
    tokens = [
        app.connection_tokens.redeem(gm.table, app.connection_tokens.create_ticket(gm, ""), "").resume
        for _ in range(10)
    ]
    auths = [{"table": gm.table, "resume": token} for token in tokens]
    coming = [gevent.spawn(connect, f"s{i}", {}, auth) for i, auth in enumerate(auths)]
    gevent.joinall(coming)
    refused = {token: one.exception for token, one in zip(tokens, coming, strict=True) if one.exception}
    assert [why.error_args["data"]["code"] for why in refused.values()] == ["rate-limited"] * 6
    assert all(app.connection_tokens.resume(gm.table, token, is_free) for token in refused), "good still"
    assert len(app.rooms.seats(app.tables.of(gm))) == app.config.limits.seat_sockets
