"""The commands and tables of docs/shell.md: each command is run as it is printed, and its answer compared."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from enfilade.cli.main import main
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.torn import TORN
from tests.unit.cli.test_main import run

ROOT = Path(__file__).parents[3]
MAP = ROOT / "server/enfilade/maps/tavern-and-yard.uvtt"
PAGE = (ROOT / "docs/shell.md").read_text()
BLOCKS = re.findall(r"```\n(.*?)\n```", PAGE, re.DOTALL)
ANSWERED = [block for block in BLOCKS if block[0] == "$"]
SILENT = [block for block in BLOCKS if block.startswith("enfilade ") and " serve " not in block]
WORKED = {
    game: next(block for block in ANSWERED if f"enfilade demo {game}" in block)
    for game in ("coup_de_grace", "torn", "miniatures_combat")
}
MOST_KINDS = {
    "coup_de_grace": {"round", "activate", "move", "melee", "end"},
    "torn": {"round", "activate", "move", "melee", "end"},
    "miniatures_combat": {"activate", "roll_movement", "move_group", "defend", "attack", "end"},
}


@pytest.fixture
def at_home(tmp_path, monkeypatch):
    """Work in a folder with the example scene, and the map that the page imports."""
    (tmp_path / "schemas").symlink_to(ROOT / "schemas")
    shutil.copy(MAP, tmp_path / "tavern.dd2vtt")
    monkeypatch.chdir(tmp_path)


def commands(block):
    """Yield the arguments of each command of a block, with its printed answer."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, answer = re.match(r"((?:.*\\\n)*.*)\n?([\s\S]*)", part).groups()
        program, *arguments = shlex.split(command.replace("\\\n", " "))
        assert program == "enfilade"
        yield arguments, answer.rstrip("\n")


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize("block", ANSWERED, ids=["a refusal", "questions", *WORKED, "double_life"])
def test_each_command_of_the_page_prints_its_answer(block):
    for arguments, answer in commands(block):
        assert CliRunner().invoke(main, arguments).output.rstrip("\n") == answer, arguments


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize("block", SILENT)
def test_each_command_without_a_printed_answer_succeeds(block):
    for line in block.replace("\\\n", " ").splitlines():
        program, *arguments = shlex.split(line)
        assert program == "enfilade"
        assert run(*arguments).output


@pytest.mark.parametrize("game", WORKED)
def test_the_page_plays_ten_acts_of_each_game_of_most_kinds(game):
    resolved = [
        json.loads(arguments[arguments.index("--act") + 1])["kind"]
        for arguments, _ in commands(WORKED[game])
        if arguments[0] == "resolve"
    ]
    assert len(resolved) >= 10
    assert MOST_KINDS[game] <= set(resolved)


@pytest.mark.parametrize(
    "ruleset", [COUP_DE_GRACE, TORN, MINIATURES_COMBAT, DOUBLE_LIFE], ids=lambda ruleset: ruleset.key
)
def test_the_page_lists_the_acts_of_each_game(ruleset):
    (rows,) = re.findall(rf"\| {ruleset.title} \| needs \|\n\|---\|---\|\n((?:\|.*\n)+)", PAGE)
    listed = [kind for row in rows.splitlines() for kind in re.findall(r"`([\w-]+)`", row.split("|")[1])]
    assert sorted(listed) == sorted(ruleset.acts)


def test_the_page_names_the_faces_of_torn():
    for face in TORN.faces:
        assert f"`{face}` a " in PAGE
