"""The house-rule diff names exactly the verdicts that a full run under the changed rule changes.

ENFILADE_BATTLES sets the number of random battles; `make rules-diff` runs 200.
"""

from __future__ import annotations

import os
import random

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.play.analysis.battles import GAMES, RULESETS, PlayedBattle
from tests.unit.play.analysis.full_run import FullRun
from tests.unit.play.redaction.secrets_table import SecretsTable

from enfilade.analysis.past import past_of
from enfilade.analysis.rules_diff import first_scene, rules_diff
from enfilade.cli.analysis import read_battle, read_settings
from enfilade.errors import BadInput, BadMessage
from enfilade.scene.model import GM, Scene

BATTLES = int(os.environ.get("ENFILADE_BATTLES", "6"))


def other_setting(game, start, seed):
    """Return a house rule with another setting than a battle's."""
    chance = random.Random(seed)
    rule = chance.choice([one for one in RULESETS[game].house_rules if len(one.options) > 1])
    now = start.house_rules.get(rule.key, rule.default)
    return {
        rule.key: chance.choice([one for one in rule.options if one != now or type(one) is not type(now)])
    }


def recorded(game, seed, acts=30):
    battle = PlayedBattle(game, seed, is_automatic=seed % 3 == 0, strength=3)
    start = battle.table.scene
    battle.play(acts)
    return start, battle.entries()


@pytest.mark.parametrize("number", range(BATTLES))
def test_the_diff_is_that_of_a_full_run(number, monkeypatch):
    game = GAMES[number % len(GAMES)]
    start, entries = recorded(game, number)
    chosen = other_setting(game, start, number)
    found = rules_diff(RULESETS, start, entries, chosen)
    full = list(FullRun(RULESETS, start, chosen, monkeypatch).changed(entries))
    assert [(v.seq, v.kind) for v in found.verdicts] == [(seq, kind) for seq, kind, _ in full]
    texts = {seq: text for seq, kind, text in full if kind != "unanswered"}
    assert {v.seq: v.now for v in found.verdicts if v.seq in texts} == texts


@pytest.mark.parametrize("game", GAMES)
def test_the_same_rules_change_no_verdict(game):
    start, entries = recorded(game, 4)
    found = rules_diff(RULESETS, start, entries, {})
    assert found.verdicts == ()
    assert found.same == found.acts == sum(entry.request is not None for entry in entries)


def test_undone_entries_leave_no_trace_in_the_run():
    game = SecretsTable()
    start = game.table.scene
    game.do(
        "act",
        seat=GM,
        act={"kind": "melee", "token": "bran", "target": "orc-3", "weapon": "hammer"},
        faces=[1],
    )
    game.do("undo", seat=GM)
    game.do("redo", seat=GM)
    game.do("token.move", seat=GM, token="bran", at=[6, 6], override="then")
    entries = game.store.entries(game.table.id, 0, 100)
    assert rules_diff(RULESETS, start, entries, {}).verdicts == ()


def test_a_roll_that_the_record_lacks_is_named():
    start, entries = recorded("coup_de_grace", 6)
    with_rolls = [e for e in entries if any(hasattr(event, "faces") for event in e.events)]
    assert with_rolls
    bare = [
        replace(e, events=tuple(event for event in e.events if not hasattr(event, "faces")))
        if e is with_rolls[0]
        else e
        for e in entries
    ]
    found = rules_diff(RULESETS, start, bare, {})
    assert found.verdicts[0].kind == "unrepeatable"
    assert found.verdicts[0].seq == with_rolls[0].seq


def test_unknown_house_rules_are_refused():
    start, entries = recorded("torn", 1, acts=2)
    with pytest.raises(BadMessage):
        rules_diff(RULESETS, start, entries, {"no.such.rule": True})
    with pytest.raises(BadInput):
        read_settings(RULESETS["torn"], ["no value"])


def test_an_exported_log_is_a_battle_that_begins_at_its_first_scene():
    battle = PlayedBattle("coup_de_grace", 2)
    scene = battle.table.scene
    battle.do("scene.set", scene=scene_body(battle))
    battle.play(10)
    start, entries = read_battle(battle.table.export_log())
    assert start is None
    start, after = first_scene(entries)
    assert start == scene
    assert rules_diff(RULESETS, start, after, {}).verdicts == ()


def test_the_lines_of_a_table_begin_with_the_scene_before_its_first_entry():
    battle = PlayedBattle("torn", 2)
    first = battle.table.scene
    battle.play(5)
    start, entries = read_battle(past_of(battle.table).battle_lines(battle.table))
    assert start == msgspec.json.decode(msgspec.json.encode(first), type=Scene)
    assert msgspec.json.encode(entries) == msgspec.json.encode(battle.entries())


def scene_body(battle):
    from enfilade.messages.dump import plain

    return plain(battle.table.scene)
