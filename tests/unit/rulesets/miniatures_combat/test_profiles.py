"""The sheet of a model, and the numbers that follow from it (MNC-002, MNC-003, MNC-065)."""

from __future__ import annotations

import msgspec
import pytest

from enfilade.errors import BadMessage
from enfilade.rulesets.miniatures_combat.profiles import (
    Profile,
    defense_difficulty,
    inches_text,
    prepare_token,
)
from tests.unit.rulesets.miniatures_combat.scenes import fighter, model, scene


def test_a_sheet_is_constant_and_refuses_unknown_fields():
    made = msgspec.convert({}, Profile)
    assert made == Profile(level=2, weapon="basic", shield="")
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.convert({"luck": 1}, Profile)
    with pytest.raises(AttributeError):
        made.level = 3
    with pytest.raises(TypeError):
        Profile(3)


@pytest.mark.rule("MNC-002")
@pytest.mark.parametrize(("level", "fits"), [(0, False), (1, True), (12, True), (13, False)])
def test_a_level_is_from_1_to_12(level, fits):
    if fits:
        assert prepare_token(model("one", level=level)).profile["level"] == level
    else:
        with pytest.raises(BadMessage):
            prepare_token(model("one", level=level))


@pytest.mark.rule("MNC-065")
@pytest.mark.parametrize("monsters", [1, 3])
def test_only_monsters_defend_by_the_house_rule_of_monsters(monsters):
    found = []
    for level in range(1, 6):
        board = scene(model("one", (10, 10), level=level), house_rules={"monster_defense": monsters})
        found.append(defense_difficulty(board, fighter(board, "one")))
    assert found == [3, 2, 1, monsters, monsters]


@pytest.mark.parametrize(
    ("length", "rounded", "as_limit"),
    [(0, "0", "0"), (64, "1", "1"), (67, "1", "1"), (68, "1.1", "1"), (70, "1.1", "1"), (71, "1.1", "1.1")],
)
def test_lengths_are_told_to_a_tenth_of_an_inch_and_limits_are_rounded_down(length, rounded, as_limit):
    assert (inches_text(length), inches_text(length, is_limit=True)) == (rounded, as_limit)
