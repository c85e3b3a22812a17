"""Requests whose bodies come slowly: what has changed meanwhile counts. An app without a port."""

from __future__ import annotations

import io
import json

import gevent
import pytest
from gevent.event import Event
from werkzeug.test import EnvironBuilder

from enfilade.app import create_app
from enfilade.config import Config, Limits
from enfilade.messages.examples import SCENE
from enfilade.messages.load import load_scene
from enfilade.scene.seat import GM
from enfilade.transport.http.uploads import SMALL_BYTES
from enfilade.transport.rooms import Connection

PATIENCE_SECONDS = 10
PLACE = {"sceneX": 0, "sceneY": 0, "sceneWidth": 1000, "sceneHeight": 600}
YARD = {"name": "Yard", "width": 1000, "height": 600, "padding": 0, "grid": {"type": 1, "size": 100}}
READING = json.dumps({**YARD, "dimensions": PLACE}).encode()


class Slow(io.RawIOBase):
    """A body that comes as a whole, once it is told to."""

    def __init__(self, data):
        self._data = io.BytesIO(data)
        self.is_awaited = False
        self.come = Event()

    def readable(self):
        return True

    def readinto(self, buffer):
        self.is_awaited = True
        self.come.wait()
        return self._data.readinto(buffer)


@pytest.fixture
def app(tmp_path):
    return create_app(Config(data=tmp_path, limits=Limits(total_upload_bytes=2 * SMALL_BYTES)))


@pytest.fixture
def links(app):
    return app.tables.create(load_scene(SCENE))


def asked(app, links, what, data, query=""):
    """A GM's request with a late body, and the thread that waits for its answer."""
    body = Slow(data)
    environ = EnvironBuilder(
        path=f"/api/tables/{links.table}/{what}",
        query_string=query,
        method="POST",
        headers={"Authorization": f"Bearer {links.gm_key}"},
    ).get_environ()
    environ |= {"wsgi.input": io.BufferedReader(body), "CONTENT_LENGTH": str(len(data))}
    answering = gevent.spawn(lambda: json.loads(b"".join(app.flask.wsgi_app(environ, lambda *_: None))))
    gevent.sleep(0.05)
    return body, answering


@pytest.mark.parametrize("part", ["scene", "tokens"])
def test_a_page_that_lost_its_place_while_it_was_writing_changes_nothing(app, links, part):
    table, _ = app.tables.enter(links.table, links.gm_key)
    room = app.rooms.enter(table, Connection("a", GM, None))
    number = room.bridge.claim("one page", "a")
    body, answering = asked(app, links, "foundry", READING, f"bridge={number}&part={part}")
    assert body.is_awaited
    room.bridge.release("a")
    room.bridge.claim("another page", "b")
    body.come.set()
    assert answering.get(timeout=PATIENCE_SECONDS)["error"]["code"] == "other-bridge"
    assert table.scene.name != "Yard"


def test_of_maps_that_come_slowly_no_more_are_read_than_there_is_room_for(app, links):
    large = READING + b" " * SMALL_BYTES
    first, answering = asked(app, links, "map", large)
    other = app.tables.create(load_scene(SCENE))
    second, refused = asked(app, other, "map", large)
    assert (first.is_awaited, second.is_awaited) == (True, False)
    assert refused.get(timeout=PATIENCE_SECONDS)["error"]["code"] == "rate-limited"
    first.come.set()
    assert answering.get(timeout=PATIENCE_SECONDS)["ok"]
