"""Odds that are broken off: what was explored is the least chance, and the rest may be anything."""

from __future__ import annotations

from operator import add

import pytest
from bench.rules.area_acts import blast, duel
from tests.fixtures.fifth_edition import FIFTH_EDITION

from enfilade.errors import TooSlow
from enfilade.rules.dice import D6
from enfilade.rules.odds import forget, odds
from enfilade.rules.procedures import Act, Each, Outcome, Rest, Roll, set_track
from enfilade.runtime.time_budget import TimeBudget, time_limited

SCENE = blast(4, 3)


class Clock:
    """A clock that moves by a second each time it is read."""

    now = 0.0

    def __call__(self):
        self.now += 1
        return self.now


def broken_off(scene, procedure, asked, seconds, has_bounds=True):
    """Return the odds of an act that gets so many seconds; None if nothing was explored."""
    forget()
    with time_limited(TimeBudget(seconds, rest=lambda: None, clock=Clock())):
        try:
            return odds(scene, procedure, (asked,), has_bounds=has_bounds)
        except TooSlow:
            return None


def broken_off_everywhere(scene, procedure, asked):
    """Yield what is known of an act in more and more time, the last in all that it takes."""
    seconds = 2.0
    while (one := broken_off(scene, procedure, asked, seconds)) is None or not one.is_exact:
        yield from [one] if one else []
        seconds *= 1.25
    for part in range(25):  # at last in small steps: a loop knows nothing before its last item is done
        later = broken_off(scene, procedure, asked, seconds * (0.8 + part / 125))
        yield from [later] if later else []
    yield one


def plain(scene, act):
    faces = yield Roll("two", D6, 2)
    return Outcome("hit" if sum(faces) > 7 else "miss", max(faces))


def in_turn(scene, act):
    hurt = yield Roll("hurt", D6, 2, read=sum)
    return (yield Rest(burn_all, (hurt,)))


def burn_all(scene, hurt):
    _, total = yield Each(("g0", "g1", "g2"), burn, (hurt,), 0, add)
    return (yield Rest(at_last, (total,)))


def at_last(scene, total):
    faces = yield Roll("last", D6)
    hp = scene.token("g0").track("hp")
    return Outcome("hit" if faces[0] > 3 else "miss", hp, str(total))


def burn(scene, one, hurt):
    (face,) = yield Roll("save", D6)
    yield set_track(scene, one, "hp", max(0, scene.token(one).track("hp") - hurt // face))
    return hurt // face


CASES = {
    "a plain act": (SCENE, plain, Act(kind="", token="wizard", target="g0")),
    "a loop between rests": (SCENE, in_turn, Act(kind="", token="wizard", target="g0")),
    "a fireball": (
        SCENE,
        FIFTH_EDITION.acts["fireball"].procedure,
        Act(kind="fireball", token="wizard", target="g0"),
    ),
    "a multiattack": (
        duel(),
        FIFTH_EDITION.acts["multiattack"].procedure,
        Act(kind="multiattack", token="hero", target="ogre"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_chances_lie_within_the_bounds_wherever_an_act_is_broken_off(case):
    scene, procedure, asked = CASES[case]
    exact = odds(scene, procedure, (asked,))
    assert exact.is_exact
    known = list(broken_off_everywhere(scene, procedure, asked))
    assert known[-1].chances == exact.chances
    for one in known:
        assert sum(one.weights.values()) + one.unknown == one.total
        for result, chance in exact.chances.items():
            least = one.chances.get(result, 0)
            assert least <= chance <= least + one.slack
        assert set(one.chances) <= set(exact.chances)
    found = [one for one in known if not one.is_exact]
    assert found, "It was never broken off with something known."
    assert found[-1].slack < found[0].slack or len(found) == 1


def test_the_likeliest_is_explored_first():
    """In half of the time that all sums of 8d6 take, those that hold most of the weight."""
    scene, asked = blast(8, 2), Act(kind="fireball", token="wizard", target="g0")
    procedure, seconds = FIFTH_EDITION.acts["fireball"].procedure, 50.0
    while (one := broken_off(scene, procedure, asked, seconds)) is None or not one.is_exact:
        seconds *= 1.1
    assert broken_off(scene, procedure, asked, seconds / 2).slack < 0.25


def test_without_bounds_an_act_that_is_broken_off_has_no_odds():
    scene, procedure, asked = CASES["a plain act"]
    seconds = next(t for t in range(2, 500) if broken_off(scene, procedure, asked, t))
    forget()
    with (
        time_limited(TimeBudget(seconds, rest=lambda: None, clock=Clock())),
        pytest.raises(TooSlow),
    ):
        odds(scene, procedure, (asked,))
