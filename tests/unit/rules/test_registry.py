"""A server has complete rulesets only, and reports what an incomplete one lacks."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest
from tests.example import EXAMPLE, FIRST_BLOOD

from enfilade.errors import NotFound, WrongGrid
from enfilade.rules import registry
from enfilade.rules.house_rules import HouseRule
from enfilade.rules.registry import (
    ENTRY_POINT_GROUP,
    IncompleteRuleset,
    load_rulesets,
    require_complete,
    ruleset_for,
)
from enfilade.rules.ruleset import ActKind, Unit
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Grid, Scene, Value


class NoDefault(Value, frozen=True):
    """The body of an act with a required field."""

    text: str


TWICE = FIRST_BLOOD.house_rules * 2
ODD_RULE = HouseRule(key="odd", default=3, options=(1, 2), sentence="")


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=lambda ruleset: ruleset.key)
def test_the_built_in_rulesets_are_complete(ruleset):
    require_complete(ruleset)
    assert load_rulesets(BUILT_IN)[ruleset.key] is ruleset


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ({"key": "First Blood"}, "key must be small letters"),
        ({"title": ""}, "no title"),
        ({"grids": frozenset({"round"})}, "grids must be some of square"),
        ({"grids": frozenset()}, "grids must be some of square"),
        ({"acts": {}}, "act 'move' is missing"),
        (
            {
                "acts": {
                    "move": FIRST_BLOOD.acts["move"],
                    "pass": ActKind("", FIRST_BLOOD.acts["move"].procedure),
                }
            },
            "act 'pass' has no label",
        ),
        (
            {"acts": {"move": FIRST_BLOOD.acts["move"]._replace(body=NoDefault)}},
            "field 'text' of the act 'move' has no default",
        ),
        ({"tracks": {"hp": ""}}, "track 'hp' has no sentence"),
        ({"conditions": {"out": ""}}, "condition 'out' has no sentence"),
        ({"house_rules": TWICE}, "'fbl.second_chance' is there twice"),
        ({"house_rules": (ODD_RULE,)}, "'odd' has a default that is not.*'odd' has no sentence"),
        ({"catalog": ()}, "no ready-made unit"),
        ({"catalog": (Unit("a", "A", {"speed": 99}),)}, "'a' does not have its profile's shape.*speed"),
        ({"catalog": FIRST_BLOOD.catalog * 2}, "'fencer' is there twice"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_an_incomplete_ruleset_is_refused_with_everything_it_lacks(missing, message):
    with pytest.raises(IncompleteRuleset, match=message):
        load_rulesets([replace(FIRST_BLOOD, **missing)])


def test_a_value_that_is_not_a_ruleset_and_a_duplicate_key_are_refused():
    with pytest.raises(IncompleteRuleset, match="is not a Ruleset"):
        load_rulesets(["coup_de_grace"])
    with pytest.raises(IncompleteRuleset, match="two rulesets with the key 'first_blood'"):
        load_rulesets([FIRST_BLOOD, FIRST_BLOOD])


def brought(monkeypatch, value):
    point = EntryPoint("first_blood", value, ENTRY_POINT_GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point] if group == ENTRY_POINT_GROUP else [])


def test_another_package_adds_a_ruleset_by_entry_point(monkeypatch):
    brought(monkeypatch, f"{EXAMPLE.__name__}:FIRST_BLOOD")
    added = load_rulesets(BUILT_IN)["first_blood"]
    assert added.acts is FIRST_BLOOD.acts
    assert added.layers == (*FIRST_BLOOD.layers, "threat")


@pytest.mark.parametrize("value", ["no_such_package:RULESET", "enfilade.errors:NO_SUCH_RULESET"])
def test_a_ruleset_that_fails_to_load_is_named(monkeypatch, value):
    brought(monkeypatch, value)
    with pytest.raises(IncompleteRuleset, match=f"'first_blood' \\({value}\\) cannot be loaded"):
        load_rulesets(BUILT_IN, is_strict=True)


def test_a_scene_uses_its_ruleset_if_the_grid_fits():
    rulesets = load_rulesets([FIRST_BLOOD])
    scene = Scene(ruleset="first_blood", grid=Grid("square", 5, 5))
    assert ruleset_for(rulesets, scene) is rulesets["first_blood"]
    with pytest.raises(WrongGrid, match=r"needs a square grid\. This scene has a gridless grid"):
        ruleset_for(rulesets, Scene(ruleset="first_blood", grid=Grid("gridless", 5, 5)))
    with pytest.raises(NotFound, match=r"no ruleset 'chess'\. Choose from: first_blood"):
        ruleset_for(rulesets, Scene(ruleset="chess", grid=Grid("square", 8, 8)))
