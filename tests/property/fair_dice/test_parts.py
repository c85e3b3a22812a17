"""The players' contributions to the dice: all are committed before one is revealed, and no roll waits."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace
from tests.property.fair_dice.logs import Player, RecordedGame, take_all_parts
from tests.property.fair_dice.tamper import resealed, values_of

from enfilade.cli.verify import verify
from enfilade.errors import BadMessage, Forbidden, StaleBase
from enfilade.messages.load import load_command
from enfilade.play.dice import contributions
from enfilade.play.redaction.views import Views
from enfilade.rules.fair import players_hash
from enfilade.scene.dice_notes import Part
from enfilade.scene.seat import GM, SPECTATOR


@pytest.fixture
def game():
    return RecordedGame()


@pytest.fixture
def players(game):
    found = [Player(game, name) for name in ("Ann", "Bo")]
    for player in found:
        player.take_part()
    return found


def kinds(game):
    return [entry.kind for entry in game.entries() if entry.kind.startswith("dice.")]


def begin_a_round(game):
    """A round begins, by the ruleset's own act where it has one."""
    game.do("act", {"act": {"kind": "round", "token": "bran"}})


def test_all_contributions_enter_the_dice(game, players):
    take_all_parts(game, players)
    given = game.entries()[-1]
    assert given.kind == "dice.given"
    game.attack_to_the_end()
    used = next(entry.dice for entry in game.entries() if "Used" in str(type(entry.dice)))
    assert used.players == given.dice.players == game.table.snapshot(SPECTATOR).dice.players
    report = verify(game.log())
    assert (report.holds, report.with_players, report.withheld) == (True, 1, 0)


def test_all_commitments_and_contributions_enter_the_hash():
    """And with it into the key: test_intake.py."""
    part = Part(seat="ann", commitment="c", value="v")
    others = [{"seat": "bo"}, {"commitment": "d"}, {"value": ""}]
    said = [("t", "e", [part]), ("u", "e", [part]), ("t", "f", [part]), ("t", "e", [part, part])]
    said += [("t", "e", [replace(part, **other)]) for other in others]
    assert len({players_hash(*what) for what in said}) == len(said)


def test_a_withheld_contribution_is_logged_and_not_waited_for(game, players, monkeypatch):
    game.table._state = replace(game.table._state, parts=replace(game.table._state.parts, opened_ms=1))
    assert game.table.process_contributions()
    ann, _ = players
    ann.take_part(give=ann.value)
    game.attack_to_the_end()
    assert kinds(game)[-1] == "dice.committed"
    monkeypatch.setattr(contributions, "GIVE_MS", 0)
    assert game.table.process_contributions()
    assert "Bo did not give the contribution" in game.entries()[-1].text
    game.attack_to_the_end()
    report = verify(game.log())
    assert (report.holds, report.with_players, report.withheld) == (True, 1, 1)


def test_a_new_round_starts_an_exchange_and_no_roll_waits_for_it(game, players):
    take_all_parts(game, players)
    before = game.table.snapshot(GM).dice.players
    begin_a_round(game)
    assert kinds(game)[-1] == "dice.committed"
    game.table._state = replace(game.table._state, pending=None)
    assert game.table.snapshot(GM).dice.players == before
    for player in players:
        player.take_part(give=player.value)
    assert kinds(game)[-1] == "dice.given"
    assert game.table.snapshot(GM).dice.players != before


def test_bytes_without_a_commitment_are_refused(game, players):
    game.table._state = replace(game.table._state, parts=replace(game.table._state.parts, opened_ms=1))
    game.table.process_contributions()
    ann, bo = players
    game.do("dice.contribute", {"reveal": "f" * 32}, seat=ann.seat)
    game.do("dice.contribute", {"reveal": bo.value}, seat=ann.seat)
    assert [part.value for part in game.table._state.parts.revealing] == ["", ""]


def test_a_copied_commitment_cannot_be_revealed(game, players):
    ann, bo = players
    copied = game.table._state.parts.commitments["ann"]
    game.do("dice.contribute", {"commit": copied}, seat=bo.seat)
    game.table._state = replace(game.table._state, parts=replace(game.table._state.parts, opened_ms=1))
    game.table.process_contributions()
    game.do("dice.contribute", {"reveal": ann.value}, seat=ann.seat)
    game.do("dice.contribute", {"reveal": ann.value}, seat=bo.seat)
    assert [bool(part.value) for part in game.table._state.parts.revealing] == [True, False]


def test_players_contribute_while_an_act_waits(game, players):
    while "waiting" not in game.attack().result:
        game.do("undo", {})
    waiting = game.table.snapshot(GM).choice
    players[0].take_part()
    assert game.table.snapshot(GM).choice == waiting


def test_only_players_contribute(game):
    for seat in (GM, SPECTATOR):
        with pytest.raises(Forbidden):
            game.do("dice.contribute", {"reveal": None, "commit": "0" * 64}, seat=seat)
    with pytest.raises(BadMessage):
        load_command({"v": 1, "id": "a", "kind": "dice.contribute", "body": {"reveal": "0" * 31}})


def test_the_tables_own_dice_entries_make_no_command_stale(game, players):
    base = game.table.number(GM)
    take_all_parts(game, players)
    command = {"v": 1, "id": "a", "kind": "token.move", "body": {"token": "bran", "at": [1, 1]}, "base": base}
    game.table.execute(GM, load_command(command))
    with pytest.raises(StaleBase):
        game.table.execute(GM, load_command({**command, "id": "b"}))


def test_contributions_are_not_posted_to_a_webhook(game, players):
    take_all_parts(game, players)
    game.attack_to_the_end()
    texts = [text for _, text in game.table.log_texts_after(SPECTATOR, 0, 50)]
    assert any("attacks" in text for text in texts)
    assert not any("part" in text for text in texts)


def test_a_new_chain_begins_without_contributions(players, game):
    take_all_parts(game, players)
    game.seeds._secrets.clear()
    game.enter()
    assert game.table.snapshot(GM).dice.players == ""
    game.attack_to_the_end()
    assert verify(game.log()).holds


def test_contributions_survive_a_restart(game, players):
    take_all_parts(game, players)
    said = game.table.snapshot(GM).dice.players
    game.enter()
    game.attack_to_the_end()
    used = [entry.dice for entry in game.entries() if "Used" in str(type(entry.dice))]
    assert used[-1].players == said


@pytest.mark.parametrize(
    "what", ["value", "commitment", "seat", "players", "left out", "withheld", "no commitment"]
)
def test_every_change_to_a_contribution_is_caught(game, players, what):
    take_all_parts(game, players)
    game.attack_to_the_end()
    values = values_of(game.log())
    committed, given = (
        next(v for v in values if v.get("kind") == f"dice.{kind}") for kind in ("committed", "given")
    )
    part = given["dice"]["parts"][0]
    if what in ("value", "commitment"):
        part[what] = f"{int(part[what][0], 16) ^ 1:x}{part[what][1:]}"
    elif what == "seat":
        part["seat"] = "cleo"
    elif what == "players":
        given["dice"]["players"] = "0" * 64
    elif what == "withheld":
        part["value"] = ""
    else:
        values[values.index(committed if what == "no commitment" else given)]["dice"] = None
    assert not verify(resealed(values)).holds


def test_a_log_without_contributions_verifies(game):
    """Notes as they were written then: without the players' parts, and without a chain of hidden rolls."""
    game.attack_to_the_end()
    values = values_of(game.log())
    for value in values:
        for name in ("players", "is_hidden", "hidden"):
            (value.get("dice") or {}).pop(name, None)
    assert verify(resealed(values)).holds


def test_checking_for_an_exchange_costs_nothing_without_players(game, monkeypatch):
    monkeypatch.setattr(Views, "delta", None)
    saves = []
    monkeypatch.setattr(game.store, "save", lambda *row: saves.append(row))
    assert not game.table.process_contributions()
    assert saves == []


def test_the_tables_own_dice_entries_use_the_readers_numbering(game, players):
    """The log's own would tell how much happened in secret."""
    orc = msgspec.json.decode(msgspec.json.encode(game.table.scene.token("orc-3")))
    game.do("token.place", {"token": {**orc, "id": "spy", "name": "Spy", "at": [9, 7], "hidden": True}})
    begin_a_round(game)
    take_all_parts(game, players)
    said = [e for e in game.table.snapshot(SPECTATOR).log if e.seat == "table"]
    assert len(said) > 1
    assert [e.id for e in said] == [f"{e.kind}-{e.seq}" for e in said]
    assert [e.id for e in said] != [e.id for e in game.table.snapshot(GM).log if e.seat == "table"]
