"""Fights of Miniatures combat at their limits."""

from __future__ import annotations

import pytest

from enfilade.rulesets.miniatures_combat.combat.attack_rolls import best_split
from enfilade.rulesets.miniatures_combat.combat.missiles import best_spread
from enfilade.scene.model import Terrain
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
    model,
    moved,
    orc,
    points,
    refused,
    scene,
    with_conditions,
    with_points,
    with_tracks,
)


@pytest.mark.parametrize(
    "asked",
    [
        act("attack", "one", "o", dice=1),
        act("defend", "one", "o", dice=1),
        act("fall_back", "one", "o", dice=1),
    ],
)
def test_a_charger_whom_arrows_slay_does_not_fight(asked):
    bows = [orc(f"b{i}", (25, 5 + 1.2 * i), missiles=True) for i in range(5)]
    board = scene(hero("one", (10, 10)), orc("o", (16, 10), weapon="close"), *bows)
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 6).scene
    board = moved(board, "one", (15, 10) if asked.kind != "attack" else (14.6, 10))
    done = go(board, asked, 6, 6, 6, 1, 1)
    assert done.result.result == "fell"
    assert done.scene.token("one").has("out")
    assert not facts(done, "strike")


def test_a_lunger_whom_arrows_slay_does_not_strike():
    bows = [orc(f"b{i}", (25, 5 + 1.2 * i), missiles=True) for i in range(5)]
    board = scene(hero("one", (10, 10)), orc("o", (13, 10)), *bows)
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 1).scene
    done = go(board, act("lunge", "one", "o", dice=1), 6, 6, 6, 1, 1)
    assert (done.result.result, at_inches(done.scene, "one")) == ("fell", None)


def test_an_item_is_offered_as_the_house_rule_says():
    sheet = {"shield": "shield", "heavy_armor": True}
    ogre = model("ogre", (11.5, 10), side="orcs", level=5, **sheet)
    for setting, keys in (
        ("each item", ["none", "shield", "armor", "shield+armor"]),
        ("one item", ["none", "shield", "armor"]),
    ):
        board = scene(hero("one", (10, 10)), ogre, house_rules={"negation": setting})
        board = with_conditions(activated(board, "one"), "one", defended="ogre=ok")
        choice = asks(board, act("attack", "one", "ogre", dice=3), 5, 5, 5)
        assert [answer.key for answer in choice.answers] == keys
        assert choice.default == keys[-1] if setting == "each item" else choice.default in keys
        labels = [answer.label for answer in choice.answers]
        assert labels[:3] == ["Take the hits", "Shield", "Armor"]
        one_hit = asks(board, act("attack", "one", "ogre", dice=1), 5)
        assert [answer.key for answer in one_hit.answers] == ["none", "shield", "armor"]
    used = with_conditions(board, "ogre", armor_used="")
    done = go(used, act("attack", "one", "ogre", dice=1), 5)
    assert [key for side, key in asked_of(done) if side == "orcs"] == []


def test_negation_is_the_default_only_if_it_saves():
    for level, default in ((2, "none"), (3, "shield")):
        target = model("ogre", (11.5, 10), side="orcs", level=level, shield="shield")
        board = scene(hero("one", (10, 10)), target)
        board = with_conditions(activated(board, "one"), "one", defended="ogre=ok")
        assert asks(board, act("attack", "one", "ogre", dice=3), 5, 5, 5).default == (
            "none" if level < 3 else default
        )
    board = with_tracks(board, "ogre", hits=1)
    assert asks(board, act("attack", "one", "ogre", dice=2), 5, 5).default == "shield"
    board = with_tracks(board, "ogre", hits=2)
    assert asks(board, act("attack", "one", "ogre", dice=2), 5, 5).default == "none"


def test_all_story_points_can_be_discarded_to_ignore_wounds():
    board = scene(hero("one", (10, 10), two_handed=True), orc("o", (11.5, 10)))
    board = with_points(with_tracks(activated(board, "one"), "one", wounds=3), "heroes", 2)
    board = with_conditions(board, "one", defended="o=ok")
    done = go(board, act("sweep", "one", dice=1, ignored=2), 5, 5)
    assert points(done.scene, "heroes") == 0
    assert facts(done, "sweep")[0]["needed"] == 6
    assert done.result.result == "stood"
    assert refused(board, act("sweep", "one", dice=1, ignored=3)) == "MNC-105"


def test_a_push_that_fails_moves_nobody_and_a_success_is_one_of_its_dice():
    board = scene(hero("one", (10, 10)), orc("o", (11.5, 10)))
    board = with_conditions(activated(board, "one"), "one", defended="o=ok")
    stood = go(board, act("push", "one", "o", dice=2), 4, 4)
    assert (stood.result.result, at_inches(stood.scene, "o")) == ("stood", (11.5, 10))
    pushed = go(board, act("push", "one", "o", dice=2), 4, 5)
    assert (pushed.result.result, at_inches(pushed.scene, "o")) == ("pushed", (13.5, 10))
    assert pushed.scene.token("one").track("dice") == 1
    # The default is to stay; the follow-up goes as far as 2 inches without contact.
    assert at_inches(pushed.scene, "one") == (10, 10)
    followed = go(board, act("push", "one", "o", dice=2), 4, 5, answers=["yes"])
    assert at_inches(followed.scene, "one") == (12, 10)


def test_a_sweep_moves_each_enemy_once_nearest_first():
    board = scene(
        hero("one", (10, 10), two_handed=True),
        orc("a", (11.5, 10)),
        orc("b", (10, 8.6)),
        orc("far", (10, 12.5)),
    )
    board = with_conditions(activated(board, "one"), "one", defended="a=ok b=ok")
    done = go(board, act("sweep", "one", dice=2), 5, 5, 5, 5)
    assert [key for _, key in asked_of(done)] == ["b", "a"]
    assert at_inches(done.scene, "b") == (10, 6.59375)
    assert at_inches(done.scene, "far") == (10, 12.5)
    assert facts(done, "sweep")[0]["dice"] == 4


def test_a_strike_notes_its_dice_for_the_heavy_weapon():
    board = scene(hero("one", (10, 10), two_handed=True), model("ogre", (11.5, 10), side="orcs", level=5))
    board = with_conditions(activated(board, "one"), "one", defended="ogre=ok")
    first = go(board, act("attack", "one", "ogre", dice=1), 1)
    assert facts(first, "strike")[0]["dice"] == 1
    second = go(first.scene, act("attack", "one", "ogre", dice=1), 1, 1)
    assert facts(second, "strike")[0]["dice"] == 2
    third = go(second.scene, act("attack", "one", "ogre", dice=1), 1)
    assert facts(third, "strike")[0]["dice"] == 1
    both = go(board, act("attack", "one", "ogre", dice=3), 1, 1, 1, 1)
    assert facts(both, "strike")[0]["dice"] == 4


def test_more_dice_come_from_the_bonus_first():
    board = scene(model("one", (10, 10), level=2, shield="shield"), orc("o", (11.5, 10)))
    board = activated(board, "one")
    done = go(board, act("defend", "one", "o", dice=1), 1, 1, 1, 1, 1, answers=["3"])
    assert (done.scene.token("one").track("dice"), done.scene.token("one").track("defense dice")) == (0, 0)
    some = go(board, act("defend", "one", "o", dice=1), 1, 1, 2, answers=["2"])
    assert (some.scene.token("one").track("dice"), some.scene.token("one").track("defense dice")) == (1, 0)
    # To fall back, general dice only.
    back = go(board, act("fall_back", "one", "o", dice=1), 1, 5, answers=["1"])
    assert (back.scene.token("one").track("dice"), back.scene.token("one").track("defense dice")) == (0, 1)
    choice = asks(board, act("fall_back", "one", "o", dice=1), 1)
    assert [answer.key for answer in choice.answers] == ["0", "1"]


def test_cover_and_height_are_used_before_the_shield_and_once():
    hedge = Terrain(id="hedge", name="Hedge", cells=((10, 10),), kind="cover", height=2)
    board = scene(
        model("one", (10.5, 10.5), level=2, shield="shield"),
        orc("a", (12, 10.5)),
        orc("b", (9, 10.5)),
        terrain=[hedge],
    )
    board = activated(board, "one")
    board = go(board, act("defend", "one", "a", bonus=2), 2, 2).scene
    one = board.token("one")
    assert one.track("defense dice") == 2
    assert {"height used", "cover used"} <= one.conditions.keys()
    board = go(board, act("defend", "one", "b", bonus=2), 2, 2).scene
    assert board.token("one").track("defense dice") == 0
    assert refused(activated(scene(*board.tokens), "one"), act("defend", "one", "a", bonus=3)) is not None


@pytest.mark.parametrize(
    ("enemies", "needed", "pool", "bonus", "split"),
    [
        (["a", "b"], 2, 5, 2, {"a": 1, "b": 1}),
        (["a", "b"], 2, 5, 3, {"a": 2, "b": 1}),
        (["a", "b", "c"], 3, 5, 2, {"a": 1, "b": 1, "c": 1}),
        (["a", "b", "c"], 3, 2, 2, {"a": 1, "b": 1, "c": 0}),
        (["a"], 1, 5, 4, {"a": 1}),
        (["a", "b"], 1, 5, 4, {"a": 1, "b": 1}),
        (["a"], 7, 5, 4, {}),
        (["a"], 6, 5, 4, {"a": 4}),
        ([], 2, 5, 4, {}),
    ],
)
def test_the_best_split(enemies, needed, pool, bonus, split):
    assert best_split(enemies, needed, pool, bonus) == split


@pytest.mark.parametrize(
    ("pool", "most", "spread"),
    [
        (1, 9, {"shielded": 0, "average": 1, "good": 0, "protected": 0}),
        (2, 9, {"shielded": 1, "average": 1, "good": 0, "protected": 0}),
        (5, 9, {"shielded": 2, "average": 1, "good": 2, "protected": 0}),
        (6, 9, {"shielded": 2, "average": 1, "good": 2, "protected": 1}),
        (7, 9, {"shielded": 2, "average": 2, "good": 2, "protected": 1}),
        (4, 1, {"shielded": 1, "average": 1, "good": 1, "protected": 1}),
    ],
)
def test_the_best_spread_uses_what_gear_and_toughness_take(pool, most, spread):
    board = scene(
        model("average", (10, 10), level=2),
        model("shielded", (12, 10), level=2, shield="shield"),
        hero("good", (14, 10)),
        model("protected", (16, 10), level=2, story_protected=True),
    )
    targets = [fighter(board, key) for key in ("shielded", "average", "good", "protected")]
    assert best_spread(targets, pool, most) == spread
    hurt = with_tracks(board, "good", hits=2)
    both = [fighter(hurt, "good"), fighter(hurt, "shielded")]
    assert best_spread(both, 3, 9) == {"shielded": 3, "good": 0}
    assert best_spread([fighter(hurt, "good"), fighter(hurt, "shielded")], 1, 9)["good"] == 0
