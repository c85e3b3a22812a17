"""Foundry's regions that are hard to cross, as terrain: the cells whose middle lies in them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from enfilade.errors import BadFile
from enfilade.geometry.board.units import Cell
from enfilade.importers import limits
from enfilade.importers.canvas import Canvas
from enfilade.importers.foundry_shapes import BehaviourData, RegionData, SceneData
from enfilade.importers.imported import cleaned, how_many
from enfilade.scene.model import Terrain
from enfilade.time_budget import checkpoint

CLOSED = 0
"""The cost of ground that cannot be entered."""

FOR_GAME_MASTERS = 1
"""Foundry's word for a region that players are never shown (CONST.REGION_VISIBILITY.GAMEMASTER)."""

MOST_COST = 10
"""The dearest ground, in steps for one."""

Edge = tuple[float, float, float, float]
"""A side of an outline, in cells: along and across the lines of cells, its lesser end across first."""


def terrain_of(scene: SceneData, canvas: Canvas) -> tuple[tuple[Terrain, ...], list[str]]:
    """The terrain of a scene's regions, and notes on what was left out; raises BadFile."""
    if sum(len(points) for region in scene.regions for points in region.polygons) > limits.OUTLINE_NUMBERS:
        raise BadFile(f"the outlines have more than {limits.OUTLINE_NUMBERS // 2:,} corners", "regions")
    hard = [(region, cost) for region in _here(scene) if (cost := _cost(region)) is not None]
    if not hard:
        return (), []
    if canvas.kind == "gridless":
        return (), [f"{how_many(len(hard), 'region')} of hard ground left out: without a grid there is none."]
    return tuple(one for one in _laid(hard, canvas) if one.cells), []


def _laid(hard: list[tuple[RegionData, int]], canvas: Canvas) -> Iterator[Terrain]:
    """Regions as terrain, their cells counted while they are made: a short file may hold any number."""
    left = limits.TERRAIN_CELLS
    for place, region, cost in _placed(hard):
        cells = list(islice(_cells(region, canvas), left + 1))
        left -= len(cells)
        if left < 0:
            raise BadFile(f"hard ground covers more than {limits.TERRAIN_CELLS:,} cells", "regions")
        yield _terrain(place, region, cost, cells)


def _placed(hard: list[tuple[RegionData, int]]) -> Iterator[tuple[str, RegionData, int]]:
    """Regions with their ids; hidden ones are counted apart, so that no gap tells of them."""
    for letter, is_hidden in (("t", False), ("h", True)):
        some = [(region, cost) for region, cost in hard if _is_hidden(region) is is_hidden]
        yield from ((f"{letter}{i}", region, cost) for i, (region, cost) in enumerate(some, 1))


def _is_hidden(region: RegionData) -> bool:
    return bool(region.hidden) or region.visibility == FOR_GAME_MASTERS


def _here(scene: SceneData) -> Iterator[RegionData]:
    for region in scene.regions:
        if region.polygons and (scene.level is None or not region.levels or scene.level in region.levels):
            yield region


def _cost(region: RegionData) -> int | None:
    """How many times as much a step in a region costs, None where none of its behaviours says."""
    costs = [cost for one in region.behaviors if not one.disabled and (cost := _cost_of(one)) is not None]
    return (CLOSED if CLOSED in costs else max(costs)) if costs else None


def _cost_of(behaviour: BehaviourData) -> int | None:
    if behaviour.type == "dnd5e.difficultTerrain":
        return 2
    if behaviour.type != "modifyMovementCost":
        return None
    difficulties = behaviour.system.get("difficulties")
    walk: Any = difficulties.get("walk", 1) if isinstance(difficulties, dict) else 1
    if walk is None:
        return CLOSED
    is_number = isinstance(walk, (int, float)) and not isinstance(walk, bool)
    return min(MOST_COST, max(1, round(walk))) if is_number and walk != 1 else None


def _terrain(place: str, region: RegionData, cost: int, cells: Iterable[Cell]) -> Terrain:
    name = cleaned(region.name or "") or f"Region {place[1:]}"
    return Terrain(
        id=place,
        name=name[: limits.NAME_LETTERS],
        cells=tuple(sorted(cells)),
        cost=cost,
        hidden=_is_hidden(region),
    )


def _cells(region: RegionData, canvas: Canvas) -> Iterator[Cell]:
    """The cells whose middle lies within an odd number of the outlines, so that holes are holes."""
    is_turned = canvas.kind.endswith("_q")  # columns of flat hexes are straight, their rows are not
    edges = sorted(_edges(region, canvas, is_turned), key=lambda edge: edge[1])
    lines, places = (canvas.columns, canvas.rows) if is_turned else (canvas.rows, canvas.columns)
    for line in range(lines):
        checkpoint()
        first = canvas.middle((line, 0) if is_turned else (0, line))
        along, across = first[::-1] if is_turned else first
        for place in _inside(edges, along, across, places):
            yield (line, place) if is_turned else (place, line)


def _edges(region: RegionData, canvas: Canvas, is_turned: bool) -> Iterator[Edge]:
    for points in region.polygons:
        spots = [canvas.spot(x, y) for x, y in zip(points[::2], points[1::2], strict=False)]
        ends = [(float(y), float(x)) if is_turned else (float(x), float(y)) for x, y in spots]
        for a, b in zip(ends, ends[1:] + ends[:1], strict=True):
            yield (*a, *b) if a[1] <= b[1] else (*b, *a)


def _inside(edges: list[Edge], along: float, across: float, places: int) -> Iterator[int]:
    """The places of one line of cells, `along` for the first and one more for each, that lie inside."""
    reached = edges[: bisect_left(edges, across, key=lambda edge: edge[1])]
    crossings = sorted(
        x1 + (across - y1) / (y2 - y1) * (x2 - x1) for x1, y1, x2, y2 in reached if across <= y2
    )
    for start, end in zip(crossings[::2], crossings[1::2], strict=False):
        yield from range(max(0, _ceil(start - along)), min(places, _ceil(end - along)))


def _ceil(value: float) -> int:
    return -int(-value // 1)
