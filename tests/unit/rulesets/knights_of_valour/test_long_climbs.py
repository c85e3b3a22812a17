"""Climbs and descents longer than a Move Action, and heights above the ground (KOV-042)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.knights_of_valour.battlefield import battlefield
from enfilade.scene.model import Wall
from tests.unit.rulesets.knights_of_valour.scenes import (
    do,
    facts,
    go,
    hero,
    in_round,
    judged,
    melee,
    monster,
    patch,
    reach,
    refused,
    scene,
    text_of,
    with_token,
)


def attackers(done):
    """The creatures that made Attacks of Opportunity."""
    return [one["token"] for one in facts(done, "free attack")]


TOWER = patch("raised", (6, 5), height=20)
TOP = (6, 5)


def climber(*others, at=(5, 5), terrain=(TOWER,), **options):
    board = scene(hero("aldis", at, movement=30), *others, terrain=terrain, **options)
    return in_round(board, "aldis")


def next_round(board):
    """Start the next round with all turns over."""
    return in_round(
        replace(board, tokens=tuple(replace(t, tracks=_kept(t.tracks)) for t in board.tokens)),
        "aldis",
        number=2,
    )


def _of(token):
    return {"tracks": token.tracks, "conditions": token.conditions}


def _kept(tracks):
    return {name: value for name, value in tracks.items() if name != "moves used"}


@pytest.mark.rule("KOV-042")
def test_a_climb_longer_than_a_move_action_goes_on_in_the_next():
    # "Climb from the base of a climbable surface": a tower of 20 feet was out of reach for ever.
    board = climber()
    first = judged(board, "aldis", TOP)
    assert (first.allowed, first.cost) == (True, 30)
    assert "15 feet" in first.reasons[0]
    done = do(board, go("aldis", *TOP))
    aldis = done.scene.token("aldis")
    assert (aldis.at, aldis.track("hanging"), aldis.conditions["climbing"]) == ((5, 5), 15, "6,5")
    assert "hangs 15 feet above" in text_of(board, done)
    again = next_round(done.scene)
    assert (judged(again, "aldis", TOP).cost, reach(again, "aldis")[TOP]) == (15, 15)
    top = do(again, go("aldis", *TOP)).scene.token("aldis")
    assert (top.at, top.track("hanging"), top.has("climbing")) == (TOP, 0, False)
    assert not {"hanging", "climb paid"} & top.tracks.keys()


@pytest.mark.rule("KOV-042")
def test_a_climb_that_takes_a_third_move_action_is_not_within_reach_in_the_second():
    high = patch("raised", TOP, height=60)
    again = next_round(do(climber(terrain=[high]), go("aldis", *TOP)).scene)
    assert reach(again, "aldis") == {(5, 5): 30}  # back to the ground
    assert judged(again, "aldis", TOP).allowed  # it hangs higher


@pytest.mark.rule("KOV-042")
@pytest.mark.parametrize("height", [13, 14, 15])
def test_a_climb_that_only_its_last_step_makes_too_long_goes_on_as_well(height):
    # Two feet for each foot are at most a whole Move Action, and with the step onto the top more than that.
    board = climber(terrain=(patch("raised", TOP, height=height),))
    aldis = do(board, go("aldis", *TOP)).scene.token("aldis")
    assert (aldis.at, aldis.track("hanging")) == ((5, 5), height)
    assert (
        do(next_round(with_token(board, "aldis", **_of(aldis))), go("aldis", *TOP)).scene.token("aldis").at
        == TOP
    )


@pytest.mark.rule("KOV-042")
def test_a_climb_that_fits_one_move_action_is_not_begun_with_less():
    board = scene(hero("aldis", (3, 5), movement=30), terrain=(patch("raised", TOP, height=12),))
    judgement = judged(in_round(board, "aldis"), "aldis", TOP)
    assert not judgement.allowed


@pytest.mark.rule("KOV-042")
def test_a_climb_whose_rest_takes_just_a_move_action_arrives():
    board = climber(at=(4, 5), terrain=[patch("raised", TOP, height=25)])  # 5 feet of walk, then 55
    again = next_round(do(board, go("aldis", *TOP)).scene)
    assert (judged(again, "aldis", TOP).cost, reach(again, "aldis")[TOP]) == (30, 30)
    assert do(again, go("aldis", *TOP)).scene.token("aldis").at == TOP


@pytest.mark.rule("KOV-042")
def test_what_is_climbed_is_not_climbed_again():
    board = climber(terrain=[patch("raised", TOP, height=14)])
    again = next_round(do(board, go("aldis", *TOP)).scene)
    (found,) = facts(do(again, go("aldis", *TOP)), "move")
    assert [tuple(step) for step in found["sub_actions"]] == [("walk", 3)]


@pytest.mark.rule("KOV-034", "KOV-044")
@pytest.mark.parametrize(("begin", "back"), [((1, 5), 0), ((2, 5), 14)])
def test_who_hangs_reaches_the_squares_around_by_the_way_down(begin, back):
    # 10 feet of Movement are left for 5 feet of height, which are its own; or 15 for 7.
    again = next_round(do(climber(at=begin), go("aldis", *TOP)).scene)
    x, y = again.token("aldis").at
    found = reach(again, "aldis")
    assert (found[x, y], found[x - 1, y]) == (back, back + 5)
    assert max(cost for cell, cost in found.items() if cell != TOP) <= 30


@pytest.mark.rule("KOV-042")
def test_nobody_hangs_on_a_climb_before_the_first_round():
    board = scene(hero("aldis", (5, 5), movement=30), terrain=[TOWER])
    assert not judged(board, "aldis", TOP).allowed


@pytest.mark.rule("KOV-044")
def test_a_descent_longer_than_a_move_action_goes_on_in_the_next():
    board = climber(at=TOP)
    done = do(board, go("aldis", 5, 5))
    aldis = done.scene.token("aldis")
    assert (aldis.at, aldis.track("hanging")) == (TOP, -12)
    again = next_round(done.scene)
    assert judged(again, "aldis", (5, 5)).cost == 45 - 30
    assert do(again, go("aldis", 5, 5)).scene.token("aldis").at == (5, 5)


@pytest.mark.rule("KOV-034", "KOV-042")
def test_who_hangs_climbs_back_and_away_at_its_cost():
    again = next_round(do(climber(), go("aldis", *TOP)).scene)
    assert judged(again, "aldis", (5, 5)).cost == 30  # 15 feet down, more than its own height
    assert not judged(again, "aldis", (4, 5)).allowed
    done = do(again, go("aldis", 5, 5))
    down = done.scene.token("aldis")
    assert (down.at, down.has("climbing")) == ((5, 5), False)
    assert text_of(again, done) == "Aldis climbs back to its square.\nDescend 30."
    assert set(reach(again, "aldis")) == {(5, 5), TOP}


@pytest.mark.rule("KOV-034")
def test_a_climb_that_one_move_action_pays_for_is_not_broken_off():
    low = patch("raised", (6, 5), height=10)
    far = climber(at=(3, 5), terrain=[low])  # 10 feet of walking, and a climb of 20 and a step
    ruling = judged(far, "aldis", TOP)
    assert not ruling.allowed
    assert "35 feet" in ruling.reasons[0]


@pytest.mark.rule("KOV-036", "KOV-042", "KOV-051")
def test_who_begins_to_climb_away_is_attacked_once_and_is_out_of_reach_above():
    board = climber(monster("orc", (4, 5)))
    done = do(board, go("aldis", *TOP), (2,))
    assert attackers(done) == ["orc"]
    again = next_round(done.scene)
    assert not KNIGHTS_OF_VALOUR.engagements(again)
    assert attackers(do(again, go("aldis", *TOP))) == []
    orc = in_round(again, "orc", number=2)
    with pytest.raises(Exception, match="15 feet higher or lower"):
        do(orc, melee("orc", "aldis", "Dagger"))


@pytest.mark.rule("KOV-042")
@pytest.mark.parametrize(("rule", "is_refused"), [("only climbs", True), ("acts as on the ground", False)])
def test_what_one_does_that_hangs_is_a_house_rule(rule, is_refused):
    board = with_token(climber(monster("bat", (5, 4)), house_rules={"hanging": rule}), "bat", elevation=192)
    board = next_round(do(board, go("aldis", *TOP)).scene)
    assert bool(refused(board, melee("aldis", "bat"))) is is_refused


@pytest.mark.rule("KOV-051", "KOV-066", "KOV-036")
def test_elevation_counts_in_melee_range_engagement_and_reactions():
    # 64 is a square of 5 feet.
    for feet, is_near in ((5, True), (10, False)):
        board = climber(terrain=())
        board = scene(hero("aldis", (5, 5)), monster("bat", (6, 5)))
        board = in_round(with_token(board, "bat", elevation=64 * feet // 5), "aldis")
        battle = battlefield(board)
        aldis, bat = (next(one for one in battle.units if one.id == key) for key in ("aldis", "bat"))
        assert battle.feet_between(aldis, bat) == feet
        assert (refused(board, melee("aldis", "bat")) == "") is is_near
        assert bool(KNIGHTS_OF_VALOUR.engagements(board)) is is_near
        assert bool(attackers(do(board, go("aldis", 3, 5), (2,) if is_near else ()))) is is_near


@pytest.mark.rule("KOV-038", "KOV-042")
@pytest.mark.parametrize("is_taken", [False, True])
def test_nobody_hangs_above_a_square_where_an_ally_stands(is_taken):
    corridor = [Wall(id=f"w{y}", line=(0, 64 * y, 16 * 64, 64 * y)) for y in (5, 6)]
    board = climber(hero("bran", (5, 5) if is_taken else (1, 5)), at=(4, 5), walls=corridor)
    ruling = judged(board, "aldis", TOP)
    assert ruling.allowed is not is_taken
    assert ("50 feet" in ruling.reasons[0]) is is_taken


@pytest.mark.rule("KOV-042")
@pytest.mark.parametrize("hang_rule", ["only climbs", "acts as on the ground"])
def test_each_move_action_of_a_long_climb_adds_half_its_feet(hang_rule):
    board = climber(terrain=[patch("raised", TOP, height=50)], house_rules={"hanging": hang_rule})
    heights = []
    for _ in range(4):
        board = next_round(do(board, go("aldis", *TOP)).scene)
        heights.append(board.token("aldis").track("hanging"))
    assert (heights, board.token("aldis").at) == ([15, 30, 45, 0], TOP)


@pytest.mark.rule("KOV-034", "KOV-042")
def test_a_climb_that_takes_just_a_move_action_is_not_begun_with_the_rest_of_one():
    tower = patch("raised", TOP, height=15)
    near = climber(terrain=[tower])
    just = with_token(near, "aldis", profile={**near.token("aldis").profile, "movement": 35})
    assert judged(just, "aldis", TOP).cost == 35
    assert not judged(with_token(just, "aldis", at=(4, 5)), "aldis", TOP).allowed


@pytest.mark.rule("KOV-042")
def test_the_log_tells_of_one_who_hangs_just_above_the_ground():
    board = climber(at=(0, 5))  # 25 feet of walk, and 2 of the 27
    board = with_token(board, "aldis", profile={**board.token("aldis").profile, "movement": 27})
    assert "Aldis hangs 1 feet above" in text_of(board, do(board, go("aldis", *TOP)))
