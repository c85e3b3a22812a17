"""Random games through a table, as a VTT would play them: stored, logged, seen by a spectator, undone.

TABLE_GAMES is the number of games of each ruleset: 4, and 60 in `make games`.
"""

from __future__ import annotations

import os
import random

import msgspec
import pytest
from msgspec.structs import replace

from enfilade.messages.load import load_command
from enfilade.play.tables import Tables
from enfilade.play.view import view
from enfilade.rules.conformance import skirmish
from enfilade.rules.conformance.games import choose_act
from enfilade.rules.dice import SeededDice
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.apply import fold_all
from enfilade.scene.model import AUTOMATIC, GM, SPECTATOR
from enfilade.store.memory import MemoryStore

GAMES = int(os.environ.get("TABLE_GAMES", "2"))
MAX_ACTS = 90
"""No more than the entries a table can take back."""


def table_of(ruleset, seed):
    scene = skirmish(ruleset, seed)
    sides = tuple(replace(side, conditions={AUTOMATIC: ""}) for side in scene.sides)
    tokens = tuple(replace(token, hidden=seed % 2 == 1 and i == 0) for i, token in enumerate(scene.tokens))
    tables = Tables(MemoryStore(), load_rulesets([ruleset]), SeededDice(seed))
    links = tables.create(replace(scene, sides=sides, tokens=tokens))
    return tables.enter(links.table, links.gm_key)[0]


def command_for(act, number):
    plain = msgspec.to_builtins(act)
    if act.kind == "move":
        kind, body = "token.move", {"token": act.token, "at": plain["at"], "facing": act.facing}
    else:
        kind, body = "act", {"act": plain}
    return load_command({"v": 1, "id": f"c{number}", "kind": kind, "base": number, "body": body})


def answer_for(choice, name, chance):
    """An answer of the GM to a choice that an act waits for: any option, or the default split."""
    allocation, keys = choice["allocation"], [option["key"] for option in choice["options"]]
    answer = dict(zip(keys, allocation["default"], strict=True)) if allocation else chance.choice(keys)
    body = {"choice": choice["id"], "answer": answer}
    return load_command({"v": 1, "id": name, "kind": "choice.answer", "body": body})


def execute_twice(table, command):
    """Executes a command and repeats it, as after a lost reply; gives its result."""
    done, again = table.execute(GM, command), table.execute(GM, command)
    assert (again.seq, again.result) == (done.seq, done.result)
    return done


def play(table, seed):
    """Plays on to the end; gives the scene as a spectator has followed it, and the number of acts."""
    chance, seen, number = random.Random(seed), view(table.scene, SPECTATOR), 0
    while number < MAX_ACTS and not table.ruleset.turn(table.scene).is_over:
        act = choose_act(table.ruleset, table.scene, chance)
        if act is None and table.ruleset.moves_only(table.scene):
            continue  # no token chose to move; in a game with turns one can always act
        command = command_for(act, number)
        done = execute_twice(table, command)
        questions = 0
        while "waiting" in done.result:  # a hidden token's move asks the GM even if the sides are automatic
            assert done.seq == number, "an act that waits for a choice has changed nothing yet"
            questions += 1
            done = execute_twice(table, answer_for(done.result["waiting"], f"c{number}-{questions}", chance))
        assert done.seq == number + 1
        place = table.number(SPECTATOR)
        for entry in table.entries_after(SPECTATOR, number).entries:  # none of what is kept from a spectator
            assert entry.seq == place
            seen = fold_all(seen, entry.events)
        number += 1
    return seen, number


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("ruleset", load_rulesets(BUILT_IN).values(), ids=lambda ruleset: ruleset.key)
def test_a_game_at_a_table_replays_is_followed_and_is_taken_back(ruleset, seed):
    table = table_of(ruleset, seed)
    first = table.scene
    seen, acts = play(table, seed)
    assert acts > 0
    assert seen == view(table.scene, SPECTATOR)

    entries = table.entries_after(GM, 0).entries
    assert fold_all(first, [event for entry in entries for event in entry.events]) == table.scene
    for number in range(acts):
        table.execute(GM, load_command({"v": 1, "id": f"u{number}", "kind": "undo", "body": {}}))
    assert table.scene == first
