"""Moves through waypoints: the cheapest in the end, drawn or searched (KOV-033, KOV-034)."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from enfilade.rulesets.knights_of_valour.house_rules import DIAGONALS
from enfilade.rulesets.knights_of_valour.legs import DIAGONAL_BITS
from enfilade.rulesets.knights_of_valour.paths import UNLIMITED, Mover, Search, diagonals_of, route
from enfilade.rulesets.knights_of_valour.profiles import read_creature
from enfilade.rulesets.knights_of_valour.sub_actions import Leg, SubAction
from enfilade.scene.model import Wall
from tests.seeds import seeds
from tests.unit.rulesets.knights_of_valour.scenes import hero, in_round, judged, monster, scene
from tests.unit.rulesets.knights_of_valour.test_paths import COLUMNS, ROWS, random_board


def cheapest_through(mover, waypoint, end):
    """The feet and the diagonals of the cheapest way to a waypoint and on; None without one."""
    first, ranks = Search(mover, mover.creature.token.at, UNLIMITED), []
    for is_odd in (False, True):
        node = mover.table.node(waypoint, is_odd)
        on = Search(mover, node, UNLIMITED)
        with suppress(KeyError):  # no path leads to the node, or from there
            ranks.append(first.rank(node) + on.rank(on.nodes[end]))
    return divmod(min(ranks), 1 << DIAGONAL_BITS) if ranks else None


@pytest.mark.rule("KOV-034")
@pytest.mark.parametrize("diagonals", DIAGONALS.options)
@pytest.mark.parametrize("seed", seeds(30))
def test_a_way_through_a_far_waypoint_is_the_cheapest_in_the_end(diagonals, seed):
    chance = random.Random(f"waypoints {seed} {diagonals}")
    board = random_board(chance, diagonals)
    mover = Mover(board, read_creature(board.token("aldis")))
    x, y = mover.creature.token.at
    for _ in range(6):
        waypoint, end = [(chance.randrange(COLUMNS), chance.randrange(ROWS)) for _ in range(2)]
        if max(abs(waypoint[0] - x), abs(waypoint[1] - y)) < 2:
            continue
        if max(abs(waypoint[0] - end[0]), abs(waypoint[1] - end[1])) < 2:
            continue
        budget, expected = chance.choice([30, 60, UNLIMITED]), cheapest_through(mover, waypoint, end)
        found = route(mover, [waypoint, end], (x, y), budget)
        assert (found is None) == (expected is None)
        if found is not None and expected[0] <= budget:
            assert (sum(leg.cost for leg in found), sum(map(diagonals_of, found))) == expected


@pytest.mark.rule("KOV-034")
@pytest.mark.parametrize("diagonals", DIAGONALS.options)
def test_a_square_just_behind_a_long_wall_is_too_far_and_not_out_of_reach(diagonals):
    wall = Wall(id="w", line=(5 * 64, 0, 5 * 64, 11 * 64))  # open in the last row
    board = scene(hero("aldis", (4, 2)), walls=[wall], house_rules={"diagonals": diagonals})
    ruling = judged(in_round(board, "aldis"), "aldis", (5, 2))
    assert (ruling.allowed, ruling.cost) == (False, 95)
    assert "95 feet" in ruling.reasons[0]


@pytest.mark.rule("KOV-038")
def test_each_square_of_a_drawn_path_after_the_own_one_is_entered():
    board = in_round(scene(hero("aldis", (2, 2))), "aldis")
    ruling = judged(board, "aldis", (2, 2), (2, 3), (3, 3))
    assert (ruling.cost, ruling.path) == (10, ((2, 2), (2, 3), (3, 3)))


@pytest.mark.rule("KOV-034")
def test_a_drawn_path_names_what_bars_it_also_if_another_way_leads_to_its_end():
    wall = Wall(id="w", line=(3 * 64, 2 * 64, 3 * 64, 3 * 64))
    board = scene(hero("aldis", (2, 2)), monster("orc", (9, 9)), walls=[wall])
    assert judged(board, "aldis", (4, 2)).allowed
    (reason,) = judged(board, "aldis", (3, 2), (4, 2)).reasons
    assert reason == "A wall bars Aldis's way there. (KOV-034)"
    (reason,) = judged(board, "aldis", (16, 2), (4, 2)).reasons
    assert reason == "No way leads there for Aldis. (KOV-034)"


@pytest.mark.parametrize(
    ("end", "count"), [((5, 5), 0), ((1, 5), 0), ((3, 7), 0), ((3, 3), 0), ((5, 7), 2), ((5, 3), 2)]
)
def test_a_leap_counts_a_diagonal_for_each_square_unless_it_is_straight(end, count):
    assert diagonals_of(Leg((3, 5), end, (SubAction("leap", 5), SubAction("walk", 5)))) == count
