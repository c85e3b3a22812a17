"""A verdict: in a short run slowness fails nothing, and every other failure does."""

from __future__ import annotations

from tests.fault.scenario import SLOW, Verdict


def verdict(**wrong):
    return Verdict("kill", wrong, {"ack-before-commit": 3}, {"cycles": 9})


def test_slowness_fails_by_hand_and_is_only_reported_in_a_short_run():
    slow = verdict(lost=0, **{SLOW: 1})
    assert (slow.passes, slow.untimed().passes) == (False, True)
    assert "slow=1" in str(slow.untimed())


def test_losses_fail_in_a_short_run_too():
    assert not verdict(lost=1, **{SLOW: 0}).untimed().passes
