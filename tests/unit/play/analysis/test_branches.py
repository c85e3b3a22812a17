"""Branches: played like the table, from one seat's view, and in no log."""

from __future__ import annotations

import itertools

import msgspec
import pytest
from msgspec.structs import replace
from tests.contract import differences
from tests.unit.play.redaction.secrets_table import KIT, MIA, RULESETS, WRAITH, SecretsTable

from enfilade.analysis import branches as module
from enfilade.analysis.branches import Branches, compare, info_of
from enfilade.errors import Forbidden, NotFound, TooMany
from enfilade.messages.dump import plain
from enfilade.messages.load import load_command
from enfilade.rules.house_rules import ADVICE
from enfilade.scene.seat import GM, SPECTATOR

NEW_IDS = itertools.count()
STRIKE = {"kind": "melee", "token": "bran", "target": "orc-3", "weapon": "hammer"}


def do(branch, seat, kind, **body):
    raw = {"v": 1, "id": f"b{next(NEW_IDS)}", "kind": kind, "base": None, "body": body}
    return branch.execute(seat, load_command(raw))


@pytest.fixture
def game():
    return SecretsTable(replace(WRAITH, owners=()))


@pytest.fixture
def branches():
    return Branches(RULESETS)


def test_acts_in_a_branch_leave_the_table_and_its_log_alone(game, branches):
    before, revision = game.table.scene, game.table.revision
    branch = branches.open(game.table, GM)
    do(branch, GM, "token.move", token="bran", at=[6, 6], override="what if")
    do(branch, GM, "act", act=STRIKE, faces=[1], override="what if")
    assert branch.table.scene.token("bran").at == (6, 6)
    assert (game.table.scene, game.table.revision) == (before, revision)
    assert game.store.table_ids() == [game.table.id]


def test_dice_may_be_typed_or_rolled(game, branches):
    branch = branches.open(game.table, GM)
    do(branch, GM, "act", act=STRIKE, faces=[1])
    assert branch.table.snapshot(GM).log[-1].facts["rolls"][0]["faces"] == [1]
    do(branch, GM, "undo")
    done = do(branch, GM, "act", act=STRIKE)
    assert done.result


def test_a_players_branch_has_nothing_that_the_player_cannot_see(game, branches):
    branch = branches.open(game.table, MIA)
    assert "raith" not in msgspec.json.encode(branch.table.snapshot(GM)).decode()
    do(branch, MIA, "token.move", token="orc-3", at=[4, 2], override="what if")  # where the Wraith stands
    assert "raith" not in msgspec.json.encode(branch.table.snapshot(GM)).decode()


def test_a_branch_of_the_past_starts_at_that_moment(game, branches):
    game.do("token.move", seat=GM, token="bran", at=[6, 6], override="first")
    game.do("token.move", seat=GM, token="bran", at=[7, 7], override="then")
    branch = branches.open(game.table, MIA, 1)
    assert branch.table.scene.token("bran").at == (6, 6)
    with pytest.raises(NotFound):
        branches.open(game.table, MIA, 99)


def test_others_find_a_branch_only_while_it_is_shown_and_cannot_play_it(game, branches):
    branch = branches.open(game.table, MIA)
    for seat in (GM, KIT, SPECTATOR):
        with pytest.raises(NotFound):
            branches.find(game.table, seat, branch.id)
        assert not branches.list(game.table, seat)
    branch.is_shown = True
    assert branches.find(game.table, KIT, branch.id) is branch
    assert [one.is_own for one in branches.list(game.table, KIT)] == [False]
    with pytest.raises(Forbidden):
        do(branch, KIT, "undo")
    with pytest.raises(Forbidden):
        branches.close(game.table, KIT, branch.id)
    branches.close(game.table, GM, branch.id)
    with pytest.raises(NotFound):
        branches.find(game.table, MIA, branch.id)


def test_the_gms_branch_hides_what_is_hidden_when_it_is_shown(game, branches):
    branch = branches.open(game.table, GM)
    branch.is_shown = True
    do(branch, GM, "token.move", token="wraith", at=[5, 5], override="what if")
    seen = branch.table.snapshot(branch.seat_of(MIA))
    assert "raith" not in msgspec.json.encode(seen).decode()
    assert "raith" not in msgspec.json.encode(compare(game.table, branch, MIA)).decode()
    assert [one.token for one in compare(game.table, branch, GM)] == ["wraith"]


def test_the_comparison_has_the_units_that_differ(game, branches):
    branch = branches.open(game.table, GM)
    do(branch, GM, "token.move", token="bran", at=[6, 6], override="what if")
    do(branch, GM, "token.remove", token="orc-3")
    found = {one.token: one for one in compare(game.table, branch, GM)}
    assert set(found) == {"bran", "orc-3"}
    assert found["bran"].then.at == (6, 6)
    assert found["bran"].now == game.table.scene.token("bran")
    assert found["orc-3"].then is None
    assert not differences(
        "branch-comparison", {"differences": [plain(found["bran"])], **plain(info_of(branch, GM))}
    )
    assert not differences("branch", plain(info_of(branch, GM)))


@pytest.mark.parametrize("kind", ["scene.set", "rules.set", "webhook.set", "tokens.assign", "note", "sync"])
def test_what_does_not_play_is_not_for_branches(game, branches, kind):
    branch = branches.open(game.table, GM)
    command = replace(load_command({"v": 1, "id": "x", "kind": "undo", "body": {}}), kind=kind)
    with pytest.raises(NotFound):
        branch.execute(GM, command)


def test_a_player_without_advice_has_none_in_a_branch_either(game, branches):
    game.do("rules.set", seat=GM, house_rules={ADVICE.key: False}, enforcement="advise")
    branch = branches.open(game.table, MIA)
    with pytest.raises(Forbidden):
        do(branch, MIA, "decision.ask", token="bran")
    assert do(branches.open(game.table, GM), GM, "decision.ask", token="bran").result


def test_branches_are_limited_by_seat_table_and_entries_and_end_when_idle(game, monkeypatch):
    now = [0.0]
    branches = Branches(RULESETS, clock=lambda: now[0])
    first = [branches.open(game.table, GM) for _ in range(module.MAX_OF_SEAT)]
    with pytest.raises(TooMany):
        branches.open(game.table, GM)
    branches.open(game.table, MIA)  # another seat has its own
    monkeypatch.setattr(module, "MAX_OF_TABLE", 3)
    with pytest.raises(TooMany):
        branches.open(game.table, SPECTATOR)
    monkeypatch.setattr(module, "MAX_ENTRIES", 2)
    do(first[0], GM, "token.move", token="bran", at=[6, 6], override="what if")
    do(first[0], GM, "token.move", token="bran", at=[6, 7], override="what if")
    with pytest.raises(TooMany):
        do(first[0], GM, "token.move", token="bran", at=[6, 6], override="what if")
    now[0] = module.IDLE_SECONDS + 1
    assert not branches.list(game.table, GM)
    with pytest.raises(NotFound):
        branches.find(game.table, GM, first[0].id)
