"""HTTP routes that look back at a battle: replay, statistics, and a run under other house rules."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Blueprint, Response, request

from enfilade.analysis.past import past_of
from enfilade.analysis.timeline import MAX_PAGE
from enfilade.errors import Forbidden
from enfilade.i18n import localize
from enfilade.messages import dump
from enfilade.messages.acts import TryRulesSchema
from enfilade.play.table import Table
from enfilade.play.tables import Tables
from enfilade.rules.house_rules import check_settings
from enfilade.runtime.config import Config
from enfilade.runtime.time_budget import TimeBudget
from enfilade.scene.model import GM, Seat
from enfilade.tactics.overlays import Overlay
from enfilade.transport.http.checks import enter_seat, guard, load_body, query_number, require_seat_key
from enfilade.transport.limits.rate import RateLimiter, SeatQuota
from enfilade.transport.rules_diff_jobs import RulesDiffJobs
from enfilade.transport.shards import ALL, LocalTables

_TRY_RULES = TryRulesSchema()


MAX_OVERLAYS = 20
"""The most overlays of the past in one answer."""

OVERLAYS_SECONDS = 0.1
"""The compute time after which an answer with overlays of the past ends: a client asks for the rest."""


class AnalysisRoutes:
    """The routes /api/tables/ID/replay, /statistics and /rules-diff."""

    def __init__(
        self,
        tables: Tables,
        diffs: RulesDiffJobs,
        limiter: RateLimiter,
        config: Config,
        shard: LocalTables = ALL,
    ) -> None:
        self._tables = tables
        self._diffs = diffs
        self._limiter = limiter
        self._config = config
        self._shard = shard

    def blueprint(self) -> Blueprint:
        """Return the routes behind their checks."""
        blueprint = Blueprint("analysis", __name__)
        require_key = partial(require_seat_key, self._tables.members, self._limiter)
        guard(blueprint, self._config, self._limiter, self._shard, require_key)
        table = "/api/tables/<table_id>"
        blueprint.get(f"{table}/replay")(self.replay)
        blueprint.get(f"{table}/statistics")(self.statistics)
        blueprint.post(f"{table}/rules-diff")(self.start_rules_diff)
        blueprint.get(f"{table}/rules-diff/<job>")(self.rules_diff)
        blueprint.delete(f"{table}/rules-diff/<job>")(self.cancel_rules_diff)
        return blueprint

    def replay(self, table_id: str) -> Response:
        """Return the entries after the entry `start`, at most `limit`, and the scene before them.

        Without `start` they are the last ones. With `token` and `at` the answer has `overlays`, those of
        that token after the entry `at` and the next ones: at most `limit`, and fewer once they take long.
        """
        table, seat, quota = self._enter(table_id)
        self._limiter.charge(quota, "overlay.show")
        with self._limiter.compute_budget(quota, "overlay.show") as budget:
            found: Any
            if "token" in request.args:
                found = {"overlays": _past_overlays(table, seat, budget)}
            else:
                start = query_number("start", 0, 2**53) if "start" in request.args else None
                limit = query_number("limit", 1, MAX_PAGE, MAX_PAGE)
                found = past_of(table).replay(table, seat, start, limit)
            return Response(dump.json_bytes(found), mimetype="application/json")

    def statistics(self, table_id: str) -> Response:
        """Return the statistics of the battle; the answer says how many entries are counted so far."""
        table, seat, quota = self._enter(table_id)
        self._limiter.charge(quota, "overlay.show")
        with self._limiter.compute_budget(quota, "overlay.show"):
            found = past_of(table).statistics(table, seat)
            return Response(dump.json_bytes(found), mimetype="application/json")

    def start_rules_diff(self, table_id: str) -> Any:
        """Start to run the battle again under the house rules of the body, in a process of its own."""
        table, _, quota = self._enter_as_gm(table_id)
        self._limiter.charge(quota, "scene.set")
        chosen = load_body(request, _TRY_RULES)["house_rules"]
        check_settings(chosen, table.ruleset.house_rules)
        with self._limiter.compute_budget(quota):
            past_of(table).scene(table, GM, 0)  # a long log is walked back here, under the seat's limits
        lines = self._limiter.charge_stream(quota, past_of(table).battle_lines(table))
        return dump.plain(self._diffs.start(table_id, lines, table.seq, chosen).as_answer()), 202

    def rules_diff(self, table_id: str, job: str) -> Any:
        """Return the progress of a run under other house rules, and its result once it is there."""
        _, _, quota = self._enter_as_gm(table_id)
        self._limiter.charge(quota, "")
        return dump.plain(self._diffs.find(table_id, job).as_answer())

    def cancel_rules_diff(self, table_id: str, job: str) -> Any:
        """Cancel a run under other house rules."""
        _, _, quota = self._enter_as_gm(table_id)
        self._limiter.charge(quota, "")
        self._diffs.find(table_id, job)
        self._diffs.cancel(table_id)
        return "", 204

    def _enter_as_gm(self, table_id: str) -> tuple[Table, Seat, SeatQuota]:
        table, seat, quota = self._enter(table_id)
        if seat.role != "gm":
            raise Forbidden(localize("server.rules_diff_needs_gm"))
        return table, seat, quota

    def _enter(self, table_id: str) -> tuple[Table, Seat, SeatQuota]:
        return enter_seat(self._tables, self._limiter, table_id)


def _past_overlays(table: Table, seat: Seat, budget: TimeBudget) -> list[Overlay | None]:
    layers = request.args.get("layers")
    asked = past_of(table).overlays(
        table,
        seat,
        request.args["token"],
        query_number("at", 0, 2**53),
        query_number("limit", 1, MAX_OVERLAYS, 1),
        layers.split(",") if layers else None,
    )
    found = []
    for overlay in asked:
        found.append(overlay)
        if budget.spent > OVERLAYS_SECONDS:
            break
    return found
