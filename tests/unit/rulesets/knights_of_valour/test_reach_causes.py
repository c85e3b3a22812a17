"""A refused melee attack says what is in its way: the distance, a height, or a wall (KOV-051)."""

from __future__ import annotations

import pytest

from enfilade.rules.resolve import refusal
from enfilade.rulesets.knights_of_valour.battlefield import battlefield
from enfilade.rulesets.knights_of_valour.offers import ACTS
from enfilade.rulesets.knights_of_valour.profiles import read_creature
from enfilade.scene.model import Wall
from tests.unit.rulesets.knights_of_valour.scenes import act, hero, judged, melee, monster, patch, scene

WALL = Wall(id="w", line=(6 * 64, 5 * 64, 6 * 64, 6 * 64))


def hindrance(board):
    one, other = (read_creature(board.token(key)) for key in ("aldis", "orc"))
    return battlefield(board).why_not(one, other)


@pytest.mark.rule("KOV-051")
def test_a_wall_is_not_named_as_a_distance():
    board = scene(hero("aldis", (5, 5)), monster("orc", (6, 5)), walls=(WALL,))
    assert hindrance(board) == "wall"
    for asked in (melee("aldis", "orc"), act("shove", "aldis", "orc")):
        refused = refusal(board, ACTS[asked.kind].procedure, asked)
        assert (refused.rule, "wall" in refused.sentence) == ("KOV-051", True)


@pytest.mark.rule("KOV-051")
def test_the_distance_and_a_height_keep_their_sentence():
    far = scene(hero("aldis", (5, 5)), monster("orc", (8, 5)))
    tower = patch("raised", (6, 5), height=20)
    high = scene(hero("aldis", (5, 5)), monster("orc", (6, 5)), terrain=(tower,))
    for board, why, feet in ((far, "distance", "15"), (high, "height", "20")):
        assert hindrance(board) == why
        refused = refusal(board, ACTS["melee"].procedure, melee("aldis", "orc"))
        assert feet in refused.sentence
    near = scene(hero("aldis", (5, 5)), monster("orc", (6, 5)))
    assert hindrance(near) == ""
    assert hindrance(scene(hero("aldis", (5, 5)), monster("orc"))) == "distance"


@pytest.mark.rule("KOV-038")
@pytest.mark.parametrize(("ground", "cost", "words"), [("", 0, "closed terrain"), ("gap", 1, "there")])
def test_a_place_where_no_move_ends_says_whether_it_is_closed(ground, cost, words):
    board = scene(hero("aldis", (5, 5), movement=30), terrain=(patch(ground, (6, 5), cost=cost),))
    ruling = judged(board, "aldis", (6, 5))
    (reason,) = ruling.reasons
    assert words in reason
    assert ruling.causes == ("ground" if ground else "closed",)
