"""Only a valid key, invitation or ticket moves a table to the process that a request reaches."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa
from socketio.exceptions import ConnectionRefusedError
from tests.unit.store.conftest import postgres, postgres_url  # noqa: F401 - fixtures

from enfilade.app import create_app
from enfilade.runtime.config import Config, Limits
from enfilade.scene.model import GM
from enfilade.store.sql.schema import TABLES

ANYWHERE = ("POST", "tickets")
"""Every process creates tickets."""


@pytest.fixture
def app(tmp_path, postgres_url):  # noqa: F811
    limits = Limits(wrong_keys_burst=10_000)
    app = create_app(Config(data=tmp_path, store=postgres_url, process="a", limits=limits))
    yield app
    app.close()


@pytest.fixture
def links(app):
    return app.tables.create_empty("coup_de_grace", "")


@pytest.fixture
def owner(app, links):
    """Return the owner of the table as the database has it; empty if there is none."""
    engine = sa.create_engine(app.config.store.replace("postgresql", "postgresql+psycopg"))

    def owner():
        with engine.connect() as connection:
            return connection.scalar(sa.select(TABLES.c.owner).where(TABLES.c.id == links.table))

    yield owner
    engine.dispose()


def request(app, links, method, route, key="", **body):
    app.ownership.renew()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    client = app.flask.test_client()
    answer = client.open(
        f"/api/tables/{links.table}/{route}".rstrip("/"), method=method, headers=headers, **body
    )
    return answer.status_code


def connect(app, sid="s", **auth):
    app.ownership.renew()
    app.socketio.server.handlers["/"]["connect"](sid, {}, auth)


def routes(app):
    """Return the method and the path of every route of a table; each further part of the path is "any"."""
    return {
        (method, re.sub("<[^>]*>", "any", "/".join(rule.rule.split("/")[4:])))
        for rule in app.flask.url_map.iter_rules()
        if rule.rule.startswith("/api/tables/<")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }


def test_no_route_takes_a_table_without_a_key_or_with_a_wrong_one(app, links, owner):
    found = routes(app)
    assert {ANYWHERE, ("POST", "commands"), ("GET", "assets/any"), ("DELETE", "seats/any")} <= found
    statuses = {request(app, links, *route, key=key) for route in found for key in ("", "wrong")}
    body = {"json": {"invitation": "wrong", "name": "Mia"}}
    assert request(app, links, "POST", "seats", **body) == 403
    assert statuses <= {400, 403}, "400 is a request to join without a body"
    assert owner() == ""


def test_a_key_takes_a_table(app, links, owner):
    assert request(app, links, "GET", "scene", key=links.gm_key) == 200
    assert owner() == app.ownership._leases.process


def test_an_invitation_takes_a_table_and_is_then_used(app, links, owner):
    invitation = app.tables.members.invite(links.table, "player", 1).secret
    body = {"json": {"invitation": invitation, "name": "Mia"}}
    assert request(app, links, "POST", "seats", **body) == 201
    assert owner() != ""


def test_a_ticket_is_created_without_taking_the_table(app, links, owner):
    assert request(app, links, "POST", "tickets", key=links.gm_key) == 201
    assert owner() == ""


def test_a_ticket_names_the_owner_of_the_table_while_it_lives(app, links, owner):
    def process_of_ticket():
        app.ownership.renew()
        headers = {"Authorization": f"Bearer {links.gm_key}"}
        client = app.flask.test_client()
        return client.post(f"/api/tables/{links.table}/tickets", headers=headers).json["process"]

    assert process_of_ticket() == "a"
    other = app.store.lease_tables("b")
    assert other.claim(links.table).is_this
    assert process_of_ticket() == "b"
    other.release_all()
    assert process_of_ticket() == "a"


def test_a_socket_with_a_wrong_ticket_takes_no_table(app, links, owner):
    with pytest.raises(ConnectionRefusedError) as refusal:
        connect(app, table=links.table, ticket="wrong")
    assert (refusal.value.error_args["data"]["code"], owner()) == ("forbidden", "")


def test_a_ticket_takes_a_table_and_stays_valid_where_it_takes_none(app, links, owner):
    gm = app.tables.members.by_id(links.table, GM.role)
    connect(app, table=links.table, ticket=app.tickets.create(gm, ""))
    assert owner() != ""
    ticket = app.tickets.create(gm, "")
    app.ownership._leases.release_all()
    app.ownership._replace({})
    with pytest.raises(ConnectionRefusedError):  # a process that has drained takes nothing
        connect(app, "t", table=links.table, ticket=ticket)
    assert app.tickets.redeem(links.table, ticket, "").member == gm
