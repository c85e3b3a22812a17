"""The log text, the card, sight and overlays of Miniatures combat (MNC-119)."""

from __future__ import annotations

import pytest

from enfilade.rules.ruleset import Sight
from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.scene.model import Grid, Terrain, Wall
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    go,
    hero,
    inches,
    model,
    orc,
    scene,
    wall,
    with_conditions,
    with_points,
    with_token,
    with_tracks,
)


def log_of(board, asked, *faces, answers=()):
    """Return the log text of an act and the scene after it."""
    done = go(board, asked, *faces, answers=answers)
    return MINIATURES_COMBAT.narrate(board, done.events), done.scene


@pytest.mark.rule("MNC-119")
def test_the_log_of_an_activation():
    board = scene(hero("one", (10, 10), shield="shield"), model("ogre", (11.5, 10), side="orcs", level=4))
    text, board = log_of(with_points(board, "heroes", 2), act("activate", "one"))
    assert text == "An engaged group is activated: One.\nOne: 3 general, 2 defense, 0 movement dice."
    text, board = log_of(board, act("defend", "one", "ogre", bonus=1))
    assert text == (
        "One defends against Ogre. Success.\n0 general and 1 bonus dice, 1 or more. Any die is enough."
    )
    text, board = log_of(board, act("attack", "one", "ogre", dice=2), 5, 4, 5, 5, 1, answers=["3", "wound"])
    assert text == (
        "One attacks Ogre. 1 hit. Heroes: 1 more story point, 3 now. "
        "Heroes: The target is wounded. Ogre is wounded.\n"
        "2 dice, 5 or more. Dice: 5 4. Hits on Ogre this turn: 1 of 4. "
        "Heroes: 3 story points: how many dice to roll? 3. "
        "Heroes: The story dice total 11. Choose an event. wound. Story dice (5 5 1), total 11."
    )
    text, board = log_of(board, act("end", "one"))
    assert text == "One's side ends its turn. Orcs has the turn."


@pytest.mark.rule("MNC-119")
def test_the_log_of_a_failure_with_negation():
    board = activated(
        scene(hero("one", (10, 10), shield="shield", heavy_armor=True), orc("orc", (11.5, 10))), "one"
    )
    text, _ = log_of(board, act("end", "one"), 5)
    assert text == (
        "The turn ends; One must still defend and fail. "
        "One does not defend against Orc. Without dice it fails: Orc attacks at once. "
        "Orc attacks One. 1 hit. One negates with: Shield. "
        "Orcs: 1 more story point, 1 now. Orcs has the turn.\n"
        "1 die, 5 or more. Dice: 5."
    )


@pytest.mark.rule("MNC-119")
def test_the_log_of_movement_and_arrows():
    board = activated(scene(hero("one", (10, 10)), orc("bow", (20, 10), missiles=True)), "one")
    text, board = log_of(board, act("roll_movement", "one", dice=2), 2, 6)
    assert text == "Movement: 9 inches.\nOne is the slowest: 2 dice, +0 to each. Dice: 2 6."
    text, board = log_of(board, act("move", "one", at=(12.5, 10)))
    assert text == "One moves 2.5 inches."
    text, _ = log_of(board, act("move", "one", at=(12.5, 13.1875)))
    assert text == "One moves 3.2 inches."
    text, _ = log_of(board, act("end", "one"), 6)
    assert text.startswith("One's side ends its turn. Orcs: 1 arrow at One. 1 hit.")


def test_a_split_is_told_by_names():
    board = activated(scene(hero("one", (10, 10)), orc("a", (11.5, 10)), orc("b", (8.5, 10))), "one")
    text, _ = log_of(board, act("defend", "one"), answers=[{"a": 1, "b": 2}])
    assert "A 1, B 2." in text


@pytest.mark.rule("MNC-002", "MNC-003")
def test_the_card_names_level_hits_dice_and_what_is_owed():
    board = activated(scene(hero("one", (10, 10), shield="shield"), orc("orc", (11.5, 10))), "one")
    lines = {
        line.label: (line.value, line.note) for line in MINIATURES_COMBAT.card(board, board.token("one"))
    }
    assert lines["Level"][0] == "3"
    assert lines["Hits"][0] == "0 of 3"
    assert lines["Defense"] == ("1+", "fall back 3+")
    assert lines["Dice left"] == ("3 general, 2 defense, 0 movement", "must defend: Orc")
    assert MINIATURES_COMBAT.bar(board.token("one")) is None


def test_sight_has_a_line_a_distance_and_a_blocker():
    board = scene(hero("one", (10, 10)), orc("orc", (20, 10)), walls=[wall("w", 15, 9, 15, 11)])
    found = MINIATURES_COMBAT.sight(board, board.token("one"), board.token("orc"))
    assert found.is_seen is False
    assert found.blocker.id == "w"
    assert found.line == (*inches(10, 10), *inches(20, 10))
    assert found.distance == "9 inches"
    free = scene(hero("one", (10, 10)), orc("orc", (20, 10)), orc("far", (30, 10)))
    assert MINIATURES_COMBAT.sight(free, free.token("one"), free.token("orc")).is_seen
    far = MINIATURES_COMBAT.sight(free, free.token("one"), free.token("far"))
    assert far.is_seen is False


def test_overlays_of_a_squared_board_and_helpless_models():
    wood = Terrain(id="wood", name="Wood", cells=((5, 5),), blocks_sight=True)
    board = scene(hero("one", None, weapon="pole", missiles=True), orc("orc", None), terrain=[wood])
    board = type(board)(
        ruleset=board.ruleset,
        grid=Grid("square", 12, 12),
        sides=board.sides,
        tokens=board.tokens,
        terrain=board.terrain,
    )
    board = with_token(with_token(board, "one", at=(3, 5)), "orc", at=(9, 5))
    weapon, missiles = MINIATURES_COMBAT.areas(board, board.token("one"), "ranges")
    assert (5, 0, 6) in weapon.runs
    assert (5, 0, 7) not in weapon.runs
    assert missiles.runs[0] == (0, 0, 11)
    (threat,) = MINIATURES_COMBAT.areas(board, board.token("one"), "threat")
    assert (5, 7, 11) in threat.runs
    blocked = MINIATURES_COMBAT.sight(board, board.token("one"), board.token("orc"))
    assert (blocked.blocker.kind, blocked.blocker.id) == ("terrain", "wood")
    helpless = with_conditions(board, "one", incapacitated="")
    assert MINIATURES_COMBAT.reach(helpless, helpless.token("one")) is None
    assert MINIATURES_COMBAT.areas(helpless, helpless.token("one"), "threat") == ()


def test_overlays_of_a_gridless_board_are_outlines():
    board = scene(hero("one", (10, 10), weapon="pole"), hero("two", (12, 10)), orc("orc", (11, 14)))
    one = board.token("one")
    least, mean, most = MINIATURES_COMBAT.reach(board, one).bands
    assert [band.label for band in (least, mean, most)] == [
        'At least 3"',
        'On average 4"',
        'At most 6"',
    ]
    assert [max(band.rings[0][::2]) for band in (least, mean, most)] == [13 * 64, 14 * 64, 16 * 64]
    (weapon,) = MINIATURES_COMBAT.areas(board, one, "ranges")
    assert (min(weapon.rings[0][::2]), max(weapon.rings[0][::2])) == (10 * 64 - 160, 10 * 64 + 160)
    (threat,) = MINIATURES_COMBAT.areas(board, one, "threat")
    assert threat.label == 'Enemies within 1"'
    assert min(threat.rings[0][1::2]) == 14 * 64 - 96


def test_an_activated_group_has_one_outline_and_then_each_model_its_own():
    board = scene(hero("one", (10, 10)), hero("two", (12, 10)), orc("orc", (30, 30)))
    board = go(board, act("activate", "one", members=["two"])).scene
    joint = MINIATURES_COMBAT.reach(board, board.token("one")).bands[0]
    assert max(x for ring in joint.rings for x in ring[::2]) == 15 * 64
    board = go(board, act("roll_movement", "one", dice=1), 5).scene
    (alone,) = MINIATURES_COMBAT.reach(board, board.token("one")).bands
    assert alone.label == 'Reach 5"'
    assert max(x for ring in alone.rings for x in ring[::2]) == 15 * 64


def test_straight_ways_of_a_model_in_a_fight_are_corridors():
    board = scene(hero("one", (10, 10), weapon="pole"), orc("orc", (12, 10)), orc("far", (10, 13)))
    board = go(board, act("activate", "one")).scene
    one = board.token("one")
    labels = [area.label for area in MINIATURES_COMBAT.areas(board, one, "ranges")]
    assert labels == ['Reach of the weapon: 2"', "Lunge at Far", "Free lines of the spear"]
    (back,) = MINIATURES_COMBAT.areas(board, one, "defense")
    assert back.label == "Back from Orc"
    assert min(back.rings[0][::2]) == 8 * 64 - 32


@pytest.mark.rule("MNC-091")
@pytest.mark.parametrize(
    ("gap", "is_drawn"), [(1, False), (1 + 1 / 64, True), (3, True), (3 + 1 / 64, False)]
)
def test_a_lunge_is_drawn_at_an_enemy_beyond_an_inch_and_up_to_3(gap, is_drawn):
    board = scene(hero("one", (10, 10)), orc("orc", (11 + gap, 10)))
    labels = [area.label for area in MINIATURES_COMBAT.areas(board, board.token("one"), "ranges")]
    assert ("Lunge at Orc" in labels) is is_drawn


def card_of(board, key):
    return {line.label: (line.value, line.note) for line in MINIATURES_COMBAT.card(board, board.token(key))}


@pytest.mark.rule("MNC-002", "MNC-003")
def test_the_card_names_gear_wounds_and_states():
    gear = {"two_handed": True, "missiles": True, "shield": "shield", "heavy_armor": True}
    rider = hero("one", (10, 10), weapon="pole", mounted=True, story_protected=True, **gear)
    board = scene(rider, orc("orc", (20, 10), shield="buckler"), hero("gone"))
    board = with_points(with_tracks(board, "one", wounds=2, hits=1), "heroes", 4)
    assert card_of(board, "one") == {
        "Level": ("3", ""),
        "Hits": ("1 of 3", "2 wounds"),
        "Defense": ("3+", "fall back 5+"),
        "Weapon": (
            'pole, reach 2"',
            "heavy two-handed weapon, missiles, shield, heavy armor, mounted, story protection",
        ),
        "Movement": ("2 free dice", "-2 to each die"),
        "Story points": ("4", ""),
    }
    assert card_of(board, "orc") == {
        "Level": ("1", "minion"),
        "Hits": ("0 of 1", ""),
        "Defense": ("3+", "fall back 5+"),
        "Weapon": ('basic, reach 1"', "buckler"),
        "Movement": ("1 free die", "+0 to each die"),
        "Story points": ("0", ""),
    }
    # Off the board a model has no dice to tell of.
    assert "Movement" not in card_of(board, "gone")
    on_foot = card_of(with_conditions(board, "one", dismounted="", endangered="1"), "one")
    assert "mounted" not in on_foot["Weapon"][1]
    assert (on_foot["Off its horse."], on_foot["Endangered, with the turn in which it happened."]) == (
        ("", ""),
        ("1", ""),
    )


@pytest.mark.rule("MNC-012")
def test_the_card_counts_dice_of_active_models_only():
    board = activated(scene(hero("one", (10, 10)), hero("two", (40, 10)), orc("orc", (20, 10))), "one")
    assert card_of(board, "one")["Dice left"] == ("3 general, 0 defense, 0 movement", "")
    assert "Dice left" not in card_of(board, "two")
    assert "Dice left" not in card_of(board, "orc")


@pytest.mark.rule("MNC-076")
@pytest.mark.parametrize(("gap", "why"), [(18, ""), (18 + 1 / 64, "More than 18 inches away.")])
def test_sight_reaches_18_inches_from_base_to_base(gap, why):
    board = scene(hero("one", (10, 10)), orc("orc", (11 + gap, 10)))
    found = MINIATURES_COMBAT.sight(board, board.token("one"), board.token("orc"))
    assert (found.is_seen, found.why, found.blocker) == (not why, why, None)
    assert found.distance == "18 inches"


@pytest.mark.rule("MNC-076")
@pytest.mark.parametrize(
    ("door", "state", "kind"),
    [("none", "closed", "wall"), ("door", "closed", "door"), ("door", "open", None)],
)
def test_sight_names_the_wall_or_the_door_that_blocks_it(door, state, kind):
    between = Wall(id="w", line=inches(15, 9, 15, 11), door=door, state=state)
    board = scene(hero("one", (10, 10)), orc("orc", (20, 10)), walls=[between])
    found = MINIATURES_COMBAT.sight(board, board.token("one"), board.token("orc"))
    assert found.is_seen is (kind is None)
    assert (found.blocker and (found.blocker.kind, found.blocker.id, found.blocker.name)) == (
        kind and (kind, "w", "")
    )


def test_there_is_no_line_of_sight_to_oneself_or_from_or_to_a_model_off_the_board():
    board = scene(hero("one", (10, 10)), hero("off"), orc("orc", (20, 10)))
    one, off = board.token("one"), board.token("off")
    for viewer, target in ((one, one), (one, off), (off, one)):
        assert MINIATURES_COMBAT.sight(board, viewer, target) == Sight()
