"""The games have one layout: a file of a name means the same in each, and `__init__` reads the same there."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

import enfilade.rulesets

FOLDER = Path(enfilade.rulesets.__file__).parent
GAMES = ("coup_de_grace", "double_life", "knights_of_valour", "miniatures_combat", "torn")
"""The games with a text of their own; Any system and the fifth edition take their parts from the engine."""

NAMES = {
    "catalog": {"UNITS"},
    "house_rules": {"HOUSE_RULES"},
    "movement": {"judge", "reach"},
    "offers": {"ACTS", "offers", "settle"},
    "outlook": {"OUTLOOK"},
    "overlays": {"areas", "engagements"},
    "profiles": {"CONDITIONS", "TRACKS", "Profile", "bar", "prepare_token"},
    "sight": {"sight"},
    "tell": {"card", "narrate"},
    "turn": {"turn"},
}
"""What `__init__` of each game reads from each file."""

FILES = {*NAMES, "battlefield", "laws", "combat/attack", "combat/attack_rolls", "combat/damage"}
"""The files of each game, by what a stranger looks for."""


def imported(game):
    """Return the names that `__init__` of a game imports from each of its files."""
    found = defaultdict(set)
    for node in ast.parse((FOLDER / game / "__init__.py").read_text()).body:
        own = f"enfilade.rulesets.{game}."
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(own):
            found[node.module.removeprefix(own)] |= {name.name for name in node.names}
    return found


def fields(game):
    """Return the fields of a game's `Ruleset`, in the order in which they are given."""
    tree = ast.parse((FOLDER / game / "__init__.py").read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return next([keyword.arg for keyword in call.keywords] for call in calls if call.keywords)


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_the_files_of_the_layout(game):
    assert {name for name in FILES if not (FOLDER / game / f"{name}.py").is_file()} == set()


@pytest.mark.parametrize("game", GAMES)
def test_init_reads_the_same_names_from_the_same_files(game):
    found = imported(game)
    assert {file: names for file, names in NAMES.items() if not names <= found[file]} == {}


def test_what_two_games_read_comes_from_one_file():
    files = defaultdict(set)
    for game in GAMES:
        for file, names in imported(game).items():
            for name in names:
                files[name].add(file)
    assert {name: found for name, found in files.items() if len(found) > 1} == {}


def test_the_rulesets_state_their_fields_in_one_order():
    order = fields("coup_de_grace")
    for game in GAMES:
        shared = [field for field in fields(game) if field in order]
        assert shared == [field for field in order if field in shared], game
