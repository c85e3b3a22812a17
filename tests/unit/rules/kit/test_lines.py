"""Lines of sight are worked out once for a map and for their ends."""

from __future__ import annotations

from enfilade.geometry.board.square import center
from enfilade.rules.kit import best_line, blockers_of, hiding_terrain
from enfilade.scene.model import Terrain, Wall

WOOD = Terrain("wood", "Wood", ((2, 0),), blocks_sight=True)
RIVER = Terrain("river", "River", ((2, 1),), cost=2)
DOOR = Wall(id="door", line=(64, 0, 64, 64), door="door")
ENDS = (center((0, 0)),), (center((4, 0)),)


def test_a_line_names_the_terrain_that_stops_it():
    terrain = (RIVER, WOOD)
    found = best_line(blockers_of((), hiding_terrain(terrain)), *ENDS)
    assert hiding_terrain(terrain).blockers[found.obstruction.body].id == "wood"
    below = (center((0, 1)),), (center((4, 1)),)
    assert best_line(blockers_of((), hiding_terrain(terrain)), *below).obstruction is None


def test_an_opened_door_changes_the_line():
    hiding = hiding_terrain(())
    closed, opened = (DOOR,), (Wall(id="door", line=DOOR.line, door="door", state="open"),)
    assert best_line(blockers_of(closed, hiding), *ENDS).obstruction.wall == 0
    assert best_line(blockers_of(opened, hiding), *ENDS).obstruction is None


def test_a_map_has_one_set_of_blockers_and_one_line_between_two_places():
    walls, terrain = (DOOR,), (WOOD,)
    blockers = blockers_of(walls, hiding_terrain(terrain))
    assert blockers_of(walls, hiding_terrain(terrain)) is blockers
    assert best_line(blockers, *ENDS) is best_line(blockers, *ENDS)
    assert blockers_of((*walls, DOOR), hiding_terrain(terrain)) is not blockers
