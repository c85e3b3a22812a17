"""The prototype's shadow raster and cover, on the same scenes."""

from __future__ import annotations

import ctypes

import numpy as np

from bench.geometry.prototype import Table, at
from bench.geometry.scenes import BenchScene
from bench.geometry.sight_jobs import boxes_of
from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.square import box, center
from enfilade.geometry.sight.cover import INSET


class PrototypeSight:
    """The first token looks; its box moves with the source."""

    def __init__(self, kernel: ctypes.CDLL, scene: BenchScene) -> None:
        self._kernel, self._side = kernel, scene.size.side
        walls = np.array(scene.walls, np.int32)
        self._walls = [np.ascontiguousarray(walls[:, k]) for k in range(4)]
        boxes = np.array([(0, 0, 0, 0), *boxes_of(scene)], np.int32)
        self._boxes = [np.ascontiguousarray(boxes[:, k]) for k in range(4)]
        self._word_count = (self._side + 63) // 64
        self._dark = np.zeros((self._side, self._word_count), np.uint64)
        self._blocked = np.zeros((len(boxes), 4), np.uint8)
        self._seen = np.zeros((self._side, self._side, 4), np.uint8)

    def _place_viewer(self, cell: Cell) -> None:
        for table, edge in zip(self._boxes, box(cell), strict=True):
            table[0] = edge

    def visible(self, cell: Cell) -> Table:
        """Return the dark cells as bits, 64 per word."""
        self._place_viewer(cell)
        side, (x, y) = self._side, center(cell)
        walls, boxes = self._tables()
        counts = len(self._walls[0]), len(self._boxes[0])
        dark = at(self._dark)
        self._kernel.vis2(side, side, x, y, 32, 32, counts[0], *walls, counts[1], *boxes, 0, dark)
        return self._dark

    def cover(self, cell: Cell) -> Table:
        """Return the blocked lines from each of the four corners to each token."""
        self._place_viewer(cell)
        walls, boxes = self._tables()
        counts = len(self._boxes[0]), len(self._walls[0])
        self._kernel.cover_one_h(0, *counts, *walls, *boxes, INSET, at(self._blocked))
        return self._blocked

    def cover_map(self, cell: Cell) -> Table:
        """Return the clear lines to every cell past walls and tokens together: 16 rasters, ours are 32."""
        self._place_viewer(cell)
        walls, boxes = self._tables()
        counts, here = (len(self._walls[0]), len(self._boxes[0])), box(cell)
        tables = at(self._dark), at(self._seen)
        side = self._side
        self._kernel.cover_map(side, side, *here, INSET, counts[0], *walls, counts[1], *boxes, 0, *tables)
        return self._seen

    def _tables(self) -> tuple[list[ctypes.c_void_p], list[ctypes.c_void_p]]:
        return [at(table) for table in self._walls], [at(table) for table in self._boxes]
