"""Messages from outside: every wrong field is named at once, by its path, and nothing unknown is let in."""

from __future__ import annotations

import copy
import itertools
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from enfilade.errors import BadMessage, EnfiladeError, WrongVersion
from enfilade.messages.examples import EXAMPLES, SCENE
from enfilade.messages.load import load_command, load_scene
from enfilade.runtime.time_budget import TimeBudget, time_limited

MOVE = EXAMPLES["commands/token.move"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=20,
)


def changed(example, **parts):
    return {**copy.deepcopy(example), **parts}


def wrong_fields(raw):
    with pytest.raises(BadMessage) as caught:
        load_command(raw)
    return caught.value.fields


def test_every_wrong_field_is_reported_at_once_by_its_path():
    body = {"token": "a b", "at": [1, "2"], "facing": 400, "color": "red"}
    assert set(wrong_fields(changed(MOVE, body=body))) == {
        "body.token",
        "body.at[1]",
        "body.facing",
        "body.color",
    }


def test_an_unknown_field_of_the_envelope_is_refused():
    assert wrong_fields(changed(MOVE, as_gm=True)) == {"as_gm": ["Unknown field."]}


def test_another_version_is_refused_by_its_own_error():
    with pytest.raises(WrongVersion, match="version 1"):
        load_command(changed(MOVE, v=2))


def test_a_cell_is_whole_numbers_and_never_rounded():
    assert "body.at[0]" in wrong_fields(changed(MOVE, body={"token": "a", "at": [1.5, 2]}))


@pytest.mark.parametrize("token", ["a\n", "a b", "", "a" * 65, "\u00e4"])
def test_an_id_is_letters_digits_and_three_signs_and_nothing_behind_them(token):
    assert "body.token" in wrong_fields(changed(MOVE, body={"token": token, "at": [1, 2]}))


@pytest.mark.parametrize("token", ["a\n", "\n"])
def test_a_member_id_is_not_empty_and_has_no_line_end(token):
    act = EXAMPLES["commands/act.preview"]
    body = {"act": {**act["body"]["act"], "target": token}}
    assert wrong_fields(changed(act, body=body)).keys() == {"body.act.target"}


OBJECT_NAMES = ("__proto__", "constructor", "hasOwnProperty", "toString", "valueOf", "__defineGetter__")
"""Names that every JavaScript object has: a page would find them in an empty one."""


@pytest.mark.parametrize("name", OBJECT_NAMES)
def test_an_id_is_no_name_that_every_object_of_a_page_has(name):
    assert set(wrong_fields(changed(MOVE, body={"token": name, "at": [1, 1]}))) == {"body.token"}


@pytest.mark.parametrize("name", OBJECT_NAMES)
@pytest.mark.parametrize(
    ("holder", "what", "value"), [("tracks", "tracks", 1), ("tokens", "conditions", "x")]
)
def test_a_track_or_condition_is_no_name_that_every_object_of_a_page_has(name, holder, what, value):
    scene = copy.deepcopy(SCENE)
    owner = scene["tokens"][0] if holder == "tokens" else scene
    owner[what] = {name: value}
    with pytest.raises(BadMessage):
        load_scene(scene)


@pytest.mark.parametrize("kind", ["token.fly", "", None, 3])
def test_an_unknown_kind_of_command_is_refused(kind):
    assert "kind" in wrong_fields(changed(MOVE, kind=kind))


def test_a_wrong_token_deep_in_a_scene_is_named_by_its_place():
    scene = copy.deepcopy(SCENE)
    scene["tokens"][1]["facing"] = "north"
    scene["walls"][0]["line"] = [0, 0, 64]
    with pytest.raises(BadMessage) as caught:
        load_scene(scene)
    assert set(caught.value.fields) == {"tokens[1].facing", "walls[0].line"}


@given(JSON)
def test_any_message_is_loaded_or_refused_with_a_typed_error(raw):
    with pytest.raises(EnfiladeError):
        load_command(raw)


@given(st.dictionaries(st.sampled_from(["token", "at", "facing", "override"]), JSON))
def test_any_body_is_loaded_or_refused_with_a_typed_error(body):
    with suppress(EnfiladeError):
        assert load_command(changed(MOVE, body=body)).kind == "token.move"


MANY_EMPTY = [{}] * 21_000


@pytest.mark.parametrize("kind", ["tokens", "walls", "terrain", "sides"])
def test_a_list_that_is_too_long_is_refused_before_its_entries_are_looked_at(kind):
    with pytest.raises(BadMessage) as refusal:
        load_command(set_scene(**{kind: MANY_EMPTY}))
    assert len(refusal.value.fields) < 10
    assert f"body.scene.{kind}" in refusal.value.fields


MANY_NAMES = {f"n{number}": 1 for number in range(21_000)}
HOLDERS = {
    "tokens[0]": lambda named: {"tokens": [{"id": "a", "name": "A", "side": "b", **named}]},
    "sides[0]": lambda named: {"sides": [{"id": "a", "name": "A", **named}]},
    "": lambda named: named,
}


@pytest.mark.parametrize(
    ("holder", "what"),
    [
        *(("tokens[0]", what) for what in ("tracks", "conditions", "profile")),
        *(("sides[0]", what) for what in ("tracks", "conditions")),
        *(("", what) for what in ("tracks", "conditions", "house_rules")),
    ],
)
def test_names_that_are_too_many_are_refused_before_any_is_looked_at(holder, what):
    with pytest.raises(BadMessage) as refusal:
        load_command(set_scene(**HOLDERS[holder]({what: MANY_NAMES})))
    place = ".".join(part for part in ("body.scene", holder, what) if part)
    assert refusal.value.fields == {place: ["Longer than maximum length 128."]}


@pytest.mark.parametrize(
    ("kind", "body", "place"),
    [
        ("token.place", {"token": {"id": "a", "name": "A", "side": "b"}}, "body.token.owners"),
        ("tokens.assign", {"player": "mia"}, "body.tokens"),
    ],
)
def test_ids_that_are_too_many_are_refused_before_any_is_looked_at(kind, body, place):
    holder = body.get("token", body)
    holder[place.rsplit(".")[-1]] = ["not an id"] * 21_000
    with pytest.raises(BadMessage) as refusal:
        load_command({"v": 1, "id": "c1", "kind": kind, "body": body})
    ((found, (sentence,)),) = refusal.value.fields.items()
    assert (found, sentence[:26]) == (place, "Longer than maximum length")


def test_the_first_of_many_wrong_entries_are_reported():
    with pytest.raises(BadMessage) as refusal:
        load_command(set_scene(tokens=[{}] * 400))
    places = {path.split("]")[0] for path in refusal.value.fields if "tokens[" in path}
    assert places == {f"body.scene.tokens[{number}" for number in range(17)}
    assert refusal.value.fields["message"] == ["More fields are wrong than are listed."]
    assert len(refusal.value.sentence) < 5_000


def test_a_path_chosen_by_the_sender_is_reported_in_part():
    with pytest.raises(BadMessage) as refusal:
        load_command(set_scene(**{"x" * 60_000: 1}))
    assert all(len(path) <= 200 for path in refusal.value.fields)


def test_loading_a_large_scene_breathes():
    breaths = []
    ticks = itertools.count()
    pace = TimeBudget(10**9, lambda: breaths.append(1), clock=lambda: next(ticks))
    wall = {"id": "w", "line": [0, 0, 64, 64]}
    with time_limited(pace):
        load_command(set_scene(walls=[wall] * 1_000))
    assert len(breaths) > 900


def set_scene(**parts):
    grid = {"kind": "square", "columns": 9, "rows": 9}
    scene = {"version": 1, "ruleset": "coup_de_grace", "grid": grid, **parts}
    return {"v": 1, "id": "c1", "kind": "scene.set", "body": {"scene": scene}}
