"""After victory every game refuses every act, and says that the battle is over."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.importers.demo import demo_battle
from enfilade.rules.procedures import Act
from enfilade.rules.registry import load_rulesets
from enfilade.rules.resolve import refusal
from enfilade.rulesets import BUILT_IN

RULESETS = {key: game for key, game in load_rulesets(BUILT_IN).items() if "won" in game.conditions}
"""The games that are won."""
STILL_DONE = {"double_life": {"end", "move", "move_group"}}
"""What follows a victory: a combat of Double Life is ended, and its survivors walk (DBL-046)."""
JUDGED = {"move"}


def won(game, number):
    """The demo battle of a game after its first side has won it, in a round or before the first."""
    scene = demo_battle(RULESETS[game]).scene
    conditions = {**scene.conditions, "won": scene.sides[0].id}
    return replace(scene, conditions=conditions, tracks={**scene.tracks, "round": number})


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("game", sorted(RULESETS))
def test_every_act_is_refused_after_victory_for_that_cause(game, number):
    # Spells, concentration, intents and transformations went on as before.
    scene, ruleset = won(game, number), RULESETS[game]
    one, other = scene.tokens[0], scene.tokens[-1]
    for kind in ruleset.acts.keys() - STILL_DONE.get(game, set()) - JUDGED:
        act = Act(kind=kind, token=one.id, target=other.id, at=one.at)
        refused = refusal(scene, ruleset.acts[kind].procedure, act)
        assert refused is not None, kind
        assert refused.sentence in ("The battle is over.", "The fight is decided; end the combat."), kind
        assert refused.rule


@pytest.mark.parametrize("game", sorted(RULESETS))
def test_nothing_is_offered_after_victory(game):
    scene, ruleset = won(game, 1), RULESETS[game]
    for token in scene.tokens:
        legal = {offer.act.kind for offer in ruleset.offers(scene, token) if offer.is_legal}
        assert legal <= STILL_DONE.get(game, set())


@pytest.mark.parametrize("game", sorted(set(RULESETS) - {"double_life"}))
def test_a_move_after_victory_is_judged_to_be_against_the_rules(game):
    scene, ruleset = won(game, 1), RULESETS[game]
    token = scene.tokens[0]
    x, y = token.at
    ruling = ruleset.judge(scene, token, ((x + 1, y),), None)
    assert not ruling.allowed
    assert any("over" in reason for reason in ruling.reasons)
