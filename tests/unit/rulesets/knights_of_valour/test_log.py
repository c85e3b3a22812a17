"""The log, the card and the overlays (KOV-009, KOV-025, KOV-064 to KOV-066)."""

from __future__ import annotations

import pytest

from enfilade.rules.procedures import Act
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.scene.model import Wall
from tests.unit.rulesets.knights_of_valour.scenes import (
    act,
    announce,
    card,
    do,
    go,
    hero,
    in_round,
    judged,
    melee,
    monster,
    patch,
    scene,
    shoot,
    text_of,
    with_tracks,
)

SLING = {"name": "Sling", "kind": "ranged", "close": 10, "maximum": 15}


def areas(board, token, layer):
    """Each area of a layer: its label and its squares."""
    return {
        area.label: {(x, row) for row, first, last in area.runs for x in range(first, last + 1)}
        for area in KNIGHTS_OF_VALOUR.areas(board, board.token(token), layer)
    }


def log(board, asked, faces=(), decisions=()):
    return text_of(board, do(board, asked, faces, decisions))


@pytest.mark.rule("KOV-064")
def test_the_log_of_a_hit_has_the_dice_every_modifier_and_its_source():
    ward = {"name": "Ward", "kind": "defense", "value": 1}
    sheet = {"armor": "heavy", "shield": "large", "agility": 1, "buffs": [ward]}
    board = scene(hero("aldis", (3, 3), strength=2), monster("orc", (4, 3), size="tall", **sheet))
    assert log(board, melee("aldis", "orc"), (15, 5)) == (
        "Aldis attacks Orc with Sword. Hit. Orc takes 7 damage, 13 left.\n"
        "+1 proficiency with Sword, +2 Strength, +1 size (average attacks tall) "
        "against Defense Value 18 (10 base, "
        "+1 proficiency with Dagger, +3 heavy armor, "
        "+2 large shield, +1 Agility, +1 Ward). Dice: attack 15. Natural 15, total 19 against 18. "
        "Dice: damage 5, +2: 7 damage."
    )


@pytest.mark.rule("KOV-064")
def test_the_log_of_a_miss_and_of_disadvantage():
    board = scene(
        hero("wren", (0, 3), hands=["Long bow"], proficiency={"Long bow": 1}), monster("orc", (13, 3))
    )
    assert log(board, shoot("wren", "orc"), (15, 4)) == (
        "Wren attacks Orc with Long bow. Miss.\n"
        "+1 proficiency with Long bow against Defense Value 10 (10 base). "
        "Disadvantage: beyond Close Range. Dice: attack 15 4. Natural 4, total 5 against 10."
    )
    plain = scene(hero("aldis", (3, 3)), monster("orc", (4, 3), proficiency={"Dagger": 0}))
    plain = scene(hero("aldis", (3, 3), strength=-1), monster("orc", (4, 3), proficiency={"Dagger": 0}))
    assert "+1 proficiency with Sword, -1 Strength against Defense Value 10 (10 base)." in log(
        plain, melee("aldis", "orc"), (2,)
    )


@pytest.mark.rule("KOV-064")
def test_modifiers_that_do_not_count_are_left_out():
    tokens = (hero("aldis", (3, 3)), monster("orc", (4, 3), armor="heavy", shield="large"))
    board = scene(*tokens, house_rules={"armor_and_shield": "better counts"})
    text = log(board, melee("aldis", "orc"), (2,))
    assert "against Defense Value 14 (10 base, +1 proficiency with Dagger, +3 heavy armor)." in text
    none = scene(
        hero("aldis", (3, 3), hands=["Long bow"], proficiency={"Long bow": 1}),
        monster("orc", (4, 3)),
        house_rules={"ranged_proficiency": False},
    )
    assert "Aldis attacks Orc with Long bow. Miss.\nNo modifiers" in log(none, shoot("aldis", "orc"), (2,))


@pytest.mark.rule("KOV-064")
def test_the_log_of_a_move_names_the_sub_actions():
    terrain = [patch("obstacle", *[(5, y) for y in range(12)], height=3)]
    board = in_round(scene(hero("aldis", (3, 5)), terrain=terrain), "aldis")
    assert log(board, go("aldis", 7, 5)) == "Aldis moves 20 feet.\nMove 5, vault 5, move 10."
    assert log(board, go("aldis", 15, 5)).startswith("Aldis moves against the rules: The path costs 60 feet")
    assert log(board, Act(kind="move", token="aldis")) == "Aldis stays where it is."


@pytest.mark.rule("KOV-064")
def test_the_log_of_an_attack_of_opportunity_that_defeats():
    tokens = (hero("aldis", (5, 5), damage_points=2), monster("orc", (4, 5)))
    board = in_round(scene(*tokens), "aldis")
    assert log(board, go("aldis", 7, 5), (15, 4)) == (
        "Aldis sets out. Attack of Opportunity by Orc on Aldis. Orc attacks Aldis with Dagger. Hit. "
        "Aldis takes 4 damage, 0 left. Aldis is defeated. Monsters has won. Aldis gets no farther.\n"
        ""
        "+1 proficiency with Dagger against Defense Value 11 (10 base, +1 proficiency with Sword). "
        "Dice: attack 15. Natural 15, total 16 against 11. Dice: damage 4, +0: 4 damage."
    )


@pytest.mark.rule("KOV-064", "KOV-025")
def test_the_log_of_rounds_decisions_and_intents():
    tokens = (hero("aldis", agility=2), hero("bran", agility=2), monster("orc", agility=1))
    board = scene(*tokens)
    done = do(board, act("round", ""), decisions=("someone", "1", "0"))
    assert text_of(board, done) == (
        "Round 1 begins.\n"
        "Heroes: By how much does Aldis lower the initiative of 2 for this round? 1. "
        "Order of turns: Bran +2, Aldis +1, Orc +1."
    )
    tied = do(board, act("round", ""), decisions=("another order", "bran"))
    assert "Heroes: Which of the creatures with initiative 2 goes first? Bran." in text_of(board, tied)
    three = scene(*tokens, hero("cora", agility=2))
    ordered = do(three, act("round", ""), decisions=("another order", "cora,aldis,bran"))
    assert "creatures with initiative 2 act? Cora, Aldis, Bran." in text_of(three, ordered)
    assert (
        text_of(board, do(board, act("round", "")))
        == "Round 1 begins.\nOrder of turns: Aldis +2, Bran +2, Orc +1."
    )
    board = done.scene
    assert log(board, announce("bran", "hold")) == "Bran announces: hold."
    assert log(board, act("end", "bran")) == "Bran ends the turn. Aldis is next."
    last = do(do(board, act("end", "bran")).scene, act("end", "aldis")).scene
    assert log(last, act("end", "orc")) == "Orc ends the turn. The round is over."
    free = in_round(scene(hero("aldis", (5, 5)), monster("orc", (4, 5))), "aldis")
    assert "Monsters: Orc: Attack of Opportunity on Aldis? No." in log(
        free, go("aldis", 7, 5), decisions=("no",)
    )


@pytest.mark.rule("KOV-065")
def test_the_card_shows_the_order_of_turns_and_the_used_actions():
    haste = [{"name": "Haste", "kind": "move action"}]
    tokens = (hero("aldis", (3, 3), agility=1, buffs=haste), monster("orc", (4, 4), agility=-1, hands=[]))
    board = scene(*tokens)
    assert not any(label.startswith("Round") for label in card(board, "aldis"))
    board = in_round(board, "aldis")
    board = do(board, melee("aldis", "orc"), (2,)).scene
    for token in ("aldis", "orc"):
        assert card(board, token)["Round 1"] == (
            "Aldis +1 (moves 0/2, combat actions 1/1); Orc -1 (moves 0/1, combat actions 0/1)"
        )
    board = do(do(board, go("aldis", 3, 4)).scene, act("end", "aldis")).scene
    assert card(board, "orc")["Round 1"].startswith("Aldis +1 (moves 1/2, combat actions 1/1) done; Orc")
    late = with_tracks(board, "orc", order=0)
    assert card(late, "orc")["Round 1"].startswith("Orc")


@pytest.mark.rule("KOV-009")
def test_the_card_shows_the_proficiency_on_each_weapon():
    sheet = {
        "hands": ["Sword", "Throwing spear"],
        "proficiency": {"Sword": 3, "Throwing spear": 1},
        "strength": 2,
    }
    shown = card(scene(hero("aldis", (3, 3), **sheet)), "aldis")
    assert shown["Sword"] == "D8, PL 3"
    assert shown["Throwing spear"] == "D6, PL 1, close 30 feet, maximum 70 feet"


def test_the_card_shows_the_sheet():
    bless = {"name": "Bless", "kind": "attack", "value": 2, "weapon": "Sword"}
    sheet = {"agility": 1, "strength": -2, "health": 3, "shield": "small", "load": 4, "buffs": [bless]}
    board = scene(hero("aldis", (3, 3), **sheet), monster("orc", (4, 3)))
    shown = card(do(board, melee("orc", "aldis", "Dagger"), (19, 4)).scene, "aldis")
    assert shown["Damage points"] == "16"
    assert shown["Stats"] == "Agility +1, Strength -2, Health +3"
    assert shown["Defense Modifier"] == "+1"
    assert shown["Movement"] == "30 feet"
    assert shown["Weight"] == "11 of 30"
    assert shown["Bless"] == "attack +2"
    assert shown["Adjacent enemies"] == "Orc"
    assert "Adjacent enemies" not in card(scene(hero("aldis", (3, 3))), "aldis")
    intent = do(in_round(board, "aldis"), announce("aldis", "hold")).scene
    assert card(intent, "aldis")["Intent"] == "hold"


@pytest.mark.rule("KOV-066", "KOV-051")
def test_the_overlay_shows_the_reach_and_the_two_bands():
    sheet = {"hands": ["Throwing spear", "Dagger"], "strength": -2}
    shown = areas(scene(hero("aldis", (5, 5), **sheet), size=(20, 12)), "aldis", "ranges")
    assert set(shown) == {
        "Throwing spear: Close Range, 10 feet",
        "Throwing spear: Maximum Range, 50 feet",
        "Dagger: melee reach",
    }
    near, far = shown["Throwing spear: Close Range, 10 feet"], shown["Throwing spear: Maximum Range, 50 feet"]
    assert (7, 7) in near
    assert (8, 5) not in near
    assert (5, 5) not in near | far
    assert (8, 5) in far
    assert (15, 5) in far
    assert (16, 5) not in far
    assert not near & far
    assert len(shown["Dagger: melee reach"]) == 8
    for at, size in (((0, 0), 3), ((5, 0), 5), ((0, 5), 5), ((19, 11), 3), ((10, 11), 5), ((19, 5), 5)):
        corner = areas(scene(hero("aldis", at, hands=["Dagger"]), size=(20, 12)), "aldis", "ranges")
        assert len(corner["Dagger: melee reach"]) == size
    unskilled = scene(hero("aldis", (5, 5), hands=["Dagger"], proficiency={"Dagger": 0}))
    assert areas(unskilled, "aldis", "ranges") == {}
    for strength, labels in ((-3, 0), (-2, 2)):
        sling = {"hands": ["Sling"], "weapons": [SLING], "proficiency": {"Sling": 1}, "strength": strength}
        assert len(areas(scene(hero("aldis", (5, 5), **sling)), "aldis", "ranges")) == labels


def test_the_overlay_shows_sight_and_threat():
    wall = Wall(id="w", line=(8 * 64, 0, 8 * 64, 12 * 64))
    board = scene(hero("aldis", (3, 5)), monster("orc", (5, 5), movement=10), walls=[wall])
    (seen,) = areas(board, "aldis", "sight").values()
    assert seen == {(x, y) for x in range(8) for y in range(12)}
    threat = areas(board, "aldis", "threat")
    now, after = (
        threat["Enemies can attack here now"],
        threat["Enemies can attack here in melee after a move"],
    )
    assert len(now) == 8
    assert (4, 5) in now
    assert (2, 5) in after
    assert (1, 5) not in after
    assert not now & after
    assert all(x < 8 for x, _ in now | after)


def test_the_threat_of_archers_is_what_they_see_in_range():
    wall = Wall(id="w", line=(8 * 64, 0, 8 * 64, 12 * 64))
    dart = [{"name": "Dart", "kind": "ranged", "close": 5, "maximum": 20}]
    sheet = {"hands": ["Dart"], "weapons": dart, "proficiency": {"Dart": 1}}
    board = scene(hero("aldis", (3, 5)), monster("orc", (6, 5), **sheet), walls=[wall])
    threat = areas(board, "aldis", "threat")
    assert threat["Enemies can attack here now"] == {
        (x, y) for x in range(2, 8) for y in range(1, 10) if (x, y) != (6, 5)
    }
    assert threat["Enemies can attack here in melee after a move"] == set()


def test_no_overlay_off_the_board():
    board = scene(hero("aldis"), hero("bran", (99, 9)), monster("orc", (5, 5)))
    for token in ("aldis", "bran"):
        for layer in KNIGHTS_OF_VALOUR.layers:
            assert areas(board, token, layer) == {}
    assert areas(board, "orc", "cover") == {}


def test_offers_name_each_weapon_at_each_enemy_and_every_other_action():
    board = in_round(scene(hero("aldis", (3, 3)), hero("bran", (3, 4)), monster("orc", (4, 3))), "aldis")
    found = KNIGHTS_OF_VALOUR.offers(board, board.token("aldis"))
    legal = [(offer.act.kind, offer.act.target) for offer in found if offer.is_legal]
    assert legal == [
        ("melee", "orc"),
        ("shove", "orc"),
        ("grapple", "orc"),
        ("intent", ""),
        ("throw", ""),
        ("release", ""),
        ("spell", ""),
        ("search", ""),
        ("use", ""),
        ("end", ""),
    ]
    assert [offer.label for offer in found][:2] == ["Sword", "Shove"]
    (refused,) = [offer for offer in found if not offer.is_legal]
    assert (refused.act.kind, refused.rule) == ("round", "KOV-024")
    assert judged(board, "aldis", (3, 2)).allowed


def test_the_log_names_the_weapon_of_an_attack_of_opportunity_even_if_its_name_ends_in_a_number():
    sheet = {"hands": ["Spear 2"], "weapons": [{"name": "Spear 2"}], "proficiency": {"Spear 2": 1}}
    board = in_round(scene(hero("aldis", (5, 5)), monster("orc", (4, 5), **sheet)), "aldis")
    done = do(board, go("aldis", 7, 5), (2,), decisions=("Spear 2",))
    assert "Monsters: Orc: Attack of Opportunity on Aldis? Spear 2." in text_of(board, done)


@pytest.mark.rule("KOV-036", "KOV-064")
def test_the_log_tells_no_feet_for_one_that_is_defeated_on_the_way():
    first = in_round(scene(hero("aldis", (5, 5), damage_points=1), monster("orc", (4, 5))), "aldis")
    assert log(first, go("aldis", 8, 5), (19, 4)).startswith("Aldis sets out. Attack of Opportunity by Orc")
    later = in_round(scene(hero("aldis", (3, 5), damage_points=1), monster("orc", (5, 4))), "aldis")
    text = log(later, Act(kind="move", token="aldis", at=(9, 5), path=((5, 5), (9, 5))), (19, 4))
    assert "feet" not in text.split("\n")[0]
    assert text.startswith("Aldis moves to ")
