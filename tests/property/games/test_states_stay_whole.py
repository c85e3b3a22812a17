"""Random games of every game: bodies stay apart, bans are heeded, refusals name a rule, and victory ends all.

`make whole-states N=2000` plays so many games of each; a test run plays a few.
"""

from __future__ import annotations

import os
from importlib import import_module

import pytest

from enfilade.rules.conformance.games import game
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.group_moves import GROUP_MOVE
from enfilade.rules.resolve import refusal
from enfilade.rulesets import GAMES

COUNT = int(os.environ.get("WHOLE_STATES", "3"))
LOOKED_AT = 7
"""Each so many acts of a game, all offers of all tokens are looked at."""


def laws_of(ruleset):
    return import_module(f"enfilade.rulesets.{ruleset.key}.laws").LAWS


@pytest.mark.parametrize("ruleset", GAMES, ids=lambda ruleset: ruleset.key)
def test_random_games_leave_whole_states(ruleset):
    acts = looked = 0
    for seed in range(COUNT):
        for number, played in enumerate(game(ruleset, skirmish(ruleset, seed), seed)):
            acts += 1
            after = played.done.scene
            # What a scene contradicts after an act, it contradicted before: no body moved into another.
            new = ruleset.contradictions(after).keys() - ruleset.contradictions(played.before).keys()
            assert not new, (seed, number, played.act, new)
            heeds_bans(ruleset, played.before, played.act)
            if number % LOOKED_AT == 0 or ruleset.turn(after).is_over:
                looked += offers_are_sound(ruleset, after)
    assert acts > COUNT
    assert looked > 0


def heeds_bans(ruleset, scene, act):
    """Check that no law forbids an act that was played."""
    if act.token and act.kind != GROUP_MOVE:
        law = laws_of(ruleset).refusal(scene, act, ruleset.acts[act.kind].tags)
        assert law is None, (act, law.sentence)


def offers_are_sound(ruleset, scene):
    """Check that refused offers have a sentence and a rule, and legal ones break no law; count them."""
    count, is_over = 0, ruleset.turn(scene).is_over
    for token in scene.tokens:
        for offer in ruleset.offers(scene, token):
            count += 1
            law = laws_of(ruleset).refusal(scene, offer.act, ruleset.acts[offer.act.kind].tags)
            assert offer.is_legal or (offer.why.rstrip()[-1] in ".)" and offer.rule), offer
            assert law is None or not offer.is_legal, offer
            assert not (is_over and offer.is_legal), offer
            if offer.is_legal:
                assert refusal(scene, ruleset.acts[offer.act.kind].procedure, offer.act) is None
    return count
