"""The effects of mage foci: CDG-039, CDG-062 and CDG-063."""

import pytest

from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.scene.events import Explained
from tests.unit.rulesets.coup_de_grace.scenes import (
    EAST,
    NORTH,
    SOUTH,
    act,
    active,
    after,
    aim,
    allowance,
    battle,
    chances,
    do,
    foe,
    hp,
    judge,
    log_text,
    mini,
    notes,
    reach,
    why_not,
)

pytestmark = pytest.mark.rule("CDG-039", "CDG-063")


def mage(focus, *others, at=(5, 5), orc=(), **more):
    """Ann with a focus, looking at an orc four squares away."""
    hands = (focus,) if focus.endswith("staff") and focus != "blast staff" else (focus, "fist")
    ann = {"hands": hands, "race": "elf", "armor": "unarmored"} | more.pop("ann", {})
    return battle(mini("Ann", at=(5, 9), **ann), foe("Orc", at=at, **dict(orc)), *others, **more)


def spell(focus, target="orc", **more):
    return act("spell", "ann", target, focus, **more)


def test_a_spell_costs_3_and_is_doubled_for_each_adjacent_enemy():
    crystal = spell("crystal")
    assert after(active(mage("crystal"), "ann"), crystal, 2).token("ann").track("mp") == 6
    near = active(mage("crystal", at=(5, 8)), "ann")
    assert after(near, crystal, 2).token("ann").track("mp") == 3
    assert why_not(active(mage("crystal", at=(5, 8)), "ann", mp=5), crystal) == "CDG-043"


def test_a_staffs_spell_costs_6():
    assert after(active(mage("death staff"), "ann"), spell("death staff")).token("ann").track("mp") == 3


def test_a_spell_reaches_6_and_a_staff_9_without_range_penalty():
    far = mage("crystal", at=(5, 3))
    assert aim(far, spell("crystal"))[1] == {}
    assert why_not(mage("crystal", at=(5, 2)), spell("crystal")) == "CDG-038"
    assert why_not(mage("death staff", at=(5, 0)), spell("death staff")) is None
    assert why_not(mage("death staff", at=(4, 0)), spell("death staff")) == "CDG-038"


def test_a_focus_is_used_once_a_round():
    scene = after(active(mage("skull"), "ann"), spell("skull"), 2)
    assert why_not(scene, spell("skull")) == "CDG-021"


def test_a_spell_needs_a_line_of_sight():
    assert why_not(mage("skull", mini("Bo", at=(5, 7))), spell("skull")) == "CDG-051"
    assert why_not(mage("crystal", mini("Bo", at=(5, 7))), spell("crystal")) == "CDG-051"


def test_a_left_fist_beside_a_spell_spares_it_the_doubling():
    hands = {"hands": ("crystal", "mage left fist")}
    scene = active(mage("crystal", at=(5, 8), ann=hands), "ann")
    assert after(scene, spell("crystal"), 2).token("ann").track("mp") == 6
    assert why_not(scene, spell("mage left fist")) == "CDG-008"
    assert notes(scene, "ann")[5].startswith("quality")


@pytest.mark.parametrize("fist", ["mage left fist", "mage right fist"])
def test_a_force_fist_does_2_damage_at_hand(fist):
    scene = mage(fist, at=(5, 8))
    assert do(scene, spell(fist), 5).result.damage == 2
    assert why_not(mage(fist), spell(fist)) == "CDG-049"


def test_a_mages_claw_pulls_its_victim_a_square_closer():
    done = after(mage("mage claw"), spell("mage claw"), 6)
    assert (done.token("orc").at, hp(done, "orc")) == ((5, 6), 2)
    near = after(mage("mage claw", at=(5, 8)), spell("mage claw"), 6)
    assert near.token("orc").at == (5, 8)


def test_a_blast_staff_pushes_its_victim():
    assert after(mage("blast staff"), spell("blast staff"), 6).token("orc").at == (5, 4)


def test_a_crystal_turns_armor_round():
    for armor, base in (("unarmored", 5), ("heavy", 3)):
        _, _, defenses = aim(mage("crystal", orc={"armor": armor}), spell("crystal"))
        assert defenses == {"base defense against crystal": base}
    assert aim(mage("crystal"), spell("crystal"))[2] == {"light armor": 4}


def test_a_right_open_hand_slows_its_victim_until_the_round_ends():
    scene = active(mage("mage right open hand"), "ann")
    done = after(scene, spell("mage right open hand"), 6)
    assert allowance(done, "orc") == 5
    assert allowance(after(after(done, act("end", "ann")), act("activate", "orc")), "orc") == 5
    ended = after(after(after(done, act("end", "ann")), act("activate", "orc")), act("end", "orc"))
    assert allowance(after(ended, act("round", ""), 6, 1), "orc") == 6


def test_a_left_open_hand_wards_its_mage_until_the_round_ends():
    scene = after(active(mage("mage left open hand", at=(5, 8)), "ann"), spell("mage left open hand", ""))
    assert aim(active(scene, "orc"), act("melee", "orc", "ann"))[2] == {
        "unarmored": 3,
        "warding hand": 2,
    }


def test_a_left_pointing_hand_hastens_an_ally_before_its_activation():
    pointing = "mage left pointing hand"
    friends = [mini("Bo", at=(4, 7)), mini("Cy", at=(6, 7), conditions={"activated": ""})]
    scene = active(mage(pointing, *friends), "ann")
    assert why_not(scene, spell(pointing, "cy")) == "CDG-039"
    assert why_not(scene, spell(pointing, "orc")) == "CDG-039"
    assert why_not(scene, spell(pointing, "ann")) == "CDG-039"
    hastened = after(after(scene, spell(pointing, "bo")), act("end", "ann"))
    hastened = after(after(hastened, act("activate", "orc")), act("end", "orc"))
    assert after(hastened, act("activate", "bo")).token("bo").track("mp") == 8


def test_a_force_orb_moves_a_near_target_one_square_and_turns_it():
    scene = mage("force orb")
    done = after(scene, spell("force orb", at=(6, 5), facing=NORTH))
    assert (done.token("orc").at, done.token("orc").facing) == ((6, 5), NORTH)
    assert after(scene, spell("force orb", at=(6, 5))).token("orc").facing == SOUTH
    assert why_not(scene, spell("force orb", at=(7, 5))) == "CDG-039"
    assert why_not(scene, spell("force orb")) == "CDG-039"
    assert why_not(mage("force orb", mini("Bo", at=(6, 5))), spell("force orb", at=(6, 5))) == "CDG-039"


def test_a_holy_symbol_answered_on_5_harms_the_undead_and_heals_the_living():
    undead = mage("holy symbol", orc={"race": "zombie"})
    assert hp(after(undead, spell("holy symbol"), 5), "orc") == 2
    assert hp(after(undead, spell("holy symbol"), 4), "orc") == 3
    assert hp(after(mage("holy symbol", orc={"hp": 1}), spell("holy symbol"), 5), "orc") == 2
    assert hp(after(mage("holy symbol"), spell("holy symbol"), 5), "orc") == 3
    assert log_text(undead, spell("holy symbol"), 5) == (
        "Ann uses the holy symbol on Orc for 3 movement points. The prayer is answered. "
        "Orc is harmed, 3 to 2 hit points.\nDie 5, needs 5."
    )


def test_a_skull_answered_on_5_harms_the_living_and_heals_the_undead():
    assert hp(after(mage("skull"), spell("skull"), 5), "orc") == 2
    assert hp(after(mage("skull", orc={"race": "skeleton", "hp": 1}), spell("skull"), 5), "orc") == 2
    assert {o.result: p for o, p in chances(mage("skull"), spell("skull")).items()}[
        "harmed"
    ] == pytest.approx(1 / 3)


def test_a_healed_downed_miniature_stands_up_with_a_chosen_facing():
    scene = mage("holy symbol", mini("Bo", at=(5, 7), hp=0))
    done = after(scene, spell("holy symbol", "bo"), 6, answers=("90",))
    bo = done.token("bo")
    assert (bo.track("hp"), bo.has("downed"), bo.facing) == (1, False, EAST)


def test_a_staff_of_death_harms_the_living_without_a_die():
    scene = mage("death staff", foe("Cur", at=(0, 0)), orc={"hp": 0})
    assert do(scene, spell("death staff")).result.leaves == "out"


def test_a_staff_of_air_blows_all_others_nearby_one_square_foremost_first():
    scene = mage("air staff", foe("Cur", at=(5, 4)), mini("Bo", at=(0, 9)), foe("Far", at=(11, 0)))
    done = after(scene, spell("air staff", "", facing=NORTH))
    assert [done.token(t).at for t in ("orc", "cur", "bo", "far", "ann")] == [
        (5, 4),
        (5, 3),
        (0, 8),
        (11, 0),
        (5, 9),
    ]
    assert why_not(scene, spell("air staff", "")) == "CDG-039"


def test_the_staffs_of_air_and_earth_catch_those_in_their_area_and_other_acts_nobody():
    board = mage("air staff", foe("Cur", at=(5, 4)), mini("Bo", at=(0, 9)), foe("Far", at=(11, 0)))
    assert set(COUP_DE_GRACE.caught(board, spell("air staff", "", facing=NORTH))) == {"orc", "cur", "bo"}
    near = mage("earth staff", foe("Cur", at=(5, 6)), mini("Bo", at=(5, 10)), foe("Far", at=(11, 0)))
    assert set(COUP_DE_GRACE.caught(near, spell("earth staff", ""))) == {"cur"}
    for other in (act("ranged", "ann", "orc", "air staff"), spell("sword"), spell("nothing")):
        assert COUP_DE_GRACE.caught(board, other) == ()
    healer = mage("holy symbol")
    assert COUP_DE_GRACE.caught(healer, spell("holy symbol")) == ()


def test_a_storm_moves_no_miniature_into_another_or_off_the_board():
    scene = mage("air staff", mini("Bo", at=(0, 9)), mini("Cy", at=(1, 9)))
    done = after(scene, spell("air staff", "", facing=270))
    assert (done.token("bo").at, done.token("cy").at, done.token("orc").at) == ((0, 9), (1, 9), (4, 5))


def test_a_staff_of_earth_doubles_movement_costs_of_enemies_within_3():
    scene = after(mage("earth staff", foe("Cur", at=(5, 6))), spell("earth staff", ""))
    assert judge(scene, "cur", (4, 6)).cost == 2
    assert judge(scene, "orc", (4, 5)).cost == 1
    assert reach(scene, "cur")[(3, 6)] == 3
    assert reach(scene, "orc")[(5, 4)] == 1


def test_the_zone_of_a_staff_of_earth_goes_with_its_mage():
    scene = after(mage("earth staff"), spell("earth staff", ""))
    moved = after(scene, act("move", "ann", at=(5, 8)))
    assert judge(moved, "orc", (4, 5)).cost == 2
    assert judge(moved, "ann", (5, 9)).cost == 1


def test_every_spell_is_offered_in_every_way_it_may_be_cast():
    def offered(focus, *others, **more):
        scene = mage(focus, *others, **more)
        return [
            offer.act
            for offer in COUP_DE_GRACE.offers(scene, scene.token("ann"))
            if offer.act.kind == "spell" and offer.is_legal
        ]

    assert len(offered("air staff")) == 4
    assert len(offered("earth staff")) == 1
    assert {a.target for a in offered("skull")} == {"ann", "orc"}
    assert {a.at for a in offered("force orb") if a.target == "orc"} == {(5, 4), (6, 5), (5, 6), (4, 5)}
    assert [a.target for a in offered("crystal")] == ["orc"]


def test_the_log_says_what_a_spell_that_costs_points_did():
    orc = {"facing": EAST}
    for focus, more, said in (
        ("mage left open hand", {"target": ""}, "Ann has 2 more defense this round."),
        ("earth staff", {"target": ""}, "Moves of enemies within 3 squares of Ann cost double this round."),
        ("force orb", {"at": (6, 5)}, "Orc is moved to G6."),
        ("air staff", {"target": "", "facing": NORTH}, "Orc is blown to F5."),
    ):
        assert said in log_text(mage(focus, orc=orc), spell(focus, **more))
    ally = mage("mage left pointing hand", mini("Bo", at=(5, 7)))
    cast = spell("mage left pointing hand", "bo")
    assert "Bo has 2 more movement points this round." in log_text(ally, cast)
    assert "No one is blown away." in log_text(
        mage("air staff", at=(5, 0)), spell("air staff", "", facing=NORTH)
    )


def test_who_is_healed_takes_no_damage():
    scene = mage("holy symbol", orc={"hp": 1})
    assert do(scene, spell("holy symbol"), 5).result.damage == 0
    assert do(mage("skull", orc={"hp": 2}), spell("skull"), 5).result.damage == 1
    for focus, damage in (("holy symbol", 0), ("skull", 1)):
        touched = [event for event in do(mage(focus), spell(focus), 5).events if isinstance(event, Explained)]
        assert touched[-1].facts["damage"] == damage
