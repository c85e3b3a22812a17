"""The prototype of this engine, which joins the races if its sources are present. It is optional."""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from array import array
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bench.geometry.scenes import BenchScene
from enfilade.geometry.board.base import LANES, Cell

Table = np.ndarray[Any, Any]

BITS = {(1, 0): 0, (1, 1): 1, (0, 1): 2, (-1, 1): 3, (-1, 0): 4, (-1, -1): 5, (0, -1): 6, (1, -1): 7}
"""The prototype's number for each step: from east, clockwise."""


def folder() -> Path:
    """Return its folder: ENFILADE_PROTOTYPES, or one beside the checkout."""
    beside = Path(__file__).resolve().parents[2].parent / "shared" / "prototypes"
    return Path(os.environ.get("ENFILADE_PROTOTYPES", str(beside)))


@cache
def library() -> ctypes.CDLL | None:
    """Return its kernel, built with -O3, or None if there is none."""
    source = folder() / "kern.c"
    if not source.is_file():
        return None
    built = Path(tempfile.mkdtemp(prefix="enfilade-bench-")) / "prototype.so"
    command = ["cc", "-O3", "-w", "-fPIC", "-shared", "-o", str(built), str(source)]
    return ctypes.CDLL(str(built)) if subprocess.run(command, check=False).returncode == 0 else None


def at(table: Table) -> ctypes.c_void_p:
    """Return the address of a table; the caller keeps the table alive."""
    return ctypes.c_void_p(table.ctypes.data)


class PrototypeField:
    """Its vector search over the whole board; `rebuild` builds its table of edges for each search."""

    def __init__(self, kernel: ctypes.CDLL, scene: BenchScene, rebuild: bool) -> None:
        self._kernel, self._side, self._rebuild = kernel, scene.size.side, rebuild
        side, size = self._side, (self._side + 2) ** 2
        self._enter = self._inside(scene.terrain.enter).astype(np.uint8)
        shift = np.log2(np.maximum(self._inside(scene.terrain.leave), 1)).astype(np.uint8)
        self._tables = [np.ones(8, np.int32), self._enter, shift, self._mask(scene.terrain.barred)]
        self._cost = np.full((size, 8), 0xFFFF, np.uint16)
        self._template = np.zeros((side + 2, side + 2), np.uint16)
        self._template[1:-1, 1:-1] = np.where(self._enter > 0, 0xFFFF, 0)
        self.totals = np.zeros(size + 8, np.uint16)
        self._buckets, self._counts = np.zeros(32 * size, np.int32), np.zeros(32, np.int32)
        self._build()

    def _inside(self, entries: array[int] | bytes) -> Table:
        side = self._side
        kind = np.uint8 if isinstance(entries, bytes) else np.uint16
        table = np.frombuffer(entries, kind)[: (side + 2) ** 2].reshape(side + 2, side + 2)
        return np.ascontiguousarray(table[1:-1, 1:-1])

    def _mask(self, barred: bytes) -> Table:
        ours, mask = self._inside(barred), np.zeros((self._side, self._side), np.uint8)
        rows, columns = np.indices(mask.shape)
        for lane, (dx, dy) in enumerate(LANES):
            is_off = (columns + dx < 0) | (columns + dx >= self._side)
            is_off |= (rows + dy < 0) | (rows + dy >= self._side)
            mask |= ((ours >> lane & 1 | is_off) << BITS[dx, dy]).astype(np.uint8)
        return mask

    def _build(self) -> None:
        self._kernel.edges16(self._side, self._side, *map(at, self._tables), at(self._cost))

    def solve(self, start: Cell) -> Table:
        """Return the least cost of every cell, with a border as in our tables."""
        if self._rebuild:
            self._build()
        side, index = self._side, start[1] * self._side + start[0]
        tables = (self.totals, self._buckets, self._counts)
        dijkstra, size = (at(self._cost), at(self._template)), len(self._cost)
        self._kernel.dial8v(side, side, *dijkstra, index, 60000, 32, size, *map(at, tables))
        return self.totals
