"""The effects of melee weapons and shields: CDG-008, CDG-009 and CDG-063."""

import pytest

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
    log_text,
    mini,
    modifiers,
    why_not,
)

pytestmark = pytest.mark.rule("CDG-008", "CDG-063")


def duel(weapon="sword", *others, orc=(), **ann):
    """Ann with a weapon, face to face with an orc; an elf, so that she re-rolls nothing."""
    ann = {"race": "elf", "hands": (weapon, "fist")} | ann
    return battle(mini("Ann", at=(5, 5), **ann), foe("Orc", at=(5, 4), **dict(orc)), *others)


def hit(weapon):
    return act("melee", "ann", "orc", weapon)


def test_an_assassins_knife_does_1_more_in_the_back():
    knife = "assassin's knife"
    assert do(duel(knife, orc={"facing": NORTH}), hit(knife), 5).result.damage == 2
    assert do(duel(knife), hit(knife), 5).result.damage == 1


def test_an_axe_does_1_more_with_a_6():
    assert do(duel("axe"), hit("axe"), 6).result.damage == 2
    assert do(duel("axe"), hit("axe"), 5).result.damage == 1


def test_a_banner_protects_allies_within_2_and_exposes_its_bearer():
    bearer = foe("Flag", at=(6, 3), hands=("banner", "sword"))
    assert aim(duel("sword", bearer), hit("sword"))[2] == {"light armor": 4, "under an ally's banner": 1}
    far = foe("Flag", at=(6, 2), hands=("banner", "sword"))
    assert aim(duel("sword", far), hit("sword"))[2] == {"light armor": 4}
    assert aim(duel(orc={"hands": ("banner", "sword")}), hit("sword"))[2] == {"light armor": 4, "banner": -1}


def test_two_banners_protect_like_one_and_a_downed_bearers_not_at_all():
    flags = [foe(f"Flag{x}", at=(x, 3), hands=("banner", "sword")) for x in (4, 6)]
    assert sum(aim(duel("sword", *flags), hit("sword"))[2].values()) == 5
    down = foe("Flag", at=(6, 3), hands=("banner", "sword"), hp=0)
    assert sum(aim(duel("sword", down), hit("sword"))[2].values()) == 4


def test_an_enemy_banner_protects_only_its_own_side():
    flag = mini("Flag", at=(6, 3), hands=("banner", "sword"))
    assert aim(duel("sword", flag), hit("sword"))[2] == {"light armor": 4}


def test_a_buckler_adds_2_against_melee_from_the_front_arc_only():
    assert aim(duel(orc={"hands": ("sword", "buckler")}), hit("sword"))[2] == {
        "light armor": 4,
        "buckler": 2,
    }
    assert aim(duel(orc={"hands": ("sword", "buckler"), "facing": EAST}), hit("sword"))[2] == {
        "light armor": 4
    }
    archer = battle(mini("Ann", at=(5, 9), hands=("bow",)), foe("Orc", at=(5, 5), hands=("sword", "buckler")))
    assert aim(archer, act("ranged", "ann", "orc", "bow"))[2] == {"light armor": 4}


def test_a_claw_that_hits_with_an_odd_die_attacks_again():
    done = do(duel("claw"), hit("claw"), 5, 5, 4)
    assert (done.result.damage, done.result.leaves) == (3, "downed")
    assert do(duel("claw"), hit("claw"), 5, 2).result.damage == 1
    assert do(duel("claw"), hit("claw"), 6).result.damage == 1
    assert do(duel("claw"), hit("claw"), 3).result.result == "miss"


def test_a_claw_goes_on_as_a_coup_de_grace_and_stops_when_its_target_is_gone():
    scene = duel("claw", foe("Cur", at=(0, 0)), orc={"hp": 1})
    done = do(scene, hit("claw"), 5, 5)
    assert (done.result.damage, done.result.leaves) == (2, "out")
    assert "gives the coup de grace" in log_text(scene, hit("claw"), 5, 5)
    assert "+1 coup de grace, 6 against" in log_text(scene, hit("claw"), 5, 5)


def test_the_odds_of_a_claw_add_up():
    found = chances(duel("claw"), hit("claw"))
    assert sum(found.values()) == 1
    assert {outcome.damage for outcome in found} == {0, 1, 2, 3, 4}


def test_a_curved_sword_adds_1_to_a_die_of_1_to_3():
    for face, result in ((3, "hit"), (2, "miss"), (4, "hit")):
        assert do(duel("curved sword"), hit("curved sword"), face).result.result == result
    assert "+1 curved sword, 4 against defense 4" in log_text(duel("curved sword"), hit("curved sword"), 3)


def test_a_curved_sword_adds_nothing_to_a_die_that_was_rolled_again():
    scene = duel("curved sword", race="human")
    assert do(scene, hit("curved sword"), 1, 3).result.result == "miss"


def test_an_entangling_weapon_catches_with_2d6_against_the_movement_allowance():
    scene = active(duel("entangling weapon"), "ann")
    throw = act("entangle", "ann", "orc", "entangling weapon")
    assert do(scene, throw, 3, 3).result.result == "entangled"
    assert do(scene, throw, 2, 3).result.result == "slips away"
    caught = "Ann catches Orc with an entangling weapon.\nDice 3 and 3, needs 6."
    assert log_text(scene, throw, 3, 3) == caught
    assert why_not(after(scene, throw, 2, 3), throw) == "CDG-021"
    assert why_not(scene, hit("entangling weapon")) == "CDG-008"


def test_the_entangled_are_dragged_along_and_easier_to_hit_until_the_round_ends():
    scene = active(duel("entangling weapon", mini("Bo", at=(6, 4), facing=270)), "ann")
    caught = after(scene, act("entangle", "ann", "orc", "entangling weapon"), 6, 6)
    assert modifiers(caught, hit("fist")) == {"coordinated with Bo": 1, "target is entangled": 1}
    dragged = after(caught, act("move", "ann", at=(5, 7), facing=NORTH))
    assert dragged.token("orc").at == (5, 6)
    assert "Orc is dragged along to F7." in log_text(caught, act("move", "ann", at=(5, 7)))


def test_entangling_needs_an_enemy_straight_ahead():
    scene = battle(
        mini("Ann", at=(5, 5), hands=("entangling weapon", "fist")),
        foe("Orc", at=(6, 5)),
        mini("Bo", at=(5, 4)),
        foe("Far", at=(5, 2)),
    )
    for target, rule in (("orc", "CDG-014"), ("bo", "CDG-052"), ("far", "CDG-014")):
        assert why_not(scene, act("entangle", "ann", target)) == rule
    assert why_not(scene, act("entangle", "orc", "ann")) == "CDG-008"


def test_a_fencing_sword_gains_2_points_by_a_miss():
    scene = active(duel("fencing sword"), "ann", mp=1)
    assert after(scene, hit("fencing sword"), 2).token("ann").track("mp") == 3
    assert after(scene, hit("fencing sword"), 5).token("ann").track("mp") == 1


@pytest.mark.rule("CDG-020", "CDG-070")
def test_a_fencing_sword_gains_nothing_before_the_first_round_nor_for_the_downed():
    waiting = duel("fencing sword")
    assert after(waiting, hit("fencing sword"), 2).token("ann").tracks == waiting.token("ann").tracks
    fallen = active(duel("fencing sword", hp=0), "ann", mp=0)
    assert after(fallen, hit("fencing sword"), 2).token("ann").track("mp") == 0


def test_a_glaive_does_1_more_with_3_and_4():
    thin = {"armor": "unarmored"}
    for face, damage in ((3, 2), (4, 2), (5, 1), (6, 1)):
        assert do(duel("glaive", orc=thin), hit("glaive"), face).result.damage == damage


def test_a_mace_finds_the_downed_with_defense_2_before_anything_is_added():
    orc = {"hp": 0, "race": "lizardman", "armor": "heavy"}
    assert aim(duel("mace", orc=orc), hit("mace"))[2] == {"base defense against mace": 2, "lizardman": 1}
    assert aim(duel("mace", orc={"armor": "heavy"}), hit("mace"))[2] == {"heavy armor": 5}


@pytest.mark.parametrize("item", ["shield", "buckler", "banner", "open hand", "entangling weapon"])
def test_some_things_do_not_attack(item):
    scene = duel(item)
    assert why_not(scene, hit(item)) == "CDG-008"


@pytest.mark.rule("CDG-009")
def test_an_open_hand_gives_1_movement_each_when_the_other_attacks():
    assert allowance(duel("sword", hands=("sword", "open hand"), race="human"), "ann") == 7
    assert allowance(duel("sword", hands=("open hand", "open hand"), race="human"), "ann") == 6


def test_plain_weapons_add_nothing():
    for weapon in ("sword", "spear", "throwing knife"):
        scene = duel(weapon)
        assert modifiers(scene, hit(weapon)) == {}
        assert hp(after(scene, hit(weapon), 6), "orc") == 2
        assert after(scene, hit(weapon), 6).token("orc").facing == SOUTH
