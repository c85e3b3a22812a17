"""The Move Action and its sub-actions (KOV-001, KOV-033 to KOV-035, KOV-038 to KOV-044)."""

from __future__ import annotations

import pytest

from enfilade.errors import IllegalAct
from enfilade.rules.procedures import Act
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.knights_of_valour.sub_actions import climb_cost, descent_cost, leap_cost, vault_cost
from enfilade.scene.model import Wall
from tests.unit.rulesets.knights_of_valour.scenes import (
    column,
    do,
    facts,
    go,
    hero,
    in_round,
    judged,
    monster,
    patch,
    reach,
    scene,
    squares,
    with_condition,
)


def walker(*others, at=(3, 5), terrain=(), walls=(), house_rules=None, **sheet):
    board = scene(hero("aldis", at, **sheet), *others, terrain=terrain, walls=walls, house_rules=house_rules)
    return in_round(board, "aldis")


def steps(board, *at):
    """The sub-actions of a move."""
    (found,) = facts(do(board, go("aldis", *at)), "move")
    return [tuple(step) for step in found["sub_actions"]]


@pytest.mark.rule("KOV-001", "KOV-038", "KOV-034")
def test_a_square_is_5_feet_and_a_move_goes_up_to_the_movement():
    cells = reach(walker(), "aldis")
    assert (cells[4, 5], cells[9, 5], cells[9, 11]) == (5, 30, 30)
    assert (10, 5) not in cells
    assert KNIGHTS_OF_VALOUR.reach(walker(), walker().token("aldis")).budget == 30
    ruling = judged(walker(), "aldis", (10, 5))
    assert (ruling.allowed, ruling.cost, ruling.budget) == (False, 35, 30)
    assert ruling.reasons == ("The path costs 35 feet of Movement; 30 are left (KOV-034).",)


@pytest.mark.rule("KOV-034", "KOV-038")
def test_the_movement_is_the_creatures_own():
    assert max(reach(walker(movement=40, at=(3, 5)), "aldis").values()) == 40
    assert max(reach(walker(movement=5), "aldis").values()) == 5


@pytest.mark.rule("KOV-001")
def test_moves_go_square_by_square_and_end_on_the_board():
    board = walker()
    done = do(board, go("aldis", 6, 5))
    assert squares(done, "aldis") == [(4, 5), (5, 5), (6, 5)]
    assert done.scene.token("aldis").tracks["moves used"] == 1
    assert judged(board, "aldis", (3, 12)).reasons == ("That is off the board. (KOV-001)",)
    assert judged(board, "aldis", (6, 5)).path == ((3, 5), (4, 5), (5, 5), (6, 5))


@pytest.mark.rule("KOV-038")
def test_a_move_ends_on_a_free_square_and_does_not_pass_enemies():
    board = walker(monster("orc", (4, 5), hands=[]), hero("bran", (3, 4)))
    assert judged(board, "aldis", (4, 5)).reasons == ("Orc stands there. (KOV-038)",)
    assert judged(board, "aldis", (3, 4)).reasons == ("Bran stands there. (KOV-038)",)
    cells = reach(board, "aldis")
    assert (4, 5) not in cells
    assert (3, 4) not in cells
    assert cells[5, 5] == 10
    ring = [monster(f"m{i}", at, hands=[]) for i, at in enumerate(_ring((3, 5)))]
    assert set(reach(walker(*ring), "aldis")) == {(3, 5)}
    friends = [hero(f"h{i}", at) for i, at in enumerate(_ring((3, 5)))]
    assert (5, 5) in reach(walker(*friends), "aldis")


def _ring(at):
    return [(at[0] + x, at[1] + y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


@pytest.mark.rule("KOV-038")
def test_walls_and_closed_ground_stop_a_move():
    wall = Wall(id="w", line=(4 * 64, 0, 4 * 64, 12 * 64))
    assert all(x < 4 for x, _ in reach(walker(walls=[wall]), "aldis"))
    assert judged(walker(walls=[wall]), "aldis", (4, 5)).reasons == (
        "A wall bars Aldis's way there. (KOV-034)",
    )
    closed = patch("", *column(4), cost=0)
    assert all(x < 4 for x, _ in reach(walker(terrain=[closed]), "aldis"))
    assert not judged(walker(terrain=[closed]), "aldis", (4, 5)).allowed


@pytest.mark.rule("KOV-035")
def test_each_foot_of_difficult_terrain_costs_two():
    board = walker(terrain=[patch("", *column(4), *column(5), cost=2)])
    cells = reach(board, "aldis")
    assert (cells[4, 5], cells[5, 5], cells[6, 5], cells[3, 4]) == (10, 20, 25, 5)
    assert (8, 5) not in cells
    assert steps(board, 6, 5) == [("walk", 25)]
    assert reach(walker(terrain=[patch("", (4, 5), cost=5)]), "aldis")[4, 5] == 10


@pytest.mark.rule("KOV-033", "KOV-034")
def test_a_move_chains_sub_actions_and_adds_their_costs():
    terrain = [patch("obstacle", *column(5), height=4), patch("gap", *column(8))]
    board = walker(terrain=terrain)
    assert steps(board, 6, 5) == [("walk", 5), ("vault", 5), ("walk", 5)]
    board = walker(terrain=terrain, movement=60)
    assert steps(board, 9, 5) == [("walk", 5), ("vault", 5), ("walk", 10), ("leap", 5), ("walk", 5)]
    ruling = judged(walker(terrain=terrain), "aldis", (9, 5))
    assert (ruling.allowed, ruling.cost) == (True, 30)
    assert not judged(walker(terrain=terrain), "aldis", (10, 5)).allowed


@pytest.mark.rule("KOV-039")
@pytest.mark.parametrize(("height", "is_vault"), [(4, True), (6, True), (7, False)])
def test_an_obstacle_up_to_the_own_height_is_vaulted_for_5_feet(height, is_vault):
    board = walker(terrain=[patch("obstacle", *column(4), height=height)], movement=60)
    assert (steps(board, 5, 5) == [("vault", 5), ("walk", 5)]) == is_vault
    assert not judged(board, "aldis", (4, 5)).allowed


@pytest.mark.rule("KOV-039", "KOV-040")
def test_vaults_depend_on_the_height_of_the_creature():
    assert [vault_cost(6, obstacle) for obstacle in (0, 6, 7)] == [5, 5, None]
    for size, most in (("short", 4), ("average", 6), ("tall", 8)):
        for height in (most, most + 1):
            board = walker(terrain=[patch("obstacle", *column(4), height=height)], movement=80, size=size)
            assert (steps(board, 5, 5)[0][0] == "vault") == (height == most)
    own = walker(terrain=[patch("obstacle", *column(4), height=9)], movement=80, height=9)
    assert steps(own, 5, 5) == [("vault", 5), ("walk", 5)]


@pytest.mark.rule("KOV-040", "KOV-042", "KOV-044")
def test_a_higher_obstacle_is_climbed():
    board = walker(terrain=[patch("obstacle", *column(4), height=7)], movement=60)
    assert steps(board, 5, 5) == [("climb", 14), ("descend", 14), ("walk", 5)]
    assert judged(board, "aldis", (5, 5)).cost == 33
    assert not judged(walker(terrain=board.terrain), "aldis", (5, 5)).allowed


@pytest.mark.rule("KOV-039")
def test_an_obstacle_before_a_wall_or_a_body_is_not_crossed():
    wall = Wall(id="w", line=(5 * 64, 0, 5 * 64, 12 * 64))
    narrow = [patch("obstacle", *column(4), height=3)]
    assert judged(walker(terrain=narrow, walls=[wall]), "aldis", (5, 5)).cost is None
    taken = walker(monster("orc", (5, 5), hands=[]), terrain=[patch("obstacle", (4, 5), height=3)])
    assert not judged(taken, "aldis", (5, 5)).allowed


@pytest.mark.rule("KOV-039", "KOV-042", "KOV-044")
def test_an_obstacle_is_vaulted_onto_any_ground_behind_it():
    # "A character can vault over an object no taller than itself": not if the ground behind was higher.
    narrow = patch("obstacle", *column(4), height=3)
    onto = walker(terrain=[narrow, patch("raised", *column(5), height=2)])
    assert steps(onto, 5, 5) == [("vault", 5), ("climb", 4), ("walk", 5)]
    down = walker(terrain=[narrow, patch("raised", *column(3), height=7)])
    assert steps(down, 5, 5) == [("vault", 5), ("walk", 5), ("descend", 14)]
    cliff = walker(terrain=[narrow, patch("cliff", *column(5), height=2)])
    assert judged(cliff, "aldis", (5, 5)).cost is None


@pytest.mark.rule("KOV-039", "KOV-040")
def test_what_is_low_counts_from_where_the_vaulter_stands():
    raised = [patch("obstacle", *column(4), height=9), patch("raised", *column(3), height=4)]
    assert steps(walker(terrain=raised), 5, 5)[0] == ("vault", 5)
    level = walker(terrain=[patch("obstacle", *column(4), height=9)], movement=60)
    assert steps(level, 5, 5)[0] == ("climb", 18)


@pytest.mark.rule("KOV-039", "KOV-040")
def test_an_obstacle_of_two_squares_is_climbed_over():
    wide = [patch("obstacle", *column(4), *column(5), height=3)]
    assert steps(walker(terrain=wide), 6, 5) == [("climb", 6), ("descend", 0), ("walk", 10)]
    level = [patch("obstacle", *column(4), *column(5), height=3), patch("raised", *column(6), height=3)]
    assert steps(walker(terrain=level), 6, 5) == [("climb", 6), ("descend", 0), ("walk", 10)]
    cliff = [patch("obstacle", *column(4), *column(5), height=3), patch("cliff", *column(6), height=3)]
    assert steps(walker(terrain=cliff), 6, 5) == [("climb", 6), ("descend", 0), ("walk", 10)]
    rough = [*wide, patch("", *column(6), cost=2)]
    assert steps(walker(terrain=rough), 6, 5) == [("climb", 6), ("descend", 0), ("walk", 15)]
    high = [patch("obstacle", *column(4), *column(5), height=3), patch("raised", *column(6), height=5)]
    assert steps(walker(terrain=high), 6, 5) == [("climb", 6), ("climb", 4), ("walk", 10)]


@pytest.mark.rule("KOV-040", "KOV-042")
@pytest.mark.parametrize(("own", "top", "climb"), [(0, 0, 0), (1, 3, 4), (3, 3, 0), (4, 3, 0)])
def test_a_wide_obstacle_is_climbed_from_where_the_climber_stands(own, top, climb):
    wide = [patch("obstacle", *column(4), *column(5), height=top), patch("raised", *column(3), height=own)]
    assert steps(walker(terrain=wide), 6, 5) == [("climb", climb), ("descend", 0), ("walk", 10)]


@pytest.mark.rule("KOV-041")
def test_a_leap_crosses_a_gap_up_to_twice_the_own_height():
    assert [leap_cost(6, width) for width in (5, 12, 13)] == [5, 12, None]
    two = [patch("gap", *column(4), *column(5))]
    assert steps(walker(terrain=two), 6, 5) == [("leap", 10), ("walk", 5)]
    assert judged(walker(terrain=two), "aldis", (6, 5)).cost == 15
    three = [patch("gap", *column(4), *column(5), *column(6))]
    assert judged(walker(terrain=three), "aldis", (7, 5)).cost is None
    assert judged(walker(terrain=three, size="tall"), "aldis", (7, 5)).cost == 20
    assert judged(walker(terrain=two, height=5), "aldis", (6, 5)).cost == 15
    assert judged(walker(terrain=two, size="short"), "aldis", (6, 5)).cost is None


@pytest.mark.rule("KOV-041")
def test_no_creature_stands_in_a_gap_or_leaps_up_or_through_a_wall():
    gap = patch("gap", *column(4))
    assert not judged(walker(terrain=[gap]), "aldis", (4, 5)).allowed
    up = [gap, patch("raised", *column(5), height=1)]
    assert judged(walker(terrain=up), "aldis", (5, 5)).cost is None
    down = [gap, patch("raised", *column(3), height=6)]
    assert steps(walker(terrain=down), 5, 5) == [("leap", 5), ("walk", 5), ("descend", 0)]
    wall = Wall(id="w", line=(5 * 64, 0, 5 * 64, 12 * 64))
    assert judged(walker(terrain=[gap], walls=[wall]), "aldis", (5, 5)).cost is None
    blocked = [gap, patch("", *column(5), cost=0)]
    assert judged(walker(terrain=blocked), "aldis", (6, 5)).cost is None


@pytest.mark.rule("KOV-042")
def test_a_climb_costs_twice_its_height():
    assert climb_cost(7) == 14
    board = walker(terrain=[patch("raised", *column(4), height=7)])
    assert steps(board, 4, 5) == [("climb", 14), ("walk", 5)]
    assert judged(board, "aldis", (4, 5)).cost == 19
    assert judged(board, "aldis", (5, 5)).cost == 19 + 5 + 14
    high = walker(terrain=[patch("raised", *column(4), height=12)])
    assert judged(high, "aldis", (4, 5)).cost == 29


@pytest.mark.rule("KOV-042")
def test_a_cliff_is_not_climbed_but_descended():
    cliff = [patch("cliff", *column(4), height=5)]
    assert judged(walker(terrain=cliff), "aldis", (4, 5)).cost is None
    assert steps(walker(terrain=cliff, at=(4, 5)), 3, 5) == [("walk", 5), ("descend", 0)]


@pytest.mark.rule("KOV-043", "KOV-044")
@pytest.mark.parametrize(("drop", "cost"), [(1, 0), (5, 0), (6, 0), (7, 14), (10, 20)])
def test_a_descent_of_the_own_height_is_free_and_a_longer_one_costs_double(drop, cost):
    assert descent_cost(6, drop) == cost
    board = walker(terrain=[patch("raised", *column(3), height=drop)])
    assert steps(board, 4, 5) == [("walk", 5), ("descend", cost)]
    assert judged(board, "aldis", (4, 5)).cost == 5 + cost


def test_the_greater_of_two_heights_counts():
    terrain = [
        patch("raised", (4, 5), height=3),
        patch("raised", (4, 5), height=5),
        patch("raised", (4, 5), height=1),
    ]
    assert steps(walker(terrain=terrain), 4, 5) == [("climb", 10), ("walk", 5)]
    low = [patch("obstacle", (4, 5), height=9), patch("obstacle", (4, 5), height=2)]
    assert ("vault", 5) not in steps(walker(terrain=low, movement=90, walls=_corridor()), 5, 5)


def _corridor():
    """Walls above and below row 5."""
    return [Wall(id=f"w{y}", line=(0, 64 * y, 16 * 64, 64 * y)) for y in (5, 6)]


def test_the_cheapest_path_is_taken_around_an_obstacle():
    board = walker(terrain=[patch("", (4, 5), cost=2)])
    assert squares(do(board, go("aldis", 5, 5)), "aldis")[0] in ((4, 4), (4, 6))
    assert judged(board, "aldis", (5, 5)).cost == 10


def test_an_illegal_move_is_explained_and_not_prevented():
    board = walker()
    done = do(board, go("aldis", 12, 5))
    assert done.scene.token("aldis").at == (12, 5)
    assert facts(done, "move")[0]["allowed"] is False
    assert done.scene.token("aldis").tracks["moves used"] == 1
    other = in_round(scene(hero("aldis", (3, 5)), monster("orc", (9, 9))), "orc")
    ruling = judged(other, "aldis", (4, 5))
    reasons = ("It is not the turn of Aldis. (KOV-027)",)
    assert (ruling.allowed, ruling.reasons, ruling.budget) == (False, reasons, 0)
    moved = do(other, go("aldis", 5, 5))
    assert squares(moved, "aldis") == [(5, 5)]
    assert "moves used" not in moved.scene.token("aldis").tracks
    over = do(walker(terrain=[patch("", *column(4), cost=0)]), go("aldis", 6, 5))
    assert squares(over, "aldis") == [(6, 5)]


def test_a_defeated_creature_does_not_move():
    board = with_condition(walker(monster("orc", (9, 9))), "aldis", "out")
    assert judged(board, "aldis", (4, 5)).reasons == ("Aldis is defeated. (KOV-024)",)
    assert reach(board, "aldis") is None


def test_creatures_enter_the_board_before_the_first_round_only():
    board = scene(hero("aldis"), monster("orc", (5, 5)))
    assert judged(board, "aldis", (3, 3)).allowed
    assert judged(board, "aldis", (3, 3)).cost == 0
    assert not judged(board, "aldis", (5, 5)).allowed
    assert reach(board, "aldis") is None
    assert do(board, go("aldis", 3, 3)).scene.token("aldis").at == (3, 3)
    assert not judged(in_round(board, "aldis"), "aldis", (3, 3)).allowed
    with pytest.raises(IllegalAct) as refused:
        do(board, Act(kind="move", token="aldis"))
    assert refused.value.rule == "KOV-038"


def test_before_the_first_round_moves_are_free_and_provoke_nothing():
    board = scene(hero("aldis", (3, 5)), monster("orc", (4, 5)))
    done = do(board, go("aldis", 1, 5))
    assert squares(done, "aldis") == [(1, 5)]
    assert "moves used" not in done.scene.token("aldis").tracks


def test_a_move_to_the_own_square_costs_nothing():
    board = walker()
    assert judged(board, "aldis", (3, 5)).cost == 0
    done = do(board, Act(kind="move", token="aldis"))
    assert "moves used" not in done.scene.token("aldis").tracks


def test_each_refusal_has_no_cost_and_no_path():
    orc = monster("orc", (5, 5), hands=[])
    board = walker(orc, terrain=[patch("gap", (3, 4)), patch("", *_ring((10, 5)), cost=0)])
    for at in ((3, 12), (5, 5), (3, 4), (10, 5)):
        ruling = judged(board, "aldis", at)
        assert (ruling.allowed, ruling.cost, ruling.budget, ruling.path) == (False, None, 30, ())


def test_a_creature_beside_the_board_finds_no_path():
    board = walker(at=(16, 5))
    assert judged(board, "aldis", (15, 5)).reasons == ("Aldis is not on the board (KOV-038).",)
    assert reach(board, "aldis") is None


def test_raised_ground_of_no_height_is_not_climbed():
    board = walker(terrain=[patch("raised", *column(4)), patch("cliff", *column(5))])
    assert steps(board, 5, 5) == [("walk", 10)]


@pytest.mark.rule("KOV-042", "KOV-044")
@pytest.mark.parametrize("others", [(), (monster("orc", (9, 9)),)])
def test_a_climb_costs_the_same_in_reach_whether_an_enemy_stands_on_the_board_or_not(others):
    # Without enemies the reach said 5 feet and the move cost 15: an empty list of changes weighed all cells.
    board = scene(hero("aldis", (3, 5)), *others, terrain=[patch("raised", (4, 5), height=5)])
    costs = {(x, y): cost for x, y, cost in KNIGHTS_OF_VALOUR.reach(board, board.token("aldis")).cells}
    assert costs[(4, 5)] == judged(board, "aldis", (4, 5)).cost == 15


ALTERNATE = {"diagonals": "5 and 10 feet by turns"}


@pytest.mark.rule("KOV-001", "KOV-034")
def test_a_path_drawn_over_diagonals_costs_5_and_10_feet_by_turns_and_is_walked_as_drawn():
    board = walker(at=(2, 2), house_rules=ALTERNATE)
    drawn = [(3, 3), (4, 4), (5, 5), (6, 6)]
    three, four = judged(board, "aldis", *drawn[:3]), judged(board, "aldis", *drawn)
    assert (three.cost, four.cost, four.allowed) == (20, 30, True)
    assert four.path == ((2, 2), *drawn)
    bent = judged(board, "aldis", (3, 2), (3, 3), (4, 4))
    assert bent.cost == 15  # a drawn path that is longer is walked, and paid, as drawn
    assert bent.path == ((2, 2), (3, 2), (3, 3), (4, 4))


@pytest.mark.rule("KOV-034")
def test_a_waypoint_farther_away_is_reached_with_the_count_of_diagonals_that_is_cheapest_in_the_end():
    board = walker(at=(2, 2), house_rules=ALTERNATE)
    assert judged(board, "aldis", (4, 3), (6, 5)).cost == 30 - 5
    # Both ways to the waypoint cost 15 feet. One enters one diagonal, so the next costs 10.
    assert judged(board, "aldis", (4, 4), (5, 5)).cost == 20


@pytest.mark.rule("KOV-038", "KOV-041")
def test_a_drawn_path_leads_over_a_gap_and_not_through_a_wall_or_a_body():
    gap = walker(at=(2, 2), terrain=[patch("gap", (3, 2))])
    assert judged(gap, "aldis", (3, 2), (4, 2)).path == ((2, 2), (4, 2))
    wall = Wall(id="w", line=(3 * 64, 2 * 64, 3 * 64, 3 * 64))
    assert not judged(walker(at=(2, 2), walls=[wall]), "aldis", (3, 2), (4, 2)).allowed
    body = walker(monster("orc", (3, 2)), at=(2, 2))
    assert not judged(body, "aldis", (3, 2), (4, 2)).allowed


@pytest.mark.rule("KOV-038")
def test_a_drawn_path_may_name_a_square_twice():
    found = judged(walker(at=(2, 2)), "aldis", (2, 2), (3, 2), (3, 2), (4, 3))
    assert (found.allowed, found.path) == (True, ((2, 2), (3, 2), (4, 3)))


@pytest.mark.rule("KOV-031", "KOV-034", "KOV-036")
def test_a_drawn_path_provokes_where_it_leads_and_nowhere_else():
    board = walker(monster("orc", (4, 3)), at=(2, 2))
    around = judged(board, "aldis", (2, 1), (3, 0), (4, 0), (5, 0))
    assert [step.provokes for step in around.steps] == [(), (), (), ()]
    past = judged(board, "aldis", (3, 2), (4, 1), (5, 1))
    assert [[one.token for one in step.provokes] for step in past.steps] == [[], ["orc"], []]


@pytest.mark.rule("KOV-031", "KOV-034")
def test_the_parts_of_a_split_move_go_on_with_the_count_of_diagonals():
    board = walker(at=(2, 2), house_rules=ALTERNATE | {"split_moves": True})
    costs = []
    for at in ((3, 3), (4, 4), (5, 5), (6, 6)):
        assert dict(reach(board, "aldis"))[at] == judged(board, "aldis", at).cost
        costs.append(judged(board, "aldis", at).cost)
        board = do(board, go("aldis", *at)).scene
    assert costs == [5, 10, 5, 10]
    assert not judged(board, "aldis", (7, 7)).allowed


@pytest.mark.rule("KOV-031", "KOV-034")
@pytest.mark.parametrize("beside", [(3, 4), (4, 3), (3, 2), (2, 3)])
def test_a_straight_part_of_a_split_move_counts_no_diagonal(beside):
    board = walker(at=(3, 3), house_rules=ALTERNATE | {"split_moves": True})
    board = do(board, go("aldis", *beside)).scene
    assert judged(board, "aldis", (beside[0] + 1, beside[1] + 1)).cost == 5


@pytest.mark.rule("KOV-031", "KOV-032")
def test_a_second_move_action_counts_its_diagonals_anew():
    haste = [{"name": "Haste", "kind": "move action"}]
    board = walker(at=(2, 2), house_rules=ALTERNATE | {"split_moves": True}, buffs=haste)
    board = do(board, go("aldis", 7, 3)).scene  # 25 feet, one diagonal: 5 feet are left
    assert board.token("aldis").track("movement") == 5
    assert judged(board, "aldis", (8, 3)).cost == 5
    assert judged(board, "aldis", (8, 4)).cost == 5  # not the second diagonal of a move, which costs 10
    after = do(board, go("aldis", 8, 4)).scene.token("aldis")
    assert (after.track("moves used"), after.track("movement")) == (2, 25)


@pytest.mark.rule("KOV-013", "KOV-027", "KOV-031")
def test_advice_asks_first_whether_a_creature_may_move_at_all():
    def may_move(board):
        return KNIGHTS_OF_VALOUR.outlook.may_move(board, board.token("aldis"))

    board = walker(monster("orc", (9, 9)))
    assert may_move(board) is True
    assert may_move(walker(movement=1)) is True
    assert may_move(do(board, go("aldis", 4, 5)).scene) is False
    assert may_move(in_round(board, "orc")) is False
    assert may_move(walker(load=1000)) is False
    assert may_move(walker(at=(16, 5))) is False


@pytest.mark.rule("KOV-038")
@pytest.mark.parametrize("pass_allies", [True, False])
def test_creatures_far_off_the_board_stand_in_nobodys_way(pass_allies):
    rules = {"pass_allies": pass_allies}
    far = [monster(f"m{place}", (place, 5)) for place in range(16, 80)]
    aldis = hero("aldis", (3, 5))
    alone, crowded = scene(aldis, house_rules=rules), scene(aldis, *far, monster("m"), house_rules=rules)
    assert reach(crowded, "aldis") == reach(alone, "aldis")


@pytest.mark.rule("KOV-035", "KOV-040")
@pytest.mark.parametrize(
    ("rules", "walk"), [({}, 5 + 10), ({"diagonals": "5 and 10 feet by turns"}, 5 + 2 * 10)]
)
def test_the_last_step_over_a_wide_obstacle_is_the_one_onto_difficult_ground(rules, walk):
    line = [(place, place) for place in (3, 4, 5, 6)]
    closed = [(x, y) for x in range(16) for y in range(12) if (x, y) not in line]
    ground = [
        patch("obstacle", *line[1:3], height=3),
        patch("", line[3], cost=2),
        patch("", *closed, cost=0),
    ]
    board = walker(at=(3, 3), terrain=ground, house_rules=rules, movement=60)
    assert steps(board, 6, 6) == [("climb", 6), ("descend", 0), ("walk", walk)]


@pytest.mark.rule("KOV-035", "KOV-040")
def test_of_the_steps_over_a_wide_obstacle_only_the_last_is_onto_difficult_ground():
    wide = patch("obstacle", *column(4), *column(5), *column(6), height=3)
    board = walker(terrain=[wide, patch("", *column(7), cost=2)])
    assert steps(board, 7, 5) == [("climb", 6), ("descend", 0), ("walk", 5 + 5 + 10)]
