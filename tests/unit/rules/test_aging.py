"""Rulesets that change their profiles, go away and come back: what a table makes of it."""

from __future__ import annotations

import logging
from dataclasses import replace
from importlib.metadata import EntryPoint
from typing import Annotated

import msgspec
import pytest
from tests.example import EXAMPLE, FIRST_BLOOD

from enfilade.analysis.past import past_of
from enfilade.errors import IllegalAct, NotFound
from enfilade.importers.demo import demo_battle
from enfilade.play.command import Command
from enfilade.play.tables import Tables
from enfilade.rules import registry
from enfilade.rules.conformance import ConformanceError, check_conformance
from enfilade.rules.dice import SeededDice
from enfilade.rules.procedures import Act
from enfilade.rules.profiles import OldProfile, migrated_profile, read_profile, wrong_migrations
from enfilade.rules.registry import (
    IncompleteRuleset,
    find_rulesets,
    is_stand_in,
    load_rulesets,
    require_complete,
    stand_in,
)
from enfilade.rules.resolve import refusal
from enfilade.rules.ruleset import Unit
from enfilade.scene.model import GM, SPECTATOR
from enfilade.store.memory import MemoryStore


class NewProfile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The profile of First Blood with a renamed field."""

    pace: Annotated[int, msgspec.Meta(ge=1, le=6)] = 3
    hit_points: Annotated[int, msgspec.Meta(ge=1, le=9)] = 2


def migrate(profile, from_version):
    assert from_version == 1
    return {"pace" if name == "speed" else name: value for name, value in profile.items()}


class Old(NewProfile, frozen=True):
    """The profile that the functions of the page read."""

    @property
    def speed(self):
        return self.pace


CATALOG = tuple(Unit(one.key, one.name, migrate(one.profile, 1)) for one in FIRST_BLOOD.catalog)
SECOND = replace(
    FIRST_BLOOD,
    profile=NewProfile,
    catalog=CATALOG,
    version=2,
    migrate=migrate,
    older_profiles={1: ({"speed": 4}, {})},
)


@pytest.fixture
def reads_new(monkeypatch):
    """Have the functions of the page read the renamed field."""
    monkeypatch.setattr(EXAMPLE, "profile", lambda token: read_profile(token.profile, Old))


class OldTable:
    """A table of First Blood whose server starts again with other rulesets."""

    def __init__(self):
        self.store = MemoryStore()
        self.tables = Tables(self.store, {"first_blood": FIRST_BLOOD}, SeededDice(1))
        self.links = self.tables.create_empty("first_blood", "The duel")
        self.count = 0
        battle = demo_battle(FIRST_BLOOD)
        for token in battle.scene.tokens:
            raw = msgspec.to_builtins(replace_profile(token))
            self.do("token.place", {"token": raw})

    def restart(self, *rulesets):
        self.tables = Tables(self.store, {one.key: one for one in rulesets}, SeededDice(1))
        return self.table

    @property
    def table(self):
        return self.tables.find(self.links.table)

    def do(self, kind, body):
        self.count += 1
        return self.table.execute(GM, Command(id=f"c{self.count}", kind=kind, body=body))


def replace_profile(token):
    return msgspec.structs.replace(token, profile={"speed": 4, "hit_points": 2})


@pytest.fixture
def played():
    return OldTable()


def texts(table):
    return [entry.text for entry in table.snapshot(GM).log]


def test_a_renamed_field_opens_the_old_table(played, reads_new):
    table = played.restart(SECOND)
    assert {tuple(sorted(token.profile)) for token in table.scene.tokens} == {("hit_points", "pace")}
    assert texts(table)[-1].startswith("The units were brought to the new version of First Blood.")
    token = table.scene.tokens[0]
    assert table.ruleset.card(table.scene, token)[0].value == "4"
    assert played.restart(SECOND).seq == table.seq, "It is migrated once."


def test_undo_ends_where_profiles_changed(played, reads_new):
    played.restart(SECOND)
    with pytest.raises(IllegalAct):
        played.do("undo", {"seq": None})
    token = played.table.scene.tokens[0]
    played.do("token.remove", {"token": token.id})
    played.do("undo", {"seq": None})
    assert played.table.scene.token(token.id) == token


def test_the_past_of_a_migrated_table_is_read_in_todays_shape(played, reads_new):
    last = played.table.seq
    table = played.restart(SECOND)
    past = past_of(table)
    assert all("speed" not in token.profile for token in past.scene(table, GM, last).tokens)
    page = past.replay(table, GM, 0)
    assert [entry.text for entry in page.entries] == texts(table)
    assert past.statistics(table, GM) is not None
    token = table.scene.tokens[-1].id
    assert next(iter(past.overlays(table, GM, token, last, 1))) is not None
    assert next(iter(past.battle_lines(table))).startswith('{"scene"')


def test_a_new_table_needs_no_migration(reads_new):
    store = MemoryStore()
    tables = Tables(store, {"first_blood": SECOND}, SeededDice(1))
    links = tables.create_empty("first_blood", "New")
    assert tables.find(links.table).seq == 0
    assert store.load(links.table).version_at(0) == 2


def test_a_table_without_its_ruleset_is_read_and_refuses_what_would_change_it(played):
    before = played.table.state
    log = texts(played.table)
    table = played.restart()
    assert is_stand_in(table.ruleset)
    assert texts(table) == log
    assert table.state == before
    assert table.snapshot(SPECTATOR).scene.tokens
    for kind, body in [("token.remove", {"token": table.scene.tokens[0].id}), ("undo", {"seq": None})]:
        with pytest.raises(NotFound, match="'first_blood' is not installed"):
            played.do(kind, body)
    assert "first_blood (not installed)" in table.snapshot(GM).ruleset["title"]


def test_it_plays_on_when_the_ruleset_is_back(played):
    played.restart()
    table = played.restart(FIRST_BLOOD)
    token = table.scene.tokens[0].id
    played.do("token.remove", {"token": token})
    played.do("undo", {"seq": None})
    assert table.scene.token(token)


def test_a_ruleset_that_is_older_than_the_table_leaves_it_alone(played, reads_new):
    after = played.restart(SECOND).state
    table = played.restart(FIRST_BLOOD)
    assert is_stand_in(table.ruleset)
    with pytest.raises(NotFound, match="played with version 2 of First Blood, and this server has version 1"):
        played.do("token.remove", {"token": table.scene.tokens[0].id})
    assert table.state == after


def breaks(profile, from_version):
    return {"pace": 1 // (from_version - 1)}


def forgets(profile, from_version):
    return profile


@pytest.mark.parametrize("broken", [breaks, forgets])
def test_a_migration_that_fails_leaves_the_table_readable_with_the_reason(played, broken):
    table = played.restart(replace(SECOND, migrate=broken))
    assert is_stand_in(table.ruleset)
    with pytest.raises(NotFound, match=r"unit of its version 1: (ZeroDivision|profile\.speed)"):
        played.do("token.remove", {"token": table.scene.tokens[0].id})


def test_the_stand_in_is_a_whole_ruleset_but_for_its_units():
    with pytest.raises(IncompleteRuleset, match=r"complete: It has no ready-made unit\.$"):
        require_complete(stand_in("gone", "It is gone."))
    scene = demo_battle(FIRST_BLOOD).scene
    ruleset, token = stand_in("first_blood", "It is gone."), scene.tokens[0]
    with pytest.raises(NotFound, match="It is gone"):
        refusal(scene, ruleset.acts["move"].procedure, Act(kind="move", token=token.id))
    assert ruleset.judge(scene, token, ((0, 0),), None).reasons == ("It is gone.",)
    assert ruleset.reach(scene, token) is None
    assert ruleset.areas(scene, token, "sight") == ()


def test_the_conformance_suite_tries_the_examples_of_older_versions(reads_new):
    check_conformance(SECOND, games=3, previews=1)
    for wrong, sentence in [
        (replace(SECOND, older_profiles={}), "Version 1 has no example"),
        (replace(SECOND, migrate=forgets), "Example 1 of version 1.*speed"),
        (replace(SECOND, older_profiles={1: ({},), 2: ({},)}), "version 2, which is not older"),
    ]:
        with pytest.raises(ConformanceError, match=sentence):
            check_conformance(wrong, games=1, previews=1)


def test_an_example_that_does_not_migrate_is_named_with_its_number():
    kept = replace(SECOND, older_profiles={1: ({"speed": 4}, {"speed": 99})})
    (sentence,) = wrong_migrations(kept)
    assert sentence.startswith("Example 2 of version 1:")
    with pytest.raises(OldProfile, match="version 1"):
        migrated_profile(SECOND, {"speed": 99}, 1)


def test_a_version_below_one_is_incomplete():
    with pytest.raises(IncompleteRuleset, match="Its version must be 1 or more"):
        require_complete(replace(FIRST_BLOOD, version=0))


def bring(monkeypatch, *values):
    points = [EntryPoint(f"game_{n}", value, registry.ENTRY_POINT_GROUP) for n, value in enumerate(values)]
    monkeypatch.setattr(registry, "entry_points", lambda **_: points)


def test_a_plug_in_that_cannot_be_used_is_left_out_and_the_others_play(monkeypatch, caplog):
    good = f"{EXAMPLE.__name__}:FIRST_BLOOD"
    bring(
        monkeypatch, "no_such_package:GAME", good, "enfilade.errors:NO_SUCH", "enfilade.errors:BadInput", good
    )
    found = find_rulesets([])
    assert list(found.rulesets) == ["first_blood"]
    first, second, third, fourth = found.left_out
    assert "'game_0' (no_such_package:GAME) cannot be loaded: ModuleNotFoundError" in first
    assert "cannot be loaded: AttributeError" in second
    assert "is not a Ruleset" in third
    assert "two rulesets with the key 'first_blood'" in fourth
    with caplog.at_level(logging.WARNING):
        assert list(load_rulesets([])) == ["first_blood"]
    assert len(caplog.records) == 4


def test_a_strict_server_refuses_a_plug_in_that_cannot_be_used(monkeypatch):
    bring(monkeypatch, "no_such_package:GAME")
    with pytest.raises(IncompleteRuleset, match="no_such_package:GAME"):
        load_rulesets([], is_strict=True)
