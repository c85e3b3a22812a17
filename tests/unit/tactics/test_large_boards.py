"""One overlay after another on large boards: what was worked out for the last ones is not all kept."""

from __future__ import annotations

import gc
import tracemalloc

import pytest
from msgspec.structs import replace

from enfilade.importers.demo import demo_battle
from enfilade.rulesets import BUILT_IN
from enfilade.tactics.overlays import overlay

SIDE = 200
MAX_BYTES = 16 * 1024 * 1024


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=lambda ruleset: ruleset.key)
def test_boards_out_of_use_take_no_memory(ruleset):
    battle = demo_battle(ruleset).scene
    overlay(ruleset, battle, battle.tokens[0].id, 0)
    gc.collect()
    tracemalloc.start()
    try:
        for shorter in range(6):
            grid = replace(battle.grid, columns=SIDE - shorter, rows=SIDE)
            overlay(ruleset, replace(battle, grid=grid), battle.tokens[0].id, 0)
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < MAX_BYTES
