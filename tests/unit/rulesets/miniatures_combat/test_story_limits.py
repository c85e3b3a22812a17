"""Story points of Miniatures combat at their limits."""

from __future__ import annotations

import pytest

from enfilade.rulesets.miniatures_combat.combat.damage import Gain
from enfilade.rulesets.miniatures_combat.combat.story import Roller, opponent_of, possible_events
from enfilade.scene.model import Side
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    asks,
    facts,
    go,
    hero,
    model,
    orc,
    refused,
    scene,
    with_conditions,
    with_points,
    with_tracks,
)


def roller(board, attacker="one", target="ogre"):
    gain = Gain("heroes", 1, attacker, target)
    return Roller("heroes", opponent_of(board, gain), gain)


def test_events_that_nothing_can_suffer_are_left_out():
    board = scene(hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=4), orc("m", (20, 10)))
    keys = [event.key for event in possible_events(board, roller(board), 27)]
    assert keys == [
        "nothing", "stumble", "name group", "2 dice", "wound", "story event", "3 dice", "prone",
        "minions flee", "4 dice", "major story event", "unconscious",
    ]  # fmt: skip
    assert [event.key for event in possible_events(board, roller(board), 12)] == [
        "nothing", "stumble", "name group", "2 dice", "wound",
    ]  # fmt: skip
    arrows = Roller("heroes", "orcs", Gain("heroes", 1, "", "ogre"))
    assert "2 dice" not in [event.key for event in possible_events(board, arrows, 27)]
    assert "wound" in [event.key for event in possible_events(board, arrows, 27)]
    gone = with_conditions(board, "ogre", out="")
    left = [event.key for event in possible_events(gone, roller(gone), 27)]
    assert not {"2 dice", "3 dice", "4 dice", "wound", "unconscious"} & set(left)
    # The defender whose shield gave the point does not strike.
    negated = Roller("orcs", "heroes", Gain("orcs", 1, "one", "ogre"))
    assert "2 dice" not in [event.key for event in possible_events(board, negated, 27)]
    no_minions = scene(hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=4))
    assert "minions flee" not in [event.key for event in possible_events(no_minions, roller(no_minions), 27)]
    alone = scene(hero("one", (10, 10)), hero("two", (20, 10)))
    assert [event.key for event in possible_events(alone, roller(alone), 27)] == [
        "nothing", "story event", "major story event",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("level", "total", "default"),
    [
        (2, 9, "2 dice"),
        (2, 12, "wound"),
        (2, 17, "3 dice"),
        (3, 9, "2 dice"),
        (3, 17, "wound"),
        (4, 22, "wound"),
        (2, 22, "4 dice"),
        (3, 18, "prone"),
        (2, 4, "nothing"),
        (3, 27, "unconscious"),
    ],
)
def test_the_default_event_is_the_highest_but_wounds_the_strong(level, total, default):
    board = scene(hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=level))
    count = -(-total // 5)
    faces = [5] * (count - 1) + [total - 5 * (count - 1)]
    board = with_points(activated(board, "one"), "heroes", count - 1)
    board = with_conditions(board, "one", defended="ogre=ok")
    choice = asks(board, act("attack", "one", "ogre", dice=1), 5, *faces, answers=[str(count)])
    assert choice.default == default
    assert choice.question == f"The story dice total {total}. Choose an event."


@pytest.mark.parametrize(
    ("level", "stored", "default"),
    [(2, 3, "0"), (2, 4, "5"), (3, 4, "0"), (3, 6, "0"), (3, 7, "8"), (4, 7, "8"), (2, 20, "12")],
)
def test_by_default_points_are_rolled_when_there_are_enough(level, stored, default):
    board = scene(hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=level))
    board = with_conditions(with_points(activated(board, "one"), "heroes", stored), "one", defended="ogre=ok")
    choice = asks(board, act("attack", "one", "ogre", dice=1), 5)
    assert choice.default == default
    assert [answer.key for answer in choice.answers] == [str(n) for n in range(stored + 2)]


def test_sixes_help_the_side_of_the_current_attack_or_the_first_enemy():
    sides = (
        Side(id="elves", name="Elves", team="good"),
        Side(id="heroes", name="Heroes", team="good"),
        Side(id="orcs", name="Orcs"),
        Side(id="wolves", name="Wolves"),
    )
    board = scene(hero("one", (10, 10)), orc("o", (20, 10)), model("w", (30, 10), side="wolves"), sides=sides)
    assert opponent_of(board, Gain("heroes", 1, "one", "w")) == "wolves"
    assert opponent_of(board, Gain("orcs", 1, "one", "o")) == "heroes"
    assert opponent_of(board, Gain("heroes", 1)) == "orcs"
    assert opponent_of(board, Gain("orcs", 1)) == "elves"


def test_a_choice_of_enemies_has_the_strongest_as_its_default():
    board = scene(
        hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=4), orc("weak", (20, 10)),
        model("chief", (30, 10), side="orcs", level=5),
    )  # fmt: skip
    board = with_conditions(with_points(activated(board, "one"), "heroes", 3), "one", defended="ogre=ok")
    stumble = asks(board, act("attack", "one", "ogre", dice=1), 5, 5, answers=["1", "stumble"])
    assert (stumble.default, [answer.key for answer in stumble.answers]) == (
        "chief",
        ["ogre", "weak", "chief"],
    )
    flee = asks(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, 5, answers=["4", "minions flee"])
    assert (flee.default, [answer.key for answer in flee.answers]) == ("weak", ["weak"])
    named = go(board, act("attack", "one", "ogre", dice=1), 5, 5, 2, answers=["2", "name group"]).scene
    ended = asks(named, act("end", "one"))
    assert (ended.side, ended.default) == ("heroes", "weak")


def test_a_stumble_costs_a_die_once():
    board = with_tracks(scene(hero("one", (10, 10)), orc("o", (30, 10))), "one", stumble=1)
    first = activated(board, "one")
    assert first.token("one").track("dice") == 2
    assert "stumble" not in first.token("one").tracks
    many = activated(with_tracks(board, "one", stumble=5), "one")
    assert many.token("one").track("dice") == 0


def test_a_named_model_is_free_after_its_activation():
    board = with_conditions(
        scene(hero("one", (10, 10)), hero("two", (30, 10)), orc("o", (50, 10))), "one", named=""
    )
    assert refused(board, act("activate", "two")) == "MNC-049"
    board = activated(board, "one")
    assert not board.token("one").has("named")


@pytest.mark.rule("MNC-033")
@pytest.mark.parametrize(("stored", "most"), [(98, 99), (99, 100), (150, 100)])
def test_at_most_a_hundred_points_are_offered_at_once(stored, most):
    board = scene(hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=4))
    board = with_conditions(with_points(activated(board, "one"), "heroes", stored), "one", defended="ogre=ok")
    choice = asks(board, act("attack", "one", "ogre", dice=1), 5)
    assert [answer.key for answer in choice.answers][-1] == str(most)
    assert len(choice.answers) == most + 1


@pytest.mark.rule("MNC-039")
def test_more_arrows_need_a_target_that_still_fights():
    board = scene(hero("one", (10, 10)), orc("bow", (20, 10)), house_rules={"more_arrows": True})
    for target, are_there in (("one", True), ("", False), ("gone", False)):
        found = Roller("orcs", "heroes", Gain("orcs", 1, "", target, is_arrows=True))
        assert ("2 dice" in [event.key for event in possible_events(board, found, 9)]) is are_there


@pytest.mark.rule("MNC-039")
def test_more_dice_need_an_attacker_of_the_own_side_that_still_fights():
    board = scene(hero("one", (10, 10)), orc("o", (11.5, 10)))
    for key, are_there in (("one", True), ("", False), ("o", False)):
        found = [event.key for event in possible_events(board, roller(board, attacker=key, target="o"), 9)]
        assert ("2 dice" in found) is are_there


@pytest.mark.rule("MNC-042")
@pytest.mark.parametrize(("archers", "dice"), [(1, 1), (5, 5), (7, 5)])
def test_a_volley_has_as_many_dice_as_archers_up_to_the_cap(archers, dice):
    bows = [hero(f"bow{i}", (20, 5 + 1.2 * i), missiles=True) for i in range(archers)]
    board = scene(hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=8), *bows)
    board = with_conditions(with_points(activated(board, "one"), "heroes", 2), "one", defended="ogre=ok")
    answers = ["3", "volley", "ogre"]
    done = go(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, *[1] * dice, answers=answers)
    assert facts(done, "arrows")[0]["dice"] == dice
    assert len(facts(done, "arrows")[0]["archers"]) == dice


@pytest.mark.rule("MNC-042")
def test_a_volley_is_aimed_at_enemies_in_sight_by_default_at_one_that_was_hit():
    tokens = (
        hero("one", (10, 10)),
        hero("bow", (20, 12), missiles=True),
        model("ogre", (11.5, 10), side="orcs", level=4),
        model("chief", (30, 10), side="orcs", level=5),
        model("far", (50, 12), side="orcs", level=5),
    )
    board = with_conditions(
        activated(with_points(scene(*tokens), "heroes", 2), "one"), "one", defended="ogre=ok"
    )
    choice = asks(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, answers=["3", "volley"])
    assert [answer.key for answer in choice.answers] == ["ogre", "chief"]
    assert choice.default == "ogre"


@pytest.mark.rule("MNC-037")
def test_stumbles_add_up():
    board = scene(hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=4))
    board = with_tracks(with_points(activated(board, "one"), "heroes", 0), "ogre", stumble=1)
    board = with_conditions(board, "one", defended="ogre=ok")
    done = go(board, act("attack", "one", "ogre", dice=1), 5, 5, answers=["1", "stumble", "ogre"])
    assert done.scene.token("ogre").track("stumble") == 2
