"""Attacks of Opportunity on a creature that moves away (KOV-036, KOV-037)."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, ChoicePending, resolve
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.knights_of_valour.combat.reactions import opportunists, provocations, threats
from enfilade.rulesets.knights_of_valour.move_plan import Start, path_search, plan
from enfilade.rulesets.knights_of_valour.movement import move
from enfilade.rulesets.knights_of_valour.profiles import read_creature
from enfilade.scene.model import Wall
from tests.seeds import seeds
from tests.unit.rulesets.knights_of_valour.scenes import (
    dice,
    do,
    facts,
    go,
    hero,
    in_round,
    melee,
    monster,
    patch,
    points,
    questions,
    refused,
    scene,
    squares,
    with_condition,
    with_token,
)
from tests.unit.rulesets.knights_of_valour.test_shared_answers import CELLS, random_board


def board_with(*enemies, at=(5, 5), house_rules=None, terrain=(), **sheet):
    board = scene(hero("aldis", at, **sheet), *enemies, house_rules=house_rules, terrain=terrain)
    return in_round(board, "aldis")


def attackers(done):
    return [fact["token"] for fact in facts(done, "free attack")]


def provoked(board, *at):
    """Each leg that provokes: its first square and the enemies."""
    token = board.token("aldis")
    found = provocations(board, read_creature(token), plan(board, token, (at,)).path)
    return [(leg.start, [one.enemy.id for one in enemies]) for leg, enemies in found]


@pytest.mark.rule("KOV-036", "KOV-037")
def test_two_enemies_that_a_move_leaves_attack_once_each_before_the_step():
    board = board_with(monster("orc", (4, 5)), monster("troll", (4, 6)))
    done = do(board, go("aldis", 7, 5), (2, 15, 3))
    assert attackers(done) == ["orc", "troll"]
    kinds = [type(event).__name__ for event in done.events]
    assert kinds.index("TokenMoved") > max(i for i, kind in enumerate(kinds) if kind == "DiceRolled")
    assert squares(done, "aldis") == [(6, 5), (7, 5)]
    assert points(done, "aldis") == 17


@pytest.mark.rule("KOV-036")
def test_a_step_that_stays_adjacent_provokes_nothing():
    board = board_with(monster("orc", (4, 5)))
    assert attackers(do(board, go("aldis", 5, 4))) == []
    assert attackers(do(board, go("aldis", 4, 4))) == []
    assert attackers(do(board, go("aldis", 6, 5), (2,))) == ["orc"]


@pytest.mark.rule("KOV-036")
def test_the_attack_comes_before_the_step_that_leaves_and_not_before_the_first():
    passing = board_with(monster("orc", (7, 4)), at=(5, 5))
    path = ((7, 5), (10, 5))
    ruling = KNIGHTS_OF_VALOUR.judge(passing, passing.token("aldis"), path, None)
    assert [(s.at, [p.token for p in s.provokes]) for s in ruling.steps if s.provokes] == [((9, 5), ["orc"])]
    done = do(passing, Act(kind="move", token="aldis", at=(10, 5), path=path), (2,))
    moves = [e.at for e in done.events if hasattr(e, "at") and getattr(e, "token", "") == "aldis"]
    assert moves == [(6, 5), (7, 5), (8, 5), (9, 5), (10, 5)]
    place = next(i for i, e in enumerate(done.events) if getattr(e, "at", None) == (8, 5))
    rolled = next(i for i, e in enumerate(done.events) if hasattr(e, "faces"))
    assert place < rolled


@pytest.mark.rule("KOV-037")
def test_a_mover_who_is_defeated_stops_there():
    board = board_with(
        monster("orc", (4, 5)), monster("troll", (4, 6)), hero("bran", (12, 9)), damage_points=2
    )
    done = do(board, go("aldis", 8, 5), (15, 4))
    assert attackers(done) == ["orc"]
    assert squares(done, "aldis") == [None]
    assert done.scene.token("aldis").has("out")
    assert done.result.leaves == "defeated"
    assert facts(done, "stopped") == [{"token": "aldis"}]
    assert KNIGHTS_OF_VALOUR.turn(done.scene).token == "orc"


@pytest.mark.rule("KOV-037")
def test_the_enemys_player_chooses_whether_and_with_which_weapon():
    board = board_with(monster("orc", (4, 5), hands=["Sword", "Dagger"]))
    with pytest.raises(ChoicePending) as pending:
        resolve(board, move, (go("aldis", 7, 5),), Answers(automatic=()))
    choice = pending.value.choice
    assert (choice.side, choice.token, choice.default) == ("monsters", "orc", "Sword")
    assert [answer.key for answer in choice.answers] == ["Sword", "Dagger", "no"]
    assert choice.question == "Orc: Attack of Opportunity on Aldis?"
    declined = do(board, go("aldis", 7, 5), decisions=("no",))
    assert (attackers(declined), dice(declined)) == ([], [])
    assert questions(declined) == [("Orc: Attack of Opportunity on Aldis?", "no")]
    dagger = do(board, go("aldis", 7, 5), (15, 4), decisions=("Dagger",))
    assert dice(dagger)[1][1] == "d4"


@pytest.mark.rule("KOV-037")
def test_only_an_enemy_that_can_strike_attacks():
    assert attackers(do(board_with(monster("orc", (4, 5), hands=["Long bow"])), go("aldis", 7, 5))) == []
    unskilled = monster("orc", (4, 5), proficiency={"Dagger": 0})
    assert attackers(do(board_with(unskilled), go("aldis", 7, 5))) == []
    assert attackers(do(board_with(hero("bran", (4, 5))), go("aldis", 7, 5))) == []
    out = with_condition(board_with(monster("orc", (4, 5)), monster("troll", (11, 11))), "orc", "out")
    assert attackers(do(out, go("aldis", 7, 5))) == []


@pytest.mark.rule("KOV-037")
def test_each_move_action_gives_an_enemy_one_attack_and_the_next_another():
    haste = [{"name": "Haste", "kind": "move action"}]
    board = board_with(monster("orc", (4, 5)), buffs=haste)
    first = do(board, go("aldis", 6, 5), (2,)).scene
    assert first.token("orc").conditions["provoked"] == "aldis"
    assert not first.token("aldis").conditions  # a note there would name an enemy that may be hidden
    assert first.token("orc").has("free attack")
    back = do(first, go("aldis", 5, 5)).scene
    assert "provoked" not in back.token("orc").conditions


@pytest.mark.rule("KOV-036")
def test_the_overlay_names_what_a_move_provokes():
    board = board_with(monster("orc", (4, 5)))
    (area,) = KNIGHTS_OF_VALOUR.areas(board, board.token("aldis"), "reactions")
    assert area.label == "Moving away: Attack of Opportunity by Orc with Dagger"
    assert area.runs == ((5, 4, 4),)
    engaged = KNIGHTS_OF_VALOUR.engagements(board)
    assert [pair.tokens for pair in engaged] == [("aldis", "orc")]
    far = board_with(monster("orc", (9, 9)))
    assert KNIGHTS_OF_VALOUR.areas(far, far.token("aldis"), "reactions") == []
    assert KNIGHTS_OF_VALOUR.engagements(far) == []


@pytest.mark.rule("KOV-036", "KOV-051")
@pytest.mark.parametrize(("sides", "engaged"), [("both", 0), ("left", 1), ("right", 1)])
def test_a_wall_between_engages_only_if_one_of_the_two_can_strike(sides, engaged):
    wall = Wall(id="w", line=(5 * 64, 0, 5 * 64, 12 * 64), one_way=sides)
    board = scene(hero("aldis", (5, 5)), monster("orc", (4, 5)), walls=[wall])
    assert len(KNIGHTS_OF_VALOUR.engagements(board)) == engaged
    strikes = [refused(board, asked) for asked in (melee("aldis", "orc"), melee("orc", "aldis", "Dagger"))]
    assert strikes.count("") == engaged


@pytest.mark.rule("KOV-036")
def test_provocations_have_the_chance_of_harm_and_the_expected_damage():
    board = board_with(monster("orc", (4, 5)), agility=2)
    token = board.token("aldis")
    ((leg, (one,)),) = provocations(board, read_creature(token), plan(board, token, ((7, 5),)).path)
    assert (leg.start, leg.end, one.weapon.name) == ((5, 5), (6, 5), "Dagger")
    assert one.chance == pytest.approx(9 / 20)
    assert one.damage == pytest.approx(9 / 20 * 2.5)


@pytest.mark.rule("KOV-036")
def test_the_cheapest_safe_path_provokes_nothing():
    board = board_with(monster("orc", (4, 5)))
    safe = path_search(board, "aldis", Start(30), True).costs()
    assert (5, 4) in safe
    assert (6, 5) not in safe
    free = board_with(monster("orc", (9, 9)))
    assert path_search(free, "aldis", Start(30), True).costs()[6, 5] == 5
    assert path_search(scene(hero("aldis")), "aldis", Start(30), True) is None


@pytest.mark.rule("KOV-036")
def test_a_vault_or_a_climb_out_of_reach_provokes_too():
    board = board_with(
        monster("orc", (4, 5)), terrain=[patch("obstacle", *[(6, y) for y in range(12)], height=3)]
    )
    assert provoked(board, 7, 5) == [((5, 5), ["orc"])]
    up = board_with(monster("orc", (4, 5)), terrain=[patch("raised", (5, 4), height=6)], movement=60)
    assert provoked(up, 5, 4) == [((5, 5), ["orc"])]


def test_the_odds_of_a_move_are_exact():
    board = board_with(monster("orc", (4, 5)), hero("bran", (12, 9)), damage_points=2)
    found = odds(board, move, (go("aldis", 7, 5),))
    assert found.is_exact
    fallen = sum(chance for outcome, chance in found.chances.items() if outcome.leaves == "defeated")
    assert fallen == pytest.approx(11 / 20 * 3 / 4)


@pytest.mark.rule("KOV-036", "KOV-037")
def test_enemies_without_a_melee_weapon_or_off_the_board_are_no_threat_to_a_mover():
    bowman = monster("orc", (4, 5), hands=["Long bow"])
    board = board_with(bowman, monster("troll"), monster("far", (99, 5)), at=(15, 5))
    near = with_token(board, "aldis", at=(5, 5))
    assert KNIGHTS_OF_VALOUR.areas(near, near.token("aldis"), "reactions") == []
    assert [pair.tokens for pair in KNIGHTS_OF_VALOUR.engagements(near)] == [("aldis", "orc")]
    beside = with_token(board, "far", at=(16, 5))
    assert provoked(beside, 13, 5) == []
    assert KNIGHTS_OF_VALOUR.engagements(beside) == []


def reach_of(board):
    return KNIGHTS_OF_VALOUR.reach(board, board.token("aldis"))


def provoked_at(reach):
    """The enemies that the cheapest path to each square provokes."""
    return {(x, y): [reach.provocations[place].token for place in places] for x, y, places in reach.provokes}


@pytest.mark.rule("KOV-036", "KOV-037")
def test_reach_names_the_enemies_that_each_cheapest_path_provokes():
    board = board_with(monster("orc", (4, 5)))
    found = provoked_at(reach_of(board))
    assert found[6, 5] == ["orc"]
    assert (4, 4) not in found  # still adjacent to the orc
    for cell, enemies in found.items():
        ruling = KNIGHTS_OF_VALOUR.judge(board, board.token("aldis"), (cell,), None)
        assert sorted(one.token for step in ruling.steps for one in step.provokes) == sorted(enemies)


@pytest.mark.rule("KOV-036")
def test_a_safe_path_that_is_named_costs_more_than_the_cheapest():
    board = board_with(monster("orc", (7, 4)), at=(5, 5))
    reach = reach_of(board)
    costs, safe = {(x, y): cost for x, y, cost in reach.cells}, {(x, y): cost for x, y, cost in reach.safe}
    assert safe
    assert safe.keys() <= provoked_at(reach).keys()
    assert all(cost > costs[cell] for cell, cost in safe.items())


@pytest.mark.rule("KOV-036")
def test_of_two_paths_at_one_cost_the_safe_one_is_taken():
    board = board_with(monster("orc", (7, 4)), at=(5, 5))
    assert (10, 5) not in provoked_at(reach_of(board))
    done = do(board, go("aldis", 10, 5))
    assert attackers(done) == []
    ruling = KNIGHTS_OF_VALOUR.judge(board, board.token("aldis"), ((10, 5),), None)
    assert squares(done, "aldis") == list(ruling.path[1:])
    assert ruling.cost == 25


def test_nothing_is_provoked_out_of_turn():
    board = scene(hero("aldis", (5, 5)), monster("orc", (4, 5)))
    assert reach_of(board).provokes == ()


@pytest.mark.rule("KOV-033", "KOV-037")
def test_a_move_goes_through_its_waypoints_and_provokes_what_they_provoke():
    board = board_with(monster("orc", (7, 4)), at=(5, 5))
    straight = KNIGHTS_OF_VALOUR.judge(board, board.token("aldis"), ((7, 5), (9, 5)), None)
    around = KNIGHTS_OF_VALOUR.judge(board, board.token("aldis"), ((6, 6), (8, 6), (9, 5)), None)
    assert any(step.provokes for step in straight.steps)
    assert not any(step.provokes for step in around.steps)
    assert [at for at in around.path if at in ((6, 6), (8, 6), (9, 5))] == [(6, 6), (8, 6), (9, 5)]
    act = Act(kind="move", token="aldis", at=(9, 5), path=((6, 6), (8, 6), (9, 5)))
    done = do(board, act, ())
    assert squares(done, "aldis") == list(around.path[1:])
    assert attackers(done) == []


def test_a_waypoint_that_cannot_be_reached_leaves_no_path():
    board = board_with(monster("orc", (7, 4)), at=(5, 5))
    ruling = KNIGHTS_OF_VALOUR.judge(board, board.token("aldis"), ((7, 4), (9, 5)), None)
    assert (ruling.allowed, ruling.cost) == (False, None)


def beside_a_wall_end(**rules):
    """Aldis and an orc north of each other, and a wall that ends between them as Aldis steps east."""
    wall = Wall(id="w", line=(6 * 64, 5 * 64, 12 * 64, 5 * 64))
    board = scene(hero("aldis", (5, 5)), monster("orc", (5, 4)), walls=[wall], house_rules=rules)
    return in_round(board, "aldis")


@pytest.mark.rule("KOV-036")
@pytest.mark.parametrize(("effect", "expected"), [("provokes", ["orc"]), ("no effect", [])])
def test_c27_a_step_round_the_end_of_a_wall_within_5_feet_of_an_enemy(effect, expected):
    board = beside_a_wall_end(round_a_wall=effect)
    assert not refused(board, melee("aldis", "orc"))
    done = do(board, go("aldis", 6, 5), (2,) if expected else ())
    assert attackers(done) == expected
    assert refused(done.scene, melee("aldis", "orc")) == "KOV-051"
    assert provoked(board, 6, 5) == ([((5, 5), ["orc"])] if expected else [])
    assert provoked(board, 5, 7) == [((5, 5), ["orc"])]


@pytest.mark.rule("KOV-036")
def test_c27_an_enemy_that_flies_out_of_reach_is_left_by_either_house_rule():
    for effect in ("provokes", "no effect"):
        board = with_token(beside_a_wall_end(round_a_wall=effect), "orc", elevation=64)
        raised = replace(board, terrain=(patch("raised", (4, 5), (4, 6), height=11),))
        assert attackers(do(raised, go("aldis", 4, 5), (2,))) == ["orc"]
        high = with_token(board, "orc", elevation=192)
        assert attackers(do(high, go("aldis", 6, 6))) == []


@pytest.mark.rule("KOV-031", "KOV-036")
@pytest.mark.parametrize("orc", [(9, 4), (7, 4), (6, 5), (5, 3)])
def test_reach_names_what_a_begun_move_provokes_before_what_another_move_action_does(orc):
    # After one diagonal 15 feet are left; the second Move Action has 30, and counts its diagonals anew.
    rules = {"diagonals": "5 and 10 feet by turns", "split_moves": True}
    haste = [{"name": "Haste", "kind": "move action"}]
    board = board_with(monster("orc", (15, 11)), at=(3, 3), house_rules=rules, buffs=haste)
    board = with_token(do(board, go("aldis", 6, 4)).scene, "orc", at=orc)
    found = reach_of(board)
    provokes = provoked_at(found)
    assert provokes
    for x, y, cost in found.cells:
        ruling = KNIGHTS_OF_VALOUR.judge(board, board.token("aldis"), ((x, y),), None)
        assert ruling.cost == cost
        shown = [one.token for step in ruling.steps for one in step.provokes]
        assert shown == provokes.get((x, y), [])


@pytest.mark.rule("KOV-036")
@pytest.mark.parametrize("is_in_air", [False, True])
@pytest.mark.parametrize("seed", seeds(10))
def test_c27_the_enemies_left_by_each_step_are_the_same_for_a_path_and_for_the_step(seed, is_in_air):
    board = random_board(random.Random(seed), round_a_wall="no effect", map=True)
    board = with_token(board, "c0", elevation=64 if is_in_air else 0)
    for token in board.on_board():
        creature, found = read_creature(token), threats(board, token.id)
        for x, y in CELLS:
            for end in {(x + 1, y), (x, y - 1), (x + 1, y + 1), (x + 2, y)}.intersection(CELLS):
                expected = {one.id for one in opportunists(board, creature, (x, y), end)}
                assert found.provoked((x, y), end) == expected


@pytest.mark.rule("KOV-036", "KOV-051")
@pytest.mark.parametrize(("elevation", "expected"), [(0, []), (128, ["bat"])])
def test_an_enemy_that_flies_beside_a_tower_attacks_who_leaves_it(elevation, expected):
    board = board_with(monster("bat", (6, 5)), terrain=[patch("raised", (5, 5), (4, 5), (3, 5), height=10)])
    board = with_token(board, "bat", elevation=elevation)
    assert attackers(do(board, go("aldis", 3, 5), (2,) if expected else ())) == expected


@pytest.mark.rule("KOV-037", "KOV-042")
@pytest.mark.parametrize(("rule", "expected"), [("only climbs", []), ("acts as on the ground", ["orc"])])
def test_an_enemy_that_hangs_on_a_climb_attacks_by_a_house_rule(rule, expected):
    tower = patch("raised", (3, 5), height=20)
    board = board_with(monster("orc", (4, 5)), terrain=[tower], house_rules={"hanging": rule})
    board = with_condition(
        with_token(board, "orc", tracks={"hanging": 4, "climb paid": 8}), "orc", "climbing", "3,5"
    )
    assert attackers(do(board, go("aldis", 7, 5), (2,) if expected else ())) == expected


@pytest.mark.rule("KOV-064")
def test_the_log_tells_the_feet_of_one_who_moves_on_after_an_attack():
    board = board_with(monster("orc", (4, 5)))
    done = do(board, go("aldis", 7, 5), (18, 1))
    assert points(done, "aldis") == 19
    assert "Aldis moves 10 feet." in KNIGHTS_OF_VALOUR.narrate(board, done.events)
