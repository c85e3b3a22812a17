"""Finds and loads the C kernel that was built beside this file, if there is one.

Python answers if `ENFILADE_NO_KERNEL=1` is set, if there was no compiler at install time, or if the library
was built from another version of the sources. ctypes releases the interpreter lock while a call is in C.
"""

from __future__ import annotations

import ctypes
import os
import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

from enfilade.runtime.time_budget import checkpoint, run_long

LARGE = 60_000
"""The cells, or lines times walls, from which a call of the kernel may take longer than a slice."""

VERSION = 10
"""The `KERNEL_VERSION` of kernel.h that this code needs."""

FILE = "_kernel.dll" if os.name == "nt" else "_kernel.so"
"""The library's file, which setup.py names."""


def load(folder: Path = Path(__file__).parent) -> ctypes.CDLL | None:
    """Return the C kernel, or None if the Python one is to be used."""
    if os.environ.get("ENFILADE_NO_KERNEL", "") not in ("", "0"):
        return None
    try:
        library = ctypes.CDLL(str(folder / FILE))
        if library.enfilade_kernel_version() == VERSION:
            return library
    except (OSError, AttributeError):
        return None
    return None


LIBRARY = load()


def declare(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """Return a function of the kernel with the types of its result and arguments. Needs a kernel."""
    assert LIBRARY is not None
    function = getattr(LIBRARY, name)
    function.restype, function.argtypes = result, arguments
    return function  # type: ignore[no-any-return]


def call(function: Callable[..., Any], size: int, *arguments: Any) -> Any:
    """Call a function of the kernel after a checkpoint, in another thread if its `size` is large.

    The caller keeps the memory that the arguments point to until the call is over.
    """
    checkpoint()
    return function(*arguments) if size < LARGE else run_long(function, *arguments)


def require(done: int) -> None:
    """Raise MemoryError if a function of the kernel reports that it ran out of memory."""
    if done != 0:
        raise MemoryError("The geometry kernel ran out of memory.")


def whole_rows(table: array[int], words_per_row: int) -> list[int]:
    """Return the rows of a table of 64-bit words, each as one integer."""
    if words_per_row == 1:
        return table.tolist()
    if sys.byteorder == "big":
        table.byteswap()
    data, step = table.tobytes(), 8 * words_per_row
    return [int.from_bytes(data[i : i + step], "little") for i in range(0, len(data), step)]
