"""A command takes its link before any dice exist, and every taken link is accounted for."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec
import pytest
from tests.property.fair_dice.broken_off import DOZEN
from tests.property.fair_dice.logs import RecordedGame

from enfilade.cli.verify import verify
from enfilade.errors import IllegalAct, StaleBase, StoreDown
from enfilade.messages.load import load_command
from enfilade.play.commands import acts
from enfilade.play.dice import Chains
from enfilade.play.tables import Tables
from enfilade.rules.fair import derive_key
from enfilade.rules.resolve import WrongAnswer
from enfilade.scene.model import GM, SPECTATOR, Seat
from enfilade.scene.proofs import RulesVersion
from enfilade.store.dice_secrets import DiceSecretFolder, MemoryDiceSecrets
from enfilade.store.members import Member
from enfilade.store.memory import MemoryStore
from enfilade.store.sql.tables import SqlStore

ROOT = Path(__file__).parents[3]


def notes(game, kind):
    return [entry.dice for entry in game.entries() if entry.dice and type(entry.dice).__name__ == kind]


def faces(entry):
    return [face for roll in entry.facts["rolls"] for face in roll["faces"]]


def rolled_until(game, is_wanted):
    """Attacks until one is wanted, each taken back."""
    while not is_wanted(done := game.attack()):
        game.do("undo", {})
    return done


def test_the_head_is_in_the_log_and_in_every_snapshot_before_the_first_roll():
    game = RecordedGame()
    (entry,) = game.entries()
    assert (entry.seq, entry.dice.head) == (1, game.table.snapshot(SPECTATOR).dice.head)
    assert game.table.snapshot(GM).dice.next == 1
    assert entry.dice.head[:16] in entry.text


def test_an_attack_uses_one_link_and_a_refused_one_none():
    game = RecordedGame()
    game.attack_to_the_end()
    with pytest.raises(IllegalAct):
        game.do("act", {"act": {"kind": "melee", "token": "bran", "target": "bran", "weapon": "hammer"}})
    assert game.table.snapshot(GM).dice.next == 2


def test_typed_dice_use_no_link_and_say_so():
    game = RecordedGame()
    entry = game.attack(faces=[2]).entry
    assert entry.dice is None
    assert entry.facts["rolls"][0]["typed"] is True
    assert game.table.snapshot(GM).dice.next == 1


def test_the_same_command_again_rolls_nothing_new():
    game = RecordedGame()
    first = game.attack(command_id="same")
    again = game.attack(command_id="same", random="0" * 31 + "1")
    assert again.result == first.result
    assert game.table.snapshot(GM).dice.next == 2


def test_dice_follow_from_every_input_and_from_nothing_else():
    what = {
        "table": "t",
        "epoch": "e",
        "index": 1,
        "command": "c",
        "random": "00",
        "rules": RulesVersion(ruleset="torn"),
    }
    others = [
        {"table": "u"},
        {"epoch": "f"},
        {"index": 2},
        {"command": "d"},
        {"random": "01"},
        {"rules": RulesVersion(ruleset="torn", house_rules={"torn.a": True})},
        {"players": "00"},
    ]
    keys = {derive_key(bytes(32), **{**what, **other}) for other in others}
    assert len(keys | {derive_key(bytes(32), **what), derive_key(bytes(31) + b"1", **what)}) == 9
    assert derive_key(bytes(32), **what) == derive_key(bytes(32), **what)


def test_a_pending_choice_keeps_its_link_through_a_restart():
    game = RecordedGame()
    waiting = rolled_until(game, lambda done: "waiting" in done.result).result["waiting"]
    before = game.table.snapshot(GM).dice.next
    game.enter()
    assert game.table.snapshot(GM).dice.next == before
    game.do("choice.answer", {"choice": waiting["id"], "answer": waiting["default"]})
    assert notes(game, "IndexUsed")[-1].index == before - 1
    assert verify(game.log()).holds


def test_dice_on_both_sides_of_a_choice_are_proven_by_one_link():
    game = RecordedGame(rulesets={"coup_de_grace": DOZEN})
    waiting = game.do("act", {"act": {"kind": "again", "token": "bran"}}).result["waiting"]
    game.enter()
    done = game.do("choice.answer", {"choice": waiting["id"], "answer": "yes"})
    assert faces(done.entry)[:2] == list(waiting["facts"]["rolls"][0]["faces"])
    report = verify(game.log())
    assert (report.holds, report.rolled, report.dice) == (True, 1, 5), report.why


def test_a_refused_answer_of_another_seat_does_not_void_the_pending_dice():
    game = RecordedGame(rulesets={"coup_de_grace": DOZEN})
    ann = Seat("player", "ann")
    member = Member(table=game.table.id, id="ann", role="player", name="Ann")
    game.store.members.add_member(member, "Ann's key")
    game.do("tokens.assign", {"player": "ann", "tokens": ["bran"]})
    act = {"act": {"kind": "again", "token": "bran"}}
    waiting = game.do("act", act, command_id="same").result["waiting"]
    answer = {"choice": waiting["id"], "answer": "maybe"}
    with pytest.raises(WrongAnswer):
        game.do("choice.answer", answer, command_id="same", seat=ann)
    done = game.do("choice.answer", {**answer, "answer": "yes"}, seat=ann)
    assert faces(done.entry)[:2] == list(waiting["facts"]["rolls"][0]["faces"])
    assert verify(game.log()).holds


def test_an_interrupted_act_is_finished_at_the_next_start():
    game = RecordedGame(store=FailingStore(), rulesets={"coup_de_grace": DOZEN})
    game.store.is_down = True
    with pytest.raises(StoreDown):
        game.do("act", {"act": {"kind": "throw", "token": "bran"}}, command_id="broken")
    game.store.is_down = False
    game.enter()
    assert [entry.id for entry in game.entries()][1:] == ["broken"]


def test_canceling_a_rolled_act_is_logged_for_all_with_the_reason():
    game = RecordedGame()
    rolled_until(game, lambda done: "waiting" in done.result)
    game.do("undo", {})
    last = game.table.snapshot(SPECTATOR).log[-1]
    assert last.dice.void == "The pending act was canceled."
    assert "do not count" in last.text
    report = verify(game.log())
    assert (report.holds, report.void) == (True, 1)


def test_an_act_that_fails_after_its_roll_is_void_and_the_next_succeeds(monkeypatch):
    game = RecordedGame()
    with monkeypatch.context() as patch:
        for name in ("log_text", "build_choices"):
            patch.setattr(acts, name, lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            game.attack()
    assert [note.void for note in notes(game, "IndexUsed")] == ["The act could not be finished."]
    game.attack_to_the_end()
    report = verify(game.log())
    assert (report.holds, report.void, report.rolled) == (True, 1, 1)


class FailingStore(MemoryStore):
    """A store that cannot store entries for a while."""

    is_down = False

    def save(self, kept, entry, answered):
        if self.is_down and answered is not None:
            raise StoreDown("Not now.")
        super().save(kept, entry, answered)


def test_an_unstored_act_rolls_the_same_dice_when_sent_again():
    for _ in range(6):
        game = RecordedGame(store=FailingStore())
        game.store.is_down = True
        with pytest.raises(StoreDown):
            game.attack(command_id="again", random="1" * 32)
        intake = game.store.load(game.table.id).dice.pending
        assert (intake.index, intake.random, intake.command["id"]) == (1, "1" * 32, "again")
        with pytest.raises(StoreDown):
            game.attack(command_id="another")
        game.store.is_down = False
        done = game.attack(command_id="again", random="2" * 32)
        game.enter()
        if "waiting" not in done.result:
            assert notes(game, "IndexUsed")[0].random == "1" * 32
        assert game.table.snapshot(GM).dice.next == 2
        assert verify(game.log()).holds


def test_a_new_chain_follows_a_used_up_one_at_once():
    game = RecordedGame(links=2)
    game.attack_to_the_end()
    game.attack_to_the_end()
    assert len(notes(game, "ChainOpened")) == 2
    for _ in range(3):
        game.attack_to_the_end()
    opened = notes(game, "ChainOpened")
    assert len(opened) == 3
    assert opened[1].reason == "The previous chain is used up."
    assert len({note.head for note in opened}) == 3
    assert verify(game.log()).holds


def test_a_table_without_its_secret_gets_a_new_chain_with_a_reason():
    game = RecordedGame()
    game.attack_to_the_end()
    game.seeds = MemoryDiceSecrets()
    game.enter()
    assert "not on this server" in notes(game, "ChainOpened")[-1].reason
    game.attack_to_the_end()
    assert verify(game.log()).holds


@pytest.fixture
def open_store():
    """Return a function that opens the store in a file; they are closed at the end."""
    with ExitStack() as stores:
        yield lambda file: stores.enter_context(closing(SqlStore(f"sqlite:///{file}")))


def test_a_restored_table_never_rolls_dice_that_were_shown(tmp_path, open_store):
    game = RecordedGame(store=open_store(tmp_path / "now.sqlite"), seeds=DiceSecretFolder(tmp_path / "seeds"))
    game.attack_to_the_end()
    copy = {path.name: path.read_bytes() for path in tmp_path.glob("now.sqlite*")}
    game.attack_to_the_end()
    shown = notes(game, "IndexUsed")[-1].link
    (tmp_path / "then").mkdir()
    for name, data in copy.items():
        (tmp_path / "then" / name).write_bytes(data)
    game.store = open_store(tmp_path / "then" / "now.sqlite")
    game.enter()
    assert "restored to an earlier state" in notes(game, "ChainOpened")[-1].reason
    game.attack_to_the_end()
    assert shown not in str(game.entries())
    assert verify(game.log()).holds


def test_no_secret_is_in_the_database_an_export_or_a_snapshot(tmp_path, open_store):
    seeds = DiceSecretFolder(tmp_path / "seeds")
    game = RecordedGame(store=open_store(tmp_path / "tables.sqlite"), seeds=seeds)
    for _ in range(5):
        game.attack_to_the_end()
    chained = game.store.load(game.table.id).dice
    secret = seeds.secret(game.table.id, chained.epoch)
    chain = game.make()._dice
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("tables.sqlite*"))
    seen = kept + game.log() + b"".join(msgspec.json.encode(game.table.snapshot(r)) for r in (GM, SPECTATOR))
    hidden = [
        secret,
        *(chain._link(game.table.id, chained, i) for i in range(chained.next, chained.next + 99)),
    ]
    for link in hidden:
        assert link not in seen
        assert link.hex().encode() not in seen
    shown = chain._link(game.table.id, chained, chained.next - 1)
    assert shown.hex().encode() in kept, "the search finds what is there"


def test_only_the_owner_can_read_the_secrets(tmp_path):
    RecordedGame(seeds=DiceSecretFolder(tmp_path / "seeds"))
    for seed in (tmp_path / "seeds").iterdir():
        assert seed.stat().st_mode & 0o077 == 0
    assert (tmp_path / "seeds").stat().st_mode & 0o077 == 0


def test_a_kill_between_taking_a_link_and_rolling_changes_no_die(tmp_path, open_store):
    """Killed (-9) once the act is stored and its link spent; two servers then finish it, each on a copy."""
    command = [sys.executable, "-m", "tests.property.fair_dice.broken_off", str(tmp_path / "killed")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        table, key = json.loads(server.stdout.readline())
        assert server.stdout.readline() == "taken\n"
        server.kill()
    folders = [tmp_path / copy for copy in ("one", "other")]
    for folder in folders:
        shutil.copytree(tmp_path / "killed", folder)
    fallen = [finished(folder, open_store(folder / "tables.sqlite"), table, key) for folder in folders]
    assert fallen[0] == fallen[1]
    assert len(fallen[0]) == 12


def finished(folder, store, table, key):
    """The dice of an act that was broken off, as a server that starts on a copy of the data finishes it."""
    assert store.load(table).dice.pending.index == 1
    tables = Tables(store, {"coup_de_grace": DOZEN}, Chains(DiceSecretFolder(folder / "seeds")))
    found, _ = tables.enter(table, key)
    act = {"v": 1, "id": "killed", "kind": "act", "body": {"act": {"kind": "throw", "token": "bran"}}}
    done = found.execute(GM, load_command(act))
    entry = store.entries(table, done.seq - 1, 1)[0]
    assert verify("".join(found.export_log()).encode()).holds
    assert (store.load(table).dice.next, entry.dice.random) == (2, "ab" * 16)
    return faces(entry)


def open_a_new_chain(game):
    game.seeds._secrets.clear()
    game.enter()
    assert game.entries()[-1].kind == "dice.opened"


def test_the_tables_own_dice_entries_make_no_command_stale():
    game = RecordedGame()
    base = game.table.number(GM)
    open_a_new_chain(game)
    command = {"v": 1, "id": "a", "kind": "token.move", "body": {"token": "bran", "at": [1, 1]}, "base": base}
    game.table.execute(GM, load_command(command))
    with pytest.raises(StaleBase):
        game.table.execute(GM, load_command({**command, "id": "b"}))


def test_the_tables_own_dice_entries_use_the_readers_numbering():
    """The log's own would tell how much happened in secret."""
    game = RecordedGame()
    orc = msgspec.json.decode(msgspec.json.encode(game.table.scene.token("orc-3")))
    game.do("token.place", {"token": {**orc, "id": "spy", "name": "Spy", "at": [9, 7], "hidden": True}})
    open_a_new_chain(game)
    said = [entry for entry in game.table.snapshot(SPECTATOR).log if entry.seat == "table"]
    assert len(said) > 1
    assert [entry.id for entry in said] == [f"{entry.kind}-{entry.seq}" for entry in said]
    assert [entry.id for entry in said] != [e.id for e in game.table.snapshot(GM).log if e.seat == "table"]
