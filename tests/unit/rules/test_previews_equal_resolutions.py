"""Compare previews with many resolutions: random positions, 20,000 resolutions of each.

POSITIONS is the number of positions of each ruleset: 2, and 60 in `make previews`.
"""

from __future__ import annotations

import os

import pytest

from enfilade.rules.conformance import check_preview, positions
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import GAMES

POSITIONS = int(os.environ.get("POSITIONS", "2"))


@pytest.mark.parametrize("ruleset", load_rulesets(GAMES).values(), ids=lambda ruleset: ruleset.key)
def test_every_preview_equals_the_result_of_many_resolutions(ruleset):
    found = list(positions(ruleset, POSITIONS))
    assert len(found) == POSITIONS
    for position in found:
        check_preview(ruleset, position)
