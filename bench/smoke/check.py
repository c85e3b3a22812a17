"""Checks everything a server said, line by line, against the contract; ends with the first thing wrong.

`python -m bench.smoke.check TRANSCRIPT`: each line {"ack": ...} or {"update": ...}.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.contract import differences


def main(path: Path) -> None:
    said = [json.loads(line) for line in path.read_text().splitlines()]
    seqs: list[int] = []
    for number, line in enumerate(said, 1):
        try:
            seqs += _checked(line)
        except ValueError as problem:
            sys.exit(f"line {number}: {problem}")
    if not seqs or seqs != list(range(seqs[0], seqs[0] + len(seqs))):
        sys.exit("the entries do not follow one another without a gap")
    overlays = sum(line.get("update", {}).get("kind") == "overlay" for line in said)
    print(f"{len(said)} messages, {overlays} overlays, {len(seqs)} log entries checked")


def _checked(line: dict[str, Any]) -> list[int]:
    """The numbers of the entries that the line tells of."""
    if "ack" in line:
        _must_fit("ack", line["ack"])
        _must(line["ack"]["ok"], f"refused: {line['ack'].get('error')}")
        overlay = line["ack"]["result"].get("overlay")
        if overlay:
            _must_fit("updates/overlay", overlay)
        return []
    update = line["update"]
    _must_fit("update", update)
    _must_fit(f"updates/{update['kind']}", update["body"])
    return _entries(update)


def _entries(update: dict[str, Any]) -> list[int]:
    if update["kind"] == "overlay":
        _must(bool(update["body"]["card"]), "an overlay without a card")
    entries = update["body"]["entries"] if update["kind"] == "entries" else []
    for entry in entries:
        _must(bool(entry["text"].strip()), f"entry {entry['seq']} says nothing")
    return [entry["seq"] for entry in entries]


def _must_fit(schema: str, said: Any) -> None:
    wrong = differences(schema, said)
    _must(not wrong, "; ".join(wrong))


def _must(is_so: bool, otherwise: str) -> None:
    if not is_so:
        raise ValueError(otherwise)


main(Path(sys.argv[1]))
