"""The effects of races: CDG-007 and CDG-063."""

import pytest
from msgspec.structs import replace

from tests.unit.rulesets.coup_de_grace.scenes import (
    EAST,
    NORTH,
    act,
    active,
    after,
    aim,
    allowance,
    battle,
    card,
    chances,
    do,
    foe,
    hp,
    judge,
    log_text,
    mini,
    modifiers,
    reach,
    why_not,
)

HIT = act("melee", "ann", "orc")
pytestmark = pytest.mark.rule("CDG-007", "CDG-063")


def duel(race="human", orc=(), **ann):
    """Ann of a race, face to face with an orc."""
    return battle(mini("Ann", at=(5, 5), race=race, **ann), foe("Orc", at=(5, 4), **dict(orc)))


def test_a_beastman_gains_1_to_attacks_with_1_hit_point_left():
    assert modifiers(duel("beastman", hp=1), HIT) == {"beastman": 1}
    assert modifiers(duel("beastman", hp=2), HIT) == {}


def test_a_drow_gains_1_to_attacks_with_all_hit_points():
    assert modifiers(duel("drow"), HIT) == {"drow": 1}
    assert modifiers(duel("drow", hp=2), HIT) == {}


def test_an_elf_moves_1_more():
    assert card(duel("elf"), "ann")["Movement"] == "7"


def test_a_gnoll_gains_1_against_targets_with_1_hit_point():
    assert modifiers(duel("gnoll", {"hp": 1}), HIT) == {"gnoll": 1}
    assert modifiers(duel("gnoll", {"hp": 2}), HIT) == {}


def test_a_goblin_gains_1_against_the_downed():
    assert modifiers(duel("goblin", {"hp": 0}), HIT) == {"coup de grace": 1, "goblin": 1}
    assert modifiers(duel("goblin", {"hp": 1}), HIT) == {}


def test_races_help_at_range_too():
    scene = battle(mini("Ann", at=(5, 9), race="drow", hands=("bow",)), foe("Orc", at=(5, 5)))
    assert modifiers(scene, act("ranged", "ann", "orc", "bow")) == {"drow": 1}


def test_a_gnome_braces_itself_for_1_point_and_then_does_not_attack():
    scene = active(duel("gnome"), "ann")
    braced = after(scene, act("brace", "ann"))
    assert braced.token("ann").track("mp") == allowance(scene, "ann") - 2
    assert aim(active(braced, "orc"), act("melee", "orc", "ann"))[2] == {"light armor": 4, "gnome": 1}
    assert why_not(braced, HIT) == "CDG-063"
    assert why_not(braced, act("brace", "ann")) == "CDG-063"
    assert log_text(scene, act("brace", "ann")) == "Ann braces itself for 2 movement points."


def test_only_a_gnome_that_has_not_attacked_can_brace():
    scene = after(active(duel("gnome"), "ann"), HIT, 2)
    assert why_not(scene, act("brace", "ann")) == "CDG-063"
    assert why_not(active(duel("elf"), "ann"), act("brace", "ann")) == "CDG-063"
    assert why_not(active(duel("gnome"), "ann", mp=1), act("brace", "ann")) == "CDG-043"
    assert why_not(active(duel("gnome", hp=0), "ann"), act("brace", "ann")) == "CDG-070"


def test_bracing_ends_with_the_round():
    scene = after(battle(mini("Ann", at=(1, 1), race="gnome")), act("round", ""))
    for what in (act("activate", "ann"), act("brace", "ann"), act("end", "ann")):
        scene = after(scene, what)
    assert scene.token("ann").has("braced")
    assert not after(scene, act("round", "")).token("ann").has("braced")


def test_a_halfling_walks_through_others_to_end_on_an_empty_square():
    row = [foe("Orc", at=(1, 1)), mini("Bo", at=(1, 0)), mini("Cy", at=(1, 2))]
    scene = battle(mini("Ann", at=(0, 1), race="halfling", armor="unarmored"), *row, size=(3, 3))
    found = reach(scene, "ann")
    assert found[(2, 1)] == 3
    assert not {(1, 0), (1, 1), (1, 2)} & found.keys()
    assert judge(scene, "ann", (2, 1)).allowed
    assert not judge(scene, "ann", (1, 1)).allowed


def test_a_human_rolls_a_1_again_once_a_round():
    scene = active(duel(hands=("sword", "axe")), "ann")
    done = do(scene, HIT, 1, 5)
    assert done.result.result == "hit"
    assert done.scene.token("ann").conditions["rerolled"] == "human"
    assert do(done.scene, act("melee", "ann", "orc", "axe"), 1).result.result == "miss"
    assert do(scene, HIT, 1, answers=("no",)).result.result == "miss"


def test_a_human_does_not_roll_other_faces_again():
    assert do(duel(), HIT, 2).result.result == "miss"


def test_the_chance_of_a_human_counts_the_re_roll():
    found = {outcome.result: chance for outcome, chance in chances(duel(), HIT).items()}
    assert found["hit"] == pytest.approx(3 / 6 + 1 / 6 * 3 / 6)


def test_a_kobold_does_1_more_when_a_backstab_hits_with_an_even_die():
    back, front = duel("kobold", {"facing": NORTH}), duel("kobold")
    assert do(back, HIT, 4).result.damage == 2
    assert do(back, HIT, 5).result.damage == 1
    assert do(front, HIT, 4).result.damage == 1


def test_a_living_construct_has_1_more_defense_with_all_hit_points():
    assert aim(duel(orc={"race": "living construct"}), HIT)[2] == {"light armor": 4, "living construct": 1}
    assert aim(duel(orc={"race": "living construct", "hp": 2}), HIT)[2] == {"light armor": 4}


def test_a_lizardman_has_1_more_defense_when_downed():
    assert aim(duel(orc={"race": "lizardman", "hp": 0}), HIT)[2] == {"light armor": 4, "lizardman": 1}
    assert aim(duel(orc={"race": "lizardman"}), HIT)[2] == {"light armor": 4}


def test_an_orc_does_1_more_with_a_6():
    assert do(duel("orc"), HIT, 6).result.damage == 2
    assert do(duel("orc"), HIT, 5).result.damage == 1


def test_a_skeleton_recovers_on_4():
    scene = active(duel("skeleton", hp=0), "ann")
    assert do(scene, act("recover", "ann"), 4).result.result == "recovered"
    assert do(scene, act("recover", "ann"), 3).result.result == "stays down"


def test_a_zombie_regains_a_hit_point_for_a_melee_coup_de_grace():
    assert hp(after(duel("zombie", {"hp": 0}, hp=2), HIT, 6), "ann") == 3
    assert hp(after(duel("zombie", {"hp": 0}), HIT, 6), "ann") == 3
    assert hp(after(duel("zombie", {"hp": 1}, hp=2), HIT, 6), "ann") == 2
    far = battle(mini("Ann", at=(5, 9), race="zombie", hp=2, hands=("bow",)), foe("Orc", at=(5, 5), hp=0))
    assert hp(after(far, act("ranged", "ann", "orc", "bow"), 6), "ann") == 2


def test_a_vampire_moves_1_more_for_the_battle_for_each_melee_coup_de_grace():
    scene = after(duel("vampire", {"hp": 0}), HIT, 6)
    assert allowance(scene, "ann") == 7
    assert allowance(after(duel("vampire", {"hp": 1}), HIT, 6), "ann") == 6


def test_races_change_their_own_numbers_alone():
    scene = battle(
        mini("Ann", at=(5, 5)),
        foe("Orc", at=(5, 4), race="drow"),
        mini("Bo", at=(4, 4), facing=EAST, race="drow"),
    )
    assert modifiers(scene, HIT) == {"coordinated with Bo": 1}


@pytest.mark.rule("CDG-063")
@pytest.mark.parametrize(
    ("used", "rule"), [("holy symbol", None), ("entangling weapon", None), ("sword", "CDG-063")]
)
def test_a_gnome_that_warded_prayed_or_entangled_may_brace(used, rule):
    # "It may not attack in the same activation": what is no attack kept it from bracing too.
    board = battle(mini("Ann", at=(5, 5), race="gnome", hands=(used, "fist")))
    ann = replace(board.token("ann"), conditions={"used": used})
    board = active(replace(board, tokens=(ann,)), "ann")
    assert why_not(board, act("brace", "ann")) == rule
