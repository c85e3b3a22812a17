"""Maps without cells: squared ones whose cells are not used, and Foundry's own, to a 64th of a grid size."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from tests.unit.importers.maps import foundry, points, read, universal_vtt

from enfilade.cli.main import main
from enfilade.errors import BadFile
from enfilade.importers import without_cells
from enfilade.scene.model import Grid


def token(x, y, width=1, height=1, **more):
    return {"_id": f"t{x}", "name": "Orc", "x": x, "y": y, "width": width, "height": height, **more}


def test_a_squared_map_is_used_without_its_cells():
    raw = universal_vtt(line_of_sight=[points((1, 1), (2.5, 1))])
    squared, free = read(raw), without_cells(read(raw))
    assert free.scene.grid == Grid(kind="gridless", columns=10, rows=8)
    assert free.scene.walls == squared.scene.walls
    assert free.notes == squared.notes
    assert without_cells(free) == free


def test_tokens_stand_at_the_centers_of_their_squares():
    raw = foundry(tokens=[token(200, 300), token(400, 100, 2, 2), token(500, 0, 1, 2), token(-900, 0)])
    squared, free = read(raw), without_cells(read(raw))
    assert [one.at for one in squared.scene.tokens] == [(2, 3), (4, 1), (5, 0), None]
    assert [one.at for one in free.scene.tokens] == [(160, 224), (320, 128), (352, 64), None]
    assert (free.scene.grid.distance, free.scene.grid.units) == (5, "ft")
    assert (free.origin, free.paths) == (squared.origin, {})


def test_hexes_cannot_be_left_out():
    raw = foundry(grid={"type": 2, "size": 100, "distance": 5, "units": "ft"})
    with pytest.raises(BadFile, match="Only a squared map"):
        without_cells(read(raw))


def test_a_foundry_scene_without_a_grid_keeps_its_units_and_the_centers_of_its_tokens():
    grid = {"type": 0, "size": 80, "distance": 2, "units": "in"}
    raw = foundry(grid=grid, tokens=[token(101, 57), token(300, 57, 1.5, 1.5), token(333, 57, 0.5, 0.5)])
    scene = read(raw).scene
    assert (scene.grid.kind, scene.grid.distance, scene.grid.units) == ("gridless", 2, "in")
    assert [one.at for one in scene.tokens] == [
        (round((x + 40 * size) * 64 / 80), round((57 + 40 * size) * 64 / 80))
        for x, size in ((101, 1), (300, 1.5), (333, 0.5))
    ]


def test_the_shell_imports_a_map_without_its_cells(tmp_path):
    file = tmp_path / "yard.uvtt"
    file.write_text(json.dumps(universal_vtt()))
    found = CliRunner().invoke(main, ["import", str(file), "--gridless", "--ruleset", "miniatures_combat"])
    scene = json.loads(found.stdout)
    assert (scene["grid"]["kind"], scene["ruleset"]) == ("gridless", "miniatures_combat")
