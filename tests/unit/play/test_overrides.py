"""The GM's override lets acts against the rules through, and the log says so."""

from __future__ import annotations

import pytest

from enfilade.errors import IllegalAct, OutOfReach, OutOfTurn


def enforcing(duel):
    duel.do("rules.set", house_rules={}, enforcement="enforce")
    return duel


def test_a_table_that_advises_lets_an_illegal_move_stand_with_its_ruling(duel):
    done = duel.do("token.move", token="ann", at=[7, 0])
    assert not done.result["ruling"]["allowed"]
    assert duel.table.scene.token("ann").at == (7, 0)
    assert "override" not in done.entry.facts


def test_a_table_that_enforces_refuses_an_illegal_move_with_every_reason(duel):
    with pytest.raises(IllegalAct, match=r"Not Red's turn \(FBL-001\).* moves 3 \(FBL-002\)"):
        enforcing(duel).do("token.move", token="orc", at=[7, 7 - 7])


def test_the_game_masters_reason_has_a_move_stand_and_is_logged(duel):
    done = enforcing(duel).do("token.move", token="ann", at=[7, 0], override="A rope swing")
    assert duel.table.scene.token("ann").at == (7, 0)
    assert done.entry.facts["override"] == "A rope swing"
    assert done.entry.text.startswith("GM override (A rope swing), against the rules: The square is 5")


def test_a_legal_move_needs_no_override(duel):
    done = enforcing(duel).do("token.move", token="ann", at=[2, 2], override="Just in case")
    assert done.entry.text == "Ann moves."
    assert "override" not in done.entry.facts


def test_the_game_masters_reason_lets_an_illegal_act_through_and_is_logged(duel):
    with pytest.raises(OutOfTurn):
        duel.strike("orc", "ann", faces=[6])
    done = duel.strike("orc", "ann", faces=[6], override="He was ready")
    assert done.entry.facts["override"] == "He was ready"
    assert done.entry.text == (
        "GM override (He was ready), against the rules: Not Red's turn. (FBL-001) Orc strikes at Ann: hit."
    )


def test_an_override_holds_through_a_question(duel):
    duel.strike("orc", "ann", faces=[1], override="He was ready")
    assert duel.answer("no").entry.facts["override"] == "He was ready"


def test_an_impossible_act_cannot_be_overridden(duel):
    duel.do("token.place", token={"id": "orc", "name": "Orc", "side": "red", "at": None})
    with pytest.raises(OutOfReach, match="on the board"):
        duel.strike(faces=[6], override="I say so")


def test_an_override_is_taken_back_like_anything_else(duel):
    duel.strike("orc", "ann", faces=[6], override="He was ready")
    duel.do("undo")
    assert duel.table.scene == duel.first
