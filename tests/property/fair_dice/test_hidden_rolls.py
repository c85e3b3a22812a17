"""Hidden rolls have their own chain, of which no seat learns anything before the GM reveals a roll."""

from __future__ import annotations

import json
import tracemalloc
from contextlib import closing
from operator import itemgetter

import msgspec
import pytest
from msgspec.structs import replace
from tests.property.fair_dice.logs import ACT, RecordedGame, is_hidden_roll
from tests.property.fair_dice.tamper import resealed, values_of

from enfilade.cli.verify import verify
from enfilade.errors import Forbidden, NotFound
from enfilade.messages.examples import SCENE
from enfilade.play.commands.dice import reveal_roll
from enfilade.scene.entry import Entry
from enfilade.scene.events import TokenRemoved
from enfilade.scene.model import GM, SPECTATOR, Seat
from enfilade.store.sql.tables import SqlStore

ANN = Seat("player", "ann")
OTHERS = (ANN, SPECTATOR)


def hide_the_orc(game, **changes):
    orc = msgspec.to_builtins(game.table.scene.token("orc-3"))
    shape = {key: orc[key] for key in ("id", "name", "side", "at", "facing", "profile")}
    game.do("token.place", {"token": {**shape, "hidden": True, **changes}})


def missed_in_secret(game):
    """A hidden attack that changes nothing that shows; the number of its entry."""
    while True:
        done = game.attack(secret=True)
        if "waiting" in done.result:
            game.do("undo", {})
        elif not game.table.entries_after(SPECTATOR, game.table.seq - 1).entries:
            return done.entry
        else:
            game.do("undo", {})


def attacked_while_hidden(game):
    """Return the entry of an attack on a hidden token."""
    hide_the_orc(game)
    while (done := game.attack()).entry is None:
        game.do("undo", {})
    return done.entry


def all_told(game, seat):
    """Return the log of a seat that connects now, and of one that was connected all the time."""
    return msgspec.json.encode([game.table.snapshot(seat), game.table.entries_after(seat, 0)])


def test_a_hidden_roll_takes_no_link_of_the_public_chain():
    game = RecordedGame()
    game.attack_to_the_end(secret=True)
    game.attack_to_the_end()
    assert [
        (entry.dice.is_hidden, entry.dice.index)
        for entry in game.entries()
        if "Used" in str(type(entry.dice))
    ] == [
        (True, 1),
        (False, 1),
    ]


@pytest.mark.parametrize("seat", OTHERS, ids=lambda seat: seat.role)
def test_no_other_seat_learns_of_a_hidden_roll(seat):
    game = RecordedGame()
    hide_the_orc(game)
    before = all_told(game, seat)
    rolled = game.attack().entry
    assert rolled is None or is_hidden_roll(rolled)
    game.do("undo", {})
    assert all_told(game, seat) == before


def test_the_commitment_to_hidden_rolls_is_public_before_the_first():
    game = RecordedGame()
    (entry,) = game.entries()
    for seat in (GM, *OTHERS):
        assert game.table.snapshot(seat).dice.hidden == entry.dice.hidden
    assert entry.dice.hidden.epoch != entry.dice.epoch


def test_the_owner_of_a_hidden_token_does_not_learn_the_number_of_its_roll():
    game = RecordedGame()
    hide_the_orc(game, owners=["ann"])
    rolled = game.attack().entry
    while rolled is None:
        game.do("undo", {})
        rolled = game.attack().entry
    (sent,) = game.table.entries_after(ANN, rolled.seq - 1).entries
    assert sent.facts["rolls"]
    assert msgspec.to_builtins(sent.dice) == {"type": "sealed", "epoch": rolled.dice.epoch}


def test_a_canceled_hidden_act_is_void_and_only_the_gm_sees_it():
    game = RecordedGame()
    while "waiting" not in game.attack(secret=True).result:
        game.do("undo", {})
    before = all_told(game, SPECTATOR)
    done = game.do("undo", {})
    assert is_hidden_roll(done.entry)
    assert done.entry.dice.void
    assert all_told(game, SPECTATOR) == before
    assert verify(game.log()).holds


def test_a_revealed_roll_has_its_text_and_a_proof_for_both_verifiers():
    game = RecordedGame()
    rolled = missed_in_secret(game)
    game.do("dice.reveal", {"seq": rolled.seq})
    (sent,) = game.table.entries_after(SPECTATOR, game.table.seq - 1).entries
    assert rolled.text in sent.text
    assert sent.facts["rolls"] == rolled.facts["rolls"]
    assert sent.dice.link == rolled.dice.link
    report = verify(game.log())
    assert (report.holds, report.shown) == (True, 1)


def test_a_revealed_roll_of_a_still_hidden_token_shows_only_its_dice():
    game = RecordedGame()
    rolled = attacked_while_hidden(game)
    game.do("dice.reveal", {"seq": rolled.seq})
    (sent,) = game.table.entries_after(SPECTATOR, game.table.seq - 1).entries
    assert [roll["faces"] for roll in sent.facts["rolls"]] == [r["faces"] for r in rolled.facts["rolls"]]
    assert "Orc" not in json.dumps(msgspec.to_builtins(sent))
    assert verify(game.log()).holds


@pytest.fixture(params=["memory", "sqlite"])
def kept_game(request, tmp_path):
    """A game that is kept in memory, and one on disk."""
    if request.param == "memory":
        yield RecordedGame()
        return
    with closing(SqlStore(f"sqlite:///{tmp_path}/x.sqlite")) as store:
        yield RecordedGame(store)


@pytest.mark.parametrize(
    "going", [("token.remove", {"token": "orc-3"}), ("scene.set", {"scene": SCENE})], ids=itemgetter(0)
)
def test_a_revealed_roll_does_not_name_a_token_removed_while_hidden(kept_game, going):
    game = kept_game
    rolled = attacked_while_hidden(game)
    game.do(*going)
    if going[0] == "scene.set":
        game.do("token.remove", {"token": "orc-3"})
    game.do("dice.reveal", {"seq": rolled.seq})
    (sent,) = game.table.entries_after(SPECTATOR, game.table.seq - 1).entries
    assert sent.text == "The GM reveals a hidden roll."
    assert "Orc" not in json.dumps(msgspec.to_builtins(sent))


def test_revealing_a_roll_reads_the_log_in_batches():
    game = RecordedGame()
    rolled = attacked_while_hidden(game)
    orc = game.table.scene.token("orc-3")
    read = []

    def since():
        for number in range(2_000):
            large = {"hands": [f"{number}" + "x" * 5_000]}
            gone = replace(orc, id=f"gone-{number}", name=f"Gone {number}", profile=large)
            events = (TokenRemoved(was=gone),)
            yield Entry(seq=number, id="c", seat="gm", kind="token.remove", at_ms=0, events=events)
            read.append(number)

    tracemalloc.start()
    try:
        reveal_roll(replace(game.table.scene, tokens=()), rolled, since())
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
        assert len(read) == 2_000
    finally:
        tracemalloc.stop()


def test_a_revealed_roll_omits_the_help_of_a_still_hidden_token():
    """A banner near the target counts in the sum, and who bears it is hidden after the attacker is not."""
    sent = []
    for has_bearer in (False, True):
        game = RecordedGame()
        if has_bearer:
            put_a_bearer(game)
        hide_the_orc(game, at=[3, 2], facing=270)
        rolled = a_one_against_bran(game)
        assert ("banner" in json.dumps(rolled.facts)) == has_bearer
        hide_the_orc(game, at=[3, 2], hidden=False)
        game.do("dice.reveal", {"seq": rolled.seq})
        (shown,) = game.table.entries_after(SPECTATOR, game.table.seq - 1).entries
        sent.append((shown.text, shown.facts))
    assert sent[0] == sent[1]
    assert "Orc 3 misses Bran" in sent[1][0]


def a_one_against_bran(game):
    blow = {"kind": "melee", "token": "orc-3", "target": "bran", "weapon": "axe"}
    while True:
        done = game.do("act", {"act": blow, "override": "x"})
        if done.entry and done.entry.facts["rolls"][0]["faces"] == [1]:
            return done.entry
        game.do("undo", {})


def put_a_bearer(game):
    bran = msgspec.json.decode(msgspec.json.encode(game.table.scene.token("bran")))
    profile = {**bran["profile"], "hands": ["banner", "hammer"]}
    bearer = {"id": "flag", "name": "Flag", "at": [2, 4], "hidden": True, "profile": profile}
    game.do("token.place", {"token": {**bran, **bearer}})


def test_only_the_gm_can_reveal_and_only_an_existing_hidden_roll():
    game = RecordedGame()
    game.attack_to_the_end()
    for seq in (1, 2, 99):
        with pytest.raises(NotFound):
            game.do("dice.reveal", {"seq": seq})
    with pytest.raises(Forbidden):
        game.do("dice.reveal", {"seq": 2}, seat=ANN)


@pytest.mark.parametrize("change", ["faces", "index", "never rolled"])
def test_a_hidden_roll_cannot_be_revealed_with_other_dice(change):
    game = RecordedGame()
    rolled = missed_in_secret(game)
    game.do("dice.reveal", {"seq": rolled.seq})
    values = values_of(game.log())
    shown = values[-2]
    if change == "faces":
        shown["facts"]["rolls"][0]["faces"][0] ^= 1
    elif change == "index":
        shown["dice"]["index"] += 1
    else:
        values[rolled.seq] = {**values[rolled.seq], "dice": None, "facts": {}, "events": []}
    assert not verify(resealed(values)).holds


def test_an_older_table_gets_a_hidden_chain_and_logs_it():
    game = RecordedGame()
    game.attack_to_the_end()
    kept = game.store.load(game.table.id)
    game.store.save(replace(kept, revision=kept.revision + 1, hidden_dice=None), None, None)
    game.enter()
    assert "Hidden rolls have their own chain" in game.entries()[-1].text
    game.attack_to_the_end(secret=True)
    game.attack_to_the_end()
    assert verify(game.log()).holds


def test_an_act_pending_during_an_upgrade_keeps_its_dice():
    game = RecordedGame()
    while "waiting" not in (done := game.attack()).result:
        game.do("undo", {})
    kept = game.store.load(game.table.id)
    game.store.save(replace(kept, revision=kept.revision + 1, hidden_dice=None), None, None)
    game.enter()
    while choice := done.result.get("waiting"):
        done = game.do("choice.answer", {"choice": choice["id"], "answer": choice["default"]})
    assert game.store.load(game.table.id).hidden_dice is not None
    assert verify(game.log()).holds


def test_an_act_against_a_hidden_token_is_a_hidden_roll():
    game = RecordedGame()
    hide_the_orc(game)
    assert ACT["target"] == "orc-3"
    game.attack_to_the_end()
    used = [entry for entry in game.entries() if "Used" in str(type(entry.dice))]
    assert used
    assert all(is_hidden_roll(entry) for entry in used)
