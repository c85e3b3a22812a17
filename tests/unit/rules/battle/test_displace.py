"""Forced moves over cells: walls, closed ground, the edge and other bodies end them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import enfilade
from enfilade.geometry.board.footprint import ONE_CELL, block
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.square import Diagonals, SquareBoard
from enfilade.rules.battle.battle import Battle, BattleRules, Unit
from enfilade.rules.battle.displace import Landing, displace, grid_way, straight_cells
from enfilade.rules.battle.ground import footing_of, ground_of
from enfilade.rules.battle.laws import Ban, Laws
from enfilade.rules.procedures import Outcome
from enfilade.rules.resolve import Answers, resolve
from enfilade.scene.model import Grid, Scene, Side, Terrain, Token, Wall

SERVER = Path(enfilade.__file__).parent
BOARDS = {
    "squares": SquareBoard(12, 12, Diagonals.EQUIDISTANT),
    "pointy hexes": HexBoard(12, 12, "odd_r"),
    "flat hexes": HexBoard(12, 12, "even_q"),
}
RULES = BattleRules(
    read=lambda token: Unit(token, None),
    footprint=lambda one: block(*one.token.size) if one.token.size != (1, 1) else ONE_CELL,
)


def battle(scene):
    return Battle(RULES, scene)


def scene(*tokens, walls=(), terrain=(), grid="square"):
    sides = (Side(id="a", name="A"), Side(id="b", name="B"))
    return Scene(
        ruleset="first_blood",
        grid=Grid(grid, 12, 12),
        tokens=tokens,
        sides=sides,
        walls=tuple(walls),
        terrain=tuple(terrain),
    )


def token(key, at, size=(1, 1)):
    return Token(id=key, name=key, side="a", at=at, size=size, facing=90)


def pushed(board, key, to, **more):
    """Return the scene after a forced move, its stop, and the number of its events."""
    found = []

    def procedure(scene):
        found.append((yield from displace(scene, key, to, "push", battle, **more)))
        return Outcome("pushed")

    done = resolve(board, procedure, (), Answers())
    return done.scene, found[0][1], len(done.events)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_a_straight_way_is_a_chain_of_adjacent_cells_to_its_end(board):
    for end in [(x, y) for x in range(-3, 12, 2) for y in range(-3, 12)]:
        cells = straight_cells(board, (5, 4), end)
        assert cells[-1:] == ([end] if end != (5, 4) else [])
        for start, there in zip([(5, 4), *cells], cells, strict=False):
            assert board.distance(start, there) == 1


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_the_way_ends_at_the_edge_of_the_board_at_ground_and_at_walls(board):
    plain = footing_of(ground_of((), (), board), ONE_CELL)
    assert grid_way(plain, (5, 5), (5, 30)) == Landing((5, 11), "edge")
    assert grid_way(plain, (5, 5), (5, 9)) == Landing((5, 9))
    closed = (Terrain(id="t", name="T", kind="x", cells=((5, 8), (4, 8), (6, 8)), cost=0),)
    assert grid_way(footing_of(ground_of(closed, (), board), ONE_CELL), (5, 5), (5, 10)).by == "ground"
    wall = (Wall(id="w", line=(0, 450, 900, 450)),)
    stop = grid_way(footing_of(ground_of((), wall, board), ONE_CELL), (5, 5), (5, 10))
    assert stop.by == "wall"
    assert 5 <= stop.at[1] < 10


def test_a_large_body_stops_if_any_part_of_it_would_cross():
    board = scene(token("big", (2, 2), (2, 2)), walls=[Wall(id="w", line=(6 * 64, 3 * 64, 6 * 64, 4 * 64))])
    after, stop, _ = pushed(board, "big", (8, 2))
    assert stop == Landing((4, 2), "wall")
    assert after.token("big").at == (4, 2)
    assert after.token("big").facing == 90


def test_what_stands_at_the_end_stops_a_token_makes_room_or_sends_it_beside():
    board = scene(token("one", (2, 2)), token("two", (4, 2)))
    assert pushed(board, "one", (4, 2))[1:] == (Landing((2, 2), "body"), 0)
    shared = pushed(board, "one", (4, 2), crowd="share")[0]
    assert shared.token("one").at == shared.token("two").at == (4, 2)
    beside, stop, _ = pushed(board, "one", (4, 2), crowd="near", most=2)
    assert board.token("two").at == beside.token("two").at == (4, 2)
    assert stop.at == beside.token("one").at == (5, 1)
    room = pushed(board, "one", (4, 2), crowd="make room", most=2)[0]
    assert room.token("one").at == (4, 2)
    assert max(abs(4 - room.token("two").at[0]), abs(2 - room.token("two").at[1])) == 1


def test_room_is_made_on_this_side_of_a_wall():
    # Around (4, 2) only (3, 3) is left without crossing a wall.
    walls = [
        Wall(id="right", line=(5 * 64, 0, 5 * 64, 5 * 64)),
        Wall(id="up", line=(0, 2 * 64, 5 * 64, 2 * 64)),
        Wall(id="down", line=(4 * 64, 3 * 64 + 8, 5 * 64, 3 * 64 + 8)),
    ]
    board = scene(token("one", (3, 2)), token("two", (4, 2)), token("three", (3, 3)), walls=walls)
    after = pushed(board, "one", (4, 2), crowd="make room", most=1)[0]
    assert after.token("two").at == (3, 2)
    full = scene(
        token("one", (2, 2)), token("two", (4, 2)), token("x", (3, 2)), *board.tokens[2:], walls=walls
    )
    assert pushed(full, "one", (4, 2), crowd="make room", most=1)[0].token("two").at == (4, 2)


def test_a_token_off_the_board_is_not_moved_and_a_law_may_forbid_it():
    board = scene(token("one", None), token("two", (4, 2)))
    assert pushed(board, "one", (3, 3))[2] == 0
    rooted = Laws((Ban("", ("forced",), "X-1", "kit.is_out"),))
    assert pushed(board, "two", (3, 3), laws=rooted)[1:] == (Landing((4, 2), "law"), 0)
    other = Laws((Ban("", ("carry",), "X-1", "kit.is_out"),))
    assert pushed(board, "two", (3, 3), laws=other)[1] == Landing((3, 3))


MOVERS = ("TokenMoved", "move_token")


def test_only_forced_moves_steps_and_removals_move_a_token():
    found = []
    for path in sorted(SERVER.rglob("*.py")):
        text = path.read_text()
        if not any(name in text for name in MOVERS):
            continue  # to parse all modules takes two seconds
        for node in ast.walk(ast.parse(text)):
            name = node.func if isinstance(node, ast.Call) else None
            called = getattr(name, "id", getattr(name, "attr", ""))
            if called in MOVERS:
                found.append((str(path.relative_to(SERVER)), called))
    rules = [one for one in found if one[0].startswith("rules")]
    assert rules == [
        ("rules/battle/displace.py", "move_token"),
        *[("rules/procedures.py", "move_token")] * 3,
        ("rules/procedures.py", "TokenMoved"),
    ]
