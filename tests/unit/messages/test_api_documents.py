"""The OpenAPI and AsyncAPI documents: public validators accept them, and they list what the server has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from enfilade.app import create_app
from enfilade.messages.api_documents import openapi
from enfilade.messages.http_routes import ROUTES
from enfilade.runtime.config import Config

ROOT = Path(__file__).parents[3]
SCHEMAS = ROOT / "schemas"
ASYNCAPI = ROOT / "node_modules" / "@asyncapi" / "specs" / "schemas" / "3.0.0.json"
OTHERS = re.compile(r"/$|/board/|/plugin/|/schemas/|/foundry/|/owlbear/|/planarally/|/metrics")


def served(app) -> set[tuple[str, str]]:
    """Return the routes of a server, without those for pages and files; the names of parameters left out."""
    found = set()
    for rule in app.flask.url_map.iter_rules():
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            if not OTHERS.match(rule.rule):
                found.add((method.lower(), re.sub(r"<[^>]*>", "{}", rule.rule)))
    return found


def references(document: Any) -> Iterator[str]:
    if isinstance(document, dict):
        yield from (value for key, value in document.items() if key == "$ref")
        document = list(document.values())
    if isinstance(document, list):
        for inner in document:
            yield from references(inner)


def test_the_document_lists_every_route_of_the_server_and_no_other(tmp_path):
    listed = {(route.method, re.sub(r"\{[^}]*\}", "{}", route.path)) for route in ROUTES}
    with closing(create_app(Config(data=tmp_path))) as app:
        assert listed == served(app)


def test_every_reference_is_a_published_schema():
    found = set(references(openapi()))
    assert len(found) > 10
    assert [name for name in found if not (SCHEMAS / name).is_file()] == []


@pytest.mark.parametrize("name", ["openapi.json", "asyncapi.json"])
def test_the_documents_of_the_contract_are_published(name):
    assert json.loads((SCHEMAS / name).read_text())["info"]["title"] == "Enfilade"


def read(name: str) -> Any:
    return json.loads((SCHEMAS / name).read_text(encoding="utf-8"))


def openapi_errors(document: Any) -> list[str]:
    base = (SCHEMAS / "openapi.json").as_uri()
    return [str(error) for error in OpenAPIV31SpecValidator(document, base_uri=base).iter_errors()]


def test_the_openapi_document_with_all_schemas_that_it_names_is_valid():
    assert openapi_errors(read("openapi.json")) == []


def test_a_fault_of_the_openapi_document_is_found():
    document = read("openapi.json")
    document["paths"]["/api/tables/{table}/log"]["get"]["parameters"] = []
    assert openapi_errors(document)


def test_the_asyncapi_document_is_valid():
    valid = Draft7Validator(json.loads(ASYNCAPI.read_text(encoding="utf-8")))
    document = read("asyncapi.json")
    assert [error.message for error in valid.iter_errors(document)] == []
    document["operations"]["update"]["action"] = "tell"
    assert list(valid.iter_errors(document))


def test_every_reference_of_the_asyncapi_document_is_a_published_schema():
    found = {name for name in references(read("asyncapi.json")) if not name.startswith("#")}
    assert found == {"ack.json", "command.json", "part.json", "update.json"}
    assert all((SCHEMAS / name).is_file() for name in found)
