"""Sight and cover by shapely: prepared walls, a tree of token boxes, all lines in one call."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

from bench.geometry.scenes import BenchScene
from bench.geometry.sight_jobs import boxes_of
from enfilade.geometry.board.base import Box, Cell
from enfilade.geometry.board.square import box, center
from enfilade.geometry.sight.cover import INSET

Table = np.ndarray[Any, Any]


class ShapelyPeer:
    """A scene's walls and tokens as prepared shapely geometry."""

    def __init__(self, scene: BenchScene) -> None:
        walls = np.array(scene.walls, float).reshape(-1, 2, 2)
        self._walls = shapely.multilinestrings(shapely.linestrings(walls))
        shapely.prepare(self._walls)
        self._boxes = boxes_of(scene)
        self._tree = shapely.STRtree([shapely.box(*one) for one in self._boxes])
        self._side = scene.size.side
        cells = [(x, y) for y in range(self._side) for x in range(self._side)]
        self._centers = np.array([center(cell) for cell in cells], float)
        self._owner = np.full(len(cells), -1)
        for number, token in enumerate(scene.tokens[1:]):
            for x, y in token.cells:
                self._owner[y * self._side + x] = number
        self._corners = np.array([_corners(one) for one in self._boxes], float)
        self._targets = np.repeat(np.arange(len(self._boxes)), 16)

    def visible(self, cell: Cell) -> Table:
        """Return the visible cells as a row of booleans."""
        return ~self._blocked(np.broadcast_to(center(cell), self._centers.shape), self._centers, self._owner)

    def cover(self, cell: Cell) -> Table:
        """Return the number of blocked lines, of 16, to each other token."""
        starts = np.repeat(np.array(_corners(box(cell)), float)[None, :, None, :], len(self._boxes), 0)
        ends = self._corners[:, None, :, :]
        starts, ends = (
            np.broadcast_to(x, (len(self._boxes), 4, 4, 2)).reshape(-1, 2) for x in (starts, ends)
        )
        blocked = self._blocked(starts, ends, self._targets)
        return blocked.reshape(-1, 16).sum(1)

    def _blocked(self, starts: Table, ends: Table, exempt: Table) -> Table:
        lines = shapely.linestrings(np.stack([starts, ends], 1))
        blocked = shapely.intersects(self._walls, lines)
        past = np.flatnonzero(~blocked)
        line, token = self._tree.query(lines[past], predicate="crosses")
        blocked[past[line[exempt[past[line]] != token]]] = True
        return blocked


def _corners(one: Box) -> list[tuple[int, int]]:
    left, top, right, bottom = one[0] + INSET, one[1] + INSET, one[2] - INSET, one[3] - INSET
    return [(left, top), (right, top), (right, bottom), (left, bottom)]
