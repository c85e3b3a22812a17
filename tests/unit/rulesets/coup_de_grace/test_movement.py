"""Spending movement points: CDG-033 to CDG-046."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from enfilade.rules.procedures import Act
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.scene.model import Terrain
from tests.unit.rulesets.coup_de_grace.scenes import (
    EAST,
    NORTH,
    SOUTH,
    act,
    active,
    after,
    battle,
    do,
    foe,
    judge,
    log_text,
    mini,
    reach,
    wall,
    why_not,
)


@pytest.mark.rule("CDG-033")
def test_no_more_is_spent_than_the_movement_allowance():
    scene = active(battle(mini("Ann", at=(0, 0))), "ann")
    assert judge(scene, "ann", (3, 3)).allowed
    beyond = judge(scene, "ann", (4, 3))
    assert (beyond.allowed, beyond.cost, beyond.budget) == (False, 7, 6)
    scene = after(scene, act("move", "ann", at=(3, 1)))
    assert scene.token("ann").track("mp") == 2
    assert set(reach(scene, "ann").values()) == {0, 1, 2}


@pytest.mark.rule("CDG-033")
def test_before_the_first_round_moving_spends_nothing():
    scene = after(battle(mini("Ann", at=(0, 0))), act("move", "ann", at=(3, 3)))
    assert "mp" not in scene.token("ann").tracks


@pytest.mark.rule("CDG-034")
def test_a_miniature_is_always_in_one_square_with_one_of_four_facings():
    scene = active(battle(mini("Ann", at=(2, 2))), "ann")
    for angle, snapped in ((44, 0), (46, 90), (180, 180), (300, 270)):
        assert after(scene, act("move", "ann", at=(2, 3), facing=angle)).token("ann").facing == snapped
    assert judge(scene, "ann", (-1, 2)).reasons == ("That is off the board (CDG-034).",)


@pytest.mark.rule("CDG-035")
def test_a_step_costs_1_and_the_facing_is_free_with_it():
    scene = active(battle(mini("Ann", at=(2, 2))), "ann")
    for at in ((2, 1), (3, 2), (2, 3), (1, 2)):
        for facing in (0, 90, 180, 270):
            assert judge(scene, "ann", at, facing).cost == 1
    assert judge(scene, "ann", (3, 3)).cost == 2
    assert judge(scene, "ann", (4, 2)).path == ((2, 2), (3, 2), (4, 2))


@pytest.mark.rule("CDG-036")
def test_turning_in_place_costs_1_and_staying_nothing():
    scene = active(battle(mini("Ann", at=(2, 2), facing=NORTH)), "ann")
    assert judge(scene, "ann", (2, 2), SOUTH).cost == 1
    assert judge(scene, "ann", (2, 2), NORTH).cost == 0
    assert judge(scene, "ann", (2, 2)).cost == 0
    turned = after(scene, act("move", "ann", at=(2, 2), facing=SOUTH))
    assert (turned.token("ann").facing, turned.token("ann").track("mp")) == (SOUTH, 5)
    text = log_text(scene, act("move", "ann", facing=SOUTH))
    assert text == "Ann turns south.\nCost: 1 of 6 movement points."


@pytest.mark.rule("CDG-037")
def test_a_melee_attack_costs_nothing():
    scene = active(battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1))), "ann", mp=0)
    assert why_not(scene, act("melee", "ann", "orc")) is None
    assert after(scene, act("melee", "ann", "orc"), 2).token("ann").track("mp") == 0


@pytest.mark.rule("CDG-038")
def test_a_ranged_attack_costs_4():
    scene = battle(mini("Ann", at=(5, 9), hands=("bow",)), foe("Orc", at=(5, 4)))
    assert why_not(active(scene, "ann", mp=4), act("ranged", "ann", "orc", "bow")) is None
    assert why_not(active(scene, "ann", mp=3), act("ranged", "ann", "orc", "bow")) == "CDG-043"


@pytest.mark.rule("CDG-038")
def test_a_ranged_attack_keeps_to_the_weapons_range():
    for range_, rule in ((6, None), (7, "CDG-038")):
        target = foe("Orc", at=(5, 9 - range_))
        scene = battle(mini("Ann", at=(5, 9), hands=("grappling hook", "sword")), target)
        assert why_not(scene, act("ranged", "ann", "orc", "grappling hook")) == rule


@pytest.mark.rule("CDG-039")
def test_a_spell_has_its_printed_cost():
    scene = battle(mini("Ann", at=(5, 9), hands=("crystal", "sword")), foe("Orc", at=(5, 4)))
    scene = active(scene, "ann")
    assert after(scene, act("spell", "ann", "orc", "crystal"), 2).token("ann").track("mp") == 3
    staff = active(battle(mini("Ann", at=(5, 9), hands=("earth staff",)), foe("Orc", at=(5, 4))), "ann")
    assert after(staff, act("spell", "ann", weapon="earth staff")).token("ann").track("mp") == 0


@pytest.mark.rule("CDG-040")
@pytest.mark.parametrize(("enemies", "cost"), [(0, 1), (1, 2), (2, 4), (3, 8), (4, 16)])
def test_t04_each_adjacent_enemy_doubles_the_cost(enemies, cost):
    around = [(2, 1), (3, 2), (1, 2), (2, 3)]
    orcs = [foe(f"Orc{i}", at=around[i]) for i in range(enemies)]
    scene = battle(mini("Ann", at=(2, 2), armor="unarmored"), *orcs)
    assert judge(scene, "ann", (2, 2), SOUTH).cost == cost
    if enemies < 4:
        assert judge(scene, "ann", (2, 3), SOUTH).cost == cost


@pytest.mark.rule("CDG-041")
def test_the_cost_is_doubled_where_a_step_starts_and_not_where_it_ends():
    scene = battle(mini("Ann", at=(2, 5)), foe("Orc", at=(2, 2)))
    assert judge(scene, "ann", (2, 3)).cost == 2
    scene = battle(mini("Ann", at=(2, 3)), foe("Orc", at=(2, 2)))
    assert judge(scene, "ann", (2, 5)).cost == 3


@pytest.mark.rule("CDG-042")
def test_turning_and_shooting_are_doubled_too_and_nothing_stays_nothing():
    archer = mini("Ann", at=(2, 2), hands=("bow",), armor="unarmored")
    scene = active(battle(archer, foe("Orc", at=(2, 1))), "ann")
    assert judge(scene, "ann", (2, 2), EAST).cost == 2
    assert after(scene, act("ranged", "ann", "orc", "bow"), 2).token("ann").track("mp") == 0
    fighter = active(battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1)), foe("Cur", at=(3, 2))), "ann")
    assert after(fighter, act("melee", "ann", "orc"), 2).token("ann").track("mp") == 6


@pytest.mark.rule("CDG-042")
def test_two_adjacent_enemies_make_a_shot_cost_16():
    archer = mini("Ann", at=(2, 2), hands=("bow",), armor="unarmored")
    scene = active(battle(archer, foe("Orc", at=(2, 1)), foe("Cur", at=(3, 2))), "ann", mp=15)
    assert why_not(scene, act("ranged", "ann", "orc", "bow")) == "CDG-043"
    assert why_not(active(scene, "ann", mp=16), act("ranged", "ann", "orc", "bow")) is None


@pytest.mark.rule("CDG-043")
def test_an_unaffordable_act_is_illegal():
    scene = active(battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1)), foe("Cur", at=(3, 2))), "ann", mp=3)
    ruling = judge(scene, "ann", (2, 3))
    assert (ruling.allowed, ruling.cost) == (False, 4)
    assert "It costs 4 movement points, and 3 are left (CDG-033)." in ruling.reasons


@pytest.mark.rule("CDG-040", "CDG-043")
@pytest.mark.parametrize(("armor", "left"), [("unarmored", 2), ("light", 0)])
def test_t05_and_t06_the_less_armored_step_back_from_an_enemy_and_shoot(armor, left):
    archer = mini("Ann", at=(2, 2), hands=("bow",), armor=armor)
    scene = active(battle(archer, foe("Orc", at=(2, 1))), "ann")
    scene = after(scene, act("move", "ann", at=(2, 3), facing=NORTH))
    assert after(scene, act("ranged", "ann", "orc", "bow"), 2).token("ann").track("mp") == left


@pytest.mark.rule("CDG-043")
def test_t07_a_heavy_archer_cannot_shoot_beside_an_enemy():
    archer = mini("Ann", at=(2, 2), hands=("bow",), armor="heavy")
    assert (
        why_not(active(battle(archer, foe("Orc", at=(2, 1))), "ann"), act("ranged", "ann", "orc", "bow"))
        == "CDG-043"
    )


@pytest.mark.rule("CDG-042")
def test_t08_an_unarmored_archer_can_for_8():
    archer = mini("Ann", at=(2, 2), hands=("bow",), armor="unarmored")
    scene = active(battle(archer, foe("Orc", at=(2, 1))), "ann")
    assert after(scene, act("ranged", "ann", "orc", "bow"), 2).token("ann").track("mp") == 0


@pytest.mark.rule("CDG-044")
def test_miniatures_block_each_others_moves():
    row = [mini("Bo", at=(1, 0)), foe("Orc", at=(1, 1)), mini("Cy", at=(1, 2))]
    scene = battle(mini("Ann", at=(0, 1)), *row, size=(3, 3))
    assert not {(1, 0), (1, 1), (1, 2), (2, 1)} & reach(scene, "ann").keys()
    ruling = judge(scene, "ann", (2, 1))
    assert (ruling.allowed, ruling.cost) == (False, None)
    assert "No path leads there" in ruling.reasons[0]
    assert "Orc stands there" in judge(scene, "ann", (1, 1)).reasons[0]


@pytest.mark.rule("CDG-045")
def test_a_path_leads_around_walls():
    scene = battle(mini("Ann", at=(1, 0)), walls=(wall(2, 0, 2, 2),), size=(4, 4))
    assert judge(scene, "ann", (2, 0)).cost == 5
    shut = battle(mini("Ann", at=(1, 0)), walls=(wall(2, 0, 2, 4),), size=(4, 4))
    assert judge(shut, "ann", (2, 0)).cost is None


@pytest.mark.rule("CDG-045")
def test_a_door_lets_through_when_it_is_open():
    for state, cost in (("open", 1), ("closed", None), ("locked", None)):
        door = wall(2, 0, 2, 4, door="door", state=state)
        assert judge(battle(mini("Ann", at=(1, 0)), walls=(door,), size=(4, 4)), "ann", (2, 0)).cost == cost


@pytest.mark.rule("CDG-045")
def test_a_one_way_wall_lets_through_from_its_other_side():
    fence = wall(2, 0, 2, 4, one_way="left")
    costs = {
        start: judge(
            battle(mini("Ann", at=(start, 1)), walls=(fence,), size=(4, 4)), "ann", (3 - start, 1)
        ).cost
        for start in (1, 2)
    }
    assert sorted(costs.values(), key=str) == [1, None]


@pytest.mark.rule("CDG-045")
def test_closed_ground_is_not_entered_and_hard_ground_costs_more():
    pit = Terrain(id="p", name="Pit", cells=((1, 0),), cost=0)
    mud = Terrain(id="m", name="Mud", cells=((0, 1),), cost=2)
    scene = battle(mini("Ann", at=(0, 0)), terrain=(pit, mud))
    assert (1, 0) not in reach(scene, "ann")
    assert reach(scene, "ann")[(0, 1)] == 2


@pytest.mark.rule("CDG-046")
def test_a_bonus_move_costs_no_movement_points():
    hammerer = mini("Ann", at=(2, 2), hands=("hammer", "fist"))
    scene = active(battle(hammerer, foe("Orc", at=(2, 1), tracks={"mp": 3})), "ann", mp=1)
    done = after(scene, act("melee", "ann", "orc", "hammer"), 5)
    assert done.token("orc").at == (2, 0)
    assert (done.token("ann").track("mp"), done.token("orc").track("mp")) == (1, 3)


@pytest.mark.rule("CDG-045")
def test_a_move_against_the_rules_is_logged_but_not_prevented():
    scene = active(battle(mini("Ann", at=(0, 0)), foe("Orc", at=(5, 5))), "ann")
    done = do(scene, act("move", "ann", at=(9, 9)))
    assert done.scene.token("ann").at == (9, 9)
    assert done.scene.token("ann").track("mp") == 0
    assert "against the rules" in log_text(scene, act("move", "ann", at=(9, 9)))


spots = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), min_size=2, max_size=9, unique=True)


@pytest.mark.rule("CDG-040", "CDG-044")
@given(spots, st.integers(0, 7), st.sampled_from(["square", "hex_odd_r", "hex_even_q"]))
def test_every_square_in_reach_is_a_legal_move_at_that_cost(places, foes, grid):
    others = [foe(f"F{i}", at=at) if i < foes else mini(f"M{i}", at=at) for i, at in enumerate(places[1:])]
    scene = battle(mini("Ann", at=places[0]), *others, grid=grid, size=(8, 8))
    found = reach(scene, "ann")
    for cell, cost in found.items():
        ruling = judge(scene, "ann", cell)
        assert (ruling.allowed, ruling.cost) == (True, cost)
        assert ruling.path[0] == places[0]
        assert ruling.path[-1] == cell
    assert not found.keys() & set(places[1:])


@pytest.mark.rule("CDG-035", "CDG-041", "CDG-045")
def test_a_drawn_path_is_walked_with_its_costs_and_not_through_a_body_or_a_wall():
    # Any path was replaced by the cheapest way to its end.
    scene = active(battle(mini("Ann", at=(2, 2)), foe("Orc", at=(4, 1))), "ann")

    def drawn(*path):
        return COUP_DE_GRACE.judge(scene, scene.token("ann"), path, None)

    assert (drawn((3, 2), (4, 2), (4, 3)).cost, drawn((2, 3), (3, 3), (4, 3)).cost) == (4, 3)
    assert drawn((2, 3), (3, 3), (4, 3)).path == ((2, 2), (2, 3), (3, 3), (4, 3))
    assert not drawn((3, 2), (3, 1), (4, 1), (5, 1)).allowed
    walled = replace(scene, walls=(wall(3, 2, 3, 3),))
    assert not COUP_DE_GRACE.judge(walled, walled.token("ann"), ((3, 2), (4, 2)), None).allowed
    way = Act(kind="move", token="ann", at=(2, 2), path=((2, 3), (2, 2)))
    assert after(scene, way).token("ann").track("mp") == 4  # there and back again


@pytest.mark.rule("CDG-046")
def test_who_drags_another_drags_it_over_the_drawn_path():
    scene = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1)))
    orc = scene.token("orc")
    tangled = replace(orc, conditions=orc.conditions | {"entangled": "ann"})
    scene = active(replace(scene, tokens=tuple(tangled if t.id == "orc" else t for t in scene.tokens)), "ann")
    path = ((2, 3), (3, 3), (3, 2))
    assert after(scene, Act(kind="move", token="ann", at=(3, 2), path=path)).token("orc").at == (3, 3)


@pytest.mark.rule("CDG-041")
def test_the_points_that_are_left_do_not_tell_of_a_hidden_enemy():
    steps = ((3, 2), (4, 2), (5, 2))
    left = []
    for others in ((), (replace(foe("Spy", at=(4, 1)), hidden=True),)):
        scene = active(battle(mini("Ann", at=(2, 2)), *others), "ann")
        for at in steps:
            scene = after(scene, act("move", "ann", at=at))
            left.append(scene.token("ann").track("mp"))
    assert left[:3] == left[3:]
    seen = active(battle(mini("Ann", at=(2, 2)), foe("Spy", at=(4, 1))), "ann")
    assert judge(seen, "ann", (5, 2)).cost == 4
