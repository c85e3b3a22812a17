"""Acts that are planned with a round: their odds and questions, in the suite and at a table."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.rulesets.double_life.scenes import fighter, foe, scene

from enfilade.errors import IllegalAct
from enfilade.importers.demo import demo_battle
from enfilade.messages.load import load_command
from enfilade.play.tables import Tables
from enfilade.rules.conformance import positions, skirmish
from enfilade.rules.conformance.checks import check_occupancy
from enfilade.rules.conformance.games import game
from enfilade.rules.dice import D6, SeededDice
from enfilade.rules.procedures import Act, Outcome, Roll, Settled
from enfilade.rules.questions import find_questions
from enfilade.rules.registry import load_rulesets
from enfilade.rules.ruleset import Offer
from enfilade.rules.sampling import sample
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.scene.model import GM
from enfilade.store.memory import MemoryStore
from enfilade.tactics.previews import preview, previews

MARKET = demo_battle(DOUBLE_LIFE).scene
KNIGHTS = demo_battle(KNIGHTS_OF_VALOUR).scene


def test_the_questions_of_a_sealed_round_are_listed_without_a_walk_over_all_plans():
    # A walk over the plans of eight characters would take hours.
    found = find_questions(MARKET, DOUBLE_LIFE.acts["round"].procedure, (Act(kind="round"),))
    assert len(found.questions) == 3 * len(MARKET.tokens)
    assert not found.is_complete
    assert not found.rolls


def test_no_random_game_plays_a_planned_act_and_previews_check_them():
    played = {p.act.kind for seed in range(12) for p in game(DOUBLE_LIFE, skirmish(DOUBLE_LIFE, seed), seed)}
    assert played == {"round", "end"}
    assert {act.kind for _, act in positions(DOUBLE_LIFE, 12)} == {"attack", "second-life"}


def test_a_table_refuses_a_planned_act_unless_the_gm_overrides():
    tables = Tables(MemoryStore(), load_rulesets([DOUBLE_LIFE]), SeededDice(1))
    links = tables.create(MARKET)
    table = tables.enter(links.table, links.gm_key)[0]

    def attack(number, override=""):
        act = {"kind": "attack", "token": "aldis", "target": "grash", "weapon": "Sword"}
        body = {"act": act, "override": override}
        return table.execute(GM, load_command({"v": 1, "id": f"a{number}", "kind": "act", "body": body}))

    with pytest.raises(IllegalAct) as refused:
        attack(1)
    assert refused.value.rule == "DBL-003"
    assert table.seq == 0
    assert attack(2, "An ambush").result["outcome"]["result"]


def test_an_offer_says_that_its_act_is_only_planned_and_which_command_does_it():
    ruleset = load_rulesets([DOUBLE_LIFE])["double_life"]
    near = scene(fighter("al", (5, 5)), foe("be", (6, 5)))
    made = previews(ruleset, near, ruleset.offers(near, near.token("al")))
    assert {one.act.kind for one in made if one.is_planned} == {"attack"}
    assert "round" in {one.act.kind for one in made if not one.is_planned}
    assert {one.command for one in made} == {"act"}
    planned = next(one for one in made if one.legal and one.is_planned)
    assert planned.outcomes
    move = Offer(Act(kind="move", token="aldis", at=(3, 3)), "Move")
    assert preview(ruleset, MARKET, move).command == "token.move"


def test_a_refused_offer_has_its_cause_on_the_wire():
    offers = KNIGHTS_OF_VALOUR.offers(KNIGHTS, KNIGHTS.tokens[0])
    refused = [one for one in previews(KNIGHTS_OF_VALOUR, KNIGHTS, offers) if not one.legal]
    assert refused
    assert all(one.cause for one in refused)


def test_a_skirmish_gives_large_tokens_room():
    for seed in range(60):
        check_occupancy(DOUBLE_LIFE, skirmish(DOUBLE_LIFE, seed))


def test_tokens_share_a_cell_only_if_the_rules_allow_it():
    board = skirmish(KNIGHTS_OF_VALOUR, 1)
    first, second, *_ = board.tokens
    moved = tuple(replace(t, at=first.at) if t.id == second.id else t for t in board.tokens)
    with pytest.raises(AssertionError, match="stand in one cell"):
        check_occupancy(KNIGHTS_OF_VALOUR, replace(board, tokens=moved))


def test_a_sample_ends_at_the_outcome_that_an_act_announces():
    runs = []

    def act(scene):
        (face,) = yield Roll("a die", D6)
        outcome = Outcome("high" if face > 3 else "low")
        yield Settled(outcome)
        runs.append(face)
        (_,) = yield Roll("its aftermath", D6)
        return outcome

    found = sample(MARKET, act, (), 6_000, 1)
    assert sum(found.values()) == 6_000
    assert 2_800 < found[Outcome("high")] < 3_200
    assert not runs
