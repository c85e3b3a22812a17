"""The files of deploy/ name settings, paths and services that exist."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from itertools import count
from pathlib import Path

import pytest
import trustme
import yaml
from click.testing import CliRunner

from enfilade.cli.main import main
from tests.deploy.image import instructions

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PAGES = [ROOT / "docs" / "installing.md", *sorted(path for path in DEPLOY.rglob("*") if path.is_file())]
OF_THE_PROXY = {"ENFILADE_NAME", "ENFILADE_SERVER"}
"""Names that nginx's template fills in, and no settings of the server."""


def settings():
    """Return the environment variables that the code reads."""
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "server/enfilade").rglob("*.py"))
    read = re.findall(r'env\.\w+\("([A-Z_]+)"', code)
    limits = re.findall(
        r"^    (\w+): int = ", (ROOT / "server/enfilade/runtime/config.py").read_text("utf-8"), re.M
    )
    direct = re.findall(r'"(ENFILADE_[A-Z_]+)"', code)
    return {*(f"ENFILADE_{name.upper()}" for name in (*read, *limits)), *direct}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_setting_that_a_file_names_is_read_by_the_server(page):
    named = set(re.findall(r"ENFILADE_[A-Z_]+[A-Z]", page.read_text("utf-8")))
    assert named - OF_THE_PROXY - settings() == set()


def test_the_compose_file_publishes_only_the_proxy():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    assert {name for name, service in services.items() if "ports" in service} == {"proxy"}
    assert services["server"]["read_only"] is True
    assert services["server"]["environment"]["ENFILADE_PROXIES"] == 1
    for service in services.values():
        for source in (volume.partition(":")[0] for volume in service["volumes"]):
            assert not source.startswith("./") or (DEPLOY / source).exists()
    assert services["server"]["build"] == "."


def test_the_server_of_compose_can_post_webhooks_and_the_database_reaches_nothing():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    assert compose["networks"] == {"inside": {"internal": True}, "outside": {}}
    assert "outside" in compose["services"]["server"]["networks"]
    assert compose["services"]["database"]["networks"] == ["inside"]


def test_the_image_installs_the_wheel_beside_it_before_any_index_is_asked():
    steps = [arguments for name, arguments in instructions() if name == "RUN" and "pip install" in arguments]
    assert len(steps) == 2
    assert "--no-index --no-deps --find-links /wheels enfilade" in steps[0]
    assert "'enfilade[postgres]'" in steps[1]
    assert "--upgrade" not in steps[1]


def test_the_image_is_unprivileged_and_asks_the_server_s_own_readiness():
    found = list(instructions())
    last = dict(found)
    assert last["USER"] == "enfilade"
    assert "/ready" in json.loads(last["HEALTHCHECK"].partition("CMD ")[2])[2]
    assert ("VOLUME", "/data") in found
    assert ("ENV", "ENFILADE_DATA=/data") in found


def test_the_service_cannot_write_outside_its_own_folder():
    lines = (DEPLOY / "enfilade.service").read_text("utf-8").splitlines()
    assert {"DynamicUser=yes", "ProtectSystem=strict", "StateDirectory=enfilade"} <= set(lines)
    assert "Environment=ENFILADE_DATA=%S/enfilade ENFILADE_LOG=json" in lines


@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_nginx_accepts_the_printed_configuration(tmp_path):
    shown = CliRunner().invoke(main, ["deploy", "nginx", "--name", "rules.example.org"]).output
    issued = trustme.CA().issue_cert("rules.example.org")
    issued.cert_chain_pems[0].write_to_path(tmp_path / "fullchain.pem")
    issued.private_key_pem.write_to_path(tmp_path / "privkey.pem")
    numbers = count()  # files, because another program may take a port that was free
    text = re.sub(
        r"listen (\[::\]:)?(80|443)", lambda _: f"listen unix:{tmp_path}/{next(numbers)}.sock", shown
    )
    text = text.replace("/etc/nginx/certificates", str(tmp_path))
    temporary = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    logs = f"pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}}"
    file = tmp_path / "nginx.conf"
    file.write_text(f"{logs} http {{ access_log off; {temporary}\n{text}\n}}\n")
    done = subprocess.run(["nginx", "-t", "-q", "-c", file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_accepts_the_printed_unit(tmp_path):
    shown = CliRunner().invoke(main, ["deploy", "systemd"]).output
    unit = tmp_path / "enfilade.service"
    unit.write_text(re.sub(r"^ExecStart=\S+", f"ExecStart={shutil.which('true')}", shown, flags=re.M))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert "enfilade.service" not in done.stderr
    assert done.returncode == 0
