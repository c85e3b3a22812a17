"""Overlays from what is kept of earlier scenes, against overlays of scenes with all new values."""

from __future__ import annotations

import random

import msgspec
import pytest
from msgspec.structs import replace

from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rulesets import BUILT_IN
from enfilade.tactics.overlays import overlay

CHANGES = 8


def changed(scene, rng):
    """Return the scene after a small change: a move, a turn, a door, a wall, cover, or what is hidden."""
    token = rng.choice([token for token in scene.tokens if token.at])
    kind = rng.choice(["move", "turn", "hide", "door", "wall", "cover"])
    if kind == "door":
        return replace(
            scene,
            walls=tuple(replace(w, door="door", state=rng.choice(["open", "closed"])) for w in scene.walls),
        )
    if kind == "wall":
        return replace(scene, walls=scene.walls[1:])
    if kind == "cover":
        blocks = rng.random() < 0.5
        return replace(scene, terrain=tuple(replace(patch, blocks_sight=blocks) for patch in scene.terrain))
    if kind == "move":
        at = (token.at[0] + rng.choice([-1, 0, 1]), token.at[1] + rng.choice([-1, 0, 1]))
        token = replace(token, at=at) if at in scene.grid else token
    elif kind == "turn":
        token = replace(token, facing=None if token.facing is None else rng.choice([0, 90, 180, 270]))
    else:
        token = replace(token, hidden=not token.hidden)
    return replace(scene, tokens=tuple(token if one.id == token.id else one for one in scene.tokens))


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=lambda ruleset: ruleset.key)
@pytest.mark.parametrize("seed", range(2))
def test_an_overlay_is_that_of_a_scene_of_new_values(ruleset, seed):
    rng = random.Random(seed)
    scene = skirmish(ruleset, seed, strength=3)
    for _ in range(CHANGES):
        scene = changed(scene, rng)
        anew = msgspec.json.decode(msgspec.json.encode(scene), type=type(scene))
        for token in scene.tokens:
            assert overlay(ruleset, scene, token.id, 0) == overlay(ruleset, anew, token.id, 0)
