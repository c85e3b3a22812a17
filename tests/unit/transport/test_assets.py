"""Images are loaded once for any number of readers, within a memory limit."""

from __future__ import annotations

import gevent
import pytest

from enfilade.app import create_app
from enfilade.errors import NotFound, RateLimited
from enfilade.messages.examples import SCENE
from enfilade.messages.load import load_scene
from enfilade.runtime.config import Config
from enfilade.store.sql.tables import SqlStore
from enfilade.transport.http.assets import AssetCache

PNG = b"\x89PNG\r\n\x1a\n and more"


class AssetSource:
    """Images of a hundred bytes that record each load."""

    def __init__(self):
        self.loaded = []

    def __call__(self, name):
        def load():
            gevent.idle()
            self.loaded.append(name)
            return name.encode() * 100, "image/png"

        return load


@pytest.fixture
def source():
    return AssetSource()


def test_an_image_requested_many_times_at_once_is_loaded_once(source):
    cache = AssetCache()
    asked = [gevent.spawn(cache.get, "a", source("a")) for _ in range(50)]
    gevent.joinall(asked, raise_error=True)
    assert source.loaded == ["a"]
    assert len({id(one.value.data) for one in asked}) == 1


def test_the_most_recent_images_stay_in_the_cache(source):
    cache = AssetCache(cache_bytes=250)
    for name in "abacab":
        cache.get(name, source(name))
    assert source.loaded == ["a", "b", "c", "b"]


def test_an_image_that_is_being_sent_is_not_loaded_again(source):
    cache = AssetCache(cache_bytes=0)
    sent = cache.get("a", source("a")).stream()
    next(sent)
    cache.get("a", source("a"))
    assert source.loaded == ["a"]
    sent.close()
    cache.get("a", source("a"))
    assert source.loaded == ["a", "a"]


def test_images_for_slow_readers_are_limited_in_total_size(source):
    cache = AssetCache(cache_bytes=0, memory_bytes=200)
    sent = [cache.get(name, source(name)).stream() for name in "ab"]
    with pytest.raises(RateLimited):
        cache.get("c", source("c"))
    assert next(cache.get("a", source("a")).stream())
    sent.clear()
    assert next(cache.get("c", source("c")).stream())


def test_a_missing_image_is_looked_up_again(source):
    def missing():
        raise NotFound("There is none.")

    cache = AssetCache()
    with pytest.raises(NotFound):
        cache.get("a", missing)
    assert cache.get("a", source("a")).media_type == "image/png"


def test_the_server_loads_and_checks_an_image_once(tmp_path, monkeypatch):
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
    app.close()
