"""House rules, modifiers and profiles: what a table chose, and what is wrong with what it was given."""

from __future__ import annotations

from typing import Annotated

import msgspec
import pytest

from enfilade.errors import BadMessage
from enfilade.rules.house_rules import HouseRule, HouseRules, check_settings, is_on, setting
from enfilade.rules.profiles import read_profile
from enfilade.rules.values import Modifier, total
from enfilade.scene.model import Grid, Scene

DOUBLING = HouseRule(key="doubling", default="each", options=("each", "once"), sentence="How often.")
CRAWL = HouseRule(key="crawl", default=False, options=(False, True), sentence="Diagonally.")
INCREMENT = HouseRule(key="increment", default=6, options=(1, 6), sentence="How far.")
OFFERED = (DOUBLING, CRAWL, INCREMENT)
SCENE = Scene(ruleset="any", grid=Grid("square", 5, 5), house_rules={"crawl": True})


def test_a_house_rule_has_the_tables_choice_or_its_default():
    assert setting(SCENE, DOUBLING) == "each"
    assert is_on(SCENE, CRAWL)
    assert not is_on(Scene(ruleset="any", grid=SCENE.grid), CRAWL)


def test_a_game_lists_its_house_rules_in_the_order_in_which_it_states_them():
    rules = HouseRules("chess")
    clock = rules.option("clock", "CHS-001", "none", "5 minutes", sentence="How long a side thinks.")
    faces = rules.option("faces", "CHS-002", 4, 6, 8, default=6)
    assert tuple(rules) == (clock, faces)
    assert clock == HouseRule(
        key="chess.clock",
        default="none",
        options=("none", "5 minutes"),
        sentence="How long a side thinks.",
        rule="CHS-001",
    )
    assert (faces.key, faces.default, faces.options) == ("chess.faces", 6, (4, 6, 8))


def test_offered_settings_are_accepted():
    check_settings({"doubling": "once", "crawl": True, "increment": 1}, OFFERED)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"luck": 1}, "no such house rule"),
        ({"doubling": "twice"}, "Choose one of: each, once"),
        ({"crawl": 1}, "Choose one of: False, True"),
        ({"increment": True}, "Choose one of: 1, 6"),
        ({"increment": [6]}, "Choose one of: 1, 6"),
    ],
)
def test_unknown_settings_are_named(chosen, message):
    with pytest.raises(BadMessage, match=message) as problem:
        check_settings(chosen, OFFERED)
    assert set(problem.value.fields) == {f"house_rules.{key}" for key in chosen}


def test_a_modifier_that_does_not_count_stays_in_the_list_but_adds_nothing():
    assert total([Modifier("backstab", 2), Modifier("range", -1), Modifier("fist", 5, counts=False)]) == 1


class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    armor: str
    hands: tuple[str, ...] = ()
    speed: Annotated[int, msgspec.Meta(ge=1)] = 1


def test_a_profile_is_converted_to_its_rulesets_shape():
    assert read_profile({"armor": "light", "hands": ["axe"]}, Shape) == Shape("light", ("axe",))


def test_every_wrong_field_of_a_profile_is_named_at_once():
    with pytest.raises(BadMessage) as problem:
        read_profile({"hands": "axe", "speed": 0, "zeal": 1}, Shape)
    assert set(problem.value.fields) == {f"profile.{name}" for name in ("armor", "hands", "speed", "zeal")}
