"""The published contract is the code's, and its examples hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from enfilade.messages.examples import EXAMPLES, SCENE
from enfilade.messages.load import load_command, load_scene
from enfilade.messages.publish import SCHEMAS, documents, json_schema, updates, written
from enfilade.messages.updates import AckSchema, UpdateSchema

PUBLISHED = Path(__file__).parents[3] / "schemas"
DOCUMENTS = documents()
COMMANDS = [name for name in EXAMPLES if name.startswith("commands/")]


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_the_published_contract_matches_the_code(name):
    found = (PUBLISHED / name).read_text(encoding="utf-8")
    assert found == written(DOCUMENTS[name]), "run `make schemas` and look at what changed"


def test_nothing_else_is_published():
    files = {str(path.relative_to(PUBLISHED)) for path in PUBLISHED.rglob("*.json")}
    assert files == set(DOCUMENTS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_command_is_one_the_server_loads(name):
    command = load_command(EXAMPLES[name])
    assert command.kind == EXAMPLES[name]["kind"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_command_fits_the_published_schemas(name):
    example = EXAMPLES[name]
    Draft7Validator(json_schema(SCHEMAS["command"])).validate(example)
    Draft7Validator(json_schema(SCHEMAS[f"commands/{example['kind']}"])).validate(example["body"])


def test_every_kind_of_command_has_an_example():
    kinds = {EXAMPLES[name]["kind"] for name in COMMANDS}
    assert kinds == {name.removeprefix("commands/") for name in SCHEMAS if name.startswith("commands/")}


@pytest.mark.parametrize("name", sorted(updates()))
def test_every_example_update_fits_its_schemas(name):
    update = json.loads(json.dumps(updates()[name]))
    body = SCHEMAS[f"updates/{update['kind']}"]
    assert UpdateSchema().validate(update) == {}
    assert body().validate(update["body"]) == {}
    Draft7Validator(json_schema(body)).validate(update["body"])


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("ack/")])
def test_every_example_answer_is_one_a_client_can_load(name):
    assert AckSchema().validate(EXAMPLES[name]) == {}


def test_everything_asked_and_answered_over_http_has_an_example_that_fits():
    names = {name for name in SCHEMAS if name.startswith("http/")}
    assert names == {name for name in EXAMPLES if name.startswith("http/")}
    for name in names:
        assert SCHEMAS[name]().validate(EXAMPLES[name]) == {}
        Draft7Validator(json_schema(SCHEMAS[name])).validate(EXAMPLES[name])


def test_the_example_scene_loads_and_fits_the_published_schema():
    Draft7Validator(json_schema(SCHEMAS["scene"])).validate(SCENE)
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
    found = {pattern for document in DOCUMENTS.values() for pattern in patterns_in(document)}
    assert len(found) > 5
    assert [pattern for pattern in found if not pattern.endswith("$") or "\\Z" in pattern] == []


def test_every_published_schema_is_a_valid_schema():
    for document in DOCUMENTS.values():
        if "$schema" in document:
            Draft7Validator.check_schema(document)
