"""The seven steps of an attack: rolls, agility, comparing, damage (TRN-001 to TRN-033)."""

from __future__ import annotations

import pytest

from enfilade.rules.resolve import WrongAnswer
from enfilade.rulesets.torn import TORN
from enfilade.rulesets.torn.combat.attack_setup import build_attack
from enfilade.rulesets.torn.dice import Blocks, Hits, compare_rolls, remaining_dice
from enfilade.rulesets.torn.profiles import read_miniature
from tests.unit.rulesets.torn.scenes import (
    BOW,
    MOVE,
    PLAIN,
    SWORD,
    ally,
    attack,
    do,
    explanation_facts,
    foe,
    refused,
    rolls,
    scene,
    shoot,
    wounds,
)

TEN, NEXT = (10, 10), (11, 10)


def duel(**attackers):
    return scene(ally("aldis", TEN, **attackers), foe("orc", NEXT))


@pytest.mark.rule("TRN-001", "TRN-034")
def test_only_a_tile_with_a_melee_or_ranged_pictogram_is_an_attack_of_that_kind():
    board = duel(tiles=(SWORD, MOVE))
    assert refused(board, attack("aldis", "orc")) == ""
    assert refused(board, attack("aldis", "orc", "Move")) == "TRN-001"
    assert refused(board, attack("aldis", "orc", kind="ranged")) == "TRN-001"
    offered = TORN.offers(board, board.token("aldis"))
    assert {offer.act.weapon for offer in offered if offer.act.target} == {"Sword Strike"}


@pytest.mark.rule("TRN-002")
def test_the_attacker_declares_and_the_defender_is_the_target():
    done = do(duel(), attack("aldis", "orc"), "S-" + "-" + "-" + "--" + "-", ("defend",))
    (declared,) = explanation_facts(done, "declared")
    assert (declared["token"], declared["target"]) == ("aldis", "orc")
    assert refused(duel(), attack("aldis", "aldis")) == "TRN-002"


@pytest.mark.rule("TRN-003", "TRN-013")
def test_trn_t01_sword_strike_rolls_two_attack_one_skill_one_agility():
    done = do(duel(), attack("aldis", "orc"), "--" + "-" + "-" + "--" + "-")
    assert rolls(done)[:3] == ["attack --", "skill -", "agility -"]
    assert explanation_facts(done, "declared")[0]["pool"] == {"attack": 2, "skill": 1, "agility": 1}


@pytest.mark.rule("TRN-017")
def test_trn_t03_the_shield_icon_rolls_two_defense_and_one_agility():
    done = do(duel(), attack("aldis", "orc"), "SS" + "-" + "-" + "--" + "-", ("defend",))
    assert rolls(done)[3:] == ["defense --", "agility -"]


@pytest.mark.rule("TRN-004")
def test_the_steps_come_in_their_order():
    done = do(
        duel(),
        attack("aldis", "orc"),
        "S-" + "S" + "S" + "S" + "--" + "S" + "-",
        ("attack blank 1", "defend"),
    )
    labels = [roll.rsplit(" ", 1)[0] for roll in rolls(done)]
    assert labels == ["attack", "skill", "agility", "attack reroll", "defense", "agility", "defense reroll"]
    kinds = [e.kind for e in done.events if hasattr(e, "kind")]
    assert kinds == ["declared", "attack roll", "defense", "wounds"]


@pytest.mark.rule("TRN-005")
def test_an_ethereal_attack_is_resolved_like_any_other():
    plain, ethereal = duel(tiles=(PLAIN,)), duel(tiles=({**PLAIN, "ethereal": True},))
    faces = "SS" + "--" + "-"
    one = do(plain, attack("aldis", "orc", "Strike"), faces, ("defend",))
    other = do(ethereal, attack("aldis", "orc", "Strike"), faces, ("defend",))
    assert wounds(one, "orc") == wounds(other, "orc") == 3
    assert explanation_facts(other, "declared")[0]["ethereal"]


NINE = {"name": "Dagger Strike", "kind": "melee", "attack": 4, "skill": 2, "agility": 3, "damage": 1}


@pytest.mark.rule("TRN-014")
def test_trn_t04_two_agility_successes_reroll_two_blank_attack_dice():
    board = scene(ally("rogue", TEN, tiles=(NINE,)), foe("noctis", NEXT))
    done = do(
        board,
        attack("rogue", "noctis", "Dagger Strike"),
        "SS--" + "S-" + "SS-" + "C-" + "--" + "-",
        ("attack blank 2", "defend"),
    )
    assert rolls(done)[3] == "attack reroll C-"
    assert explanation_facts(done, "attack roll")[0] == {"successes": 2, "criticals": 1, "skill": 1}


@pytest.mark.rule("TRN-014")
def test_agility_may_reroll_a_skill_die_and_rerolls_need_a_success():
    done = do(
        duel(), attack("aldis", "orc"), "SS" + "-" + "S" + "S" + "--" + "-", ("skill blank 1", "defend")
    )
    assert explanation_facts(done, "attack roll")[0] == {"successes": 2, "criticals": 0, "skill": 1}
    blank = do(duel(), attack("aldis", "orc"), "SS" + "-" + "-" + "--" + "-", ("defend",))
    assert "attack reroll" not in " ".join(rolls(blank))


@pytest.mark.rule("TRN-015")
def test_several_agility_dice_may_go_on_the_same_die():
    board = scene(
        ally("rogue", TEN, tiles=({**NINE, "attack": 1, "skill": 0, "agility": 2},)), foe("noctis", NEXT)
    )
    decisions = ("attack blank 1", "attack blank 1", "defend")
    done = do(
        board, attack("rogue", "noctis", "Dagger Strike"), "-" + "SS" + "-" + "C" + "--" + "-", decisions
    )
    assert rolls(done)[2:4] == ["attack reroll -", "attack reroll C"]
    assert explanation_facts(done, "attack roll")[0]["criticals"] == 1


@pytest.mark.rule("TRN-016", "TRN-028")
def test_unsuccessful_dice_do_nothing():
    board = scene(ally("aldis", TEN, tiles=({**PLAIN, "attack": 4},)), foe("orc", NEXT, defense=0, agility=0))
    assert wounds(do(board, attack("aldis", "orc", "Strike"), "SC--"), "orc") == 3


@pytest.mark.rule("TRN-018")
def test_trn_t05_noctis_rerolls_a_blank_defense_die_and_several_may_go_on_one():
    board = scene(
        ally("rogue", TEN, tiles=({**PLAIN, "attack": 4},)), foe("noctis", NEXT, defense=1, agility=2)
    )
    done = do(
        board,
        attack("rogue", "noctis", "Strike"),
        "SSSS" + "-" + "SS" + "-" + "S",
        ("defend", "blank 1", "blank 1"),
    )
    assert rolls(done)[-2:] == ["defense reroll -", "defense reroll S"]
    assert wounds(done, "noctis") == 5 - 3


@pytest.mark.rule("TRN-019")
def test_the_defender_chooses_the_targets_of_its_criticals():
    board = scene(ally("aldis", TEN, tiles=({**PLAIN, "attack": 3},)), foe("orc", NEXT))
    faces = "SSC" + "SC" + "-"
    on_critical = do(board, attack("aldis", "orc", "Strike"), faces, ("defend", "1"))
    on_success = do(board, attack("aldis", "orc", "Strike"), faces, ("defend", "0"))
    assert (wounds(on_critical, "orc"), wounds(on_critical, "aldis")) == (4, 5)
    assert (wounds(on_success, "orc"), wounds(on_success, "aldis")) == (4, 4)


COMPARED = [
    pytest.param("S-", "S-", 5, marks=pytest.mark.rule("TRN-020"), id="success cancels success"),
    pytest.param("C-", "SS", 4, marks=pytest.mark.rule("TRN-021"), id="success never cancels critical"),
    pytest.param("SS", "C-", 4, marks=pytest.mark.rule("TRN-022"), id="critical cancels success"),
    pytest.param("C-", "C-", 5, marks=pytest.mark.rule("TRN-023"), id="critical cancels critical"),
    pytest.param("SC", "CC", 5, marks=pytest.mark.rule("TRN-022", "TRN-023"), id="one for each"),
]


@pytest.mark.parametrize(("attacks", "defends", "left"), COMPARED)
def test_cancellation_of_dice(attacks, defends, left):
    board = duel(tiles=(PLAIN,))
    most = min(attacks.count("C"), defends.count("C"))
    decisions = ("defend", str(most)) if most else ("defend",)
    done = do(board, attack("aldis", "orc", "Strike"), attacks + defends + "-", decisions)
    assert wounds(done, "orc") == left
    assert wounds(done, "aldis") == 5 - (defends.count("C") - most)


TABLE = [
    pytest.param(
        Hits(2, 0, 0), Blocks(1, 0), 0, 1, marks=pytest.mark.rule("TRN-020"), id="success on success"
    ),
    pytest.param(
        Hits(0, 1, 0), Blocks(2, 0), 0, 1, marks=pytest.mark.rule("TRN-021"), id="success on critical"
    ),
    pytest.param(
        Hits(2, 0, 0), Blocks(0, 1), 0, 1, marks=pytest.mark.rule("TRN-022"), id="critical on success"
    ),
    pytest.param(
        Hits(1, 1, 0), Blocks(0, 1), 1, 1, marks=pytest.mark.rule("TRN-023"), id="critical on critical"
    ),
]


@pytest.mark.parametrize(("hits", "guard", "on_criticals", "left"), TABLE)
def test_remaining_dice_agree_with_the_damage(hits, guard, on_criticals, left):
    strike = spec_of(duel(tiles=(PLAIN,)))
    assert compare_rolls(strike, hits, guard, on_criticals).dealt == left
    assert remaining_dice(hits, guard, on_criticals) == left


@pytest.mark.rule("TRN-024", "TRN-030")
def test_a_defense_critical_on_a_success_or_on_no_die_strikes_back():
    board = scene(ally("aldis", TEN, tiles=(PLAIN,)), foe("orc", NEXT, tiles=({**PLAIN, "damage": 3},)))
    on_success = do(board, attack("aldis", "orc", "Strike"), "S-" + "C-" + "-", ("defend",))
    on_nothing = do(board, attack("aldis", "orc", "Strike"), "--" + "C-" + "-", ("defend",))
    assert wounds(on_success, "aldis") == wounds(on_nothing, "aldis") == 2


@pytest.mark.rule("TRN-024", "TRN-030")
def test_a_defense_critical_does_not_strike_back_beyond_its_range():
    long_spear = {**PLAIN, "name": "Spear", "range": 2}
    board = scene(ally("aldis", TEN, tiles=(long_spear,)), foe("orc", (12, 10)))
    done = do(board, attack("aldis", "orc", "Spear"), "S-" + "C-" + "-", ("defend",))
    assert wounds(done, "aldis") == 5
    reaching = scene(ally("aldis", TEN, tiles=(long_spear,)), foe("orc", (12, 10), tiles=(long_spear,)))
    assert wounds(do(reaching, attack("aldis", "orc", "Spear"), "S-" + "C-" + "-", ("defend",)), "aldis") == 4


@pytest.mark.rule("TRN-024")
def test_a_defense_critical_does_not_strike_back_without_a_melee_tile():
    board = scene(ally("aldis", TEN, tiles=(PLAIN,)), foe("archer", NEXT, tiles=(BOW,)))
    done = do(board, attack("aldis", "archer", "Strike"), "S-" + "C-" + "-", ("defend",))
    assert wounds(done, "aldis") == 5


@pytest.mark.rule("TRN-025")
def test_canceled_dice_leave_before_skill_is_assigned():
    done = do(duel(), attack("aldis", "orc"), "SS" + "S" + "-" + "SS" + "-", ("defend",))
    assert wounds(done, "orc") == 5
    assert explanation_facts(done, "defense")[0]["skill_used"] == 0


@pytest.mark.rule("TRN-026")
def test_one_skill_die_goes_on_one_attack_die():
    two_skill = {**PLAIN, "skill": 2}
    board = duel(tiles=(two_skill,))
    done = do(board, attack("aldis", "orc", "Strike"), "S-" + "SS" + "--" + "-", ("defend",))
    assert explanation_facts(done, "defense")[0]["skill_used"] == 1
    assert wounds(done, "orc") == 5 - 2


@pytest.mark.rule("TRN-026")
def test_skill_beyond_the_remaining_dice_is_lost():
    two_skill = {**PLAIN, "attack": 3, "skill": 2}
    done = do(
        duel(tiles=(two_skill,)), attack("aldis", "orc", "Strike"), "SS-" + "SS" + "S-" + "-", ("defend",)
    )
    assert explanation_facts(done, "defense")[0]["skill_used"] == 1
    strike = spec_of(duel(tiles=(two_skill,)))
    assert compare_rolls(strike, Hits(2, 0, 2), Blocks(1, 0), 0).dealt == 2


def spec_of(board):
    attacker, defender = read_miniature(board.token("aldis")), read_miniature(board.token("orc"))
    return build_attack(board, "attack", attacker, attacker.profile.tiles[0], defender).spec


@pytest.mark.rule("TRN-026")
def test_the_attacker_may_use_fewer_skill_dice():
    done = do(duel(), attack("aldis", "orc"), "S-" + "S" + "-" + "--" + "-", ("defend", "0"))
    assert wounds(done, "orc") == 4


@pytest.mark.rule("TRN-027")
def test_skill_cannot_be_canceled():
    board = duel(tiles=({**PLAIN, "skill": 1},))
    done = do(board, attack("aldis", "orc", "Strike"), "SS" + "S" + "S-" + "-", ("defend",))
    assert wounds(done, "orc") == 5 - 2


@pytest.mark.rule("TRN-028", "TRN-029")
def test_each_die_costs_the_damage_and_each_skill_attack_die_twice_that():
    board = scene(ally("aldis", TEN, tiles=({**SWORD, "damage": 2},)), foe("orc", NEXT, wounds=9))
    done = do(board, attack("aldis", "orc"), "SC" + "S" + "-" + "--" + "-", ("defend",))
    assert wounds(done, "orc") == 9 - (2 + 4)


@pytest.mark.rule("TRN-031")
def test_both_sides_suffer_from_one_attack():
    board = scene(
        ally("aldis", TEN, tiles=({**PLAIN, "damage": 2},), wounds=1), foe("orc", NEXT, wounds=3, defense=1)
    )
    done = do(board, attack("aldis", "orc", "Strike"), "SS" + "C" + "-", ("defend",))
    assert done.scene.token("aldis").at is None
    assert wounds(done, "orc") == 1


@pytest.mark.rule("TRN-031", "TRN-033")
def test_a_defender_killed_by_the_attack_still_strikes_back():
    board = scene(ally("aldis", TEN, tiles=({**PLAIN, "attack": 3},)), foe("orc", NEXT, wounds=2, defense=1))
    done = do(board, attack("aldis", "orc", "Strike"), "SSS" + "C" + "-", ("defend",))
    assert done.scene.token("orc").has("out")
    assert wounds(done, "aldis") == 4


@pytest.mark.rule("TRN-032")
def test_wounds_are_a_track_of_the_miniature_and_explained():
    done = do(duel(tiles=(PLAIN,)), attack("aldis", "orc", "Strike"), "SS" + "--" + "-", ("defend",))
    assert done.scene.token("orc").tracks["wounds"] == 3
    assert explanation_facts(done, "wounds") == [{"token": "orc", "wounds": 2, "left": 3}]


@pytest.mark.rule("TRN-033")
def test_a_miniature_without_wounds_is_removed_and_cannot_act():
    board = scene(ally("aldis", TEN, tiles=(PLAIN,)), foe("orc", NEXT, wounds=2), foe("rat", (1, 1)))
    done = do(board, attack("aldis", "orc", "Strike"), "SS" + "--" + "-", ("defend",))
    assert done.scene.token("orc").at is None
    assert done.result.leaves == "removed"
    assert refused(done.scene, shoot("orc", "aldis")) in {"TRN-001", "TRN-012"}


def test_typed_faces_must_be_on_the_die():
    with pytest.raises(WrongAnswer, match="no face X"):
        do(duel(), attack("aldis", "orc"), "XX")
