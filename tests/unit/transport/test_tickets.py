"""Tickets in time, in every store, and after a restart."""

from __future__ import annotations

import gevent
import pytest

from enfilade.app import create_app
from enfilade.errors import Forbidden, TooMany
from enfilade.messages.examples import SCENE
from enfilade.messages.load import load_scene
from enfilade.play.members import MAX_WAITING, Members, hash_secret
from enfilade.runtime.config import Config
from enfilade.store.members import Member
from enfilade.store.memory import MemoryStore
from enfilade.store.sql.members import SqlMembers
from enfilade.store.sql.tables import SqlStore
from enfilade.transport.tickets import TICKET_SECONDS, Tickets

MIA = Member(table="t", id="mia", role="player", name="Mia")
HOUR = 3600


class Clock:
    now = 1_000_000.0

    def __call__(self):
        return self.now


class TicketServer:
    """The tickets and members of a store, on a manual clock."""

    def __init__(self, store):
        self.clock, self.store = Clock(), store
        self.members = Members(store.members, self.clock)
        self.tickets = Tickets(store.members, self.members, self.clock)
        store.members.add_member(MIA, hash_secret("key"))


@pytest.fixture(params=["memory", "sqlite"])
def server(request, tmp_path):
    if request.param == "memory":
        yield TicketServer(MemoryStore())
        return
    store = SqlStore(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    yield TicketServer(store)
    store.close()


def test_a_ticket_opens_one_connection_within_a_minute(server):
    ticket = server.tickets.create(MIA, "")
    assert server.tickets.redeem("t", ticket, "").member == MIA
    late = server.tickets.create(MIA, "")
    server.clock.now += TICKET_SECONDS
    for used in (ticket, late):
        with pytest.raises(Forbidden):
            server.tickets.redeem("t", used, "")


@pytest.mark.parametrize(("table", "origin"), [("u", ""), ("t", "https://evil.example.org")])
def test_a_failed_attempt_uses_a_ticket_up(server, table, origin):
    ticket = server.tickets.create(MIA, "")
    with pytest.raises(Forbidden):
        server.tickets.redeem(table, ticket, origin)
    with pytest.raises(Forbidden):
        server.tickets.redeem("t", ticket, "")


def test_a_removed_member_cannot_return(server):
    ticket = server.tickets.create(MIA, "")
    server.members.dismiss("t", "mia")
    for attempt in (
        lambda: server.members.seated_member("t", "key"),
        lambda: server.tickets.redeem("t", ticket, ""),
    ):
        with pytest.raises(Forbidden):
            attempt()


def test_a_ticket_of_a_replaced_key_opens_nothing(server):
    ticket = server.tickets.create(MIA, "")
    server.members.replace_player_key("t", "mia")
    with pytest.raises(Forbidden):
        server.tickets.redeem("t", ticket, "")


def test_a_grant_lasts_as_long_as_the_key_by_which_it_was_got(server):
    grant = server.tickets.redeem("t", server.tickets.create(MIA, ""), "")
    assert server.tickets.is_current(grant)
    server.members.replace_player_key("t", "mia")
    assert not server.tickets.is_current(grant)
    again = server.tickets.redeem("t", server.tickets.create(MIA, ""), "")
    assert server.tickets.is_current(again)
    server.members.dismiss("t", "mia")
    assert not server.tickets.is_current(again)


def test_the_keys_of_more_tables_than_fit_one_statement_are_looked_up(server):
    others = [f"table-{number}" for number in range(1_200)]
    assert server.tickets.current_keys([*others, "t"]) == {("t", "mia"): hash_secret("key")}
    assert server.tickets.current_keys([]) == {}


def test_the_store_holds_hashes_and_no_secrets(server):
    invited = server.members.invite("t", "player", 1)
    joined = server.members.ask("t", invited.secret, "Kit")
    ticket = server.tickets.create(MIA, "")
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
    server = TicketServer(SqlStore(f"sqlite:///{tmp_path / 'tables.sqlite'}"))
    ticket = server.tickets.create(MIA, "https://a.example")
    for _ in range(2):
        server.tickets.require_valid("t", ticket, "https://a.example")
    for table, origin in (("u", "https://a.example"), ("t", "")):
        with pytest.raises(Forbidden):
            server.tickets.require_valid(table, ticket, origin)
    server.tickets.redeem("t", ticket, "https://a.example")
    with pytest.raises(Forbidden):
        server.tickets.require_valid("t", ticket, "https://a.example")
    server.store.close()


def test_keys_and_tickets_survive_a_restart(tmp_path):
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    before = TicketServer(SqlStore(url))
    ticket = before.tickets.create(MIA, "")
    before.store.close()
    after = SqlStore(url)
    members = Members(after.members, before.clock)
    assert members.seated_member("t", "key") == MIA
    assert Tickets(after.members, members, before.clock).redeem("t", ticket, "").member == MIA
    after.close()


def test_simultaneous_connects_do_not_exceed_the_sockets_of_a_seat(tmp_path, monkeypatch):
    redeem = SqlMembers.redeem_ticket
    monkeypatch.setattr(SqlMembers, "redeem_ticket", lambda *given: gevent.sleep(0.01) or redeem(*given))
    app = create_app(Config(data=tmp_path))
    links = app.tables.create(load_scene(SCENE))
    gm = app.tables.members.seated_member(links.table, links.gm_key)
    connect = app.socketio.server.handlers["/"]["connect"]
    auths = [{"table": gm.table, "ticket": app.tickets.create(gm, "")} for _ in range(14)]
    connecting = [gevent.spawn(connect, f"s{i}", {}, auth) for i, auth in enumerate(auths)]
    gevent.joinall(connecting)
    refused = [one.exception for one in connecting if one.exception]
    assert [why.error_args["data"]["code"] for why in refused] == ["seat-full"] * 6
    assert len(app.rooms.seats(app.tables.of(gm))) == app.config.limits.gm_sockets
    app.close()
