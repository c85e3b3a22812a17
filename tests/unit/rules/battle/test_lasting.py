"""Durations: the sources of a condition in its note, and when each of them ends."""

from __future__ import annotations

import pytest

from enfilade.rules.battle.lasting import Lasting, bring, cease_at, cease_held, lasting, note_of, sources
from enfilade.rules.resolve import Answers, resolve
from enfilade.scene.model import Grid, Scene, Side, Token

FEAR = Lasting("ann", "end", "bo", save="wis", difficulty=13, effect="Fear")


def scene(**notes):
    token = Token(id="bo", name="Bo", side="red", conditions=notes)
    sides = (Side(id="red", name="Red"),)
    return Scene(ruleset="fifth_edition", grid=Grid("square", 9, 9), sides=sides, tokens=(token,))


def after(procedure, *arguments):
    def act(one, *more):
        return (yield from procedure(one, *more))

    return resolve(arguments[0], act, arguments[1:], Answers()).scene.token("bo").conditions


@pytest.mark.parametrize("one", [Lasting(), Lasting("ann"), FEAR, Lasting("ann", is_held=True, effect="Web")])
def test_a_source_is_read_as_it_is_written(one):
    assert lasting(one.text()) == (one,)
    assert lasting(note_of((one, FEAR))) == (one, FEAR)


def test_a_note_that_a_person_wrote_is_a_source_without_an_end():
    assert lasting("a trap; of the kobolds") == (Lasting("a trap"),)
    assert lasting("") == (Lasting(),)


def test_a_name_cannot_add_a_part_to_a_note():
    one = Lasting("ann", effect="Web; held|cy")
    assert lasting(one.text()) == (Lasting("ann", effect="Web  held cy"),)


def test_a_condition_is_had_once_and_each_source_has_an_end_of_its_own():
    other = Lasting("cy", "start", "cy")
    both = after(bring, scene(frightened=FEAR.text()), "bo", "frightened", other)
    assert sources(Token(id="x", name="X", side="red", conditions=both), "frightened") == ("ann", "cy")
    assert lasting(after(cease_at, scene(**both), "end", "bo")["frightened"]) == (other,)
    assert lasting(after(cease_at, scene(**both), "start", "cy")["frightened"]) == (FEAR,)
    assert after(cease_at, scene(**both), "end", "cy") == both
    assert after(cease_at, scene(frightened=other.text()), "start", "cy") == {}


def test_the_same_effect_counts_once_the_stronger_or_the_latest_of_equals():
    strong, weak = FEAR._replace(difficulty=15, source="cy"), FEAR._replace(difficulty=11, source="dee")
    equal = FEAR._replace(source="eve")
    for new, kept in ((strong, strong), (weak, FEAR), (equal, equal)):
        found = after(bring, scene(frightened=FEAR.text()), "bo", "frightened", new)
        assert lasting(found["frightened"]) == (kept,)


def test_what_is_held_ends_with_the_concentration_of_its_source_alone():
    held = Lasting("ann", is_held=True)
    assert after(cease_held, scene(restrained=held.text(), prone="ann"), "ann") == {"prone": "ann"}
    assert after(cease_held, scene(restrained=held.text()), "cy") == {"restrained": held.text()}
