"""Missile fire at activated groups, and volleys (MNC-042, MNC-076 to MNC-083, MNC-117)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rulesets.miniatures_combat.combat.missiles import best_spread, most_archers
from enfilade.rulesets.miniatures_combat.profiles import read_fighter
from enfilade.scene.model import Side, Terrain
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    asked_of,
    asks,
    facts,
    go,
    hero,
    inches,
    model,
    moved,
    orc,
    points,
    rolled,
    scene,
    wall,
    with_token,
)

BOWS = {"missiles": True}


def archers(count, x=25):
    return [orc(f"bow{i}", (x, 8 + i * 1.2), **BOWS) for i in range(count)]


def arrows(board, *members, faces=(), answers=()):
    """Resolve the end of an activation, at which archers fire."""
    return go(activated(board, *members), act("end", members[0]), *faces, answers=answers)


@pytest.mark.rule("MNC-076")
def test_archers_fire_at_an_unengaged_group_that_activates():
    done = arrows(scene(hero("one", (10, 10)), *archers(2)), "one", faces=(1, 2))
    assert rolled(done) == [("arrows", (1, 2))]
    assert asked_of(done)[0] == ("orcs", "yes")
    declined = arrows(scene(hero("one", (10, 10)), *archers(2)), "one", answers=["no"])
    assert rolled(declined) == []


@pytest.mark.rule("MNC-076")
@pytest.mark.parametrize(("distance", "fires"), [(19, True), (19 + 1 / 64, False)])
def test_archers_fire_within_18_inches(distance, fires):
    board = activated(scene(hero("one", (10, 10)), orc("bow", (10 + distance, 10), **BOWS)), "one")
    assert board.token("bow").has("in sight") is fires


@pytest.mark.rule("MNC-076")
def test_engaged_groups_and_engaged_archers_are_left_out():
    engaged = scene(hero("one", (10, 10)), orc("orc", (11.5, 10)), *archers(1))
    assert [label for label, _ in rolled(arrows(engaged, "one", faces=(1,)))] == ["attack"]
    busy = scene(hero("one", (10, 10)), hero("two", (26.5, 8)), *archers(1))
    assert rolled(arrows(busy, "one")) == []


@pytest.mark.rule("MNC-076")
def test_sight_at_some_time_of_the_movement_is_enough():
    walls = [wall("w", 20, 8.5, 20, 40)]
    board = scene(hero("one", (10, 15)), orc("bow", (26, 9), **BOWS), walls=walls)
    assert rolled(arrows(board, "one")) == []
    board = go(activated(board, "one"), act("roll_movement", "one", dice=3), 6, 6, 6).scene
    # The way leads above the end of the wall, and back behind it.
    board = moved(board, "one", (10, 12), path=[(13, 7), (10, 12)])
    assert board.token("bow").has("in sight")
    assert rolled(go(board, act("end", "one"), 3)) == [("arrows", (3,))]


@pytest.mark.rule("MNC-076")
def test_terrain_and_closed_doors_block_sight():
    wood = Terrain(id="wood", name="Wood", cells=((15, 9), (15, 10)), blocks_sight=True)
    board = scene(hero("one", (10, 10)), orc("bow", (20, 10), **BOWS), terrain=[wood])
    assert not activated(board, "one").token("bow").has("in sight")


@pytest.mark.rule("MNC-077")
@pytest.mark.parametrize(("size", "archers_"), [(1, 5), (2, 6), (7, 21)])
def test_three_archers_for_each_model_and_five_at_a_lone_one(size, archers_):
    assert most_archers(scene(hero("one", (10, 10))), size) == archers_


@pytest.mark.rule("MNC-077")
def test_the_cap_counts_dice():
    board = scene(hero("one", (10, 10)), *archers(6))
    assert rolled(arrows(board, "one", faces=[1] * 5)) == [("arrows", (1,) * 5)]
    strict = scene(*board.tokens, house_rules={"archer_cap": "3 at one model"})
    assert rolled(arrows(strict, "one", faces=[1] * 3)) == [("arrows", (1,) * 3)]


@pytest.mark.rule("MNC-078")
def test_archers_fire_again_at_the_next_group():
    board = scene(hero("one", (10, 10)), hero("two", (10, 20)), *archers(1, x=20))
    board = arrows(board, "one", faces=(1,)).scene
    board = go(activated(board, "bow0"), act("end", "bow0")).scene
    assert rolled(arrows(board, "two", faces=(2,))) == [("arrows", (2,))]


@pytest.mark.rule("MNC-079")
@pytest.mark.parametrize(("face", "hits"), [(5, 0), (6, 1)])
def test_an_arrow_hits_on_a_6(face, hits):
    done = arrows(scene(hero("one", (10, 10)), *archers(1)), "one", faces=(face,))
    assert facts(done, "arrow hits")[0]["hits"] == hits


def band(*extra, house_rules=None):
    """Build a good fighter and two bandits before four archers."""
    bandits = [model(f"bandit{i}", (10, 12 + 1.5 * i), level=1, minion=True) for i in range(2)]
    return scene(hero("one", (10, 10)), *bandits, *extra, *archers(9), house_rules=house_rules)


@pytest.mark.rule("MNC-080")
@pytest.mark.parametrize(("setting", "minions_lost", "hits"), [("rounded up", 2, 1), ("rounded down", 1, 2)])
def test_half_of_the_hits_go_to_minions_first(setting, minions_lost, hits):
    board = band(house_rules={"missile_half": setting})
    done = arrows(board, "one", "bandit0", "bandit1", faces=(6, 6, 6, *[1] * 6))
    out = [token.id for token in done.scene.tokens if token.has("out")]
    assert len(out) == minions_lost
    harm = [fact for fact in facts(done, "harm") if fact["target"] == "one"]
    assert harm[0]["hits"] == hits


@pytest.mark.rule("MNC-080")
def test_the_owner_spreads_the_hits_over_the_characters():
    board = band(model("friend", (8, 10), level=2))
    members = ("one", "bandit0", "bandit1", "friend")
    answers = ["yes", {"bandit0": 1, "bandit1": 1}, {"one": 1, "friend": 1}]
    done = arrows(board, *members, faces=[6] * 4 + [1] * 5, answers=[answers[0], answers[2]])
    hit = {fact["target"]: fact["hits"] for fact in facts(done, "harm")}
    assert hit == {"one": 1, "friend": 1, "bandit0": 1, "bandit1": 1}


@pytest.mark.rule("MNC-080")
def test_without_characters_minions_take_all_and_more_than_minions_go_to_characters():
    only = scene(*[model(f"b{i}", (10, 10 + 1.5 * i), level=1, minion=True) for i in range(3)], *archers(4))
    done = arrows(only, "b0", "b1", "b2", faces=(6, 6, 1, 1))
    assert sum(token.has("out") for token in done.scene.tokens) == 2
    one_minion = scene(hero("one", (10, 10)), model("b", (10, 12), level=1, minion=True), *archers(6))
    done = arrows(one_minion, "one", "b", faces=(6, 6, 6, 6, 1, 1))
    assert {fact["target"]: fact["hits"] for fact in facts(done, "harm")} == {"b": 1, "one": 3}
    assert done.scene.token("one").has("out")


@pytest.mark.rule("MNC-081")
def test_arrows_slay_with_hits_equal_to_the_toughness():
    board = scene(hero("one", (10, 10)), *archers(5))
    assert arrows(board, "one", faces=(6, 6, 6, 1, 1)).scene.token("one").has("out")
    assert not arrows(board, "one", faces=(6, 6, 1, 1, 1)).scene.token("one").has("out")


@pytest.mark.rule("MNC-082")
def test_a_shield_turns_an_arrow_into_a_story_point():
    board = scene(hero("one", (10, 10), shield="shield"), *archers(1))
    done = arrows(board, "one", faces=(6,))
    assert points(done.scene, "orcs") == 1
    assert facts(done, "harm")[0]["negated"] == ["shield"]


@pytest.mark.rule("MNC-083")
def test_the_shooter_may_roll_story_dice_after_all_hits():
    board = scene(hero("one", (10, 10)), hero("two", (10, 12)), *archers(6))
    done = arrows(
        board, "one", "two", faces=(6, 6, 1, 1, 1, 1, 3), answers=["yes", {"one": 1, "two": 1}, "1"]
    )
    kinds = [event.kind for event in done.events if hasattr(event, "kind")]
    assert kinds.index("story roll") > max(i for i, kind in enumerate(kinds) if kind == "harm")


@pytest.mark.rule("MNC-083")
def test_a_volley_that_hits_several_models_brings_one_story_roll_for_all_its_points():
    # "After all hits have been applied, the player with the missile weapons, if they gained a story point in
    # that volley, may choose to make a story roll": there was one roll for each model that was hit.
    board = scene(hero("one", (10, 10)), hero("two", (10, 12)), *archers(6))
    faces, hits = (6, 6, 1, 1, 1, 1), {"one": 1, "two": 1}
    done = arrows(board, "one", "two", faces=faces, answers=["yes", hits, "0"])
    assert asked_of(done)[2:] == [("orcs", "0")]
    assert points(done.scene, "orcs") == 2
    both = arrows(board, "one", "two", faces=(*faces, 1, 2), answers=["yes", hits, "2"])
    assert rolled(both)[1] == ("story dice", (1, 2))


@pytest.mark.rule("MNC-077")
def test_the_cap_of_archers_is_for_all_enemies_together():
    # "The number of archers that may fire may be no more than three times the size of the activated group":
    # each hostile side had a cap of its own.
    sides = (Side(id="heroes", name="Heroes"), Side(id="orcs", name="Orcs"), Side(id="men", name="Men"))
    more = [model(f"man{i}", (21, 8 + i * 1.2), side="men", level=1, **BOWS) for i in range(4)]
    board = scene(hero("one", (10, 10)), *archers(4), *more, sides=sides)
    done = arrows(board, "one", faces=[1] * 5)
    assert [(one["side"], one["dice"]) for one in facts(done, "arrows")] == [("orcs", 4), ("men", 1)]
    crowd = scene(hero("one", (10, 10)), *archers(5), *more, sides=sides)
    assert [side for side, _ in asked_of(arrows(crowd, "one", faces=[1] * 5))] == ["orcs"]


@pytest.mark.rule("MNC-076")
def test_no_one_is_asked_to_fire_at_a_group_that_the_arrows_of_another_side_slew():
    sides = (Side(id="heroes", name="Heroes"), Side(id="orcs", name="Orcs"), Side(id="men", name="Men"))
    man = model("man", (21, 10), side="men", level=1, **BOWS)
    board = scene(hero("one", (10, 10), level=1), hero("two", (50, 30)), *archers(1), man, sides=sides)
    done = arrows(board, "one", faces=[6])
    assert done.scene.token("one").has("out")
    assert "men" not in [side for side, _ in asked_of(done)]


@pytest.mark.rule("MNC-117")
def test_story_protected_models_take_arrows_only_if_their_owner_wants():
    board = scene(model("merry", (10, 10), level=1, story_protected=True), *archers(1))
    assert facts(arrows(board, "merry", faces=(6,)), "harm") == []
    wanted = arrows(board, "merry", faces=(6,), answers=["yes", {"merry": 1}])
    assert wanted.scene.token("merry").has("endangered")
    with_hero = scene(*board.tokens, hero("one", (10, 12)))
    done = arrows(with_hero, "one", "merry", faces=(6,))
    assert [fact["target"] for fact in facts(done, "harm")] == ["one"]


@pytest.mark.rule("MNC-076")
def test_arrows_come_before_the_melee_of_a_charge():
    board = scene(model("one", (10, 10), level=1), orc("orc", (16, 10)), *archers(1))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 5, 5).scene
    board = moved(board, "one", (14.5, 10))
    done = go(board, act("defend", "one", "orc", dice=0), 6)
    assert done.result.result == "fell"
    assert done.scene.token("one").has("out")
    after = with_token(board, "bow0", at=inches(50, 30))
    assert after.token("bow0").has("in sight")


def test_the_best_spread_loses_the_fewest_models():
    board = scene(hero("one", (10, 10)), model("two", (12, 10), level=2, shield="shield"), orc("x", (50, 30)))
    targets = [read_fighter(board.token(key)) for key in ("one", "two")]
    assert best_spread(targets, 4, 4) == {"two": 2, "one": 2}
    assert best_spread(targets, 6, 6) == {"two": 4, "one": 2}


# More arrows and mixed groups


def struck(done):
    """Return how many hits each model took."""
    return {fact["target"]: fact["hits"] for fact in facts(done, "harm")}


@pytest.mark.rule("MNC-080")
@pytest.mark.parametrize(
    ("setting", "arrow_hits", "minions_hit"),
    [
        ("rounded up", 4, 2),
        ("rounded up", 5, 3),
        ("rounded up", 9, 4),
        ("rounded down", 4, 2),
        ("rounded down", 5, 2),
        ("rounded down", 1, 0),
    ],
)
def test_half_of_any_number_of_hits_goes_to_minions_as_far_as_there_are_some(
    setting, arrow_hits, minions_hit
):
    bandits = [model(f"bandit{i}", (10, 11.5 + 1.2 * i), level=1, minion=True) for i in range(4)]
    rules = {"missile_half": setting}
    board = scene(model("one", (10, 10), level=8), *bandits, *archers(9), house_rules=rules)
    keys = ["one", *(bandit.id for bandit in bandits)]
    done = arrows(board, *keys, faces=[6] * arrow_hits + [1] * (9 - arrow_hits))
    assert sum(hits for key, hits in struck(done).items() if key != "one") == minions_hit
    assert struck(done)["one"] == arrow_hits - minions_hit


@pytest.mark.rule("MNC-080")
def test_minions_alone_take_a_second_hit_only_when_each_has_one():
    def asked(hits):
        minions = [model(key, (10, 10 + 1.5 * i), level=2, minion=True) for i, key in enumerate("abc")]
        board = activated(scene(*minions, *archers(6)), "a", "b", "c")
        return asks(board, act("end", "a"), *[6] * hits, *[1] * (6 - hits), answers=["yes"])

    for hits, most in ((1, 1), (2, 1), (4, 2), (5, 2)):
        found = asked(hits)
        assert (found.pool, found.least, found.limits) == (hits, hits, ((0, most),) * 3)


@pytest.mark.rule("MNC-080")
def test_who_has_no_choice_is_not_asked_who_takes_the_hits():
    # Three hits on three minions of the same level, or on one character.
    minions = [model(key, (10, 10 + 1.5 * i), level=2, minion=True) for i, key in enumerate("abc")]
    done = arrows(scene(*minions, *archers(3)), "a", "b", "c", faces=(6, 6, 6))
    assert [answer for side, answer in asked_of(done) if side == "heroes"] == []
    assert struck(done) == {"a": 1, "b": 1, "c": 1}
    lone = arrows(scene(model("one", (10, 10), level=4), *archers(3)), "one", faces=(6, 6, 6))
    assert [answer for side, answer in asked_of(lone) if side == "heroes"] == []
    assert struck(lone) == {"one": 3}


@pytest.mark.rule("MNC-080", "MNC-117")
def test_the_owner_of_protected_models_may_let_them_take_any_hits_or_none():
    merry, pippin = (model(key, (10, y), level=1, story_protected=True) for key, y in (("m", 10), ("p", 12)))
    board = activated(scene(merry, pippin, *archers(2)), "m", "p")
    asked = asks(board, act("end", "m"), 6, 6, answers=["yes"])
    assert (asked.pool, asked.least, asked.limits) == (2, 0, ((0, 2), (0, 2)))
    assert struck(go(board, act("end", "m"), 6, 6)) == {}
    mixed = activated(scene(merry, hero("one", (10, 12)), *archers(2)), "m", "one")
    asked = asks(mixed, act("end", "m"), 6, 6, answers=["yes"])
    assert (asked.pool, asked.least) == (2, 2)


@pytest.mark.rule("MNC-083")
def test_arrows_that_miss_bring_no_point():
    done = arrows(scene(hero("one", (10, 10)), *archers(2)), "one", faces=(5, 1))
    assert points(done.scene, "orcs") == 0
    assert asked_of(done) == [("orcs", "yes")]


@pytest.mark.rule("MNC-076")
def test_archers_of_the_first_fight_do_not_fire_again_if_the_house_rule_changes_meanwhile():
    board = scene(hero("one", (10, 10)), orc("foe", (18, 10)), orc("bow", (24, 6), **BOWS))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=2), 6, 6).scene
    board = go(moved(board, "one", (16.5, 10)), act("defend", "one", "foe", dice=1), 1).scene
    rule = {"miniatures_combat.movement_ends": "for each model by itself"}
    done = go(replace(board, house_rules=rule), act("end", "one"))
    assert facts(done, "arrows") == []
