"""Finds and loads the C kernel that was built beside this file, if one was.

`ENFILADE_PURE=1` in the environment, no compiler at install time, or a library built from another version
of the sources: each means Python, with the same answers, only slower. ctypes lets other threads run while
a call is in C.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

VERSION = 2
"""What `KERNEL_VERSION` in kernel.h must be."""


def load(folder: Path = Path(__file__).parent) -> ctypes.CDLL | None:
    """The C kernel, or None where the Python one is to be used."""
    if os.environ.get("ENFILADE_PURE", "") not in ("", "0"):
        return None
    for path in sorted(folder.glob("_kernel.*")):
        library = _open(path)
        if library is not None:
            return library
    return None


def _open(path: Path) -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(str(path))
        if library.enfilade_kernel_version() == VERSION:
            return library
    except (OSError, AttributeError):
        return None
    return None


LIBRARY = load()


def declare(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """A function of the kernel with the types of its result and arguments; there must be a kernel."""
    assert LIBRARY is not None
    function = getattr(LIBRARY, name)
    function.restype, function.argtypes = result, arguments
    return function  # type: ignore[no-any-return]


def require(done: int) -> None:
    """Raise MemoryError where a function of the kernel says that it had too little."""
    if done != 0:
        raise MemoryError("The geometry kernel ran out of memory.")
