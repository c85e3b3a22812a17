"""The documentation: decisions with one number each, a page of all commands, pages of one topic."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
import yaml
from click import Context

from enfilade.cli.main import main
from tests.release import addresses

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
DECISIONS = sorted((DOCS / "decisions").glob("*.md"))
ELSEWHERE = [*ROOT.glob("*.md"), *DECISIONS]
COMMANDS = (DOCS / "commands.md").read_text("utf-8")
MAX_PLAY_CHARACTERS = 9_000
"""A longer page for players covers more than one topic."""


def test_each_decision_has_a_number_of_its_own():
    numbers = Counter(path.name.partition("-")[0] for path in DECISIONS)
    assert [number for number, count in numbers.items() if count > 1] == []


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_has_the_number_of_its_file_in_its_heading(path):
    assert path.read_text("utf-8").startswith(f"# {int(path.name.partition('-')[0])}. ")


def test_the_page_of_commands_has_every_command_that_a_page_names():
    listed = set(re.findall(r"`enfilade ([a-z-]+)`", COMMANDS))
    assert set(addresses.commands(ROOT)) - listed == set()


def make_targets(line=r"^([a-z-]+):(?!=)"):
    """Return the targets of all makefiles whose lines have this form."""
    makefiles = [ROOT / "Makefile", *ROOT.glob("*/*.mk"), *ROOT.glob("*/*/*.mk"), *ROOT.glob("*/*/*/*.mk")]
    text = "\n".join(path.read_text("utf-8") for path in makefiles)
    return set(re.findall(line, text, re.M))


def test_the_page_of_commands_has_every_target_that_a_page_names():
    targets = make_targets()
    listed = set(re.findall(r"`make ([a-z-]+)`", COMMANDS))
    assert listed - targets == set()
    assert make_targets(r"^([a-z-]+):.*## ") - listed == set(), "what `make help` lists is documented"
    pages = [path for path in DOCS.glob("*.md") if path.name != "commands.md"]
    named = {name for page in pages for name in made_by(page)}
    assert named - listed == set()


def made_by(page):
    """Return the make targets that a page names, alone or with variables."""
    return re.findall(r"`make ([a-z-]+)[ `]", page.read_text("utf-8"))


@pytest.mark.parametrize("path", ELSEWHERE, ids=lambda path: path.name)
def test_a_target_that_any_text_names_exists(path):
    assert set(made_by(path)) - make_targets() == set()


@pytest.mark.parametrize("path", [*DOCS.rglob("*.md"), *ELSEWHERE], ids=lambda path: path.name)
def test_a_command_that_any_text_names_exists(path):
    named = set(re.findall(r"(?<![-\w./])(?<!inject )enfilade ([a-z][a-z-]+)(?=[ `\n])", code_of(path)))
    assert named - set(main.list_commands(Context(main))) == set()


def code_of(path):
    """Return what a page has in back quotes and in blocks of code."""
    text = path.read_text("utf-8")
    return "\n".join(re.findall(r"^(?:```|~~~).*?^(?:```|~~~)$|`[^`\n]+`", text, re.M | re.S))


def test_every_page_is_in_the_navigation_once():
    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    named = re.findall(r": ([a-z-]+\.md)$", text, re.M)
    made = {"index.md", "contract.md", "http.md", "contributing.md", "changes.md"}
    assert Counter(named) == Counter([*made, *(path.name for path in DOCS.glob("*.md"))])
    assert isinstance(yaml.safe_load(text.partition("nav:")[2] and "nav:" + text.partition("nav:")[2]), dict)


@pytest.mark.parametrize(
    "name", ["first-battle", "playing", "setting-up", "reading-the-board", "playing-a-round", "secret-rounds"]
)
def test_a_page_for_players_has_one_topic(name):
    assert len((DOCS / f"{name}.md").read_text("utf-8")) < MAX_PLAY_CHARACTERS
