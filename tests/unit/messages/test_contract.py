"""The published contract is the code's, and its examples hold."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from tests.contract import differences

from enfilade.messages.contract import LOADED, SENT, UPDATES, types
from enfilade.messages.examples import EXAMPLES, SCENE
from enfilade.messages.load import load_command, load_scene
from enfilade.messages.publish import answers, documents, updates, written

ROOT = Path(__file__).parents[3]
PUBLISHED = ROOT / "schemas"
FILES = sorted(str(path.relative_to(PUBLISHED)) for path in PUBLISHED.rglob("*.json"))
COMMANDS = [name for name in EXAMPLES if name.startswith("commands/")]
# Each worker of pytest imports this module, so what takes a second is made in the tests.
made, made_answers = cache(documents), cache(answers)


@pytest.mark.parametrize("name", FILES)
def test_the_published_contract_matches_the_code(name):
    found = (PUBLISHED / name).read_text(encoding="utf-8")
    assert found == written(made()[name]), "run `make schemas` and look at what changed"


def test_everything_is_published_and_nothing_else():
    assert set(FILES) == set(made())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_command_is_one_the_server_loads(name):
    command = load_command(EXAMPLES[name])
    assert command.kind == EXAMPLES[name]["kind"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_command_fits_the_published_schemas(name):
    example = EXAMPLES[name]
    assert differences("command", example) == []
    assert differences(f"commands/{example['kind']}", example["body"]) == []


def test_every_kind_of_command_has_an_example():
    kinds = {EXAMPLES[name]["kind"] for name in COMMANDS}
    assert kinds == {name.removeprefix("commands/") for name in LOADED if name.startswith("commands/")}


@pytest.mark.parametrize("kind", UPDATES)
def test_every_example_update_fits_its_schemas(kind):
    update = updates()[f"updates/{kind}"]
    assert differences("update", update) == []
    assert differences(f"updates/{kind}", update["body"]) == []


def test_every_example_answer_fits_its_schema():
    for name, example in {**EXAMPLES, **made_answers()}.items():
        if name.startswith("ack/"):
            assert differences("ack", example) == [], name


def test_an_answer_without_a_field_is_noticed():
    ack = made_answers()["ack/verdict"]
    assert differences("ack", {key: value for key, value in ack.items() if key != "ok"})
    assert differences("verdict", {**ack["result"], "new": 1})


def test_everything_asked_and_answered_over_http_has_an_example_that_fits():
    names = {name for name in (*SENT, *LOADED) if name.startswith("http/")}
    assert names == {name for name in EXAMPLES if name.startswith("http/")}
    for name in names:
        assert differences(name, EXAMPLES[name]) == []


def test_the_types_of_the_page_are_those_of_the_messages():
    found = (ROOT / "plugin_manifest" / "types" / "contract.generated.d.ts").read_text(encoding="utf-8")
    assert found == types(), "run `make schemas` and look at what changed"


def test_every_field_of_a_message_that_is_sent_is_required_and_described_by_its_type():
    overlay = made()["updates/overlay.json"]["$defs"]["Overlay"]
    assert overlay["required"] == sorted(overlay["properties"])
    assert overlay["description"] == "The overlay of one token at one entry of a table (`seq`)."
    seat = made()["http/seat.json"]["$defs"]["SeatInfo"]["properties"]["seated"]
    assert seat == {"type": "boolean", "description": "false while a player waits for the GM."}


def test_the_example_scene_loads_and_fits_the_published_schema():
    assert differences("scene", SCENE) == []
    scene = load_scene(json.loads(json.dumps(SCENE)))
    assert [token.name for token in scene.tokens] == ["Bran", "Orc 3"]
    assert scene.wall("d1").is_open


def patterns_in(document):
    """Every pattern of a document."""
    if isinstance(document, dict):
        if isinstance(document.get("pattern"), str):
            yield document["pattern"]
        document = list(document.values())
    if isinstance(document, list):
        for inner in document:
            yield from patterns_in(inner)


def test_every_published_pattern_ends_portably():
    found = {pattern for document in made().values() for pattern in patterns_in(document)}
    assert len(found) > 5
    assert [pattern for pattern in found if not pattern.endswith("$") or "\\Z" in pattern] == []


@pytest.mark.parametrize("name", FILES)
def test_every_published_schema_is_a_valid_schema(name):
    document = made()[name]
    if "$schema" in document:
        Draft202012Validator.check_schema(document)
        assert document["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    else:
        assert name.startswith("examples/") or name in ("openapi.json", "asyncapi.json")


def test_a_tuple_of_a_published_schema_is_checked():
    """Each place of a tuple has its type: a validator of draft 7 skips `prefixItems`."""
    move = {"token": "ann", "at": [1, 2]}
    assert differences("commands/token.move", move) == []
    assert differences("commands/token.move", {**move, "at": [1, "2"]})
    assert differences("commands/token.move", {**move, "at": [1, 2, 3]})
    overlay = updates()["updates/overlay"]["body"]
    reach = overlay["reach"]
    assert differences("updates/overlay", {**overlay, "reach": {**reach, "cells": [[1, 2, "3"]]}})
