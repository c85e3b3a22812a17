"""The creatures within the printed 5 feet: on one square, off the board, by walls and in the air."""

from __future__ import annotations

import itertools
import random

import pytest
from msgspec.structs import replace

from enfilade.geometry.board.mask import Mask
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.knights_of_valour.battlefield import battlefield
from enfilade.rulesets.knights_of_valour.house_rules import DIAGONALS
from enfilade.rulesets.knights_of_valour.outlook import OUTLOOK
from enfilade.scene.model import Wall
from tests.seeds import seeds
from tests.unit.rulesets.knights_of_valour.scenes import (
    act,
    card,
    do,
    facts,
    go,
    hero,
    in_round,
    melee,
    monster,
    patch,
    reach,
    refused,
    scene,
    with_token,
)
from tests.unit.rulesets.knights_of_valour.test_paths import COLUMNS, ROWS, random_board


def engaged(board):
    return [pair.tokens for pair in KNIGHTS_OF_VALOUR.engagements(board)]


def attackers(done):
    return [one["token"] for one in facts(done, "free attack")]


@pytest.mark.rule("KOV-051", "KOV-036")
@pytest.mark.parametrize(("elevation", "is_near"), [(0, True), (64, True), (128, False)])
def test_a_creature_on_the_same_square_is_within_5_feet_unless_it_flies_higher(elevation, is_near):
    # 64 is a square of 5 feet. A bat just above a hero stopped each question about who is engaged.
    board = scene(hero("aldis", (5, 5)), monster("bat", (5, 5)))
    board = in_round(with_token(board, "bat", elevation=elevation), "aldis")
    for asked in (melee("aldis", "bat"), act("shove", "aldis", "bat")):
        assert refused(board, asked) == ("" if is_near else "KOV-051")
    assert engaged(board) == ([("aldis", "bat")] if is_near else [])
    assert ("Bat" in card(board, "aldis").values()) is is_near


@pytest.mark.rule("KOV-036", "KOV-041")
@pytest.mark.parametrize("elevation", [0, 64])
@pytest.mark.parametrize("effect", ["provokes", "no effect"])
def test_a_leap_away_from_the_square_of_an_enemy_provokes_it(elevation, effect):
    gap = patch("gap", (6, 5))
    board = scene(
        hero("aldis", (5, 5)), monster("bat", (5, 5)), terrain=[gap], house_rules={"round_a_wall": effect}
    )
    board = in_round(with_token(board, "bat", elevation=elevation), "aldis")
    assert attackers(do(board, go("aldis", 7, 5), (2,))) == ["bat"]
    beside = with_token(board, "aldis", at=(4, 5))
    assert attackers(do(beside, go("aldis", 5, 4))) == []


@pytest.mark.rule("KOV-036", "KOV-051")
@pytest.mark.parametrize("elevation", [0, 640])
@pytest.mark.parametrize(("sides", "pairs"), [("both", []), ("left", [("aldis", "orc")])])
@pytest.mark.parametrize("places", [((5, 5), (4, 5)), ((4, 5), (5, 5))])
def test_a_one_way_wall_engages_the_same_whether_something_flies_elsewhere_or_not(
    elevation, sides, pairs, places
):
    wall = Wall(id="w", line=(5 * 64, 0, 5 * 64, 12 * 64), one_way=sides)
    board = scene(hero("aldis", places[0]), monster("orc", places[1]), monster("bat", (12, 9)), walls=[wall])
    assert engaged(with_token(board, "bat", elevation=elevation)) == pairs


@pytest.mark.rule("KOV-051")
@pytest.mark.parametrize("places", [((16, 5), (15, 5)), ((15, 5), (16, 5)), (None, (15, 5)), ((15, 5), None)])
@pytest.mark.parametrize("elevation", [0, 640])
def test_a_creature_beside_the_board_fights_nobody(places, elevation):
    board = scene(hero("aldis", places[0]), monster("orc", places[1]), monster("bat", (1, 1)))
    board = in_round(with_token(board, "bat", elevation=elevation), "aldis")
    assert refused(board, melee("aldis", "orc")) == "KOV-051"
    assert engaged(board) == []
    for hands in (["Sword"], ["Throwing spear"]):
        armed = with_token(board, "aldis", profile={**board.token("aldis").profile, "hands": hands})
        assert list(OUTLOOK.attacks(armed, armed.token("aldis"), armed.token("orc"))) == []
    assert "Orc" not in card(board, "aldis").values()


@pytest.mark.rule("KOV-051")
@pytest.mark.parametrize("five", ["feet", "inches"])
@pytest.mark.parametrize("diagonals", DIAGONALS.options)
@pytest.mark.parametrize("seed", seeds(5))
def test_what_is_reached_from_a_square_alone_is_reached_from_it_among_others(seed, diagonals, five):
    board = random_board(random.Random(f"reach {seed} {diagonals}"), diagonals)
    battle = battlefield(
        replace(board, house_rules={**board.house_rules, "knights_of_valour.five_means": five})
    )
    for at in itertools.product(range(COLUMNS), range(ROWS)):
        assert set(battle.reach_from_any(Mask.of([at], ROWS))) == battle.reach_from(at)


@pytest.mark.rule("KOV-038")
def test_nobody_ends_a_move_on_its_own_square_while_another_shares_it():
    assert (5, 5) in reach(scene(hero("aldis", (5, 5))), "aldis")
    assert (5, 5) not in reach(scene(hero("aldis", (5, 5)), monster("bat", (5, 5))), "aldis")
