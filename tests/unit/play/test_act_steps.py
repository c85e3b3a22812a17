"""The steps of an act that pages play one after the other."""

from __future__ import annotations

from dataclasses import replace as with_fields
from typing import Any

import pytest
from msgspec.structs import replace
from tests.example import FIRST_BLOOD
from tests.unit.play.duel import SCENE

from enfilade.play.log import act_steps
from enfilade.rules.ruleset import ActKind
from enfilade.scene.apply import fold_all
from enfilade.scene.events import ConditionSet, Explained, TokenMoved, TokenRemoved
from enfilade.scene.model import Scene

ANN = SCENE.token("ann")


def sentence(before: Scene, events: Any) -> str:
    """Name what a part explains; "" for one without an explanation."""
    said = [
        f"{one.kind} {one.facts.get('token', '')}".strip() for one in events if isinstance(one, Explained)
    ]
    return f"{', '.join(said)}." if said else ""


def nothing(scene, act):
    """Do nothing: only the events of the act count here."""
    yield from ()


def game(steps):
    kind = ActKind("Reveal", nothing, steps=frozenset(steps))
    return with_fields(FIRST_BLOOD, acts={**FIRST_BLOOD.acts, "reveal": kind}, narrate=sentence)


def explained(kind, **facts):
    return Explained(kind=kind, facts=facts)


EVENTS = (
    explained("plan", token="ann", target="orc"),
    TokenMoved(token="ann", at=(2, 2), facing=90, was_at=ANN.at, was_facing=ANN.facing),
    explained("note"),
    explained("plan", token="orc", target="ann"),
    ConditionSet(holder="orc", condition="braced", note="", was=None),
)


def test_an_act_without_steps_is_not_played():
    assert act_steps(game(()), "reveal", SCENE, EVENTS) == []
    assert act_steps(game({"plan"}), "unknown", SCENE, EVENTS) == []


def test_the_first_step_has_the_tokens_as_they_were_and_each_other_what_it_changes():
    first, ann, orc = act_steps(game({"plan"}), "reveal", SCENE, EVENTS)
    assert (first["text"], {one["token"] for one in first["changes"]}) == ("", {"ann", "orc"})
    before = {one["token"]: one["at"] for one in first["changes"]}
    assert before == {one: list(SCENE.token(one).at) for one in ("ann", "orc")}
    assert (ann["text"], ann["token"], ann["target"]) == ("plan ann, note.", "ann", "orc")
    assert [(one["token"], one["at"], one["facing"]) for one in ann["changes"]] == [("ann", [2, 2], 90)]
    assert [(one["token"], one["conditions"]) for one in orc["changes"]] == [("orc", {"braced": ""})]


def test_playing_all_steps_leads_to_the_scene_after_the_act():
    steps = act_steps(game({"plan"}), "reveal", SCENE, EVENTS)
    shown = {token.id: (list(token.at), token.conditions) for token in SCENE.tokens}
    for step in steps:
        shown |= {one["token"]: (one["at"], one["conditions"]) for one in step["changes"]}
    after = fold_all(SCENE, EVENTS)
    assert shown == {token.id: (list(token.at), token.conditions) for token in after.tokens}


def test_events_before_the_first_step_belong_to_it():
    moved = TokenMoved(token="ann", at=(3, 3), facing=0, was_at=ANN.at, was_facing=ANN.facing)
    _, only = act_steps(game({"plan"}), "reveal", SCENE, (moved, explained("plan", token="orc")))
    assert [one["token"] for one in only["changes"]] == ["ann"]


def test_a_part_without_a_sentence_is_no_step():
    events = (*EVENTS[:1], explained("plan", token="orc"))
    silent = with_fields(
        game({"plan"}), narrate=lambda _, part: "" if part[0].facts["token"] == "orc" else "Said."
    )
    assert [step["text"] for step in act_steps(silent, "reveal", SCENE, events)] == ["", "Said."]


@pytest.mark.parametrize("is_gone", [False, True])
def test_a_token_that_leaves_and_one_off_the_board_are_told_without_a_place(is_gone):
    off = replace(
        SCENE, tokens=tuple(replace(one, at=None) if one.id == "orc" else one for one in SCENE.tokens)
    )
    last = (
        TokenRemoved(was=off.token("orc"))
        if is_gone
        else ConditionSet(holder="orc", condition="braced", note="", was=None)
    )
    steps = act_steps(game({"plan"}), "reveal", off, (explained("plan", token="ann"), last))
    places = [one["at"] for step in steps for one in step["changes"] if one["token"] == "orc"]
    assert places == ([] if is_gone else [None, None])
