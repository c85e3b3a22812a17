"""The bodies of acts: values, so that an act can be a key of what is known of it."""

from __future__ import annotations

import pytest

from enfilade.rulesets.miniatures_combat.offers import ACTS


@pytest.mark.parametrize("kind", [kind for kind, known in ACTS.items() if known.body])
def test_equal_bodies_of_acts_are_one_key(kind):
    shape = ACTS[kind].body
    assert {shape(): "known"}[shape()] == "known"
