"""Each file of the browser's tests is in the list that says whether `make test` runs it."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "browser"
with (FOLDER / "files.tsv").open(encoding="utf-8") as listed:
    ROWS = [tuple(row) for row in csv.reader(listed, delimiter="\t", quoting=csv.QUOTE_NONE)][1:]


def test_each_file_is_in_the_list_once():
    assert Counter(name for name, *_ in ROWS) == Counter(path.name for path in FOLDER.glob("*.test.mjs"))


def test_a_file_that_the_build_leaves_out_has_its_reason_and_no_other_has_one():
    assert {runs_in for _, runs_in, _ in ROWS} == {"test", "e2e"}
    assert [name for name, runs_in, why in ROWS if bool(why) != (runs_in == "e2e")] == []


def test_the_build_runs_each_file_that_a_reason_names():
    short = {name.removesuffix(".test.mjs") for name, runs_in, _ in ROWS if runs_in == "test"}
    named = {name for *_, why in ROWS for name in re.findall(r"`([a-z-]+)`", why)}
    assert len(named) > 5
    assert named - short == set()


def test_all_files_are_run_before_a_release():
    assert re.search(r"run: make e2e\b", (ROOT / ".github/workflows/release.yml").read_text("utf-8"))
