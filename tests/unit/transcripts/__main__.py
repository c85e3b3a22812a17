"""Play every transcript again and rewrite its file: `make transcripts`."""

from __future__ import annotations

import argparse

from tests.unit.transcripts.playing import RULESETS, played, transcripts

argparse.ArgumentParser(description=__doc__).parse_args()
for key in RULESETS:
    for path in transcripts(key):
        was = path.read_text()
        path.write_text(played(was))
        print(f"{key}/{path.name}: {'as before' if path.read_text() == was else 'changed'}")
