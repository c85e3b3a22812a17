"""Membership over HTTP: create tables, invite and seat players, remove them, and issue tickets for sockets.

Keys travel in a header or a body, never in a URL that a server could log. Links carry them behind the `#`.
"""

from __future__ import annotations

import logging
import math
import secrets
from contextlib import AbstractContextManager
from typing import Any

from flask import Blueprint, request
from msgspec.structs import replace

from enfilade.errors import BadInput, EnfiladeError, Forbidden
from enfilade.i18n import localize
from enfilade.importers.demo import demo_battle
from enfilade.messages import dump
from enfilade.messages.dump import Joined, ReplacedKey, TicketInfo
from enfilade.messages.load import load_command
from enfilade.messages.members import (
    ApproveSchema,
    AskSchema,
    CreateTableSchema,
    DeleteTableSchema,
    InviteSchema,
    ReplaceKeySchema,
)
from enfilade.play.tables import Tables
from enfilade.play.view import view
from enfilade.rules.registry import find_ruleset
from enfilade.runtime.config import Config
from enfilade.scene.model import GM, SPECTATOR
from enfilade.store.members import Member
from enfilade.transport.clients import Clients, players_of, seat_of_member
from enfilade.transport.http.checks import (
    bearer_key,
    client_address,
    guard,
    is_local,
    load_body,
    require_operator,
)
from enfilade.transport.http.uploads import put_imported
from enfilade.transport.limits.connections import ConnectionLimiter
from enfilade.transport.limits.rate import JOIN, RateLimiter
from enfilade.transport.rooms import Rooms
from enfilade.transport.shards import ALL, LocalTables
from enfilade.transport.tickets import TICKET_SECONDS, Tickets

log = logging.getLogger(__name__)

_CREATE, _INVITE, _JOIN, _APPROVE = CreateTableSchema(), InviteSchema(), AskSchema(), ApproveSchema()
_REPLACE_KEY, _DELETE = ReplaceKeySchema(), DeleteTableSchema()
_MAX_JOIN_BYTES = 1024
_CREATED = 201
_NO_CONTENT = ("", 204)
_ANYWHERE = {"membership.create_ticket"}
"""Any process may create a ticket, a row of the store, so the table's process may be down then."""


class MembershipRoutes:
    """The routes by which players join a table, and by which its GM decides who may."""

    def __init__(
        self,
        tables: Tables,
        rooms: Rooms,
        tickets: Tickets,
        clients: Clients,
        limiter: RateLimiter,
        connections: ConnectionLimiter,
        config: Config,
        shard: LocalTables = ALL,
    ) -> None:
        self._tables = tables
        self._members = tables.members
        self._rooms = rooms
        self._tickets = tickets
        self._clients = clients
        self._limiter = limiter
        self._connections = connections
        self._config = config
        self._shard = shard

    def blueprint(self) -> Blueprint:
        """Return the routes behind their checks."""
        blueprint = Blueprint("membership", __name__)
        guard(blueprint, self._config, self._limiter, self._shard, self._require_key, _ANYWHERE)
        table = "/api/tables/<table>"
        blueprint.get("/api/games")(self.list_games)
        blueprint.get("/api/games/<game>/battle")(self.show_battle)
        blueprint.post("/api/tables")(self.create_table)
        blueprint.delete(table)(self.delete_table)
        blueprint.post(f"{table}/tickets")(self.create_ticket)
        blueprint.post(f"{table}/keys")(self.replace_key)
        blueprint.post(f"{table}/invitations")(self.invite)
        blueprint.delete(f"{table}/invitations/<invitation>")(self.revoke_invitation)
        blueprint.post(f"{table}/seats")(self.join)
        blueprint.get(f"{table}/seats")(self.list_members)
        blueprint.get(f"{table}/seat")(self.show_own_seat)
        blueprint.post(f"{table}/seats/<member>/approve")(self.approve)
        blueprint.post(f"{table}/seats/<member>/key")(self.replace_player_key)
        blueprint.delete(f"{table}/seats/<member>")(self.remove_member)
        return blueprint

    def create_table(self) -> Any:
        """Create a table with an empty board or a battle. This response alone holds its keys."""
        with self._auth_attempt():
            require_operator(request, self._config)
        body = load_body(request, _CREATE)
        links = self._tables.create_empty(body["ruleset"], body["name"])
        if body["battle"]:
            with self._limiter.time_limited(links.table, math.inf):  # dice and map take long
                table, _ = self._tables.enter(links.table, links.gm_key)
                battle = demo_battle(table.ruleset)
            scene = replace(battle.scene, name=body["name"] or battle.scene.name)
            put_imported(self._rooms.of(table), replace(battle, scene=scene))
        return dump.plain(links), _CREATED

    def delete_table(self, table: str) -> Any:
        """Delete a table for good, for its GM, who repeats its name; all connections to it are cut."""
        gm = self._require_gm(table)
        if load_body(request, _DELETE)["name"] != self._tables.of(gm).scene.name:
            raise BadInput(localize("play.table_name_differs"))
        self._tables.delete(table)
        self._clients.disconnect_table(table)
        log.info("Table %s was deleted by its GM", table)
        return _NO_CONTENT

    def list_games(self) -> Any:
        """List the games of this server, and whether the sender needs the operator's key for a new table."""
        games = [
            {"key": key, "title": game.title, "summary": game.summary}
            for key, game in self._tables.rulesets.items()
        ]
        needs_key = bool(self._config.operator_key) or not is_local(request, self._config)
        return {"games": games, "needs_key": needs_key}

    def show_battle(self, game: str) -> Any:
        """Return the scene of a game's ready-made battle as a spectator would see it. Raises NotFound."""
        ruleset = find_ruleset(self._tables.rulesets, game)
        return dump.plain(view(demo_battle(ruleset).scene, SPECTATOR))

    def create_ticket(self, table: str) -> Any:
        """Create a ticket for one socket connection of a seated member."""
        member = self._require_member(table)
        ticket = self._tickets.create(member, request.headers.get("Origin", ""))
        process = self._shard.process_of(table)
        info = TicketInfo(ticket=ticket, seconds=TICKET_SECONDS, process=process)
        return dump.plain(info), _CREATED

    def replace_key(self, table: str) -> Any:
        """Replace the key of the GM's or the spectators' link, and cut the connections that used it.

        This response alone holds the new key.
        """
        self._require_gm(table)
        member, key = self._members.replace_key(table, load_body(request, _REPLACE_KEY)["role"])
        self._clients.disconnect_member(table, member.id)
        return dump.plain(ReplacedKey(role=member.role, key=key)), _CREATED

    def replace_player_key(self, table: str, member: str) -> Any:
        """Replace a player's key, and cut the connections that used it.

        This response alone holds the new key.
        """
        self._require_gm(table)
        player, key = self._members.replace_player_key(table, member)
        self._clients.disconnect_member(table, player.id)
        return dump.plain(ReplacedKey(role=player.role, key=key)), _CREATED

    def invite(self, table: str) -> Any:
        """Create an invitation. This response alone holds its secret."""
        self._require_gm(table)
        body = load_body(request, _INVITE)
        invitation = self._members.invite(table, body["role"], body["hours"])
        self._clients.schedule_members_update(table)
        return dump.plain(invitation), _CREATED

    def revoke_invitation(self, table: str, invitation: str) -> Any:
        """Revoke an invitation and disconnect the players who joined by it."""
        self._require_gm(table)
        for member in self._members.withdraw(table, invitation):
            self._disconnect(member)
        self._clients.schedule_members_update(table)
        return _NO_CONTENT

    def join(self, table: str) -> Any:
        """Join by an invitation, under a name. This response alone holds the player's key."""
        body = self._load_join()
        with self._auth_attempt():
            joined = self._members.ask(table, body["invitation"], body["name"])
        self._clients.schedule_members_update(table)
        seat = Joined(seat=joined.seat, role=joined.role, seated=joined.is_seated, key=joined.key)
        return dump.plain(seat), _CREATED

    def list_members(self, table: str) -> Any:
        """List a table's members, pending join requests and open invitations, for its GM."""
        self._require_gm(table)
        return dump.plain(players_of(self._members, table, self._clients.online_members(table)))

    def show_own_seat(self, table: str) -> Any:
        """Return the seat of the key's holder, approved or not."""
        with self._auth_attempt():
            return dump.plain(seat_of_member(self._members.holder(table, bearer_key(request))))

    def approve(self, table: str, member: str) -> Any:
        """Seat a player with a pending join request and assign tokens to them."""
        gm = self._require_gm(table)
        tokens = load_body(request, _APPROVE)["tokens"]
        self._members.name(table, member)
        if tokens:  # before approval, so that an unknown token leaves the request pending
            self._assign_tokens(gm, member, tokens)
        seated = self._members.approve(table, member)
        self._clients.schedule_members_update(table)
        return dump.plain(seat_of_member(seated))

    def remove_member(self, table: str, member: str) -> Any:
        """Decline a join request, or remove a player: revoke the keys and cut the connections."""
        self._require_gm(table)
        self._disconnect(self._members.dismiss(table, member))
        self._clients.schedule_members_update(table)
        return _NO_CONTENT

    def _disconnect(self, member: Member) -> None:
        """Cut the connections of a member whose keys are revoked, and unassign the member's tokens."""
        self._clients.disconnect_member(member.table, member.id)
        if member.role == "player":
            try:
                self._assign_tokens(member, member.id, [])
            except EnfiladeError as problem:  # harmless: no key of that player is left
                log.warning("Tokens of %s at table %s stay assigned: %s", member.id, member.table, problem)

    def _assign_tokens(self, actor: Member, player: str, tokens: list[str]) -> None:
        body = {"player": player, "tokens": tokens}
        command = load_command({"v": 1, "id": secrets.token_hex(16), "kind": "tokens.assign", "body": body})
        self._rooms.of(self._tables.of(actor)).answer(GM, command)

    def _auth_attempt(self) -> AbstractContextManager[None]:
        return self._limiter.auth_attempt(client_address(request))

    def _require_key(self, table: str) -> None:
        """Raise Forbidden unless the request has a key, or an invitation to join."""
        if request.endpoint == "membership.join":
            body = self._load_join()
            with self._auth_attempt():
                self._members.require_invitation(table, body["invitation"])
            return
        with self._auth_attempt():
            self._members.holder(table, bearer_key(request))

    def _load_join(self) -> dict[str, Any]:
        """Return the body of a request to join, whose route needs no key. Raises BadMessage."""
        request.max_content_length = _MAX_JOIN_BYTES
        request.get_data(cache=True)  # it is read twice if this process does not own the table yet
        with self._auth_attempt():
            return load_body(request, _JOIN)

    def _require_member(self, table: str) -> Member:
        """Return the seated member who sends the request, and charge it. Raises Forbidden, RateLimited."""
        with self._auth_attempt():
            member = self._members.seated_member(table, bearer_key(request))
        self._connections.remember(client_address(request))
        self._limiter.charge(self._limiter.quota(table, member.seat, client_address(request)), JOIN)
        return member

    def _require_gm(self, table: str) -> Member:
        member = self._require_member(table)
        if member.role != "gm":
            raise Forbidden(localize("server.members_need_gm"))
        return member
