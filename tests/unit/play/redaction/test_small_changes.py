"""The changes that players and spectators are sent are as small as the GM's, in their view."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.play.duel import Duel
from tests.unit.play.redaction.secrets_table import KIT, MIA, WRAITH, SecretsTable

from enfilade.play.command import Entries, Snapshot
from enfilade.play.redaction import views
from enfilade.scene import events as ev
from enfilade.scene.apply import fold_all
from enfilade.scene.model import GM, SPECTATOR


@pytest.fixture
def game():
    return SecretsTable(WRAITH)


def events(game, seat=SPECTATOR):
    return game.entry(seat).events


def test_a_move_is_a_move(game):
    game.move([6, 6])
    assert [type(event) for event in events(game)] == [ev.TokenMoved]
    assert events(game) == tuple(e for e in events(game, GM) if isinstance(e, ev.TokenMoved))


def test_a_value_and_a_note_of_a_unit_are_these_alone(game):
    bran = game.table.scene.token("bran")
    hurt = replace(bran, tracks={**bran.tracks, "hp": 1}, conditions={"prone": ""}, at=(6, 6))
    game.do("token.place", seat=GM, token=msgspec.to_builtins(hurt))
    assert {type(event) for event in events(game)} == {ev.TokenMoved, ev.TrackSet, ev.ConditionSet}


def test_a_renamed_unit_is_sent_whole(game):
    bran = replace(game.table.scene.token("bran"), name="Bran the Bold")
    game.do("token.place", seat=GM, token=msgspec.to_builtins(bran))
    assert [type(event) for event in events(game)] == [ev.TokenPlaced]


def test_a_unit_that_comes_to_light_is_new(game):
    game.do("token.place", seat=GM, token=msgspec.to_builtins(replace(WRAITH, hidden=False)))
    assert events(game) == (ev.TokenPlaced(token=game.table.scene.token("wraith")),)


def test_a_door_is_the_door_alone():
    duel = Duel()
    door = next(wall for wall in duel.table.scene.walls if wall.door != "none")
    duel.do("door.set", wall=door.id, state="locked" if door.state != "locked" else "closed")
    (entry,) = duel.table.entries_after(SPECTATOR, duel.table.seq - 1).entries
    assert [type(event) for event in entry.events] == [ev.DoorSet]


def test_an_entry_of_a_player_is_no_larger_than_the_gms(game):
    game.move([6, 6])
    sizes = {seat: len(msgspec.json.encode(game.entry(seat).events)) for seat in (GM, MIA, KIT, SPECTATOR)}
    assert max(sizes.values()) <= sizes[GM]


def test_the_changes_lead_to_the_new_view(game):
    before = game.table.snapshot(SPECTATOR).scene
    game.move([6, 6])
    game.do("token.place", seat=GM, token=msgspec.to_builtins(replace(WRAITH, hidden=False)))
    seen = game.table.entries_after(SPECTATOR, game.table.seq - 2).entries
    assert fold_all(before, [e for one in seen for e in one.events]) == game.table.snapshot(SPECTATOR).scene


@pytest.mark.parametrize(("count", "kind"), [(3, Entries), (120, Snapshot)])
def test_a_seat_far_behind_gets_the_snapshot_where_it_is_cheaper(game, count, kind, monkeypatch):
    monkeypatch.setattr(views, "LOG_SHOWN", 20)
    for number in range(count):
        bran = replace(game.table.scene.token("bran"), name=f"Bran the {number}th")
        game.do("token.place", seat=GM, token=msgspec.to_builtins(bran))
    assert isinstance(game.table.delta(SPECTATOR, game.table.seq - count).body, kind)
