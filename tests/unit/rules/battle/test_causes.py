"""The cause of a barred way: the first obstacle, alone or with others, without which it leads there."""

from __future__ import annotations

import pytest

from enfilade.errors import IllegalAct
from enfilade.rules.battle import causes
from enfilade.scene.model import Grid, Scene, Side, Terrain, Token, Wall

MOVER = Token(id="ann", name="Ann", side="a", at=(0, 0))
ORC = Token(id="orc", name="Orc", side="b", at=(2, 0))
WALL = Wall(id="w", line=(64, 0, 64, 640))
DOOR = Wall(id="d", line=(64, 0, 64, 640), door="door")
CLOSED = Terrain(id="c", name="Rocks", cells=((2, 0),), cost=0)
GAP = Terrain(id="g", name="Gap", cells=((3, 0),), kind="gap")
FAR = IllegalAct("Too far.", "XYZ-009", "distance")


def scene(*, walls=(), terrain=(), others=()):
    sides = (Side(id="a", name="A"), Side(id="b", name="B"))
    tokens = (MOVER, *others)
    grid = Grid("square", 10, 10)
    return Scene(ruleset="x", name="X", grid=grid, sides=sides, walls=walls, terrain=terrain, tokens=tokens)


def barred(board, leads_there):
    found = causes.barred(board, MOVER, leads_there, "XYZ-001", FAR, {"wall": "XYZ-002"})
    return found.cause, found.rule, found.sentence


def is_open(board):
    return not board.walls and not board.terrain and len(board.tokens) == 1


@pytest.mark.parametrize(
    ("board", "found"),
    [
        (scene(walls=(WALL,)), ("wall", "XYZ-002", "A wall bars Ann's way there.")),
        (scene(walls=(DOOR,)), ("wall", "XYZ-002", "A closed door bars Ann's way there.")),
        (scene(terrain=(CLOSED,)), ("closed", "XYZ-001", "Closed terrain bars Ann's way there.")),
        (scene(terrain=(GAP,)), ("ground", "XYZ-001", "The ground bars Ann's way there.")),
        (scene(others=(ORC,)), ("occupied", "XYZ-001", "Orc stands in Ann's way there.")),
        (scene(walls=(WALL, DOOR), others=(ORC,)), ("wall", "XYZ-002", "A wall bars Ann's way there.")),
        (scene(terrain=(GAP,), others=(ORC,)), ("ground", "XYZ-001", "The ground bars Ann's way there.")),
    ],
)
def test_the_first_obstacle_without_which_the_way_leads_there_is_the_cause(board, found):
    assert barred(board, is_open) == found


def test_of_two_walls_a_door_that_bars_alone_is_named():
    board = scene(walls=(WALL, DOOR))
    cause, _, sentence = barred(board, lambda less: DOOR not in less.walls)
    assert (cause, sentence) == ("wall", "A closed door bars Ann's way there.")


def test_a_place_that_nothing_bars_is_too_far():
    board = scene(walls=(WALL,), terrain=(CLOSED,), others=(ORC,))
    assert barred(board, lambda _: False) == ("distance", "XYZ-009", "Too far.")


def test_several_that_bar_a_way_together_are_named_as_others():
    pair = (ORC, Token(id="gob", name="Gob", side="b", at=(3, 3)))
    assert barred(scene(others=pair), is_open)[2] == "Others stand in Ann's way there."


def test_a_ruling_has_a_cause_for_each_reason_with_its_rule():
    ruling = causes.ruling((FAR, causes.occupied("Orc", "XYZ-003")), None, 6)
    assert not ruling.allowed
    assert ruling.causes == ("distance", "occupied")
    assert ruling.reasons == ("Too far. (XYZ-009)", "Orc stands there. (XYZ-003)")
    assert causes.ruling((), 2, 6).allowed
