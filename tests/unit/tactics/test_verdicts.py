"""The verdict of one miniature on another, as a sentence and in parts, from a seat's view."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace
from tests.contract import differences
from tests.example import FIRST_BLOOD
from tests.unit.play.duel import SCENE, Duel

from enfilade.errors import BadMessage, NotFound
from enfilade.importers.demo import demo_battle
from enfilade.messages import dump
from enfilade.play.tables import Tables
from enfilade.rules.dice import SeededDice
from enfilade.rules.registry import load_rulesets
from enfilade.rules.ruleset import Sight
from enfilade.rulesets import BUILT_IN
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.scene.model import GM, SPECTATOR, Seat, Token
from enfilade.store.memory import MemoryStore
from enfilade.tactics.verdicts import path_cost, sight_text, verdict

ANN = Token(id="ann", name="Ann", side="blue", at=(1, 1))
ORC = Token(id="orc", name="Orc 3", side="red", at=(3, 1))


@pytest.mark.parametrize(
    ("sight", "sentence"),
    [
        (Sight(is_seen=True, distance="2 squares"), "Ann sees Orc 3, 2 squares away."),
        (Sight(is_seen=True, cover="It has cover."), "Ann sees Orc 3. It has cover."),
        (Sight(is_seen=False, why="Blocked by Bo."), "Ann does not see Orc 3. Blocked by Bo."),
        (Sight(distance="2 squares"), "Orc 3 is 2 squares away."),
        (Sight(), ""),
    ],
)
def test_a_verdict_is_a_plain_sentence(sight, sentence):
    assert sight_text(ANN, ORC, sight) == sentence


def test_a_verdict_says_that_a_token_is_off_the_board():
    assert sight_text(ANN, replace(ORC, at=None), Sight()) == "Orc 3 is not on the board."
    assert sight_text(replace(ANN, at=None), ORC, Sight()) == "Ann is not on the board."


def test_a_game_without_lines_of_sight_still_gives_odds():
    found = verdict(FIRST_BLOOD, SCENE, "ann", "orc", 7)
    assert (found.seq, found.sentence, found.sight) == (7, "", Sight())
    assert [(act.act.kind, act.chance) for act in found.acts] == [("strike", (3, 4)), ("feint", (0, 1))]


def test_a_verdict_holds_every_act_at_the_target_and_the_reason_of_each_refusal():
    scene = demo_battle(COUP_DE_GRACE).scene
    found = verdict(COUP_DE_GRACE, scene, "aldis", "orc-1", 0)
    assert found.sentence.endswith("Blocked by the door between you and Orc 1.")
    assert {act.target for act in found.acts} == {"orc-1"}
    assert all(act.why for act in found.acts)


def test_a_verdict_on_an_engaged_pair_says_the_effect():
    scene = demo_battle(COUP_DE_GRACE).scene
    found = verdict(COUP_DE_GRACE, scene, "ilvane", "goblin-1", 0)
    assert found.sentence.endswith("Goblin 1 and Ilvane double each other's movement costs.")


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=lambda ruleset: ruleset.key)
def test_the_answer_matches_its_schema(ruleset):
    scene = demo_battle(ruleset).scene
    for target in scene.tokens[1:]:
        shape = json.loads(json.dumps(dump.plain(verdict(ruleset, scene, scene.tokens[0].id, target.id, 0))))
        assert not differences("verdict", shape)


def hall(*tokens):
    """Build a table of Coup-de-Grace with a hidden token between two that face each other."""
    demo = demo_battle(COUP_DE_GRACE).scene
    profile = demo.tokens[0].profile
    placed = [replace(token, profile=profile) for token in tokens]
    tables = Tables(MemoryStore(), {"coup_de_grace": COUP_DE_GRACE}, SeededDice(1))
    scene = replace(demo, walls=(), terrain=(), sides=SCENE.sides, tokens=tuple(placed))
    links = tables.create(scene)
    return tables.enter(links.table, links.gm_key)[0]


def test_a_hidden_token_blocks_nothing_and_is_not_named():
    spy = Token(id="spy", name="Silent Sam", side="red", at=(2, 1), hidden=True)
    table = hall(ANN, ORC, spy)
    assert table.verdict(GM, "ann", "orc").sight.blocker.name == "Silent Sam"
    verdict_json = table.verdict(SPECTATOR, "ann", "orc")
    assert verdict_json.sight.is_seen
    assert "Sam" not in str(dump.plain(verdict_json))
    with pytest.raises(NotFound, match="There is no token 'spy'"):
        table.verdict(SPECTATOR, "ann", "spy")


def test_a_secret_door_reads_as_a_wall():
    scene = demo_battle(COUP_DE_GRACE).scene
    walls = tuple(replace(wall, door="secret" if wall.id == "d2" else wall.door) for wall in scene.walls)
    found = verdict(COUP_DE_GRACE, replace(scene, walls=walls), "aldis", "orc-1", 0)
    assert found.sight.blocker.name == "the wall"


def test_a_question_changes_nothing_and_needs_no_base():
    duel = Duel()
    before = (duel.table.seq, duel.table.scene)
    assert duel.do("verdict.ask", base=99, token="ann", target="orc").result["acts"]
    assert (duel.table.seq, duel.table.scene) == before


RULESETS = load_rulesets(BUILT_IN)
MIA = Seat("player", "mia")
OWNED = replace(SCENE, tokens=tuple(replace(one, owners=("mia",)) for one in SCENE.tokens))


def reached(ruleset, scene, token):
    reach = ruleset.reach(scene, token)
    return [(column, row) for column, row, _ in reach.cells if (column, row) != token.at] if reach else []


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_the_legs_add_up_to_the_ruling_on_the_whole_path(key):
    ruleset, count = RULESETS[key], 0
    scene = demo_battle(ruleset).scene
    for token in scene.on_board():
        for end in reached(ruleset, scene, token)[:40:3]:
            for between in reached(ruleset, scene, token)[:20:5]:
                found = path_cost(ruleset, scene, token.id, (between, end), 3)
                whole = ruleset.judge(scene, token, (between, end), token.facing)
                assert (found.ruling, found.seq, len(found.costs)) == (whole, 3, 2)
                if None not in found.costs:
                    assert sum(found.costs) == whole.cost
                    count += 1
    assert count or scene.grid.kind == "gridless"


def test_a_leg_costs_more_by_a_detour():
    duel = Duel(scene=OWNED)
    straight = duel.table.path_cost(MIA, "ann", [(1, 2)])
    detour = duel.table.path_cost(MIA, "ann", [(2, 1), (2, 2), (1, 2)])
    assert straight.costs == (straight.ruling.cost,)
    assert len(detour.costs) == 3
    assert detour.ruling.cost > straight.ruling.cost


def test_a_hidden_token_on_the_path_changes_nothing_for_a_player():
    spy = Token(id="spy2", name="Spy", side="red", at=(2, 1), hidden=True)
    without, within = Duel(scene=OWNED), Duel(scene=replace(OWNED, tokens=(*OWNED.tokens, spy)))
    path = [(2, 1), (3, 1)]
    assert within.table.path_cost(MIA, "ann", path) == without.table.path_cost(MIA, "ann", path)


def test_a_path_off_the_board_or_without_a_cell_is_refused():
    for path in ([(1, 1), (99, 1)], []):
        with pytest.raises(BadMessage):
            Duel(scene=OWNED).table.path_cost(MIA, "ann", path)
    with pytest.raises(NotFound):
        Duel(scene=OWNED).table.path_cost(MIA, "nobody", [(1, 1)])


def test_the_cost_of_a_path_has_the_published_shape():
    duel = Duel(scene=OWNED)
    asked = duel.do("path.ask", seat=MIA, token="ann", path=[[2, 1], [2, 2]])
    assert not differences("path", asked.result)
