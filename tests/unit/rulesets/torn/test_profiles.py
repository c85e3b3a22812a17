"""Profiles from clients: an invalid one is refused with the wrong field."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.errors import BadMessage
from enfilade.rulesets.torn import TORN
from enfilade.rulesets.torn.profiles import read_miniature
from tests.unit.rulesets.torn.scenes import MOVE, PLAIN, ally

BEAST = {"wounds": 7, "tiles": [PLAIN]}

WRONG = [
    ({"wounds": 0}, "profile.wounds"),
    ({"wounds": "many"}, "profile.wounds"),
    ({"size": "tiny"}, "profile.size"),
    ({"zeal": 1}, "profile.zeal"),
    ({"tiles": [{**PLAIN, "attack": 13}]}, "profile.tiles"),
    ({"tiles": [{**PLAIN, "agility": 7}]}, "profile.tiles"),
    ({"tiles": [PLAIN, PLAIN]}, "Two tiles have the same name"),
    ({"tiles": [MOVE], "size": "large"}, "move in Hexons"),
    ({"size": "huge", "hexons": [[1, 0]]}, "The first Hexon must be"),
    ({"becomes": {"wounds": 3, "becomes": BEAST}}, "cannot transform again"),
    ({"becomes": {"wounds": 0}}, "profile.wounds"),
    ({"immune": ["water"]}, "profile.immune"),
]


@pytest.mark.parametrize(("card", "where"), WRONG)
def test_an_invalid_card_is_refused_with_the_wrong_field(card, where):
    with pytest.raises(BadMessage, match=where):
        TORN.prepare_token(ally("aldis", (10, 10), **card))


def test_a_miniature_enters_with_at_most_the_wounds_on_its_card():
    token = ally("aldis", (10, 10), becomes=BEAST)
    assert TORN.prepare_token(token).tracks == {"wounds": 5}
    assert TORN.prepare_token(replace(token, tracks={"wounds": 99})).tracks == {"wounds": 5}


@pytest.mark.parametrize("unit", TORN.catalog, ids=lambda unit: unit.key)
def test_every_ready_made_unit_can_attack_and_move(unit):
    ready = read_miniature(replace(ally("aldis", (10, 10)), profile=unit.profile))
    assert any(tile.is_attack and tile.damage for tile in ready.profile.tiles)
    assert any(tile.is_movement for tile in ready.profile.tiles)
