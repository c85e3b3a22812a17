"""Every HTTP request of a seat counts against its quota (an app without a port)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from enfilade.app import App, create_app
from enfilade.messages.examples import SCENE
from enfilade.messages.load import load_scene
from enfilade.runtime.config import Config, Limits

FEW_COMMANDS = Limits(gm_multiplier=1, commands_burst=20, commands_per_second=1)
LITTLE_TIME = Limits(gm_multiplier=1, compute_ms_burst=1, compute_ms_per_second=1)


@dataclass
class KeyHolder:
    """A seat that sends requests with its key."""

    app: App
    table: str
    key: str

    def __call__(self, method: str, what: str, **more: Any) -> Any:
        """Return the answer to a request."""
        headers = {"Authorization": f"Bearer {self.key}"}
        path = f"/api/tables/{self.table}/{what}"
        return self.app.flask.test_client().open(path, method=method, headers=headers, **more)

    def statuses(self, method: str, what: str, times: int) -> list[int]:
        return [self(method, what).status_code for _ in range(times)]


@pytest.fixture
def visit(tmp_path):
    """Return a function that starts a server with some limits and returns its GM."""
    apps = []

    def start(limits: Limits) -> KeyHolder:
        app = create_app(Config(data=tmp_path, limits=limits))
        apps.append(app)
        links = app.tables.create(load_scene(SCENE))
        return KeyHolder(app, links.table, links.gm_key)

    yield start
    for app in apps:
        app.close()


@pytest.mark.parametrize("what", ["scene", "log"])
def test_reading_the_scene_or_the_log_costs_as_much_as_connecting(visit, what):
    assert visit(FEW_COMMANDS).statuses("GET", what, 5) == [200] * 4 + [429]


@pytest.mark.parametrize("what", ["scene", "log"])
def test_the_time_to_read_the_scene_or_the_log_is_charged_to_the_seat(visit, what):
    assert visit(LITTLE_TIME).statuses("GET", what, 2) == [200, 429]


@pytest.mark.parametrize(("method", "what", "status"), [("POST", "tickets", 201), ("GET", "seats", 200)])
def test_each_request_with_a_key_counts_as_a_command(visit, method, what, status):
    assert visit(FEW_COMMANDS).statuses(method, what, 21) == [status] * 20 + [429]


@pytest.mark.parametrize(
    ("body", "status"), [(b"{", 400), (b'{"invitation": "x"}', 400), (b"[" * 2_000, 413)]
)
def test_a_request_without_a_key_has_a_small_body_limit(visit, body, status):
    gm = visit(Limits(wrong_keys_burst=5, wrong_keys_per_second=1))
    codes = [gm("POST", "seats", data=body).status_code for _ in range(6)]
    assert codes[0] == status
    assert codes[-1] == (status if status == 413 else 429)
