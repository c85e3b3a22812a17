"""A spectator's view of the scene is built from an allow-list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from enfilade.play.changes import scene_changes
from enfilade.play.command import ChainHead, Entries, Snapshot
from enfilade.play.view import (
    hidden_tokens_in,
    redact_entry,
    redact_entry_text,
    view,
)
from enfilade.scene import events as ev
from enfilade.scene.apply import fold_all
from enfilade.scene.entry import Entry, RedactedEntry
from enfilade.scene.model import GM, SPECTATOR, Drawing, Fog, Grid, OwnUnit, Scene, Side, Terrain, Token, Wall

ORC = Token(id="orc", name="Orc", side="red", at=(2, 2))
ASSASSIN = Token(id="assassin", name="Silent Ann", side="blue", at=(3, 3), hidden=True)
SCENE = Scene(
    ruleset="any",
    grid=Grid("square", 10, 10),
    sides=(Side(id="blue", name="Blue"), Side(id="red", name="Red")),
    walls=(Wall(id="s", line=(0, 0, 64, 0), door="secret", state="locked"),),
    tokens=(ASSASSIN, ORC),
)


def entry(events, text="", secret=False):
    return Entry(seq=1, id="c", seat="gm", kind="act", at_ms=0, events=events, text=text, secret=secret)


def redacted(said, before, after):
    """An entry as a spectator is told of it."""
    return redact_entry(said, view(before, SPECTATOR), view(after, SPECTATOR), SPECTATOR)


def test_the_game_master_sees_everything():
    assert view(SCENE, GM) is SCENE


def test_a_hidden_token_is_not_there_for_a_spectator():
    assert [token.id for token in view(SCENE, SPECTATOR).tokens] == ["orc"]


def test_a_secret_door_is_a_plain_wall_until_it_stands_open():
    (wall,) = view(SCENE, SPECTATOR).walls
    assert (wall.door, wall.state) == ("none", "closed")
    opened = replace(SCENE, walls=(replace(SCENE.walls[0], state="open"),))
    assert view(opened, SPECTATOR).walls[0].door == "secret"


def test_hidden_terrain_stays_with_the_gm_and_other_terrain_is_the_same_value():
    mud, pit = Terrain("mud", "Mud", ((1, 1),)), Terrain("pit", "Pit", ((2, 2),), hidden=True)
    scene = replace(SCENE, terrain=(mud, pit))
    assert view(scene, SPECTATOR).terrain == (mud,)
    assert view(scene, GM).terrain == (mud, pit)
    open_ground = replace(SCENE, terrain=(mud,))
    assert view(open_ground, SPECTATOR).terrain is open_ground.terrain


def test_the_tables_own_units_stay_with_the_gm_and_a_scene_without_any_is_the_same_value():
    boss = OwnUnit(key="boss", name="The Boss", profile={"armor": "heavy"}, image="/api/tables/t/assets/a")
    for scene in (SCENE, replace(SCENE, tokens=(ORC,), walls=())):
        seen = view(replace(scene, units=(boss,)), SPECTATOR)
        assert seen == view(scene, SPECTATOR)
        assert view(replace(scene, units=(boss,)), GM).units == (boss,)
    open_scene = replace(SCENE, tokens=(ORC,), walls=())
    assert view(open_scene, SPECTATOR) is open_scene


TOLD = {
    Scene: "ruleset grid version name background enforcement house_rules"
    " walls terrain sides tokens units drawings fog tracks conditions",
    Drawing: "id points text color by round hidden",
    Fog: "cells by_sight has_picture",
    Grid: "kind columns rows distance units",
    Wall: "id line move sight one_way door state threshold",
    Terrain: "id name cells cost blocks_sight kind hidden height",
    Side: "id name team tracks conditions",
    Token: "id name side at facing size elevation hidden image profile owners tracks conditions",
    RedactedEntry: "seq id seat kind at_ms events text facts undoes secret readers dice sealed",
    Snapshot: "role seat scene log choice ruleset regions bodies bars turn dice webhook history hash",
    Entries: "entries choice regions bodies bars turn webhook history hash",
    ChainHead: "epoch head links next hidden players",
}
"""All that anybody is told, by the value that has it."""


@pytest.mark.parametrize("value", TOLD, ids=lambda value: value.__name__)
def test_each_field_that_a_view_sends_is_listed_here(value):
    """Decide for a new field who may know it, and add it to the noninterference and secrets scenarios."""
    assert sorted(value.__struct_fields__) == sorted(TOLD[value].split())


def test_no_condition_names_a_hidden_token():
    marked = replace(
        SCENE,
        conditions={"active": "assassin", "priority": "blue"},
        sides=(replace(SCENE.sides[0], conditions={"leader": "assassin"}), SCENE.sides[1]),
        tokens=(ASSASSIN, replace(ORC, conditions={"marked_by": "assassin", "down": ""})),
    )
    seen = view(marked, SPECTATOR)
    assert seen.conditions == {"priority": "blue"}
    assert seen.side("blue").conditions == {}
    assert seen.token("orc").conditions == {"down": ""}


def test_a_list_by_token_names_no_hidden_token():
    conditions = {
        "defended": "assassin=ok orc=failed",
        "carried": "assassin",
        "active": "",
        "told": "of orcs",
    }
    noted = replace(SCENE, tokens=(ASSASSIN, replace(ORC, conditions=conditions)))
    (seen,) = view(noted, SPECTATOR).tokens
    assert seen.conditions == {"defended": "orc=failed", "active": "", "told": "of orcs"}
    event = ev.ConditionSet(holder="orc", condition="defended", note="orc=ok assassin=ok", was=None)
    assert hidden_tokens_in(noted, noted, [event]) == [ASSASSIN, ASSASSIN]
    other = replace(event, note="orc=ok assassin-2=ok")
    assert hidden_tokens_in(noted, noted, [other]) == []


def test_events_that_speak_of_a_hidden_token_are_secret():
    by_id = [ev.TrackSet(holder="assassin", track="hp", value=1, was=2)]
    by_name = [ev.Explained(kind="attack", facts={"modifiers": [{"reason": "distracted by Silent Ann"}]})]
    assert hidden_tokens_in(SCENE, SCENE, by_id)
    assert hidden_tokens_in(SCENE, SCENE, by_name)
    assert hidden_tokens_in(SCENE, SCENE, [], "Blocked by Silent Ann.")
    assert not hidden_tokens_in(
        SCENE, SCENE, [ev.TrackSet(holder="orc", track="hp", value=1, was=2)], "Silent Anna"
    )


def test_a_secret_entry_has_only_visible_changes_and_no_text():
    hit = ev.TrackSet(holder="orc", track="hp", value=1, was=None)
    walked = ev.TokenMoved(token="assassin", at=(4, 4), facing=0, was_at=(3, 3), was_facing=0)
    after = fold_all(SCENE, [hit, walked])
    seen = redacted(entry((hit, walked), "Silent Ann stabs Orc.", True), SCENE, after)
    assert (seen.id, seen.kind, seen.text, seen.facts) == ("", "secret", "", {})
    assert seen.events == (hit,)


def test_words_alone_come_without_events():
    redacted = entry((ev.TokenRemoved(was=ORC),), "Orc leaves.")
    assert redact_entry_text(redacted, SPECTATOR).text == "Orc leaves."
    assert redact_entry_text(redacted, SPECTATOR).events == ()


CELLS = st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9))
TOKENS = st.lists(
    st.builds(
        Token,
        id=st.sampled_from("abcd"),
        name=st.text(max_size=3),
        side=st.just("blue"),
        at=CELLS,
        hidden=st.booleans(),
        tracks=st.dictionaries(st.sampled_from(["hp", "mp"]), st.integers(-3, 3)),
        conditions=st.dictionaries(st.sampled_from(["down", "by"]), st.sampled_from(["", "a", "b"])),
    ),
    unique_by=lambda token: token.id,
    max_size=4,
).map(lambda tokens: tuple(sorted(tokens, key=lambda token: token.id)))
SCENES = st.builds(
    Scene,
    ruleset=st.just("any"),
    grid=st.just(SCENE.grid),
    name=st.sampled_from(["", "Tavern"]),
    sides=st.sampled_from([SCENE.sides, SCENE.sides[:1]]),
    walls=st.sampled_from([SCENE.walls, (), (replace(SCENE.walls[0], state="open"),)]),
    tokens=TOKENS,
    tracks=st.dictionaries(st.just("round"), st.integers(0, 3)),
    conditions=st.dictionaries(st.sampled_from(["active", "won"]), st.sampled_from(["a", "b", "x"])),
)


@given(SCENES, SCENES)
def test_a_spectators_events_lead_from_one_of_its_views_to_the_next(before, after):
    seen = redacted(entry(()), before, after)
    assert fold_all(view(before, SPECTATOR), seen.events) == view(after, SPECTATOR)


@given(SCENES, SCENES)
def test_worlds_that_differ_in_hidden_things_look_the_same(before, after):
    hidden = {token.id for scene in (before, after) for token in scene.tokens if token.hidden}
    for event in scene_changes(view(before, SPECTATOR), view(after, SPECTATOR)):
        token = getattr(event, "token", None)
        assert token is None or not token.hidden
        assert isinstance(event, ev.SceneSet | ev.MapSet) or not hidden or "hidden=True" not in repr(event)
