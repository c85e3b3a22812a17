"""Story points, the random events table and flight (MNC-032 to MNC-061)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.combat.flight import flight_places
from enfilade.rulesets.miniatures_combat.combat.story import EVENTS
from enfilade.rulesets.miniatures_combat.profiles import read_fighter
from enfilade.scene.model import Terrain
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    asked_of,
    asks,
    at_inches,
    facts,
    go,
    hero,
    inches,
    model,
    orc,
    points,
    refused,
    rolled,
    scene,
    with_conditions,
    with_points,
)

FAR = orc("far", (50, 30))


def hit(*story_faces, stored, event, more=(), answers=(), target=None, extra=(), **kinds):
    """Resolve a hit of the hero that brings a point; all stored points and this one are rolled for an event.

    `more` are the faces after the story dice, `answers` those after the choice of the event.
    """
    target = target or model("ogre", (11.5, 10), side="orcs", level=4)
    board = scene(hero("one", (10, 10)), target, FAR, *extra, **kinds)
    board = with_conditions(activated(with_points(board, "heroes", stored), "one"), "one", defended="ogre=ok")
    given = [str(len(story_faces)), event, *answers]
    return go(board, act("attack", "one", "ogre", dice=1), 5, *story_faces, *more, answers=given)


@pytest.mark.rule("MNC-032", "MNC-033")
def test_a_gain_lets_its_owner_roll_any_number_of_points():
    done = hit(1, 2, stored=3, event="nothing")
    assert rolled(done)[1] == ("story dice", (1, 2))
    assert points(done.scene, "heroes") == 2
    kept = go(
        with_conditions(
            activated(scene(hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=4)), "one"),
            "one",
            defended="ogre=ok",
        ),
        act("attack", "one", "ogre", dice=1),
        5,
        answers=["0"],
    )
    assert points(kept.scene, "heroes") == 1
    assert asked_of(kept) == [("heroes", "0")]


@pytest.mark.rule("MNC-033")
def test_more_than_twelve_points_may_be_turned_in_at_once():
    # "any number of accumulated story points may be turned in"
    done = hit(*[1] * 15, stored=14, event="nothing")
    assert len(rolled(done)[1][1]) == 15


@pytest.mark.rule("MNC-034")
def test_any_lower_result_may_be_taken():
    done = hit(5, 5, 5, stored=2, event="stumble", answers=["far"])
    assert facts(done, "story roll")[0]["event"] == "stumble"
    assert facts(done, "story roll")[0]["total"] == 15


@pytest.mark.rule("MNC-035")
def test_each_six_gives_the_opponent_a_point():
    done = hit(6, 6, 1, stored=2, event="nothing")
    assert points(done.scene, "orcs") == 2


@pytest.mark.rule(
    "MNC-036", "MNC-037", "MNC-038", "MNC-039", "MNC-040", "MNC-041", "MNC-042", "MNC-043", "MNC-044",
    "MNC-045", "MNC-046", "MNC-047", "MNC-048",
)  # fmt: skip
def test_the_totals_of_the_table():
    assert [(event.total, event.key) for event in EVENTS] == [
        (1, "nothing"),
        (5, "stumble"),
        (7, "name group"),
        (9, "2 dice"),
        (11, "wound"),
        (13, "story event"),
        (15, "volley"),
        (17, "3 dice"),
        (18, "prone"),
        (20, "minions flee"),
        (21, "4 dice"),
        (24, "major story event"),
        (27, "unconscious"),
    ]


@pytest.mark.rule("MNC-036")
def test_a_low_total_brings_nothing():
    done = hit(4, stored=0, event="nothing")
    assert facts(done, "story roll")[0]["event"] == "nothing"


@pytest.mark.rule("MNC-037")
def test_5_lets_an_enemy_stumble():
    done = hit(5, stored=0, event="stumble", answers=["far"])
    assert done.scene.token("far").track("stumble") == 1


@pytest.mark.rule("MNC-038", "MNC-049")
def test_7_names_a_model_of_the_next_opposing_group():
    done = hit(5, 2, stored=1, event="name group")
    ended = go(done.scene, act("end", "one"), answers=["far"])
    assert asked_of(ended) == [("heroes", "far")]
    assert ended.scene.token("far").has("named")
    assert refused(ended.scene, act("activate", "ogre")) == "MNC-049"
    assert refused(ended.scene, act("activate", "far")) is None


@pytest.mark.rule("MNC-039", "MNC-043", "MNC-046")
@pytest.mark.parametrize(
    ("faces", "event", "count"),
    [((5, 4), "2 dice", 2), ((5, 5, 5, 2), "3 dice", 3), ((5, 5, 5, 5, 1), "4 dice", 4)],
)
def test_lucky_strikes_roll_more_dice_in_the_current_attack(faces, event, count):
    done = hit(*faces, stored=len(faces) - 1, event=event, more=[1] * count)
    strike = facts(done, "strike")[1]
    assert (strike["token"], strike["target"], strike["dice"]) == ("one", "ogre", count)
    target = model("ogre", (11.5, 10), side="orcs", level=3)
    slain = hit(*faces, stored=len(faces) - 1, event=event, more=[5] * count, target=target)
    assert slain.scene.token("ogre").has("out")


@pytest.mark.rule("MNC-040")
def test_11_wounds_the_target_and_fells_a_minion():
    done = hit(5, 5, 1, stored=2, event="wound")
    assert done.scene.token("ogre").track("wounds") == 1
    minion = orc("ogre", (11.5, 10), level=2)
    done = hit(5, 5, 1, stored=2, event="wound", target=minion)
    assert done.scene.token("ogre").has("out")


@pytest.mark.rule("MNC-041", "MNC-047")
@pytest.mark.parametrize(
    ("faces", "event"), [((5, 5, 3), "story event"), ((5, 5, 5, 5, 4), "major story event")]
)
def test_story_events_are_those_of_the_scenario(faces, event):
    done = hit(*faces, stored=len(faces) - 1, event=event)
    assert facts(done, "story event")[0] == {"side": "heroes", "event": event, "text": ""}
    board = replace(done.scene, conditions={**done.scene.conditions, event: "Frodo leaves in a boat"})
    again = with_points(board, "heroes", len(faces) - 1)
    logged = go(again, act("attack", "one", "ogre", dice=1), 5, *faces, answers=[str(len(faces)), event])
    assert facts(logged, "story event")[0]["text"] == "Frodo leaves in a boat"
    assert "Frodo leaves in a boat" in MINIATURES_COMBAT.narrate(again, logged.events)


@pytest.mark.rule("MNC-042")
def test_15_fires_a_volley_at_an_engaged_group():
    bow = model("bow", (20, 12), level=2, missiles=True)
    done = hit(5, 5, 5, stored=2, event="volley", more=(6,), answers=["ogre"], extra=[bow])
    assert facts(done, "arrows")[0]["targets"] == ["ogre"]
    assert done.scene.token("ogre").track("hits") == 2


@pytest.mark.rule("MNC-042", "MNC-049")
def test_the_owner_fills_up_the_group_of_a_volley():
    extra = [model("bow", (20, 12), level=2, missiles=True), orc("mate", (14, 10))]
    done = hit(5, 5, 5, stored=2, event="volley", more=(1,), answers=["ogre", "group"], extra=extra)
    assert facts(done, "arrows")[0]["targets"] == ["ogre", "mate"]


@pytest.mark.rule("MNC-042", "MNC-049")
def test_the_owner_may_fill_up_the_group_of_a_volley_with_any_legal_models():
    # "you select one model and your opponent will pick the remainder of the legal group": only that model
    # alone or all near it were offered.
    bow = model("bow", (20, 12), level=2, missiles=True)
    mates = [orc("a", (14, 10)), orc("b", (14, 12)), orc("c", (3, 10))]
    answers = ["ogre", "some", "b", "done"]
    done = hit(5, 5, 5, stored=2, event="volley", more=(1,), answers=answers, extra=[bow, *mates])
    assert facts(done, "arrows")[0]["targets"] == ["ogre", "b"]
    # With C the group is legal without A and B, who are more than 8" from it.
    apart = ["ogre", "some", "c"]
    done = hit(5, 5, 5, stored=2, event="volley", more=(1,), answers=apart, extra=[bow, *mates])
    assert facts(done, "arrows")[0]["targets"] == ["ogre", "c"]


@pytest.mark.rule("MNC-042")
def test_there_is_no_volley_without_archers():
    done = hit(5, 5, 5, stored=2, event="story event")
    assert facts(done, "story roll")[0]["event"] == "story event"


@pytest.mark.rule("MNC-044")
def test_18_knocks_an_enemy_prone_and_off_its_horse():
    rider = model("rider", (50, 35), side="orcs", mounted=True)
    done = hit(5, 5, 5, 3, stored=3, event="prone", answers=["rider"], extra=[rider])
    assert {"prone", "dismounted"} <= done.scene.token("rider").conditions.keys()
    foot = hit(5, 5, 5, 3, stored=3, event="prone", answers=["far"])
    assert "dismounted" not in foot.scene.token("far").conditions


@pytest.mark.rule("MNC-048")
def test_27_incapacitates_the_target():
    done = hit(5, 5, 5, 5, 5, 2, stored=5, event="unconscious")
    assert done.scene.token("ogre").has("incapacitated")
    assert done.scene.token("ogre").at is not None


def test_by_default_points_wait_until_they_are_worth_a_roll():
    board = scene(hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=2), FAR)
    for stored, count in ((3, "0"), (4, "5")):
        ready = with_conditions(
            activated(with_points(board, "heroes", stored), "one"), "one", defended="ogre=ok"
        )
        asked = act("attack", "one", "ogre", dice=1)
        faces = [5, *[1] * int(count)]
        assert asked_of(go(ready, asked, *faces))[0] == ("heroes", count)


# Minions flee


def panic(*orcs, answers=(), more=(), house_rules=None, terrain=(), extra=()):
    """Resolve a roll of 20 by the heroes; `answers` come after the choice of the event."""
    target = model("ogre", (11.5, 10), side="orcs", level=4)
    board = scene(hero("one", (10, 10)), target, *orcs, *extra, house_rules=house_rules, terrain=terrain)
    board = with_conditions(activated(with_points(board, "heroes", 3), "one"), "one", defended="ogre=ok")
    given = ["4", "minions flee", *answers]
    return go(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, 5, *more, answers=given)


@pytest.mark.rule("MNC-045", "MNC-050", "MNC-051")
def test_a_minion_and_those_of_its_side_within_4_inches_flee():
    done = panic(
        orc("a", (20, 10)), orc("b", (25, 10)), orc("c", (25 + 1 / 64, 12)), answers=["a"],
        extra=[model("d", (20, 12), side="heroes", level=1, minion=True)],
    )  # fmt: skip
    assert facts(done, "flee")[0]["fleeing"] == ["a", "b"]
    assert done.scene.token("a").has("fled")
    assert not done.scene.token("ogre").has("fled")


@pytest.mark.rule("MNC-051")
def test_minions_of_either_side_can_be_chosen():
    own = model("own", (20, 12), side="heroes", level=1, minion=True)
    done = panic(orc("a", (30, 10)), answers=["own"], extra=[own])
    assert facts(done, "flee")[0]["fleeing"] == ["own"]


@pytest.mark.rule("MNC-052")
def test_they_flee_8_inches_straight_from_the_nearest_enemy():
    done = panic(orc("a", (20, 10)), answers=["a"])
    assert at_inches(done.scene, "a") == (28, 10)


@pytest.mark.rule("MNC-052")
def test_enemies_at_the_same_distance_count_by_their_middle_and_flight_stops_at_an_inch():
    board = scene(orc("a", (20, 20)), hero("n", (20, 10)), hero("w", (10, 20)))
    places = flight_places(board, read_fighter(board.token("a")), 8 * 64)
    x, y = places["straight"]
    assert x - 20 * 64 == y - 20 * 64 > 0
    blocked = scene(orc("a", (20, 20)), hero("n", (20, 15)), hero("s", (20, 27)))
    end = flight_places(blocked, read_fighter(blocked.token("a")), 8 * 64)["straight"]
    assert end == (20 * 64, 25 * 64 - 1)
    edge = scene(orc("a", (20, 36)), hero("n", (20, 30)))
    assert flight_places(edge, read_fighter(edge.token("a")), 8 * 64)["straight"] == inches(20, 39.5)


@pytest.mark.rule("MNC-053")
def test_the_owner_may_divert_them_into_cover():
    # Straight back ends at 28, 10; 45 degrees to the right ends beside the hedge.
    hedge = Terrain(id="hedge", name="Hedge", cells=((25, 16), (25, 15)), kind="cover")
    done = panic(orc("a", (20, 10)), answers=["a", "no", "right"], terrain=[hedge])
    x, y = at_inches(done.scene, "a")
    assert (round(x, 1), round(y, 1)) == (25.7, 15.7)
    assert ("orcs", "right") in asked_of(done)


@pytest.mark.rule("MNC-054")
@pytest.mark.parametrize(("answer", "flees"), [("yes", True), ("no", False)])
def test_the_owner_may_let_level_2_characters_flee(answer, flees):
    captain = model("captain", (21, 12), side="orcs", level=2)
    done = panic(orc("a", (20, 10)), captain, answers=["a", "no", answer])
    assert done.scene.token("captain").has("fled") is flees


@pytest.mark.rule("MNC-055", "MNC-056")
def test_the_owner_may_raise_the_radius_and_the_opponent_has_an_option():
    done = panic(orc("a", (20, 10)), orc("b", (29, 10)), answers=["a", "yes", "none"])
    assert facts(done, "flee")[0]["fleeing"] == ["a", "b"]
    assert asked_of(done)[3:5] == [("orcs", "yes"), ("heroes", "none")]
    kept = panic(orc("a", (20, 10)), orc("b", (29, 10)), answers=["a", "no"])
    assert facts(kept, "flee")[0]["fleeing"] == ["a"]


@pytest.mark.rule("MNC-057")
@pytest.mark.parametrize(("face", "radius"), [(1, 8), (2, 8), (3, 11), (6, 14)])
def test_option_1_may_widen_the_radius(face, radius):
    done = panic(orc("a", (20, 10)), answers=["a", "yes", "wider"], more=[face])
    assert facts(done, "flee")[0]["inches"] == radius


@pytest.mark.rule("MNC-058")
@pytest.mark.parametrize(
    ("answers", "more", "flees"), [(["yes"], [3], True), (["yes"], [4], False), (["no"], [], True)]
)
def test_option_2_makes_level_2_characters_flee(answers, more, flees):
    captain = model("captain", (21, 12), side="orcs", level=2)
    done = panic(orc("a", (20, 10)), captain, answers=["a", "yes", "average", *answers], more=more)
    assert done.scene.token("captain").has("fled") is flees


@pytest.mark.rule("MNC-059")
def test_option_3_makes_them_flee_12_inches():
    done = panic(orc("a", (20, 10)), answers=["a", "yes", "farther"])
    assert at_inches(done.scene, "a") == (32, 10)


@pytest.mark.rule("MNC-060")
def test_fled_models_are_free_again_when_one_was_activated_without_engaging():
    board = scene(orc("a", (10, 10)), orc("b", (40, 10)), hero("one", (10, 30)), turn="orcs")
    board = with_conditions(with_conditions(board, "a", fled=""), "b", fled="")
    done = go(activated(board, "a"), act("end", "a")).scene
    assert not done.token("a").has("fled")
    assert not done.token("b").has("fled")
    engaged = scene(orc("a", (10, 10)), hero("one", (11.5, 10)), turn="orcs")
    engaged = with_conditions(engaged, "a", fled="")
    assert go(activated(engaged, "a"), act("end", "a"), 1).scene.token("a").has("fled")


@pytest.mark.rule("MNC-061")
def test_fleeing_minions_may_be_removed_or_lose_the_battle():
    gone = panic(orc("a", (20, 10)), answers=["a"], house_rules={"fleeing_minions": "removed"})
    assert gone.scene.token("a").has("out")
    lost = panic(orc("a", (20, 10)), answers=["a"], house_rules={"fleeing_minions": "their side loses"})
    assert MINIATURES_COMBAT.turn(lost.scene).winners == ("heroes",)


@pytest.mark.rule("MNC-061")
def test_minions_of_its_own_that_a_side_lets_flee_do_not_win_it_the_battle():
    # "victory is achieved by making any opposing minions flee"
    own, rule = model("page", (11, 14), level=1, minion=True), {"fleeing_minions": "their side loses"}
    done = panic(own, orc("a", (20, 10)), answers=["page"], house_rules=rule)
    assert not MINIATURES_COMBAT.turn(done.scene).is_over


@pytest.mark.rule("MNC-050")
def test_no_other_event_makes_models_flee():
    board = scene(hero("one", (10, 10)), orc("a", (11.5, 10)), orc("b", (13, 10)), orc("c", (14.5, 10)))
    board = with_conditions(activated(board, "one"), "one", defended="a=ok")
    done = go(board, act("attack", "one", "a", dice=3), 6, 6, 6)
    assert not any(token.has("fled") for token in done.scene.tokens)


def test_the_gm_gives_the_turn_records_events_and_declares_victory():
    board = scene(hero("one", (10, 10)), orc("orc", (40, 10)))
    begun = go(board, act("turn", "", side="orcs")).scene
    assert MINIATURES_COMBAT.turn(begun).sides == ("orcs",)
    logged = go(board, act("event", "", side="heroes", text="The boats are ready."))
    assert "The boats are ready." in MINIATURES_COMBAT.narrate(board, logged.events)
    won = go(board, act("victory", "", side="heroes")).scene
    assert MINIATURES_COMBAT.turn(won).winners == ("heroes",)
    assert refused(won, act("activate", "one")) == "MNC-006"


@pytest.mark.rule("MNC-049")
def test_the_group_of_a_volley_grows_by_friends_within_8_inches_of_all_its_models():
    bow = model("bow", (20, 12), level=2, missiles=True)
    mates = [orc("a", (14, 10)), orc("b", (18, 10)), orc("c", (5, 10)), orc("far", (50, 30))]
    target = model("ogre", (11.5, 10), side="orcs", level=4)
    board = scene(hero("one", (10, 10)), target, bow, *mates)
    board = with_conditions(activated(with_points(board, "heroes", 2), "one"), "one", defended="ogre=ok")

    def asked(*joined):
        answers = ["3", "volley", "ogre", "some", *joined]
        choice = asks(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, answers=answers)
        return [answer.key for answer in choice.answers]

    assert asked() == ["done", "a", "b", "c"]
    assert asked("a") == ["done", "b", "c"]
    assert asked("b") == ["done", "a"]
