"""`enfilade deploy` prints the files that run a service, and writes them with all that they name."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from enfilade.cli.deploy import FILES
from enfilade.cli.main import main

DEPLOY = Path(__file__).parents[3] / "deploy"


def run(*arguments):
    return CliRunner().invoke(main, ["deploy", *map(str, arguments)])


def test_every_file_of_the_folder_belongs_to_a_way():
    present = {path.relative_to(DEPLOY).as_posix() for path in DEPLOY.rglob("*") if path.is_file()}
    named = {source for sources in FILES.values() for source in sources.values()}
    assert present == named - {"constraints.txt"}


def test_the_unit_runs_the_program_of_its_own_environment():
    assert f"ExecStart={Path(sys.prefix).resolve()}/bin/enfilade serve" in run("systemd").output
    assert "ExecStart=/srv/club/bin/enfilade serve" in run("systemd", "--python", "/srv/club").output


def test_nginx_gets_the_name_and_keeps_its_own_variables():
    shown = run("nginx", "--name", "rules.example.org", "--server", "10.0.0.1:9").output
    assert "server_name rules.example.org;" in shown
    assert "server 10.0.0.1:9;" in shown
    assert "$host$request_uri" in shown
    assert "${" not in shown


def test_nginx_without_a_name_is_refused_with_what_to_do():
    refused = run("nginx")
    assert refused.exit_code != 0
    assert "--name" in refused.output


@pytest.mark.parametrize("way", ["cluster", "compose", "dockerfile", "systemd"])
def test_the_first_file_is_printed_as_it_is_shipped(way):
    shown, source = run(way).output, next(iter(FILES[way].values()))
    lines = (DEPLOY / source).read_text("utf-8").splitlines()
    assert len(set(shown.splitlines()) - set(lines)) <= 1  # the unit's program


def test_compose_is_written_with_every_file_that_it_names(tmp_path):
    assert run("compose", "--to", tmp_path).exit_code == 0
    services = yaml.safe_load((tmp_path / "compose.yaml").read_text("utf-8"))["services"]
    sources = {v.partition(":")[0] for service in services.values() for v in service["volumes"]}
    for source in sources:
        assert not source.startswith("./") or (tmp_path / source).exists(), source
    wanted = re.findall(r"\$\{([A-Z_]+)", (tmp_path / "compose.yaml").read_text("utf-8"))
    given = re.findall(r"^([A-Z_]+)=", (tmp_path / "example.env").read_text("utf-8"), re.M)
    assert set(wanted) == set(given)
    copied = re.findall(r"^COPY (.+) /wheels/$", (tmp_path / "Dockerfile").read_text("utf-8"), re.M)
    assert copied == ["constraints.txt enfilade-*.whl"]
    assert (tmp_path / "constraints.txt").is_file()
    assert (tmp_path / "certificate/renew.sh").stat().st_mode & 0o111


def test_a_file_that_is_there_is_kept(tmp_path):
    (tmp_path / "compose.yaml").write_text("mine")
    assert "kept" in run("compose", "--to", tmp_path).output
    assert (tmp_path / "compose.yaml").read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    refused = run("dockerfile", "--to", tmp_path / "file" / "folder")
    assert refused.exit_code != 0
    assert "Cannot write" in refused.output
