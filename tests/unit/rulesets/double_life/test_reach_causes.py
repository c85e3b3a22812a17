"""A refused attack says whether the distance or a wall is in its way (DBL-052)."""

from __future__ import annotations

import pytest

from enfilade.rules.resolve import refusal
from enfilade.rulesets.double_life.offers import ACTS
from enfilade.scene.model import Wall
from tests.unit.rulesets.double_life.scenes import attack, fighter, foe, scene


@pytest.mark.rule("DBL-052")
def test_a_wall_is_not_named_as_a_distance():
    wall = Wall(id="w", line=(6 * 64, 5 * 64, 6 * 64, 6 * 64))
    pair = fighter("al", (5, 5)), foe("be", (6, 5))
    for board, has_wall in (
        (scene(*pair, walls=(wall,)), True),
        (scene(pair[0], foe("be", (8, 5))), False),
    ):
        refused = refusal(board, ACTS["attack"].procedure, attack("al", "be"))
        assert (refused.rule, "wall" in refused.sentence) == ("DBL-052", has_wall)
