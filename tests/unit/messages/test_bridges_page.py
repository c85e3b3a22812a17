"""The tables of docs/bridges.md have the envelope's fields and the figures of the code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from enfilade.play.redaction.views import MAX_BEHIND
from enfilade.runtime.config import Limits

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "bridges.md").read_text("utf-8")
ENVELOPE = json.loads((ROOT / "schemas" / "command.json").read_text("utf-8"))
UNITS = {"KiB": 2**10, "MiB": 2**20, "ms": 1, "": 1}
LIMITS = re.findall(r"^\| [^|]+ \| ([\d,]+) ?(KiB|MiB|ms|) \| `(\w+)` \|", PAGE, re.MULTILINE)


def test_the_page_names_every_field_of_the_envelope():
    fields = ENVELOPE["$defs"]["Command"]["properties"]
    table = PAGE.partition("| field | needed | meaning |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(fields)


def test_the_example_of_an_envelope_is_one():
    (example,) = re.findall(r"^(\{ \"v\": 1.*\})$", PAGE, re.MULTILINE)
    command = json.loads(example.replace("5f0c…32 digits…a9", "5f" * 16))
    jsonschema.validate(command, ENVELOPE)


@pytest.mark.parametrize(("number", "unit", "setting"), LIMITS)
def test_each_limit_is_the_one_of_the_code(number, unit, setting):
    assert int(number.replace(",", "")) * UNITS[unit] == getattr(Limits(), setting)


def test_the_table_of_limits_is_read_and_has_the_fixed_one():
    assert len(LIMITS) == 16
    assert f"| {MAX_BEHIND} | fixed |" in PAGE
