"""`enfilade new-ruleset` writes a package whose own tests pass, and that the guide shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from enfilade.cli.main import main
from enfilade.cli.ruleset import package_files

GUIDE = Path(__file__).parents[3] / "docs" / "adding-a-ruleset.md"
MAX_LINES = 60


def run(*arguments):
    return CliRunner().invoke(main, ["new-ruleset", *map(str, arguments)])


def test_the_package_passes_its_own_tests(tmp_path):
    folder = tmp_path / "package"
    result = run("Long-Bow 2", "--folder", folder)
    assert result.exit_code == 0, result.output
    assert {path.name for path in folder.iterdir()} == {
        "README.md",
        "long_bow_2.py",
        "pyproject.toml",
        "test_long_bow_2.py",
    }
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(tests, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


def test_the_guide_shows_the_game_as_the_command_writes_it():
    game = package_files("last stand")["last_stand.py"]
    shown = re.search(r"^```python title=\"last_stand\.py\"\n(.*?)^```", GUIDE.read_text(), re.M | re.S)
    assert shown
    assert shown[1] == game
    assert len(game.splitlines()) <= MAX_LINES


@pytest.mark.parametrize("name", ["", "2bows", "torn", "class", "json", "a" * 41, "../x", "long$bow", "bow_"])
def test_a_name_that_cannot_be_a_ruleset_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(name)
    assert result.exit_code == 2
    assert result.output.startswith("bad-input: ")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_exists_is_not_touched(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    result = run("bows", "--folder", tmp_path)
    assert result.exit_code == 2
    assert "is there already" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
