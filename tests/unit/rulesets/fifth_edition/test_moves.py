"""Space, speed and moves, with opportunity attacks before the step (SRD-001 to SRD-034, SRD-058, SRD-077)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.scene.model import Grid, Terrain
from tests.unit.rulesets.fifth_edition.scenes import (
    GLAIVE,
    act,
    battle,
    cost,
    creature,
    play,
    refused,
    with_token,
)

ANN, BO = creature("ann", "blue", (5, 5)), creature("bo", "red", (15, 5))


def distance(one, other, **more):
    scene = battle(one, other, **more)
    return FIFTH_EDITION.sight(scene, *scene.tokens[:2]).distance


@pytest.mark.rule("SRD-001", "SRD-002", "SRD-003")
def test_distances_go_from_the_nearest_squares_and_a_diagonal_counts_5_feet_or_10_by_turns():
    near = creature("bo", "red", (3, 2))
    assert distance(creature("ann", "blue", (0, 0)), near) == "15 feet"
    assert distance(creature("ann", "blue", (0, 0)), near, rules={"diagonals": "5-10-5"}) == "20 feet"
    assert distance(creature("ann", "blue", (0, 0), size="large"), creature("bo", "red", (4, 1))) == "15 feet"
    slow = creature("ann", "blue", (5, 5), speeds={"walk": 29})
    assert FIFTH_EDITION.reach(battle(slow, BO), slow).budget == 25


@pytest.mark.rule("SRD-004")
def test_a_diagonal_step_cuts_no_corner_of_solid_ground_and_passes_creatures():
    rock = Terrain("rock", "Rock", ((6, 5),), 0)
    scene = battle(ANN, BO, terrain=(rock,))
    assert cost(scene, (6, 6)) == 10
    assert cost(battle(ANN, creature("bo", "red", (6, 5))), (6, 6)) == 5


@pytest.mark.rule("SRD-009")
@pytest.mark.parametrize(("size", "count"), [("large", 3), ("huge", 7), ("gargantuan", 12)])
def test_large_creatures_fill_several_hexes(size, count):
    grid = Grid("hex_odd_r", 20, 14, 5, "feet")
    scene = battle(creature("ann", "blue", (6, 5), size=size), BO, grid=grid)
    runs = FIFTH_EDITION.body(scene, scene.token("ann"))
    assert sum(last - first + 1 for _, first, last in runs) == count


@pytest.mark.rule("SRD-010")
def test_the_greater_of_the_distances_along_the_ground_and_in_height_counts():
    above = creature("bo", "red", (7, 5), elevation=25)
    assert distance(ANN, above) == "25 feet"


@pytest.mark.rule("SRD-011", "SRD-012", "SRD-015", "SRD-016")
def test_a_speed_of_30_lasts_for_two_plain_and_two_difficult_squares():
    mud = Terrain("mud", "Mud", tuple((x, y) for x in (8, 9) for y in range(14)), 2)
    scene = battle(ANN, BO, terrain=(mud, replace(mud, id="more")))
    assert [cost(scene, (x, 5)) for x in (6, 7, 8, 9, 10)] == [5, 10, 20, 30, None]
    moved = play(scene, act("move", at=(7, 5))).scene
    assert moved.token("ann").track("moved") == 10
    assert FIFTH_EDITION.reach(moved, moved.token("ann")).budget == 20


@pytest.mark.rule("SRD-020", "SRD-023", "SRD-025")
def test_one_that_lies_crawls_at_twice_the_cost_and_stands_up_for_half_its_speed():
    lying = creature("ann", "blue", (5, 5), "prone", speeds={"walk": 25})
    mud = Terrain("mud", "Mud", ((5, 4),), 2)
    scene = battle(lying, BO, terrain=(mud,))
    assert (cost(scene, (6, 5)), cost(scene, (5, 4))) == (10, 15)
    stood = play(scene, act("stand")).scene
    assert not stood.token("ann").has("prone")
    assert stood.token("ann").track("moved") == 12
    assert FIFTH_EDITION.reach(stood, stood.token("ann")).budget == 10
    moved = [refused(with_token(scene, "ann", tracks={"moved": feet}), act("stand"))[0] for feet in (13, 14)]
    assert moved == ["", "SRD-023"], "all that is left may be spent"
    held = battle(creature("ann", "blue", (5, 5), "prone", "restrained"), BO)
    assert refused(held, act("stand"))[0] == "SRD-023"
    assert refused(battle(ANN, BO), act("stand"))[0] == "SRD-023"


@pytest.mark.rule("SRD-033", "SRD-034")
@pytest.mark.parametrize(
    ("other", "width", "expected"),
    [
        (creature("bo", "red", (6, 5)), 1, None),
        (creature("bo", "red", (6, 5), size="large"), 2, None),
        (creature("bo", "red", (6, 5), size="huge"), 3, 35),
        (creature("bo", "red", (6, 5), size="tiny"), 1, 10),
        (creature("bo", "red", (6, 5), "stunned"), 1, 15),
        (creature("bo", "blue", (6, 5)), 1, 10),
    ],
    ids=["medium", "large", "huge", "tiny", "stunned", "ally"],
)
def test_who_may_be_passed_in_a_corridor_and_no_one_ends_there(other, width, expected):
    """Ann is Medium and goes along a corridor that the other fills."""
    open_ground = {(x, y) for x in range(5, 12) for y in range(5, 5 + width)}
    rock = tuple((x, y) for x in range(20) for y in range(14) if (x, y) not in open_ground)
    ann, far = creature("ann", "blue", (5, 5), speeds={"walk": 60}), creature("cy", "red", (11, 5))
    scene = battle(ann, other, far, terrain=(Terrain("rock", "Rock", rock, 0),))
    behind = (6 + width, 5)
    assert cost(scene, (6, 5)) is None
    assert cost(scene, behind) == expected


def test_a_dash_doubles_the_speed_and_takes_the_action():
    dashed = play(battle(ANN, BO), act("dash")).scene
    assert FIFTH_EDITION.reach(dashed, dashed.token("ann")).budget == 60
    assert refused(dashed, act("dash"))[0] == "SRD-049"


@pytest.mark.rule("SRD-077", "SRD-079", "SRD-080")
def test_an_opportunity_attack_is_made_before_the_step_that_leaves_the_reach():
    scene = battle(creature("ann", "blue", (1, 1)), creature("bo", "red", (2, 2)))
    inside = play(scene, act("move", at=(3, 1)))
    assert inside.result.result == "moved"
    asked = []
    leaving = play(scene, act("move", at=(5, 2)), 12, 4, decisions=["yes"])
    kinds = [event.kind for event in leaving.events if hasattr(event, "kind")]
    asked = [event for event in leaving.events if hasattr(event, "question")]
    assert kinds == ["move", "opportunity", "hit"]
    assert len(asked) == 1
    assert leaving.scene.token("ann").track("hp") == 30 - 7
    assert leaving.scene.token("bo").has("reacted")
    assert leaving.scene.token("ann").at == (5, 2)
    waived = play(scene, act("move", at=(5, 2)), decisions=["no"]).scene
    assert waived.token("ann").track("hp") == 30


@pytest.mark.rule("SRD-080")
def test_a_reach_weapon_threatens_10_feet():
    scene = battle(creature("ann", "blue", (3, 2)), creature("bo", "red", (2, 2), attacks=(GLAIVE,)))
    assert FIFTH_EDITION.judge(scene, scene.token("ann"), ((4, 2),), None).steps == ()
    steps = FIFTH_EDITION.judge(scene, scene.token("ann"), ((5, 2),), None).steps
    assert [step.at for step in steps if step.provokes] == [(5, 2)]


@pytest.mark.rule("SRD-078", "SRD-081", "SRD-059")
@pytest.mark.parametrize(
    ("mover", "enemy"),
    [
        ((), ("blinded",)),
        (("invisible",), ()),
        ((), ("reacted",)),
        ((), ("incapacitated",)),
        (("disengaged",), ()),
    ],
)
def test_there_is_no_opportunity_attack_by_one_that_cannot_make_it_or_on_one_that_disengages(mover, enemy):
    scene = battle(creature("ann", "blue", (1, 1), *mover), creature("bo", "red", (2, 2), *enemy))
    assert play(scene, act("move", at=(5, 1))).scene.token("ann").at == (5, 1)
    assert FIFTH_EDITION.reach(scene, scene.token("ann")).provokes == ()


@pytest.mark.rule("SRD-059")
def test_disengage_takes_the_action_and_lasts_for_the_turn():
    scene = battle(creature("ann", "blue", (1, 1)), creature("bo", "red", (2, 2)))
    away = play(scene, act("disengage")).scene
    assert FIFTH_EDITION.reach(away, away.token("ann")).provokes == ()
    assert not play(away, act("end")).scene.token("ann").has("disengaged")


@pytest.mark.rule("SRD-082")
def test_one_that_dies_by_an_opportunity_attack_never_takes_the_step():
    goblin = creature("ann", "blue", (1, 0), hit_points=10)
    scene = battle(goblin, creature("bo", "red", (0, 0)), creature("cy", "blue", (9, 9)))
    done = play(scene, act("move", at=(3, 0)), 20, 8, 8, decisions=["yes"])
    assert done.result.result == "stopped"
    assert done.scene.token("ann").has("out")
    assert done.scene.token("ann").track("moved") == 0


def test_a_move_of_another_and_a_held_one_is_judged_for_that_reason():
    scene = battle(ANN, BO)
    assert FIFTH_EDITION.reach(scene, scene.token("bo")).budget == 0
    ruling = FIFTH_EDITION.judge(scene, scene.token("bo"), ((14, 5),), None)
    assert "SRD-049" in ruling.reasons[0]
    held = with_token(scene, "ann", conditions={"grappled": "bo"})
    assert "SRD-014" in FIFTH_EDITION.judge(held, held.token("ann"), ((6, 5),), None).reasons[0]


@pytest.mark.rule("SRD-077")
def test_the_overlay_names_who_may_react_if_a_creature_leaves_its_reach():
    scene = battle(ANN, creature("bo", "red", (6, 5)), creature("cy", "red", (9, 5)))
    found = FIFTH_EDITION.areas(scene, scene.token("ann"), "reactions")
    assert [(one.label, one.runs) for one in found] == [("Bo may react", ((5, 6, 6),))]
    off = with_token(scene, "ann", at=None)
    assert FIFTH_EDITION.areas(off, off.token("ann"), "reactions") == ()


@pytest.mark.rule("SRD-012", "SRD-015")
def test_a_way_around_by_waypoints_is_paid_whole():
    scene = battle(ANN, creature("bo", "red", (19, 13)))
    around = replace(act("move", at=(6, 5)), path=((5, 3), (6, 5)))
    walked = play(scene, around).scene.token("ann")
    assert (walked.at, walked.track("moved")) == ((6, 5), 20)
