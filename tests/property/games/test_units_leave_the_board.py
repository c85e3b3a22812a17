"""A game master may take any unit off the board and put it back: no act of another fails for it."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace
from tests.seeds import seeds

from enfilade.errors import EnfiladeError
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.dice import SeededDice
from enfilade.rules.procedures import Act
from enfilade.rules.registry import MOVE
from enfilade.rules.resolve import Answers, resolve
from enfilade.rulesets import BUILT_IN
from enfilade.tactics.overlays import overlay

SEEDS = seeds(60)
STEPS = 40
SIDE = 6
"""The columns and rows of the board: few, so that units meet at once."""


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=lambda ruleset: ruleset.key)
def test_no_act_fails_because_another_unit_was_taken_off_the_board(ruleset):
    done = 0
    for seed in SEEDS:
        chance, dice = random.Random(seed), SeededDice(seed)
        scene = skirmish(ruleset, seed, SIDE)
        for _ in range(STEPS):
            if not chance.randrange(6):
                scene = with_one_taken_or_put_back(scene, chance)
                continue
            token = chance.choice(scene.tokens)
            if not chance.randrange(4):
                overlay(ruleset, scene, token.id, 0)
            act = random_act(ruleset, scene, token, chance)
            answers = Answers(
                dice=dice,
                automatic=frozenset(side.id for side in scene.sides),
                overrides=bool(chance.randrange(2)),
            )
            try:
                scene = resolve(scene, ruleset.acts[act.kind].procedure, (act,), answers).scene
                done += 1
            except EnfiladeError:
                pass  # a refusal has a sentence; any other error is a fault of the game
    assert done > len(SEEDS)


def with_one_taken_or_put_back(scene, chance):
    """Return the scene after a unit left the board, or came back to a free cell."""
    chosen = chance.choice(scene.tokens)
    taken = {token.at for token in scene.tokens}
    free = [(x, y) for x in range(SIDE) for y in range(SIDE) if (x, y) not in taken]
    at = chance.choice(free) if chosen.at is None and free else None
    return replace(scene, tokens=tuple(replace(t, at=at) if t is chosen else t for t in scene.tokens))


def random_act(ruleset, scene, token, chance):
    """Return an act of a unit: one on offer, a move, or any kind at any unit."""
    offers = [offer.act for offer in ruleset.offers(scene, token) if offer.is_legal]
    if offers and chance.randrange(3):
        return chance.choice(offers)
    if chance.randrange(3):
        return Act(kind=MOVE, token=token.id, at=(chance.randrange(SIDE), chance.randrange(SIDE)))
    return Act(
        kind=chance.choice(sorted(ruleset.acts)), token=token.id, target=chance.choice(scene.tokens).id
    )
