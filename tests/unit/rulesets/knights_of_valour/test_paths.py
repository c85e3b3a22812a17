"""The tables of legs give the same paths as a plain search that reads the map at each step."""

from __future__ import annotations

import itertools
import random

import pytest

from enfilade.geometry.board.mask import Mask
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR, movement, movement_costs, paths
from enfilade.rulesets.knights_of_valour.battlefield import battlefield, distance, mask_within
from enfilade.rulesets.knights_of_valour.combat.reactions import opportunists, threats
from enfilade.rulesets.knights_of_valour.house_rules import DIAGONALS, DIFFICULT_DIAGONALS
from enfilade.rulesets.knights_of_valour.movement_costs import ends_of_any, leads_to, reach_costs, squares_to
from enfilade.rulesets.knights_of_valour.paths import Mover, Search, diagonals_of
from enfilade.rulesets.knights_of_valour.profiles import read_creature
from enfilade.rulesets.knights_of_valour.sub_actions import Leg, SubAction
from enfilade.scene.model import Wall
from tests.seeds import seeds
from tests.unit.rulesets.knights_of_valour.plain_paths import PlainSearch
from tests.unit.rulesets.knights_of_valour.scenes import hero, monster, patch, scene

COLUMNS, ROWS = 14, 11


def random_board(chance, diagonals):
    """Build a board with all kinds of terrain, walls, doors and creatures; Aldis is on it."""
    cells = [(x, y) for x in range(COLUMNS) for y in range(ROWS)]

    def some(most):
        return chance.sample(cells, chance.randrange(most))

    terrain = [
        patch("obstacle", *some(12), height=chance.randrange(1, 10)),
        patch("raised", *some(25), height=chance.randrange(1, 12)),
        patch("raised", *some(15), height=chance.randrange(1, 6), cost=2),
        patch("cliff", *some(10), height=chance.randrange(1, 9)),
        patch("gap", *some(25)),
        patch("", *some(20), cost=2),
        patch("", *some(8), cost=0),
    ]
    walls = [random_wall(chance, number) for number in range(chance.randrange(12))]
    sheet = {"size": chance.choice(["short", "average", "tall"]), "height": chance.choice([0, 0, 3, 11])}
    places = chance.sample(cells, 8)
    tokens = [hero("aldis", places[0], **sheet)]
    tokens += [hero(f"ally{i}", at) for i, at in enumerate(places[1:4])]
    tokens += [monster(f"enemy{i}", at) for i, at in enumerate(places[4:])]
    rules = {
        "diagonals": diagonals,
        "pass_allies": chance.random() < 0.7,
        "descent": chance.choice(["whole distance", "distance beyond own height"]),
        "five_means": chance.choice(["feet", "feet", "inches"]),
        "difficult_diagonals": chance.choice(DIFFICULT_DIAGONALS.options),
    }
    return scene(*tokens, terrain=terrain, walls=walls, house_rules=rules, size=(COLUMNS, ROWS))


def random_wall(chance, number):
    x, y, length = chance.randrange(COLUMNS), chance.randrange(ROWS), chance.randrange(1, 5)
    line = (x, y, x + length, y) if chance.random() < 0.5 else (x, y, x, y + length)
    sides = chance.choice(["both", "both", "left"])
    return Wall(id=f"w{number}", line=tuple(64 * value for value in line), one_way=sides)


@pytest.mark.parametrize("diagonals", DIAGONALS.options)
@pytest.mark.parametrize("seed", seeds(20))
def test_each_path_is_that_of_a_plain_search(diagonals, seed):
    chance = random.Random(f"{seed} {diagonals}")
    board = random_board(chance, diagonals)
    creature = read_creature(board.token("aldis"))
    at, budget = creature.token.at, chance.choice([chance.randrange(70), 30, 20_000])
    search, plain = Search(Mover(board, creature), at, budget), PlainSearch(board, creature, at, budget)
    assert_equal(search, plain)

    def is_safe(start, end):
        return not opportunists(board, creature, start, end)

    safe = Search(Mover(board, creature), at, budget, threats(board, creature.id))
    assert_equal(safe, PlainSearch(board, creature, at, budget, is_safe))


@pytest.mark.parametrize("diagonals", DIAGONALS.options)
@pytest.mark.parametrize("seed", seeds(40))
def test_the_graph_of_a_map_costs_what_the_paths_cost(diagonals, seed):
    chance = random.Random(f"graph {seed} {diagonals}")
    board = random_board(chance, diagonals)
    for token in board.tokens:
        creature, feet = read_creature(token), chance.choice([chance.randrange(70), 30, 20_000])
        costs = Search(Mover(board, creature), token.at, feet).costs()
        assert reach_costs(board, creature, feet) == costs
        assert set(ends_of_any(board, [(creature, feet)])) - {token.at} == set(costs) - {token.at}


@pytest.mark.parametrize("diagonals", DIAGONALS.options)
@pytest.mark.parametrize("seed", seeds(10))
def test_masks_of_reach_and_range_agree_with_each_square(diagonals, seed):
    chance = random.Random(f"masks {seed} {diagonals}")
    battle = battlefield(random_board(chance, diagonals))
    places = chance.sample([(x, y) for x in range(COLUMNS) for y in range(ROWS)], 6)
    reached = {cell for at in places for cell in battle.reach_from(at)}
    assert set(battle.reach_from_any(Mask.of(places, ROWS))) == reached
    for at in places:
        feet = chance.randrange(0, 90)
        assert set(mask_within(battle.landscape, battle.board, at, feet)) == cells_within(battle, at, feet)
    pairs = itertools.combinations(battle.units, 2)
    engaged = [(a, b) for a, b in pairs if a in battle.engaged(b) or b in battle.engaged(a)]
    assert battle.engaged_pairs() == engaged


def cells_within(battle, at, feet):
    """The squares of the board within some feet of a square, each looked at by itself."""
    board = battle.board
    cells = itertools.product(range(board.columns), range(board.rows))
    return {cell for cell in cells if cell != at and distance(battle.landscape, board, at, cell) <= feet}


@pytest.mark.parametrize("feet", [0, 5, 10, 15, 25, 29])
def test_from_a_tower_higher_than_the_range_only_its_own_height_is_within(feet):
    tower = patch("raised", (5, 5), (6, 5), (7, 6), (9, 5), (15, 5), height=30)
    battle = battlefield(scene(terrain=[tower, patch("raised", (5, 6), height=20)]))
    within = mask_within(battle.landscape, battle.board, (5, 5), feet)
    assert set(within) == cells_within(battle, (5, 5), feet)
    assert ((6, 5) in within, (9, 5) in within, (5, 6) in within) == (feet >= 5, feet >= 20, feet >= 10)


def test_from_a_tower_as_high_as_the_range_the_ground_is_within():
    battle = battlefield(
        scene(terrain=[patch("raised", (5, 5), height=30), patch("raised", (5, 6), height=60)])
    )
    within = mask_within(battle.landscape, battle.board, (5, 5), 30)
    assert set(within) == cells_within(battle, (5, 5), 30)
    assert {(6, 5), (5, 6)} <= set(within)


def test_a_map_of_very_many_heights_is_searched_path_by_path(monkeypatch):
    monkeypatch.setattr(movement_costs, "MOST_SPECIAL", 0)
    board = random_board(random.Random(3), DIAGONALS.options[1])
    creature = read_creature(board.token("aldis"))
    costs = Search(Mover(board, creature), creature.token.at, 40).costs()
    assert reach_costs(board, creature, 40) == costs
    own = {creature.token.at}
    assert set(ends_of_any(board, [(creature, 40)])) - own == set(costs) - own


@pytest.mark.parametrize("seed", seeds(12))
def test_a_path_that_is_too_far_costs_what_a_search_among_all_squares_finds(seed):
    board = random_board(random.Random(seed), DIAGONALS.default)
    creature = read_creature(board.token("aldis"))
    mover, at = Mover(board, creature), creature.token.at
    every = Search(mover, at, paths.UNLIMITED)
    for cell in itertools.product(range(COLUMNS), range(ROWS)):
        assert leads_to(board, creature, cell) in (None, cell == at or every.cost(cell) is not None)
        squares = squares_to(board, creature, cell)
        if squares:
            found = paths.route(mover, squares, at, 0)
            assert sum(leg.cost for leg in found) == every.cost(cell), (cell, squares)


def test_a_way_that_walls_and_doors_bar_is_refused_after_one_search_of_paths(monkeypatch):
    # Each obstacle was left out in turn for a search of its own: up to 26, 1.9 s on 120 by 120 squares.
    ring = [(96, 96, 160, 96), (160, 96, 160, 160), (160, 160, 96, 160), (96, 160, 96, 96)]
    walls = [Wall(id=f"w{place}", line=tuple(4 * x for x in line)) for place, line in enumerate(ring)]
    walls[0] = Wall(id="door", line=walls[0].line, door="door")
    rock = patch("", (1, 1), cost=0)
    others = [monster(f"orc{place}", (14, place)) for place in range(6)]
    board = scene(hero("aldis", (0, 0)), *others, walls=walls, terrain=[rock], house_rules={"movement": 20})
    runs = []

    def counted(*arguments, **named):
        runs.append(1)
        return Search(*arguments, **named)

    for module in (movement, paths):
        monkeypatch.setattr(module, "Search", counted)
    for at, reason in (((7, 7), "A closed door bars"), ((15, 11), "The path costs 80 feet")):
        runs.clear()
        found = KNIGHTS_OF_VALOUR.judge(board, board.token("aldis"), (at,), None)
        assert found.reasons[0].startswith(reason)
        assert len(runs) <= 1


def assert_equal(search, plain):
    ends = plain.ends()
    assert search.costs() == {cell: cost for cell, (cost, _) in ends.items()}
    assert search.cost((COLUMNS, ROWS)) is None
    for cell, (cost, path) in ends.items():
        assert search.cost(cell) == cost
        found = search.path(cell)
        assert tuple((leg.end, leg.parts) for leg in found) == path
        assert [leg.start for leg in found] == [search.mover.creature.token.at, *(end for end, _ in path)][
            :-1
        ]


@pytest.mark.parametrize(
    ("how", "end", "count"),
    [("leap", (5, 5), 2), ("vault", (5, 5), 1), ("vault", (4, 4), 1), ("vault", (6, 6), 2)],
)
def test_a_vault_counts_one_diagonal_less_than_it_is_long_and_a_leap_all(how, end, count):
    assert diagonals_of(Leg((3, 3), end, (SubAction(how, 5),))) == count
