"""The engines to compare: the Python reference, and C where it was built."""

from types import ModuleType
from typing import NamedTuple

from enfilade.geometry import kernel
from enfilade.geometry.kernel import python_fields, python_sight


class Engine(NamedTuple):
    sight: ModuleType
    fields: ModuleType


ENGINES = {"python": Engine(python_sight, python_fields)}
if kernel.engine() == "c":
    ENGINES["c"] = Engine(kernel.sight, kernel.fields)
