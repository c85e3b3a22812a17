"""The request line names the table of a request, and the table determines the process."""

from __future__ import annotations

import io
from contextlib import closing

import pytest
from gevent.pywsgi import WSGIHandler

from enfilade.app import create_app
from enfilade.errors import BadInput
from enfilade.runtime.config import Config
from enfilade.transport.shards import ALL, Shard, requested_table, shard_index

TABLE = "ca2c1b1192498285"


@pytest.mark.parametrize(
    "target",
    [
        f"/api/tables/{TABLE}/commands",
        f"/api/tables/{TABLE}/overlay?token=wren&table=other",
        f"/api/tables/{TABLE}",
        "/%61pi/tables/c%612c1b1192498285/scene",
        f"http://rules.example.org/api/tables/{TABLE}/scene",
        f"/socket.io/?EIO=4&transport=websocket&table={TABLE}",
        f"/socket.io/?table={TABLE}&EIO=4&transport=websocket",
    ],
)
def test_a_request_names_its_table_in_the_path_or_the_query(target):
    assert requested_table(f"GET {target} HTTP/1.1".encode()) == TABLE


@pytest.mark.parametrize("space", [b"  ", b"\t", b"\x0b", b"\x1c", b"\x85", b"\xa0"])
def test_a_request_line_is_split_as_pywsgi_splits_it(space):
    line = space.join([b"", b"GET", f"/api/tables/{TABLE}/scene".encode(), b"HTTP/1.1"])
    handler = WSGIHandler(None, ("192.0.2.7", 1), None, rfile=io.BytesIO())
    assert handler.read_request(line.decode("latin-1"))
    assert requested_table(line) == requested_table(f"GET {handler.path} HTTP/1.1".encode()) == TABLE


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"GET",
        b"GET ",
        b"GET / HTTP/1.1",
        b"POST /api/tables HTTP/1.1",
        b"\xff\x00 \xff",
        b"GET http://[ HTTP/1.1",
    ],
)
def test_a_request_line_without_a_table_names_none(line):
    assert requested_table(line) is None


def test_every_table_has_one_process_and_every_process_has_tables():
    tables = [f"{number:016x}" for number in range(1_000)]
    shards = [Shard(index, 3) for index in range(3)]
    assert all(sum(shard.has(table) for shard in shards) == 1 for table in tables)
    assert all(sum(map(shard.has, tables)) > 250 for shard in shards)


def test_a_single_process_has_every_table():
    ALL.require_local(TABLE, lambda: None)


@pytest.mark.parametrize(
    ("method", "what"),
    [
        ("GET", "scene"),
        ("POST", "commands"),
        ("POST", "map"),
        ("GET", "assets/any"),
        ("POST", "keys"),
        ("POST", "seats"),
        ("GET", "seats"),
        ("DELETE", "invitations/any"),
    ],
)
def test_a_request_to_the_wrong_process_is_refused(tmp_path, method, what):
    app = create_app(Config(data=tmp_path), shard=Shard(1 - shard_index(TABLE, 2), 2))
    with closing(app):
        answer = app.flask.test_client().open(f"/api/tables/{TABLE}/{what}", method=method)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad-input")


def test_a_table_of_another_process_is_refused_with_an_instruction():
    other = Shard(1 - shard_index(TABLE, 2), 2)
    with pytest.raises(BadInput, match="table="):
        other.require_local(TABLE, lambda: None)
