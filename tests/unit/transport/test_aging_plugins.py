"""An outsider's package over the real server: its field is renamed, it is removed, and it comes back."""

from __future__ import annotations

import json
import os
import re
import time
from contextlib import contextmanager

import pytest
import requests
from click.testing import CliRunner
from tests import fork_server
from tests.deploy.proxy import free_port
from tests.dist.outside import write_package

from enfilade.cli.main import main
from enfilade.client.http import Client
from enfilade.errors import NotFound

WAIT_SECONDS = 60
SECOND_VERSION = """

from dataclasses import replace as changed


def migrate(profile, from_version):
    return {("pace" if name == "speed" else name): value for name, value in profile.items()}


FIRST_BLOOD = changed(FIRST_BLOOD, version=2, migrate=migrate, older_profiles={1: ({"speed": 4},)})
"""
ENTRY_POINTS = "[enfilade.rulesets]\nfirst_blood = first_blood:FIRST_BLOOD\n"


class Site:
    """A folder of packages beside the server's, and a data folder that outlives each start."""

    def __init__(self, folder):
        self.packages, self.data = folder / "packages", folder / "data"
        self.source = (write_package(folder / "outside") / "first_blood.py").read_text("utf-8")
        self.packages.mkdir()

    def install(self, version):
        """Write what pip would: the module, and the folder that names its entry point."""
        code = self.source
        if version == 2:
            code = re.sub(r"\.speed\b", ".pace", re.sub(r"^    speed:", "    pace:", code, flags=re.M))
            code = code.replace('"speed"', '"pace"') + SECOND_VERSION
        (self.packages / "first_blood.py").write_text(code, "utf-8")
        metadata = self.packages / "first_blood-1.0.dist-info"
        metadata.mkdir(exist_ok=True)
        (metadata / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: first-blood\nVersion: {version}.0\n"
        )
        (metadata / "entry_points.txt").write_text(ENTRY_POINTS)

    def remove(self):
        for path in sorted(self.packages.rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()

    def environment(self):
        path = os.pathsep.join([str(self.packages), *filter(None, [os.environ.get("PYTHONPATH")])])
        return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}

    def command(self, *arguments):
        return fork_server.run("enfilade", (*arguments, "--data", str(self.data)), self.environment())

    @contextmanager
    def served(self):
        """Run `enfilade serve`; yield the GM's client of First Blood's demo table, and what is printed."""
        port = free_port()
        with (self.data.parent / "output").open("w+") as output:
            arguments = ("serve", "--port", str(port), "--data", str(self.data))
            process = fork_server.start("enfilade", arguments, self.environment(), output, output)
            try:
                wait_until_ready(port, process, output)
                output.seek(0)
                links = json.loads((self.data / "links.json").read_text())["first_blood"]
                yield Client(f"http://127.0.0.1:{port}", links["table"], links["gm_key"]), output.read()
            finally:
                process.terminate()
                process.wait(30)


def wait_until_ready(port, process, output):
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, output.read()
        try:
            if requests.get(f"http://127.0.0.1:{port}/ready", timeout=3).ok:
                return
        except requests.ConnectionError:
            time.sleep(0.05)
    raise AssertionError("The server is never ready.")


def removes_a_token_and_takes_it_back(client):
    """Do two commands, and return how many tokens there are."""
    tokens = client.scene()["tokens"]
    client.send("token.remove", {"token": tokens[0]["id"]})
    assert len(client.scene()["tokens"]) == len(tokens) - 1
    client.send("undo", {"seq": None})
    return len(client.scene()["tokens"])


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path)


def test_an_outsiders_package_ages_goes_and_comes_back(site):
    site.install(1)
    with site.served() as (client, _):
        count = removes_a_token_and_takes_it_back(client)

    site.install(2)
    with site.served() as (client, _):
        tokens = client.scene()["tokens"]
        assert len(tokens) == count
        assert any("pace" in token["profile"] for token in tokens)
        assert not any("speed" in token["profile"] for token in tokens)
        token = next(one for one in tokens if "pace" in one["profile"])
        assert client.overlay(token["id"])["card"][0]["value"] == str(token["profile"]["pace"])
        assert removes_a_token_and_takes_it_back(client) == count

    site.remove()
    with site.served() as (client, printed):
        table = json.loads((site.data / "links.json").read_text())["first_blood"]["table"]
        assert f"({table}) needs the ruleset 'first_blood', which is not installed" in printed
        assert len(client.scene()["tokens"]) == count
        log = client.facts(log=50)
        assert "The units were brought to the new version" in json.dumps(log)
        with pytest.raises(NotFound, match="'first_blood' is not installed"):
            client.send("token.remove", {"token": tokens[0]["id"]})
    said = site.command("doctor", "--port", "0").output
    assert re.search(rf"note +tables: .*\({table}\) needs the ruleset 'first_blood'", said)

    site.install(2)
    with site.served() as (client, printed):
        assert "needs the ruleset" not in printed
        assert removes_a_token_and_takes_it_back(client) == count


def test_a_plug_in_that_cannot_be_imported_is_left_out_unless_the_server_is_strict(site):
    site.install(1)
    (site.packages / "first_blood.py").write_text("import no_such_library\n")
    sentence = "'first_blood' (first_blood:FIRST_BLOOD) cannot be loaded: ModuleNotFoundError"
    said = site.command("doctor", "--port", "0")
    assert said.status == 1
    assert sentence in said.output
    refused = site.command("serve", "--port", "0", "--strict")
    assert refused.status != 0
    assert sentence in refused.errors
    assert "cannot be loaded" not in CliRunner().invoke(main, ["doctor", "--port", "0"]).output
