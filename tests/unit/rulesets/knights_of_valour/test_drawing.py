"""Taking another weapon in hand: its hands, and its cost by the house rule (KOV-013, KOV-033)."""

from __future__ import annotations

import pytest

from enfilade.rules.procedures import Act
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.knights_of_valour.profiles import read_creature
from tests.unit.rulesets.knights_of_valour.scenes import (
    ALL,
    act,
    card,
    do,
    facts,
    go,
    hero,
    in_round,
    judged,
    melee,
    monster,
    reach,
    refused,
    scene,
    text_of,
    with_condition,
    with_tracks,
)

PAID = {"drawing": "part of a Move Action"}


def draw(weapon, token="aldis"):
    return Act(kind="draw", token=token, weapon=weapon)


def board(house_rules=None, **sheet):
    sheet = {"hands": ["Sword"], "carried": ["Long bow", "Dagger"], **sheet}
    tokens = (hero("aldis", (5, 5), **sheet), monster("orc", (6, 5)))
    return in_round(scene(*tokens, house_rules=house_rules), "aldis")


def held(board):
    return [weapon.name for weapon in read_creature(board.token("aldis")).held]


@pytest.mark.rule("KOV-013")
@pytest.mark.parametrize(
    ("hands", "shield", "taken", "in_hand", "away"),
    [
        (["Sword"], "", "Dagger", ["Dagger", "Sword"], []),
        (["Sword"], "small", "Dagger", ["Dagger"], ["Sword"]),
        (["Sword", "Spear"], "", "Dagger", ["Dagger", "Spear"], ["Sword"]),
        (["Sword", "Spear"], "", "Long bow", ["Long bow"], ["Sword", "Spear"]),
        (["Staff"], "", "Dagger", ["Dagger"], ["Staff"]),
        ([], "", "Long bow", ["Long bow"], []),
        (["Dagger"], "", "Dagger", ["Dagger", "Dagger"], []),
    ],
)
def test_c29_a_weapon_goes_into_the_main_hand_and_others_stay_while_there_are_hands(
    hands, shield, taken, in_hand, away
):
    before = board(hands=hands, shield=shield)
    done = do(before, draw(taken))
    assert held(done.scene) == in_hand
    assert facts(done, "draw") == [{"token": "aldis", "weapon": taken, "away": away}]
    weighs = [read_creature(one.token("aldis")).weight for one in (before, done.scene)]
    assert weighs[0] == weighs[1]
    log = f"Aldis takes {taken} in hand" + (f" and puts away: {', '.join(away)}." if away else ".")
    assert text_of(before, done).startswith(log)


@pytest.mark.rule("KOV-047", "KOV-060")
def test_c29_a_shield_is_on_the_back_while_both_hands_hold_weapons():
    before = board(shield="small")
    bow = do(before, draw("Long bow")).scene
    assert [read_creature(one.token("aldis")).shield for one in (before, bow)] == ["small", ""]
    assert "Defense" not in {line.split()[0] for line in card(bow, "aldis")}
    sword = do(bow, draw("Sword")).scene
    assert read_creature(sword.token("aldis")).shield == "small"
    assert held(sword) == ["Sword"]


def test_c29_only_what_is_in_hand_attacks_and_what_is_carried_is_offered():
    before = board()
    shot = Act(kind="ranged", token="aldis", target="orc", weapon="Long bow")
    assert refused(before, shot) == "KOV-057"
    assert [one.label for one in offers(before)] == ["Take Long bow in hand", "Take Dagger in hand"]
    after = do(before, draw("Long bow")).scene
    assert refused(after, shot) == ""
    assert refused(after, melee("aldis", "orc")) == "KOV-050"
    assert [one.act.weapon for one in offers(after)] == ["Sword", "Dagger"]
    for weapon in ("Long bow", "Spear", ""):
        assert refused(after, draw(weapon)) == "KOV-013"


def offers(board):
    found = KNIGHTS_OF_VALOUR.offers(board, board.token("aldis"))
    return [one for one in found if one.act.kind == "draw" and one.is_legal]


def test_c29_a_weapon_that_the_sheet_has_no_more_is_not_in_hand():
    odd = with_condition(board(), "aldis", "main hand", "Halberd")
    assert held(odd) == ["Sword"]
    odd = with_condition(
        with_condition(board(), "aldis", "main hand", "Dagger"), "aldis", "other hand", "Axe"
    )
    assert held(odd) == ["Dagger"]


@pytest.mark.rule("KOV-027", "KOV-024", "KOV-042")
def test_c29_a_weapon_is_taken_in_the_own_turn_and_by_free_hands():
    assert refused(in_round(board(), "orc"), draw("Dagger")) == "KOV-027"
    assert refused(with_condition(board(), "aldis", "out"), draw("Dagger")) == "KOV-024"
    hanging = with_condition(
        with_tracks(board(), "aldis", hanging=4, climb_paid=8), "aldis", "climbing", "4,5"
    )
    assert refused(hanging, draw("Dagger")) == "KOV-042"


@pytest.mark.rule("KOV-033")
def test_c29_it_is_free_by_default_and_uses_nothing():
    before = with_tracks(board(), "aldis", moves_used=1, combat_actions_used=1)
    after = do(before, draw("Dagger")).scene
    assert after.token("aldis").tracks == before.token("aldis").tracks


@pytest.mark.rule("KOV-033")
def test_c29_as_a_part_of_a_move_action_it_costs_5_feet_and_the_move_goes_on():
    drawn = do(board(PAID), draw("Dagger")).scene
    token = drawn.token("aldis")
    assert (token.track("movement"), token.track("moves used")) == (25, 1)
    assert max(reach(drawn, "aldis").values()) == 25
    assert not judged(drawn, "aldis", (11, 5)).allowed
    moved = do(drawn, go("aldis", 5, 3), (2,)).scene
    again = do(moved, draw("Long bow")).scene.token("aldis")
    assert (again.track("movement"), again.track("moves used")) == (10, 1)
    spent = do(board(PAID), go("aldis", 5, 11), (2,)).scene
    assert refused(spent, draw("Dagger")) == "KOV-031"


@pytest.mark.rule("KOV-031", "KOV-033")
def test_c29_the_last_5_feet_of_a_move_action_are_enough():
    haste = [{"name": "Haste", "kind": "move action"}]
    begun = with_tracks(board(PAID, buffs=haste), "aldis", moves_used=1, movement=5)
    token = do(begun, draw("Dagger")).scene.token("aldis")
    assert (token.track("movement"), token.track("moves used")) == (0, 1)
    last = with_tracks(board(PAID), "aldis", moves_used=1, movement=5)
    assert refused(last, draw("Dagger")) == ""
    assert refused(with_tracks(last, "aldis", movement=4), draw("Dagger")) == "KOV-031"
    short = do(with_tracks(begun, "aldis", movement=4), draw("Dagger")).scene.token("aldis")
    assert (short.track("movement"), short.track("moves used")) == (25, 2)
    slow = do(board(PAID, movement=3), draw("Dagger")).scene.token("aldis")
    assert (slow.track("movement"), slow.track("moves used")) == (0, 1)


@pytest.mark.rule("KOV-031", "KOV-033")
def test_c29_a_combat_action_ends_the_move_action_unless_moves_are_split():
    for rules, left, rule in ((PAID, 0, "KOV-031"), ({**PAID, "split_moves": True}, 25, "")):
        drawn = do(board(rules), draw("Dagger")).scene
        struck = do(drawn, melee("aldis", "orc", "Dagger"), (2,)).scene
        assert struck.token("aldis").track("movement") == left
        assert refused(struck, draw("Long bow")) == rule


def test_c29_before_the_first_round_and_in_a_new_round_nothing_is_spent():
    tokens = (hero("aldis", (5, 5), carried=["Dagger"], proficiency=ALL), monster("orc", (9, 9)))
    calm = scene(*tokens, house_rules=PAID)
    assert do(calm, draw("Dagger")).scene.token("aldis").tracks == calm.token("aldis").tracks
    drawn = do(in_round(calm, "aldis"), draw("Dagger")).scene
    for token in ("aldis", "orc"):
        drawn = do(drawn, act("end", token)).scene
    fresh = do(drawn, act("round", "")).scene.token("aldis")
    assert "movement" not in fresh.tracks
    assert held(drawn) == ["Dagger", "Sword"]
