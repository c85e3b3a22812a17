"""Engagement, Free Attacks and Counter Attacks (TRN-065 to TRN-077, TRN-092 to TRN-095)."""

from __future__ import annotations

import pytest

from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, ChoicePending, resolve
from enfilade.rulesets.torn import TORN
from enfilade.rulesets.torn.combat.reactions import engaged_enemies, free_attackers
from enfilade.rulesets.torn.profiles import read_miniature
from tests.unit.rulesets.torn.scenes import (
    MOVE,
    PLAIN,
    RUN,
    SWORD,
    ally,
    asked,
    attack,
    do,
    explanation_facts,
    foe,
    hexon_cell,
    in_round,
    landscape,
    rolls,
    scene,
    with_condition,
    with_token,
    wounds,
)

TEN, NEXT, AWAY = (10, 10), (11, 10), (7, 10)
CONCENTRATION = {"name": "Focus", "kind": "concentration"}
MINE = (PLAIN, MOVE, RUN, CONCENTRATION)


def step(token="aldis", at=AWAY):
    return Act(kind="move", token=token, at=at)


def names(minis):
    return [mini.name for mini in minis]


def beside(*foes, **more):
    return scene(ally("aldis", TEN, tiles=MINE), *foes, **more)


MISS = "--" + "--" + "-"
HIT = "SS" + "--" + "-"


@pytest.mark.rule("TRN-065")
def test_an_enemy_in_a_neighboring_hex_engages_but_not_one_farther_or_an_ally():
    board = scene(ally("aldis", TEN), ally("bran", (9, 10)), foe("orc", NEXT), foe("elf", (12, 10)))
    assert names(engaged_enemies(board, read_miniature(board.token("aldis")))) == ["Orc"]
    big = scene(ally("aldis", (12, 10)), foe("otraak", TEN, size="large"))
    assert names(engaged_enemies(big, read_miniature(big.token("aldis")))) == ["Otraak"]


@pytest.mark.rule("TRN-066", "TRN-067")
def test_an_engaged_miniature_that_moves_suffers_a_free_attack_first():
    done = do(beside(foe("orc", NEXT)), step(), HIT, ("Strike", "defend"))
    assert explanation_facts(done, "free attack") == [{"token": "orc", "target": "aldis", "act": "Strike"}]
    assert wounds(done, "aldis") == 3
    assert done.scene.token("aldis").at == AWAY


BEAST = {
    "size": "large",
    "wounds": 8,
    "tiles": [{"name": "Stride", "kind": "move", "range": 2, "unit": "hexon"}],
}


@pytest.mark.rule("TRN-076", "TRN-102")
def test_a_mover_that_a_free_attack_turns_into_a_large_one_moves_infantry_at_both_ends():
    under = hexon_cell((-1, 0))
    dying = ally("aldis", TEN, tiles=MINE, wounds=1, becomes=BEAST)
    board = scene(dying, ally("bran", (under[0], under[1] + 1)), foe("orc", NEXT))
    done = do(board, step(at=under), "SS" + "-", ("Strike", "6,10"))
    assert done.scene.token("aldis").at == under
    assert [one["token"] for one in explanation_facts(done, "ejected")] == ["orc", "bran"]
    assert TORN.contradictions(done.scene) == {}


@pytest.mark.rule("TRN-066")
def test_attack_and_concentration_draw_no_free_attack():
    board = beside(foe("orc", NEXT))
    struck = do(board, attack("aldis", "orc", "Strike"), MISS)
    focused = do(board, Act(kind="concentration", token="aldis", weapon="Focus"))
    assert not explanation_facts(struck, "free attack") + explanation_facts(focused, "free attack")


@pytest.mark.rule("TRN-066")
def test_long_weapons_make_no_free_attacks_beyond_a_neighboring_hex():
    spear = {**PLAIN, "range": 3}
    done = do(beside(foe("orc", (12, 10), tiles=(spear,))), step())
    assert not rolls(done)


@pytest.mark.rule("TRN-068")
def test_the_owner_chooses_the_melee_tile_or_declines():
    mace = {**PLAIN, "name": "Mace", "attack": 1, "damage": 2}
    board = beside(foe("orc", NEXT, tiles=(PLAIN, mace)))
    done = do(board, step(), "S" + "--" + "-", ("Mace", "defend"))
    assert wounds(done, "aldis") == 3
    assert not rolls(do(board, step(), "", ("no",)))


@pytest.mark.rule("TRN-068")
@pytest.mark.parametrize("is_first", [True, False])
def test_the_default_of_several_melee_tiles_is_the_one_that_expects_the_most(is_first):
    mace = {**PLAIN, "name": "Mace", "attack": 6, "damage": 2}
    board = beside(foe("orc", NEXT, tiles=(mace, PLAIN) if is_first else (PLAIN, mace)))
    with pytest.raises(ChoicePending) as waiting:
        resolve(board, TORN.acts["move"].procedure, (step(),), Answers(automatic=(), decisions=()))
    assert waiting.value.choice.default == "Mace"


@pytest.mark.rule("TRN-069")
def test_a_free_attack_uses_no_activation_and_activated_miniatures_make_it_too():
    board = in_round(beside(foe("done", NEXT), foe("fresh", (9, 10), is_fresh=True)), "aldis")
    done = do(board, step(at=(10, 13)), MISS + MISS)
    assert len(explanation_facts(done, "free attack")) == 2
    assert not done.scene.token("fresh").has("activated")


@pytest.mark.rule("TRN-070", "TRN-071")
def test_one_free_attack_in_each_enemys_activation_and_any_number_in_a_round():
    board = in_round(
        scene(ally("aldis", TEN, tiles=MINE), ally("bran", (11, 11), tiles=MINE), foe("orc", (11, 10))),
        "aldis",
    )
    once = do(board, step(at=(10, 11)), MISS)
    assert len(explanation_facts(once, "free attack")) == 1
    again = do(once.scene, step(at=AWAY))
    assert not explanation_facts(again, "free attack")
    ended = do(again.scene, Act(kind="end", token="aldis"))
    other = do(in_round(ended.scene, "bran"), step("bran", at=(12, 13)), MISS)
    assert len(explanation_facts(other, "free attack")) == 1


@pytest.mark.rule("TRN-070", "TRN-071")
def test_the_next_round_allows_the_same_free_attack_again():
    board = in_round(beside(foe("orc", NEXT)), "aldis")
    board = do(board, step(at=(10, 11)), MISS).scene
    board = do(board, Act(kind="end", token="aldis")).scene
    board = do(board, Act(kind="round", token="aldis"), (6, 1)).scene
    again = do(in_round(board, "aldis", 2), step(), MISS)
    assert len(explanation_facts(again, "free attack")) == 1


@pytest.mark.rule("TRN-072")
def test_each_of_several_enemies_makes_one():
    board = beside(foe("a", NEXT), foe("b", (9, 10)), foe("c", (10, 9)))
    done = do(board, step(at=(10, 12)), MISS * 3)
    assert [facts["token"] for facts in explanation_facts(done, "free attack")] == ["a", "b", "c"]


@pytest.mark.rule("TRN-073")
def test_criticals_against_a_free_attack_deal_nothing_back():
    done = do(beside(foe("orc", NEXT)), step(), "S-" + "CC" + "-", ("Strike", "defend"))
    assert wounds(done, "orc") == 5


@pytest.mark.rule("TRN-074")
def test_no_free_attack_without_a_melee_tile():
    bow = {"name": "Bow", "kind": "ranged", "range": 4, "attack": 2, "damage": 1}
    board = beside(foe("archer", NEXT, tiles=(bow,)))
    assert not free_attackers(board, read_miniature(board.token("aldis")))
    assert not rolls(do(board, step()))


@pytest.mark.rule("TRN-075")
def test_a_free_attack_with_an_area_tile_hits_only_the_mover():
    sweep = {**PLAIN, "area": True}
    board = scene(ally("aldis", TEN, tiles=MINE), ally("bran", (9, 10)), foe("orc", NEXT, tiles=(sweep,)))
    done = do(board, step(at=(8, 9)), HIT, ("Strike", "defend"))
    assert (wounds(done, "aldis"), wounds(done, "bran")) == (3, 5)


@pytest.mark.rule("TRN-076")
def test_a_miniature_removed_by_a_free_attack_does_not_move_and_draws_no_other():
    board = scene(ally("aldis", TEN, tiles=MINE, wounds=2), foe("a", NEXT), foe("b", (9, 10)))
    done = do(board, step(at=(10, 12)), "SS" + "--" + "-", ("Strike", "defend"))
    assert done.scene.token("aldis").at is None
    assert len(explanation_facts(done, "free attack")) == 1
    assert done.result.result == "removed"
    assert not [question for question, _ in asked(done) if question.startswith("B:")]


@pytest.mark.rule("TRN-077")
@pytest.mark.parametrize("marker", ["burning", "slowed", "poisoned", "stunned", "bleeding", "panic"])
def test_no_free_attack_with_a_condition_marker(marker):
    board = with_condition(beside(foe("orc", NEXT)), "orc", marker)
    assert not rolls(do(board, step()))


@pytest.mark.rule("TRN-077")
@pytest.mark.parametrize(("kind", "strikes"), [("vortex", False), ("dangerous", False), ("smoke", True)])
def test_no_free_attack_from_a_vortex_or_dangerous_landscape(kind, strikes):
    land = landscape((0, 0), kind=kind)
    there = type(land)(id="t", name="t", cells=(NEXT,), kind=kind)
    board = beside(foe("orc", NEXT), terrain=[there])
    assert bool(free_attackers(board, read_miniature(board.token("aldis")))) is strikes


@pytest.mark.rule("TRN-066")
def test_the_overlay_and_the_ruling_name_the_free_attackers_before_the_move():
    board = beside(foe("orc", NEXT))
    labels = [area.label for area in TORN.areas(board, board.token("aldis"), "reactions")]
    assert labels == ["Move or Run: Free Attack by Orc"]
    ruling = TORN.judge(board, board.token("aldis"), (AWAY,), None)
    assert ruling.allowed
    assert ruling.reasons == ("Free Attack by Orc (TRN-066).",)


def fray(*tiles, is_fresh=True, **more):
    return scene(
        ally("aldis", TEN, tiles=(PLAIN,)),
        foe("orc", NEXT, tiles=tiles or (PLAIN,), is_fresh=is_fresh),
        **more,
    )


@pytest.mark.rule("TRN-092", "TRN-095")
def test_a_target_not_yet_activated_may_counter_and_both_attacks_are_simultaneous():
    board = scene(ally("aldis", TEN, tiles=(PLAIN,), wounds=2), foe("orc", NEXT, wounds=2, is_fresh=True))
    done = do(board, attack("aldis", "orc", "Strike"), HIT + HIT, ("Strike", "defend", "defend"))
    assert done.scene.token("aldis").has("out")
    assert done.scene.token("orc").has("out")
    assert done.result.leaves == "removed, attacker loses 2, attacker removed"
    card = {"wounds": 2, "becomes": {"wounds": 3}}
    board = scene(ally("aldis", TEN, tiles=(PLAIN,), **card), foe("orc", NEXT, is_fresh=True, **card))
    done = do(board, attack("aldis", "orc", "Strike"), HIT + HIT, ("Strike", "defend", "defend"))
    assert done.result.leaves == "it transforms, attacker loses 2, attacker transforms"


@pytest.mark.rule("TRN-092")
def test_activated_targets_and_targets_of_ranged_attacks_do_not_counter():
    assert not explanation_facts(
        do(fray(is_fresh=False), attack("aldis", "orc", "Strike"), MISS), "counter attack"
    )
    bow = {"name": "Bow", "kind": "ranged", "range": 4, "attack": 2, "damage": 1, "assault": True}
    shot = scene(ally("wren", TEN, tiles=(bow,)), foe("orc", NEXT, is_fresh=True))
    assert not explanation_facts(
        do(shot, attack("wren", "orc", "Bow", "ranged"), "SS" + "--" + "-"), "counter attack"
    )


@pytest.mark.rule("TRN-092")
def test_any_number_of_targets_of_an_area_attack_counter():
    sweep = {**PLAIN, "area": True}
    board = scene(
        ally("aldis", (9, 9), tiles=(sweep,)), foe("a", TEN, is_fresh=True), foe("b", (9, 10), is_fresh=True)
    )
    faces = "SS" + "--" + "-" + "--" + "-" + HIT + HIT
    decisions = ("Strike", "Strike", "defend", "defend", "defend", "defend")
    done = do(board, attack("aldis", "a", "Strike"), faces, decisions)
    assert [facts["token"] for facts in explanation_facts(done, "counter attack")] == ["a", "b"]
    assert (wounds(done, "a"), wounds(done, "b"), wounds(done, "aldis")) == (3, 3, 1)


@pytest.mark.rule("TRN-093")
def test_a_counter_attack_is_melee_or_ranged_with_assault_by_the_owners_choice():
    pistol = {"name": "Pistol", "kind": "ranged", "range": 2, "attack": 1, "damage": 3, "assault": True}
    musket = {**pistol, "name": "Musket", "assault": False}
    board = fray(PLAIN, pistol, musket)
    done = do(
        board, attack("aldis", "orc", "Strike"), MISS + "S" + "--" + "-", ("Pistol", "defend", "defend")
    )
    assert explanation_facts(done, "counter attack")[0]["act"] == "Pistol"
    assert wounds(done, "aldis") == 2
    only_musket = do(fray(musket), attack("aldis", "orc", "Strike"), MISS)
    assert not explanation_facts(only_musket, "counter attack")


@pytest.mark.rule("TRN-093")
@pytest.mark.parametrize("assault", [True, False])
def test_only_assault_counters_a_melee_attack_from_two_hexes(assault):
    spear = {**PLAIN, "range": 2}
    gun = {"name": "Gun", "kind": "ranged", "range": 2, "attack": 1, "damage": 1, "assault": assault}
    board = scene(ally("aldis", TEN, tiles=(spear,)), foe("orc", (12, 10), tiles=(gun,), is_fresh=True))
    done = do(board, attack("aldis", "orc", "Strike"), MISS + ("-" + "--" + "-" if assault else ""))
    assert bool(explanation_facts(done, "counter attack")) is assault


@pytest.mark.rule("TRN-094")
def test_counters_are_declared_before_the_attack_is_rolled():
    done = do(fray(), attack("aldis", "orc", "Strike"), MISS + MISS, ("Strike",))
    kinds = [type(e).__name__ for e in done.events]
    assert kinds.index("ChoiceMade") < kinds.index("DiceRolled")
    assert asked(done)[0] == ("Orc: Counter Attack on Aldis?", "Strike")


@pytest.mark.rule("TRN-092")
def test_a_counter_attack_uses_the_activation_by_a_house_rule():
    act = attack("aldis", "orc", "Strike")
    board = in_round(fray(), "aldis")
    assert do(board, act, MISS + MISS, ("Strike",)).scene.token("orc").has("activated")
    kind = in_round(fray(house_rules={"torn.counter_uses_activation": False}), "aldis")
    assert not do(kind, act, MISS + MISS, ("Strike",)).scene.token("orc").has("activated")


@pytest.mark.rule("TRN-089", "TRN-092")
@pytest.mark.parametrize(("uses_it", "left"), [(True, 4), (False, 5)])
def test_markers_bite_and_end_after_a_counter_attack_that_used_the_activation_up(uses_it, left):
    # A burning miniature that countered burned on for a whole round, and no wound was marked.
    board = fray(house_rules={"torn.counter_uses_activation": uses_it})
    board = in_round(with_condition(board, "orc", "burning", "slowed"), "aldis")
    done = do(board, attack("aldis", "orc", "Strike"), MISS + MISS, ("Strike",))
    assert wounds(done, "orc") == left
    assert done.scene.token("orc").has("burning") is not uses_it
    assert done.scene.token("orc").has("slowed") is not uses_it


@pytest.mark.rule("TRN-089", "TRN-095")
def test_a_marker_of_the_countered_attack_itself_stays_for_the_next_activation():
    # "apply the results of all Attacks as if they were make in the same time"
    fire = {**PLAIN, "type": "fire", "marker": "burning"}
    board = in_round(fray(), "aldis")
    board = with_token(board, "aldis", profile={**board.token("aldis").profile, "tiles": [fire]})
    done = do(board, attack("aldis", "orc", "Strike"), "C-" + "--" + "-" + MISS, ("Strike",))
    assert done.scene.token("orc").has("burning")
    assert wounds(done, "orc") == 4


@pytest.mark.rule("TRN-089", "TRN-092")
def test_markers_stay_with_a_target_that_declines_its_counter_attack():
    board = in_round(with_condition(fray(), "orc", "burning"), "aldis")
    done = do(board, attack("aldis", "orc", "Strike"), MISS, ("no",))
    assert done.scene.token("orc").has("burning")
    assert wounds(done, "orc") == 5


def test_an_enemy_one_hexon_away_does_not_engage():
    board = scene(ally("aldis", TEN, tiles=(SWORD,)), foe("orc", hexon_cell((1, 0))))
    moved = with_token(board, "orc", at=(13, 11))
    assert not engaged_enemies(moved, read_miniature(moved.token("aldis")))


@pytest.mark.rule("TRN-009", "TRN-067")
@pytest.mark.parametrize("card", [{"traits": ("invisible",)}, {}])
def test_an_enemy_makes_no_free_attack_on_a_mover_that_it_does_not_see(card):
    board = scene(ally("aldis", TEN, tiles=MINE, **card), foe("orc", NEXT))
    if not card:
        assert rolls(do(board, step(), MISS))
        board = with_condition(board, "aldis", "unseen")
    assert not rolls(do(board, step()))
    assert TORN.judge(board, board.token("aldis"), (AWAY,), None).reasons == ()


GUN = {"name": "Gun", "kind": "ranged", "range": 2, "attack": 2, "damage": 1, "assault": True}


@pytest.mark.rule("TRN-061", "TRN-095")
def test_the_failed_dice_of_an_assault_counter_attack_a_neighbor_like_those_of_any_shot():
    board = scene(
        ally("aldis", TEN, tiles=(PLAIN,)),
        ally("bran", (10, 9)),
        foe("orc", NEXT, tiles=(GUN,), is_fresh=True),
    )
    faces = MISS + "S-" + "--" + "-" + "S" + "--" + "-"
    done = do(board, attack("aldis", "orc", "Strike"), faces, ("Gun", "defend", "defend", "defend"))
    assert [facts["target"] for facts in explanation_facts(done, "group attack")] == ["bran"]
    assert (wounds(done, "aldis"), wounds(done, "bran"), wounds(done, "orc")) == (4, 4, 5)


ROAR = {"name": "Roar", "kind": "melee", "area": True, "effect": "panic test"}


@pytest.mark.rule("TRN-092")
def test_any_number_of_targets_of_an_area_attack_without_damage_counter():
    board = scene(
        ally("aldis", (9, 9), tiles=(ROAR,)), foe("a", TEN, is_fresh=True), foe("b", (9, 10), is_fresh=True)
    )
    faces = HIT + HIT + "SS"
    done = do(board, attack("aldis", "a", "Roar"), faces, ("Strike", "Strike", "defend", "defend"))
    assert [facts["token"] for facts in explanation_facts(done, "counter attack")] == ["a", "b"]
    assert wounds(done, "aldis") == 1
