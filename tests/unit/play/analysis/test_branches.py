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
from enfilade.scene.model import GM, SPECTATOR, Seat

NEW_IDS = itertools.count()
STRIKE = {"kind": "melee", "token": "bran", "target": "orc-3", "weapon": "hammer"}


def do(branch, seat, kind, **body):
    raw = {"v": 1, "id": f"b{next(NEW_IDS)}", "kind": kind, "base": None, "body": body}
    return branch.execute(seat, load_command(raw))


@pytest.fixture
def game():
    return SecretsTable(replace(WRAITH, owners=()))


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def branches(clock):
    return Branches(RULESETS, clock=clock)


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
        assert seat == GM or not branches.list(game.table, seat)
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


def test_a_seat_has_two_branches_and_a_branch_has_a_number_of_entries(game, branches, monkeypatch):
    first = [branches.open(game.table, GM) for _ in range(module.MAX_OF_SEAT)]
    with pytest.raises(TooMany):
        branches.open(game.table, GM)
    branches.open(game.table, MIA)  # another seat has its own
    monkeypatch.setattr(module, "MAX_ENTRIES", 2)
    do(first[0], GM, "token.move", token="bran", at=[6, 6], override="what if")
    do(first[0], GM, "token.move", token="bran", at=[6, 7], override="what if")
    with pytest.raises(TooMany):
        do(first[0], GM, "token.move", token="bran", at=[6, 6], override="what if")


def test_branches_end_when_they_are_idle(game, clock, branches):
    branch = branches.open(game.table, GM)
    clock.now = module.IDLE_SECONDS + 1
    assert not branches.list(game.table, GM)
    with pytest.raises(NotFound):
        branches.find(game.table, GM, branch.id)


def test_the_gm_lists_every_branch_of_the_table_and_throws_away_any(game, branches):
    branch = branches.open(game.table, MIA)
    (listed,) = branches.list(game.table, GM)
    assert (listed.branch, listed.is_shown, listed.is_own) == (branch.id, False, False)
    assert not branches.list(game.table, KIT)
    with pytest.raises(NotFound):
        branches.close(game.table, KIT, branch.id)
    branches.close(game.table, GM, branch.id)
    assert not branches.list(game.table, MIA)


def test_the_players_branch_that_was_not_used_for_longest_gives_way(game, clock, branches):
    opened = _of_players(branches, game.table, module.MAX_OF_TABLE, clock)
    branches.find(game.table, opened[0].owner, opened[0].id)  # used again: the second is the oldest now
    branches.open(game.table, MIA)
    left = {one.branch for one in branches.list(game.table, GM)}
    assert {one.id for one in opened} - left == {opened[1].id}
    assert len(left) == module.MAX_OF_TABLE


def test_the_gm_has_two_branches_beside_those_of_a_tables_guests(game, clock, branches):
    _of_players(branches, game.table, module.MAX_OF_TABLE, clock)
    own = [branches.open(game.table, GM) for _ in range(module.MAX_OF_SEAT)]
    _of_players(branches, game.table, 20, clock)
    found = branches.list(game.table, GM)
    assert {one.branch for one in found if one.is_own} == {one.id for one in own}
    assert len(found) == module.MAX_OF_TABLE + module.MAX_OF_SEAT


def test_tables_share_the_places_of_the_server(clock, branches, monkeypatch):
    monkeypatch.setattr(module, "MAX_OF_SERVER", 6)
    crowded, other = _table(), _table()
    held = _of_players(branches, crowded, 6, clock)
    own = [branches.open(other, GM) for _ in range(2)]
    _of_players(branches, crowded, 20, clock)
    assert [one.branch for one in branches.list(other, GM)] == [one.id for one in own]
    assert held[0].id not in {one.branch for one in branches.list(crowded, GM)}
    assert len(branches.list(crowded, GM)) == 4


def test_a_full_server_takes_no_branch_from_a_table_with_as_few_as_others(clock, branches, monkeypatch):
    monkeypatch.setattr(module, "MAX_OF_SERVER", 2)
    kept = [branches.open(table, GM) for table in (_table(), _table())]
    with pytest.raises(TooMany):
        branches.open(_table(), GM)
    assert [one.id for one in branches.all()] == [one.id for one in kept]


def test_the_end_of_a_branch_is_told_whatever_ended_it(game, clock, monkeypatch):
    monkeypatch.setattr(module, "MAX_OF_TABLE", 1)
    ended = []
    branches = Branches(RULESETS, clock=clock, ended=ended.append)
    first, second = branches.open(game.table, MIA), branches.open(game.table, KIT)
    assert ended == [first]
    branches.close(game.table, KIT, second.id)
    third = branches.open(game.table, KIT)
    clock.now = module.IDLE_SECONDS + 1
    branches.list(game.table, GM)
    assert ended == [first, second, third]


def test_the_branches_of_a_table_that_is_deleted_end(game, branches):
    branches.open(game.table, MIA)
    branches.forget(game.table.id)
    assert not branches.all()


def _table():
    return SecretsTable(replace(WRAITH, owners=())).table


def _of_players(branches, table, count, clock):
    """Open branches of `count` players, one after the other."""
    opened = []
    for number in range(count):
        clock.now += 1
        opened.append(branches.open(table, Seat("player", f"guest-{number}")))
    return opened
