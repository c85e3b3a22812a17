"""The demo battles: places that the board paints, with dressing that changes no ruling."""

import pytest

from enfilade.importers.demo import BATTLES, demo_battle
from enfilade.rulesets import BUILT_IN


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=lambda ruleset: ruleset.key)
def test_a_demo_battle_is_painted_and_its_dressing_has_no_effect(ruleset):
    battle = demo_battle(ruleset)
    dressing = BATTLES[ruleset.key].dressing

    assert battle.image is None
    assert battle.scene.background == ""
    assert dressing
    assert all(one in battle.scene.terrain for one in dressing)
    for one in dressing:
        assert (one.cost, one.blocks_sight, one.kind, one.height) == (1, False, "", 0)
