"""The past of a table: each seat replays what it was sent, and nothing else."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace
from tests.contract import differences
from tests.unit.play.analysis.battles import GAMES, PlayedBattle
from tests.unit.play.redaction.secrets_table import MIA, WRAITH, SecretsTable

from enfilade.analysis import timeline
from enfilade.analysis.past import past_of
from enfilade.errors import Forbidden, NotFound
from enfilade.messages.dump import plain
from enfilade.play.view import view
from enfilade.scene.apply import fold_all
from enfilade.scene.model import GM, SPECTATOR


def pages(table, seat, limit=7):
    """Return all pages from the start of the battle."""
    found, start = [], 0
    while True:
        page = past_of(table).replay(table, seat, start, limit)
        found.append(page)
        if start + len(page.entries) >= page.last:
            return found
        start += len(page.entries)


def scenes_of(found):
    """Return the scenes that a client folds from pages, after each entry."""
    scenes = [found[0].scene]
    for page in found:
        assert page.scene == scenes[-1]
        scene = page.scene
        for entry in page.entries:
            scene = fold_all(scene, entry.events)
            scenes.append(scene)
    return scenes


@pytest.fixture
def secret():
    """A table at which a hidden unit acts and is revealed, with the scene of each seat after each command."""
    game = SecretsTable(replace(WRAITH, owners=()))
    seats, seen = (GM, MIA, SPECTATOR), []

    def note():
        seen.append({seat.key: (game.table.number(seat), game.table.snapshot(seat).scene) for seat in seats})

    note()
    for kind, body in (
        ("token.move", {"token": "bran", "at": [6, 6]}),
        ("token.move", {"token": "wraith", "at": [1, 1], "override": "sneaks"}),
        ("note", {"text": "The Grey Wraith waits.", "secret": True}),
        ("token.move", {"token": "bran", "at": [6, 7], "override": "again"}),
        ("undo", {}),
        ("note", {"text": "Night falls."}),
    ):
        game.do(kind, seat=GM, **body)
        note()
    return game, seats, seen


@pytest.mark.parametrize("game", GAMES)
def test_the_gm_replays_every_scene_of_a_battle(game):
    battle = PlayedBattle(game, 4)
    scenes = [battle.table.scene]
    for _ in range(25):
        if not battle.play(1):
            break
        scenes.append(battle.table.scene)
    found = pages(battle.table, GM)
    assert scenes_of(found)[-1] == battle.table.scene
    assert [scene for scene in scenes if scene in scenes_of(found)] == scenes


def test_a_page_has_the_published_shape():
    battle = PlayedBattle("coup_de_grace", 4)
    battle.play(10)
    assert not differences("replay-page", plain(past_of(battle.table).replay(battle.table, GM)))


def test_each_seat_replays_the_scenes_that_it_saw(secret):
    game, seats, seen = secret
    for seat in seats:
        scenes = scenes_of(pages(game.table, seat, limit=2))
        for moment in seen:
            number, scene = moment[seat.key]
            assert scenes[number] == scene


def test_entries_are_those_that_the_seat_was_sent(secret):
    game, seats, _ = secret
    for seat in seats:
        sent = game.table.entries_after(seat, 0).entries
        replayed = [entry for page in pages(game.table, seat, limit=3) for entry in page.entries]
        assert replayed == list(sent)


def test_a_hidden_name_is_in_no_replay_of_a_player(secret):
    game, _, _ = secret
    for seat in (MIA, SPECTATOR):
        for page in pages(game.table, seat):
            assert "raith" not in msgspec.json.encode(page).decode()


def test_the_last_page_comes_first(secret):
    game, _, _ = secret
    page = past_of(game.table).replay(game.table, GM, None, 3)
    assert page.start + len(page.entries) == page.last == game.table.seq


def test_a_moment_that_never_was_is_not_found(secret):
    game, _, _ = secret
    with pytest.raises(NotFound):
        past_of(game.table).replay(game.table, MIA, game.table.number(MIA) + 1)


def test_kept_scenes_lead_to_the_same_past(monkeypatch):
    monkeypatch.setattr(timeline, "SPACING", 3)
    battle = PlayedBattle("coup_de_grace", 2)
    battle.play(20)
    table = battle.table
    scenes = scenes_of(pages(table, GM, limit=4))
    for place in (0, 19, 5, 6, 13, 2, 0, 20):
        assert past_of(table)._timeline.scene_at(table._state, place) == scenes[place]


def test_an_overlay_of_the_past_is_that_of_the_moment(secret):
    game, _, seen = secret
    number, _ = seen[1]["player:mia"]
    (overlay,) = past_of(game.table).overlays(game.table, MIA, "bran", number, 1, ["reach"])
    assert overlay.seq == number
    moment = past_of(game.table)._timeline.moment(game.table._state, MIA, number)
    assert view(moment.scene, MIA).token("bran").at == (6, 6)
    assert overlay.reach.cells
    with pytest.raises(Forbidden):
        list(past_of(game.table).overlays(game.table, MIA, "orc-3", number, 1))
    with pytest.raises(NotFound):
        list(past_of(game.table).overlays(game.table, MIA, "wraith", number, 1))


def test_overlays_of_the_past_in_a_row_are_those_asked_one_by_one(secret):
    game, _, _ = secret
    for seat in (GM, MIA):
        last = game.table.number(seat)
        row = list(past_of(game.table).overlays(game.table, seat, "bran", 0, last + 5))
        assert [one.seq for one in row] == list(range(last + 1))
        for number in range(last + 1):
            (alone,) = past_of(game.table).overlays(game.table, seat, "bran", number, 1)
            assert plain(row[number]) == plain(alone)
    assert len({msgspec.json.encode(one.reach) for one in row}) > 1, "the unit has moved"


def test_a_moment_without_the_unit_has_no_overlay(secret):
    game, _, _ = secret
    game.do("token.remove", seat=GM, token="bran")
    last = game.table.number(GM)
    assert [one and one.seq for one in past_of(game.table).overlays(game.table, GM, "bran", last - 1, 2)] == [
        last - 1,
        None,
    ]
    with pytest.raises(NotFound):
        list(past_of(game.table).overlays(game.table, GM, "bran", last, 1))
