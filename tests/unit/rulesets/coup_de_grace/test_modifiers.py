"""Melee and ranged attack modifiers: CDG-053 to CDG-061."""

import pytest

from enfilade.rulesets.coup_de_grace.combat.attack_rolls import range_penalty
from tests.unit.rulesets.coup_de_grace.scenes import (
    EAST,
    NORTH,
    SOUTH,
    TEAMS,
    WEST,
    act,
    aim,
    battle,
    do,
    facts,
    foe,
    mini,
    modifiers,
)

HIT = act("melee", "ann", "orc")
SHOT = act("ranged", "ann", "orc", "bow")


def melee(*others, orc_facing=SOUTH, **more):
    """Build a scene with Ann, an orc that faces her, and others."""
    return battle(mini("Ann", at=(5, 5)), foe("Orc", at=(5, 4), facing=orc_facing), *others, **more)


def shot(*others, distance=5, **orc):
    archer = mini("Ann", at=(5, 20), hands=("bow",), armor="unarmored")
    return battle(archer, foe("Orc", at=(5, 20 - distance), **orc), *others, size=(12, 24))


@pytest.mark.rule("CDG-053")
def test_each_adjacent_ally_facing_the_target_adds_1():
    bo, cy = mini("Bo", at=(4, 4), facing=EAST), mini("Cy", at=(6, 4), facing=WEST)
    assert modifiers(melee(bo), HIT) == {"coordinated with Bo": 1}
    assert modifiers(melee(bo, cy), HIT) == {"coordinated with Bo": 1, "coordinated with Cy": 1}


@pytest.mark.rule("CDG-053")
def test_an_ally_that_is_turned_away_diagonal_or_downed_adds_nothing():
    assert modifiers(melee(mini("Bo", at=(4, 4), facing=NORTH)), HIT) == {}
    assert modifiers(melee(mini("Bo", at=(4, 3), facing=EAST)), HIT) == {}
    assert modifiers(melee(mini("Bo", at=(4, 4), facing=EAST, hp=0)), HIT) == {}
    assert modifiers(melee(mini("Bo", at=(3, 4), facing=EAST)), HIT) == {}


@pytest.mark.rule("CDG-053")
def test_a_team_mates_miniature_is_an_ally():
    gil = mini("Gil", "green", at=(4, 4), facing=EAST)
    assert modifiers(melee(gil, sides=TEAMS), HIT) == {"coordinated with Gil": 1}


@pytest.mark.rule("CDG-054")
def test_a_target_that_faces_directly_away_is_backstabbed():
    for facing, expected in ((NORTH, {"backstab": 1}), (EAST, {}), (SOUTH, {}), (WEST, {})):
        assert modifiers(melee(orc_facing=facing), HIT) == expected


@pytest.mark.rule("CDG-054")
def test_an_arrow_in_the_back_is_no_backstab():
    assert modifiers(shot(facing=NORTH, distance=1), SHOT) == {}


@pytest.mark.rule("CDG-055")
def test_each_other_adjacent_enemy_facing_the_attacker_takes_1():
    cur, dog = foe("Cur", at=(4, 5), facing=EAST), foe("Dog", at=(6, 5), facing=WEST)
    assert modifiers(melee(cur), HIT) == {"distracted by Cur": -1}
    assert modifiers(melee(cur, dog), HIT) == {"distracted by Cur": -1, "distracted by Dog": -1}


@pytest.mark.rule("CDG-055")
def test_the_target_and_turned_or_downed_enemies_do_not_distract():
    assert modifiers(melee(orc_facing=SOUTH), HIT) == {}
    assert modifiers(melee(foe("Cur", at=(4, 5), facing=NORTH)), HIT) == {}
    assert modifiers(melee(foe("Cur", at=(4, 5), facing=EAST, hp=0)), HIT) == {}
    assert modifiers(melee(mini("Bo", at=(4, 5), facing=EAST)), HIT) == {}


@pytest.mark.rule("CDG-056")
def test_a_downed_target_adds_1_in_melee_and_nothing_at_range():
    scene = battle(mini("Ann", at=(5, 5)), foe("Orc", at=(5, 4), hp=0))
    assert modifiers(scene, HIT) == {"coup de grace": 1}
    assert modifiers(shot(hp=0), SHOT) == {}


@pytest.mark.rule("CDG-057")
def test_melee_modifiers_add_up_on_the_roll_and_leave_the_defense_alone():
    scene = melee(
        mini("Bo", at=(4, 4), facing=EAST),
        mini("Cy", at=(6, 4), facing=WEST),
        foe("Cur", at=(4, 5), facing=EAST),
        orc_facing=NORTH,
    )
    needed, added, defenses = aim(scene, HIT)
    assert sum(added.values()) == 2
    assert defenses == {"light armor": 4}
    assert needed == 2
    assert facts(scene, HIT, 2)["total"] == 4
    assert do(scene, HIT, 2).result.result == "hit"


@pytest.mark.rule("CDG-058")
def test_each_ally_beside_the_target_takes_1_from_a_shot_whichever_way_it_looks():
    bo, cy = mini("Bo", at=(4, 15)), mini("Cy", at=(5, 14), hp=0)
    assert modifiers(shot(bo), SHOT) == {"firing into melee beside Bo": -1}
    assert modifiers(shot(bo, cy), SHOT) == {
        "firing into melee beside Bo": -1,
        "firing into melee beside Cy": -1,
    }
    assert modifiers(shot(mini("Bo", at=(4, 14))), SHOT) == {}
    assert modifiers(shot(foe("Cur", at=(4, 15))), SHOT) == {}


@pytest.mark.rule("CDG-058")
def test_the_shooter_beside_its_own_target_is_not_in_its_own_way():
    assert modifiers(shot(distance=1), SHOT) == {}


@pytest.mark.rule("CDG-059")
@pytest.mark.parametrize(
    ("distance", "penalty"), [(5, 0), (6, -1), (11, -1), (12, -2), (17, -2), (18, -3)], ids=str
)
def test_t09_the_range_penalty_grows_with_every_increment_of_6(distance, penalty):
    expected = {f"range {distance}": penalty} if penalty else {}
    assert modifiers(shot(distance=distance), SHOT) == expected


@pytest.mark.rule("CDG-060")
def test_t10_the_range_penalty_is_doubled_against_the_downed():
    assert modifiers(shot(distance=12, hp=0), SHOT) == {"range 12": -4}
    assert modifiers(shot(distance=5, hp=0), SHOT) == {}
    assert range_penalty(12, 6, is_downed=True) == -4


@pytest.mark.rule("CDG-061")
def test_firing_into_melee_is_not_doubled_against_the_downed():
    bo = mini("Bo", at=(4, 13))
    assert modifiers(shot(bo, distance=7, hp=0), SHOT) == {"firing into melee beside Bo": -1, "range 7": -2}
