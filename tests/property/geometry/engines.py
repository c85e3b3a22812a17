"""The engines to compare: the Python reference, and C if it was built."""

from contextlib import ExitStack, contextmanager
from types import ModuleType
from typing import NamedTuple
from unittest.mock import patch

from enfilade.geometry import kernel
from enfilade.geometry.board import padded_grid
from enfilade.geometry.kernel import python_fields, python_gridless, python_outlines, python_sight
from enfilade.geometry.movement import barriers, graph, gridless, threat
from enfilade.geometry.sight import cover, line_of_sight, tracker


class Engine(NamedTuple):
    sight: ModuleType
    fields: ModuleType
    gridless: ModuleType
    outlines: ModuleType


ENGINES = {"python": Engine(python_sight, python_fields, python_gridless, python_outlines)}
if kernel.engine() == "c":
    ENGINES["c"] = Engine(kernel.sight, kernel.fields, kernel.gridless, kernel.outlines)


@contextmanager
def use_engine(name):
    """Let one engine answer, instead of the one chosen at start."""
    with ExitStack() as stack:
        for module in (padded_grid, barriers, graph, threat):
            stack.enter_context(patch.object(module, "fields", ENGINES[name].fields))
        for module in (cover, line_of_sight, tracker):
            stack.enter_context(patch.object(module, "sight", ENGINES[name].sight))
        for part in ("gridless", "outlines"):
            stack.enter_context(patch.object(gridless, part, getattr(ENGINES[name], part)))
        yield
