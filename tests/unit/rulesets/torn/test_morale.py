"""Panic Tests and the loss of the leader (TRN-097 to TRN-103)."""

from __future__ import annotations

import pytest

from enfilade.rules.procedures import Act
from enfilade.scene.model import Side
from tests.unit.rulesets.torn.scenes import PLAIN, ally, attack, do, explanation_facts, foe, rolls, scene

TEN, NEXT = (10, 10), (11, 10)


def with_weak_leader(*squad, leader=None, **more):
    """Build a battlefield on which blue can remove the leader of red with one wound."""
    card = {"wounds": 1, "defense": 0, "agility": 0, "traits": ("leader",), **(leader or {})}
    return scene(ally("aldis", TEN, tiles=(PLAIN,)), foe("chief", NEXT, **card), *squad, **more)


def kill(board, faces=""):
    return do(board, attack("aldis", "chief", "Strike"), "S-" + faces)


def soldier(name="soldier", **card):
    return foe(name, (20, 20), **card)


@pytest.mark.rule("TRN-097", "TRN-101")
@pytest.mark.parametrize(("face", "passes"), [("S", True), ("C", True), ("-", False)])
def test_trn_t19_a_success_or_a_critical_on_one_defense_die_passes(face, passes):
    done = kill(with_weak_leader(soldier()), face)
    assert rolls(done)[-1] == f"panic test {face}"
    assert done.scene.token("soldier").has("panic") is not passes


@pytest.mark.rule("TRN-098")
@pytest.mark.parametrize(("faces", "passes"), [("-S", True), ("--", False)])
def test_trn_t19_a_veteran_rolls_two_dice(faces, passes):
    done = kill(with_weak_leader(soldier(traits=("veteran",))), faces)
    assert done.scene.token("soldier").has("panic") is not passes


@pytest.mark.rule("TRN-099")
def test_trn_t19_the_careful_fail_without_a_roll():
    done = kill(with_weak_leader(soldier(traits=("careful",))))
    assert "panic" not in " ".join(rolls(done))
    assert done.scene.token("soldier").has("panic")


@pytest.mark.rule("TRN-100")
def test_the_immune_to_mental_damage_pass_without_a_roll_and_never_panic():
    done = kill(with_weak_leader(soldier(immune=("mental",), traits=("careful",))))
    assert "panic" not in " ".join(rolls(done))
    assert explanation_facts(done, "panic test") == [{"token": "soldier", "passes": True}]
    assert not done.scene.token("soldier").has("panic")
    calm = kill(with_weak_leader(soldier(immune=("mental",))))
    assert "panic" not in " ".join(rolls(calm))
    terror = {**PLAIN, "marker": "panic"}
    board = scene(ally("aldis", TEN, tiles=(terror,)), foe("chief", NEXT, immune=("mental",)))
    struck = do(board, attack("aldis", "chief", "Strike"), "C-" + "--" + "-", ("defend",))
    assert not struck.scene.token("chief").has("panic")


@pytest.mark.rule("TRN-101")
def test_all_miniatures_of_the_leaders_side_are_tested_and_no_others():
    board = with_weak_leader(soldier("a"), soldier("b"), ally("bran", (5, 5)))
    done = kill(board, "S" + "-")
    assert [facts["token"] for facts in explanation_facts(done, "panic test")] == ["a", "b"]


@pytest.mark.rule("TRN-101")
def test_the_loss_of_a_miniature_that_is_no_leader_tests_none():
    done = kill(with_weak_leader(soldier(), leader={"traits": ()}))
    assert not explanation_facts(done, "panic test")


BEAST = {"wounds": 7, "defense": 3, "tiles": [PLAIN], "traits": ["leader"]}


@pytest.mark.rule("TRN-102")
def test_a_leader_that_transforms_at_its_last_wound_is_not_lost():
    done = kill(with_weak_leader(soldier(), leader={"becomes": BEAST}))
    assert not explanation_facts(done, "panic test")
    changed = done.scene.token("chief")
    assert (changed.at, changed.track("wounds"), changed.profile["wounds"]) == (NEXT, 7, 7)


@pytest.mark.rule("TRN-103")
def test_a_transformation_by_another_miniature_tests_the_side():
    board = with_weak_leader(soldier(), leader={"becomes": BEAST})
    done = do(board, Act(kind="transform", token="chief"), "-")
    assert done.scene.token("soldier").has("panic")
    assert done.scene.token("chief").profile["wounds"] == 7


@pytest.mark.rule("TRN-101")
def test_panic_tests_come_after_all_simultaneous_removals():
    sweep = {**PLAIN, "area": True}
    board = scene(
        ally("aldis", (9, 9), tiles=(sweep,)),
        foe("chief", TEN, wounds=1, defense=0, agility=0, traits=("leader",)),
        foe("squire", (9, 10), wounds=1, defense=0, agility=0),
        foe("guard", (20, 20)),
    )
    done = do(board, attack("aldis", "chief", "Strike"), "S-" + "S")
    assert [facts["token"] for facts in explanation_facts(done, "panic test")] == ["guard"]


@pytest.mark.rule("TRN-101")
def test_miniatures_of_a_teammate_are_not_tested():
    sides = (
        Side(id="blue", name="Blue"),
        Side(id="red", name="Red", team="dark"),
        Side(id="green", name="Green", team="dark"),
    )
    board = with_weak_leader(soldier(), ally("troll", (5, 5), side="green"), sides=sides)
    done = kill(board, "-")
    assert [facts["token"] for facts in explanation_facts(done, "panic test")] == ["soldier"]
    assert [done.scene.token(name).has("panic") for name in ("soldier", "troll")] == [True, False]
