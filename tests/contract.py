"""The published schemas as validators, for tests of what the server sends."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

SCHEMAS = Path(__file__).parents[1] / "schemas"


@cache
def validator(name: str) -> Draft202012Validator:
    """Return the validator of a published schema, by its path without the suffix."""
    return Draft202012Validator(json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8")))


def differences(name: str, value: Any) -> list[str]:
    """Return all sentences in which a value is not as a published schema says; none if it fits."""
    sent = json.loads(json.dumps(value))
    return [f"{list(one.path)}: {one.message}" for one in validator(name).iter_errors(sent)]
