"""Runs that offers begin to check their acts, and that the odds of the acts take on."""

from itertools import islice, product

import pytest
from msgspec.structs import replace

from enfilade.errors import IllegalAct
from enfilade.importers.demo import demo_battle
from enfilade.rules.conformance.games import game
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.dice import D6
from enfilade.rules.kit.offers import kept_runs, offer
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act, Call, Change, Outcome, Require, Roll
from enfilade.rules.resolve import refusal
from enfilade.rulesets import BUILT_IN
from enfilade.scene.events import Explained
from enfilade.tactics.previews import previews

ACT = Act(kind="shoot", token="a", target="b")
SCENE = demo_battle(BUILT_IN[0]).scene


def counted():
    """Return a procedure and the list of its starts."""
    starts = []

    def shoot(scene, act):
        starts.append(act)
        yield Require(abs, (1,))
        yield Change(Explained(kind="shot", facts={"token": act.token}))
        yield Require(abs, (2,))
        (first,) = yield Roll("to hit", D6)
        again = yield Call(reroll, (first,))
        return Outcome("hit" if again > 2 else "miss", first)

    return shoot, starts


def reroll(first):
    (face,) = yield Roll("again", D6)
    return min(face, first)


def test_the_odds_take_on_the_run_of_the_offer_once():
    shoot, starts = counted()
    plain = odds(SCENE, shoot, (ACT,))
    in_all = len(starts)
    with kept_runs() as runs:
        assert offer(SCENE, ACT, shoot, "Shoot").is_legal
    starts.clear()
    begun = runs.take(SCENE, shoot, ACT)
    found = odds(SCENE, shoot, (ACT,), begun=begun)
    assert (found.weights, found.total, found.declared) == (plain.weights, plain.total, plain.declared)
    assert found.cost == plain.cost
    assert len(starts) == in_all - 1
    assert runs.take(SCENE, shoot, ACT) is None


def test_a_run_waits_for_the_last_answer_and_is_not_started_anew_for_it():
    shoot, starts = counted()
    found = odds(SCENE, shoot, (ACT,))
    outcomes = 6 + 5 + 4 + 3 + 2 + 1  # first faces, each with the results of the second
    assert len(starts) == outcomes
    assert found.cost.runs == 1 + 6 + outcomes


def test_a_run_on_another_scene_or_of_another_procedure_is_not_taken():
    shoot, _ = counted()
    with kept_runs() as runs:
        offer(SCENE, ACT, shoot, "Shoot")
    assert runs.take(replace(SCENE, name="another"), shoot, ACT) is None
    with kept_runs() as runs:
        offer(SCENE, ACT, shoot, "Shoot")
    assert runs.take(SCENE, counted()[0], ACT) is None


def test_offers_outside_the_block_keep_nothing():
    shoot, _ = counted()
    with kept_runs() as runs:
        pass
    offer(SCENE, ACT, shoot, "Shoot")
    assert runs.take(SCENE, shoot, ACT) is None


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=lambda ruleset: ruleset.key)
def test_previews_are_the_same_with_the_runs_of_the_offers(ruleset):
    scene = demo_battle(ruleset).scene
    for token in scene.on_board():
        with kept_runs() as runs:
            offers = ruleset.offers(scene, token)
        assert previews(ruleset, scene, offers, runs) == previews(ruleset, scene, offers)


def test_the_quick_answer_is_asked_first_and_none_of_it_asks_the_procedure():
    shoot, starts = counted()
    refused = IllegalAct("Out of arrows.", "X-1", "missing")
    found = offer(SCENE, ACT, shoot, "Shoot", quick=lambda *_: refused)
    assert (found.why, found.rule, found.cause) == ("Out of arrows.", "X-1", "missing")
    assert not starts
    assert offer(SCENE, ACT, shoot, "Shoot", quick=lambda *_: None).is_legal
    assert starts == [ACT]


AIMED = {
    "coup_de_grace": ("melee", "ranged"),
    "torn": ("melee", "ranged"),
    "knights_of_valour": ("melee", "ranged", "shove", "grapple"),
    "double_life": ("attack",),
    "miniatures_combat": ("attack", "lunge", "push"),
    "fifth_edition": ("attack", "grapple", "shove", "shove_away", "help"),
}
"""The kinds of act with a quick answer of their own, by game."""


@pytest.mark.parametrize("ruleset", [one for one in BUILT_IN if one.key in AIMED], ids=lambda one: one.key)
def test_quick_answers_are_those_of_the_procedures(ruleset):
    told = 0
    for seed in range(12):
        for played in islice(game(ruleset, skirmish(ruleset, seed), seed), 8):
            scene = played.done.scene
            for kind, one in product(AIMED[ruleset.key], scene.tokens):
                act_kind = ruleset.acts[kind]
                at_once = act_kind.quick_refusal(scene, one.id)
                for other, weapon in product(scene.tokens, (*weapons(one), "no such weapon")):
                    act = Act(kind=kind, token=one.id, target=other.id, weapon=weapon)
                    for quick in (act_kind.refusal(scene, act), at_once and at_once(scene, act)):
                        if quick is not None:
                            slow = refusal(scene, act_kind.procedure, act)
                            assert type(slow) is type(quick)
                            assert (slow.args, slow.rule, slow.cause) == (quick.args, quick.rule, quick.cause)
                            told += 1
    assert told > 500


def weapons(token):
    """Return the names of what a token may attack with, in any of the games."""
    profile = token.profile
    listed = [profile.get(key, ()) for key in ("weapons", "tiles", "attacks", "hands")]
    each = [one for some in listed if not isinstance(some, int) for one in some]
    return [one if isinstance(one, str) else one["name"] for one in each] or [""]
