"""Ask about a battlefield of Torn through the command line, and work out the dice of an attack anew."""

from __future__ import annotations

import json

import msgspec
import pytest
from click.testing import CliRunner

from enfilade.cli.main import main
from enfilade.rulesets.torn import dice
from enfilade.rulesets.torn.combat import attack_rolls, decisions, rerolls, shields


@pytest.fixture
def nothing_known():
    """Forget the tables of dice that other tests have worked out: a test sees how its own come about."""
    for module in (dice, rerolls, shields, decisions, attack_rolls):
        for kept in vars(module).values():
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()


@pytest.fixture
def ask(tmp_path):
    def asked(board, *arguments):
        path = tmp_path / "scene.json"
        path.write_bytes(msgspec.json.encode(board))
        found = CliRunner().invoke(main, [arguments[0], str(path), *arguments[1:], "--json"])
        assert found.exit_code == 0, found.output
        return json.loads(found.output)

    return asked
