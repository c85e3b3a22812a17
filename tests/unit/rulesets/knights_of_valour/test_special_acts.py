"""Combat Actions known by name only (KOV-063)."""

from __future__ import annotations

import pytest

from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from tests.unit.rulesets.knights_of_valour.scenes import (
    act,
    do,
    facts,
    hero,
    in_round,
    melee,
    monster,
    refused,
    scene,
    text_of,
    with_condition,
)

UNTARGETED = ("throw", "release", "spell", "search", "use")


def board_with(orc=(4, 3), **house_rules):
    tokens = (hero("aldis", (3, 3), strength=2), monster("orc", orc, strength=1))
    return in_round(scene(*tokens, house_rules=house_rules), "aldis", "orc")


@pytest.mark.rule("KOV-063")
@pytest.mark.parametrize("kind", [*UNTARGETED, "shove", "grapple"])
def test_a_named_action_uses_the_combat_action_and_is_logged(kind):
    board, target = board_with(), "" if kind in UNTARGETED else "orc"
    done = do(board, act(kind, "aldis", target))
    assert done.scene.token("aldis").tracks["combat actions used"] == 1
    assert done.result.result == "done"
    label = KNIGHTS_OF_VALOUR.acts[kind].label
    assert text_of(board, done) == (f"Aldis: {label} at Orc." if target else f"Aldis: {label}.")
    assert refused(done.scene, melee("aldis", "orc")) == "KOV-031"
    assert refused(done.scene, act(kind, "aldis", target)) == "KOV-031"


@pytest.mark.rule("KOV-063")
@pytest.mark.parametrize("kind", ["shove", "grapple"])
def test_shove_and_grapple_need_an_enemy_in_reach(kind):
    assert refused(board_with((5, 3)), act(kind, "aldis", "orc")) == "KOV-051"
    assert refused(board_with(None), act(kind, "aldis", "orc")) == "KOV-051"
    assert refused(board_with((99, 3)), act(kind, "aldis", "orc")) == "KOV-051"
    assert refused(board_with(), act(kind, "aldis", "aldis")) == "KOV-063"
    assert refused(with_condition(board_with(), "orc", "out"), act(kind, "aldis", "orc")) == "KOV-063"
    assert refused(board_with((99, 3), map=False), act(kind, "aldis", "orc")) == ""


@pytest.mark.rule("KOV-063")
@pytest.mark.parametrize(("faces", "wins"), [((9, 10), True), ((8, 10), False), ((10, 10), True)])
def test_an_opposed_roll_decides_by_a_house_rule(faces, wins):
    board = board_with(shove_and_grapple="opposed roll")
    done = do(board, act("shove", "aldis", "orc"), faces)
    assert facts(done, "opposed")[0]["wins"] is wins
    assert done.result.result == ("effect" if wins else "no effect")
    assert ("Aldis prevails." in text_of(board, done)) is wins


@pytest.mark.rule("KOV-063")
def test_a_creature_beside_the_board_does_not_wrestle():
    tokens = (hero("aldis", (16, 3)), monster("orc", (15, 3)))
    board = in_round(scene(*tokens), "aldis", "orc")
    assert refused(board, act("shove", "aldis", "orc")) == "KOV-051"
