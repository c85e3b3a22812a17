"""Every ruleset has golden transcripts, and plays them word for word as they were written down."""

from __future__ import annotations

import pytest
from tests.unit.transcripts.playing import RULESETS, played, transcripts

ALL = [(key, path) for key in RULESETS for path in transcripts(key)]


@pytest.mark.parametrize("key", RULESETS)
def test_every_ruleset_has_a_transcript(key):
    assert transcripts(key)


@pytest.mark.parametrize("path", [path for _, path in ALL], ids=[f"{key}/{path.name}" for key, path in ALL])
def test_a_transcript_is_played_as_it_was_written_down(path):
    written = path.read_text()
    assert played(written) == written, "make transcripts writes it again"


@pytest.mark.parametrize(("key", "path"), ALL, ids=[path.name for _, path in ALL])
def test_a_transcript_is_of_the_ruleset_whose_folder_it_is_in(key, path):
    assert f"\nruleset {key}\n" in path.read_text()
