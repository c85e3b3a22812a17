"""`python -m tests.unit.transcripts`: plays every transcript again and writes down what happens now."""

from __future__ import annotations

from tests.unit.transcripts.playing import RULESETS, played, transcripts

for key in RULESETS:
    for path in transcripts(key):
        was = path.read_text()
        path.write_text(played(was))
        print(f"{key}/{path.name}: {'as before' if path.read_text() == was else 'changed'}")
