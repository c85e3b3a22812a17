"""`enfilade tables` and `enfilade delete`."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from enfilade.cli.main import main
from enfilade.runtime.config import lock_folder
from enfilade.store.sql.tables import SqlStore
from tests.unit.store.test_stores import saved


def run(*arguments, answer=None):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=answer)


@pytest.fixture
def data(tmp_path):
    store = SqlStore(f"sqlite:///{tmp_path / 'enfilade.sqlite'}")
    saved(store, 2, "first")
    saved(store, 1, "second")
    store.close()
    return tmp_path


def test_the_tables_are_listed_with_their_sizes(data):
    shown = run("tables", "--data", data).output
    assert "first" in shown
    assert "2 entries" in shown
    listed = json.loads(run("tables", "--data", data, "--json").output)
    assert [(one["size"]["table"], one["size"]["entries"]) for one in listed] == [("first", 2), ("second", 1)]


def test_a_table_is_deleted_after_a_question(data):
    assert run("delete", "first", "--data", data, answer="n\n").exit_code == 1
    (data / "enfilade.sqlite.before-0008").write_bytes(b"a copy")
    (data / "enfilade.sqlite.replaced-20260101-120000-ab12").write_bytes(b"another")
    done = run("delete", "first", "--data", data, answer="y\n")
    assert done.exit_code == 0
    assert "enfilade.sqlite.before-0008, enfilade.sqlite.replaced-20260101-120000-ab12" in done.output
    assert [one["size"]["table"] for one in json.loads(run("tables", "--data", data, "--json").output)] == [
        "second"
    ]


def test_nothing_is_deleted_under_a_running_server_or_by_a_wrong_name(data):
    with lock_folder(data):
        assert run("delete", "first", "--data", data, "--yes").exit_code == 2
    assert run("delete", "third", "--data", data, "--yes").exit_code == 2
    assert len(json.loads(run("tables", "--data", data, "--json").output)) == 2
