"""Ask about a battlefield of Knights of Valour through the command line."""

from __future__ import annotations

import json

import msgspec
import pytest
from click.testing import CliRunner

from enfilade.cli.main import main


@pytest.fixture
def ask(tmp_path):
    def asked(board, *arguments):
        path = tmp_path / "scene.json"
        path.write_bytes(msgspec.json.encode(board))
        found = CliRunner().invoke(main, [arguments[0], str(path), *arguments[1:], "--json"])
        assert found.exit_code == 0, found.output
        return json.loads(found.output)

    return asked
