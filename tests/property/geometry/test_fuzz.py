"""A few seconds of the fuzzer in every test run, and proof that it can fail."""

import subprocess
import sys
from dataclasses import replace

import pytest
from tests.property.geometry import gridless_cases
from tests.property.geometry.__main__ import compare, run

from enfilade.geometry.sight.raster import ShadowRaster


def test_some_scenes_of_every_kind_have_no_differences():
    cells, differences = run(1_000_000, 6)  # `make fuzz-short` runs more
    assert cells > 2000
    assert differences == []


def test_a_single_seed_can_be_run_alone():
    assert compare(1, 77, workers=1) == run(77, 1)


@pytest.mark.parametrize("seed", [92, 97, 109, 158, 175, 256, 295, 314])
def test_spans_are_found_that_wrap_around_a_start_or_lie_inside_the_arc_of_a_disc(seed):
    assert gridless_cases.gridless_outlines(seed)[1] == []
    assert gridless_cases.gridless_reach(seed)[1] == []


def test_a_broken_engine_is_detected(monkeypatch):
    right = ShadowRaster.add_shadow

    def off_by_one_row(self, shadow):
        right(self, shadow._replace(begins=shadow.begins + 64 if shadow.begins > 0 else shadow.begins))

    monkeypatch.setattr(ShadowRaster, "add_shadow", off_by_one_row)
    assert any(run(seed, 1)[1] for seed in range(20))


def test_an_outline_that_is_3_64ths_too_large_is_detected(monkeypatch):
    right = gridless_cases.outline

    def too_large(fields):
        return right([replace(field, budget=field.budget + 3) for field in fields])

    monkeypatch.setattr(gridless_cases, "outline", too_large)
    assert any(gridless_cases.gridless_reach(seed)[1] for seed in range(1, 600, 6))


def test_the_command_prints_its_verdict_last():
    fuzz = subprocess.run(
        [sys.executable, "-m", "tests.property.geometry", "--cells", "1", "--seed", "5"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "geometry-fuzz: PASS cells=" in fuzz.stdout
    assert fuzz.stdout.rstrip().endswith("differences=0")
