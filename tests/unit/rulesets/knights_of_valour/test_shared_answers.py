"""Answers that are cached or found in bulk equal the plain ones, on random battlefields."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from enfilade.geometry.board.shapes import box_body
from enfilade.geometry.board.square import box
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.line_of_sight import best_sight_line
from enfilade.rules.kit.board import opaque_walls
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR, house_rules
from enfilade.rulesets.knights_of_valour.battlefield import battlefield
from enfilade.rulesets.knights_of_valour.combat.reactions import opportunists, threats
from enfilade.rulesets.knights_of_valour.move_plan import budget, plan
from enfilade.rulesets.knights_of_valour.outlook import OUTLOOK
from enfilade.rulesets.knights_of_valour.paths import Mover, Search
from enfilade.rulesets.knights_of_valour.profiles import read_creature
from enfilade.rulesets.knights_of_valour.sight import sight_line
from enfilade.scene.model import Wall
from tests.seeds import seeds
from tests.unit.rulesets.knights_of_valour.scenes import (
    hero,
    in_round,
    monster,
    patch,
    scene,
    with_condition,
    with_token,
    with_tracks,
)

COLUMNS, ROWS = 12, 10
CELLS = [(x, y) for x in range(COLUMNS) for y in range(ROWS)]
HANDS = (["Sword", "Dagger"], ["Spear", "Throwing spear"], ["Long bow"], ["Staff"], [], ["Club"])
RULES = (
    house_rules.MAP,
    house_rules.FIVE_MEANS,
    house_rules.DIAGONALS,
    house_rules.DIFFICULT_DIAGONALS,
    house_rules.FREE_ATTACKS,
    house_rules.FREE_ATTACK_WEAPON,
    house_rules.CREATURES_BLOCK,
    house_rules.SIGHT_LINE,
)


def random_board(chance, **rules):
    """Build a battle before a round or in one, with creatures that have acted or are out."""
    terrain = [
        patch("raised", *chance.sample(CELLS, 12), height=chance.randrange(1, 9)),
        patch("hedge", *chance.sample(CELLS, 10), blocks_sight=True),
        patch("", *chance.sample(CELLS, 8), cost=2),
    ]
    walls = [random_wall(chance, number) for number in range(chance.randrange(8))]
    places = chance.sample(CELLS, 9)
    tokens = [
        (hero if number < 4 else monster)(
            f"c{number}", at, hands=chance.choice(HANDS), strength=chance.randrange(-3, 4)
        )
        for number, at in enumerate(places)
    ]
    chosen = {rule.key.split(".")[1]: chance.choice(rule.options) for rule in RULES} | rules
    board = scene(*tokens, terrain=terrain, walls=walls, house_rules=chosen, size=(COLUMNS, ROWS))
    if chance.randrange(4):
        board = in_round(board, *chance.sample([token.id for token in tokens], 9))
    for token in board.tokens:
        match chance.randrange(12):
            case 0:
                board = with_token(board, token.id, at=None, conditions={"out": ""})
            case 1:
                board = with_tracks(board, token.id, combat_actions_used=1)
            case 2:
                board = with_condition(board, token.id, "provoked", chance.choice(tokens).id)
            case 3:
                board = with_condition(board, token.id, "free attack")
            case 4:
                board = with_token(board, token.id, at=chance.choice([None, (COLUMNS, 2)]))
    return board


def random_wall(chance, number):
    x, y = chance.randrange(1, COLUMNS), chance.randrange(1, ROWS)
    across, down = chance.choice([(0, 64), (64, 0), (0, 192), (192, 0)])
    state, door = chance.choice(["open", "closed"]), chance.choice(["none", "none", "door"])
    return Wall(
        id=f"w{number}", line=(64 * x, 64 * y, 64 * x + across, 64 * y + down), door=door, state=state
    )


@pytest.mark.parametrize("seed", seeds(60))
def test_the_attacks_of_a_creature_are_its_legal_offers(seed):
    board = random_board(random.Random(seed))
    for token in board.tokens:
        for now in (board, OUTLOOK.ready(board, (token.id,))):
            one = now.token(token.id)
            offered = [offer.act for offer in KNIGHTS_OF_VALOUR.offers(now, one) if offer.is_legal]
            for target in now.tokens:
                expected = [act for act in offered if act.target == target.id]
                assert list(OUTLOOK.attacks(now, one, target)) == expected


@pytest.mark.parametrize("seed", seeds(30))
def test_threats_are_the_opportunists_of_each_step(seed):
    board = random_board(random.Random(seed))
    for token in board.on_board():
        creature, found = read_creature(token), threats(board, token.id)
        for x, y in CELLS:
            for end in ((x + 1, y), (x, y - 1), (x + 1, y + 1), (x + 2, y)):
                expected = {one.id for one in opportunists(board, creature, (x, y), end)}
                assert found.provoked((x, y), end) == expected


@pytest.mark.parametrize("seed", seeds(30))
def test_a_move_takes_the_safe_path_if_it_costs_no_more(seed):
    board = random_board(random.Random(seed), map=True)
    for token in board.on_board():
        board = in_round(board, token.id)
        creature, mover = read_creature(board.token(token.id)), Mover(board, read_creature(token))
        if token.has("out") or token.at not in mover.battle.board:
            continue
        feet = budget(board, creature)
        search = Search(mover, token.at, feet)
        safe = Search(mover, token.at, feet, threats(board, token.id))
        for cell, cost in search.costs().items():
            expected = safe if safe.cost(cell) == cost else search
            assert plan(board, creature.token, (cell,)).path == expected.path(cell)


@pytest.mark.parametrize("seed", seeds(20))
def test_lines_equal_those_of_the_walls_terrain_and_creatures_of_now(seed):
    chance = random.Random(seed)
    board = random_board(chance, creatures_block=chance.choice([True, False]), sight_line="center to center")
    for _ in range(6):
        walls = tuple(replace(wall, state=chance.choice(["open", "closed"])) for wall in board.walls)
        board = with_token(replace(board, walls=walls), "c1", at=chance.choice(CELLS), conditions={})
        battle = battlefield(board)
        for one, other in ((battle.units[0], each) for each in battle.units[1:]):
            start, end = one.token.at, other.token.at
            if start is None or end is None or start not in battle.board or end not in battle.board:
                assert sight_line(board, one, other) is None
                continue
            line, stop = best_sight_line(
                [battle.board.center(start)],
                [battle.board.center(end)],
                Blockers(opaque_walls(board.walls), bodies=bodies_between(board, one, other)),
            )
            found = sight_line(board, one, other)
            assert found.segment == line
            assert (found.blocker is None, found.at) == (stop is None, stop and stop.at)


def bodies_between(board, one, other):
    cells = [cell for ground in board.terrain if ground.blocks_sight for cell in ground.cells]
    if board.house_rules["knights_of_valour.creatures_block"]:
        between = [each for each in battlefield(board).units if each.id not in (one.id, other.id)]
        cells += [each.token.at for each in between if each.token.at is not None]
    return [box_body(box(cell)) for cell in cells]


def test_a_creature_between_is_named_as_it_is_called_now():
    board = scene(
        hero("ann", (1, 1)), hero("bo", (3, 1)), monster("orc", (5, 1)), house_rules={"creatures_block": True}
    )
    ann, orc = (read_creature(board.token(name)) for name in ("ann", "orc"))
    assert sight_line(board, ann, orc).blocker.name == "Bo"
    renamed = with_token(board, "bo", name="Bors")
    assert sight_line(renamed, ann, orc).blocker.name == "Bors"
    assert sight_line(with_token(board, "bo", at=(3, 4)), ann, orc).blocker is None
