"""The log's sentences for explained steps."""

from __future__ import annotations

from enfilade.rules.kit import narrate_steps
from enfilade.scene.events import ChoiceMade, ConditionSet, DiceRolled, Explained
from enfilade.scene.model import Grid, Scene, Side, Token

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
