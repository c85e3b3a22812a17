"""A pytest plugin that runs the tests of one mutant, or notes which functions each test calls."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, NamedTuple

import pytest

from tests.mutation.sites import Site, mutate

Function = tuple[str, int]
"""A function: the path of its file, and its first line."""


class Profile(NamedTuple):
    """A test of a run without mutants: its seconds, and the functions of the ruleset that it calls."""

    seconds: float
    calls: frozenset[Function]


class Tracer:
    """Notes the profile of each test, and the modules that the run imports."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.profiles: dict[str, Profile] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Trace the calls of one test with its fixtures."""
        calls: set[Function] = set()

        def trace(frame: FrameType, _event: str, _argument: Any) -> None:
            code: CodeType = frame.f_code
            if code.co_filename.startswith(self.folder):
                calls.add((code.co_filename, code.co_firstlineno))

        start = time.perf_counter()
        sys.settrace(trace)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            self.profiles[item.nodeid] = Profile(time.perf_counter() - start, frozenset(calls))


class Order:
    """Runs the tests of a list of IDs, in its order, and no others."""

    def __init__(self, order: Sequence[str]) -> None:
        self.places = {test: place for place, test in enumerate(order)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Select and sort the tests."""
        items[:] = [item for item in items if item.nodeid in self.places]
        items.sort(key=lambda item: self.places[item.nodeid])


class MutantLoader(importlib.machinery.SourceFileLoader):
    """Loads a module with one of its sites changed."""

    def __init__(self, name: str, site: Site) -> None:
        super().__init__(name, str(site.path))
        self.site = site

    def get_code(self, _fullname: str) -> CodeType:
        """Compile the changed syntax tree."""
        return compile(mutate(self.site), str(self.site.path), "exec")


class MutantFinder(importlib.abc.MetaPathFinder):
    """Finds the mutant in place of its module."""

    def __init__(self, name: str, site: Site) -> None:
        self.name, self.site = name, site

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the mutant for its module's name; None for other modules."""
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(
            fullname, self.site.path, loader=MutantLoader(fullname, self.site)
        )


def install(site: Site, server: Path) -> None:
    """Make imports of a site's module in this process import its mutant."""
    parts = site.path.relative_to(server).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    sys.meta_path.insert(0, MutantFinder(name, site))
