"""Splits of a pool over slots: who decides them, their limits, and the odds with the default."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace as replace_field
from fractions import Fraction

import pytest
from tests.example import FIRST_BLOOD
from tests.unit.play.duel import SCENE as DUEL_SCENE
from tests.unit.play.duel import Duel

from enfilade.errors import BadMessage, EnfiladeError
from enfilade.play.command import Allocation
from enfilade.play.tables import Tables
from enfilade.rules.allocations import MAX_SPLITS, legal_splits
from enfilade.rules.dice import D6, SeededDice
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act, Allocate, Answer, Call, Change, Outcome, ProcedureError, Roll
from enfilade.rules.questions import find_questions
from enfilade.rules.resolve import Answers, ChoicePending, WrongAnswer, resolve
from enfilade.rules.ruleset import ActKind
from enfilade.rules.sampling import sample
from enfilade.scene.events import ChoiceMade, DiceRolled, Explained
from enfilade.scene.model import GM, Grid, Scene

SCENE = Scene(ruleset="any", grid=Grid("square", 5, 5))
ACT = Act(kind="defend")
SLOTS = (Answer("orc", "the orc"), Answer("troll", "the troll"))
SPLIT = Allocate("blue", "Split 3 dice.", 3, SLOTS, ((0, 3), (1, 2)), {"orc": 1, "troll": 2}, "ann", least=2)


def defend(scene, act, request=SPLIT):
    yield Change(Explained(kind="defend", facts={"token": "ann"}))
    dice = yield request
    failures = 0
    for enemy, number in dice.items():
        faces = yield Roll(enemy, D6, number)
        failures += max(faces, default=0) < 4
    return Outcome("held" if not failures else "failed", damage=failures)


def test_a_procedure_gets_a_number_for_each_slot_and_the_log_the_split():
    done = resolve(SCENE, defend, (ACT,), Answers(faces=[4, 6], decisions=['{"troll":2}']))
    assert done.result == Outcome("failed", damage=1)
    assert [e.faces for e in done.events if isinstance(e, DiceRolled)] == [(), (4, 6)]
    assert done.events[1] == ChoiceMade(side="blue", question="Split 3 dice.", answer='{"troll":2}')


def test_a_procedure_waits_for_a_split_and_an_automatic_side_takes_the_default():
    with pytest.raises(ChoicePending, match="Split 3 dice"):
        resolve(SCENE, defend, (ACT,), Answers(automatic={"red"}))
    done = resolve(SCENE, defend, (ACT,), Answers(faces=[4, 1, 4], automatic={"blue"}))
    assert done.result == Outcome("held")
    assert done.events[1].automatic


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("orc", "'orc' does not allocate anything"),
        ('{"orc":1.5}', "does not allocate anything"),
        ("[" * 100_000, "does not allocate anything"),
        ('{"elf":1,"troll":1}', "Nothing can be allocated to 'elf'"),
        ('{"orc":3,"troll":0}', "the troll takes 1 to 2"),
        ('{"orc":-1,"troll":2}', "the orc takes 0 to 3"),
        ('{"troll":1}', "1 allocated in all; allowed are 2 to 3"),
        ('{"orc":2,"troll":2}', "4 allocated in all; allowed are 2 to 3"),
    ],
)
def test_a_wrong_split_is_refused_with_a_sentence(answer, message):
    with pytest.raises(WrongAnswer, match=message):
        resolve(SCENE, defend, (ACT,), Answers(faces=[1, 1, 1], decisions=[answer]))


def test_odds_and_samples_take_the_default_split():
    found = odds(SCENE, defend, (ACT,))
    assert found.chances[Outcome("held")] == Fraction(1, 2) * Fraction(3, 4)
    tally = sample(SCENE, defend, (ACT,), 20_000, seed=1)
    assert abs(tally[Outcome("held")] / 20_000 - 0.375) < 0.02


def callee():
    split = yield SPLIT
    return split["troll"]


def test_a_callee_may_allocate():
    def call(scene, act):
        return Outcome("held", damage=(yield Call(callee)))

    assert odds(SCENE, call, (ACT,)).chances == {Outcome("held", damage=2): 1}


def test_every_legal_split_is_listed_once_with_the_default_first():
    splits = legal_splits(SPLIT)
    assert splits[0] == {"orc": 1, "troll": 2}
    expected = {(o, t) for o in range(4) for t in (1, 2) if 2 <= o + t <= 3}
    assert Counter((s["orc"], s["troll"]) for s in splits) == dict.fromkeys(expected, 1)
    wide = SPLIT._replace(pool=99, limits=((0, 99), (0, 99)))
    assert len(legal_splits(wide)) == MAX_SPLITS


def test_a_walk_over_all_answers_takes_every_split():
    found = find_questions(SCENE, defend, (ACT,))
    assert found.is_complete
    assert len(found.questions[0].answers) == 4
    assert {roll.label: roll.most for roll in found.rolls} == {"orc": 2, "troll": 2}


@pytest.mark.parametrize(
    "request_",
    [
        SPLIT._replace(default={"orc": 1}),
        SPLIT._replace(default={"elf": 2}),
        SPLIT._replace(limits=((0, 3),)),
        SPLIT._replace(chances=(((0, 1),),)),
    ],
)
def test_a_request_that_contradicts_itself_is_a_programming_error(request_):
    with pytest.raises(ProcedureError):
        resolve(SCENE, defend, (ACT, request_), Answers(faces=[1, 1, 1]))
    with pytest.raises(ProcedureError):
        odds(SCENE, defend, (ACT, request_))


# ---- at a table ------------------------------------------------------------------------------------------

SPLITTING = replace_field(FIRST_BLOOD, acts={**FIRST_BLOOD.acts, "defend": ActKind("Defend", defend)})


class SplitTable(Duel):
    def _tables(self):
        return Tables(self.store, {"first_blood": SPLITTING}, SeededDice(7))


@pytest.fixture
def table():
    table = SplitTable(scene=DUEL_SCENE)
    table.do("act", act={"kind": "defend", "token": "ann"})
    return table


def test_a_table_shows_the_numbers_of_an_allocation(table):
    choice = table.table.snapshot(GM).choice
    assert [option.key for option in choice.options] == ["orc", "troll"]
    assert choice.default == ""
    assert choice.allocation == Allocation(pool=3, least=2, limits=((0, 3), (1, 2)), default=(1, 2))


def test_a_table_takes_a_split_over_a_restart(table):
    table.enter()
    result = table.answer({"orc": 0, "troll": 2})
    assert result.result["outcome"]["result"] == "failed"
    assert any(
        isinstance(event, ChoiceMade) and event.answer == '{"troll":2}'
        for entry in table.entries()
        for event in entry.events
    )


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("orc", EnfiladeError),
        ({"elf": 1}, EnfiladeError),
        ({"orc": 3}, EnfiladeError),
        ({"orc": -1}, BadMessage),
        ({"orc": True}, BadMessage),
        ({str(i): 0 for i in range(65)}, BadMessage),
    ],
)
def test_a_table_refuses_a_wrong_split_and_keeps_waiting(table, answer, error):
    with pytest.raises(error):
        table.answer(answer)
    assert table.table.snapshot(GM).choice is not None
