from __future__ import annotations

import pytest
from tests.unit.play.duel import Duel


@pytest.fixture
def duel():
    """A duel of First Blood: Ann and Orc side by side, Ann's side has the turn."""
    return Duel()
