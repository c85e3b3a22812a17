"""Rounds, initiative, ties and actions (KOV-023 to KOV-032)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.importers.demo import demo_battle
from enfilade.rules.procedures import Choose, ChooseAll
from enfilade.rules.resolve import Answers, ChoicePending, resolve
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.knights_of_valour.turn import start_round
from enfilade.scene.events import ChoiceMade
from enfilade.scene.model import Side
from tests.unit.rulesets.knights_of_valour.scenes import (
    act,
    announce,
    dice,
    do,
    facts,
    go,
    hero,
    in_round,
    melee,
    monster,
    questions,
    refused,
    scene,
    text_of,
    with_condition,
)

ROUND = act("round", "")
BLUE, RED, GREEN = (Side(id=name.lower(), name=name) for name in ("Blue", "Red", "Green"))


def started(*tokens, decisions=(), **more):
    return do(scene(*tokens, **more), ROUND, decisions=decisions)


def order(done):
    (found,) = facts(done, "round")
    return [one["token"] for one in found["order"]]


def turn(board):
    return KNIGHTS_OF_VALOUR.turn(board)


def first_questions(board, *decisions):
    try:
        resolve(board, start_round, (ROUND,), Answers(automatic=(), decisions=decisions))
    except ChoicePending as pending:
        return pending.choice.choices
    raise AssertionError("A choice is expected.")


def a_round(*names):
    """A battlefield in a round with creatures in the order of their names."""
    tokens = [monster(n) if n.startswith("m") else hero(n) for n in names]
    return in_round(scene(*(replace(t, at=(3 * i, 3)) for i, t in enumerate(tokens, 1))), *names)


@pytest.mark.rule("KOV-023")
def test_combat_goes_round_by_round():
    done = started(hero("aldis", agility=1), monster("orc"))
    assert done.scene.track("round") == 1
    assert turn(done.scene).round == 1
    after = do(do(done.scene, act("end", "aldis")).scene, act("end", "orc")).scene
    assert turn(after).token == ""
    second = do(after, ROUND)
    assert second.scene.track("round") == 2
    assert facts(second, "round")[0]["round"] == 2


@pytest.mark.rule("KOV-023", "KOV-024")
def test_a_round_starts_only_when_the_last_is_over_and_not_after_the_battle():
    board = a_round("aldis", "m")
    assert refused(board, ROUND) == "KOV-024"
    over = replace(board, conditions={"won": "heroes"})
    assert refused(over, ROUND) == "KOV-023"
    assert refused(scene(), ROUND) == "KOV-024"


@pytest.mark.rule("KOV-024")
def test_the_game_master_alone_starts_a_round():
    assert [kind for kind, act in KNIGHTS_OF_VALOUR.acts.items() if act.is_gm_only] == ["round"]


def test_each_creature_takes_one_turn_in_a_round():
    board, taken = a_round("aldis", "m1", "bran"), []
    while turn(board).token:
        taken.append(turn(board).token)
        board = do(board, act("end", taken[-1])).scene
    assert taken == ["aldis", "m1", "bran"]
    assert refused(board, act("end", "aldis")) == "KOV-027"


@pytest.mark.rule("KOV-024")
def test_a_creature_that_enters_in_a_round_waits_for_the_next():
    board = a_round("aldis", "m1")
    late = KNIGHTS_OF_VALOUR.prepare_token(monster("late", (9, 9), agility=5))
    board = replace(board, tokens=(*board.tokens, late))
    assert turn(board).token == "aldis"
    after = do(do(board, act("end", "aldis")).scene, act("end", "m1")).scene
    assert order(do(after, ROUND))[0] == "late"


@pytest.mark.rule("KOV-024")
def test_a_defeated_creature_has_no_turn():
    board = with_condition(a_round("aldis", "m1", "m2"), "m1", "out")
    assert turn(do(board, act("end", "aldis")).scene).token == "m2"
    assert refused(with_condition(board, "aldis", "out"), act("end", "aldis")) == "KOV-024"


@pytest.mark.rule("KOV-026", "KOV-027")
def test_turns_go_in_descending_agility():
    done = started(
        hero("a", agility=1), hero("b", agility=2), monster("m", agility=3), monster("n", agility=-2)
    )
    assert order(done) == ["m", "b", "a", "n"]
    initiatives = {token.id: token.tracks["initiative"] for token in done.scene.tokens}
    assert initiatives == {"a": 1, "b": 2, "m": 3, "n": -2}
    assert {token.id: token.tracks["order"] for token in done.scene.tokens} == {
        "m": 1,
        "b": 2,
        "a": 3,
        "n": 4,
    }
    assert turn(done.scene).token == "m"
    assert turn(done.scene).sides == ("monsters",)
    assert "M" in done.result.leaves


@pytest.mark.rule("KOV-027")
def test_only_the_creature_whose_turn_it_is_may_act():
    board = scene(hero("aldis", (3, 3)), monster("orc", (4, 3)))
    assert refused(board, melee("orc", "aldis", "Dagger")) == ""
    board = in_round(board, "aldis", "orc")
    assert refused(board, melee("orc", "aldis", "Dagger")) == "KOV-027"
    assert refused(board, melee("aldis", "orc")) == ""
    assert refused(board, act("end", "orc")) == "KOV-027"


@pytest.mark.rule("KOV-028")
def test_a_player_may_lower_initiative_by_any_amount_for_the_round():
    tokens = (hero("a", agility=3), hero("b", agility=2), monster("m", agility=1))
    done = started(*tokens, decisions=("someone", "2"))
    assert order(done) == ["b", "a", "m"]
    assert done.scene.token("a").tracks["initiative"] == 1
    assert facts(done, "round")[0]["order"][1] == {"token": "a", "initiative": 1, "lowered": 2}
    assert order(started(*tokens, decisions=("someone", "3"))) == ["b", "m", "a"]
    board = done.scene
    for token in ("b", "a", "m"):
        board = do(board, act("end", token)).scene
    assert order(do(board, ROUND)) == ["a", "b", "m"]


@pytest.mark.rule("KOV-028")
def test_one_question_asks_a_side_whether_anyone_lowers_before_each_player_is_asked_by_how_much():
    tokens = (hero("a", agility=3), hero("b", agility=2), monster("m", agility=2))
    (asked,) = first_questions(scene(*tokens))
    assert (asked.side, asked.token, asked.default) == ("heroes", "", "no one")
    assert asked.question == "Does anyone of Heroes lower initiative for this round?"
    assert [answer.label for answer in asked.answers] == ["No one", "Someone does"]
    assert [answer for _, answer in questions(started(*tokens))] == ["no one"]
    first, second = first_questions(scene(*tokens), "someone")
    assert (first.side, first.token, first.default) == ("heroes", "a", "0")
    assert first.answers[1].label == "By 1, to 2"
    assert second.token == "b"
    done = started(*tokens, decisions=("someone", "1", "1"))
    assert [answer for _, answer in questions(done)] == ["someone", "1", "1"]
    assert order(done) == ["a", "m", "b"]
    assert order(started(*tokens, decisions=("someone", "0", "1"))) == ["a", "m", "b"]


@pytest.mark.rule("KOV-028")
def test_players_lower_by_any_amount_with_a_place_for_each_below_the_lowest_stat():
    (asked,) = first_questions(scene(hero("a", agility=0), monster("m", agility=-5)))
    assert asked.token == "a"
    assert [answer.key for answer in asked.answers] == [str(amount) for amount in range(7)]
    tokens = (hero("a"), hero("b"), monster("m", agility=-5))
    first, _ = first_questions(scene(*tokens), "someone")
    assert first.answers[-1].label == "By 7, to -7"
    assert order(started(*tokens, decisions=("someone", "7", "6"))) == ["m", "b", "a"]


@pytest.mark.rule("KOV-028")
def test_each_side_with_players_is_asked_on_its_own_and_hidden_creatures_change_no_question():
    blue, red = Side(id="blue", name="Blue"), Side(id="red", name="Red")
    tokens = [
        hero(name, side=side) for name, side in zip("abcd", ("blue", "blue", "red", "red"), strict=True)
    ]
    board = scene(*tokens, sides=(blue, red))
    assert [one.side for one in first_questions(board)] == ["blue", "red"]
    assert [one.token for one in first_questions(board, "no one", "someone")] == ["c", "d"]
    spy = replace(hero("spy", agility=-4, side="red"), hidden=True)
    lonely = scene(tokens[0], tokens[2], spy, sides=(blue, red))
    asked = first_questions(lonely)
    assert [one.token for one in asked] == ["a", "c", "spy"]
    assert asked[:2] == first_questions(scene(tokens[0], tokens[2], sides=(blue, red)))


@pytest.mark.rule("KOV-029")
def test_a_player_goes_before_a_monster_with_the_same_initiative():
    assert order(started(monster("a", agility=1), hero("z", agility=1))) == ["z", "a"]


@pytest.mark.rule("KOV-029")
def test_a_player_who_lowers_to_a_monster_still_goes_first():
    tokens = (monster("a", agility=1), hero("z", agility=2))
    assert order(started(*tokens, decisions=("1",))) == ["z", "a"]


@pytest.mark.rule("KOV-030")
def test_players_with_the_same_initiative_agree_their_order_by_one_answer():
    tokens = (hero("a", agility=1), hero("b", agility=1), hero("c", agility=1), monster("m"))
    assert order(started(*tokens)) == ["a", "b", "c", "m"]
    done = started(*tokens, decisions=("another order", "c,b,a"))
    assert order(done) == ["c", "b", "a", "m"]
    assert questions(done)[1:] == [("In which order do the creatures with initiative 1 act?", "c,b,a")]
    two = started(*tokens[:2], decisions=("another order", "b"))
    assert order(two) == ["b", "a"]
    assert questions(two)[1:] == [("Which of the creatures with initiative 1 goes first?", "b")]


@pytest.mark.rule("KOV-028", "KOV-030")
def test_who_lowers_nothing_agrees_the_order_of_all_ties_by_the_same_question():
    """One question opens the round: both ties of the side are named in it, with their order."""
    tokens = (hero("a", agility=1), hero("b", agility=2), hero("c", agility=1), hero("d", agility=2))
    spy = replace(hero("spy", agility=2), hidden=True)
    asked = first_questions(scene(*tokens, spy, hero("e", agility=5), monster("m")))[0]
    assert [answer.label for answer in asked.answers] == [
        "No one; equals in this order: B, D; A, C",
        "No one; equals in another order",
        "Someone does",
    ]
    assert [answer.tokens for answer in asked.answers] == [("b", "d", "a", "c"), (), ()]
    done = started(*tokens, monster("m"))
    assert [answer for _, answer in questions(done)] == ["no one"]
    assert order(done) == ["b", "d", "a", "c", "m"]
    other = started(*tokens, monster("m"), decisions=("another order", "d", "c"))
    assert [answer for _, answer in questions(other)] == ["another order", "d", "c"]
    assert order(other) == ["d", "b", "c", "a", "m"]


def test_the_demo_battle_reaches_its_first_turn_by_one_question():
    board = demo_battle(KNIGHTS_OF_VALOUR).scene
    (asked,) = first_questions(board)
    assert asked.answers[0].label == "No one; equals in this order: Wren, Bran; Aldis, Mirel, Ilvane"
    done = do(board, ROUND, decisions=("no one",))
    assert [answer for _, answer in questions(done)] == ["no one"]
    assert order(done)[:3] == ["pip", "wolf", "wren"]


@pytest.mark.rule("KOV-030")
def test_a_tie_that_the_answer_of_a_side_did_not_name_is_asked():
    """Ties between two sides, and with one who lowered initiative, are not in a side's own question."""
    allies = tuple(Side(id=name.lower(), name=name, team="one") for name in ("Blue", "Red"))
    tokens = (hero("a", side="blue"), hero("b", side="blue"), hero("c", side="red"))
    done = do(scene(*tokens, sides=allies), ROUND, decisions=("no one", "0", "c,b,a"))
    assert order(done) == ["c", "b", "a"]
    hostile = do(scene(*tokens, sides=(BLUE, RED)), ROUND, (2,), ("no one", "0", "a,b,c", "c,a,b"))
    assert order(hostile) == ["c", "a", "b"]
    lowered = (hero("a", agility=1), hero("b", agility=2), monster("m"))
    assert order(started(*lowered, decisions=("someone", "0", "1", "b"))) == ["b", "a", "m"]


@pytest.mark.rule("KOV-030")
def test_a_hidden_creature_that_ties_with_enemies_goes_last_and_is_in_no_question():
    spy = replace(hero("spy", side="red"), hidden=True)
    tokens = (spy, hero("a", side="blue"), hero("b", side="blue"))
    done = do(scene(*tokens, sides=(BLUE, RED)), ROUND, decisions=("another order", "0", "b"))
    assert order(done) == ["b", "a", "spy"]
    assert [question for question, _ in questions(done)][2:] == [
        "Which of the creatures with initiative 0 goes first?"
    ]
    # Its own side knows it.
    own = (replace(spy, side="blue"), *tokens[1:])
    done = do(scene(*own, sides=(BLUE, RED)), ROUND, decisions=("another order", "0", "b,spy,a"))
    assert order(done) == ["b", "spy", "a"]


@pytest.mark.rule("KOV-030")
def test_of_more_than_four_tied_players_the_first_is_asked_before_the_order_of_the_rest():
    tokens = [hero(name) for name in "abcde"]
    done = started(*tokens, decisions=("another order", "e", "d,c,b,a"))
    assert order(done) == ["e", "d", "c", "b", "a"]
    assert [answer for _, answer in questions(done)] == ["another order", "e", "d,c,b,a"]


@pytest.mark.rule("KOV-031")
@pytest.mark.parametrize("is_move_first", [True, False])
def test_a_turn_has_one_move_and_one_combat_action_in_any_order(is_move_first):
    board = in_round(scene(hero("aldis", (3, 3)), monster("orc", (4, 4), hands=[])), "aldis")
    move, strike = go("aldis", 3, 4), melee("aldis", "orc")
    for asked in (move, strike) if is_move_first else (strike, move):
        assert refused(board, asked) == ""
        board = do(board, asked, (2,) if asked is strike else ()).scene
    token = board.token("aldis")
    assert (token.tracks["moves used"], token.tracks["combat actions used"]) == (1, 1)
    assert refused(board, strike) == "KOV-031"
    ruling = KNIGHTS_OF_VALOUR.judge(board, token, ((3, 3),), None)
    assert (ruling.allowed, ruling.reasons) == (False, ("Aldis has used its Move Action (KOV-031).",))
    assert KNIGHTS_OF_VALOUR.reach(board, token).cells == ((3, 4, 0),)


@pytest.mark.rule("KOV-032")
def test_extra_actions_of_buffs_are_used_in_any_order():
    buffs = [{"name": "Haste", "kind": "move action"}, {"name": "Fury", "kind": "combat action"}]
    board = in_round(scene(hero("aldis", (3, 3), buffs=buffs), monster("orc", (4, 4), hands=[])), "aldis")
    for asked in (melee("aldis", "orc"), go("aldis", 3, 4), melee("aldis", "orc"), go("aldis", 4, 3)):
        assert refused(board, asked) == ""
        board = do(board, asked, (2,) if asked.kind == "melee" else ()).scene
    assert board.token("aldis").at == (4, 3)
    assert refused(board, melee("aldis", "orc")) == "KOV-031"
    assert not KNIGHTS_OF_VALOUR.judge(board, board.token("aldis"), ((3, 3),), None).allowed


def test_before_the_first_round_nothing_is_spent():
    board = scene(hero("aldis", (3, 3)), monster("orc", (4, 3)))
    after = do(board, melee("aldis", "orc"), (2,)).scene
    assert "combat actions used" not in after.token("aldis").tracks
    assert refused(after, melee("aldis", "orc")) == ""
    assert refused(board, act("end", "aldis")) == "KOV-023"
    assert turn(board).token == ""


@pytest.mark.rule("KOV-025")
def test_players_announce_their_intent_at_the_start_of_a_round():
    board = a_round("aldis", "bran", "m1")
    done = do(board, announce("bran", " I hold the gate "))
    assert done.scene.token("bran").conditions["intent"] == "I hold the gate"
    assert facts(done, "intent") == [{"token": "bran", "intent": "I hold the gate"}]
    assert do(board, act("intent", "bran")).scene.token("bran").conditions["intent"] == "ready for anything"
    assert refused(board, act("intent", "m1")) == "KOV-025"
    assert refused(scene(hero("a")), act("intent", "a")) == "KOV-025"
    assert refused(with_condition(board, "bran", "out"), act("intent", "bran")) == "KOV-025"


@pytest.mark.rule("KOV-025")
@pytest.mark.parametrize("asked", [act("end", "aldis"), go("aldis", 3, 4), act("search", "aldis")])
def test_no_intent_is_announced_once_a_creature_has_acted(asked):
    board = a_round("aldis", "bran")
    assert refused(board, act("intent", "bran")) == ""
    assert refused(do(board, asked).scene, act("intent", "bran")) == "KOV-025"


def test_a_new_round_clears_what_the_last_one_left():
    board = a_round("aldis", "m1")
    board = do(board, announce("aldis", "wait")).scene
    board = do(board, act("search", "aldis")).scene
    board = do(board, go("aldis", 3, 5)).scene
    for token in ("aldis", "m1"):
        board = do(board, act("end", token)).scene
    board = with_condition(board, "m1", "free attack")
    assert board.token("aldis").has("acted")
    fresh = do(board, ROUND).scene
    assert fresh.token("aldis").conditions == {}
    assert fresh.token("m1").conditions == {}
    assert set(fresh.token("aldis").tracks) == {"points", "initiative", "order"}


def test_the_battle_is_over_when_one_team_is_left_or_none():
    board = replace(a_round("aldis", "m1"), conditions={"won": "heroes"})
    assert (turn(board).is_over, turn(board).winners) == (True, ("heroes",))
    assert refused(board, act("end", "aldis")) == "KOV-023"
    none = with_condition(with_condition(a_round("aldis", "m1"), "aldis", "out"), "m1", "out")
    assert (turn(none).is_over, turn(none).winners) == (True, ())
    assert not turn(a_round("aldis", "m1")).is_over
    assert not turn(scene()).is_over


@pytest.mark.rule("KOV-030")
def test_a_tie_between_hostile_sides_is_asked_of_both_and_allies_are_asked_once():
    tokens = (hero("a", side="red", agility=2), hero("b", side="blue", agility=2), hero("c", side="blue"))
    board = scene(*tokens, sides=(BLUE, RED))
    done = do(board, ROUND, decisions=("no one", "0", "b", "b"))
    asked = [e for e in done.events if isinstance(e, ChoiceMade) and "goes first" in e.question]
    assert [(one.side, one.answer) for one in asked] == [("red", "b"), ("blue", "b")]
    assert order(done) == ["b", "a", "c"]
    allies = tuple(replace(side, team="one") for side in (BLUE, RED))
    done = do(replace(board, sides=allies), ROUND)
    asked = [e for e in done.events if isinstance(e, ChoiceMade) and "goes first" in e.question]
    assert [(one.side, one.answer) for one in asked] == [("red", "a")]
    assert order(done) == ["a", "b", "c"]


@pytest.mark.rule("KOV-030")
def test_one_team_is_asked_by_a_plain_choice_and_hostile_teams_at_the_same_time():
    one = scene(hero("a"), hero("b"))
    two = scene(hero("a", side="red"), hero("b", side="blue"), sides=(BLUE, RED))
    for board, given, kind in ((one, ("another order",), Choose), (two, ("0", "0"), ChooseAll)):
        with pytest.raises(ChoicePending) as waiting:
            resolve(board, start_round, (ROUND,), Answers(automatic=(), decisions=given))
        assert isinstance(waiting.value.choice, kind)


@pytest.mark.rule("KOV-030")
@pytest.mark.parametrize(
    ("face", "first"), [(1, ["a", "b", "c"]), (2, ["b", "a", "c"]), (3, ["c", "a", "b"])]
)
def test_c28_a_die_decides_between_hostile_sides_that_differ(face, first):
    tokens = (hero("a", side="red"), hero("b", side="blue"), hero("c", side="green"))
    board = scene(*tokens, sides=(BLUE, RED, GREEN))
    decisions = ("0", "0", "0", "a,b,c", "b,a,c", "c,a,b")
    done = do(board, ROUND, (face,), decisions)
    assert order(done) == first
    assert dice(done) == [("tied initiative", "d3", [face])]
    assert f"The die lets {('Red', 'Blue', 'Green')[face - 1]} decide the order." in text_of(board, done)
    by_entry = replace(board, house_rules={"knights_of_valour.hostile_ties": "first in order of entry"})
    assert order(do(by_entry, ROUND, decisions=decisions)) == ["a", "b", "c"]
