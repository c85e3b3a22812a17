"""Steps, paths and lines are shared by all scenes with the same positions, and equal plain ones."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from enfilade.geometry.board.shapes import box_body
from enfilade.geometry.board.square import box, center
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.line_of_sight import best_sight_line
from enfilade.rules.battle.battle import known_scene
from enfilade.rules.battle.ground import footing_of, ground_of
from enfilade.rules.battle.search import TIE_BITS
from enfilade.rules.kit.board import opaque_walls
from enfilade.rulesets.double_life.battlefield import FOOTPRINTS, battlefield
from enfilade.rulesets.double_life.sight import sight_line
from enfilade.scene.model import Side, Terrain, Wall
from tests.seeds import seeds
from tests.unit.rulesets.double_life.plain_steps import PlainSteps
from tests.unit.rulesets.double_life.scenes import BLUE, RED, fighter, scene, with_token

COLUMNS, ROWS = 11, 9
CELLS = [(x, y) for x in range(COLUMNS) for y in range(ROWS)]
SIDES = (BLUE, RED, Side(id="gray", name="Gray", team="wild"), Side(id="green", name="Green", team="wild"))
RACES = ("human", "gnome", "gnome", "troll")


def random_board(chance):
    """Build a board with all kinds of cases, walls and characters of each size; some share a case."""
    terrain = [
        Terrain(f"t{cost}", "Ground", tuple(chance.sample(CELLS, chance.randrange(15))), cost=cost)
        for cost in (0, 2, 3)
    ]
    walls = [random_wall(chance, number) for number in range(chance.randrange(10))]
    places = chance.sample(CELLS, 5)
    tokens = [
        fighter(f"c{number}", chance.choice(places), side=chance.choice(SIDES).id, race=chance.choice(RACES))
        for number in range(7)
    ]
    off = chance.choice(tokens[1:])
    tokens = [replace(one, conditions={"out": ""}, at=None) if one is off else one for one in tokens]
    return scene(*tokens, size=(COLUMNS, ROWS), sides=SIDES, walls=walls, terrain=terrain)


def random_wall(chance, number):
    x, y = chance.randrange(1, COLUMNS), chance.randrange(1, ROWS)
    across, down = chance.choice([(0, 64), (64, 0), (0, 192), (192, 0)])
    return Wall(
        id=f"w{number}",
        line=(64 * x, 64 * y, 64 * x + across, 64 * y + down),
        door=chance.choice(["none", "none", "door"]),
        state=chance.choice(["open", "closed"]),
    )


@pytest.mark.parametrize("seed", seeds(20))
def test_steps_and_paths_equal_plain_ones(seed):
    chance = random.Random(seed)
    board = random_board(chance)
    battle = battlefield(board)
    for one in battle.units:
        plain, walker, at = PlainSteps(board, one), battle.walker(one), one.token.at
        assert [cell for cell in CELLS if walker.can_stand(cell)] == plain.standable
        for cell in chance.sample(CELLS, 20):
            found = [(there, rank >> TIE_BITS) for there, rank in walker.steps_from(cell)]
            assert found == plain.steps(cell)
            assert battle.reach(one, cell) == plain.attackable(cell)
        for budget in (1, 4):
            search, paths = walker.search(at, budget), plain.paths(budget)
            assert list(search.costs.items()) == [(cell, cost) for cell, (cost, _) in paths.items()]
            assert {cell: search.path(cell) for cell in search.costs} == {c: p for c, (_, p) in paths.items()}
        goals = frozenset(cell for enemy in battle.enemies(one) for cell in battle.cells(enemy))
        steps = plain.steps_to(goals)
        found = walker.distances(at, 4, goals)
        nearer = {cell for cell in found if found[cell] <= found.get(at, 0)}
        assert {cell: found[cell] for cell in found} == {cell: steps[cell] for cell in found}
        assert nearer >= {cell for cell in plain.paths(4) if steps.get(cell, 99) <= steps.get(at, -1)}


@pytest.mark.parametrize("seed", seeds(10))
def test_steps_follow_each_move_and_each_death(seed):
    chance = random.Random(seed)
    board = random_board(chance)
    for _ in range(12):
        token = chance.choice(board.on_board() or [board.tokens[0]])
        board = with_token(board, token.id, at=chance.choice(CELLS))
        if not chance.randrange(4):
            board = with_token(board, token.id, at=None, conditions={"out": ""})
        battle = battlefield(board)
        for one in battle.units:
            plain = PlainSteps(board, one)
            assert list(battle.walker(one).search(one.token.at, 3).costs) == list(plain.paths(3))


def test_scenes_that_differ_in_wounds_alone_share_their_positions():
    board = scene(fighter("ann", (2, 2)), fighter("orc", (5, 5), side="red"))
    hurt = with_token(board, "orc", tracks={"health": 3}, conditions={"fallen": "1"})
    ann = battlefield(board).units[0]
    assert battlefield(hurt).walker(ann) is battlefield(board).walker(ann)
    moved = with_token(board, "orc", at=(3, 2))
    assert battlefield(moved).walker(ann) is not battlefield(board).walker(ann)
    assert not battlefield(moved).walker(ann).can_stand((3, 2))


def test_scenes_with_hidden_ground_share_what_is_known_of_it():
    marsh = Terrain("marsh", "Marsh", ((3, 3),), cost=2)
    pit = Terrain("pit", "Pit", ((4, 4),), cost=0, hidden=True)
    board = scene(fighter("ann", (2, 2)), terrain=[marsh, pit])
    known = known_scene(board, "ann")
    assert [ground.id for ground in known.terrain] == ["marsh"]
    later = known_scene(with_token(board, "ann", at=(2, 3)), "ann")
    assert battlefield(known).ground is battlefield(later).ground


def test_scenes_whose_walls_bar_the_same_steps_share_their_ground():
    def with_door(state, door="door"):
        return scene(fighter("ann", (2, 2)), walls=[Wall("d", (192, 0, 192, 256), door=door, state=state)])

    closed = battlefield(with_door("closed")).ground
    assert battlefield(with_door("open")).ground is not closed
    assert battlefield(with_door("locked")).ground is closed
    assert battlefield(with_door("closed", "none")).ground is closed


def test_a_case_beyond_the_board_is_not_remembered():
    board = scene(fighter("ann", (2, 2)))
    ground = battlefield(board).ground
    assert ground is ground_of(board.terrain, board.walls, ground.board)
    footings = [footing_of(ground, FOOTPRINTS[size]) for size in ("troll", "gnome")]
    for footing in footings:
        for far in range(100, 200):
            assert not footing.places[far, far]
            assert not footing.steps[far, far]
            assert not footing.reach[far, far]
        tables = (footing.places, footing.steps, footing.reach)
        assert not any(cell not in ground.board for table in tables for cell in table)


@pytest.mark.parametrize("seed", seeds(10))
def test_lines_equal_those_of_the_walls_and_terrain_of_now(seed):
    chance = random.Random(seed)
    board = random_board(chance)
    for _ in range(6):
        hedge = Terrain("hedge", "Hedge", tuple(chance.sample(CELLS, 20)), blocks_sight=True)
        walls = tuple(replace(wall, state=chance.choice(["open", "closed"])) for wall in board.walls)
        board = replace(board, walls=walls, terrain=chance.choice([(), (hedge,)]))
        battle = battlefield(board)
        blockers = Blockers(
            opaque_walls(board.walls),
            bodies=[box_body(box(cell)) for patch in board.terrain for cell in patch.cells],
        )
        one, *others = (character for character in battle.units if character.token.at is not None)
        eyes, *points = ([center(cell) for cell in battle.cells(each)] for each in (one, *others))
        for other, ends in zip(others, points, strict=True):
            assert sight_line(board, one, other) == best_sight_line(eyes, ends, blockers)
