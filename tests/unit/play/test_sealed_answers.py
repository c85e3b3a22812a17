"""Sealed answers: the log commits to them when the question closes, and opens them with the result."""

from __future__ import annotations

import hashlib
import itertools
import json
import subprocess
from dataclasses import asdict

import pytest
from msgspec.structs import replace
from tests.contract import differences

from enfilade.cli.verify import verify
from enfilade.errors import Busy, NotFound, StoreDown
from enfilade.importers.demo import demo_battle
from enfilade.messages import dump
from enfilade.messages.load import load_command
from enfilade.play import commit as log_entries
from enfilade.play.dice import Chains
from enfilade.play.tables import Tables
from enfilade.rules.resolve import WrongAnswer
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.scene.model import AUTOMATIC, GM, SPECTATOR, Seat
from enfilade.scene.proofs import seal
from enfilade.store.dice_secrets import MemoryDiceSecrets
from enfilade.store.memory import MemoryStore

MIA, TOM = Seat("player", "mia"), Seat("player", "tom")
NEW_IDS = itertools.count()


class Brawl:
    """The demo battle of Double Life with two players; the rest is the GM's."""

    def __init__(self, hidden=(), automatic=(), changes=None):
        scene = demo_battle(DOUBLE_LIFE).scene
        sides = {side.id: [t for t in scene.tokens if t.side == side.id] for side in scene.sides}
        heroes = next(iter(sides.values()))
        self.mias, self.toms = heroes[0].id, heroes[1].id
        owners = {self.mias: ("mia",), self.toms: ("tom",)}
        tokens = tuple(
            replace(
                t,
                owners=owners.get(t.id, ()),
                **(changes or {}).get(t.id, {}),
                hidden=t.id in hidden,
                conditions={**t.conditions, **({AUTOMATIC: ""} if t.id in automatic else {})},
            )
            for t in scene.tokens
        )
        self.store, self.secrets = MemoryStore(), MemoryDiceSecrets()
        links = self._tables().create(replace(scene, tokens=tokens))
        self.links = links
        self.enter()

    def _tables(self):
        return Tables(self.store, {"double_life": DOUBLE_LIFE}, Chains(self.secrets, 64))

    def enter(self):
        self.table, _ = self._tables().enter(self.links.table, self.links.gm_key)

    def do(self, kind, seat=GM, command_id=None, **body):
        raw = {"v": 1, "id": command_id or f"s{next(NEW_IDS)}", "kind": kind, "base": None, "body": body}
        return self.table.execute(seat, load_command(raw))

    def round(self):
        self.do("act", act={"kind": "round"})

    def choices(self, seat, token=None):
        first = self.table.snapshot(seat).choice
        all_of = [first, *first.others] if first else []
        return sorted((c for c in all_of if token in (None, c.token)), key=lambda c: c.id)

    def commit(self, seat, token, **more):
        first, *rest = self.choices(seat, token)
        also = {choice.id: choice.options[-1].key for choice in rest}
        answer = first.options[-1].key
        return self.do("choice.answer", seat=seat, choice=first.id, answer=answer, also=also, **more)

    def commit_all(self):
        mine = {self.mias: MIA, self.toms: TOM}
        tokens = dict.fromkeys(choice.token for choice in self.choices(GM))
        return [self.commit(mine.get(token, GM), token) for token in tokens]

    def log(self):
        return self.store.entries(self.table.id, 0, 1_000)

    def kinds(self):
        return [entry.kind for entry in self.log()]

    def export(self):
        return "".join(self.table.export_log())


@pytest.fixture
def brawl():
    brawl = Brawl()
    brawl.round()
    return brawl


def test_the_log_commits_to_the_answers_before_the_dice_and_opens_them_with_the_result(brawl):
    brawl.commit(MIA, brawl.mias)
    last = brawl.do("choice.close", choice=brawl.choices(GM)[0].id)
    closed, result = brawl.log()[-2:]
    assert (closed.kind, result.kind) == ("answers.sealed", "choice.close")
    (committed,), (opened,) = closed.sealed, result.sealed
    assert (committed.is_open, opened.is_open) == (False, True)
    assert {one.answer for one in committed.answers} == {""}
    assert [one.commitment for one in committed.answers] == [one.commitment for one in opened.answers]
    for one in opened.answers:
        parts = (brawl.table.id, opened.question, one.choice, one.seat, one.answer, one.salt)
        assert seal(*parts) == one.commitment
    assert last.result["outcome"]["result"] == "round"


def test_the_commitments_come_before_the_dice_of_the_round(brawl):
    for _ in range(8):
        brawl.do("choice.close", choice=brawl.choices(GM)[0].id)
        if brawl.log()[-1].dice is not None:
            break
        brawl.round()
    closed, result = brawl.log()[-2:]
    assert closed.kind == "answers.sealed"
    assert closed.at_ms <= result.at_ms
    assert (result.dice.index, result.dice.void) == (1, "")
    assert verify(brawl.export().encode()).rolled == 1


def test_a_seat_gets_a_receipt_at_once_and_finds_it_in_the_log(brawl):
    receipts = brawl.commit(MIA, brawl.mias).result["receipts"]
    assert len(receipts) == 3
    brawl.do("choice.close", choice=brawl.choices(GM)[0].id)
    (sealed,) = brawl.log()[-1].sealed
    assert receipts.items() <= {one.choice: one.commitment for one in sealed.answers}.items()


def test_equal_answers_of_two_rounds_have_different_commitments(brawl):
    brawl.commit_all()
    brawl.do("undo", seq=None)
    brawl.round()
    brawl.commit_all()
    closed = [entry.sealed[0] for entry in brawl.log() if entry.kind == "answers.sealed"]
    assert not {a.commitment for a in closed[0].answers} & {a.commitment for a in closed[1].answers}


def test_the_exported_log_holds_and_tells_how_many_answers_it_proves(brawl):
    answers = brawl.commit_all() and brawl.log()[-1].sealed[0].answers
    report = verify(brawl.export().encode())
    assert (report.holds, report.why, report.answers) == (True, "", len(answers))


def test_the_program_of_the_page_gives_the_same_report(brawl, tmp_path):
    brawl.commit_all()
    for name, data in (
        ("whole", brawl.export().encode()),
        ("answer", _forged(brawl.export(), _change_answer)),
        ("commitment", _forged(brawl.export(), _change_commitment)),
        ("event", _forged(brawl.export(), _change_event)),
    ):
        file = tmp_path / name
        file.write_bytes(data)
        program = ["node", "plugin_manifest/scripts/core/dice/verify-dice.js", str(file)]
        printed = subprocess.run(program, capture_output=True, check=False).stdout
        assert json.loads(printed) == asdict(verify(data)), name


def _forged(text, change):
    """Return an exported log with changed entries and new hashes, as an exporter could write it."""
    values = [json.loads(line.partition(" ")[2]) for line in text.splitlines()]
    for value in values:
        change(value)
    lines, sealed = [], ""
    for value in values:
        line = json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
        sealed = hashlib.sha256(f"{sealed} {line}".encode()).hexdigest()
        lines.append(f"{sealed} {line}\n")
    return "".join(lines).encode()


def _change_answer(value):
    for note in value.get("sealed", []):
        for one in note["answers"][:1] if note["is_open"] else []:
            one["answer"] = "defend left" if one["answer"] != "defend left" else "defend right"


def _change_commitment(value):
    for note in value.get("sealed", []):
        if not note["is_open"]:
            note["answers"][0]["commitment"] = "0" * 64


def _drop_closing(value):
    if value.get("kind") == "answers.sealed":
        value["sealed"] = []


def _change_event(value):
    for event in value.get("events", []):
        if event["type"] == "choice_made" and not event["automatic"]:
            event["answer"] = "another"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_change_answer, "does not match its commitment"),
        (_change_commitment, "not committed to first"),
        (_drop_closing, "not committed to first"),
        (_change_event, "other answers than those revealed"),
    ],
)
def test_a_changed_answer_is_found(brawl, change, why):
    brawl.commit_all()
    report = verify(_forged(brawl.export(), change))
    assert not report.holds
    assert why in report.why


def test_no_seat_learns_anything_from_an_answer_not_even_the_gm(brawl):
    others = (GM, TOM, SPECTATOR)
    before = [brawl.table.snapshot(seat) for seat in others], brawl.export(), brawl.table.seq
    brawl.commit(MIA, brawl.mias)
    brawl.commit(MIA, brawl.mias)
    assert before == ([brawl.table.snapshot(seat) for seat in others], brawl.export(), brawl.table.seq)


def test_all_answers_of_a_command_are_stored_or_none(brawl):
    first, second, _ = brawl.choices(MIA, brawl.mias)
    with pytest.raises(WrongAnswer):
        brawl.do(
            "choice.answer",
            seat=MIA,
            choice=first.id,
            answer=first.options[0].key,
            also={second.id: "perhaps"},
        )
    assert {choice.given for choice in brawl.choices(MIA)} == {""}
    (toms, *_) = brawl.choices(TOM, brawl.toms)
    with pytest.raises(NotFound):
        brawl.do(
            "choice.answer",
            seat=MIA,
            choice=first.id,
            answer=first.options[0].key,
            also={toms.id: toms.default},
        )


def test_the_gms_answer_counts_only_without_one_of_the_player(brawl):
    (mine, *_) = brawl.choices(MIA, brawl.mias)
    brawl.do("choice.answer", seat=MIA, choice=mine.id, answer="defend left")
    brawl.do("choice.answer", choice=mine.id, answer="defend right")
    (toms, *_) = brawl.choices(TOM, brawl.toms)
    brawl.do("choice.answer", choice=toms.id, answer="defend right")
    brawl.do("choice.close", choice=mine.id)
    found = {one.choice: (one.seat, one.answer) for one in brawl.log()[-1].sealed[0].answers}
    assert found[mine.id] == ("player:mia", "defend left")
    assert found[toms.id] == ("gm", "defend right")
    assert {seat for seat, _ in found.values()} == {"player:mia", "gm", ""}


def test_the_answers_of_a_player_who_leaves_stay_and_the_gm_gives_the_others(brawl):
    (mine, *_) = brawl.choices(MIA, brawl.mias)
    brawl.do("choice.answer", seat=MIA, choice=mine.id, answer="defend left")
    brawl.do("tokens.assign", player="mia", tokens=[])
    assert brawl.choices(GM)
    brawl.do("choice.close", choice=mine.id)
    found = {one.choice: one.answer for one in brawl.log()[-1].sealed[0].answers}
    assert found[mine.id] == "defend left"


def test_a_character_that_is_automatic_is_not_asked():
    brawl = Brawl(automatic=(Brawl().toms,))
    brawl.round()
    assert brawl.choices(TOM, brawl.toms) == []
    assert brawl.choices(MIA, brawl.mias)


def test_the_choices_of_a_hidden_character_are_in_no_view_and_no_number_of_another_seat():
    first = Brawl()
    hidden = [t.id for t in first.table.scene.tokens if not t.owners][:1]
    brawl = Brawl(hidden=hidden)
    brawl.round()
    ids = {choice.id for choice in brawl.choices(GM, hidden[0])}
    brawl.commit_all()
    for seat in (MIA, SPECTATOR):
        seen = repr([entry.sealed for entry in brawl.table.entries_after(seat, 0).entries])
        assert not any(choice in seen for choice in ids)
        assert hidden[0] not in seen
    assert verify(brawl.export().encode()).holds


def test_a_hidden_character_with_the_name_of_another_takes_away_no_answer():
    first = Brawl()
    mia, tom = (first.table.scene.token(one) for one in (first.mias, first.toms))
    enemy = next(t for t in first.table.scene.tokens if t.side != mia.side)
    near = {tom.id: {"at": (mia.at[0], mia.at[1] + 1)}}  # so that Mia's may guard Tom's
    found = []
    for name in (enemy.name, tom.name):
        brawl = Brawl(hidden=(enemy.id,), changes={**near, enemy.id: {"name": name}})
        brawl.round()
        found.append([[o.label for o in c.options] for c in brawl.choices(MIA, brawl.mias)])
    assert any(tom.name in label for label in found[0][0])
    assert found[0] == found[1]


def test_a_crash_after_the_commitments_finishes_the_round_with_the_same_answers(brawl, monkeypatch):
    brawl.commit(MIA, brawl.mias)
    save, broken = brawl.store.save, []

    def fail_after_closing(state, entry, reply):
        if entry is not None and entry.kind == "choice.close":
            broken.append(entry)
            raise StoreDown("The power is gone.")
        save(state, entry, reply)

    monkeypatch.setattr(brawl.store, "save", fail_after_closing)
    choice = brawl.choices(GM)[0].id
    with pytest.raises(StoreDown):
        brawl.do("choice.close", command_id="close", choice=choice)
    monkeypatch.setattr(brawl.store, "save", save)
    brawl.enter()
    assert brawl.kinds().count(log_entries.ANSWERS_SEALED) == 1
    assert brawl.log()[-1].events == broken[0].events
    assert brawl.table.snapshot(GM).choice is None
    assert verify(brawl.export().encode()).answers == len(broken[0].sealed[0].answers)
    again = brawl.do("choice.close", command_id="close", choice=choice)  # the page sends it again
    assert again.is_again


def test_between_commitments_and_result_no_answer_can_be_changed(brawl, monkeypatch):
    save = brawl.store.save

    def fail(state, entry, reply):
        if entry is not None and entry.kind != log_entries.ANSWERS_SEALED:
            raise StoreDown("The power is gone.")
        save(state, entry, reply)

    choice = brawl.choices(MIA)[0]
    monkeypatch.setattr(brawl.store, "save", fail)
    with pytest.raises(StoreDown):
        brawl.do("choice.close", choice=choice.id)
    with pytest.raises((StoreDown, NotFound, Busy)):
        brawl.do("choice.answer", seat=MIA, choice=choice.id, answer=choice.options[-1].key)
    monkeypatch.setattr(brawl.store, "save", save)
    with pytest.raises(NotFound):
        brawl.do("choice.answer", seat=MIA, choice=choice.id, answer=choice.options[-1].key)
    assert verify(brawl.export().encode()).holds


def test_a_player_sees_the_odds_of_a_plan_against_each_stance_of_each_visible_opponent(brawl):
    (stance, *_) = brawl.choices(MIA, brawl.mias)
    table = brawl.table.matchups(MIA, {stance.id: stance.default})
    scene = brawl.table.scene
    enemies = {t.id for t in scene.on_board() if not scene.are_allies(t, scene.token(brawl.mias))}
    assert {one.token for one in table.opponents} == enemies
    assert all(row.exact and len(row.values) == len(table.columns) for o in table.opponents for row in o.rows)
    with pytest.raises(NotFound):
        brawl.table.matchups(TOM, {stance.id: stance.default})
    with pytest.raises(WrongAnswer):
        brawl.table.matchups(MIA, {stance.id: "perhaps"})


def test_a_matchup_is_sent_in_its_published_shape(brawl):
    (stance, *_) = brawl.choices(MIA, brawl.mias)
    sent = dump.plain(brawl.table.matchups(MIA, {stance.id: stance.default}))
    assert not differences("matchups", sent)
    assert sent["opponents"]


def test_a_hidden_opponent_is_in_no_matchup():
    first = Brawl()
    scene = first.table.scene
    (enemy, *_) = [t.id for t in scene.on_board() if not scene.are_allies(t, scene.token(first.mias))]
    brawl = Brawl(hidden=(enemy,))
    brawl.round()
    (stance, *_) = brawl.choices(MIA, brawl.mias)
    assert enemy not in repr(brawl.table.matchups(MIA, {stance.id: stance.default}))
    assert enemy in repr(brawl.table.matchups(GM, {stance.id: stance.default}))
