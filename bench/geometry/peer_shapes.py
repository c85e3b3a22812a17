"""The sight peer: shapely with prepared walls and a tree of the tokens' boxes, all cells in one call."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

from bench.geometry.scenes import BenchScene
from bench.geometry.sight_jobs import boxes_of
from enfilade.geometry.cover import INSET
from enfilade.geometry.square import box, centre
from enfilade.geometry.units import CELL, HALF, Cell

Table = np.ndarray[Any, Any]


class ShapelySight:
    """What the first token sees from a cell, and its cover on the others."""

    def __init__(self, scene: BenchScene) -> None:
        self._side = scene.size.side
        lines = np.array(scene.walls, float).reshape(-1, 2, 2)
        self._walls = shapely.multilinestrings(shapely.linestrings(lines))
        shapely.prepare(self._walls)
        self._boxes = np.array(boxes_of(scene)[1:], float)
        rows, columns = np.indices((self._side, self._side))
        self._centres = np.stack([columns.ravel(), rows.ravel()], 1) * CELL + HALF
        self._tree = shapely.STRtree(shapely.box(*self._boxes.T))

    def visible(self, at: Cell) -> Table:
        """True for each [row, column] that is seen."""
        ends = np.empty((self._side**2, 2, 2))
        ends[:, 0], ends[:, 1] = centre(at), self._centres
        lines = shapely.linestrings(ends)
        seen = ~shapely.intersects(self._walls, lines)
        clear = np.flatnonzero(seen)
        line, box_ = self._tree.query(lines[clear], predicate="crosses")
        left, top, right, bottom = self._boxes[box_].T
        x, y = self._centres[clear[line]].T
        is_own = (left < x) & (x < right) & (top < y) & (y < bottom)
        seen[clear[line[~is_own]]] = False
        return seen.reshape(self._side, self._side)

    def covers(self, at: Cell) -> Table:
        """For each other token how many of the sixteen lines are blocked."""
        ours = _corners(np.array([box(at)], float))[0]
        theirs = _corners(self._boxes)
        ends = np.empty((len(theirs), 4, 4, 2, 2))
        ends[..., 0, :], ends[..., 1, :] = ours[None, :, None], theirs[:, None]
        lines = shapely.linestrings(ends.reshape(-1, 2, 2))
        blocked = shapely.intersects(self._walls, lines)
        clear = np.flatnonzero(~blocked)
        line, box_ = self._tree.query(lines[clear], predicate="crosses")
        blocked[clear[line[clear[line] // 16 != box_]]] = True
        return blocked.reshape(-1, 16).sum(1)


def _corners(boxes: Table) -> Table:
    left, top, right, bottom = boxes.T
    left, top, right, bottom = left + INSET, top + INSET, right - INSET, bottom - INSET
    across = np.stack([left, right, right, left], 1)
    return np.stack([across, np.stack([top, top, bottom, bottom], 1)], 2)
