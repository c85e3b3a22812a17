"""`enfilade mcp` takes a seat's key from where other users of the computer cannot read it."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from enfilade.cli import mcp as module
from enfilade.cli.main import main

ARGUMENTS = ["mcp", "--url", "http://127.0.0.1:9", "--table", "t"]


@pytest.fixture
def keys(monkeypatch):
    """The keys with which the server of tools was built."""
    found = []

    class Silent:
        def run(self, _):
            pass

    monkeypatch.setattr(
        module,
        "build_server",
        lambda client: found.append(client._http.headers["Authorization"][7:]) or Silent(),
    )
    monkeypatch.delenv("ENFILADE_KEY", raising=False)
    return found


def run(*more, env=None):
    return CliRunner().invoke(main, [*ARGUMENTS, *more], env=env)


def test_the_key_is_read_from_the_environment_or_a_file(keys, tmp_path):
    assert run(env={"ENFILADE_KEY": "from_env"}).exit_code == 0
    file = tmp_path / "key"
    file.write_text("from-file\n")
    assert run("--key-file", str(file), env={"ENFILADE_KEY": "from_env"}).exit_code == 0
    assert keys == ["from_env", "from-file"]


def test_a_key_on_the_command_line_works_with_a_warning(keys):
    answer = run("--key", "plain")
    assert (answer.exit_code, keys) == (0, ["plain"])
    assert "--key-file" in answer.stderr


@pytest.mark.parametrize("content", [b"", b"two words", b"\xff\xfe", b"k" * 5_000])
def test_without_a_readable_key_the_command_says_where_it_looks(keys, tmp_path, content):
    file = tmp_path / "key"
    file.write_bytes(content)
    for answer in (run(), run("--key-file", str(file))):
        assert answer.exit_code != 0
        assert "ENFILADE_KEY" in answer.output
    assert keys == []
