"""`Each`, `Rest` and the reading of rolls: resolution, odds, and what is not allowed."""

from __future__ import annotations

from fractions import Fraction
from operator import add

import pytest

from enfilade.rules.battle.memo import per_token
from enfilade.rules.dice import D6, SeededDice, numbered
from enfilade.rules.exact.plain import expanded_act
from enfilade.rules.odds import Allowance, odds
from enfilade.rules.procedures import Call, Each, ProcedureError, Rest, Roll, Settled, set_track
from enfilade.rules.resolve import Answers, resolve
from enfilade.scene.events import DiceRolled
from enfilade.scene.model import Grid, Scene, Side, Token

COIN = numbered(2)


def board(count=3):
    tokens = tuple(Token(id=f"t{i}", name="", side="red", at=(i, 0), tracks={"hp": 5}) for i in range(count))
    return Scene(ruleset="", grid=Grid("square", 9, 9), sides=(Side(id="red", name="Red"),), tokens=tokens)


def blast(scene):
    damage = yield Roll("damage", D6, 2, sum)
    _, fallen = yield Each(("t0", "t1", "t2"), burn, (damage,), 0, add)
    return fallen


def burn(scene, one, damage):
    (face,) = yield Roll("save", COIN)
    left = max(0, scene.token(one).track("hp") - damage // face)
    yield set_track(scene, one, "hp", left)
    return left == 0


def test_a_roll_is_answered_by_what_reads_it_and_the_log_has_the_faces():
    done = resolve(board(), blast, (), Answers(faces=[2, 5, 1, 2, 1]))
    assert [event.faces for event in done.events if isinstance(event, DiceRolled)] == [
        (2, 5),
        (1,),
        (2,),
        (1,),
    ]
    assert done.result == 2
    assert [one.track("hp") for one in done.scene.tokens] == [0, 2, 0]


def test_the_odds_of_a_loop_count_the_results_together():
    found = odds(board(), blast, ())
    damage = {total: Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}
    all_fall = sum(p for total, p in damage.items() if total >= 10) + sum(
        p * Fraction(1, 8) for total, p in damage.items() if 5 <= total < 10
    )
    assert found.chances[3] == all_fall
    assert sum(found.chances.values()) == 1


def test_a_wide_loop_costs_as_much_as_its_items():
    def wide(scene):
        _, fallen = yield Each(tuple(f"t{i}" for i in range(40)), burn, (5,), 0, add)
        return fallen

    found = odds(board(40), wide, ())
    assert found.chances[40] == Fraction(1, 2**40)
    assert (
        found.cost.runs == 1 + 40 * 3 + 41
    )  # the act, three for each item, and one for each number of fallen


def test_odds_run_the_items_that_hold_less_and_resolutions_the_items_themselves():
    def act(scene, is_short):
        damage = yield Roll("damage", D6, 2, sum)
        items = tuple((one, damage) for one in ("t0", "t1", "t2"))
        less = tuple((one, min(damage, 10)) for one, damage in items) if is_short else None
        _, fallen = yield Each(items, burn_item, (), 0, add, less)
        return fallen

    def burn_item(scene, item):
        noted.append(item[1])
        return (yield from burn(scene, *item))

    noted = []
    assert resolve(board(), act, (True,), Answers(faces=[6, 6, 1, 1, 1])).result == 3
    assert set(noted) == {12}
    noted.clear()
    short, plain = odds(board(), act, (True,)), odds(board(), act, (False,))
    assert short.chances == plain.chances
    assert short.cost.runs == plain.cost.runs - 2 * 3 * 3  # 11 and 12 are 10: three runs for each of three
    assert max(noted) == 12


def test_the_rest_of_an_act_is_its_result():
    def act(scene):
        scene = yield set_track(scene, "t0", "hp", 1)
        return (yield Rest(rest, (2,)))

    def rest(scene, more):
        (face,) = yield Roll("last", COIN)
        return scene.token("t0").track("hp") + more + face

    assert resolve(board(), act, (), Answers(dice=SeededDice(1))).result in (4, 5)
    assert odds(board(), act, ()).chances == {4: Fraction(1, 2), 5: Fraction(1, 2)}


def test_an_item_may_not_settle():
    def item(scene, one):
        yield Settled(1)
        return 1

    def act(scene):
        yield Each(("t0",), item)

    with pytest.raises(ProcedureError, match="may not settle"):
        resolve(board(), act, (), Answers())
    with pytest.raises(ProcedureError, match="may not settle"):
        odds(board(), act, ())


def test_a_callee_may_not_run_a_loop_that_changes_the_scene():
    def callee():
        yield Each((), burn)

    def act(scene):
        yield Call(callee)

    with pytest.raises(ProcedureError):
        resolve(board(), act, (), Answers())
    with pytest.raises(ProcedureError):
        odds(board(), act, ())


def test_what_reads_a_dropped_token_later_gets_it():
    def act(scene):
        scene, _ = yield Each(("t0", "t1", "t2"), burn, (5,))
        return sum(one.track("hp") == 0 for one in scene.tokens)

    assert odds(board(), act, ()).chances[3] == Fraction(1, 8)


def strike_back(scene, one, die):
    (face,) = yield Roll("strike", die)
    (back,) = yield Roll("back", COIN)
    for name, wounds in ((one, face - 1), ("t0", back - 1)):
        if wounds:
            scene = yield set_track(scene, name, "hp", max(3, scene.token(name).track("hp") - wounds))


def sweep(scene, die):
    """Each token but the first is struck twice and strikes back at the first."""
    order = tuple(one.id for one in scene.tokens[1:])
    scene, _ = yield Each(order, strike_back, (die,))
    scene, _ = yield Each(order, strike_back, (die,))
    return scene.token("t0").track("hp"), scene.token("t1").track("hp")


@pytest.mark.parametrize(("count", "faces"), [(3, 3), (4, 2), (5, 3)])
def test_a_token_that_each_item_changes_stays_joint_with_what_it_did(count, faces):
    asked = (numbered(faces),)
    found = odds(board(count), sweep, asked)
    assert sum(found.chances.values()) == 1
    assert not found.cost.is_expanded
    if count < 5:  # a plain loop runs once for all faces of all dice
        assert (
            found.chances == odds(board(count), expanded_act(sweep), asked, 10**7, Allowance(10**9)).chances
        )


@per_token
def points_of(token):
    """Return a value that reads a token, kept by the engine."""
    return token.track("hp")


def flood(scene):
    damage = yield Roll("damage", D6, 4, sum)
    _, lost = yield Each(("t0", "t1", "t2"), drench, (damage,), 0, add)
    return lost % 2


def drench(scene, one, damage):
    (face,) = yield Roll("save", COIN)
    left = max(0, points_of(scene.token(one)) - damage // face)
    yield set_track(scene, one, "hp", left)
    return face


def test_items_that_read_tokens_through_the_engines_memory_are_kept():
    found = odds(board(), flood, ())
    assert found.chances == odds(board(), expanded_act(flood), ()).chances
    # For each of 21 damages each of three items runs three times, also if the sum of those before it differs.
    assert found.cost.runs == 1 + 21 * (3 * 3 + 5)
