"""Running a procedure: whose faces and decisions it gets, and what it may not do."""

from __future__ import annotations

from fractions import Fraction

import pytest

from enfilade.errors import CannotPay, IllegalAct
from enfilade.rules.dice import D6, D20, Die, SeededDice, SystemDice, in_die_order
from enfilade.rules.odds import odds
from enfilade.rules.procedures import (
    Act,
    Answer,
    Call,
    Change,
    Choose,
    Outcome,
    ProcedureError,
    Require,
    Roll,
    Settled,
    TailCall,
    yes_or_no,
)
from enfilade.rules.resolve import Answers, ChoicePending, WrongAnswer, refusal, resolve
from enfilade.rules.sampling import sample
from enfilade.scene.events import TABLE, ChoiceMade, DiceRolled, Explained, TrackSet
from enfilade.scene.model import Grid, Scene

SCENE = Scene(ruleset="any", grid=Grid("square", 5, 5), tracks={"luck": 1})
ACT = Act(kind="try")
COIN = Die("coin", ("head", "tail"))


def must_be_lucky(scene):
    if not scene.track("luck"):
        raise CannotPay("There is no luck left.", "ANY-001")


def try_luck(scene, act):
    yield Require(must_be_lucky, (scene,))
    yield Change(Explained(kind="try", facts={"needed": 11}))
    low, high = yield Roll("two dice", D6, 2)
    if low == high and (yield yes_or_no("blue", "Again?", default=False)) == "yes":
        low, high = yield Roll("again", D6, 2)
    scene = yield Change(TrackSet(holder=TABLE, track="luck", value=0, was=scene.track("luck")))
    assert scene.track("luck") == 0
    return Outcome("win" if low + high >= 11 else "lose")


def test_faces_and_decisions_are_used_in_order_and_recorded():
    done = resolve(SCENE, try_luck, (ACT,), Answers(faces=[4, 4, 6, 5], decisions=["yes"]))
    assert done.result == Outcome("win")
    assert done.events[1:4] == [
        DiceRolled(label="two dice", die="d6", faces=(4, 4), typed=True),
        ChoiceMade(side="blue", question="Again?", answer="yes"),
        DiceRolled(label="again", die="d6", faces=(6, 5), typed=True),
    ]
    assert done.scene.track("luck") == 0


def test_missing_faces_are_rolled_and_missing_decisions_take_the_default():
    done = resolve(SCENE, try_luck, (ACT,), Answers(faces=[4, 4], dice=SeededDice(1)))
    assert [e.automatic for e in done.events if isinstance(e, ChoiceMade)] == [True]
    assert [e.typed for e in done.events if isinstance(e, DiceRolled)] == [False]


def test_a_procedure_waits_for_a_side_that_is_not_automatic():
    with pytest.raises(ChoicePending, match="Again") as waiting:
        resolve(SCENE, try_luck, (ACT,), Answers(faces=[4, 4], automatic={"red"}))
    assert waiting.value.given.used_faces == [4, 4]
    assert [type(event) for event in waiting.value.events] == [Explained, DiceRolled]


def test_an_automatic_side_takes_the_default_even_if_answers_are_given():
    with pytest.raises(WrongAnswer, match="does not ask for the answer 'yes'"):
        resolve(SCENE, try_luck, (ACT,), Answers(faces=[4, 4], decisions=["yes"], automatic={"blue"}))


@pytest.mark.parametrize(
    ("faces", "decisions", "message"),
    [
        ([1], [], "More dice are needed: two dice takes 2 d6"),
        ([1, 2, 3], [], "Too many dice: 3 given, 2 needed"),
        ([1, 7], [], "A d6 has no face 7"),
        ([1, True], [], "A d6 has no face True"),
        ([4, 4], ["maybe"], "'maybe' does not answer"),
        ([1, 2], ["yes"], "does not ask for the answer 'yes'"),
    ],
)
def test_wrong_faces_and_answers_are_refused_with_a_sentence(faces, decisions, message):
    with pytest.raises(WrongAnswer, match=message):
        resolve(SCENE, try_luck, (ACT,), Answers(faces=faces, decisions=decisions))


def test_a_refusal_keeps_no_frame_and_so_no_scene_alive():
    spent = resolve(SCENE, try_luck, (ACT,), Answers(faces=[1, 2])).scene
    assert refusal(spent, try_luck, ACT).__traceback__ is None


def test_an_illegal_act_is_refused_unless_the_gm_overrides_the_rules():
    spent = resolve(SCENE, try_luck, (ACT,), Answers(faces=[1, 2])).scene
    assert refusal(spent, try_luck, ACT).rule == "ANY-001"
    assert refusal(SCENE, try_luck, ACT) is None
    with pytest.raises(CannotPay):
        resolve(spent, try_luck, (ACT,), Answers(faces=[1, 2]))
    overruling = Answers(faces=[1, 2], overrides=True)
    assert resolve(spent, try_luck, (ACT,), overruling).result == Outcome("lose")
    assert [refused.rule for refused in overruling.overridden] == ["ANY-001"]
    # With its frames a refusal would keep the scene in a cycle, until garbage is collected.
    assert [refused.__traceback__ for refused in overruling.overridden] == [None]


def test_odds_raise_the_errors_of_the_procedure():
    spent = resolve(SCENE, try_luck, (ACT,), Answers(faces=[1, 2])).scene
    with pytest.raises(IllegalAct, match="no luck left"):
        odds(spent, try_luck, (ACT,))


def test_a_procedure_gets_faces_in_die_order_and_the_log_in_roll_order():
    def sorted_throw(scene, act):
        faces = yield Roll("coins", COIN, 3)
        return faces

    done = resolve(SCENE, sorted_throw, (ACT,), Answers(faces=["tail", "head", "tail"]))
    assert done.result == ("head", "tail", "tail")
    assert done.events[0].faces == ("tail", "head", "tail")


def calling(called):
    def procedure(scene, act):
        yield Call(called, (1,))
        return Outcome("done")

    return procedure


def changing(number):
    yield Change(TrackSet(holder=TABLE, track="luck", value=number, was=None))


def settling(number):
    yield Settled(Outcome("done"))


def asking_leave(number):
    yield Require(must_be_lucky, (SCENE,))


def asking_for_anything(number):
    yield "a pony"


@pytest.mark.parametrize("called", [changing, settling, asking_leave, asking_for_anything])
def test_a_callee_may_only_roll_choose_and_call(called):
    with pytest.raises(ProcedureError):
        resolve(SCENE, calling(called), (ACT,), Answers())
    with pytest.raises(ProcedureError):
        odds(SCENE, calling(called), (ACT,))


def test_a_callee_may_explain_but_does_not_see_the_scene():
    def explaining(number):
        scene = yield Change(Explained(kind="called", facts={"number": number}))
        return scene is None

    def procedure(scene, act):
        return Outcome("done" if (yield Call(explaining, (1,))) else "saw it")

    done = resolve(SCENE, procedure, (ACT,), Answers())
    assert done.result == Outcome("done")
    assert done.events == [Explained(kind="called", facts={"number": 1})]
    assert odds(SCENE, procedure, (ACT,)).chances == {Outcome("done"): 1}


def die_of(number):
    (face,) = yield Roll("luck", D6)
    return face + number


def twice(number):
    first = yield Call(die_of, (number,))
    yield TailCall(die_of, (first,))


def test_a_callee_may_end_in_a_tail_call():
    def procedure(scene, act):
        return Outcome("total", damage=(yield Call(twice, (1,))))

    assert resolve(SCENE, procedure, (ACT,), Answers(faces=(2, 3))).result.damage == 6
    found = odds(SCENE, procedure, (ACT,)).chances
    assert found[Outcome("total", damage=8)] == Fraction(1, 6)
    tally = sample(SCENE, procedure, (ACT,), 6_000, seed=1)
    assert tally.keys() == found.keys()


def test_odds_merge_results_that_read_the_same():
    runs = []

    def procedure(scene, act):
        is_high = yield Call(die_of, (0,), high)
        runs.append(is_high)
        return Outcome("high" if is_high else "low")

    assert resolve(SCENE, procedure, (ACT,), Answers(faces=(5,))).result == Outcome("high")
    runs.clear()
    assert odds(SCENE, procedure, (ACT,)).chances == {
        Outcome("high"): Fraction(1, 3),
        Outcome("low"): Fraction(2, 3),
    }
    assert len(runs) == 2


def high(face):
    return face > 4


def test_odds_stop_at_the_settled_outcome_and_the_act_continues():
    def procedure(scene, act):
        (face,) = yield Roll("luck", D6)
        yield Settled(Outcome("done"))
        yield Roll("what follows", D6, 3)
        return Outcome("done" if face < 6 else "something else")

    assert len(resolve(SCENE, procedure, (ACT,), Answers(faces=(1, 2, 2, 2))).events) == 2
    assert odds(SCENE, procedure, (ACT,)).chances == {Outcome("done"): 1}
    with pytest.raises(ProcedureError, match="settled on"):
        resolve(SCENE, procedure, (ACT,), Answers(faces=(6, 2, 2, 2)))


def test_unhashable_arguments_of_a_callee_are_a_programming_error():
    def procedure(scene, act):
        yield Call(changing, ([1],))
        return Outcome("done")

    with pytest.raises(ProcedureError, match=r"\[1\]"):
        odds(SCENE, procedure, (ACT,))


def test_a_default_outside_the_answers_is_a_programming_error():
    def procedure(scene, act):
        yield Choose("blue", "Which?", (Answer("left", "Left"),), "right")

    with pytest.raises(ProcedureError, match="'right' is not among the answers to 'Which"):
        resolve(SCENE, procedure, (ACT,), Answers())


def test_system_dice_roll_every_face():
    faces = SystemDice().roll(D20, 2_000)
    assert set(faces) == set(D20.faces)
    assert len(faces) == 2_000


def test_seeded_dice_repeat_for_any_command():
    assert SeededDice(3).roll(D6, 50) == SeededDice(3).for_command("table", "c1").roll(D6, 50)
    assert SeededDice(3).roll(D6, 50) != SeededDice(4).roll(D6, 50)


def test_faces_are_sorted_in_die_order():
    assert in_die_order(COIN, ("tail", "head")) == ("head", "tail")
