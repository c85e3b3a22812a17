"""The enemies in contact, which a decision map looks at, are all that matter."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from enfilade.rules.outlook import no_contacts
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.rulesets.double_life.outlook import OUTLOOK
from enfilade.tactics.advice import decision_map
from tests.unit.rulesets.double_life.scenes import fighter, foe, scene

WITHOUT = replace(DOUBLE_LIFE, outlook=replace(OUTLOOK, contacts=no_contacts))


def crowd(seed):
    """Return a character among enemies close by, some of them large, some with a second-life."""
    chance = random.Random(seed)
    places = chance.sample([(x, y) for x in range(1, 11) for y in range(1, 9)], 6)
    sheets = [
        {"race": chance.choice(("human", "troll", "gnome")), "mastery": chance.choice((0, 0, 3))}
        for _ in places
    ]
    ann, *foes = [dict(sheet, at=at) for sheet, at in zip(sheets, places, strict=True)]
    return scene(fighter("ann", **ann), *(foe(f"orc-{i}", **one) for i, one in enumerate(foes)))


@pytest.mark.parametrize("seed", [0, 1, 3, 4, 5])
def test_a_map_of_the_enemies_in_contact_is_that_of_all_enemies(seed):
    board = crowd(seed)
    found = decision_map(DOUBLE_LIFE, board, "ann", 0)
    assert found == decision_map(WITHOUT, board, "ann", 0)
    assert any(cell.dealt and cell.taken for cell in found.cells)
    assert len({cell.attackers for cell in found.cells}) > 1
