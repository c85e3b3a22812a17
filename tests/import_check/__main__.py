"""Check the importer on every map of a folder: as a file, as the live scene, and by a reading of its own.

    python -m tests.import_check FOLDER

Prints refused maps with the reasons, boards that differ from the live scene as the module reads it, and
walls, doors or tokens that are lost. The exit status is 1 if a board differs or something is lost.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from enfilade.errors import EnfiladeError
from enfilade.importers import Imported, read_live_scene, read_map
from tests.import_check.readings import scene_faults, universal_vtt_faults
from tests.import_check.sources import (
    as_source,
    dimensions,
    documents,
    is_scene,
    level_of,
    map_files,
    outlines,
)

LIVE = Path(__file__).with_name("live.mjs")


def main() -> int:
    folder = Path(sys.argv[1])
    counts: Counter[str] = Counter()
    refused: list[tuple[str, str]] = []
    faults: list[tuple[str, str]] = []
    began, slowest = time.monotonic(), 0.0
    with subprocess.Popen(["node", LIVE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        for file in map_files(folder):
            name = str(file.relative_to(folder))
            try:
                raws = documents(file.read_bytes())
            except (ValueError, RecursionError):
                refused += _print_lines("refused", [(name, "This is not JSON.")])
                continue
            for number, raw in enumerate(raws):
                is_uvtt = "resolution" in raw or "line_of_sight" in raw
                if not is_uvtt and not is_scene(raw):
                    counts["objects of other kinds"] += 1
                    continue
                place = name if len(raws) == 1 else f"{name}[{number}] {raw.get('name')}"
                counts["maps"] += 1
                started = time.monotonic()
                try:
                    imported = read_map(json.dumps(raw).encode(), name, ruleset="coup_de_grace")
                except EnfiladeError as problem:
                    refused += _print_lines("refused", [(place, problem.sentence)])
                    continue
                slowest = max(slowest, time.monotonic() - started)
                assert isinstance(imported, Imported)
                counts["accepted"] += 1
                counts["walls"] += len(imported.scene.walls)
                counts["tokens"] += len(imported.scene.tokens)
                counts["terrain"] += len(imported.scene.terrain)
                counts[f"boards: {imported.scene.grid.kind}"] += 1
                found = (
                    universal_vtt_faults(raw, imported) if is_uvtt else _foundry_faults(raw, imported, node)
                )
                faults += _print_lines("fault", [(place, fault) for fault in found])
                counts["maps with a fault"] += bool(found)
    print(*(f"{count:>8}  {what}" for what, count in counts.items()), sep="\n")
    print(f"{len(refused):>8}  refused")
    print(f"slowest import {slowest:.2f} s, all {time.monotonic() - began:.0f} s")
    verdict, accepted = "FAIL" if faults else "PASS", counts["accepted"]
    print(f"import-check: {verdict} maps={counts['maps']} accepted={accepted} faults={len(faults)}")
    return 1 if faults else 0


def _print_lines(word: str, lines: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Print lines at once, because a large folder takes long, and return them."""
    for place, sentence in lines:
        print(f"{word:<8} {place}: {sentence}", flush=True)
    return lines


def _foundry_faults(raw: dict[str, Any], imported: Imported, node: subprocess.Popen[str]) -> list[str]:
    assert node.stdin is not None
    assert node.stdout is not None
    source = as_source(raw)
    live = {
        "source": source,
        "dimensions": dimensions(source),
        "level": level_of(source),
        "outlines": outlines(source),
    }
    node.stdin.write(json.dumps(live) + "\n")
    node.stdin.flush()
    shown = read_live_scene(json.loads(node.stdout.readline()), ruleset="coup_de_grace")
    return [*_differences(imported, shown), *scene_faults(source, imported)]


def _differences(file: Imported, live: Imported) -> list[str]:
    """Return in what the board of a file differs from that of the live scene; their titles may."""
    parts = ("grid", "walls", "terrain", "sides", "tokens")
    found = [
        f"{part} differ from the live scene"
        for part in parts
        if getattr(file.scene, part) != getattr(live.scene, part)
    ]
    return found + (["the origin differs from the live scene"] if file.origin != live.origin else [])


if __name__ == "__main__":
    sys.exit(main())
