"""The shipped suite: passed by every ruleset, the page's example too, and failed by a broken one."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from msgspec import structs
from tests.example import EXAMPLE, FIRST_BLOOD, guide

from enfilade.errors import IllegalAct
from enfilade.rules.conformance import check_conformance, check_preview, positions
from enfilade.rules.kit.offers import offers_from
from enfilade.rules.procedures import Change, Outcome
from enfilade.rules.registry import load_rulesets
from enfilade.rules.ruleset import ActKind, Blocker, Engagement, PathStep, Provocation, Sight
from enfilade.rulesets import BUILT_IN
from enfilade.rulesets.coup_de_grace.offers import aims
from enfilade.scene.events import TABLE, Explained, TrackSet


def test_the_game_of_the_guide_conforms():
    guide().test_it_conforms()


def test_the_example_that_writes_every_part_itself_conforms():
    check_conformance(FIRST_BLOOD)


@pytest.mark.parametrize("ruleset", load_rulesets(BUILT_IN).values(), ids=lambda ruleset: ruleset.key)
def test_every_ruleset_conforms(ruleset):
    # test_random_games.py plays these games and more; test_previews_equal_resolutions.py compares previews.
    check_conformance(ruleset, games=1, previews=1)


def with_pass(pass_turn):
    return replace(FIRST_BLOOD, acts={**FIRST_BLOOD.acts, "pass": ActKind("Pass", pass_turn)})


def undeclared(scene, act):
    yield Change(Explained(kind="pass", facts={"token": act.token}))
    yield Change(TrackSet(holder=TABLE, track="luck", value=1, was=scene.tracks.get("luck")))
    return Outcome("passed")


def forgetful(scene, act):
    yield Change(Explained(kind="pass", facts={"token": act.token}))
    yield Change(TrackSet(holder=TABLE, track="round", value=scene.track("round", 1) + 1, was=77))
    return Outcome("passed")


def silent(scene, act):
    yield from ()
    return Outcome("passed")


def no_outcome(scene, act):
    yield Change(Explained(kind="pass", facts={"token": act.token}))


def crashing(scene, act):
    yield Change(Explained(kind="pass", facts={"token": scene.token(act.token).nothing}))


BEFORE_THE_RESOLUTIONS = 3
"""How often the odds meet a miss of one die: once for each of its faces 1, 2 and 3."""


def blind_for_no_reason(scene, viewer, target):
    return Sight(is_seen=False)


def stopped_by_nothing(scene, viewer, target):
    return Sight(is_seen=False, why="A tree.", blocker=Blocker("terrain", "tree"))


def provoked_allies(scene, token):
    allies = [one for one in scene.on_board() if one.id != token.id and scene.are_allies(one, token)]
    return tuple(Provocation(one.id, "strike") for one in allies)


def past_allies(scene, token):
    found = FIRST_BLOOD.reach(scene, token)
    return found and structs.replace(found, provocations=provoked_allies(scene, token))


def stepping_past_allies(scene, token, path, facing):
    ruling = FIRST_BLOOD.judge(scene, token, path, facing)
    return structs.replace(ruling, steps=(PathStep(path[-1], "walk", 1, provoked_allies(scene, token)),))


def engaged_with_itself(scene):
    return [Engagement((token.id, token.id), "") for token in scene.on_board()][:1]


def no_luck(scene, act):
    return IllegalAct("No luck today.", "FB-1")


def with_a_quick_answer(refusal):
    """Return the first game of ours whose strikes have another quick answer than their procedure."""
    game = BUILT_IN[0]
    acts = {**game.acts, "melee": game.acts["melee"]._replace(refusal=refusal, refusal_now=None)}
    return replace(game, acts=acts, offers=offers_from(acts, aims))


BROKEN = [
    (with_a_quick_answer(no_luck), "is not offered .* and goes through|for two reasons"),
    (with_pass(undeclared), "Tracks {'luck'} are not declared"),
    (with_pass(forgetful), "leaves something behind"),
    (with_pass(silent), "leaves nothing for the log"),
    (with_pass(no_outcome), "no Outcome"),
    (with_pass(crashing), "AttributeError"),
    (
        replace(FIRST_BLOOD, outlook=replace(FIRST_BLOOD.outlook, may_move=lambda *_: False)),
        "outlook is wrong that .* may move",
    ),
    (
        replace(BUILT_IN[0], outlook=replace(BUILT_IN[0].outlook, has_near=lambda *_: False)),
        "finds no enemy near to .*, and it may attack",
    ),
    (replace(FIRST_BLOOD, narrate=lambda *_: "hm"), "The log says 'hm'"),
    (replace(FIRST_BLOOD, card=lambda *_: ()), "has no card"),
    (replace(FIRST_BLOOD, offers=lambda *_: ()), "Nobody may do anything|not over after"),
    (replace(FIRST_BLOOD, reach=lambda *_: None), "out of its reach"),
    (replace(FIRST_BLOOD, sight=blind_for_no_reason), "not seen, for no reason"),
    (replace(FIRST_BLOOD, sight=stopped_by_nothing), "What stops a line is not there"),
    (replace(FIRST_BLOOD, reach=past_allies), "whom its moves may not provoke"),
    (replace(FIRST_BLOOD, judge=stepping_past_allies), "provokes .*, whom its moves may not"),
    (replace(FIRST_BLOOD, engagements=engaged_with_itself), "the layer is not offered"),
    (replace(FIRST_BLOOD, engagements=engaged_with_itself, layers=("engagement",)), "engaged and allies"),
    (replace(FIRST_BLOOD, conditions={}), "Conditions .* are not declared"),
]


@pytest.mark.parametrize(("ruleset", "message"), BROKEN, ids=[message[:20] for _, message in BROKEN])
def test_the_suite_names_each_failure(ruleset, message):
    with pytest.raises(AssertionError, match=message):
        check_conformance(ruleset)


def test_a_game_says_whom_besides_enemies_a_move_may_provoke():
    check_conformance(replace(FIRST_BLOOD, reach=past_allies, may_provoke=lambda *_: True))


def test_the_suite_finds_odds_that_differ_from_the_resolver():
    runs = itertools.count()

    def drifting(scene, act):
        yield Change(Explained(kind="strike", facts={"token": act.token, "target": act.target}))
        is_hit = yield from EXAMPLE.hit("blue", False)
        return Outcome("hit" if is_hit or next(runs) < BEFORE_THE_RESOLUTIONS else "miss")

    broken = replace(FIRST_BLOOD, acts={**FIRST_BLOOD.acts, "strike": ActKind("Strike", drifting)})
    (position,) = positions(FIRST_BLOOD, 1)
    with pytest.raises(AssertionError, match="20000 resolutions"):
        check_preview(broken, position)
