"""Attacks and damage, special effects: CDG-047 to CDG-052, CDG-062 to CDG-066."""

from fractions import Fraction

import pytest

from enfilade.scene.model import Terrain
from tests.unit.rulesets.coup_de_grace.scenes import (
    EAST,
    NORTH,
    SOUTH,
    TEAMS,
    WEST,
    act,
    active,
    after,
    aim,
    battle,
    card,
    chances,
    do,
    foe,
    hp,
    log_text,
    mini,
    modifiers,
    notes,
    sentence,
    wall,
    why_not,
)

BOW = ("bow",)


def archers(*others, at=(5, 9), facing=NORTH, **more):
    return battle(mini("Ann", at=at, facing=facing, hands=BOW, armor="unarmored"), *others, **more)


@pytest.mark.rule("CDG-047")
@pytest.mark.parametrize(("armor", "needed"), [("unarmored", 3), ("light", 4), ("heavy", 5)])
def test_an_attack_hits_when_its_die_reaches_the_defense(armor, needed):
    scene = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1), armor=armor))
    assert do(scene, act("melee", "ann", "orc"), needed).result.result == "hit"
    assert do(scene, act("melee", "ann", "orc"), needed - 1).result.result == "miss"


@pytest.mark.rule("CDG-047")
def test_the_preview_is_the_chance_of_the_die():
    scene = battle(mini("Ann", at=(2, 2), race="elf"), foe("Orc", at=(2, 1)))
    found = {outcome.result: chance for outcome, chance in chances(scene, act("melee", "ann", "orc")).items()}
    assert found == {"hit": Fraction(1, 2), "miss": Fraction(1, 2)}


@pytest.mark.rule("CDG-048")
def test_t11_a_hit_takes_1_hit_point():
    scene = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1)))
    done = do(scene, act("melee", "ann", "orc"), 6)
    assert (hp(scene, "orc"), hp(done.scene, "orc"), done.result.damage) == (3, 2, 1)
    assert hp(after(scene, act("melee", "ann", "orc"), 2), "orc") == 3


@pytest.mark.rule("CDG-049")
def test_melee_needs_an_adjacent_target():
    scene = battle(mini("Ann", at=(2, 3)), foe("Orc", at=(2, 1)), foe("Cur", at=(3, 2)))
    assert why_not(scene, act("melee", "ann", "orc")) == "CDG-049"
    assert why_not(scene, act("melee", "ann", "cur")) == "CDG-049"


@pytest.mark.rule("CDG-049")
def test_melee_does_not_go_through_a_wall():
    scene = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1)), walls=(wall(1, 2, 4, 2),))
    assert why_not(scene, act("melee", "ann", "orc")) == "CDG-049"
    assert sentence(scene, act("melee", "ann", "orc")) == "A wall stands between Ann and Orc."


@pytest.mark.rule("CDG-050")
def test_ranged_needs_a_target_in_the_front_arc():
    for facing, legal in ((NORTH, True), (EAST, True), (SOUTH, False), (WEST, False)):
        scene = archers(foe("Orc", at=(8, 6)), facing=facing)
        assert why_not(scene, act("ranged", "ann", "orc", "bow")) == (None if legal else "CDG-050")


@pytest.mark.rule("CDG-051")
def test_a_miniature_in_the_line_hides_the_target():
    scene = archers(
        foe("Near", at=(5, 7)), foe("Far", at=(5, 4)), mini("Bo", at=(6, 8)), foe("Side", at=(8, 5))
    )
    assert why_not(scene, act("ranged", "ann", "near", "bow")) is None
    assert why_not(scene, act("ranged", "ann", "far", "bow")) == "CDG-051"
    assert sentence(scene, act("ranged", "ann", "far", "bow")) == "Blocked by Near."


@pytest.mark.rule("CDG-051")
def test_a_wall_or_closed_door_in_the_line_hides_the_target():
    orc = foe("Orc", at=(5, 4))
    blocked = archers(orc, walls=(wall(4, 7, 7, 7),))
    assert sentence(blocked, act("ranged", "ann", "orc", "bow")) == "Blocked by the wall between you and Orc."
    for state, rule in (("closed", "CDG-051"), ("open", None)):
        door = archers(orc, walls=(wall(4, 7, 7, 7, door="door", state=state),))
        assert why_not(door, act("ranged", "ann", "orc", "bow")) == rule
    window = archers(orc, walls=(wall(4, 7, 7, 7, sight="none"),))
    assert why_not(window, act("ranged", "ann", "orc", "bow")) is None


@pytest.mark.rule("CDG-051")
def test_terrain_that_blocks_sight_hides_the_target():
    wood = Terrain(id="w", name="Wood", cells=((5, 6),), blocks_sight=True)
    scene = archers(foe("Orc", at=(5, 4)), terrain=(wood,))
    assert sentence(scene, act("ranged", "ann", "orc", "bow")) == "Blocked by the terrain that hides Orc."


@pytest.mark.rule("CDG-052")
def test_a_side_cannot_attack_itself():
    scene = battle(mini("Ann", at=(2, 2)), mini("Bo", at=(2, 1)))
    assert why_not(scene, act("melee", "ann", "bo")) == "CDG-052"
    assert sentence(scene, act("melee", "ann", "bo")) == "Bo is on the same side."


@pytest.mark.rule("CDG-052")
def test_nor_a_team_mates():
    scene = battle(mini("Ann", at=(2, 2)), mini("Gil", "green", at=(2, 1)), sides=TEAMS)
    assert why_not(scene, act("melee", "ann", "gil")) == "CDG-052"


@pytest.mark.rule("CDG-062")
def test_a_spell_that_is_a_ranged_attack_takes_the_modifiers_of_one():
    mage = mini("Ann", at=(5, 9), hands=("crystal", "fist"))
    scene = battle(mage, foe("Orc", at=(5, 4)), mini("Bo", at=(4, 4)))
    assert modifiers(scene, act("spell", "ann", "orc", "crystal")) == {"firing into melee beside Bo": -1}
    assert why_not(battle(mage, foe("Orc", at=(5, 11))), act("spell", "ann", "orc", "crystal")) == "CDG-050"


@pytest.mark.rule("CDG-062")
def test_a_spell_that_is_a_melee_attack_takes_the_modifiers_of_one():
    mage = mini("Ann", at=(5, 5), hands=("mage right fist", "fist"))
    scene = battle(mage, foe("Orc", at=(5, 4), facing=NORTH))
    assert modifiers(scene, act("spell", "ann", "orc", "mage right fist")) == {"backstab": 1}
    far = battle(mage, foe("Orc", at=(5, 3)))
    assert why_not(far, act("spell", "ann", "orc", "mage right fist")) == "CDG-049"


@pytest.mark.rule("CDG-063")
def test_effects_of_race_and_weapon_come_on_top_of_the_common_rules():
    orc = foe("Orc", at=(2, 1), facing=NORTH, race="orc", hands=("axe", "fist"))
    scene = battle(mini("Ann", at=(2, 0), facing=SOUTH, hp=3), orc)
    done = do(scene, act("melee", "orc", "ann", "axe"), 6)
    assert done.result.damage == 3
    assert done.result.leaves == "downed"


@pytest.mark.rule("CDG-064")
def test_a_hammer_that_hits_may_push_its_victim_one_square():
    scene = battle(mini("Ann", at=(2, 2), hands=("hammer", "fist")), foe("Orc", at=(2, 1)))
    assert after(scene, act("melee", "ann", "orc", "hammer"), 4).token("orc").at == (2, 0)
    assert after(scene, act("melee", "ann", "orc", "hammer"), 4, answers=("no",)).token("orc").at == (2, 1)
    assert after(scene, act("melee", "ann", "orc", "hammer"), 3).token("orc").at == (2, 1)
    assert "Orc is pushed back to C1." in log_text(scene, act("melee", "ann", "orc", "hammer"), 4)


@pytest.mark.rule("CDG-064")
def test_a_push_keeps_the_victims_facing_and_goes_straight_away():
    for facing, at, there in ((EAST, (3, 2), (4, 2)), (SOUTH, (2, 3), (2, 4)), (WEST, (1, 2), (0, 2))):
        hammerer = mini("Ann", at=(2, 2), facing=facing, hands=("hammer", "fist"))
        done = after(
            battle(hammerer, foe("Orc", at=at, facing=EAST)), act("melee", "ann", "orc", "hammer"), 6
        )
        assert (done.token("orc").at, done.token("orc").facing) == (there, EAST)


@pytest.mark.rule("CDG-064")
@pytest.mark.parametrize(
    "obstacle",
    [
        ((foe("Cur", at=(2, 0)),), {}),
        ((), {"walls": (wall(1, 1, 4, 1),)}),
        ((), {"terrain": (Terrain(id="p", name="Pit", cells=((2, 0),), cost=0),)}),
    ],
)
def test_a_victim_that_cannot_be_pushed_may_be_turned_by_default_to_show_its_back(obstacle):
    others, ground = obstacle
    scene = battle(mini("Ann", at=(2, 2), hands=("hammer", "fist")), foe("Orc", at=(2, 1)), *others, **ground)
    done = after(scene, act("melee", "ann", "orc", "hammer"), 6)
    assert (done.token("orc").at, done.token("orc").facing) == ((2, 1), NORTH)
    assert "Orc is turned north." in log_text(scene, act("melee", "ann", "orc", "hammer"), 6)
    kept = after(scene, act("melee", "ann", "orc", "hammer"), 6, answers=("no",))
    assert kept.token("orc").facing == SOUTH


@pytest.mark.rule("CDG-064")
def test_a_victim_at_the_edge_cannot_be_pushed_off_the_board_nor_aside():
    scene = battle(mini("Ann", at=(2, 1), hands=("hammer", "fist")), foe("Orc", at=(2, 0)))
    assert after(scene, act("melee", "ann", "orc", "hammer"), 6).token("orc").at == (2, 0)


@pytest.mark.rule("CDG-065")
def test_a_shield_helps_against_attacks_from_the_front_arc_alone():
    for facing, expected in ((SOUTH, 5), (EAST, 4), (NORTH, 4), (WEST, 4)):
        orc = foe("Orc", at=(2, 1), facing=facing, hands=("sword", "shield"))
        _, _, defenses = aim(battle(mini("Ann", at=(2, 2)), orc), act("melee", "ann", "orc"))
        assert sum(defenses.values()) == expected, facing


@pytest.mark.rule("CDG-065")
def test_a_shield_helps_against_arrows_too():
    scene = archers(foe("Orc", at=(5, 6), hands=("sword", "shield")))
    assert aim(scene, act("ranged", "ann", "orc", "bow"))[2] == {"light armor": 4, "shield": 1}


@pytest.mark.rule("CDG-066")
def test_a_dwarf_has_4_hit_points():
    assert card(battle(mini("Ann", race="dwarf")), "ann")["Hit points"] == "4 of 4"


@pytest.mark.rule("CDG-005", "CDG-010", "CDG-064", "CDG-065", "CDG-066")
def test_t01_the_dwarf_with_hammer_and_shield():
    bran = mini("Bran", at=(2, 2), armor="heavy", race="dwarf", hands=("hammer", "shield"))
    scene = battle(bran, foe("Orc", at=(2, 1)), foe("Cur", at=(2, 3), facing=NORTH))
    shown = card(scene, "bran")
    assert (shown["Defense"], shown["Movement"], shown["Hit points"]) == ("5", "4", "4 of 4")
    assert "push the victim 1 square" in " ".join(notes(scene, "bran"))
    assert sum(aim(scene, act("melee", "orc", "bran"))[2].values()) == 6
    assert sum(aim(scene, act("melee", "cur", "bran"))[2].values()) == 5
    assert after(scene, act("melee", "bran", "orc", "hammer"), 5).token("orc").at == (2, 0)


@pytest.mark.rule("CDG-027")
def test_an_inactive_miniature_cannot_attack():
    scene = active(battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1))), "orc")
    assert why_not(scene, act("melee", "ann", "orc")) == "CDG-027"
