"""Choices in the middle of an act: the asked seats, their view, and a restart."""

from __future__ import annotations

import pytest
from tests.unit.play.duel import Duel

from enfilade.errors import Busy, NotFound
from enfilade.rules.resolve import WrongAnswer
from enfilade.scene.model import GM, SPECTATOR
from enfilade.store.sql.tables import SqlStore


def test_a_miss_asks_its_side_and_shows_the_dice(duel):
    done = duel.strike(faces=[2])
    choice = duel.table.snapshot(GM).choice
    assert done.result["waiting"]["id"] == choice.id
    assert (choice.side, choice.question, choice.default) == ("blue", "Reroll the miss?", "yes")
    assert [option.key for option in choice.options] == ["yes", "no"]
    assert choice.facts["rolls"][0]["faces"] == [2]
    assert (duel.table.seq, duel.table.scene) == (0, duel.first)


def test_an_answer_goes_on_with_more_typed_dice(duel):
    duel.strike(faces=[2])
    done = duel.answer("yes", faces=[5])
    assert done.entry.text == "Ann strikes at Orc: hit."
    assert [roll["faces"] for roll in done.entry.facts["rolls"]] == [[2], [5]]
    assert duel.table.snapshot(GM).choice is None


def test_an_answer_that_needs_no_dice_takes_none(duel):
    duel.strike(faces=[2])
    with pytest.raises(WrongAnswer, match="Too many dice: 2 given, 1 needed"):
        duel.answer("no", faces=[5])
    assert duel.answer("no").result["outcome"]["result"] == "miss"


def test_dice_for_after_a_question_are_typed_after_it(duel):
    with pytest.raises(WrongAnswer, match="Too many dice: 2 given, 1 needed"):
        duel.strike(faces=[2, 5])
    assert duel.table.snapshot(GM).choice is None


def test_dice_that_are_missing_or_on_no_die_are_asked_for(duel):
    with pytest.raises(WrongAnswer, match="More dice are needed: strike takes 1 d6"):
        duel.strike(faces=[])
    with pytest.raises(WrongAnswer, match="A d6 has no face 7"):
        duel.strike(faces=[7])
    duel.strike(faces=[2])
    with pytest.raises(WrongAnswer, match="More dice are needed: strike, rerolled"):
        duel.answer("yes")
    assert duel.table.snapshot(GM).choice is not None


def test_an_answer_without_a_question_is_refused(duel):
    with pytest.raises(NotFound, match="The table does not ask this"):
        duel.do("choice.answer", choice="none", answer="yes")
    duel.strike(faces=[2])
    with pytest.raises(NotFound, match="The table does not ask this"):
        duel.do("choice.answer", choice="none", answer="yes")
    with pytest.raises(WrongAnswer, match="'maybe' is not an answer"):
        duel.answer("maybe")


def test_while_a_table_waits_nothing_else_happens(duel):
    duel.strike(faces=[2])
    with pytest.raises(Busy, match="Reroll the miss"):
        duel.do("token.move", token="orc", at=[4, 4])


def test_a_question_can_be_withdrawn_with_its_act(duel):
    duel.strike(faces=[2])
    assert duel.do("undo").result == {"cancelled": "Reroll the miss?"}
    assert duel.table.snapshot(GM).choice is None
    assert (duel.table.seq, duel.table.scene) == (0, duel.first)


def test_a_question_survives_a_restart_with_the_dice_that_fell(tmp_path):
    store = SqlStore(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    duel = Duel(store)
    fallen = None
    while fallen is None:
        done = duel.strike()
        fallen = done.result["waiting"]["facts"]["rolls"] if "waiting" in done.result else None
        if fallen is None:
            duel.do("undo")
    asked = duel.table.snapshot(GM).choice
    duel.enter()
    assert duel.table.snapshot(GM).choice == asked
    rolls = duel.answer("yes").entry.facts["rolls"]
    assert rolls[:1] == fallen
    assert not any(roll["typed"] for roll in rolls)
    store.close()


def test_dice_cannot_be_typed_into_an_act_that_the_table_rolls(duel):
    while "waiting" not in duel.strike().result:
        duel.do("undo")
    with pytest.raises(WrongAnswer, match="The table rolls the dice"):
        duel.answer("yes", faces=[6])


def test_an_automatic_side_is_not_asked_and_takes_the_default(duel):
    sides = [{"id": "blue", "name": "Blue", "conditions": {"automatic": ""}}, {"id": "red", "name": "Red"}]
    duel.do("sides.set", sides=sides)
    done = duel.strike(faces=[2, 5])
    (made,) = [event for event in done.entry.events if hasattr(event, "automatic")]
    assert (made.answer, made.automatic) == ("yes", True)


def test_an_answer_by_a_person_is_not_automatic(duel):
    duel.strike(faces=[2])
    (made,) = [e for e in duel.answer("yes", faces=[5]).entry.events if hasattr(e, "automatic")]
    assert not made.automatic


def test_a_spectator_does_not_see_questions(duel):
    duel.strike(faces=[2])
    assert duel.table.snapshot(SPECTATOR).choice is None
