"""A few steps, flight and phase 3 (DBL-017 to DBL-020, DBL-023, C-17, C-19), and moves by hand."""

from __future__ import annotations

import pytest

from enfilade.errors import IllegalAct
from enfilade.rules.procedures import Act
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.rulesets.double_life.battlefield import battlefield, direction_of
from enfilade.rulesets.double_life.combat.simultaneous import planned_attacks
from enfilade.rulesets.double_life.movement import approach, flights, free_moves
from enfilade.rulesets.double_life.plans import default_facing, default_place, facings, places, read_plan
from enfilade.scene.model import Terrain, Wall
from tests.unit.rulesets.double_life.scenes import (
    EAST,
    NORTH,
    SOUTH,
    acts_in,
    at,
    character,
    dice,
    do,
    facts,
    fighter,
    foe,
    go,
    health,
    outcomes,
    play,
    scene,
    steps,
    text_of,
    with_token,
)


def moves(board, token_id="ann"):
    return set(free_moves(board, character(board, token_id)))


def flees(board, token_id="ann"):
    return set(flights(board, character(board, token_id)))


def block(left, top, right, bottom, *without):
    cells = {(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)}
    return cells - set(without)


@pytest.mark.rule("DBL-017", "DBL-023")
def test_a_free_character_moves_two_cases_and_one_in_contact_one_step_within_contact():
    assert moves(scene(fighter("ann", (5, 5)))) == block(3, 3, 7, 7, (5, 5))
    board = scene(fighter("ann", (5, 5)), foe("orc", (5, 4)))
    assert moves(board) == {(4, 4), (6, 4), (4, 5), (6, 5)}


@pytest.mark.parametrize(("movement", "reposition", "count"), [(1, 1, 8), (3, 1, 48), (4, 2, 80)])
def test_the_distances_are_house_rules(movement, reposition, count):
    rules = {"movement": movement, "reposition": reposition}
    assert len(moves(scene(fighter("ann", (5, 5)), house_rules=rules, size=(20, 20)))) == count
    board = scene(fighter("ann", (5, 5)), foe("orc", (5, 4)), house_rules=rules)
    assert ((5, 3) in moves(board)) is (reposition == 2)


def test_by_a_house_rule_a_step_may_leave_all_enemies():
    board = scene(fighter("ann", (5, 5)), foe("orc", (5, 4)), house_rules={"disengage": "also by a step"})
    assert moves(board) == block(4, 4, 6, 6, (5, 5), (5, 4))


@pytest.mark.rule("DBL-018")
def test_a_surrounded_character_neither_steps_nor_turns():
    board = scene(fighter("ann", (5, 5)), foe("orc", (5, 4)), foe("owl", (5, 6)))
    assert moves(board) == set()
    assert list(facings(board, character(board, "ann"))) == ["keep"]
    assert default_facing(board, character(board, "ann")) == "keep"
    keys = list(places(board, character(board, "ann")))
    assert keys[0] == "stay"
    assert all(key.startswith("flee ") for key in keys[1:])
    assert len(keys) > 1


RISK = {"surrounded_steps": "at the risk of a counter-attack"}


DEFENDS = ("defend front", "stay", "keep")


def planned(board, **answers):
    """Return the attacks of a round by kind, attacker and target, and whether the target is easy."""
    plans = {key: read_plan(board, character(board, key), *given) for key, given in answers.items()}
    attacks = planned_attacks(board, plans)
    return [(one.kind, one.attacker.id, one.target.id, one.is_easy) for one in attacks]


def between_two(**rules):
    """Ann, surrounded by an orc and an owl."""
    return scene(fighter("ann", (5, 5)), foe("orc", (5, 4)), foe("owl", (5, 6)), house_rules=rules)


@pytest.mark.rule("DBL-017", "DBL-018")
def test_c27_a_surrounded_character_steps_or_turns_at_a_risk_by_a_house_rule():
    # "any non-surrounded character can take a few steps ... without risking any counter-attack"
    board = between_two(**RISK)
    assert moves(board) == {(4, 4), (6, 4), (4, 5), (6, 5), (4, 6), (6, 6)}
    assert len(facings(board, character(board, "ann"))) == 9
    assert (
        default_facing(board, character(board, "ann")),
        default_place(board, character(board, "ann")),
    ) == (
        "keep",
        "stay",
    )
    # The orc defends and strikes; the owl attacks in any case.
    for plan in (("attack 1 orc", "move 4,5", "keep"), ("attack 1 orc", "stay", "east")):
        attacks = planned(board, ann=plan, orc=DEFENDS, owl=("attack 1 ann", "stay", "keep"))
        assert [one[:3] for one in attacks] == [
            ("attack", "ann", "orc"),
            ("attack", "owl", "ann"),
            ("opportunity attack", "orc", "ann"),
        ]
        assert not attacks[-1][3]
    still = planned(board, ann=("attack 1 orc", "stay", "keep"), orc=DEFENDS, owl=DEFENDS)
    assert [kind for kind, *_ in still] == ["attack"]


@pytest.mark.rule("DBL-017", "DBL-018")
def test_c27_who_is_not_surrounded_or_does_not_know_it_takes_no_risk():
    plan = ("attack 1 orc", "move 4,5", "east")
    alone = scene(fighter("ann", (5, 5)), foe("orc", (5, 4)), house_rules=RISK)
    assert [kind for kind, *_ in planned(alone, ann=plan, orc=DEFENDS)] == ["attack"]
    board = with_token(between_two(**RISK), "owl", hidden=True)
    assert [kind for kind, *_ in planned(board, ann=plan, orc=DEFENDS, owl=DEFENDS)] == ["attack"]


@pytest.mark.rule("DBL-052", "DBL-054")
@pytest.mark.parametrize(("setting", "touches"), [("beside it", True), ("on its case", False)])
def test_c28_who_is_in_contact_with_a_lone_gnome(setting, touches):
    # "can only attack an opponent on the case they occupy"
    rules = {"gnome_contact": setting}
    gnome = foe("gil", (5, 4), race="gnome")
    board = scene(fighter("ann", (5, 5)), gnome, house_rules=rules)
    battle, ann, gil = battlefield(board), character(board, "ann"), character(board, "gil")
    assert battle.are_engaged(ann, gil) is battle.are_engaged(gil, ann) is touches
    assert bool(battle.engaged_pairs()) is touches
    assert (moves(board) == block(3, 3, 7, 7, (5, 5))) is not touches
    assert bool(flees(board)) is bool(flees(board, "gil")) is touches
    # On one case both are in contact, also from a case that Ann only thinks of.
    assert battle.are_engaged(ann, gil, (5, 4))
    shared = battlefield(scene(fighter("ann", (5, 4)), gnome, house_rules=rules))
    assert len(shared.engaged_pairs()) == 1
    tall = scene(fighter("ann", (5, 5)), foe("orc", (5, 4)), house_rules=rules)
    assert battlefield(tall).are_engaged(character(tall, "ann"), character(tall, "orc"))


@pytest.mark.rule("DBL-019")
def test_flight_leads_out_of_contact_if_it_can():
    board = scene(fighter("ann", (5, 5)), foe("orc", (5, 4)))
    assert flees(board) == block(3, 3, 7, 7) - block(4, 3, 6, 5)
    assert flees(scene(fighter("ann", (5, 5)))) == set()
    rock = Terrain("rock", "Rock", tuple(block(3, 3, 7, 7, (5, 5), (5, 4), (4, 4))), 0)
    assert flees(scene(fighter("ann", (5, 5)), foe("orc", (5, 4)), terrain=(rock,))) == {(4, 4)}


@pytest.mark.rule("DBL-019")
def test_each_defender_in_contact_strikes_at_a_character_that_flees_without_its_defense():
    board = scene(fighter("ann", (5, 5)), foe("orc", (5, 4)), foe("owl", (4, 4)), foe("far", (9, 9)))
    plans = {"ann": ("defend front", "flee 5,7"), "orc": "defend left"}
    done = play(board, plans, [10, 3, 14])
    assert acts_in(done) == [
        ("opportunity attack", "orc", "ann"),
        ("opportunity attack", "owl", "ann"),
    ]
    assert outcomes(done) == [("orc", "so-so"), ("owl", "blah")]
    assert not any(one["easy"] for one in facts(done, "attack"))
    assert health(done.scene, "ann") == 17
    assert at(done.scene, "ann") == (5, 7)
    assert facts(done, "round")[0]["plans"][0]["stance"] == "flee"
    assert "Opportunity attack: Orc strikes at Ann with Sword." in text_of(board, done)


@pytest.mark.rule("DBL-020")
def test_a_fleeing_character_suffers_the_attack_of_an_attacking_opponent():
    board = scene(fighter("ann", (5, 5)), foe("orc", (5, 4)))
    plans = {"ann": ("attack 1 orc", "flee 5,7"), "orc": "attack 1 ann"}
    done = play(board, plans, [20, 2])
    assert acts_in(done) == [("attack", "orc", "ann")]
    assert facts(done, "outcome") == [{"token": "orc", "difference": 0, "band": "so-so"}]
    assert health(done.scene, "ann") == 18


def test_an_attacker_of_another_target_does_not_strike_at_one_that_flees():
    board = scene(fighter("ann", (5, 5)), fighter("bob", (6, 5)), foe("orc", (5, 4)))
    plans = {"ann": ("defend front", "flee 5,7"), "orc": "attack 1 bob"}
    assert acts_in(play(board, plans, [11, 10])) == [("attack", "orc", "bob")]


def test_an_unarmed_defender_does_not_strike_at_one_that_flees():
    board = scene(fighter("ann", (5, 5)), foe("orc", (5, 4), weapons=[]))
    assert acts_in(play(board, {"ann": ("defend front", "flee 5,7")})) == []


def test_one_that_falls_in_flight_stays():
    board = scene(fighter("ann", (5, 5), tracks={"poise": 1}), foe("orc", (5, 4)))
    done = play(board, {"ann": ("defend front", "flee 5,7")}, [10, 1])
    assert at(done.scene, "ann") == (5, 5)


# Phase 3


def test_characters_turn_and_move_step_by_step():
    board = scene(fighter("ann", (3, 3)), fighter("bob", (8, 8), EAST))
    plans = {"ann": ("defend front", "move 5,3", "south-west"), "bob": ("defend front", "stay", "east")}
    done = play(board, plans)
    assert len(steps(done, "ann")) == 2
    assert at(done.scene, "ann") == (5, 3)
    assert done.scene.token("ann").facing == 225
    assert steps(done, "bob") == []
    done = play(board, {"bob": ("defend front", "stay", "north")})
    assert (at(done.scene, "bob"), done.scene.token("bob").facing) == ((8, 8), 0)
    assert "Bob moves to I9 and faces north." in text_of(board, done)


@pytest.mark.rule("DBL-023")
def test_the_more_agile_gets_a_case_that_two_want_and_the_other_stops_on_its_way():
    board = scene(fighter("ann", (3, 3), agility=9), fighter("bob", (7, 3), agility=11), size=(12, 4))
    plans = {"ann": ("defend front", "move 5,3"), "bob": ("defend front", "move 5,3")}
    done = play(board, plans)
    assert at(done.scene, "bob") == (5, 3)
    assert at(done.scene, "ann") != (5, 3)
    assert at(done.scene, "ann")[0] == 4
    stopped = next(one for one in facts(done, "move") if one["token"] == "ann")
    assert (stopped["wanted"], stopped["to"]) == ([5, 3], list(at(done.scene, "ann")))
    assert "Ann stops at E4" in text_of(board, done)
    assert dice(done) == []


@pytest.mark.parametrize(("lots", "first"), [([5, 6], "bob"), ([6, 5], "ann"), ([5, 5], "ann")])
def test_equals_draw_lots_for_a_case(lots, first):
    board = scene(fighter("ann", (3, 3)), fighter("bob", (7, 3)))
    done = play(board, {"ann": ("defend front", "move 5,3"), "bob": ("defend front", "move 5,3")}, lots)
    assert at(done.scene, first) == (5, 3)
    assert dice(done) == [("d20", [lots[0]]), ("d20", [lots[1]])]


def test_a_character_that_flees_goes_first():
    board = scene(fighter("ann", (3, 3), agility=1), foe("orc", (2, 3)), fighter("bob", (7, 3), agility=19))
    done = play(board, {"ann": ("defend front", "flee 5,3"), "bob": ("defend front", "move 5,3")}, [11])
    assert at(done.scene, "ann") == (5, 3)
    assert dice(done)[1:] == []


def test_a_case_that_is_left_in_the_same_phase_is_not_offered():
    board = scene(fighter("ann", (3, 3)), fighter("bob", (5, 3)))
    assert "move 5,3" not in places(board, character(board, "ann"))


def test_a_hidden_token_is_in_no_question_and_stops_a_move():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 5), hidden=True))
    ann = character(board, "ann")
    assert "move 3,5" in places(board, ann)
    assert default_place(board, ann) == "stay"
    done = play(board, {"ann": ("defend front", "move 3,5")})
    assert at(done.scene, "ann") == (3, 4)
    near = scene(fighter("ann", (3, 3)), foe("orc", (3, 4), hidden=True))
    assert not flees(near) or "flee 3,1" not in places(near, character(near, "ann"))


# Ways


def test_walls_and_closed_terrain_are_in_the_way_and_rough_ground_costs_more():
    wall = Wall("w", (4 * 64, 0, 4 * 64, 10 * 64))
    rock = Terrain("rock", "Rock", ((3, 2),), 0)
    mud = Terrain("mud", "Mud", ((3, 4), (2, 4)), 2)
    board = scene(fighter("ann", (3, 3)), walls=(wall,), terrain=(rock, mud))
    found = free_moves(board, character(board, "ann"))
    assert all(x < 4 for x, _ in found)
    assert (3, 2) not in found
    assert found[3, 4] == 2
    assert (3, 5) not in found
    assert found[2, 2] == 1


def test_the_default_goes_to_the_nearest_enemy_around_walls_and_stops_beside_it():
    board = scene(fighter("ann", (1, 1)), foe("orc", (6, 1)), foe("owl", (1, 8)))
    assert default_place(board, character(board, "ann")) == "move 3,1"
    assert default_facing(board, character(board, "ann")) == "east"
    assert default_place(scene(fighter("ann", (1, 1)), foe("orc", (2, 2))), character(board, "ann")) == "stay"
    wall = Wall("w", (3 * 64, 0, 3 * 64, 3 * 64))
    board = scene(fighter("ann", (2, 1)), foe("orc", (4, 1)), walls=(wall,))
    assert approach(board, character(board, "ann")) == (2, 3)
    closed = Wall("w", (3 * 64, 0, 3 * 64, 10 * 64))
    board = scene(fighter("ann", (1, 1)), foe("orc", (4, 1)), walls=(closed,))
    assert approach(board, character(board, "ann")) == (2, 1)
    board = scene(fighter("ann", (2, 1)), foe("orc", (4, 1)), walls=(closed,))
    assert approach(board, character(board, "ann")) is None


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ((5, 2), "north"),
        ((8, 2), "north-east"),
        ((8, 5), "east"),
        ((8, 8), "south-east"),
        ((5, 8), "south"),
        ((2, 8), "south-west"),
        ((2, 5), "west"),
        ((2, 2), "north-west"),
        ((6, 1), "north"),
        ((9, 4), "east"),
    ],
)
def test_the_default_faces_the_nearest_enemy(cell, name):
    board = scene(fighter("ann", (5, 5)), foe("orc", cell))
    assert default_facing(board, character(board, "ann")) == name


def test_without_enemies_the_default_keeps_place_and_facing():
    board = scene(fighter("ann", (5, 5)), fighter("bob", (6, 6)))
    assert default_facing(board, character(board, "ann")) == "keep"
    assert default_place(board, character(board, "ann")) == "stay"


# By hand


def judged(board, at_, token="ann"):
    return DOUBLE_LIFE.judge(board, board.token(token), (at_,), None)


@pytest.mark.rule("DBL-023")
def test_characters_are_moved_by_hand_before_the_first_round_only():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 5)))
    reach = DOUBLE_LIFE.reach(board, board.token("ann"))
    assert reach.budget == 2
    assert {(x, y) for x, y, _ in reach.cells} == block(1, 1, 5, 5, (3, 5))
    assert {cost for *_, cost in reach.cells} == {0, 1, 2}
    assert judged(board, (5, 4)).allowed
    assert judged(board, (5, 4)).cost == 2
    assert judged(board, (5, 4)).path[0] == (3, 3)
    assert judged(board, (6, 3)).reasons == ("Ann cannot reach the case within 2 cases (DBL-023).",)
    assert judged(board, (3, 5)).reasons == ("Orc stands there. (DBL-052)",)
    assert judged(board, (30, 5)).reasons == ("That is off the board. (DBL-052)",)
    later = scene(fighter("ann", (3, 3)), number=1)
    assert DOUBLE_LIFE.reach(later, later.token("ann")) is None
    assert judged(later, (4, 3)).reasons == ("Characters move in phase 3 of a round (DBL-023).",)
    assert judged(later, (4, 3)).cost == 1


def test_a_dead_character_does_not_move():
    board = scene(fighter("ann", None, conditions={"out": ""}, tracks={"health": 0}))
    assert DOUBLE_LIFE.reach(board, board.token("ann")) is None
    assert judged(board, (4, 3)).reasons == ("Ann is dead (DBL-036).",)


def test_a_character_enters_the_board_anywhere_free():
    board = scene(fighter("ann"), foe("orc", (5, 5)))
    assert judged(board, (9, 9)).allowed
    assert judged(board, (9, 9)).cost == 0
    assert not judged(board, (5, 5)).allowed


def test_a_move_by_hand_is_recorded_even_against_the_rules_and_turns_by_eighths():
    board = scene(fighter("ann", (3, 3), NORTH))
    done = do(board, go("ann", 4, 3, facing=100))
    assert (at(done.scene, "ann"), done.scene.token("ann").facing) == ((4, 3), 90)
    assert text_of(board, done) == "Ann is placed."
    done = do(board, go("ann", 9, 9))
    assert (at(done.scene, "ann"), done.scene.token("ann").facing) == ((9, 9), NORTH)
    assert "against the rules: Ann cannot reach" in text_of(board, done)
    done = do(board, Act(kind="move", token="ann", facing=SOUTH))
    assert (at(done.scene, "ann"), done.scene.token("ann").facing) == ((3, 3), SOUTH)
    with pytest.raises(IllegalAct):
        do(scene(fighter("ann")), Act(kind="move", token="ann"))


def test_equals_that_want_different_cases_or_can_share_one_draw_no_lots():
    board = scene(fighter("ann", (3, 3)), fighter("bob", (7, 3)))
    done = play(board, {"ann": ("defend front", "move 4,3"), "bob": ("defend front", "move 6,3")})
    assert dice(done) == []
    gnomes = scene(fighter("ann", (3, 3), race="gnome"), fighter("bob", (7, 3), race="gnome"))
    done = play(gnomes, {"ann": ("defend front", "move 5,3"), "bob": ("defend front", "move 5,3")})
    assert (at(done.scene, "ann"), at(done.scene, "bob"), dice(done)) == ((5, 3), (5, 3), [])
    trolls = scene(fighter("ann", (1, 3), race="troll"), fighter("bob", (6, 4), race="troll"))
    plans = {"ann": ("defend front", "move 3,3"), "bob": ("defend front", "move 4,4")}
    assert len(dice(play(trolls, plans, [3, 4]))) == 2


def test_the_nearest_enemy_is_not_the_first_by_name():
    board = scene(fighter("ann", (5, 5)), foe("far", (5, 1)), foe("near", (8, 5)), foe("off"))
    assert default_facing(board, character(board, "ann")) == "east"
    assert default_place(board, character(board, "ann")) == "move 7,5"


def test_a_facing_is_explained_in_degrees():
    board = scene(fighter("ann", (3, 3)))
    done = play(board, {"ann": ("defend front", "stay", "south")})
    assert facts(done, "round")[0]["plans"][0]["facing"] == 180
    assert facts(done, "move") == [
        {"token": "ann", "flight": False, "to": [3, 3], "wanted": [3, 3], "facing": 180}
    ]
    flight = scene(fighter("ann", (5, 5)), foe("orc", (5, 4), weapons=[]))
    done = play(flight, {"ann": ("defend front", "flee 5,7")})
    assert facts(done, "move")[0]["flight"]
    assert text_of(flight, done).endswith("Ann flees to F8 and faces north.")


def test_plain_terrain_costs_one_and_the_highest_cost_of_a_case_counts():
    patches = (
        Terrain("grass", "Grass", ((3, 2), (4, 3)), 1),
        Terrain("mud", "Mud", ((4, 3), (2, 3)), 2),
        Terrain("hole", "Hole", ((2, 3),), 0),
    )
    board = scene(fighter("ann", (3, 3)), terrain=patches)
    found = free_moves(board, character(board, "ann"))
    assert (found[3, 2], found[4, 3]) == (1, 2)
    assert (2, 3) not in found


def test_a_facing_between_the_eight_is_the_nearest_of_them():
    board = scene(fighter("ann", (3, 3)))
    found = [direction_of(with_token(board, "ann", facing=f).token("ann")) for f in (350, 20, 25, 337, 338)]
    assert found == [0, 0, 1, 7, 0]
    assert direction_of(with_token(board, "ann", facing=None).token("ann")) == 0


def test_the_default_facing_counts_columns_and_rows_apart():
    board = scene(fighter("ann", (8, 2)), foe("orc", (8, 7)))
    assert default_facing(board, character(board, "ann")) == "south"
    board = scene(fighter("ann", (1, 6)), foe("orc", (9, 6)))
    assert default_facing(board, character(board, "ann")) == "east"


def test_the_log_names_the_facing():
    board = scene(fighter("ann", (3, 3)))
    for name in ("north-east", "south-west", "west", "north-west"):
        done = play(board, {"ann": ("defend front", "stay", name)})
        assert text_of(board, done).endswith(f"faces {name}.")


def test_a_move_by_hand_turns_to_the_nearest_of_eight():
    board = scene(fighter("ann", (3, 3)))
    turned = [do(board, go("ann", 4, 3, facing=f)).scene.token("ann").facing for f in (338, 337, 22, 23)]
    assert turned == [0, 315, 0, 45]


@pytest.mark.rule("DBL-023")
def test_a_path_drawn_by_hand_is_walked_case_by_case():
    board = scene(fighter("ann", (5, 5)), foe("orc", (6, 5)))

    def drawn(*path):
        return DOUBLE_LIFE.judge(board, board.token("ann"), path, None)

    assert drawn((5, 4), (6, 4)).path == ((5, 5), (5, 4), (6, 4))
    assert drawn((6, 4)).path == ((5, 5), (6, 4))
    assert not drawn((6, 5), (7, 5)).allowed  # through a body
    assert not drawn((5, 4), (5, 3), (6, 3)).allowed  # as drawn it is too long, though its end is in reach
    assert drawn((6, 3)).allowed


def test_waypoints_that_lie_apart_are_joined_by_the_cheapest_way():
    board = scene(fighter("ann", (5, 5)), foe("orc", (1, 1)), house_rules={"movement": 4})
    judged = DOUBLE_LIFE.judge(board, board.token("ann"), ((5, 3), (7, 3)), None)
    assert judged.allowed
    assert (judged.cost, judged.path) == (4, ((5, 5), (5, 4), (5, 3), (6, 3), (7, 3)))


@pytest.mark.rule("DBL-017")
def test_a_drawn_path_through_a_wall_is_refused_though_a_way_leads_around_it():
    wall = Wall("w", (4 * 64, 3 * 64, 4 * 64, 4 * 64))
    board = scene(fighter("ann", (3, 3)), foe("orc", (9, 9)), walls=(wall,), house_rules={"movement": 8})

    def is_allowed(*path):
        return DOUBLE_LIFE.judge(board, board.token("ann"), path, None).allowed

    assert is_allowed((4, 3))
    assert not is_allowed((4, 3), (5, 3))
