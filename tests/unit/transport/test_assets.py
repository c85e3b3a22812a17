"""A table's picture is read and held once, however many ask for it, and all of them together have an end."""

from __future__ import annotations

import gevent
import pytest

from enfilade.app import create_app
from enfilade.config import Config
from enfilade.errors import NotFound, RateLimited
from enfilade.messages.examples import SCENE
from enfilade.messages.load import load_scene
from enfilade.store.sql.tables import SqlStore
from enfilade.transport.http.assets import AssetCache

PNG = b"\x89PNG\r\n\x1a\n and more"


class Shelf:
    """AssetCache of a hundred bytes that count how often they are read."""

    def __init__(self):
        self.read = []

    def __call__(self, name):
        def read():
            gevent.sleep(0.001)
            self.read.append(name)
            return name.encode() * 100, "image/png"

        return read


@pytest.fixture
def shelf():
    return Shelf()


def test_a_picture_that_many_ask_for_at_once_is_read_once(shelf):
    pictures = AssetCache()
    asked = [gevent.spawn(pictures.of, "a", shelf("a")) for _ in range(50)]
    gevent.joinall(asked, raise_error=True)
    assert shelf.read == ["a"]
    assert len({id(one.value.data) for one in asked}) == 1


def test_the_pictures_that_were_asked_for_last_are_kept(shelf):
    pictures = AssetCache(kept=250)
    for name in "abacab":
        pictures.of(name, shelf(name))
    assert shelf.read == ["a", "b", "c", "b"]


def test_one_that_is_still_on_its_way_to_somebody_is_not_read_again(shelf):
    pictures = AssetCache(kept=0)
    sent = pictures.of("a", shelf("a")).sent()
    next(sent)
    pictures.of("a", shelf("a"))
    assert shelf.read == ["a"]
    sent.close()
    pictures.of("a", shelf("a"))
    assert shelf.read == ["a", "a"]


def test_slow_readers_of_many_pictures_get_no_more_of_them_than_there_is_room_for(shelf):
    pictures = AssetCache(kept=0, held=200)
    sent = [pictures.of(name, shelf(name)).sent() for name in "ab"]
    with pytest.raises(RateLimited):
        pictures.of("c", shelf("c"))
    assert next(pictures.of("a", shelf("a")).sent())
    sent.clear()
    assert next(pictures.of("c", shelf("c")).sent())


def test_one_that_is_not_there_is_asked_for_again(shelf):
    def missing():
        raise NotFound("There is none.")

    pictures = AssetCache()
    with pytest.raises(NotFound):
        pictures.of("a", missing)
    assert pictures.of("a", shelf("a")).kind == "image/png"


def test_the_server_reads_and_checks_a_picture_once(tmp_path, monkeypatch):
    read = []
    asset = SqlStore.asset
    monkeypatch.setattr(SqlStore, "asset", lambda *which: read.append(which[1:]) or asset(*which))
    app = create_app(Config(data=tmp_path))
    links = app.tables.create(load_scene(SCENE))
    table, _ = app.tables.enter(links.table, links.gm_key)
    path = f"/api/tables/{links.table}/assets/{table.add_asset(PNG, 'image/png')}"
    client = app.flask.test_client()
    answers = [client.get(path) for _ in range(3)]
    assert [(answer.data, answer.content_length) for answer in answers] == [(PNG, len(PNG))] * 3
    assert client.head(path).content_length == len(PNG)
    assert len(read) == 1
