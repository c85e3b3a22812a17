"""The turns that docs/shell.md plays, command by command, with the answers that it prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from enfilade.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "shell.md"
TURNS = [block for block in re.findall(r"```\n(.*?)\n```", PAGE.read_text(), re.DOTALL) if block[0] == "$"]


def commands(block):
    """Return each command of a block with its printed answer."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, answer = re.match(r"((?:.*\\\n)*.*)\n?([\s\S]*)", part).groups()
        yield command.replace("\\\n", " "), answer.rstrip("\n")


@pytest.mark.parametrize("block", TURNS, ids=["coup_de_grace", "torn"])
def test_each_command_of_the_page_prints_its_answer(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    acts = 0
    for command, answer in commands(block):
        program, *arguments = shlex.split(command)
        result = CliRunner().invoke(main, arguments)
        assert (program, result.output.rstrip("\n")) == ("enfilade", answer), command
        acts += "--act" in arguments
    assert acts >= 10
