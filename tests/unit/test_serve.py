"""The file of the links that a server prints: written completely or not at all."""

from __future__ import annotations

import errno
import io

import msgspec
import pytest

from enfilade.app import create_app
from enfilade.cluster import serve
from enfilade.config import Config
from enfilade.errors import BadFile
from enfilade.play.tables import Links

OWNER_ONLY = 0o600


class FullDisk(io.FileIO):
    """A file on a full disk."""

    def write(self, _data):
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def app(tmp_path):
    return create_app(Config(data=tmp_path))


@pytest.fixture
def file(tmp_path):
    return tmp_path / "links.json"


def test_links_survive_a_restart_and_only_their_owner_can_read_them(app, file):
    links = serve.demo_links(app)
    assert serve.demo_links(app) == links
    assert file.stat().st_mode & 0o777 == OWNER_ONLY
    assert not list(file.parent.glob("*.part"))


def test_a_failed_write_keeps_the_old_links(app, file, monkeypatch):
    known = msgspec.json.encode({"coup_de_grace": Links(table="t", gm_key="k", spectator_key="s")})
    file.write_bytes(known)
    monkeypatch.setattr(serve, "open", FullDisk, raising=False)
    with pytest.raises(BadFile, match=r"Cannot write .* No space left"):
        serve.demo_links(app)
    assert file.read_bytes() == known


@pytest.mark.parametrize("content", [b"", b'{"coup_de_grace": 1}', b"\xff"])
def test_unreadable_links_are_reported_and_kept(app, file, content):
    file.write_bytes(content)
    with pytest.raises(BadFile, match=r"Cannot read .*links\.json: .* creates new demo tables"):
        serve.demo_links(app)
    assert file.read_bytes() == content
