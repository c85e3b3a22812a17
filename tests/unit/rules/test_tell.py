"""Log texts: short sentences on the first line, the arithmetic behind them on the second."""

from __future__ import annotations

import pytest

from enfilade.i18n import localize
from enfilade.rules.ruleset import CardLine
from enfilade.rules.tell import (
    CardRow,
    LogText,
    by,
    card_lines,
    cell_name,
    either,
    log_text,
    narrate_steps,
    split_detail,
    told,
)
from enfilade.scene.events import ChoiceMade, ConditionSet, DiceRolled, Explained
from enfilade.scene.model import Grid, Scene, Side, Token


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ([], ""),
        ([""], ""),
        (["Ann moves."], "Ann moves."),
        (
            [LogText("Ann hits.", "Die 5."), "", LogText("", "Die 6."), "Orc falls."],
            "Ann hits. Orc falls.\nDie 5. Die 6.",
        ),
        ([LogText("", "Die 6.")], "Die 6."),
    ],
)
def test_sentences_come_first_and_their_details_below(parts, text):
    assert log_text(parts) == text


def test_a_text_is_split_where_its_details_begin():
    assert split_detail("Ann hits.\nDie 5.") == LogText("Ann hits.", "Die 5.")
    assert split_detail("Ann moves.") == LogText("Ann moves.")


SCENE = Scene(
    ruleset="archers",
    grid=Grid("square", 4, 4),
    sides=(Side(id="red", name="Red"),),
    tokens=(
        Token(id="ann", name="Ann", side="red", at=(0, 0)),
        Token(id="rob", name="Rob", side="red", at=(1, 0)),
    ),
)
SENTENCES = {
    "shot": lambda step: f"{step.name} shoots at {step.target} ({step.dice}).",
    "order": lambda step: f"{step.side} acts in this order: {step.listed(step.facts['order'])}.",
}


def narrate(*events):
    return narrate_steps(
        SCENE,
        events,
        SENTENCES,
        show_dice=lambda rolled: " ".join(str(face) for roll in rolled for face in roll.faces) or "no dice",
        other=lambda names, event: (
            f"{names[f'side {event.side}']}: {event.answer}." if isinstance(event, ChoiceMade) else ""
        ),
    )


def shot():
    return Explained(kind="shot", facts={"token": "ann", "target": "rob"})


def rolled(*faces):
    return DiceRolled(label="Shot", die="d6", faces=faces)


def test_a_step_has_the_dice_since_the_step_before_it():
    text = narrate(rolled(3), rolled(5), shot(), shot())
    assert text == "Ann shoots at Rob (3 5). Ann shoots at Rob (no dice)."


def test_a_step_without_a_sentence_leaves_its_dice_to_the_next():
    assert narrate(rolled(2), Explained(kind="odds", facts={}), shot()) == "Ann shoots at Rob (2)."


def test_names_stand_for_sides_and_tokens_and_an_unknown_id_for_itself():
    step = Explained(kind="order", facts={"side": "red", "order": ["rob", "ghost"]})
    assert narrate(step) == "Red acts in this order: Rob, ghost."


def test_other_events_have_the_sentences_of_the_game_and_an_empty_one_is_left_out():
    choice = ChoiceMade(side="red", question="Dodge?", answer="yes")
    dazed = ConditionSet(holder="ann", condition="dazed", note="", was=None)
    assert narrate(dazed, choice, shot()) == "Red: yes. Ann shoots at Rob (no dice)."


def row(sentence, *events, show=lambda rolled: " ".join(str(face) for one in rolled for face in one.faces)):
    return narrate_steps(SCENE, events, {"shot": sentence}, show, lambda *_: "")


def struck(**facts):
    return Explained(kind="shot", facts={"token": "ann", "target": "rob", **facts})


def test_a_row_names_the_texts_of_a_sentence_and_of_its_detail_and_fills_in_facts_names_and_dice():
    strike = told("miniatures_combat.log_strike", "knights_of_valour.log_damage")
    numbers = localize("knights_of_valour.log_damage", dice="4", modifier=-2, damage=2)
    text = row(strike, rolled(4), struck(modifier=-2, damage=2))
    assert text == f"{localize('miniatures_combat.log_strike', name='Ann', target='Rob')}\n{numbers}"


def test_a_row_takes_a_field_from_a_fact_of_another_name():
    text = row(told("torn.log_destroyed", count="hexes"), struck(hexes=2))
    assert text == localize("torn.log_destroyed", name="Ann", count=2)


def test_the_dice_of_a_row_are_left_out_if_none_were_rolled():
    shot = told("torn.log_activated", dice="torn.log_dice")
    sentence = localize("torn.log_activated", name="Ann")
    assert row(shot, struck()) == sentence
    assert row(shot, rolled(5), struck()) == f"{sentence}\n{localize('torn.log_dice', dice='5')}"


def test_rows_are_chosen_by_a_fact():
    by_act = by("act", {"stand": lambda _: "stands"}, lambda _: "waits")
    assert (row(by_act, struck(act="stand")), row(by_act, struck(act="hide"))) == ("stands", "waits")
    with pytest.raises(KeyError):
        row(by("act", {"stand": lambda _: "stands"}), struck(act="hide"))
    owed = either("owed", lambda _: "owes", lambda _: "is free")
    assert (row(owed, struck(owed=["rob"])), row(owed, struck(owed=[]))) == ("owes", "is free")


def test_an_account_keeps_the_facts_of_its_steps_until_the_next_one_begins():
    sentences = {"shot": lambda step: f"{step.facts.get('weapon', 'nothing')} {step.dice or '-'}."}
    events = [
        rolled(1),
        Explained(kind="declared", facts={"weapon": "bow"}),
        rolled(3),
        struck(),
        struck(),
        Explained(kind="declared", facts={}),
        struck(),
    ]
    text = narrate_steps(
        SCENE,
        events,
        sentences,
        lambda dice: " ".join(str(face) for one in dice for face in one.faces),
        lambda *_: "",
        frozenset({"declared"}),
    )
    assert text == "bow 3. bow -. nothing -."


def test_a_card_has_a_line_for_each_row_with_a_value_and_all_lines_of_its_functions():
    table = (
        CardRow("kit.hit_points", lambda _, one: one.track("hp"), "HIT-001"),
        CardRow("kit.hit_points", lambda *_: ""),
        lambda *_: [CardLine("Bow", "2"), CardLine("Axe", "1")],
        CardRow("kit.act_move", lambda _, one: one.name, lambda _, one: one.side),
    )
    assert card_lines(table, SCENE, SCENE.token("ann")) == (
        CardLine(localize("kit.hit_points"), "0", "HIT-001"),
        CardLine("Bow", "2"),
        CardLine("Axe", "1"),
        CardLine(localize("kit.act_move"), "Ann", "red"),
    )


@pytest.mark.parametrize(
    ("cell", "name"),
    [((0, 0), "A1"), ((2, 6), "C7"), ((25, 9), "Z10"), ((26, 0), "AA1"), ((51, 0), "AZ1"), ((52, 0), "BA1")],
)
def test_a_cell_name_is_column_letters_and_a_row(cell, name):
    assert cell_name(cell) == name
