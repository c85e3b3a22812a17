"""The prototype's whole job: its field with edges laid anew, its shadow raster and its cover."""

from __future__ import annotations

import ctypes

import numpy as np

from bench.geometry.prototype import PrototypeField, at
from bench.geometry.scenes import BenchScene
from bench.geometry.sight_jobs import boxes_of
from enfilade.geometry.cover import INSET
from enfilade.geometry.square import box, centre
from enfilade.geometry.units import HALF, Cell


class PrototypeJob:
    """The first token moves on; token 0 of its tables is the mover."""

    def __init__(self, kernel: ctypes.CDLL, scene: BenchScene) -> None:
        self._kernel, self._side = kernel, scene.size.side
        self._field = PrototypeField(kernel, scene, relay=False)
        self._walls = [np.ascontiguousarray(side) for side in np.array(scene.walls, np.int32).T]
        self._boxes = [np.ascontiguousarray(side) for side in np.array(boxes_of(scene), np.int32).T]
        self._rows = np.zeros((self._side, (self._side + 63) // 64), np.uint64)
        self._cover = np.zeros((len(scene.tokens), 4), np.uint8)

    def run(self, cell: Cell) -> None:
        """Everything about the mover at a cell."""
        self._field.solve(cell)
        for side, value in zip(self._boxes, box(cell), strict=True):
            side[0] = value
        walls = (len(self._walls[0]), *map(at, self._walls))
        boxes = (len(self._boxes[0]), *map(at, self._boxes))
        eye = centre(cell)
        self._kernel.vis2(self._side, self._side, *eye, HALF, HALF, *walls, *boxes, 0, at(self._rows))
        tables = (*map(at, self._walls), *map(at, self._boxes))
        self._kernel.cover_one_h(0, len(self._boxes[0]), walls[0], *tables, INSET, at(self._cover))
