"""Coming to a table over HTTP: tables made, invitations, seats asked for and given, tickets for sockets.

No key is ever part of an address: they come in the header or the body, and a link has them behind its `#`.
"""

from __future__ import annotations

import logging
import secrets
from contextlib import AbstractContextManager
from typing import Any

from flask import Blueprint, request

from enfilade.config import Config
from enfilade.errors import EnfiladeError, Forbidden
from enfilade.messages import dump
from enfilade.messages.load import load_command
from enfilade.messages.members import ApproveSchema, AskSchema, CreateTableSchema, InviteSchema
from enfilade.play.tables import Tables
from enfilade.scene.seat import GM
from enfilade.store.members import Member
from enfilade.transport.clients import Clients
from enfilade.transport.http.checks import address_of, body_of, guard, key_in, must_be_operator
from enfilade.transport.limits.rate import JOIN, RateLimiter
from enfilade.transport.players import member_json, players
from enfilade.transport.rooms import Rooms
from enfilade.transport.shards import ALL, Shard
from enfilade.transport.tokens import TICKET_SECONDS, ConnectionTokens

log = logging.getLogger(__name__)

_CREATE, _INVITE, _ASK, _APPROVE = CreateTableSchema(), InviteSchema(), AskSchema(), ApproveSchema()
_LONGEST_ASKED = 1024
_CREATED = 201
_GONE = ("", 204)


class MembershipRoutes:
    """The routes by which somebody comes to a table, and by which its game master says who may."""

    def __init__(
        self,
        tables: Tables,
        rooms: Rooms,
        connection_tokens: ConnectionTokens,
        clients: Clients,
        limiter: RateLimiter,
        config: Config,
        shard: Shard = ALL,
    ) -> None:
        self._tables = tables
        self._members = tables.members
        self._rooms = rooms
        self._connection_tokens = connection_tokens
        self._clients = clients
        self._limiter = limiter
        self._config = config
        self._shard = shard

    def blueprint(self) -> Blueprint:
        """The routes, with the check of origins before each."""
        blueprint = Blueprint("doors", __name__)
        guard(blueprint, self._config, self._limiter, self._shard)
        at = "/api/tables/<table>"
        blueprint.post("/api/tables")(self.create)
        blueprint.post(f"{at}/tickets")(self.ticket)
        blueprint.post(f"{at}/invitations")(self.invite)
        blueprint.delete(f"{at}/invitations/<invitation>")(self.withdraw)
        blueprint.post(f"{at}/seats")(self.ask)
        blueprint.get(f"{at}/seats")(self.seats)
        blueprint.get(f"{at}/seat")(self.own_seat)
        blueprint.post(f"{at}/seats/<member>/approve")(self.approve)
        blueprint.delete(f"{at}/seats/<member>")(self.dismiss)
        return blueprint

    def create(self) -> Any:
        """Makes a table with an empty board; its keys are answered here and never again."""
        with self._trying():
            must_be_operator(request, self._config.operator_key)
        asked = body_of(request, _CREATE)
        return dump.plain(self._tables.create_empty(asked["ruleset"], asked["name"])), _CREATED

    def ticket(self, table: str) -> Any:
        """A ticket for one connection, for whoever holds a key and has a seat."""
        member = self._seated(table)
        ticket = self._connection_tokens.ticket(member, request.headers.get("Origin", ""))
        return {"ticket": ticket, "seconds": TICKET_SECONDS}, _CREATED

    def invite(self, table: str) -> Any:
        """Makes an invitation; its secret is answered here and never again."""
        self._must_be_gm(table)
        asked = body_of(request, _INVITE)
        made = self._members.invite(table, asked["role"], asked["hours"])
        self._clients.tell_players(table)
        return dump.plain(made), _CREATED

    def withdraw(self, table: str, invitation: str) -> Any:
        """Takes an invitation back: whoever came by it is cut."""
        self._must_be_gm(table)
        for member in self._members.withdraw(table, invitation):
            self._see_out(member)
        self._clients.tell_players(table)
        return _GONE

    def ask(self, table: str) -> Any:
        """Comes by an invitation, with a name; the key is answered here and never again."""
        request.max_content_length = _LONGEST_ASKED  # anybody may ask, without a key
        with self._trying():
            asked = body_of(request, _ASK)
            joined = self._members.ask(table, asked["invitation"], asked["name"])
        self._clients.tell_players(table)
        return {
            "seat": joined.seat,
            "role": joined.role,
            "seated": joined.is_seated,
            "key": joined.key,
        }, _CREATED

    def seats(self, table: str) -> Any:
        """Everybody who has a key of the table, and its invitations: for the game master."""
        self._must_be_gm(table)
        return players(self._members, table, self._clients.online(table))

    def own_seat(self, table: str) -> Any:
        """The seat that the key is for, also while its holder waits for it."""
        with self._trying():
            return member_json(self._members.holder(table, key_in(request)))

    def approve(self, table: str, member: str) -> Any:
        """Lets a player in who waits, and gives them tokens."""
        gm = self._must_be_gm(table)
        tokens = body_of(request, _APPROVE)["tokens"]
        self._members.name(table, member)
        if tokens:  # first: where one of them is not there, nothing is done
            self._give(gm, member, tokens)
        seated = self._members.approve(table, member)
        self._clients.tell_players(table)
        return member_json(seated)

    def dismiss(self, table: str, member: str) -> Any:
        """Refuses one who waits, or takes a seat away: its keys are dead and its connections cut."""
        self._must_be_gm(table)
        self._see_out(self._members.dismiss(table, member))
        self._clients.tell_players(table)
        return _GONE

    def _see_out(self, member: Member) -> None:
        """Cuts somebody whose key is dead already, and takes their tokens back."""
        self._clients.cut(member.table, member.id)
        if member.role == "player":
            try:
                self._give(member, member.id, [])
            except EnfiladeError as problem:  # the tokens of somebody who is gone open nothing to anybody
                log.warning("Tokens of %s at table %s stay as they are: %s", member.id, member.table, problem)

    def _give(self, anybody: Member, player: str, tokens: list[str]) -> None:
        body = {"player": player, "tokens": tokens}
        command = load_command({"v": 1, "id": secrets.token_hex(16), "kind": "tokens.assign", "body": body})
        self._rooms.of(self._tables.of(anybody)).answer(GM, command)

    def _trying(self) -> AbstractContextManager[None]:
        return self._limiter.auth_attempt(address_of(request))

    def _seated(self, table: str) -> Member:
        """Whoever has the key that is asked with; counts what they ask. Raises Forbidden, RateLimited."""
        with self._trying():
            member = self._members.seated_member(table, key_in(request))
        self._limiter.charge(self._limiter.quota(table, member.seat, address_of(request)), JOIN)
        return member

    def _must_be_gm(self, table: str) -> Member:
        member = self._seated(table)
        if member.role != "gm":
            raise Forbidden("Only the game master may say who comes to the table.")
        return member
