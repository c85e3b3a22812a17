"""The hash of a scene: each writer produces the canonical text of RFC 8785."""

from __future__ import annotations

import msgspec
import pytest
import rfc8785
from msgspec.structs import replace

from enfilade.scene.model import Grid, Scene, Token
from enfilade.scene.state_hash import canonical

PROFILES = [
    {},
    {"b": 1, "a": [1, 2]},
    {"speed": 1.0},
    {"speed": 1e21},
    {"items": [{"weights": [1, 2, 2.5]}]},
    {"items": ({"weights": (1, 2, 2.0)},)},
    {"é": "a word beyond ASCII"},
    {"\U0001f600": 1, "\ufb33": 2},
]


@pytest.mark.parametrize("profile", PROFILES, ids=str)
def test_the_json_of_a_scene_is_canonical_for_any_profile(profile):
    scene = Scene(
        ruleset="any",
        grid=Grid("square", 5, 5),
        tokens=(Token(id="a", name="A", side="red", profile=profile),),
    )
    whole = replace(scene, grid=replace(scene.grid, distance=int(scene.grid.distance)))
    assert canonical(scene) == rfc8785.dumps(msgspec.to_builtins(whole))
