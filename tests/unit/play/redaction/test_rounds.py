"""The start of a round reaches every seat, even if hidden tokens had a part in the initiative."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.importers.demo import demo_battle
from enfilade.messages.load import load_command
from enfilade.play.tables import Tables
from enfilade.rules.dice import SeededDice
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import GM, SPECTATOR, Fog
from enfilade.store.memory import MemoryStore

RULESETS = {ruleset.key: ruleset for ruleset in BUILT_IN}
HIDDEN = {
    "coup_de_grace": "orc-1",
    "torn": "rogue",
    "knights_of_valour": "skeleton",
}


@pytest.mark.parametrize("game", HIDDEN)
def test_a_spectator_reads_that_a_round_begins_and_no_word_of_the_hidden_token(game):
    scene = demo_battle(RULESETS[game]).scene
    tokens = tuple(replace(token, hidden=token.id == HIDDEN[game]) for token in scene.tokens)
    name = next(token.name for token in tokens if token.hidden)
    tables = Tables(MemoryStore(), RULESETS, SeededDice(7))
    links = tables.create(replace(scene, tokens=tokens, conditions={}, tracks={}))
    table, _ = tables.enter(links.table, links.gm_key)
    body = {"act": {"kind": "round"}}
    table.execute(GM, load_command({"v": 1, "id": "r", "kind": "act", "base": None, "body": body}))
    while choice := table.snapshot(GM).choice:
        answer = {"choice": choice.id, "answer": choice.default}
        raw = {"v": 1, "id": choice.id, "kind": "choice.answer", "base": None, "body": answer}
        table.execute(GM, load_command(raw))
    (*_, entry) = table.snapshot(SPECTATOR).log
    assert "ound 1" in entry.text
    assert name not in str(entry)


@pytest.mark.parametrize("is_in_fog", [False, True], ids=["hidden", "in the fog"])
@pytest.mark.parametrize(
    ("initiative", "said"), [("score", "Initiative is rolled."), ("roll", "Round 1 begins")]
)
def test_the_log_does_not_tell_which_unseen_token_began_the_battle(initiative, said, is_in_fog):
    scene = demo_battle(RULESETS["fifth_edition"]).scene
    unseen = scene.tokens[-1]
    tokens = tuple(
        replace(token, id="lurker", hidden=not is_in_fog) if token is unseen else token
        for token in scene.tokens
    )
    column, row = unseen.at
    fog = Fog(cells=tuple((row + down, column, column + 1) for down in (0, 1)) if is_in_fog else ())
    tables = Tables(MemoryStore(), RULESETS, SeededDice(7))
    rules = {**scene.house_rules, "fifth_edition.initiative": initiative}
    links = tables.create(replace(scene, tokens=tokens, fog=fog, house_rules=rules))
    table, _ = tables.enter(links.table, links.gm_key)
    act = {"kind": "begin", "token": "lurker"}
    table.execute(GM, load_command({"v": 1, "id": "b", "kind": "act", "base": None, "body": {"act": act}}))
    own, shown = table.snapshot(GM).log[-1], table.snapshot(SPECTATOR).log[-1]
    assert own.facts["token"] == "lurker"
    assert said in shown.text
    assert "lurker" not in str(table.snapshot(SPECTATOR))
