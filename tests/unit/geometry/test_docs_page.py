"""The code of docs/geometry.md runs, and the package exports its names without ambiguity."""

import re
from pathlib import Path

import pytest

from enfilade import geometry
from tests.property.geometry.engines import ENGINES, use_engine

PAGE = (Path(__file__).parents[3] / "docs" / "geometry.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("engine", sorted(ENGINES))
@pytest.mark.parametrize("block", BLOCKS)
def test_the_code_of_the_page_runs_and_its_assertions_hold(block, engine):
    with use_engine(engine):
        exec(compile(block, "docs/geometry.md", "exec"), {})


def test_the_example_is_ten_lines_without_its_imports():
    lines = [line for line in BLOCKS[0].splitlines() if line and not line.startswith("from ")]
    assert len(lines) <= 10


def test_every_name_in_the_package_is_exported_once_and_exists():
    assert sorted(set(geometry.__all__)) == sorted(geometry.__all__)
    assert all(hasattr(geometry, name) for name in geometry.__all__)


@pytest.mark.parametrize("package", ["board", "movement", "sight"])
def test_no_package_attribute_is_both_a_module_and_a_function(package):
    module = getattr(geometry, package)
    exported = {name for name in vars(module) if not name.startswith("_")}
    assert all(getattr(module, name).__name__.startswith(module.__name__) for name in exported)
