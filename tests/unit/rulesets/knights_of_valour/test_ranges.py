"""Effective ranges, bands and lines of sight (KOV-014 to KOV-018, KOV-057 to KOV-058, KOV-066)."""

from __future__ import annotations

import pytest

from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.knights_of_valour.battlefield import battlefield
from enfilade.rulesets.knights_of_valour.equipment import WEAPONS, Weapon
from enfilade.rulesets.knights_of_valour.sight import Ranges, effective_ranges, seen_cells
from enfilade.scene.model import Wall
from tests.unit.rulesets.knights_of_valour.scenes import (
    do,
    facts,
    hero,
    melee,
    monster,
    patch,
    refused,
    scene,
    shoot,
)

SPEAR = WEAPONS["Throwing spear"]
WEAK = Weapon(name="Dart", kind="ranged", close=10, maximum=15)
SLING = {"name": "Sling", "kind": "ranged", "close": 10, "maximum": 15, "sides": 4}
WALL = Wall(id="w", line=(6 * 64, 0, 6 * 64, 12 * 64))


def archer(at=(1, 5), **sheet):
    return hero("wren", at, **{"hands": ["Long bow"], **sheet})


def thrower(at, target, **sheet):
    return scene(hero("wren", at, hands=["Throwing spear"], **sheet), monster("orc", target), size=(40, 12))


@pytest.mark.rule("KOV-014", "KOV-015")
@pytest.mark.parametrize(
    ("strength", "close", "maximum"), [(2, 30, 70), (0, 20, 60), (-3, 5, 45), (1, 25, 65), (-1, 15, 55)]
)
def test_strength_changes_both_ranges_by_5_feet_a_point(strength, close, maximum):
    assert effective_ranges(SPEAR, strength) == (close, maximum)


@pytest.mark.rule("KOV-016")
def test_a_negative_range_counts_as_zero():
    assert effective_ranges(WEAK, -3) == (0, 0)
    assert effective_ranges(WEAK, -2) == (0, 5)
    assert effective_ranges(WEAK, -5) == (0, 0)


@pytest.mark.rule("KOV-017")
def test_every_attack_is_at_disadvantage_with_a_close_range_of_0():
    def shot(strength):
        board = scene(
            hero(
                "wren", (3, 3), hands=["Sling"], weapons=[SLING], proficiency={"Sling": 1}, strength=strength
            ),
            monster("orc", (4, 3)),
        )
        (declared,) = facts(do(board, shoot("wren", "orc", "Sling"), (3, 4)), "declared")
        return declared["disadvantage"]

    assert shot(-2) == "Disadvantage: the Close Range is 0"
    board = scene(
        hero("wren", (3, 3), hands=["Sling"], weapons=[SLING], proficiency={"Sling": 1}, strength=-1),
        monster("orc", (4, 3)),
    )
    (declared,) = facts(do(board, shoot("wren", "orc", "Sling"), (3,)), "declared")
    assert declared["disadvantage"] == ""


@pytest.mark.rule("KOV-018")
@pytest.mark.parametrize(("strength", "rule"), [(-3, "KOV-018"), (-2, "")])
def test_no_ranged_attack_with_a_maximum_range_of_0(strength, rule):
    board = scene(
        hero("wren", (3, 3), hands=["Sling"], weapons=[SLING], proficiency={"Sling": 1}, strength=strength),
        monster("orc", (4, 3)),
    )
    assert refused(board, shoot("wren", "orc", "Sling")) == rule


@pytest.mark.rule("KOV-066")
def test_the_bands_end_at_the_close_and_the_maximum_range():
    ranges = Ranges(20, 60)
    bands = [ranges.band(feet) for feet in (0, 20, 21, 60, 61)]
    assert bands == ["close", "close", "maximum", "maximum", "beyond"]
    assert Ranges(0, 0).band(0) == "beyond"


@pytest.mark.rule("KOV-066")
@pytest.mark.parametrize(
    ("column", "dice", "rule"), [(5, 1, ""), (6, 2, ""), (13, 2, ""), (14, 0, "KOV-066")]
)
def test_a_shot_beyond_close_is_at_disadvantage_and_beyond_maximum_illegal(column, dice, rule):
    board = thrower((1, 5), (column, 5))
    asked = shoot("wren", "orc", "Throwing spear")
    assert refused(board, asked) == rule
    if not rule:
        done = do(board, asked, (2,) * dice)
        assert facts(done, "attack roll")[0]["natural"] == 2


@pytest.mark.rule("KOV-001", "KOV-051")
@pytest.mark.parametrize(
    ("own", "other", "feet"), [(0, 0, 5), (10, 10, 5), (10, 12, 5), (10, 20, 10), (9, 3, 6)]
)
def test_a_difference_in_height_counts_if_it_is_greater(own, other, feet):
    ground = [patch("raised", (1, 5), height=own), patch("cliff", (2, 5), height=other)]
    board = scene(hero("wren", (1, 5)), monster("orc", (2, 5)), terrain=ground)
    found = KNIGHTS_OF_VALOUR.sight(board, board.token("wren"), board.token("orc"))
    assert found.distance == f"{feet} feet"
    assert refused(board, melee("wren", "orc")) == ("" if feet == 5 else "KOV-051")


@pytest.mark.rule("KOV-057")
def test_a_ranged_attack_needs_proficiency_and_the_weapon_in_hand():
    target = monster("orc", (5, 5))
    assert refused(scene(archer(proficiency={"Long bow": 0}), target), shoot("wren", "orc")) == "KOV-057"
    assert refused(scene(archer(), target), shoot("wren", "orc", "Short bow")) == "KOV-057"
    assert refused(scene(archer(hands=["Sword"]), target), shoot("wren", "orc", "Sword")) == "KOV-057"
    assert refused(scene(archer(), target), shoot("wren", "orc")) == ""


@pytest.mark.rule("KOV-058")
def test_a_ranged_attack_needs_a_line_of_sight():
    target = monster("orc", (10, 5))
    assert refused(scene(archer(), target), shoot("wren", "orc")) == ""
    assert refused(scene(archer(), target, walls=[WALL]), shoot("wren", "orc")) == "KOV-058"
    tower = patch("", (6, 5), blocks_sight=True)
    assert refused(scene(archer(), target, terrain=[tower]), shoot("wren", "orc")) == "KOV-058"


@pytest.mark.rule("KOV-058")
@pytest.mark.parametrize(("state", "rule"), [("closed", "KOV-058"), ("open", "")])
def test_an_open_door_hides_nothing(state, rule):
    door = Wall(id="d", line=WALL.line, door="door", state=state)
    board = scene(archer(), monster("orc", (10, 5)), walls=[door])
    assert refused(board, shoot("wren", "orc")) == rule


@pytest.mark.rule("KOV-058")
def test_a_window_that_blocks_movement_only_hides_nothing():
    window = Wall(id="d", line=WALL.line, sight="none")
    assert refused(scene(archer(), monster("orc", (10, 5)), walls=[window]), shoot("wren", "orc")) == ""


@pytest.mark.rule("KOV-058")
def test_the_line_of_sight_names_its_blocker():
    sight = KNIGHTS_OF_VALOUR.sight
    board = scene(archer(), monster("orc", (10, 5)), walls=[WALL])
    found = sight(board, board.token("wren"), board.token("orc"))
    assert not found.is_seen
    assert (found.blocker.kind, found.blocker.id, found.why) == ("wall", "w", "Not seen: a wall.")
    assert found.at == (384, 352)
    assert found.line == (96, 352, 672, 352)
    assert found.distance == "45 feet"
    door = Wall(id="d", line=WALL.line, door="door")
    shut = scene(archer(), monster("orc", (10, 5)), walls=[door])
    assert sight(shut, shut.token("wren"), shut.token("orc")).blocker.kind == "door"
    free = scene(archer(), monster("orc", (10, 5)))
    found = sight(free, free.token("wren"), free.token("orc"))
    assert found.is_seen
    assert (found.why, found.blocker) == ("", None)


@pytest.mark.rule("KOV-058")
def test_sight_is_empty_off_the_board_and_to_oneself():
    board = scene(archer(), monster("orc"), monster("far", (90, 90)))
    sight = KNIGHTS_OF_VALOUR.sight
    wren, orc, far = (board.token(name) for name in ("wren", "orc", "far"))
    assert sight(board, wren, orc).is_seen is None
    assert sight(board, orc, wren).is_seen is None
    assert sight(board, wren, far).is_seen is None
    assert sight(board, wren, wren).is_seen is None


@pytest.mark.rule("KOV-058")
def test_a_creature_off_the_board_sees_no_squares():
    board = scene(archer((3, 3)), monster("orc"), monster("far", (90, 90)))
    assert [len(list(seen_cells(board, name))) for name in ("wren", "orc", "far")] == [16 * 12, 0, 0]


@pytest.mark.rule("KOV-058")
def test_terrain_between_hides_and_creatures_do_not():
    tower = patch("", (6, 5), blocks_sight=True)
    board = scene(archer(), monster("orc", (10, 5)), terrain=[tower])
    found = KNIGHTS_OF_VALOUR.sight(board, board.token("wren"), board.token("orc"))
    assert (found.blocker.kind, found.blocker.id) == ("terrain", "rough")
    board = scene(archer(), monster("orc", (10, 5)), monster("goblin", (6, 5)))
    assert refused(board, shoot("wren", "orc")) == ""


def test_the_squares_around_are_those_within_the_printed_5_feet():
    feet = battlefield(scene(hero("aldis", (5, 5))))
    assert sorted(feet.squares_around((5, 5))) == [
        (x, y) for x in (4, 5, 6) for y in (4, 5, 6) if (x, y) != (5, 5)
    ]
    assert sorted(feet.squares_around((0, 0))) == [(0, 1), (1, 0), (1, 1)]
    inches = battlefield(scene(hero("aldis", (5, 5)), house_rules={"five_means": "inches"}))
    assert len(inches.squares_around((5, 5))) == 11 * 11 - 1


@pytest.mark.rule("KOV-058")
@pytest.mark.parametrize(("blocks", "is_threatened"), [(True, False), (False, True)])
def test_an_archer_threatens_who_stands_behind_others_unless_creatures_block(blocks, is_threatened):
    orc = monster("orc", (10, 5), hands=["Long bow"])
    board = scene(archer(), monster("goblin", (6, 5)), orc, house_rules={"creatures_block": blocks})
    now = KNIGHTS_OF_VALOUR.areas(board, board.token("wren"), "threat")[0]
    columns = {x for row, first, last in now.runs if row == 5 for x in range(first, last + 1)}
    assert (2 in columns) is is_threatened
    assert 8 in columns
