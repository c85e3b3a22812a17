"""What whoever runs the server asks it: is it alive, is it ready to serve, how is it doing."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, request

from enfilade.config import Config
from enfilade.errors import EnfiladeError, Forbidden
from enfilade.transport.http.checks import is_own
from enfilade.transport.metrics import Metrics


class HealthRoutes:
    """The routes /health, /ready and /metrics."""

    def __init__(self, must_be_ready: Callable[[], None], metrics: Metrics, config: Config) -> None:
        """`must_be_ready` raises EnfiladeError where the store does not answer, or is not up to date."""
        self._must_be_ready = must_be_ready
        self._metrics = metrics
        self._config = config

    def blueprint(self) -> Blueprint:
        """The routes."""
        blueprint = Blueprint("watch", __name__)
        blueprint.get("/health")(lambda: {"ok": True})
        blueprint.get("/ready")(self.ready)
        blueprint.get("/metrics")(self.metrics)
        return blueprint

    def ready(self) -> tuple[dict[str, Any], int]:
        """Whether commands can be done now: 503, with the reason's code, where they cannot."""
        try:
            self._must_be_ready()
        except EnfiladeError as problem:
            return {"ok": False, "code": problem.code}, 503
        return {"ok": True}, 200

    def metrics(self) -> Response:
        """The counts, for a program on this machine or one with the key in the settings."""
        if not (self._has_key() or is_own(request)):
            raise Forbidden("The metrics are for whoever runs this server; see ENFILADE_METRICS_KEY.")
        return Response(self._metrics.page(), mimetype="text/plain; version=0.0.4")

    def _has_key(self) -> bool:
        given = request.authorization
        key = given.token if given and given.type == "bearer" and given.token else ""
        return self._config.metrics_key != "" and hmac.compare_digest(
            key.encode(), self._config.metrics_key.encode()
        )
