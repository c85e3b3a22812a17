"""Consequences of a change of a miniature by hand."""

from __future__ import annotations

from enfilade.rulesets.torn import TORN
from enfilade.rulesets.torn.profiles import read_miniature
from tests.unit.rulesets.settled import settled
from tests.unit.rulesets.torn.scenes import ally, foe, in_round, scene

TEN, NEAR = (10, 10), (12, 10)


def board(*more, **card):
    return in_round(scene(ally("ann", TEN), foe("orc", NEAR, wounds=3, **card), *more), "ann")


def edit(there, *edited):
    return settled(TORN, there, *edited).scene


def test_a_miniature_without_wounds_is_removed_or_transforms_and_returns_when_it_is_healed():
    rat = foe("rat", (2, 2))
    for wounds, is_out in ((1, False), (0, True)):
        orc = edit(board(rat), ("orc", {"tracks": {"wounds": wounds}})).token("orc")
        assert (orc.has("out"), orc.at is None) == (is_out, is_out)
    out = edit(board(rat), ("orc", {"tracks": {"wounds": 0}}))
    for wounds, is_out in ((0, True), (1, False)):
        again = edit(out, ("orc", {"tracks": {"wounds": wounds, "seen": 1}, "at": NEAR}))
        assert again.token("orc").has("out") == is_out
        assert again.token("orc").at == NEAR  # the table refuses a dead one on the board, and says so
    orc = edit(board(becomes={"wounds": 7}), ("orc", {"tracks": {"wounds": 0}})).token("orc")
    assert (orc.has("out"), read_miniature(orc).wounds) == (False, 7)


def test_the_turn_passes_on_and_the_last_team_has_won():
    more = ally("bo", (4, 4)), foe("rat", (2, 2), is_fresh=True)
    left = edit(board(*more), ("ann", {"tracks": {"wounds": 0}}))
    assert ("active" in left.conditions, left.conditions["first"]) == (False, "red")
    assert not left.has("won")
    stays = edit(board(*more), ("orc", {"tracks": {"wounds": 1}}))
    assert stays.conditions["active"] == "ann"
    assert edit(board(), ("orc", None)).conditions["won"] == "blue"
