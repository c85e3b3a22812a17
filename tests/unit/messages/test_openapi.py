"""The OpenAPI document: it lists the routes that the server has, and its references exist."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from enfilade.app import create_app
from enfilade.messages.http_routes import ROUTES
from enfilade.messages.openapi import openapi
from enfilade.runtime.config import Config

SCHEMAS = Path(__file__).parents[3] / "schemas"
OTHERS = re.compile(r"/$|/board/|/plugin/|/schemas/|/foundry/|/owlbear/|/metrics")


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
    assert listed == served(create_app(Config(data=tmp_path)))


def test_every_reference_is_a_published_schema():
    found = set(references(openapi()))
    assert len(found) > 10
    assert [name for name in found if not (SCHEMAS / name).is_file()] == []


@pytest.mark.parametrize("name", ["openapi.json", "asyncapi.json"])
def test_the_documents_of_the_contract_are_published(name):
    assert json.loads((SCHEMAS / name).read_text())["info"]["title"] == "Enfilade"
