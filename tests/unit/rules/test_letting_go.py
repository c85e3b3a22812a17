"""A walk that is asked for results alone lets go of tokens that nothing reads later; the odds stay."""

from __future__ import annotations

from operator import add

import pytest
from bench.rules.area_acts import blast

from enfilade.rules.dice import numbered
from enfilade.rules.exact import worlds
from enfilade.rules.exact.plain import expanded_act
from enfilade.rules.odds import Allowance, forget, odds
from enfilade.rules.procedures import Act, Each, Outcome, Rest, Roll, set_track

SCENE, ACT = blast(4, 4), Act(kind="", token="wizard", target="g0")
IDS = ("g0", "g1", "g2", "g3")


def hurt(scene, one):
    face = yield Roll("hurt", numbered(3), read=sum)
    yield set_track(scene, one, "hp", max(0, scene.token(one).track("hp") - face))
    return face


def hurt_all(scene, act):
    scene, total = yield Each(IDS, hurt, (), 0, add)
    return Outcome("hit", total, str(scene.token(act.target).track("hp")))


def hurt_all_and_read(scene, act):
    yield Each(IDS, hurt)
    return (yield Rest(read_one, ("g2",)))


def hurt_all_and_read_all(scene, act):
    scene, _ = yield Each(IDS, hurt)
    return Outcome("hit", sum(scene.token(one).track("hp") for one in IDS))


def hurt_twice(scene, act):
    scene, _ = yield Each(IDS, hurt)
    scene, total = yield Each(("g3", "g0"), hurt, (), 0, add)
    return Outcome("hit", total, str(scene.token("g3").track("hp")))


def read_one(scene, one):
    yield Roll("again", numbered(2))
    return Outcome("hit", scene.token(one).track("hp"))


@pytest.mark.parametrize("act", [hurt_all, hurt_all_and_read, hurt_all_and_read_all, hurt_twice])
def test_the_odds_are_those_of_the_loop(act):
    wanted = odds(SCENE, expanded_act(act), (ACT,), 10**6, Allowance(10**7)).chances
    for _ in range(2):  # cold, and with what is kept
        found = odds(SCENE, act, (ACT,))
        assert found.is_exact
        assert not found.cost.is_expanded
        assert found.chances == wanted


def count_of_worlds(act, **more):
    """Return the number of worlds that a walk makes."""
    forget()
    made, sound = [], worlds.World.__init__

    def counting(self, parts, number):
        made.append(number)
        sound(self, parts, number)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(worlds.World, "__init__", counting)
        odds(SCENE, act, (ACT,), **more)
    return len(made)


def test_fewer_worlds_are_made_if_nothing_asks_for_the_aftermath():
    assert count_of_worlds(hurt_all) < count_of_worlds(hurt_all, has_aftermath=True) / 2


def test_the_cost_does_not_depend_on_what_is_kept():
    forget()
    cold = odds(SCENE, hurt_all_and_read, (ACT,)).cost
    odds(SCENE, hurt_all, (ACT,), has_aftermath=True)
    assert odds(SCENE, hurt_all_and_read, (ACT,)).cost == cold


def test_acts_at_other_targets_share_their_worlds_and_keep_their_odds_and_costs():
    asked = [(Act(kind="", token="wizard", target=one), more) for one in IDS for more in (False, True)]
    alone = []
    for act, has_aftermath in asked:
        forget()
        alone.append(odds(SCENE, hurt_twice, (act,), has_aftermath=has_aftermath))
    forget()
    in_turn = [odds(SCENE, hurt_twice, (act,), has_aftermath=more) for act, more in asked]
    assert [(one.chances, one.cost) for one in in_turn] == [(one.chances, one.cost) for one in alone]
    for one, other in zip(in_turn, alone, strict=True):
        if one.aftermath is not None:
            assert [one.aftermath.states(key) for key in IDS] == [other.aftermath.states(key) for key in IDS]
