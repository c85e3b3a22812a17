"""A secret door changes nothing in the view of the seats that do not know of it."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from enfilade.play.view import view
from enfilade.scene.model import SPECTATOR, Grid, Scene, Wall

TOOL = Path(__file__).parents[4] / "plugin_manifest/scripts/core/draw/wall-edits.js"
SCRIPT = f"""
import {{ createInterface }} from "node:readline";
import {{ drawnWalls }} from {json.dumps(TOOL.as_uri())};
for await (const line of createInterface({{ input: process.stdin }})) {{
  const cases = JSON.parse(line);
  console.log(JSON.stringify(cases.map(({{ scene, tool, points }}) => drawnWalls(scene, tool, points))));
}}
"""
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")


@pytest.fixture(scope="module")
def wall_tool():
    """The board's wall tool, as a process that answers a line for each line."""
    command = ["node", "--input-type=module", "-e", SCRIPT]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process


@pytest.fixture
def drawn(wall_tool):
    """Return the changes that the board's wall tool makes of (scene, tool, points)."""

    def ask(cases):
        sent = [
            {"scene": msgspec.to_builtins(s), "tool": tool, "points": points} for s, tool, points in cases
        ]
        wall_tool.stdin.write(json.dumps(sent) + "\n")
        wall_tool.stdin.flush()
        return json.loads(wall_tool.stdout.readline())

    return ask


@pytest.fixture
def after(drawn):
    """Return the scene after gestures of the board's tools, one after the other."""

    def draw(start, *gestures):
        for tool, points in gestures:
            ((change),) = drawn([(start, tool, points)])
            start = edited(start, change)
        return start

    return draw


def edited(scene, change):
    """The scene after a change of the map, as the table applies it."""
    new = {wall["id"]: msgspec.convert(wall, Wall) for wall in change["walls"]}
    kept = [new.pop(wall.id, wall) for wall in scene.walls if wall.id not in change["remove"]]
    return replace(scene, walls=(*kept, *new.values()))


def scene(*walls):
    return Scene(ruleset="any", grid=Grid("square", 30, 30), walls=walls)


def seen(one):
    return view(one, SPECTATOR).walls


def random_case(chance):
    """A wall with another that goes on from it, and a door somewhere in the first, in either direction."""
    x, y, dx, dy = (
        chance.randrange(200, 900),
        chance.randrange(200, 900),
        *chance.choice([(64, 0), (0, 64), (64, 64), (64, -32)]),
    )
    cells = chance.randrange(1, 8)
    end = (x + dx * cells, y + dy * cells)
    walls = [
        Wall(id="w1", line=(x, y, *end)),
        Wall(id="w2", line=(*end, end[0] + dx, end[1] + dy)),
        Wall(id="w3", line=(0, 0, 64, 0)),
    ]
    chance.shuffle(walls)
    first = chance.randrange(cells)
    last = chance.randrange(first + 1, cells + 1)
    door = [[x + dx * first, y + dy * first], [x + dx * last, y + dy * last]]
    return scene(*walls), "secret", door if chance.random() < 0.5 else door[::-1]


@needs_node
def test_a_secret_door_drawn_with_the_boards_tool_changes_nothing_for_the_players(drawn):
    chance = random.Random(4)
    cases = [random_case(chance) for _ in range(300)]
    later = [edited(case[0], change) for case, change in zip(cases, drawn(cases), strict=True)]
    for (before, _, points), one in zip(cases, later, strict=True):
        assert any(wall.door == "secret" for wall in one.walls)
        assert seen(one) == seen(before), points
    again = [(one, "secret", case[2]) for one, case in zip(later, cases, strict=True)]
    assert len(drawn(again)) == len(again)


@needs_node
def test_a_secret_door_in_the_open_is_like_a_wall_that_was_drawn_there(drawn):
    points = [[64, 64], [128, 64]]
    changes = drawn([(scene(), tool, points) for tool in ("secret", "wall")])
    door, wall = (edited(scene(), change) for change in changes)
    (hidden,), (plain,) = seen(door), seen(wall)
    assert replace(hidden, id="") == replace(plain, id="")
    assert len(hidden.id) == len(plain.id)
    assert hidden.id[:2] == plain.id[:2]


WALL = Wall(id="w1", line=(0, 0, 640, 0))


def places(one):
    """The walls that a spectator sees, without the random parts of their IDs."""
    return [(wall.line, wall.door, wall.id.split(".")[0], len(wall.id)) for wall in seen(one)]


@needs_node
@pytest.mark.parametrize("public", [(64, 128), (192, 320), (128, 576), (0, 640), (448, 640)])
def test_a_public_door_cuts_a_wall_with_secret_doors_like_a_whole_one(public, after):
    door = ("door", [[x, 0] for x in public])
    hidden = [("secret", [[x, 0] for x in ends]) for ends in ((128, 192), (384, 448), (320, 576))]
    assert places(after(scene(WALL), *hidden, door)) == places(after(scene(WALL), door))


@needs_node
def test_a_secret_door_over_several_pieces_of_a_wall_leaves_its_id(after):
    hidden = [("secret", [[x, 0] for x in ends]) for ends in ((0, 64), (448, 192), (0, 640))]
    assert seen(after(scene(WALL), *hidden)) == (WALL,)


@needs_node
def test_a_secret_door_over_two_walls_lies_in_both(after):
    walls = (WALL, Wall(id="w2", line=(640, 0, 1280, 0)))
    cut = after(scene(*walls), ("secret", [[576, 0], [704, 0]]))
    assert len([wall for wall in cut.walls if wall.door == "secret"]) == 2
    assert seen(cut) == walls


@needs_node
def test_a_secret_door_that_is_opened_leaves_the_other_one_in_its_wall_unknown(after):
    one = after(scene(WALL), ("secret", [[128, 0], [192, 0]]))
    two = after(one, ("secret", [[320, 0], [384, 0]]))

    def opened(given):
        walls = [replace(w, state="open") if w.line == (128, 0, 192, 0) else w for w in given.walls]
        return replace(given, walls=tuple(walls))

    assert places(opened(two)) == places(opened(one))


def test_walls_are_by_their_place_for_the_players_whenever_they_were_drawn():
    walls = Wall(id="w1", line=(64, 0, 64, 64)), Wall(id="w2", line=(0, 0, 64, 0))
    assert seen(scene(*walls)) == walls[::-1]
    in_place = scene(*walls[::-1])
    assert view(in_place, SPECTATOR) is in_place


def test_tables_with_counted_ids_show_the_door_as_a_part_of_its_wall():
    cut = scene(
        Wall(id="d1", line=(128, 0, 192, 0), door="secret"),
        Wall(id="w2", line=(0, 0, 128, 0)),
        Wall(id="w3", line=(192, 0, 640, 0)),
        Wall(id="w4", line=(640, 0, 640, 64)),
    )
    assert [(wall.id, wall.line) for wall in seen(cut)] == [("w2", (0, 0, 640, 0)), ("w4", (640, 0, 640, 64))]
    alone = scene(Wall(id="w1", line=(0, 64, 64, 64)), Wall(id="d1", line=(128, 0, 192, 0), door="secret"))
    assert [wall.id for wall in seen(alone)] == ["w1", "w2"]


def test_a_door_that_stands_open_is_seen_with_the_pieces_of_its_wall():
    pieces = (
        Wall(id="w1", line=(0, 0, 128, 0)),
        Wall(id="w1.a", line=(128, 0, 192, 0), door="secret", state="open"),
        Wall(id="w1.b", line=(192, 0, 640, 0)),
    )
    assert seen(scene(*pieces)) == pieces
