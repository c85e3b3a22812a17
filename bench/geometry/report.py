"""Writes the results: bench/results.json for programs, tables in docs/performance.md for readers."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from pathlib import Path

from bench.geometry.goals import GOALS

ROOT = Path(__file__).resolve().parents[2]
RESULTS, PAGE = ROOT / "bench" / "results.json", ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"

Results = dict[str, dict[str, dict[str, float]]]


def write(results: Results, growth: Results) -> None:
    """Write the file and the tables, and print the verdict of each goal."""
    found = {**results, "growth": growth, "goals": {}, "machine": {}}
    goals = {goal.sentence: goal.judge(results) for goal in GOALS}
    found["goals"], found["machine"] = goals, machine()  # type: ignore[assignment]
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")
    page = PAGE.read_text()
    head, rest = page.split(BEGIN)
    _, tail = rest.split(END)
    lines = [BEGIN, *_tables(results, growth, goals), END]
    PAGE.write_text(head + "\n".join(lines) + tail)
    for sentence, verdict in goals.items():
        print(f"{verdict}: {sentence}")


def update(results: Results) -> None:
    """Replace the results of some jobs, and leave those of the others as they are."""
    known = json.loads(RESULTS.read_text())
    growth = known.pop("growth", {})
    for derived in ("goals", "machine"):
        known.pop(derived, None)
    write({**known, **results}, growth)


def machine() -> dict[str, str]:
    """Return the processor, cores and Python version."""
    python = f"Python {platform.python_version()}"
    return {"processor": platform.machine(), "cores": str(os.cpu_count()), "python": python}


def _tables(results: Results, growth: Results, goals: dict[str, str]) -> Iterator[str]:
    yield f"Measured on {machine()['cores']} cores, {machine()['processor']}, {machine()['python']}."
    for job, scales in results.items():
        yield f"\n### {job.replace('_', ' ').capitalize()}\n"
        is_flat = all(not isinstance(row, dict) for row in scales.values())
        yield from _table({"": scales} if is_flat else scales)  # type: ignore[dict-item]
    yield "\n### Growth of cost\n\nMilliseconds; all other measures stay as in the typical scene.\n"
    for job, measures in growth.items():
        for measure, times in measures.items():
            yield from _table({f"{job.replace('_', ' ')}, {measure}": times})
            yield ""
    yield "### Goals\n\n| goal | reached |\n|---|---|"
    yield from (f"| {sentence} | {verdict} |" for sentence, verdict in goals.items())


def _table(rows: dict[str, dict[str, float]]) -> Iterator[str]:
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    yield "| |" + "".join(f" {column.removesuffix('_ms').replace('_', ' ')} |" for column in columns)
    yield "|---|" + "---:|" * len(columns)
    for name, row in rows.items():
        yield f"| {name} |" + "".join(f" {row.get(column, '')} |" for column in columns)
