"""The published schema of a log entry holds for the logs of all games."""

from __future__ import annotations

import json

import jsonschema
import msgspec
import pytest
from tests.contract import validator
from tests.property.games.test_games_at_a_table import play, table_of
from tests.unit.transcripts.playing import RULESETS, logged, transcripts

from enfilade.scene.model import GM, SPECTATOR

ENTRY = validator("log-entry")


def require_valid(table):
    seats = (table.entries_after(seat, 0).entries for seat in (GM, SPECTATOR))
    entries = {msgspec.json.encode(entry) for entries in seats for entry in entries}
    assert entries
    for entry in entries:
        ENTRY.validate(json.loads(entry))


@pytest.mark.parametrize("key", RULESETS)
def test_the_entries_of_the_transcripts_are_as_the_schema_says(key):
    for path in transcripts(key):
        require_valid(logged(path.read_text()))


@pytest.mark.parametrize("key", RULESETS)
def test_the_entries_of_random_games_are_as_the_schema_says(key):
    table = table_of(RULESETS[key], 1)
    play(table, 1)
    require_valid(table)


@pytest.mark.parametrize("key", RULESETS)
def test_a_fact_that_the_schema_does_not_name_is_found(key):
    entries = logged(transcripts(key)[0].read_text()).entries_after(GM, 0).entries
    entry = json.loads(msgspec.json.encode(entries[-1]))
    with pytest.raises(jsonschema.ValidationError):
        ENTRY.validate({**entry, "facts": {**entry["facts"], "unheard_of": 1}})
