"""Outgoing messages have the published shape."""

from __future__ import annotations

import orjson
import pytest
from tests.contract import differences

from enfilade import errors
from enfilade.client.http import error_from_json
from enfilade.messages import dump
from enfilade.play.command import CommandResult, Entries, Snapshot
from enfilade.scene.entry import RedactedEntry
from enfilade.scene.events import TokenMoved
from enfilade.scene.model import Grid, Scene, Side

SCENE = Scene(
    ruleset="any",
    grid=Grid("square", 5, 5, distance=1.5),
    conditions={"z": "\u202e\x00é", "a": "\U0001f600"},
    sides=(Side(id="red", name="Red"),),
)

PROBLEMS = [
    errors.BadMessage({"body.at": ["Missing data."]}),
    errors.BadFile("cut short", "portals[2].bounds"),
    errors.NotFound("There is no token 'x' at this table."),
    errors.IllegalAct("It is downed.", "CDG-071"),
    errors.OutOfReach("Blocked by the wall between you and Orc 3.", "CDG-051"),
    errors.StaleBase("The table has moved on.", 7),
    errors.OutOfOrder("That was command 5."),
    errors.StoreDown("Nothing can be stored now."),
    errors.EnfiladeError("Something went wrong."),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.code)
def test_every_error_has_the_published_shape(problem):
    assert not differences("error", dump.error(problem))
    assert not differences("ack", dump.refusal("c1", problem))


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.code)
def test_each_error_keeps_its_type_over_the_wire(problem):
    back = error_from_json(dump.error(problem))
    assert type(back) is type(problem)
    assert dump.error(back) == dump.error(problem)


def test_an_error_without_a_rule_does_not_speak_of_rules():
    assert "rule" not in dump.error(errors.IllegalAct("No."))


def test_an_update_and_an_answer_have_the_published_shape():
    assert not differences(
        "update", dump.update("t1", "0" * 16, "entries", 3, Entries(entries=(), choice=None))
    )
    assert not differences("ack", dump.ack("c1", CommandResult(seq=3, result={"overlay": None})))
    assert not differences("ack", dump.ack("c1", CommandResult(seq=3, result={}, is_again=True)))


def test_names_are_written_in_sorted_order():
    first, then = ({"b": "", "a": ""}, {"a": "", "b": ""})
    assert list(dump.plain({"conditions": first})["conditions"]) == list(then)


def test_a_snapshot_is_written_like_all_other_updates():
    given = {"role": "gm", "seat": "", "scene": SCENE, "log": (), "choice": None, "ruleset": {"b": 1, "a": 2}}
    whole = Snapshot(**given, bodies={"z": ((1, 2, 3),), "a": ()}, hash="0f")
    written = orjson.dumps(dump.written("t1", "0" * 16, "snapshot", 3, whole))
    assert written == orjson.dumps(dump.update("t1", "0" * 16, "snapshot", 3, whole))


def test_entries_are_written_like_other_updates_with_sorted_names():
    moved = TokenMoved(token="orc", at=(1, 2), facing=90, was_at=None, was_facing=None)
    entry = RedactedEntry(
        seq=3, id="c", seat="gm", kind="act", at_ms=5, events=(moved,), facts={"z": 1, "a": {"é": 0.5}}
    )
    some = Entries(entries=(entry,), choice=None, bodies={"z": ((1, 2, 3),), "a": ()}, hash="0f")
    written = orjson.dumps(dump.written("t1", "0" * 16, "entries", 3, some))
    assert written == orjson.dumps(dump.update("t1", "0" * 16, "entries", 3, some))
    assert written.index(b'"a":{') < written.index(b'"z":1')
