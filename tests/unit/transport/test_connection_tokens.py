"""Tickets and resume tokens in time, in every store, and after a restart."""

from __future__ import annotations

import gevent
import pytest

from enfilade.app import create_app
from enfilade.errors import Forbidden, RateLimited, TooMany
from enfilade.messages.examples import SCENE
from enfilade.messages.load import load_scene
from enfilade.play.members import MAX_WAITING, Members, hash_secret
from enfilade.runtime.config import Config
from enfilade.store.members import Member
from enfilade.store.memory import MemoryStore
from enfilade.store.sql.members import SqlMembers
from enfilade.store.sql.tables import SqlStore
from enfilade.transport.tokens import IDLE_SECONDS, TICKET_SECONDS, ConnectionTokens, CopiedTokenError

MIA = Member(table="t", id="mia", role="player", name="Mia")
HOUR = 3600


def allow(member, session):
    """Let every member connect."""


class Clock:
    now = 1_000_000.0

    def __call__(self):
        return self.now


class TokenServer:
    """The tokens and members of a store, on a manual clock."""

    def __init__(self, store):
        self.clock, self.store = Clock(), store
        self.members = Members(store.members, self.clock)
        self.tokens = ConnectionTokens(store.members, self.members, self.clock)
        store.members.add_member(MIA, hash_secret("key"))

    def start_session(self):
        """Connect Mia with a ticket, and return the grant."""
        return self.tokens.redeem("t", self.tokens.create_ticket(MIA, ""), "")


@pytest.fixture(params=["memory", "sqlite"])
def server(request, tmp_path):
    if request.param == "memory":
        yield TokenServer(MemoryStore())
        return
    store = SqlStore(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    yield TokenServer(store)
    store.close()


def test_a_ticket_opens_one_connection_within_a_minute(server):
    ticket = server.tokens.create_ticket(MIA, "")
    assert server.tokens.redeem("t", ticket, "").member == MIA
    late = server.tokens.create_ticket(MIA, "")
    server.clock.now += TICKET_SECONDS
    for used in (ticket, late):
        with pytest.raises(Forbidden):
            server.tokens.redeem("t", used, "")


@pytest.mark.parametrize(("table", "origin"), [("u", ""), ("t", "https://evil.example.org")])
def test_a_failed_attempt_uses_a_ticket_up(server, table, origin):
    ticket = server.tokens.create_ticket(MIA, "")
    with pytest.raises(Forbidden):
        server.tokens.redeem(table, ticket, origin)
    with pytest.raises(Forbidden):
        server.tokens.redeem("t", ticket, "")


def test_a_resume_token_expires_if_it_is_idle_too_long(server):
    admitted = server.start_session()
    server.clock.now += IDLE_SECONDS - 1
    again = server.tokens.resume("t", admitted.resume, allow)
    server.clock.now += IDLE_SECONDS
    with pytest.raises(Forbidden):
        server.tokens.resume("t", again.resume, allow)


def test_a_resume_token_that_arrives_twice_ends_its_session(server):
    admitted = server.start_session()
    again = server.tokens.resume("t", admitted.resume, allow)
    with pytest.raises(CopiedTokenError) as copied:
        server.tokens.resume("t", admitted.resume, allow)
    assert copied.value.session == again.session
    with pytest.raises(Forbidden):
        server.tokens.resume("t", again.resume, allow)


def test_a_refused_connection_does_not_use_the_token_up(server):
    admitted = server.start_session()

    def refuse(member, session):
        assert (member, session) == (MIA, admitted.session)
        raise RateLimited("This table is full.", 1000)

    for _ in range(3):
        with pytest.raises(RateLimited):
            server.tokens.resume("t", admitted.resume, refuse)
    assert server.tokens.resume("t", admitted.resume, allow).session == admitted.session


def test_a_token_is_valid_for_two_hours_after_its_connection_ends(server):
    admitted = server.start_session()
    for _ in range(5):
        server.clock.now += IDLE_SECONDS - 1
        server.tokens.extend([admitted.session])
        ticket = server.tokens.create_ticket(MIA, "")
        server.tokens.redeem("t", ticket, "")  # deletes expired sessions
    server.clock.now += IDLE_SECONDS - 1
    assert server.tokens.resume("t", admitted.resume, allow).session == admitted.session


def test_sessions_that_moved_or_were_removed_are_found(server):
    first, second = (server.start_session() for _ in range(2))
    sessions = {grant.session: grant.token for grant in (first, second)}
    assert server.tokens.find_ended(sessions) == {}
    server.tokens.resume("t", first.resume, allow)
    assert server.tokens.find_ended(sessions) == {first.session: first.token}
    server.members.dismiss("t", "mia")
    assert server.tokens.find_ended(sessions) == sessions


def test_more_sessions_than_fit_one_statement_are_looked_up(server):
    grants = [server.start_session() for _ in range(3)]
    known = {grant.session: grant.token for grant in grants}
    gone = {f"gone-{number}": "x" for number in range(1_200)}
    assert server.tokens.find_ended({**gone, **known}) == gone
    server.tokens.extend([*gone, *known])


def test_a_removed_member_cannot_return(server):
    admitted = server.start_session()
    ticket = server.tokens.create_ticket(MIA, "")
    server.members.dismiss("t", "mia")
    for attempt in (
        lambda: server.members.seated_member("t", "key"),
        lambda: server.tokens.redeem("t", ticket, ""),
        lambda: server.tokens.resume("t", admitted.resume, allow),
    ):
        with pytest.raises(Forbidden):
            attempt()


def test_the_store_holds_hashes_and_no_secrets(server):
    invited = server.members.invite("t", "player", 1)
    joined = server.members.ask("t", invited.secret, "Kit")
    ticket = server.tokens.create_ticket(MIA, "")
    stored = repr(vars(server.store.members)) if isinstance(server.store, MemoryStore) else dump(server.store)
    assert hash_secret(ticket) in stored
    assert not any(secret in stored for secret in (invited.secret, joined.key, ticket))


def dump(store):
    with store._database.reading() as connection:
        return "\n".join(connection.connection.dbapi_connection.iterdump())


def test_an_invitation_expires(server):
    secret = server.members.invite("t", "player", 1).secret
    server.clock.now += HOUR
    assert server.members.invitations("t") == []
    with pytest.raises(Forbidden):
        server.members.ask("t", secret, "Kit")


def test_the_number_of_waiting_players_is_limited(server):
    secrets = [server.members.invite("t", "player", 1).secret for _ in range(MAX_WAITING + 1)]
    for secret in secrets[:-1]:
        server.members.ask("t", secret, "Kit")
    with pytest.raises(TooMany):
        server.members.ask("t", secrets[-1], "Kit")


def test_to_check_credentials_does_not_use_them_up(tmp_path):
    server = TokenServer(SqlStore(f"sqlite:///{tmp_path / 'tables.sqlite'}"))
    ticket = server.tokens.create_ticket(MIA, "https://a.example")
    for _ in range(2):
        server.tokens.require_valid("t", ticket, "", "https://a.example")
    for table, origin in (("u", "https://a.example"), ("t", "")):
        with pytest.raises(Forbidden):
            server.tokens.require_valid(table, ticket, "", origin)
    grant = server.tokens.redeem("t", ticket, "https://a.example")
    for _ in range(2):
        server.tokens.require_valid("t", "", grant.resume, "")
    with pytest.raises(Forbidden):
        server.tokens.require_valid("t", ticket, "", "https://a.example")
    with pytest.raises(CopiedTokenError):
        server.tokens.require_valid("t", "", f"{grant.session}.wrong", "")
    with pytest.raises(Forbidden):
        server.tokens.require_valid("t", "", grant.resume, "")
    server.store.close()


def test_keys_and_tickets_survive_a_restart(tmp_path):
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    before = TokenServer(SqlStore(url))
    ticket = before.tokens.create_ticket(MIA, "")
    before.store.close()
    after = SqlStore(url)
    members = Members(after.members, before.clock)
    assert members.seated_member("t", "key") == MIA
    assert ConnectionTokens(after.members, members, before.clock).redeem("t", ticket, "").member == MIA
    after.close()


def test_simultaneous_reconnects_do_not_exceed_the_sockets_of_a_seat(tmp_path, monkeypatch):
    renew = SqlMembers.renew_session
    monkeypatch.setattr(SqlMembers, "renew_session", lambda *given: gevent.sleep(0.01) or renew(*given))
    app = create_app(Config(data=tmp_path))
    links = app.tables.create(load_scene(SCENE))
    gm = app.tables.members.seated_member(links.table, links.gm_key)
    connect = app.socketio.server.handlers["/"]["connect"]
    tokens = [
        app.connection_tokens.redeem(gm.table, app.connection_tokens.create_ticket(gm, ""), "").resume
        for _ in range(14)
    ]
    auths = [{"table": gm.table, "resume": token} for token in tokens]
    connecting = [gevent.spawn(connect, f"s{i}", {}, auth) for i, auth in enumerate(auths)]
    gevent.joinall(connecting)
    refused = {token: one.exception for token, one in zip(tokens, connecting, strict=True) if one.exception}
    assert [why.error_args["data"]["code"] for why in refused.values()] == ["seat-full"] * 6
    assert all(app.connection_tokens.resume(gm.table, token, allow) for token in refused), "still valid"
    assert len(app.rooms.seats(app.tables.of(gm))) == app.config.limits.gm_sockets
