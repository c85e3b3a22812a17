"""HTTP routes of branches: open one, play it, compare it with the present, show it, throw it away."""

from __future__ import annotations

from functools import partial
from typing import Any

import orjson
from flask import Blueprint, Response, request
from msgspec import structs

from enfilade.analysis.branches import Branch, Branches, compare, info_of
from enfilade.messages import dump
from enfilade.messages.acts import OpenBranchSchema, ShowBranchSchema
from enfilade.messages.dump import BranchComparison, BranchNews
from enfilade.messages.load import load_command
from enfilade.play.command import Entries
from enfilade.play.table import Table
from enfilade.play.tables import Tables
from enfilade.runtime.config import Config
from enfilade.scene.model import Seat
from enfilade.transport import strict_json
from enfilade.transport.http.checks import enter_seat, guard, load_body, query_number, require_seat_key
from enfilade.transport.limits.rate import CONNECT, RateLimiter, SeatQuota
from enfilade.transport.rooms import Rooms
from enfilade.transport.shards import ALL, LocalTables

_OPEN, _SHOW = OpenBranchSchema(), ShowBranchSchema()


class BranchRoutes:
    """The routes under /api/tables/ID/branches."""

    def __init__(
        self, tables: Tables, rooms: Rooms, limiter: RateLimiter, config: Config, shard: LocalTables = ALL
    ) -> None:
        self._tables = tables
        self._rooms = rooms
        self._limiter = limiter
        self._config = config
        self._shard = shard
        self._branches = Branches(tables.rulesets, ended=self._tell_end)
        tables.forgotten.append(self._branches.forget)

    def blueprint(self) -> Blueprint:
        """Return the routes behind their checks."""
        blueprint = Blueprint("branches", __name__)
        require_key = partial(require_seat_key, self._tables.members, self._limiter)
        guard(blueprint, self._config, self._limiter, self._shard, require_key)
        branches = "/api/tables/<table_id>/branches"
        blueprint.post(branches)(self.open)
        blueprint.get(branches)(self.list)
        blueprint.delete(f"{branches}/<branch_id>")(self.close)
        blueprint.post(f"{branches}/<branch_id>/show")(self.show)
        blueprint.post(f"{branches}/<branch_id>/commands")(self.command)
        blueprint.get(f"{branches}/<branch_id>/update")(self.update)
        blueprint.get(f"{branches}/<branch_id>/comparison")(self.comparison)
        return blueprint

    def open(self, table_id: str) -> Any:
        """Open a branch of the present, or of the moment after the entry `at`."""
        table, seat, quota = self._enter(table_id)
        self._limiter.charge(quota, CONNECT)
        body = load_body(request, _OPEN)
        with self._limiter.compute_budget(quota):
            branch = self._branches.open(table, seat, body["at"])
        self._tell(branch)
        return dump.plain(info_of(branch, seat)), 201

    def list(self, table_id: str) -> Any:
        """Return the branches that the seat may see."""
        table, seat, quota = self._enter(table_id)
        self._limiter.charge(quota, "")
        return {"branches": [dump.plain(one) for one in self._branches.list(table, seat)]}

    def close(self, table_id: str, branch_id: str) -> Any:
        """Throw a branch away."""
        table, seat, quota = self._enter(table_id)
        self._limiter.charge(quota, "")
        self._branches.close(table, seat, branch_id)
        return "", 204

    def show(self, table_id: str, branch_id: str) -> Any:
        """Show a branch to all seats of the table, or no longer."""
        table, seat, quota = self._enter(table_id)
        self._limiter.charge(quota, "ping")
        branch = self._branches.own(table, seat, branch_id)
        branch.is_shown = load_body(request, _SHOW)["is_shown"]
        self._tell(branch, is_for_all=True, is_shown=branch.is_shown)
        return dump.plain(info_of(branch, seat))

    def command(self, table_id: str, branch_id: str) -> Any:
        """Execute the owner's command in the branch; return its acknowledgment."""
        table, seat, quota = self._enter(table_id)
        command = load_command(strict_json.decode(request.get_data(cache=False)))
        self._limiter.charge(quota, command.kind)
        branch = self._branches.find(table, seat, branch_id)
        with self._limiter.compute_budget(quota, command.kind):
            if command.kind == "overlay.show":
                return self._overlay(branch, seat, command.id, command.body)
            done = branch.execute(seat, command)
            return dump.ack(command.id, done)

    def _overlay(self, branch: Branch, seat: Seat, command: str, body: dict[str, Any]) -> Response:
        own = branch.seat_of(seat)
        overlay = branch.table.overlay(own, body["token"], body["layers"]) if body["token"] else None
        answer = {"ok": True, "id": command, "seq": branch.table.number(own)}
        result = {"overlay": overlay and dump.fragment(overlay)}
        return Response(orjson.dumps({**answer, "result": result}), mimetype="application/json")

    def update(self, table_id: str, branch_id: str) -> Response:
        """Return what a page lacks of the branch: the entries after `after`, or a snapshot without it."""
        table, seat, quota = self._enter(table_id)
        self._limiter.charge(quota, "")
        branch = self._branches.find(table, seat, branch_id)
        own = branch.seat_of(seat)
        after = query_number("after", 0, 2**53) if request.args.get("after") else None
        with self._limiter.compute_budget(quota):
            # A branch has few entries, and numbers of spectators are not those of its log.
            place = None if after is None else _place(branch.table, own, after)
            delta = branch.table.delta(own, place)
            kind = "entries" if isinstance(delta.body, Entries) else "snapshot"
            update = dump.written(branch.id, branch.table.epoch, kind, delta.number, delta.body)
            return Response(orjson.dumps(update), mimetype="application/json")

    def comparison(self, table_id: str, branch_id: str) -> Any:
        """Return the units that the branch and the present have otherwise, and the last numbers of both."""
        table, seat, quota = self._enter(table_id)
        self._limiter.charge(quota, "")
        branch = self._branches.find(table, seat, branch_id)
        with self._limiter.compute_budget(quota):
            found = compare(table, branch, seat)
        info = structs.asdict(info_of(branch, seat))
        return dump.plain(BranchComparison(differences=tuple(found), **info))

    def _tell_end(self, branch: Branch) -> None:
        self._tell(branch, is_for_all=branch.is_shown, is_shown=False)

    def _tell(self, branch: Branch, *, is_for_all: bool = False, is_shown: bool = False) -> None:
        """Tell all seats, or the GM alone, that a branch began, is shown or not, or ended."""
        news = BranchNews(branch=branch.id, name=branch.owner_name, is_shown=is_shown)
        self._rooms.tell(branch.source, "branch", news, None if is_for_all else "gm")

    def _enter(self, table_id: str) -> tuple[Table, Seat, SeatQuota]:
        return enter_seat(self._tables, self._limiter, table_id)


def _place(table: Table, seat: Seat, number: int) -> int | None:
    """Return the log position of a number in a seat's view; None if there is none."""
    return next((place for place in range(table.seq + 1) if table.number_at(seat, place) == number), None)
