"""Requests with slow bodies: the server checks again once they have arrived (an app without a port)."""

from __future__ import annotations

import io
import json

import gevent
import pytest
from gevent.event import Event
from werkzeug.test import EnvironBuilder

from enfilade.app import create_app
from enfilade.messages.examples import SCENE
from enfilade.messages.load import load_scene
from enfilade.runtime.config import Config, Limits
from enfilade.scene.model import GM
from enfilade.transport.http.uploads import SMALL_BYTES
from enfilade.transport.room_overlays import Connection

TIMEOUT_SECONDS = 10
DIMENSIONS = {"sceneX": 0, "sceneY": 0, "sceneWidth": 1000, "sceneHeight": 600}
YARD = {"name": "Yard", "width": 1000, "height": 600, "padding": 0, "grid": {"type": 1, "size": 100}}
SCENE_UPLOAD = json.dumps({**YARD, "dimensions": DIMENSIONS}).encode()


class SlowBody(io.RawIOBase):
    """A body that arrives when the test sets `arrives`."""

    def __init__(self, data):
        self._data = io.BytesIO(data)
        self.is_awaited = Event()
        self.arrives = Event()

    def readable(self):
        return True

    def readinto(self, buffer):
        self.is_awaited.set()
        self.arrives.wait()
        return self._data.readinto(buffer)


@pytest.fixture
def app(tmp_path):
    app = create_app(Config(data=tmp_path, limits=Limits(total_upload_bytes=2 * SMALL_BYTES)))
    yield app
    app.close()


@pytest.fixture
def links(app):
    return app.tables.create(load_scene(SCENE))


def post(app, links, path, data, query=""):
    """Send a GM's request with a slow body; return the body and the greenlet that waits for the answer.

    The server then waits for the body, or has answered without it.
    """
    body = SlowBody(data)
    environ = EnvironBuilder(
        path=f"/api/tables/{links.table}/{path}",
        query_string=query,
        method="POST",
        headers={"Authorization": f"Bearer {links.gm_key}"},
    ).get_environ()
    environ |= {"wsgi.input": io.BufferedReader(body), "CONTENT_LENGTH": str(len(data))}
    # The loop takes the time of its last round for now: after long tests without it a limit is over at once.
    gevent.get_hub().loop.update_now()
    answering = gevent.spawn(lambda: json.loads(b"".join(app.flask.wsgi_app(environ, lambda *_: None))))
    assert gevent.wait([body.is_awaited, answering], timeout=TIMEOUT_SECONDS, count=1)
    return body, answering


@pytest.mark.parametrize("part", ["scene", "tokens"])
def test_a_page_that_loses_the_lease_during_an_upload_changes_nothing(app, links, part):
    table, _ = app.tables.enter(links.table, links.gm_key)
    room = app.rooms.enter(table, Connection("a", GM, None))
    number = room.bridge.claim("one page", "a")
    body, answering = post(app, links, "foundry", SCENE_UPLOAD, f"bridge={number}&part={part}")
    assert body.is_awaited.is_set()
    room.bridge.release("a")
    room.bridge.claim("another page", "b")
    body.arrives.set()
    assert answering.get(timeout=TIMEOUT_SECONDS)["error"]["code"] == "other-bridge"
    assert table.scene.name != "Yard"


def test_slow_uploads_are_limited_in_total_size(app, links):
    large = SCENE_UPLOAD + b" " * SMALL_BYTES
    first, answering = post(app, links, "map", large)
    other = app.tables.create(load_scene(SCENE))
    second, refused = post(app, other, "map", large)
    assert (first.is_awaited.is_set(), second.is_awaited.is_set()) == (True, False)
    assert refused.get(timeout=TIMEOUT_SECONDS)["error"]["code"] == "rate-limited"
    first.arrives.set()
    assert answering.get(timeout=TIMEOUT_SECONDS)["ok"]
