"""Fog and drawings against seats that guess, collide and act at once."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.play.redaction.secrets_table import KIT, MIA, WRAITH, SecretsTable
from tests.unit.play.redaction.test_fog import EVERYWHERE, HALL, LINE, MIDDLE, drawn, foggy

from enfilade.errors import EnfiladeError
from enfilade.messages.load import load_command
from enfilade.play.hidden_map import fog_mask
from enfilade.scene.model import GM, SPECTATOR, Fog, Terrain

ALL_OF_IT = Fog(cells=tuple((row, 0, 11) for row in range(8)), by_sight=True)


def send(at, seat, command_id, kind, **body):
    """Send a command with an ID of the sender's choice."""
    return at.table.execute(seat, load_command({"v": 1, "id": command_id, "kind": kind, "body": body}))


def ask(game, seat, kind, body):
    """Ask as Bran."""
    command = {"v": 1, "id": "q", "kind": kind, "body": {**body, "token": "bran"}}
    return game.table.answer(seat, load_command(command))


def sent(at, seat, since=0):
    parts = [at.table.snapshot(seat), at.table.entries_after(seat, since)]
    return msgspec.json.encode(parts).decode()


@pytest.mark.parametrize("seat", [MIA, SPECTATOR])
def test_a_players_unit_that_only_its_owner_knows_lifts_no_fog_for_the_others(seat):
    bran, _ = foggy().tokens
    lurker = replace(WRAITH, at=(9, 6))
    at = SecretsTable(scene=foggy(tokens=(bran, lurker), walls=(MIDDLE,), fog=ALL_OF_IT))
    at.do("fog.set", seat=GM, cover=EVERYWHERE, by_sight=True)
    before = sent(at, seat)
    at.do("token.move", seat=KIT, token="wraith", at=[8, 5])
    assert (9, 2) in fog_mask(at.table.scene)
    assert sent(at, seat) == before


def test_ground_that_only_the_gm_knows_casts_no_shadow_into_the_lifted_fog():
    wood = Terrain("wood", "Wood", tuple((4, y) for y in range(8)), blocks_sight=True, hidden=True)
    with_it, without = (SecretsTable(scene=foggy(terrain=ground, fog=ALL_OF_IT)) for ground in ((wood,), ()))
    for at in (with_it, without):
        at.do("token.move", seat=GM, token="bran", at=[1, 3])
    assert with_it.table.scene.fog == without.table.scene.fog


def test_a_wall_in_the_fog_changes_nothing_that_a_player_is_told_of_the_place():
    answers = []
    for walls in ((), (HALL,)):
        at = SecretsTable(scene=foggy(walls=walls))
        overlay = msgspec.to_builtins(at.table.overlay(MIA, "bran", None))
        asked = [("verdict.ask", {"at": [5, 1], "to": [9, 5]}), ("path.ask", {"path": [[5, 2], [7, 4]]})]
        answers.append([overlay, *(ask(at, MIA, kind, body) for kind, body in asked)])
    assert answers[0] == answers[1]


def test_the_ids_of_two_seats_commands_may_be_alike_and_no_drawing_takes_anothers_place():
    at = SecretsTable()
    long = "x" * 60
    send(at, GM, long + "-gm", "draw", drawings=[{**LINE, "color": "red"}])
    send(at, MIA, long + "-mia", "draw", drawings=[{**LINE, "color": "blue"}])
    send(at, KIT, "again", "draw", drawings=[LINE])
    send(at, MIA, "again", "draw", drawings=[LINE])
    ids = drawn(at)
    assert len(ids) == len(set(ids))
    at.do("erase", seat=MIA)
    assert {one.by for one in at.table.scene.drawings} == {GM.key, KIT.key}


def test_two_gms_cover_and_lift_at_once_and_each_undo_takes_back_the_last():
    at = SecretsTable(scene=foggy(fog=Fog()))
    send(at, GM, "first-gm", "fog.set", cover=[[0, 0, 3]])
    send(at, GM, "second-gm", "fog.set", cover=[[1, 0, 3]], lift=[[0, 3, 3]])
    assert len(fog_mask(at.table.scene)) == 7
    at.do("undo", seat=GM)
    assert at.table.scene.fog.cells == ((0, 0, 3),)
    at.do("undo", seat=GM)
    assert at.table.scene.fog == Fog()
    at.do("redo", seat=GM)
    at.do("redo", seat=GM)
    assert len(fog_mask(at.table.scene)) == 7


def test_what_the_gm_draws_for_oneself_and_takes_back_is_no_entry_for_others():
    at = SecretsTable()
    numbers = [at.table.number(seat) for seat in (MIA, SPECTATOR)]
    at.do("draw", seat=GM, drawings=[{**LINE, "hidden": True}])
    at.do("undo", seat=GM)
    at.do("redo", seat=GM)
    at.do("erase", seat=GM)
    assert [at.table.number(seat) for seat in (MIA, SPECTATOR)] == numbers


def test_a_player_who_guesses_the_id_of_the_gms_own_drawing_learns_nothing():
    at = SecretsTable()
    at.do("draw", seat=GM, drawings=[{**LINE, "hidden": True}])
    (secret,) = drawn(at)
    answers = []
    for guess in (secret, "nothing-0"):
        with pytest.raises(EnfiladeError) as refusal:
            at.do("erase", seat=MIA, drawings=[guess])
        answers.append((type(refusal.value), str(refusal.value)))
    assert answers[0] == answers[1]


def test_a_text_with_a_hidden_units_name_reads_the_same_as_any_other():
    seen = []
    for name in ("Grey Wraith", "Pale Wraith"):
        at = SecretsTable(WRAITH)
        at.do("draw", seat=MIA, drawings=[{"points": [64, 64], "text": name}])
        entry = at.entry(SPECTATOR)
        seen.append((entry.text.replace(name, "*"), entry.kind, entry.secret, entry.seq))
    assert seen[0] == seen[1]
