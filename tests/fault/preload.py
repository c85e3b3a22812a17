"""Builds the library that watches and breaks what a process writes, and speaks to it from inside."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_name("fault.c")

FAST_FOLDER = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""A folder in memory, for files whose durability the scenario simulates."""


class NoCompilerError(Exception):
    """There is no C compiler, or this is not Linux: files cannot be watched."""


def built(folder: Path) -> Path:
    """The library, compiled into a folder; raises NoCompilerError."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or sys.platform != "linux":
        raise NoCompilerError("needs Linux and a C compiler")
    library = folder / "fault.so"
    options = ["-O2", "-fPIC", "-shared", "-Wall", "-o", str(library), str(SOURCE), "-ldl", "-lpthread"]
    subprocess.run([compiler, *options], check=True)
    return library


def environment(library: Path, folder: Path) -> dict[str, str]:
    """The environment of a process whose files in the folder are watched."""
    return {**os.environ, "LD_PRELOAD": str(library), "FAULT_FOLDER": str(folder)}


class Faults:
    """The library, from inside the process it was loaded into."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)

    def trace(self, path: Path) -> None:
        """Record all file operations from now on."""
        self._library.torture_trace(str(path).encode())

    def arm(self, nth: int, code: int = 0, *, for_ever: bool = False) -> None:
        """Make the nth operation from now fail, and with `for_ever` all after it; 0 for none."""
        self._library.torture_arm(ctypes.c_longlong(nth), code, int(for_ever))

    def count(self) -> int:
        """Return the number of operations since it was armed."""
        self._library.torture_count.restype = ctypes.c_longlong
        return int(self._library.torture_count())
