"""Checks everything a server said, line by line, against the contract; ends with the first thing wrong.

`python check.py TRANSCRIPT`: each line {"ack": ...} or {"update": ...}.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from marshmallow import ValidationError

from enfilade.messages.updates import UPDATES, AckSchema, UpdateSchema

_ACK, _UPDATE = AckSchema(), UpdateSchema()
_BODIES = {kind: schema() for kind, schema in UPDATES.items()}


def main(path: Path) -> None:
    said = [json.loads(line) for line in path.read_text().splitlines()]
    seqs: list[int] = []
    for number, line in enumerate(said, 1):
        try:
            seqs += _checked(line)
        except (ValidationError, ValueError) as problem:
            sys.exit(f"line {number}: {problem}")
    if not seqs or seqs != list(range(seqs[0], seqs[0] + len(seqs))):
        sys.exit("the entries do not follow one another without a gap")
    overlays = sum(line.get("update", {}).get("kind") == "overlay" for line in said)
    print(f"{len(said)} messages, {overlays} overlays, {len(seqs)} log entries checked")


def _checked(line: dict[str, Any]) -> list[int]:
    """The numbers of the entries that the line tells of."""
    if "ack" in line:
        _ACK.load(line["ack"])
        _must(line["ack"]["ok"], f"refused: {line['ack'].get('error')}")
        overlay = line["ack"]["result"].get("overlay")
        if overlay:
            _BODIES["overlay"].load(overlay)
        return []
    update = line["update"]
    _UPDATE.load(update)
    _BODIES[update["kind"]].load(update["body"])
    return _entries(update)


def _entries(update: dict[str, Any]) -> list[int]:
    if update["kind"] == "overlay":
        _must(bool(update["body"]["card"]), "an overlay without a card")
    entries = update["body"]["entries"] if update["kind"] == "entries" else []
    for entry in entries:
        _must(bool(entry["text"].strip()), f"entry {entry['seq']} says nothing")
    return [entry["seq"] for entry in entries]


def _must(is_so: bool, otherwise: str) -> None:
    if not is_so:
        raise ValueError(otherwise)


main(Path(sys.argv[1]))
