"""Flight of Miniatures combat at their limits."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.combat.flight import flight_places
from enfilade.rulesets.miniatures_combat.displacement import (
    nearest_free_place,
)
from enfilade.scene.events import Explained
from enfilade.scene.model import Grid, Terrain
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    asked_of,
    asks,
    at_inches,
    facts,
    fighter,
    go,
    hero,
    inches,
    model,
    moved,
    orc,
    rolled,
    scene,
    with_conditions,
    with_points,
    with_token,
)


def test_who_flees_goes_one_after_the_other_the_farthest_first():
    ogre = model("ogre", (11.5, 10), side="orcs", level=4)
    board = scene(hero("one", (10, 10)), ogre, orc("a", (16, 10)), orc("b", (17.2, 10)))
    board = with_conditions(with_points(activated(board, "one"), "heroes", 3), "one", defended="ogre=ok")
    done = go(
        board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, 5, answers=["4", "minions flee", "a", "no"]
    )
    assert at_inches(done.scene, "a") == (24, 10)
    assert done.scene.token("b").at == inches(25.2, 10)
    assert facts(done, "flee") == [{"token": "a", "inches": 4, "distance": 8, "fleeing": ["a", "b"]}]


def test_a_character_that_must_flee_rolls_by_default():
    ogre = model("ogre", (11.5, 10), side="orcs", level=4)
    board = scene(
        hero("one", (10, 10)), ogre, orc("a", (20, 10)), model("captain", (22, 12), side="orcs", level=2)
    )
    board = with_conditions(with_points(activated(board, "one"), "heroes", 3), "one", defended="ogre=ok")
    answers = ["4", "minions flee", "a", "yes", "average"]
    for face, flees in ((3, True), (4, False)):
        done = go(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, 5, face, answers=answers)
        assert done.scene.token("captain").has("fled") is flees
        assert ("orcs", "yes") in asked_of(done)[4:]


@pytest.mark.parametrize(("answer", "is_incapacitated"), [("yes", True), ("no", False)])
def test_the_log_knows_whether_a_captive_is_incapacitated(answer, is_incapacitated):
    board = with_conditions(scene(hero("one", (10, 10)), orc("o", (11.5, 10))), "one", endangered="0")
    board = with_conditions(activated(board, "one"), "one", defended="o=ok")
    done = go(board, act("end", "one"), answers=[answer])
    assert facts(done, "captured") == [{"token": "o", "target": "one", "incapacitated": is_incapacitated}]


def test_by_default_the_enemy_minion_with_most_around_it_breaks():
    own = [model(f"own{i}", (20, 20 + 1.2 * i), side="heroes", level=1, minion=True) for i in range(4)]
    board = scene(
        hero("one", (10, 10)),
        model("ogre", (11.5, 10), side="orcs", level=4),
        *own,
        orc("alone", (40, 30)),
        orc("a", (30, 10)),
        orc("b", (31.2, 10)),
    )
    board = with_conditions(with_points(activated(board, "one"), "heroes", 3), "one", defended="ogre=ok")
    choice = asks(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, 5, answers=["4", "minions flee"])
    assert choice.default == "b"
    assert len(choice.answers) == 7


def test_the_sides_to_which_room_is_looked_for():
    crowd = scene(
        hero("one", (10, 10)), hero("two", (10, 10)), hero("three", (11, 10)), hero("four", (10, 11))
    )
    field, two = battlefield(crowd), crowd.token("two")
    found = {
        direction: nearest_free_place(field, two, direction, 128)
        for direction in ((1, 0), (0, 1), (3, 4), (-1, 0))
    }
    # Straight, and then by an eighth of half a turn more to each side: 90 or 112.5 degrees here.
    assert found == {(1, 0): (640, 576), (0, 1): (576, 640), (3, 4): (578, 656), (-1, 0): (576, 640)}


def test_bases_that_stop_moves_are_smaller_by_the_rounding_on_converted_maps():
    board = scene(hero("one", (10, 10)), orc("o", (20, 10)))
    for units, less in (("inches", 0), ("cm", 1)):
        field = battlefield(replace(board, grid=Grid("gridless", 60, 40, units=units)))
        assert [base.radius for base in field.obstacles(fighter(board, "one"))] == [
            field.bases["o"].radius - less
        ]


def test_diverted_ways_of_flight_are_45_degrees_to_the_sides():
    for enemy, straight, left, right in (
        ((20, 10), (20, 28), (25.65, 25.65), (14.35, 25.65)),
        ((10, 20), (28, 20), (25.65, 14.35), (25.65, 25.65)),
        ((20, 30), (20, 12), (14.35, 14.35), (25.65, 14.35)),
    ):
        board = scene(orc("a", (20, 20)), hero("one", enemy))
        places = flight_places(board, fighter(board, "a"), 8 * 64)
        for way, at in (("straight", straight), ("left", left), ("right", right)):
            assert places[way] == pytest.approx(inches(*at), abs=2), (enemy, way)


def test_a_volley_meets_models_of_all_players_of_a_side():
    bow = model("bow", (20, 12), side="heroes", missiles=True)
    board = scene(
        hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=4), orc("mate", (14, 10)), bow
    )
    board = with_token(with_token(board, "ogre", owners=("anna",)), "mate", owners=("ben",))
    board = with_conditions(with_points(activated(board, "one"), "heroes", 2), "one", defended="ogre=ok")
    answers = ["3", "volley", "ogre", "group"]
    done = go(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, 1, answers=answers)
    assert facts(done, "arrows")[0]["targets"] == ["ogre", "mate"]


def test_dice_that_are_not_rolled_leave_no_trace():
    board = scene(hero("one", (10, 10)), orc("o", (11.5, 10)))
    done = go(activated(board, "one"), act("defend", "one", "o", dice=1))
    assert rolled(done) == []
    assert [event.kind for event in done.events if isinstance(event, Explained)] == ["defense", "defended"]


def test_a_charger_that_falls_back_into_another_fight_owes_nothing():
    """It came within the reach of a pike; behind it is another enemy (MNC-073)."""
    board = scene(hero("one", (13.5, 10)), orc("p", (17, 10), weapon="pole"), orc("x", (10.9, 10)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 3).scene
    near = moved(board, "one", (14.3, 10))
    assert not near.token("one").has("charged")
    after = go(near, act("fall_back", "one", "p", dice=1), 6).scene
    assert after.token("one").has("charged")
    assert not after.token("one").has("must defend")


def panic_of(board, *answers, faces=()):
    """Resolve a roll of 20 by the heroes, in which minions flee as the answers say."""
    board = with_conditions(with_points(activated(board, "one"), "heroes", 3), "one", defended="ogre=ok")
    given = ["4", "minions flee", *answers]
    return go(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, 5, *faces, answers=given)


def with_ogre(*tokens, **kinds):
    ogre = model("ogre", (11.5, 10), side="orcs", level=4)
    return scene(hero("one", (10, 10)), ogre, *tokens, **kinds)


@pytest.mark.rule("MNC-051", "MNC-055")
@pytest.mark.parametrize(
    ("answers", "radius"), [(("a", "no"), 4), (("a", "yes", "none"), 8), (("a", "yes", "farther"), 8)]
)
def test_the_break_radius_is_measured_from_base_to_base(answers, radius):
    within, beyond = orc("in", (21 + radius, 20)), orc("out", (20, 21 + radius + 1 / 64))
    done = panic_of(with_ogre(orc("a", (20, 20)), within, beyond), *answers)
    assert facts(done, "flee")[0]["fleeing"] == ["a", "in"]


@pytest.mark.rule("MNC-056")
def test_the_option_belongs_to_the_opponent_of_those_who_flee_though_he_did_not_roll():
    own = model("page", (20, 10), level=1, minion=True)
    done = panic_of(with_ogre(own), "page", "yes", "none")
    assert asked_of(done)[3:] == [("heroes", "yes"), ("orcs", "none")]


@pytest.mark.rule("MNC-056", "MNC-057")
def test_by_default_the_radius_is_kept_and_a_raised_one_is_widened():
    board = with_ogre(orc("a", (20, 10)), model("captain", (20, 12), side="orcs", level=2))
    assert asked_of(panic_of(board, "a"))[3:] == [("orcs", "no"), ("orcs", "no")]
    done = panic_of(board, "a", "yes", faces=[3])
    assert asked_of(done)[3:] == [("orcs", "yes"), ("heroes", "wider"), ("orcs", "no")]
    assert facts(done, "flee")[0]["fleeing"] == ["a"]


@pytest.mark.rule("MNC-054", "MNC-058")
@pytest.mark.parametrize(
    ("level", "minion", "flees"), [(1, False, False), (2, False, True), (3, False, False), (3, True, True)]
)
def test_only_minions_and_level_2_characters_flee(level, minion, flees):
    other, is_asked = model("other", (20, 12), side="orcs", level=level, minion=minion), level == 2
    done = panic_of(with_ogre(orc("a", (20, 10)), other), "a", "yes", "average", *["no"] * is_asked)
    assert done.scene.token("other").has("fled") is flees


@pytest.mark.rule("MNC-061")
def test_a_flight_decides_no_battle_but_by_its_house_rule():
    for setting, is_over in (("stay", False), ("their side loses", True)):
        done = panic_of(with_ogre(orc("a", (20, 10)), house_rules={"fleeing_minions": setting}), "a")
        assert MINIATURES_COMBAT.turn(done.scene).is_over is is_over


@pytest.mark.rule("MNC-053")
@pytest.mark.parametrize(("cells", "ways"), [([(28, 10)], []), ([(25, 15)], ["straight", "right"]), ([], [])])
def test_only_ways_into_cover_are_offered_beside_the_straight_one(cells, ways):
    hedge = [Terrain(id="hedge", name="Hedge", cells=tuple(cells), kind="cover")] if cells else []
    board = with_ogre(orc("a", (20, 10)), terrain=hedge)
    done = panic_of(board, "a", "no")
    assert at_inches(done.scene, "a") == (28, 10)
    assert [answer for _, answer in asked_of(done)[4:]] == ["straight"] * bool(ways)
    if ways:
        board = with_conditions(with_points(activated(board, "one"), "heroes", 3), "one", defended="ogre=ok")
        given = ["4", "minions flee", "a", "no"]
        choice = asks(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, 5, answers=given)
        assert [answer.key for answer in choice.answers] == ways
