"""The quick readers load what the schemas load, or leave it to them."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marshmallow import Schema, ValidationError, fields, post_load, pre_load
from tests.seeds import examples

from enfilade.messages.commands import BODIES, CommandSchema
from enfilade.messages.examples import EXAMPLES
from enfilade.messages.fields import MAX_WRONG, Several, Strict
from enfilade.messages.load import NeedsFullValidation, quick_reader
from enfilade.messages.scene import FogSchema, TerrainSchema

COMMANDS = [example for name, example in EXAMPLES.items() if name.startswith("commands/")]
SCHEMAS = {kind: schema() for kind, schema in BODIES.items()}
QUICK = {kind: quick_reader(schema) for kind, schema in SCHEMAS.items()}
ENVELOPE = CommandSchema()
ODD = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        -1,
        1,
        359,
        360,
        10**18,
        1.0,
        2.5,
        "",
        "x",
        "x" * 300,
        "a b",
        [],
        [1],
        {},
        {"a": 1},
    ]
)


def loaded(schema, raw):
    try:
        return schema.load(copy.deepcopy(raw))
    except ValidationError:
        return "refused"


def places_in(value, path=()):
    """Yield a value and all values in it, with their paths."""
    yield path
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in entries:
        yield from places_in(inner, (*path, key))


def changed(value, path, change):
    if not path:
        return change
    copied = copy.copy(value)
    copied[path[0]] = changed(value[path[0]], path[1:], change)
    return copied


def agrees(quick, schema, raw):
    try:
        found = quick(raw)
    except NeedsFullValidation:
        return
    expected = loaded(schema, raw)
    assert found == expected
    assert repr(found) == repr(expected)  # 1 and True are equal, and so are keys in another order


@pytest.mark.parametrize("example", COMMANDS, ids=lambda example: example["id"])
def test_an_example_is_loaded_as_its_schema_loads_it(example):
    agrees(quick_reader(ENVELOPE), ENVELOPE, example)
    agrees(QUICK[example["kind"]], SCHEMAS[example["kind"]], example["body"])


@given(st.data())
def test_the_fast_reader_loads_like_the_schema_or_declines(data):
    example = data.draw(st.sampled_from(COMMANDS))
    for quick, schema, raw in (
        (quick_reader(ENVELOPE), ENVELOPE, example),
        (QUICK[example["kind"]], SCHEMAS[example["kind"]], example["body"]),
    ):
        path = data.draw(st.sampled_from(list(places_in(raw))))
        agrees(quick, schema, changed(raw, path, data.draw(ODD)))
        agrees(quick, schema, {**raw, data.draw(st.sampled_from(["new", "v", "token"])): data.draw(ODD)})


def test_the_commands_that_are_sent_most_are_not_left_to_the_schema():
    for kind in ("token.move", "act", "choice.answer", "verdict.ask"):
        body = next(example["body"] for example in COMMANDS if example["kind"] == kind)
        assert QUICK[kind](body) == SCHEMAS[kind].load(body)


LONG_LISTS = [TerrainSchema().fields["cells"], FogSchema().fields["cells"]]


@pytest.mark.parametrize("field", LONG_LISTS, ids=["cells", "runs"])
@settings(max_examples=examples(20))
@given(st.data())
def test_a_long_list_is_read_as_by_its_entries(field, data):
    slow, width = Several(field.inner, field._most), len(field.inner.tuple_fields)
    value = [[number % 500] * width for number in range(data.draw(st.sampled_from([0, 3, 1_003])))]
    odd = st.one_of(ODD, st.lists(st.one_of(ODD, st.integers(-32_001, 32_001)), max_size=4))
    for place in data.draw(st.lists(st.sampled_from([0, 1, 999, 1_000, 1_002]), max_size=3)):
        value[place : place + 1] = [data.draw(odd)]
    value += [None] * data.draw(st.sampled_from([0, 0, MAX_WRONG + 2]))
    assert read(field, value) == read(slow, value)


def read(field, value):
    try:
        found = field.deserialize(value)
    except ValidationError as problem:
        return problem.messages
    assert all(type(entry) is tuple for entry in found)
    return found


def test_a_schema_of_messages_has_fields_only():
    with pytest.raises(TypeError):

        class Stepping(Strict):
            @post_load
            def step(self, data, **_):
                return data


def test_a_schema_with_a_step_of_its_own_is_left_alone():
    class Stepping(Schema):
        word = fields.String()

        @pre_load
        def step(self, data, **_):
            return {**data, "word": "another"}

    with pytest.raises(NeedsFullValidation):
        quick_reader(Stepping())({"word": "one"})
