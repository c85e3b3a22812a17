"""Foundry regions as terrain: the cells whose centers lie in them, and what they are.

A region is terrain if a behavior changes the cost of movement, or if its name says so in brackets, such as
"Hill [height 10]" or "Hedge [cover, cost 2]". Game masters draw it with Foundry's region tool.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from enfilade.errors import BadFile
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.importers.canvas import Canvas
from enfilade.importers.foundry_heights import ground_of, is_on_level, is_region_on_ground, raised_ground
from enfilade.importers.foundry_region_shapes import Outline, outlines_of
from enfilade.importers.foundry_shapes import BehaviourData, GridData, RegionData, SceneData
from enfilade.importers.imported import clean_text
from enfilade.importers.pieces import Remarks
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Terrain

CLOSED = 0
"""The cost of terrain that tokens cannot enter."""

FOR_GAME_MASTERS = 1
"""Foundry's number for a region that players never see (CONST.REGION_VISIBILITY.GAMEMASTER)."""

MAX_COST = 10
"""The highest terrain cost, in steps for one cell."""

RAISED = "raised"
"""The kind of the ground under a tile with a height."""

WORDS = re.compile(r"^(?P<name>.*?)\s*\[(?P<words>[^\[\]]{1,100})\]\s*$", re.DOTALL)
"""A region's name with words in brackets at its end."""
NUMBER = re.compile(r"^(?P<word>cost|height)\s+(?P<number>-?\d{1,4})$")
"""A word with a number."""
KIND = re.compile(r"[a-z][a-z -]{0,39}")
"""A kind of terrain, which the ruleset may know."""


class RegionTerrain(NamedTuple):
    """The terrain that a region describes: see `Terrain`."""

    region: RegionData
    outlines: list[Outline]
    name: str
    cost: int
    kind: str = ""
    height: int = 0
    blocks_sight: bool = False


Covered = tuple[RegionTerrain, set[Cell]]
"""A region with the cells that it covers, at least one."""
Edge = tuple[float, float, float, float]
"""A side of an outline in cells, along and across the rows of cells; the lesser end across comes first."""


def read_terrain(scene: SceneData, canvas: Canvas, remarks: Remarks) -> tuple[Terrain, ...]:
    """Return the terrain of a scene's regions; without a grid its cells are squares. Raises BadFile."""
    found: list[RegionTerrain] = []
    corners = 0
    for region in _regions_on_ground(scene, remarks):
        ground = _read_ground(region, scene.grid, remarks)
        if ground is not None:
            found.append(ground)
            corners += sum(len(points) for outline in ground.outlines for points in outline.lines)
        if corners > limits.OUTLINE_NUMBERS:
            limit = limits.OUTLINE_NUMBERS // 2
            raise BadFile(localize("import.foundry_outline_corners", limit=limit), "regions")
    found += _raised(scene, remarks)
    return tuple(_rasterize(found, canvas))


def _raised(scene: SceneData, remarks: Remarks) -> list[RegionTerrain]:
    """Return the ground under tiles with a height, as if it were regions; a remark counts them."""
    found = [
        RegionTerrain(RegionData(hidden=one.is_hidden), [one.outline], one.name, 1, RAISED, one.height)
        for one in raised_ground(scene)
    ]
    if found:
        remarks.note(localize("import.foundry_tiles_raised", count=len(found)))
    return found


def _read_ground(region: RegionData, grid: GridData, remarks: Remarks) -> RegionTerrain | None:
    """Return the ground of a region; None if neither its behaviors nor its name make it terrain."""
    cost, name = _cost(region), clean_text(region.name or "")
    found = WORDS.match(name)
    if found is None and cost is None:
        return None
    outlines = [Outline(region.polygons)] if region.polygons else outlines_of(region, grid, remarks)
    ground = RegionTerrain(region, outlines, found["name"] if found else name, 1 if cost is None else cost)
    if found is None:
        return ground
    for word in found["words"].split(","):
        ground = _with_word(ground, word.strip().lower(), remarks)
    return ground


def _with_word(ground: RegionTerrain, word: str, remarks: Remarks) -> RegionTerrain:
    """Return the ground with what one word says; a word that says nothing is noted."""
    number = NUMBER.match(word)
    if number is not None:
        value = int(number["number"])
        if number["word"] == "height":
            return ground._replace(height=value)
        return ground._replace(cost=min(MAX_COST, max(1, value)))
    if word == "closed":
        return ground._replace(cost=CLOSED)
    if word == "blocks sight":
        return ground._replace(blocks_sight=True)
    if KIND.fullmatch(word):
        return ground._replace(kind=word)
    remarks.note(localize("import.foundry_region_word", name=ground.name, word=word))
    return ground


def _rasterize(hard: list[RegionTerrain], canvas: Canvas) -> Iterator[Terrain]:
    """Yield regions as terrain; count cells as they are made, because a short file may hold any number."""
    left = limits.TERRAIN_CELLS
    covered = []
    for ground in hard:
        cells = _cells(ground, canvas, left)
        left -= len(cells)
        if left < 0:
            raise BadFile(localize("import.foundry_terrain_cells", limit=limits.TERRAIN_CELLS), "regions")
        if cells:
            covered.append((ground, cells))
    yield from (_terrain(place, *one) for place, one in _with_ids(covered))


def _with_ids(covered: list[Covered]) -> Iterator[tuple[str, Covered]]:
    """Yield regions with their IDs; hidden ones have their own numbers, so that no gap reveals them."""
    for letter, is_hidden in (("t", False), ("h", True)):
        some = [one for one in covered if _is_hidden(one[0].region) is is_hidden]
        yield from ((f"{letter}{i}", one) for i, one in enumerate(some, 1))


def _is_hidden(region: RegionData) -> bool:
    return bool(region.hidden) or region.visibility == FOR_GAME_MASTERS


def _regions_on_ground(scene: SceneData, remarks: Remarks) -> list[RegionData]:
    """Return the regions on the board's level that reach its floor; a remark counts the others."""
    here = [
        one for one in scene.regions if is_on_level(one.levels, scene.level) and (one.polygons or one.shapes)
    ]
    ground = ground_of(scene)
    found = [region for region in here if is_region_on_ground(region, ground)]
    if len(found) < len(here):
        remarks.note(localize("import.foundry_regions_off_ground", count=len(here) - len(found)))
    return found


def _cost(region: RegionData) -> int | None:
    """Return the cost factor of a region, or None if none of its behaviors sets one."""
    costs = [cost for one in region.behaviors if not one.disabled and (cost := _cost_of(one)) is not None]
    return (CLOSED if CLOSED in costs else max(costs)) if costs else None


def _cost_of(behavior: BehaviourData) -> int | None:
    if behavior.type == "dnd5e.difficultTerrain":
        return 2
    if behavior.type != "modifyMovementCost":
        return None
    difficulties = behavior.system.get("difficulties")
    walk: Any = difficulties.get("walk", 1) if isinstance(difficulties, dict) else 1
    if walk is None:
        return CLOSED
    is_number = isinstance(walk, (int, float)) and not isinstance(walk, bool)
    return min(MAX_COST, max(1, round(walk))) if is_number and walk != 1 else None


def _terrain(place: str, ground: RegionTerrain, cells: Iterable[Cell]) -> Terrain:
    name = ground.name or localize("import.foundry_unnamed_region", number=place[1:])
    return Terrain(
        id=place,
        name=name[: limits.NAME_LETTERS],
        cells=tuple(sorted(cells)),
        cost=ground.cost,
        blocks_sight=ground.blocks_sight,
        kind=ground.kind,
        height=ground.height,
        hidden=_is_hidden(ground.region),
    )


def _cells(ground: RegionTerrain, canvas: Canvas, most: int) -> set[Cell]:
    """Return the cells whose centers lie in a region, or some more than `most` if there are more."""
    cells: set[Cell] = set()
    for outline in ground.outlines:
        inside = _cells_inside(outline.lines, canvas)
        if outline.is_hole:
            cells.difference_update(inside)
        else:
            cells.update(islice(inside, most + 1))
    return cells


def _cells_inside(lines_of_area: list[list[float]], canvas: Canvas) -> Iterator[Cell]:
    """Yield the cells whose centers lie inside an odd number of lines, so that holes stay holes."""
    is_turned = canvas.kind.endswith("_q")  # columns of flat hexes are straight, their rows are not
    edges = sorted(_edges(lines_of_area, canvas, is_turned), key=lambda edge: edge[1])
    lines, places = (canvas.columns, canvas.rows) if is_turned else (canvas.rows, canvas.columns)
    for line in range(lines):
        checkpoint()
        first = canvas.middle((line, 0) if is_turned else (0, line))
        along, across = first[::-1] if is_turned else first
        for place in _inside(edges, along, across, places):
            yield (line, place) if is_turned else (place, line)


def _edges(outlines: list[list[float]], canvas: Canvas, is_turned: bool) -> Iterator[Edge]:
    for points in outlines:
        spots = [canvas.spot(x, y) for x, y in zip(points[::2], points[1::2], strict=False)]
        ends = [(float(y), float(x)) if is_turned else (float(x), float(y)) for x, y in spots]
        for a, b in zip(ends, ends[1:] + ends[:1], strict=True):
            yield (*a, *b) if a[1] <= b[1] else (*b, *a)


def _inside(edges: list[Edge], along: float, across: float, places: int) -> Iterator[int]:
    """Yield the indexes of the cells of one row that lie inside; `along` is the center of the first."""
    reached = edges[: bisect_left(edges, across, key=lambda edge: edge[1])]
    crossings = sorted(
        x1 + (across - y1) / (y2 - y1) * (x2 - x1) for x1, y1, x2, y2 in reached if across <= y2
    )
    for start, end in zip(crossings[::2], crossings[1::2], strict=False):
        yield from range(max(0, _ceil(start - along)), min(places, _ceil(end - along)))


def _ceil(value: float) -> int:
    return -int(-value // 1)
