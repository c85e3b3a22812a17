"""`enfilade export` and `enfilade verify`, and the same log over HTTP."""

from __future__ import annotations

import json
import shutil
from contextlib import closing

import pytest
from click.testing import CliRunner

from enfilade.app import create_app
from enfilade.cli.main import main
from enfilade.messages.examples import SCENE
from enfilade.messages.load import load_scene
from enfilade.runtime.config import Config
from enfilade.store.dice_secrets import DiceSecretFolder
from enfilade.store.sql.tables import SqlStore
from tests.property.fair_dice.logs import RecordedGame
from tests.unit.store.test_migrations import RELEASED


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def played(tmp_path):
    with closing(SqlStore(f"sqlite:///{tmp_path / 'enfilade.sqlite'}")) as store:
        game = RecordedGame(store=store, seeds=DiceSecretFolder(tmp_path / "seeds"))
        for _ in range(3):
            game.attack_to_the_end()
        yield game


def test_an_exported_log_is_verified_by_a_command(played, tmp_path):
    log = tmp_path / "game.log"
    assert run("export", "--data", tmp_path, "--table", played.table.id, "--out", log).exit_code == 0
    assert log.read_bytes() == played.log()
    found = run("verify", log, "--json")
    assert (found.exit_code, json.loads(found.output)["rolled"]) == (0, 3)


def test_a_changed_log_fails_with_status_1(played, tmp_path):
    log = tmp_path / "game.log"
    log.write_bytes(played.log().replace(b'"typed":false', b'"typed":true', 1))
    found = run("verify", log)
    assert found.exit_code == 1
    assert "does NOT hold" in found.output


def test_a_wrong_folder_and_an_unknown_table_are_refused(played, tmp_path):
    nowhere = run("export", "--data", tmp_path / "seeds", "--table", "t", "--out", tmp_path / "x")
    assert (nowhere.exit_code, "is not the data folder" in nowhere.output) == (2, True)
    unknown = run("export", "--data", tmp_path, "--table", "t", "--out", tmp_path / "x")
    assert (unknown.exit_code, "There is no table 't'" in unknown.output) == (2, True)
    assert not (tmp_path / "seeds" / "enfilade.sqlite").exists()


def test_an_older_store_is_not_migrated_for_an_export(tmp_path):
    store = tmp_path / "enfilade.sqlite"
    shutil.copy(RELEASED[0], store)
    refused = run("export", "--data", tmp_path, "--table", "t", "--out", tmp_path / "x")
    assert refused.exit_code == 2
    assert "This store has schema 0001" in refused.output
    assert "`enfilade serve` migrates it" in refused.output
    assert list(tmp_path.iterdir()) == [store]


def test_only_the_gm_can_export_the_log_over_http(tmp_path):
    app = create_app(Config(data=tmp_path))
    links = app.tables.create(load_scene(SCENE))
    client, path = app.flask.test_client(), f"/api/tables/{links.table}/log"
    assert client.get(path, headers={"Authorization": f"Bearer {links.spectator_key}"}).status_code == 403
    answer = client.get(path, headers={"Authorization": f"Bearer {links.gm_key}"})
    (tmp_path / "game.log").write_bytes(answer.data)
    assert run("verify", tmp_path / "game.log").exit_code == 0
    assert answer.data.count(b"\n") == 3, "a head, the chain, an end"
    app.close()
