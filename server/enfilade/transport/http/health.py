"""Health checks and metrics for the operator: /health, /ready and /metrics."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, request

from enfilade.errors import EnfiladeError, Forbidden
from enfilade.i18n import localize
from enfilade.runtime.config import Config
from enfilade.transport.http.checks import is_local
from enfilade.transport.metrics import Metrics


class HealthRoutes:
    """The routes /health, /ready and /metrics."""

    def __init__(self, check_store: Callable[[], None], metrics: Metrics, config: Config) -> None:
        """`check_store` raises EnfiladeError unless this process may serve tables and its store answers."""
        self._check_store = check_store
        self._metrics = metrics
        self._config = config

    def blueprint(self) -> Blueprint:
        """Return the routes."""
        blueprint = Blueprint("health", __name__)
        blueprint.get("/health")(lambda: {"ok": True})
        blueprint.get("/ready")(self.ready)
        blueprint.get("/metrics")(self.metrics)
        return blueprint

    def ready(self) -> tuple[dict[str, Any], int]:
        """Answer 200 if the server can execute commands, else 503 and the error's code."""
        try:
            self._check_store()
        except EnfiladeError as problem:
            return {"ok": False, "code": problem.code}, 503
        return {"ok": True}, 200

    def metrics(self) -> Response:
        """Return the metrics to a local program, or to one with the metrics key."""
        if not (self._has_key() or is_local(request, self._config)):
            raise Forbidden(localize("server.metrics_key_needed"))
        return Response(self._metrics.render(), mimetype="text/plain; version=0.0.4")

    def _has_key(self) -> bool:
        header = request.authorization
        key = header.token if header and header.type == "bearer" and header.token else ""
        return self._config.metrics_key != "" and hmac.compare_digest(
            key.encode(), self._config.metrics_key.encode()
        )
